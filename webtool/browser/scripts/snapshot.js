// A function of {limit, mark, most, time, inFrame, judged, ground}. Returns one document as HTML, as a person sees it.
//
// Open shadow trees replace the children of their hosts, and slots are filled (DOM Standard, "flattened slottables"). The
// copy is made in a document without a window, where nothing loads and no component starts.
//
// An element that cannot be seen gets the attribute `mark` with the reason, which Python reads (webtool.visibility). Text
// without a colour, a size or a place of its own is left out and counted. If the document has more than `most` elements,
// none of them is judged. A named frame that can be seen is replaced by a comment, "mark:number", and listed in `frames`
// with the colour on which it lies; Python asks for its document with `inFrame`, `judged` and `ground` of that list.
//
// The copy ends, in document order, after `limit` bytes or `time` milliseconds.
(({limit, mark, most, time, inFrame, judged, ground: behind}) => {
  const end = performance.now() + time;
  // A form's fields and a document's images take the place of members of the same name, in every world.
  const getter = (owner, name) =>
    Function.prototype.call.bind(Object.getOwnPropertyDescriptor(owner.prototype, name).get);
  const method = (owner, name) => Function.prototype.call.bind(owner.prototype[name]);
  const [typeOf, kidsOf, aboveOf, firstOf, nextOf] = ['nodeType', 'childNodes', 'parentElement', 'firstChild', 'nextSibling']
    .map((name) => getter(Node, name));
  const [append, rootOf] = ['appendChild', 'getRootNode'].map((name) => method(Node, name));
  const [nameOf, spaceOf, shadowOf, slotOf, attributesOf, previousOf, firstElementOf] =
    ['localName', 'namespaceURI', 'shadowRoot', 'assignedSlot', 'attributes', 'previousElementSibling', 'firstElementChild']
      .map((name) => getter(Element, name));
  const [has, get, set, remove, boxOf, find, closest, animationsOf] =
    ['hasAttribute', 'getAttribute', 'setAttribute', 'removeAttribute', 'getBoundingClientRect', 'querySelector',
     'closest', 'getAnimations'].map((name) => method(Element, name));
  const attributeNamesOf = method(Element, 'getAttributeNames');
  const [foundAt, contains] = [method(Document, 'elementsFromPoint'), method(Node, 'contains')];
  const [innerWidthOf, innerHeightOf] = ['clientWidth', 'clientHeight'].map((name) => getter(Element, name));
  const [widthOf, heightOf, frameOf] = ['offsetWidth', 'offsetHeight', 'offsetParent']
    .map((name) => getter(HTMLElement, name));
  const page = (name) => getter(Document, name)(document);
  const all = (tag) => method(Document, 'getElementsByTagName')(document, tag);
  const NONE = 'rgba(0, 0, 0, 0)', SEEN = 'img, picture, video, canvas, svg';
  const SHAPES = 'rect, path, circle, ellipse, polygon, image, use, foreignObject';
  const FEW = 4;  // pixels: no line of text that is lower can be read
  const OUT = -500;  // pixels to the left or above, where text is put that nobody is to see
  const styled = new Map();
  const styleOf = (element) => {
    let style = styled.get(element);
    if (style === undefined) styled.set(element, style = getComputedStyle(element));
    return style;
  };
  const positions = new Map();
  const positionOf = (element) => {
    let position = positions.get(element);
    if (position === undefined) positions.set(element, position = styleOf(element).position);
    return position;
  };
  const isPositioned = (element) => positionOf(element) !== 'static';
  const pixel = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const painted = new Map();
  const rgba = (text) => {  // as the screen has it: oklch() and the like have no other numbers
    if (!painted.has(text)) {
      if (!CSS.supports('color', text)) return null;
      pixel.clearRect(0, 0, 1, 1);
      pixel.fillStyle = text;
      pixel.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
      painted.set(text, [red, green, blue, alpha / 255]);
    }
    return painted.get(text);
  };
  const isOneColour = (image) => {  // the colour of a gradient that has no other
    const colours = /^[a-z-]+-gradient\((?!.*url)/.test(image) ? new Set(image.match(/rgba?\([^()]*\)/g)) : new Set();
    return colours.size === 1 ? [...colours][0] : '';
  };
  const parentOf = (element) => slotOf(element) || aboveOf(element) || rootOf(element).host || null;
  const grounds = new Map();  // element -> the opaque colour behind its text, null where a picture may be there
  const groundOf = (element) => {
    const passed = [];
    let ground = behind;
    for (let at = element; at; at = parentOf(at)) {
      if (grounds.has(at)) { ground = grounds.get(at); break; }
      passed.push(at);
      const style = styleOf(at);
      const only = isOneColour(style.backgroundImage);
      const colour = rgba(only || style.backgroundColor);
      const isPlaced = isPositioned(at) && at !== page('body');
      const isPainted = (style.backgroundImage !== 'none' && !only) || (isPlaced
        && (previousOf(at) || find(at, SEEN)));
      if (isPainted || !colour || (colour[3] > 0 && colour[3] < 0.9)) { ground = null; break; }
      if (colour[3] >= 0.9) { ground = colour; break; }
    }
    for (const one of passed) grounds.set(one, ground);
    return ground;
  };
  const rangeOf = (element) => {
    const range = new Range();
    range.selectNodeContents(element);
    return range;
  };
  const linesOf = (element) => {  // its first line of text, one in the middle and the last
    const lines = [...rangeOf(element).getClientRects()].filter((line) => line.width > 0 && line.height > 0);
    return [...new Set([0, lines.length >> 1, lines.length - 1])].map((at) => lines[at]).filter(Boolean);
  };
  const isOpaque = (element, pseudo) => {
    const style = pseudo ? getComputedStyle(element, pseudo) : styleOf(element);
    const isThere = !pseudo || (style.content !== 'none' && style.position === 'absolute' && !(style.zIndex < 0));
    return isThere && Number(style.opacity) >= 0.9 && style.filter === 'none'
      && rgba(isOneColour(style.backgroundImage) || style.backgroundColor)?.[3] >= 0.9;
  };
  const covers = (element, box) => {  // with what it has before or after its content, which lies over that
    const isAll = (style) => parseFloat(style.width) >= box.width - 1 && parseFloat(style.height) >= box.height - 1;
    return ['::before', '::after'].some((name) => isOpaque(element, name) && isAll(getComputedStyle(element, name)));
  };
  const begun = [scrollX, scrollY];
  const length = page('scrollingElement')?.scrollHeight ?? 0;
  let scrolled = begun;
  const lookFor = (element, isCovered) => {
    const [first] = linesOf(element);
    if (!first) return false;
    if (first.top < 0 || first.bottom > innerHeight) {
      scrollTo({left: 0, top: first.top + scrollY - innerHeight / 2, behavior: 'instant'});
      scrolled = [scrollX, scrollY];
    }
    let asked = 0;
    for (const line of linesOf(element))
      for (const across of [0.02, 0.25, 0.5, 0.75, 0.98])
        for (const down of [0.3, 0.7]) {
          const found = foundAt(document, line.left + across * line.width, line.top + down * line.height);
          const place = found.findIndex((one) => contains(element, one));
          if (place >= 0 && !found.slice(0, place).some(isCovered)) return false;
          asked += found.length;
        }
    return asked > 0;
  };
  let left = 1000;  // milliseconds: a look goes through all layers of the page
  const isNotFound = (element, isCovered = () => false) => {
    // Whether the browser finds other things where its text stands, or some that cover it.
    if (left < 0 || rootOf(element) !== document || styleOf(element).pointerEvents === 'none') return false;
    left += performance.now();
    const isAway = lookFor(element, isCovered);
    left -= performance.now();
    return isAway;
  };
  // A box over all of what it is placed in, with nothing to read or to see in it.
  const isCover = (element) => styleOf(element).position === 'absolute' && isOpaque(element)
    && !element.innerText?.trim() && !find(element, SEEN);
  const isCovering = (one) => isCover(one) || covers(one, boxOf(one));
  const isStage = (element) => isPositioned(element) && (covers(element, boxOf(element))
    || [...kidsOf(element)].slice(0, 40).some((one) => typeOf(one) === Node.ELEMENT_NODE && isCover(one)));
  const isMaskedAway = (mask) => /^[a-z-]+-gradient\(/.test(mask)  // of nothing but transparent colours
    && !/rgb|hsl|hwb|lab|lch|color|url/.test(mask.replace(/rgba\([^()]*, 0\)/g, ''));
  const noted = globalThis[Symbol.for('webtool.seen')] ?? {shown: new WeakSet(), texts: new WeakMap()};  // by scroll_down.js
  const wasShown = (element) => noted.shown.has(element);
  const isAnimated = (element) => animationsOf(element).some((one) => one.playState === 'running'
    && one.effect.getKeyframes().some((frame) => !(Number(frame.opacity) < 0.05)));
  // Whether a rotation may show the back of an element. translateZ(0) and a turn within the screen do not.
  const isTurnedAway = ({transform, rotate}) => rotate !== 'none'
    || (transform.startsWith('matrix3d(') && parseFloat(transform.slice(9).split(',')[10]) < 0);
  // Reading a computed value takes a microsecond, so the rarest conditions are read last, and inline boxes, which cannot be
  // turned, clipped or folded, are asked for less.
  const reasonOf = (element, style) => {
    const {display} = style, isInline = display === 'inline' && !FRAMES.has(nameOf(element));
    if (display === 'none')
      return wasShown(element) ? '' : has(element, 'popover') ? 'popover' : has(element, 'hidden') ? 'hidden' : 'display';
    if (!isInline && style.contentVisibility === 'hidden' && get(element, 'hidden') !== 'until-found') return 'display';
    if (Number(style.opacity) < 0.05 && display !== 'contents' && !isAnimated(element) && !wasShown(element))
      return 'opacity';
    if (display.startsWith('table-column')) return 'display';
    if (nameOf(element) === 'foreignObject' && boxOf(element).width * boxOf(element).height === 0) return 'size';
    if (display === 'contents' || spaceOf(element) !== 'http://www.w3.org/1999/xhtml') return '';
    const clips = !isInline && /hidden|clip|scroll|auto/.test(style.overflow), position = positionOf(element);
    const isPlaced = position === 'absolute' || position === 'fixed';
    if ((style.clipPath !== 'none' || (isPlaced && style.clip !== 'auto')) && isNotFound(element)) return 'clip';
    if (!isInline && style.backfaceVisibility === 'hidden' && isTurnedAway(style)
        && styleOf(parentOf(element)).transformStyle !== 'preserve-3d' && isNotFound(element)) return 'transform';
    const mask = style.maskImage || 'none', {filter} = style;
    if (mask !== 'none' && (isMaskedAway(mask) || /^0(px|%)/.test(style.maskSize))) return 'mask';
    if (filter !== 'none' && (/opacity\(0(\.0\d*)?%?\)/.test(filter) || (/contrast\(0\)/.test(filter)
      && style.backgroundColor !== NONE) || (/blur\(\d\d/.test(filter) && !find(element, SEEN)))) return 'filter';
    if (clips && /^(block|inline-block|flow-root|list-item)$/.test(display)) {
      // Letters stand in the middle of their line, and the first line behind the padding.
      const above = (parseFloat(style.lineHeight) - parseFloat(style.fontSize)) / 2 || 0;
      const isLow = innerHeightOf(element) - parseFloat(style.paddingTop) - Math.max(above, 0) < FEW;
      const isNarrow = innerWidthOf(element) - parseFloat(style.paddingLeft) < FEW;
      if ((isLow || isNarrow) && isNotFound(element)) return isLow && !isPlaced ? 'height' : 'size';
    }
    if (isInline && position === 'static' && !(parseFloat(style.marginLeft) <= OUT)) return '';
    const box = boxOf(element), area = box.width * box.height;
    if (clips && (box.width <= 1 || box.height <= 1) && display !== 'inline')
      return box.width > 1 && !isPlaced ? 'height' : 'size';
    const isTurned = () => style.transform !== 'none' || style.scale !== 'none' || style.rotate !== 'none';
    const isShrunk = !isInline && (area < 1 || area < widthOf(element) * heightOf(element) / 100);
    const isVast = Math.max(-box.left, -box.top, box.right, box.bottom - length) > 1e5;
    if ((isShrunk || (isVast && !isInline)) && widthOf(element) > 1 && isTurned()
        && (isShrunk || /e\+/.test(style.transform))) return 'transform';
    if (Number(style.zIndex) < 0 && isNotFound(element, (one) => contains(one, element) && isOpaque(one)))
      return 'position';
    const frame = isPlaced && frameOf(element);
    const isFixed = position === 'fixed' && frame === null;  // to the window: no scrolling shows it
    const isInPage = isFixed || frame === page('body');
    const isOut = (at) => at.right + scrolled[0] <= 0 || at.bottom + scrolled[1] <= 0 || (isInPage && at.left >= innerWidth)
      || (isFixed && at.top >= innerHeight);
    const isMoved = () => position === 'relative' || parseFloat(style.marginLeft) <= OUT || parseFloat(style.marginTop) <= OUT
      || style.translate !== 'none' || style.offsetPath !== 'none' || isTurned();
    if (isPlaced ? isOut(box) : Math.min(box.left + scrolled[0], box.top + scrolled[1]) <= OUT && isMoved()) {
      const inside = rangeOf(element).getBoundingClientRect();  // a track of slides is out, and one of them is not
      const names = get(element, 'class');
      const isSlide = (one) => one !== element && names && get(one, 'class') === names && !isOut(boxOf(one));
      if ((inside.width * inside.height === 0 || isOut(inside)) && ![...kidsOf(aboveOf(element))].slice(0, 40)
        .some((one) => typeOf(one) === Node.ELEMENT_NODE && isSlide(one))) return 'position';
    }
    return '';
  };
  const isSame = (colour, ground) => ground !== null && [0, 1, 2].every((i) => Math.abs(colour[i] - ground[i]) <= 8);
  const clipping = (element) => {  // the element whose background is seen through the letters
    for (let at = element, steps = 0; at && steps < 5; at = aboveOf(at), steps += 1)
      if (/text/.test(styleOf(at).backgroundClip)) return at;
    return null;
  };
  const hasShadow = (shadows) => (shadows.match(/rgba?\([^()]*\)[^,]*/g) || []).some((one) => {
    const [right, below, blur] = one.slice(one.indexOf(')') + 1).trim().split(' ').map(parseFloat);
    return rgba(one.slice(0, one.indexOf(')') + 1))?.[3] >= 0.05 && blur < 20 && Math.abs(right) < -OUT && Math.abs(below) < -OUT;
  });
  const isEdged = (style) => (parseFloat(style.webkitTextStrokeWidth) > 0 && rgba(style.webkitTextStrokeColor)?.[3] >= 0.05)
    || (style.textShadow !== 'none' && hasShadow(style.textShadow));
  const isUnpainted = (element, style) => {  // of letters in graphics
    const colour = rgba(style.fill), root = closest(element, 'svg');
    if (style.stroke === 'none' && style.fill === 'none') return true;
    if (style.stroke !== 'none' || !colour) return false;
    return colour[3] < 0.05
      || (!find(root, SHAPES) && isSame(colour, parentOf(root) ? groundOf(parentOf(root)) : behind));
  };
  const isUnseen = (element, style) => {  // of the text right inside an element
    if (style.visibility !== 'visible' && nameOf(element) !== 'option' && !wasShown(element)) return true;
    if (parseFloat(style.fontSize) * (Number(element.currentCSSZoom) || 1) < 3.5) return true;
    if (style.fontSizeAdjust === '0' || style.content.startsWith('url(')) return true;
    const {textIndent} = style, indent = parseFloat(textIndent), spacing = parseFloat(style.letterSpacing);
    if (spacing <= OUT || spacing <= -0.9 * parseFloat(style.fontSize)) return true;
    const isPast = textIndent.endsWith('%') && indent >= 100 && style.whiteSpace === 'nowrap'
      && /hidden|clip/.test(style.overflowX);
    if ((indent <= OUT || isPast) && style.display !== 'inline') return true;
    if ((style.webkitTextSecurity || 'none') !== 'none') return true;
    if (/^t(ext|span)/.test(nameOf(element)) && closest(element, 'svg')) return isUnpainted(element, style);
    let colour = rgba(style.webkitTextFillColor) || rgba(style.color), on = element;
    if (!colour || spaceOf(element) !== 'http://www.w3.org/1999/xhtml') return false;
    if (colour[3] < 0.05) {
      const clipped = clipping(element), its = clipped && styleOf(clipped);
      if (!clipped) return !isEdged(style);
      if (its.backgroundImage !== 'none' && !isOneColour(its.backgroundImage)) return false;
      colour = rgba(isOneColour(its.backgroundImage) || its.backgroundColor);
      on = parentOf(clipped);
    }
    return (!colour || colour[3] < 0.05 || isSame(colour, groundOf(on))) && !isEdged(style);
  };
  const hidesText = (element) => isUnseen(element, styleOf(element))
    || (isPositioned(element) && covers(element, boxOf(element)));
  const silent = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'textarea', 'option']);
  const encoder = new TextEncoder();
  const weigh = (text) => (/[^\x00-\x7f]/.test(text) ? encoder.encode(text).length : text.length)
    + (/[&<>"\xa0]/.test(text) ? 5 * text.match(/[&<>"\xa0]/g).length : 0);
  const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
  const named = globalThis[Symbol.for('webtool')] ?? new WeakMap();
  const frames = [];
  const placeOf = (child, twin, below, inert) => {  // of a frame; null where it cannot be seen
    if (below) {
      const isSmall = innerWidthOf(child) < 10 || innerHeightOf(child) < 10;  // no line of text fits in
      if (has(twin, mark) || styleOf(child).visibility !== 'visible' || isSmall) return null;
    }
    const place = inert.createElement('div');
    place.appendChild(inert.createComment(`${mark}:${named.get(child)}`));
    frames.push([named.get(child), below, below ? groundOf(child) : null, twin.outerHTML]);
    return place;
  };
  // The text of a node as it was at rest in view: a counter's largest number, a typed text's whole.
  const restedText = (node, now) => {
    const owner = aboveOf(node), rested = owner && noted.texts.get(owner);
    if (!rested || kidsOf(owner).length !== 1 || rested.length > 500) return now;
    const number = (text) => /^[^\d]{0,8}\d[\d.,' \u00a0\u202f]*[^\d]{0,8}$/.test(text) ? Number(text.replace(/\D/g, '')) : NaN;
    return number(rested) > number(now) || (rested.length > now.length && rested.startsWith(now.trim())) ? rested : now;
  };
  // Code editors (CodeMirror, Monaco, Ace) show code as boxes, one a line. They are copied as <pre><code>, with their lines
  // in the order on the screen.
  const isMonospaced = (style) => {
    if (/mono|courier|consolas|menlo/i.test(style.fontFamily)) return true;
    pixel.font = style.font;
    return pixel.measureText('iiii').width === pixel.measureText('MMMM').width;
  };
  const elementsIn = (element) => [...kidsOf(element)].filter((one) => typeOf(one) === Node.ELEMENT_NODE);
  const isLine = (element) => /^(block|flex|grid|list-item)$/.test(styleOf(element).display);
  const isEditor = (element, style) => {
    if (nameOf(element) === 'pre') return false;
    const lines = elementsIn(element), isEditable = style.webkitUserModify !== 'read-only';
    return lines.length >= (isEditable ? 1 : 2) && lines.every(isLine) && isMonospaced(styleOf(lines[0]))
      && (isEditable || lines.every((one) => styleOf(one).position === 'absolute') || style.whiteSpace !== 'nowrap')
      && ![...kidsOf(element)].some((one) => typeOf(one) === Node.TEXT_NODE && one.data.trim())
      && !closest(element, 'pre, code, table');
  };
  // Text in a fixed-width font whose line ends count is code, too. Example: CodeJar's <div contenteditable>, a log.
  const isCode = (element, style) => {
    if (!/^(pre|break-spaces)/.test(style.whiteSpace) || /^(pre|code|textarea|td|th)$/.test(nameOf(element)) || !isLine(element)
        || !isMonospaced(style) || closest(element, 'pre, code, table')) return false;
    return /\S\s*\n/.test(element.textContent.trim()) && elementsIn(element).every((one) => /^inline|^none/.test(styleOf(one).display));
  };
  const languageOf = (element) => {
    const owner = closest(element, '[data-language], [data-mode-id], [data-uri], [class*="language-"]');
    const name = owner && (get(owner, 'data-language') || get(owner, 'data-mode-id')
      || /\.(\w{1,12})$/.exec(get(owner, 'data-uri') || '')?.[1] || /\blanguage-([\w+#]{1,20})/.exec(get(owner, 'class') || '')?.[1]);
    return /^[\w+#-]{1,20}$/.test(name || '') ? name : '';
  };
  const textsIn = (element) => {
    const walker = method(Document, 'createTreeWalker')(document, element, NodeFilter.SHOW_TEXT), texts = [];
    while (texts.length < 2000 && walker.nextNode()) {
      const text = walker.currentNode.data.trim();
      if (text) texts.push(text);
    }
    return texts;
  };
  const EDITABLE = '[contenteditable], textarea, [role=textbox], [role=code]';
  const isLineNumbers = (element, style) => {  // the numbers 1, 2, 3 ... beside an editor
    if (get(element, 'aria-hidden') !== 'true' && style.userSelect !== 'none') return false;
    let owner = aboveOf(element);
    for (let steps = 0; owner && steps < 3 && !find(owner, EDITABLE); steps += 1) owner = aboveOf(owner);
    if (!owner || !find(owner, EDITABLE)) return false;
    const texts = textsIn(element), numbers = texts.filter((text) => /^\d{1,6}$/.test(text)).map(Number);
    const steps = numbers.filter((number, at) => at && number === numbers[at - 1] + 1).length;
    const isMark = (text) => /^\d{1,6}$|^[^\p{L}\p{N}]{1,2}$/u.test(text);  // of a line: to fold it, or that it has changed
    return texts.every(isMark) && steps > 0 && steps >= (numbers.length - 1) / 2;
  };

  // A diff view is a table of line numbers and lines. It is copied as code in the language "diff", without the numbers; old lines
  // come before new ones where they stand side by side.
  // Example: <tr><td>3</td><td></td><td>-</td><td>return 0</td></tr> -> "-return 0"
  const SIGNS = new Map([['+', '+'], ['-', '-'], ['\u2212', '-']]);
  const piecesOf = (cell) => {  // its texts; spaces between elements count where the style keeps them
    const walker = method(Document, 'createTreeWalker')(document, cell, NodeFilter.SHOW_TEXT), pieces = [];
    while (pieces.length < 500 && walker.nextNode()) {
      const text = walker.currentNode.data, above = aboveOf(walker.currentNode);
      if (reasonOf(above, styleOf(above))) continue;
      if (/^(pre|break-spaces)/.test(styleOf(above).whiteSpace)) pieces.push(text.replace(/\n/g, ''));
      else if (/[^\s\u00a0]/.test(text)) pieces.push(text.trim());
    }
    return pieces;
  };
  const signOf = (cell) => {  // from the style sheet, or from class names where no sign is drawn
    for (const one of [cell, cell.firstElementChild, cell.lastElementChild])
      if (one) {
        const drawn = getComputedStyle(one, '::before').content.replace(/["\s]/g, '');
        if (SIGNS.has(drawn)) return SIGNS.get(drawn);
      }
    const names = `${get(cell, 'class') || ''} ${get(aboveOf(cell), 'class') || ''}`;
    return /\b(del(eted?|etion)?|removed?|removal|minus)\b/i.test(names) ? '-' : /\b(ins(erted|ertion)?|add(ed|ition)?|plus)\b/i.test(names) ? '+' : ' ';
  };
  const linesOfRow = (row) => {  // {isNumbered, sides: [[sign, text], ...]}
    let isNumbered = false, sign = '';
    const sides = [], cells = elementsIn(row), last = cells[cells.length - 1];
    for (const cell of cells) {
      if (reasonOf(cell, styleOf(cell))) continue;
      const pieces = piecesOf(cell), text = pieces.join('');
      if (/^[\s\d]*\d[\s\d]*$/.test(text) && !sign && cell !== last) { isNumbered = true; continue; }
      if (SIGNS.has(text.trim())) { sign = SIGNS.get(text.trim()); continue; }
      if (!text) continue;
      const first = pieces.length > 1 && SIGNS.has(pieces[0].trim()) ? SIGNS.get(pieces.shift().trim()) : '';
      if (pieces[0] === '\u00a0' && pieces.length > 1) pieces.shift();  // where the others have their sign
      sides.push([sign || first || signOf(cell), pieces.join(''), cell]);
      sign = '';
    }
    if (isNumbered && !sides.length) sides.push([sign || ' ', '', null]);
    return {isNumbered, sides};
  };
  const diffOf = (table, inert) => {  // null for another table
    const rows = [...table.querySelectorAll('tr')].slice(0, 5000);
    const isNumber = (cell) => /^[\s\d]*\d[\s\d]*$/.test(cell.textContent);
    if (rows.length < 3 || find(table, 'table') || !rows.slice(0, 5).some((row) => elementsIn(row).some(isNumber))) return null;
    const lines = [], added = [];
    let numbered = 0, changed = 0, fixed = 0;
    for (const row of rows) {
      const {isNumbered, sides} = linesOfRow(row), [left, right] = sides;
      if (!left) continue;
      if (isNumbered) numbered += 1;
      changed += sides.filter(([sign]) => sign !== ' ').length;
      if (left[2] && isNumbered && isMonospaced(styleOf(left[2].firstElementChild ?? left[2]))) fixed += 1;
      if (left[0] === '+' && !right) { added.push(`+${left[1]}`); continue; }
      if (left[0] === '-' || (right && right[0] === '+')) lines.push(...(left[0] === '-' ? [`-${left[1]}`] : []));
      else lines.push(...added.splice(0), isNumbered ? ` ${left[1]}` : left[1]);
      if (right && right[0] === '+') added.push(`+${right[1]}`);
    }
    if (!changed || numbered < rows.length / 2 || fixed < numbered / 2) return null;
    const block = inert.createElement('pre'), code = inert.createElement('code');
    set(code, 'class', 'language-diff');
    code.textContent = [...lines, ...added].map((line) => line.trimEnd().replace(/\u00a0/g, ' ')).join('\n');
    append(block, code);
    return block;
  };

  // Wheels of digits turn until one digit of each is in its window, and the others are cut off or hidden.
  // Example: <div style="height: 1em; overflow: hidden"><div>0</div><div>1</div> ... <div>9</div></div> shows 7
  const wheels = new Map();  // a wheel -> the box of its window, true if all other digits are hidden, null for another element
  const isDigit = (element) => {
    const text = firstOf(element);
    return text && typeOf(text) === Node.TEXT_NODE && !nextOf(text) && /^\s*\d\s*$/.test(text.data);
  };
  const windowOf = (wheel) => {
    const digits = elementsIn(wheel);
    if (digits.length < 3 || digits.length > 40 || !digits.every(isDigit)) return null;
    if (digits.filter((digit) => styleOf(digit).display === 'none').length === digits.length - 1) return true;
    const height = Math.max(...digits.map((digit) => boxOf(digit).height));
    for (let at = wheel, steps = 0; at && steps < 4; at = parentOf(at), steps += 1) {
      const box = boxOf(at);
      if (/hidden|clip/.test(styleOf(at).overflow) && box.height > 0) return box.height < 2.5 * height ? box : null;
    }
    return null;
  };
  const windowFor = (wheel) => {
    if (!wheels.has(wheel)) wheels.set(wheel, wheel instanceof Element ? windowOf(wheel) : null);
    return wheels.get(wheel);
  };
  const isTurnedOff = (element, reason) => {  // whether it is a digit of a wheel that is not in the window
    const seen = isDigit(element) ? windowFor(aboveOf(element) ?? rootOf(element)) : null;
    if (seen === null) return false;
    const box = boxOf(element), middle = box.top + box.height / 2;
    return reason !== '' || (seen !== true && (middle < seen.top || middle > seen.bottom));
  };
  const isOfWheel = (element) => {  // these are copied without their tags, because the digits of a number are one word
    if (isDigit(element)) return windowFor(aboveOf(element) ?? rootOf(element)) !== null;
    const first = firstElementOf(element);
    return first !== null && isDigit(first) && windowFor(element) !== null;
  };

  // Charts and diagrams are copied as a list of their labels, a row of the picture an item, top to bottom. Letters that draw
  // a logo are none. Example: bars of a chart -> "- 2024 · 4.1 M EUR", "- 2025 · 5.9 M EUR"
  const isShown = (element, root) => {  // whether the text of an element in graphics can be seen
    for (let at = element; at && at !== root; at = aboveOf(at)) if (reasonOf(at, styleOf(at))) return false;
    return !isUnseen(element, styleOf(element));
  };
  const labelsOf = (svg) => {
    const labels = [];
    for (const element of [...svg.querySelectorAll('text, foreignObject')].slice(0, 500)) {
      const box = boxOf(element), text = (element.innerText ?? element.textContent).replace(/\s+/g, ' ').trim();
      if (text && box.height > 0 && isShown(element, svg)) labels.push({text, left: box.left, middle: box.top + box.height / 2});
    }
    return labels;
  };
  const isChart = (svg, labels) => {
    const box = boxOf(svg), text = labels.map((label) => label.text).join(' ');
    if (box.width < 100 || box.height < 40 || text.length < 5) return false;
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
    const list = inert.createElement('ul'), title = find(svg, 'title')?.textContent.trim() || get(svg, 'aria-label');
    for (const row of title ? [title, ...rowsOf(labels)] : rowsOf(labels))
      append(list, inert.createElement('li')).textContent = row;
    return list;
  };

  // A dialog that is read, not filled in, is the page while it is open.
  // Example: <div role=dialog><h2>The lighthouse</h2><p>Built in 1887 ...</p></div> over a grid of pictures
  const isPageDialog = (element) => {
    if (!/^(alert)?dialog$/.test(get(element, 'role') || '') && get(element, 'aria-modal') !== 'true') return false;
    const text = element.innerText || '';
    return text.length >= 100 && find(element, 'h1, h2, h3, [role=heading]') !== null && find(element, 'p') !== null
      && find(element, 'input, select, textarea') === null && !/cookie|consent|privacy|gdpr|newsletter|subscri|sign up|datenschutz|einwillig/i.test(text);
  };
  // A place's name and address in the open popup of a map are text of the page, and popups elsewhere are advertisements: they are
  // known by their class names. Example: <div class=leaflet-popup-content>12 Quay Street</div> -> <div>12 Quay Street</div>
  const isMapPopup = (element) => /popup|infowindow|gm-style-iw/i.test(get(element, 'class') || '') && get(element, 'role') !== 'button'
    && nameOf(element) !== 'button' && closest(element, '[class*="map" i], [id*="map" i], .leaflet-container, .gm-style');

  // Scripts build trees that no HTML parser would: a block in a paragraph, a link in a link, a row outside of a table. They
  // get names with which the tree survives being read again (HTML Standard 13.2.6.4.7, "in body").
  // Example: <p>from <x-tip><div>20 euros</div></x-tip> a month -> <p>from <x-tip><span> 20 euros </span></x-tip> a month
  const names = (text) => new Set(text.split(' '));
  const BOXES = names('address article aside center details dialog div fieldset figcaption figure footer form header hgroup '
    + 'main nav search section summary');
  const STRUCTURES = names('blockquote dd dl dt h1 h2 h3 h4 h5 h6 hr li listing menu ol p pre table ul');  // these end a <p>, too
  const INLINE_ONCE = names('a button nobr');  // an element of this name ends another one around it
  const CELL_PARENTS = new Map([['tr', names('tbody thead tfoot table')], ['td', names('tr')], ['th', names('tr')],
    ['tbody', names('table')], ['thead', names('table')], ['tfoot', names('table')], ['caption', names('table')]]);
  const IN_TABLES = names('table tbody thead tfoot tr');
  const NOT_PLACED = names('script style template form input');  // a parser lets these stay between rows
  const broken = new Set();  // copies of paragraphs that hold what no paragraph can
  const nameIn = (name, top) => {  // the name for a copy in top.to; '' for its children alone
    const parent = nameOf(top.to);
    if (IN_TABLES.has(parent) && !CELL_PARENTS.has(name) && !NOT_PLACED.has(name) && !/^col/.test(name)) return '';
    if (CELL_PARENTS.has(name) && !CELL_PARENTS.get(name).has(parent)) return 'div';
    if (INLINE_ONCE.has(name) && top.open.has(name)) return 'span';
    if (name === 'form' && top.open.has(name)) return 'div';
    if (/^h[1-6]$/.test(name) && /^h[1-6]$/.test(parent)) return 'span';
    if (!top.paragraph || !(BOXES.has(name) || STRUCTURES.has(name))) return name;
    if (BOXES.has(name) && parent !== 'p') return 'span';
    broken.add(top.paragraph);
    return name;
  };
  const renamed = (element, name, inert) => {
    const copy = inert.createElement(name);
    for (const one of attributesOf(element)) copy.setAttributeNode(one.cloneNode());
    return copy;
  };
  const mended = (inert) => {
    for (const paragraph of broken) {
      const box = renamed(paragraph, 'div', inert);
      while (paragraph.firstChild) append(box, paragraph.firstChild);
      paragraph.replaceWith(box);
    }
  };
  let unseen = 0, words = 0, size = 0, cut = '', seen = 0;
  const flattened = (root, copy, inert) => {
    const stack = [];
    // Of the copy that is made: open has the names of INLINE_ONCE around it, paragraph the <p> around it, or null.
    const enter = (from, to, inShadow, judged, top, isInDialog = top?.isInDialog) => {
      const shadow = shadowOf(from);
      const slotted = inShadow && nameOf(from) === 'slot' ? from.assignedNodes() : [];
      const first = slotted[0] ?? firstOf(shadow ?? from);
      const isCovered = judged && isStage(from), name = nameOf(to);
      if (!first) return null;
      const isApart = CELL_PARENTS.has(name) || name === 'button';  // ends the scope of a paragraph
      stack.push({next: first, list: slotted, at: 0, to, inShadow: shadow !== null || inShadow, judged, from, isCovered, isCode: top?.isCode, isInDialog,
        open: INLINE_ONCE.has(name) || name === 'form' ? new Set([...top.open, name]) : top?.open ?? new Set(),
        paragraph: name === 'p' ? to : isApart ? null : top?.paragraph ?? null});
      return stack[stack.length - 1];
    };
    const enterEditor = (from, twin, top, isByLine) => {
      const box = renamed(twin, 'pre', inert), code = inert.createElement('code'), language = languageOf(from);
      if (language) set(code, 'class', `language-${language}`);
      append(top.to, box);
      append(box, code);
      // Monaco's frame has role=code, as a code span has.
      for (let at = box, steps = 0; at && steps < 5; at = aboveOf(at), steps += 1) if (get(at, 'role') === 'code') remove(at, 'role');
      const places = new Map(elementsIn(from).map((line) => [line, Math.round(boxOf(line).top)]));
      const inside = enter(from, code, top.inShadow, true, {...top, isCode: true});
      if (!isByLine) return;
      inside.list = [...places.keys()].sort((a, b) => places.get(a) - places.get(b));
      inside.next = inside.list[0];
      inside.isEditor = true;
    };
    enter(root, copy, false, judged, null);
    while (stack.length) {
      const top = stack[stack.length - 1];
      const child = top.next;
      if (!child) { stack.pop(); continue; }
      top.next = top.list.length ? top.list[top.at += 1] : nextOf(child);
      const type = typeOf(child), name = type === Node.ELEMENT_NODE ? nameOf(child) : '';
      // A component's style rules are meant for nothing outside of it.
      if (top.inShadow && (name === 'style' || name === 'link')) continue;
      if ((seen += 1) % 500 === 0 && performance.now() > end) { cut = 'time'; break; }
      if (type === Node.TEXT_NODE) {
        if (top.judged && child.data.trim() && (top.hides ??= hidesText(top.from))) { unseen += child.data.trim().length; continue; }
        const data = top.isCode ? child.data.replace(/\u00a0/g, ' ').replace(/\u200b/g, '') : restedText(child, child.data);
        if (top.judged) words += data.trim().length;
        const weight = weigh(data), room = limit - size;
        size += weight;
        const isWhole = size <= limit;
        append(top.to, inert.createTextNode(
          isWhole ? data : data.slice(0, Math.floor(data.length * room / weight))));
        if (isWhole) continue;
        cut = 'size';
        break;
      }
      if (type !== Node.ELEMENT_NODE) {
        if ((size += 7 + (child.data || '').length * 3) > limit) { cut = 'size'; break; }
        append(top.to, inert.importNode(child, false));
        continue;
      }
      if (top.isCode && name === 'br') continue;  // an empty line
      if (top.isEditor && top.at > 1) append(top.to, inert.createTextNode('\n'));
      const newName = top.isCode && name === 'div' ? 'span' : nameIn(name, top);
      const twin = newName === name ? inert.importNode(child, false) : renamed(child, newName || 'span', inert);
      remove(twin, mark);
      if (top.isEditor) for (const place of ['class', 'style']) remove(twin, place);  // the line's place on the screen
      let below = top.judged && !silent.has(name), isEdited = false, isText = false, isBox = false, isLoose = false;
      if (below) {
        const style = styleOf(child);
        const reason = reasonOf(child, style) || (top.isCovered && isNotFound(child, isCovering) ? 'position' : '');
        if (isTurnedOff(child, reason)) continue;
        if (reason) { set(twin, mark, reason); below = false; }
        else {
          isLoose = isOfWheel(child);
          if (style.display !== 'inline') {
            if (isLineNumbers(child, style)) continue;
            if (/^(pre|break-spaces|nowrap)/.test(style.whiteSpace)) {
              isEdited = isEditor(child, style);
              isText = !isEdited && isCode(child, style);
            }
            isBox = newName === 'span' && !top.isCode && name !== newName && !/^(inline|contents|none)/.test(style.display);
          }
        }
      }
      const isArticle = below && !top.isInDialog && !has(twin, mark) && isPageDialog(child), isInDialog = top.isInDialog || isArticle;
      if (isArticle) {
        set(twin, 'role', 'article');
        for (const its of ['aria-modal', 'aria-labelledby', 'aria-describedby', 'id']) remove(twin, its);
      }
      if (isInDialog ? /modal|dialog|overlay|popup|drawer|lightbox/i.test(get(twin, 'class') || '') : below && isMapPopup(child)) remove(twin, 'class');
      if (inFrame)  // the frame's addresses are not the page's
        for (const link of ['href', 'src'])
          if (typeof child[link] === 'string' && has(child, link)) set(twin, link, child[link]);
      size += 2 * name.length + 5;
      for (const one of attributeNamesOf(twin)) size += one.length + 4 + weigh(get(twin, one));
      if (size > limit) { cut = 'size'; break; }
      if (FRAMES.has(name)) {
        remove(twin, 'srcdoc');  // what it holds is read where it is shown
        if (named.has(child)) {
          const place = placeOf(child, twin, top.judged, inert);
          if (place) append(top.to, place);
          continue;
        }
      }
      const list = !below ? null : name === 'svg' ? listOf(child, inert) : name === 'table' && !has(twin, mark) ? diffOf(child, inert) : null;
      if (list) {
        size += list.outerHTML.length;
        words += list.textContent.length;
        if (top.paragraph) broken.add(top.paragraph);
        append(top.to, list);
        continue;
      }
      if (isEdited || isText) { enterEditor(child, twin, top, isEdited); continue; }
      if ((newName === '' || isLoose) && !has(twin, mark)) { enter(child, top.to, top.inShadow, below, top); continue; }
      if (isBox) append(top.to, inert.createTextNode(' '));
      append(top.to, twin);
      if (isBox) append(top.to, inert.createTextNode(' '));
      enter(child, twin, top.inShadow, below, top, isInDialog);
    }
    mended(inert);
    return copy;
  };
  const count = all('*').length;
  if (count > most) judged = false;
  const inert = page('implementation').createHTMLDocument('');
  const read = () => {
    const root = inFrame ? page('body') : page('documentElement');
    if (!root || location.protocol === 'chrome-error:') return '';
    if (!inFrame) {
      const copy = inert.importNode(root, false);
      if (count > most) remove(copy, 'style');  // BEFORE_LAYOUT's
      return flattened(root, copy, inert).outerHTML;
    }
    if (judged && reasonOf(root, styleOf(root))) return '';
    return find(root, 'video, audio') ? '' : flattened(root, inert.createElement('div'), inert).innerHTML;
  };
  const html = read();
  scrollTo({left: begun[0], top: begun[1], behavior: 'instant'});
  const canvases = [...all('canvas')].filter((one) => one.width * one.height > 40000).length;
  return {html, frames, unseen, canvases, cut, count, isJudged: count <= most,
          title: page('title'), url: location.href, type: page('contentType'), words: count > most ? size : words,
          quirks: page('compatMode') === 'BackCompat'};
})
