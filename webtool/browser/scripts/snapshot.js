// A function of the other scripts that it uses. It returns a function of {limit, mark, most, time, inFrame, judged, ground} that
// returns one document as HTML, as a person sees it.
//   limit    bytes of the HTML; the copy ends there, in document order
//   time     milliseconds after which the copy ends
//   mark     the attribute for elements that cannot be seen. Its value is the reason, which Python reads (webtool.visibility)
//   most     elements; in a document with more, none is judged
//   judged   whether to judge which elements can be seen; false in a frame that is hidden itself
//   inFrame  whether this is the document of a frame: then its body alone is copied
//   ground   the colour behind the document, [red, green, blue, alpha], or null if a picture may be there
//
// Open shadow trees replace the children of their hosts, and slots are filled (DOM Standard, "flattened slottables"). The
// copy is made in a document without a window, where nothing loads and no component starts.
//
// Python may open an element that cannot be seen, as a tab's panel, so what is inside is judged too, as if it was open. Text
// without a colour, a size or a place of its own is left out and counted (`unseen`). A frame that note.js has numbered is
// replaced by a comment, "mark:number", and listed in `frames`: Python asks for its document with `judged` and `ground` of
// that list.
((scripts) => ({limit, mark, most, time, inFrame, judged, ground}) => {
  const end = performance.now() + time;
  const dom = scripts.dom(), styles = scripts.styles(dom, ground), visible = scripts.visible(dom, styles);
  const code = scripts.code(dom, styles, visible), widgets = scripts.widgets(dom, styles, visible), names = scripts.names(dom);
  const generated = scripts.generated(dom, styles), order = scripts.order(dom, styles);
  const {aboveOf, all, append, attributeNamesOf, boxOf, elementsIn, find, firstOf, get, has, innerHeightOf, innerWidthOf, kidsOf,
         nameOf, nextOf, page, remove, set, shadowOf, typeOf} = dom;
  const {styleOf, groundOf} = styles;
  const SILENT = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'option', 'rp']);
  const inert = page('implementation').createHTMLDocument('');
  const count = all('*').length, isJudged = judged && count <= most;
  const numberOf = globalThis[Symbol.for('webtool')] ?? new WeakMap();  // of frames, by note.js
  const frames = [];  // [number, isSeen, colour behind it, HTML of the empty element] of each
  const cells = new Map(), events = [];  // element with a role -> its copy; {copy, days} of a calendar's events
  const MAX_EVENTS = 500;  // events of calendars that are put to their days
  const MAX_HIDDEN = 3;  // hidden elements in one another whose content is judged; further in, nothing is copied
  let hidden = [];  // hidden elements whose content is still to be copied: {element, copy, top, reason}
  let unseen = 0, words = 0;  // characters of text that was left out, and that can be seen
  let canvases = 0, size = 0, cut = '', steps = 0;  // size: bytes so far; cut: '', 'size' or 'time', by what the copy ended

  const encoder = new TextEncoder();
  const weigh = (text) =>  // bytes of text in HTML, or somewhat more
    /[^\x00-\x7f]|[&<>"]/.test(text)
    ? encoder.encode(text).length + 5 * (text.match(/[&<>"\xa0]/g)?.length ?? 0) : text.length;
  const addSize = (bytes) => {  // false once the copy has to end
    if ((size += bytes) > limit) cut = 'size';
    return size <= limit;
  };

  // The elements whose children are being copied, outermost first; `top` is the innermost, or the one around a new copy.
  //   from, to              the element, and the copy that receives its children
  //   next                  the next child to copy
  //   list, index           its children and the place of `next`, if they fill a slot or are seen in another order; else []
  //   after                 words of a style sheet that follow its children
  //   isSeen                whether it can be seen; then what is in it is judged
  //   hides                 whether text right inside of it cannot be seen; undefined until the first text
  //   isCovered             whether something may lie over its content
  //   isCode, isEditor      whether it is in code; whether it is an editor whose children are its lines
  //   isOpened, isInDialog  whether it is in a hidden element that was opened for us; in a dialog that is the page
  //   inShadow, open, paragraph  whether it is in a shadow tree; the others are described in names.js
  const stack = [];
  const enter = (from, to, top, isSeen, more) => {
    const shadow = shadowOf(from), name = nameOf(from);
    const slotted = top?.inShadow && name === 'slot' ? from.assignedNodes() : [];
    const start = slotted[0] ?? firstOf(shadow ?? from), isOrdered = isSeen && start && !more?.isCode && !top?.isCode;
    const second = isOrdered ? (slotted.length ? slotted[1] : nextOf(start)) : null;
    const list = (second && order(from, start, second, () => (slotted.length ? slotted : kidsOf(shadow ?? from)))) || slotted;
    const first = list[0] ?? start;
    if (!first) {
      const rested = isSeen ? widgets.restedText(from, '') : '';
      if (rested) append(to, inert.createTextNode(rested));
      return null;
    }
    stack.push({next: first, list, index: 0, from, to, isSeen, inShadow: shadow !== null || top?.inShadow,
                isCovered: isSeen && visible.isStage(from), isCode: top?.isCode, isInDialog: top?.isInDialog,
                isOpened: top?.isOpened, ...names.openIn(to, top), ...more});
    return stack[stack.length - 1];
  };

  const write = (to, text) => { if (text && addSize(weigh(text))) append(to, inert.createTextNode(text)); };
  const copyText = (node, top) => {
    const isCovered = () => top.isCovered && visible.isNotFound(node, visible.isCovering);
    const text = node.data, letters = top.isSeen ? text.trim().length : 0;
    if (letters && ((top.hides ??= visible.hidesText(top.from)) || isCovered())) {
      unseen += letters;
      return true;
    }
    const source = top.isSeen && styles.isMirrored(top.from) ? [...text].reverse().join('') : text;
    const data = top.isCode ? text.replace(/\u00a0/g, ' ').replace(/\u200b/g, '') : widgets.restedText(top.from, source);
    if (top.isSeen && !top.isOpened) words += data.trim().length;
    const weight = weigh(data), room = limit - size, isWhole = addSize(weight);
    append(top.to, inert.createTextNode(isWhole ? data : data.slice(0, Math.floor(data.length * room / weight))));
    return isWhole;
  };
  const copyOther = (node, top) => {  // a comment or a processing instruction
    if (!addSize(7 + (node.data || '').length * 3)) return false;
    append(top.to, inert.importNode(node, false));
    return true;
  };

  const copyOf = (element, name, newName, top) => {  // without its children
    const copy = newName === name ? inert.importNode(element, false) : names.renamed(element, newName || 'span', inert);
    remove(copy, mark);
    if (name === 'input' || name === 'option') widgets.copyState(element, copy);
    if (top.isEditor) for (const attribute of ['class', 'style']) remove(copy, attribute);  // the line's place on the screen
    if (inFrame)  // the frame's addresses are not the page's
      for (const link of ['href', 'src'])
        if (typeof element[link] === 'string' && has(element, link)) set(copy, link, element[link]);
    return copy;
  };
  const reasonOf = (element, top) => {
    const reason = visible.reasonOf(element, styleOf(element))
      || (top.isCovered && visible.isNotFound(element, visible.isCovering) ? 'position' : '');
    return reason && widgets.isDrawnBox(element, reason) ? '' : reason;
  };
  const kindOf = (element, name, newName, top) => {  // how the content of an element that is seen is copied
    const style = styleOf(element);
    if (style.display !== 'inline') {
      if (code.linesOf(element).length) return 'editor';
      if (code.isLineNumbers(element, style) || code.isOldLayer(element, style)) return 'line numbers';
      if (/^(pre|break-spaces|nowrap)/.test(style.whiteSpace)) {
        if (code.isEditor(element, style)) return 'editor';
        if (code.isCode(element, style)) return 'code';
      }
    }
    if (widgets.isOfWheel(element)) return 'wheel';
    return newName === 'span' && !top.isCode && name !== newName && !/^(inline|contents|none)/.test(style.display) ? 'box' : '';
  };
  const enterEditor = (element, copy, top, isByLine) => {
    const from = nameOf(element) === 'pre' ? code.holderOf(element) : element;
    let outer = top.to;  // Monaco's frame has role=code, as a code span has
    for (let i = 0; outer && i < 5; i += 1, outer = aboveOf(outer)) if (get(outer, 'role') === 'code') remove(outer, 'role');
    const change = isByLine ? code.changeOf(from, inert) : null;
    if (change) { append(top.to, change); addSize(change.outerHTML.length); return; }
    const box = names.renamed(copy, 'pre', inert), content = inert.createElement('code'), language = code.languageOf(from);
    if (language) set(content, 'class', `language-${language}`);
    append(top.to, box);
    append(box, content);
    const inside = enter(from, content, top, true, {isCode: true, isEditor: isByLine});
    if (!isByLine || !inside) return;
    const lines = code.linesOf(from), places = new Map();
    for (const line of lines.length ? lines : elementsIn(from)) places.set(line, Math.round(boxOf(line).top));
    inside.list = [...places.keys()].sort((a, b) => places.get(a) - places.get(b));
    inside.next = inside.list[0];
  };

  const markDialog = (element, copy, top) => {  // whether it is in a dialog that is the page
    const isPage = !top.isInDialog && widgets.isPageDialog(element), isInDialog = top.isInDialog || isPage;
    if (isPage) {
      set(copy, 'role', 'article');
      for (const attribute of ['aria-modal', 'aria-labelledby', 'aria-describedby', 'id']) remove(copy, attribute);
    }
    const namesDialog = () => /modal|dialog|overlay|popup|drawer|lightbox/i.test(get(copy, 'class') || '');
    const isPopup = !isInDialog && widgets.isMapPopup(element);
    if (isPopup) for (const attribute of ['role', 'id']) remove(copy, attribute);
    if (isPopup || (isInDialog && namesDialog())) remove(copy, 'class');
    return isInDialog;
  };
  const placeOf = (frame, copy, isSeen) => {  // null where it cannot be seen
    remove(copy, 'srcdoc');  // what it holds is read where it is shown
    if (!numberOf.has(frame)) return copy;
    if (isSeen) {
      const isSmall = innerWidthOf(frame) < 10 || innerHeightOf(frame) < 10;  // no line of text fits in
      if (has(copy, mark) || styleOf(frame).visibility !== 'visible' || isSmall) return null;
    }
    const place = inert.createElement('div');
    append(place, inert.createComment(`${mark}:${numberOf.get(frame)}`));
    frames.push([numberOf.get(frame), isSeen, isSeen ? groundOf(frame) : null, copy.outerHTML]);
    return place;
  };
  const isLarge = (canvas) => boxOf(canvas).width * boxOf(canvas).height > 40000;
  const REPLACEMENTS = {svg: widgets.listOf, canvas: widgets.captionOf, table: code.diffOf, textarea: code.typedText};

  const copyElement = (element, top) => {
    const name = nameOf(element), ticked = top.isSeen ? widgets.isTicked(element) : '';
    const newName = ticked || (top.isCode && /^(div|pre)$/.test(name)) || (name === 'q' && styles.isUnquoted(element)) ? 'span'
      : names.nameIn(top.isInDialog && widgets.isTitle(element) ? 'h2' : names.roleName(element, name), top);
    if (top.isCode && name === 'br') return true;  // an empty line
    if (top.isEditor && top.index > 1) append(top.to, inert.createTextNode('\n'));
    const copy = copyOf(element, name, newName, top), canBeSeen = top.isSeen && !SILENT.has(name);
    const reason = canBeSeen ? reasonOf(element, top) : '', isSeen = canBeSeen && !reason;
    if (canBeSeen && widgets.isTurnedOff(element, reason)) return true;
    if (reason) set(copy, mark, reason);
    if (isSeen && name === 'canvas' && !top.isOpened && isLarge(element)) canvases += 1;
    const kind = isSeen ? kindOf(element, name, newName, top) : '';
    if (kind === 'line numbers') return true;
    const isInDialog = isSeen && !top.isOpened ? markDialog(element, copy, top) : top.isInDialog;
    let bytes = 2 * name.length + 5;
    for (const attribute of attributeNamesOf(copy)) bytes += attribute.length + 4 + weigh(get(copy, attribute));
    if (!addSize(bytes)) return false;
    if (visible.FRAMES.has(name)) {
      const place = placeOf(element, copy, top.isSeen && !top.isOpened);
      if (place) append(top.to, place);
      if (place !== copy) return true;
    }
    const replacement = isSeen && Object.hasOwn(REPLACEMENTS, name) ? REPLACEMENTS[name](element, inert) : null;
    if (replacement) {
      words += replacement.textContent.length;
      names.breakParagraph(top);
      append(top.to, replacement);
      return addSize(replacement.outerHTML.length);
    }
    if (kind === 'editor' || kind === 'code') { enterEditor(element, copy, top, kind === 'editor'); return true; }
    if (!reason && (newName === '' || kind === 'wheel')) { enter(element, top.to, top, isSeen); return true; }
    const isBox = kind === 'box';
    if (isBox) append(top.to, inert.createTextNode(' '));
    if (ticked && isSeen) append(copy, widgets.boxFor(ticked, inert));
    const mayBeEvent = isSeen && !top.isOpened && events.length < MAX_EVENTS;
    const days = mayBeEvent ? widgets.daysOf(element).filter((day) => cells.has(day)) : [];
    if (days.length) events.push({copy, days});
    append(top.to, copy);
    if (canBeSeen && has(copy, 'role')) cells.set(element, copy);
    const isWritten = isSeen && !top.isCode, after = isWritten ? generated(element, '::after') : '';
    if (isWritten) write(copy, generated(element, '::before'));
    if (isBox) append(top.to, inert.createTextNode(' '));
    if (reason && firstOf(element)) hidden.push({element, copy, top, reason});
    else if (!enter(element, copy, top, isSeen, {isInDialog, after})) write(copy, after);
    return true;
  };

  const copyNext = () => {  // the next child of the innermost element; false once the copy has to end
    const top = stack[stack.length - 1], node = top.next;
    if (!node) { write(top.to, stack.pop().after); return true; }
    top.next = top.list.length ? top.list[top.index += 1] : nextOf(node);
    const type = typeOf(node);
    // A component's style rules are meant for nothing outside of it.
    if (top.inShadow && type === Node.ELEMENT_NODE && /^(style|link)$/.test(nameOf(node))) return true;
    if ((steps += 1) % 500 === 0 && performance.now() > end) { cut = 'time'; return false; }
    if (type === Node.TEXT_NODE) return copyText(node, top);
    return type === Node.ELEMENT_NODE ? copyElement(node, top) : copyOther(node, top);
  };
  const copyHidden = () => {
    const restores = [];
    for (let depth = 0; hidden.length && depth < MAX_HIDDEN && !cut; depth += 1) {
      const opened = hidden;
      hidden = [];
      for (const {element, reason} of opened) restores.push(...visible.open(element, reason));  // together: one layout
      for (const {element, copy, top} of opened) {
        if (cut) break;
        enter(element, copy, top, true, {isOpened: true});
        while (stack.length && copyNext());
      }
    }
    for (const restore of restores.reverse()) restore();
  };
  const flattened = (root, copy) => {
    enter(root, copy, null, isJudged);
    while (stack.length && copyNext());
    copyHidden();
    for (const {copy, days: [first, ...others]} of events) {
      for (const day of others) if (addSize(copy.outerHTML.length)) append(cells.get(day), inert.importNode(copy, true));
      append(cells.get(first), copy);
    }
    names.mendParagraphs(inert);
    return copy;
  };
  const read = () => {
    const root = inFrame ? page('body') : page('documentElement');
    if (!root || location.protocol === 'chrome-error:') return '';
    if (!inFrame) {
      const copy = inert.importNode(root, false);
      if (!isJudged) remove(copy, 'style');  // before_layout.js put it there
      return flattened(root, copy).outerHTML;
    }
    if (isJudged && visible.reasonOf(root, styleOf(root))) return '';
    return find(root, 'video, audio') ? '' : flattened(root, inert.createElement('div')).innerHTML;
  };
  const html = read();
  visible.scrollBack();
  return {html, frames, unseen, canvases, cut, count, isJudged, title: page('title'), url: location.href, type: page('contentType'),
          words: isJudged ? words : size,  // without judging, all that was copied counts as seen
          quirks: page('compatMode') === 'BackCompat'};
})
