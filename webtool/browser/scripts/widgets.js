// A function of the members of dom.js, styles.js and visible.js. Returns functions for what is not read as it is marked up: fields
// of forms, numbers that move, charts, and dialogs and popups that are text of the page.
((dom, styles, visible) => {
  const {aboveOf, append, boxOf, closest, elementsIn, find, findAll, firstElementOf, firstOf, get, getter, has, kidsOf, nameOf,
         nextOf, parentOf, remove, rootOf, set, spaceOf, textNodesIn, textOf, typeOf, wordsIn} = dom;
  const {styleOf} = styles;

  // Fields show what was typed, chosen or ticked, which their attributes do not say. What is typed into a password is not shown.
  // Example: <input value=old> with the value "new" -> <input value=new>
  const ticked = getter(HTMLInputElement, 'checked'), chosen = getter(HTMLOptionElement, 'selected');
  const valueOf = getter(HTMLInputElement, 'value'), kindOf = getter(HTMLInputElement, 'type');
  const isBox = (element) => element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(kindOf(element));
  const copyState = (element, copy) => {
    const mark = (name, isOn) => (isOn ? set : remove)(copy, name, '');
    if (element instanceof HTMLOptionElement) return mark('selected', chosen(element));
    if (!(element instanceof HTMLInputElement)) return undefined;
    if (isBox(element)) return mark('checked', ticked(element));
    const isShown = !/^(password|hidden|file)$/.test(kindOf(element)) && !visible.isUnseen(element, styleOf(element));
    return isShown && valueOf(element) ? set(copy, 'value', valueOf(element)) : remove(copy, 'value');
  };
  // A box that a style sheet or a picture draws has its field hidden in a small element, or beside one.
  // Example: <span class=checked><input type=checkbox style="opacity: 0"></span>
  const MAX_BOX = 60;  // pixels; the label of an accordion, which has such a field too, is wider
  const isSmall = ({width, height}) => width >= 8 && height >= 8 && Math.max(width, height) <= MAX_BOX;
  const isDrawnBox = (element, reason) => {
    if (!isBox(element) || reason === 'height') return false;
    const next = element.nextElementSibling, above = parentOf(element);
    return (next && isSmall(boxOf(next)) && !textOf(next).trim()) || (isSmall(boxOf(above)) && !wordsIn(above).trim());
  };
  const isTicked = (element) => {  // of a box by its role, as "true" or "false"; "" for another element
    const role = get(element, 'role'), state = role && /^(checkbox|switch|radio)$/.test(role) && get(element, 'aria-checked');
    return state && /^(true|false)$/.test(state) && !isBox(element) && !find(element, 'input') ? state : '';
  };
  const boxFor = (state, inert) => {
    const box = inert.createElement('input');
    set(box, 'type', 'checkbox');
    if (state === 'true') set(box, 'checked', '');
    return box;
  };

  // The text of an element as it was at rest in view: a counter's largest number, a typed text's whole, or, while texts are typed
  // one after the other, the last whole one. Example: "We build boa|" -> "We build boats|"
  const RECENT = 400;  // milliseconds; a text that was emptied less long ago is still moving
  const TYPED = 8;  // changes of a text that is typed letter by letter
  const numberIn = (text) => /^[^\d]{0,8}\d[\d.,' \u00a0\u202f]*[^\d]{0,8}$/.test(text) ? Number(text.replace(/\D/g, '')) : NaN;
  const wholeOf = (start, texts) => {  // the longest text that begins so
    const longer = [...texts].filter((text) => text.length > start.length && text.startsWith(start));
    return longer.reduce((whole, text) => text.length > whole.length ? text : whole, start);
  };
  const restedText = (owner, now) => {
    const {texts, moves} = visible.noted, rested = (owner && texts.get(owner)) ?? '', move = owner && moves.get(owner);
    if ((!rested && !move) || kidsOf(owner).length > 1 || rested.length > 500) return now;
    if (numberIn(rested) > numberIn(now)) return rested;
    if (!now.trim()) return move && performance.now() - move.last < RECENT ? rested || now : now;
    if (rested.length > now.length && rested.startsWith(now.trim())) return rested;
    return move && move.count >= TYPED && Number.isNaN(numberIn(now)) ? wholeOf(now, move.texts) : now;
  };

  // Wheels of digits turn until one digit of each is in its window, and the others are cut off or hidden.
  // Example: <div style="height: 1em; overflow: hidden"><div>0</div><div>1</div> ... <div>9</div></div> shows 7
  const wheels = new Map();  // a wheel -> the box of its window, true if all other digits are hidden, null for another element
  const isDigit = styles.remembered((element) => {
    const text = firstOf(element);
    return text !== null && typeOf(text) === Node.TEXT_NODE && /^\s*\d\s*$/.test(text.data) && !nextOf(text);
  });
  const windowOf = (wheel) => {
    const digits = elementsIn(wheel);
    if (digits.length < 3 || digits.length > 40 || !digits.every(isDigit)) return null;
    if (digits.filter((digit) => styleOf(digit).display === 'none').length === digits.length - 1) return true;
    const height = Math.max(...digits.map((digit) => boxOf(digit).height));
    for (let outer = wheel, steps = 0; outer && steps < 4; outer = parentOf(outer), steps += 1) {
      const box = boxOf(outer);
      if (/hidden|clip/.test(styleOf(outer).overflow) && box.height > 0) return box.height < 2.5 * height ? box : null;
    }
    return null;
  };
  const windowFor = (wheel) => {
    if (!wheels.has(wheel)) wheels.set(wheel, wheel instanceof Element ? windowOf(wheel) : null);
    return wheels.get(wheel);
  };
  const isTurnedOff = (element, reason) => {  // whether it is a digit of a wheel that is not in the window
    const opening = isDigit(element) ? windowFor(aboveOf(element) ?? rootOf(element)) : null;
    if (opening === null) return false;
    const box = boxOf(element), middle = box.top + box.height / 2;
    return reason !== '' || (opening !== true && (middle < opening.top || middle > opening.bottom));
  };
  const isOfWheel = (element) => {  // these are copied without their tags, because the digits of a number are one word
    if (isDigit(element)) return windowFor(aboveOf(element) ?? rootOf(element)) !== null;
    const first = firstElementOf(element);
    return first !== null && isDigit(first) && windowFor(element) !== null;
  };

  // Calendars lay events over their days. An event is read in the cell, or below the header, of each day that it covers.
  // Example: <div role=row><div><b role=cell>8</b><b role=cell>9</b></div><div><i class=event>Regatta</i></div></div>, with the
  // event below the 9 -> "8", "9 Regatta"
  const EVENT = /(^|[\s_-])event(\s|$)/, DAYS = '[role=cell], [role=gridcell]', MAX_STEPS = 8;
  const daysOf = (element) => {  // elements, none for other boxes
    if (!EVENT.test(get(element, 'class') || '') || closest(element, `td, ${DAYS}`)) return [];
    let days = [], outer = aboveOf(element);
    for (let steps = 0; outer && steps < MAX_STEPS && !days.length; outer = aboveOf(outer), steps += 1)
      days = [...findAll(outer, get(outer, 'role') === 'row' ? DAYS : '[role=columnheader]')];
    const middleOf = ({left, right}) => (left + right) / 2, own = boxOf(element);
    const isWithin = (place, {left, right}) => place > left && place < right;
    return days.slice(0, 50).filter((day) => isWithin(middleOf(own), boxOf(day)) || isWithin(middleOf(boxOf(day)), own));
  };

  // Charts and diagrams are copied as a list of their labels, a row of the picture an item, top to bottom. Letters that draw
  // a logo are not listed. Example: bars of a chart -> "- 2024 · 4.1 M EUR", "- 2025 · 5.9 M EUR"
  const isShown = (element, root) => {  // whether the text of an element in graphics can be seen
    for (let outer = element; outer && outer !== root; outer = aboveOf(outer))
      if (visible.reasonOf(outer, styleOf(outer))) return false;
    return !visible.isUnseen(element, styleOf(element));
  };
  const labelIn = (element) => {  // Highcharts writes a label twice: its outline, and its letters
    // A label of several lines has a <tspan> for each. Example: <tspan>Mean</tspan><tspan x=0 dy=12>depth</tspan> -> "Mean depth"
    const lines = elementsIn(element).filter((line) => nameOf(line) === 'tspan' && (has(line, 'dy') || has(line, 'y')));
    const words = lines.length ? elementsIn(element).map(textOf).join(' ') : wordsIn(element);
    const text = words.replace(/[\u200b\s]+/g, ' ').trim(), half = text.length >> 1;
    const first = firstElementOf(element), outline = first && wordsIn(first).replace(/[\u200b\s]+/g, ' ').trim();
    return outline && `${outline}${text.slice(half)}` === text && outline === text.slice(half).trim() ? outline : text;
  };
  const labelsOf = (svg) => {
    const labels = [];
    for (const element of [...findAll(svg, 'text, foreignObject')].slice(0, 500)) {
      const box = boxOf(element), text = labelIn(element);
      if (text && box.height > 0 && isShown(element, svg)) labels.push({text, left: box.left, middle: box.top + box.height / 2});
    }
    return labels;
  };
  const isChart = (svg, labels) => {
    const box = boxOf(svg), text = labels.map((label) => label.text).join(' ');
    const isSmall = Math.min(box.width, box.height) < 40 || Math.max(box.width, box.height) < 100;
    if (isSmall || (box.width < 100 && labels.length < 3) || text.length < 5) return false;
    if (labels.every((label) => /^[^\d\s]$/u.test(label.text))) return false;  // letters, one at a time
    return labels.length > 2 || (!closest(svg, 'a, button, h1, h2, h3, header, [role=banner]')
      && (labels.length > 1 || text.split(' ').length > 2));
  };
  const rowsOf = (labels) => {
    const rows = [];
    for (const label of labels.sort((a, b) => a.middle - b.middle)) {
      const row = rows[rows.length - 1];
      if (row && label.middle - row[0].middle < 6) row.push(label); else rows.push([label]);
    }
    return rows.map((row) => row.sort((a, b) => a.left - b.left).map((label) => label.text).join(' \u00b7 '));
  };
  const listOf = (svg, inert) => {  // null for a picture without labels
    if (spaceOf(svg) !== 'http://www.w3.org/2000/svg' || find(svg, 'text, foreignObject') === null) return null;
    const labels = labelsOf(svg);
    if (!isChart(svg, labels)) return null;
    const list = inert.createElement('ul'), titled = find(svg, 'title');
    const title = (titled && textOf(titled).trim()) || get(svg, 'aria-label');
    const isNew = title && labels.every((label) => label.text !== title);
    for (const row of isNew ? [title, ...rowsOf(labels)] : rowsOf(labels))
      append(list, inert.createElement('li')).textContent = row;
    return list;
  };
  // A drawing is described by its label, as a picture is by its alternative text.
  const captionOf = (canvas, inert) => {  // null for a drawing without a label
    const label = (get(canvas, 'aria-label') || '').trim(), box = boxOf(canvas);
    if (!label || box.width < 100 || box.height < 40) return null;
    const caption = inert.createElement('p');
    caption.textContent = label;
    return caption;
  };

  // A dialog that is read, not filled in, is the page while it is open. It has a title, by its tag or in larger letters, and
  // a paragraph. Example: <div role=dialog><h2>The lighthouse</h2><p>Built in 1887 ...</p></div> over a grid of pictures
  const NOT_READ = /cookie|consent|privacy|gdpr|newsletter|subscri|sign up|datenschutz|einwillig/i;
  const MIN_DIALOG = 100, MIN_PARAGRAPH = 60, MAX_TITLE = 100;  // characters
  const titles = new WeakSet();
  const hasTitle = (dialog) => {
    if (find(dialog, 'h1, h2, h3, [role=heading]')) return true;
    const owners = [];  // the elements of its first texts
    for (const node of textNodesIn(dialog)) if (node.data.trim() && owners.push(aboveOf(node)) >= 10) break;
    const paragraph = owners.find((owner) => textOf(owner).length >= MIN_PARAGRAPH), [title] = owners;
    const sizeOf = (element) => parseFloat(styleOf(element).fontSize);
    if (!paragraph || textOf(title).length > MAX_TITLE || sizeOf(title) < 1.15 * sizeOf(paragraph)) return false;
    titles.add(title);
    return true;
  };
  const hasParagraph = (dialog) => find(dialog, 'p') !== null
    || [...textNodesIn(dialog)].some((node) => node.data.trim().length >= MIN_PARAGRAPH);
  const isPageDialog = (element) => {
    if (!/^(alert)?dialog$/.test(get(element, 'role') || '') && get(element, 'aria-modal') !== 'true') return false;
    const text = wordsIn(element);
    return text.length >= MIN_DIALOG && find(element, 'input, select, textarea') === null && !NOT_READ.test(text)
      && hasParagraph(element) && hasTitle(element);
  };
  const isTitle = (element) => titles.has(element);
  // A place's name and address in the open popup of a map are text of the page, and popups elsewhere are advertisements: they are
  // known by their class names. Example: <div class=leaflet-popup-content>12 Quay Street</div> -> <div>12 Quay Street</div>
  const isMapPopup = (element) => /popup|tooltip|infowindow|gm-style-iw/i.test(get(element, 'class') || '')
    && get(element, 'role') !== 'button' && nameOf(element) !== 'button'
    && closest(element, '[class*="map" i], [id*="map" i], .leaflet-container, .gm-style');
  return {copyState, daysOf, isDrawnBox, isTicked, boxFor, restedText, isTurnedOff, isOfWheel, listOf, captionOf, isPageDialog, isTitle,
          isMapPopup};
})
