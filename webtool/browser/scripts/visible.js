// A function of the members of dom.js and styles.js. Returns functions that say whether a reader sees an element, and its text.
//
// An element that is not seen has a reason: "display", "opacity", "clip" and so on, which webtool.visibility reads. Reading a
// computed value takes a microsecond, so the rarest conditions are read last, and inline boxes, which cannot be turned,
// clipped or folded, are asked for less.
((dom, styles) => {
  const {aboveOf, animationsOf, boxOf, closest, contains, elementsIn, find, firstElementOf, foundAt, frameOf, get, getter, has, heightOf,
         innerHeightOf, innerWidthOf, nameOf, page, parentOf, rootOf, spaceOf, typeOf, widthOf} = dom;
  const {PICTURES, uses, styleOf, positionOf, isPositioned, isOpaque, isUnpainted, isBlended, isCover, covers, kidsCover} = styles;
  const XHTML = 'http://www.w3.org/1999/xhtml', TRANSPARENT = 'rgba(0, 0, 0, 0)';
  const MIN_LINE = 4;  // pixels: no line of text that is lower can be read
  const OUT = -500;  // pixels to the left or above, where text is put that nobody is to see
  const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
  const noted = globalThis[Symbol.for('webtool.seen')]   // by scroll_down.js
    ?? {shown: new WeakSet(), texts: new WeakMap(), moves: new WeakMap()};
  const wasShown = (element) => noted.shown.has(element);

  // Whether the browser finds an element, or the one around a text, where its lines are. The page is scrolled there for it.
  const start = [scrollX, scrollY];
  const pageHeight = page('scrollingElement')?.scrollHeight ?? 0;
  let scrolled = start;  // how far the page is scrolled now
  const scrollBack = () => scrollTo({left: start[0], top: start[1], behavior: 'instant'});
  const rangeOf = (node) => {
    const range = new Range();
    range.selectNodeContents(node);
    return range;
  };
  const linesOf = (node) => {  // its first line of text, one in the middle and the last
    const lines = [...rangeOf(node).getClientRects()].filter((line) => line.width > 0 && line.height > 0);
    return [...new Set([0, lines.length >> 1, lines.length - 1])].map((i) => lines[i]).filter(Boolean);
  };
  // Whether no point of its lines has a layer of which `isOwn` holds, or only one below a layer of which `isOver` holds.
  const isMissing = (node, isOwn, isOver) => {
    const [first] = linesOf(node);
    if (!first) return false;
    if (first.top < 0 || first.bottom > innerHeight) {
      scrollTo({left: 0, top: first.top + scrollY - innerHeight / 2, behavior: 'instant'});
      scrolled = [scrollX, scrollY];
    }
    let count = 0;  // layers that were found: none where a point is outside of the window
    for (const line of linesOf(node))
      for (const across of [0.02, 0.25, 0.5, 0.75, 0.98])
        for (const down of [0.3, 0.7]) {
          const layers = foundAt(document, line.left + across * line.width, line.top + down * line.height);
          const place = layers.findIndex(isOwn);
          if (place >= 0 && !layers.slice(0, place).some(isOver)) return false;
          count += layers.length;
        }
    return count > 0;
  };
  let timeLeft = 1000;  // milliseconds for all looks: each goes through all layers of the page
  const isNotFound = (node, isOver = () => false) => {  // the browser finds other things, or ones that are over it
    const isText = typeOf(node) === Node.TEXT_NODE, owner = isText ? aboveOf(node) : node;
    if (timeLeft < 0 || rootOf(node) !== document || styleOf(owner).pointerEvents === 'none') return false;
    const begun = performance.now();
    const isAway = isMissing(node, (layer) => isText ? layer === owner : contains(owner, layer), isOver);
    timeLeft -= performance.now() - begun;
    return isAway;
  };
  const isCovering = (layer) => isCover(layer) || covers(layer, boxOf(layer));
  const isStage = (element) => isPositioned(element) && (covers(element, boxOf(element)) || kidsCover(element));

  const isAnimated = (element) => animationsOf(element).some((animation) => animation.playState === 'running'
    && animation.effect.getKeyframes().some((frame) => !(Number(frame.opacity) < 0.05)));
  // A step of a slide is shown by a key or a click. Example: reveal.js's <section><p class="fragment">The next point</p>
  const STEPS = '.fragment, .substep, .slidev-vclick-target, .bespoke-bullet', SLIDES = '[class*="slide"], section, .step';
  const isStep = (element) => {
    const step = closest(element, STEPS), slide = step && aboveOf(step) && closest(aboveOf(step), SLIDES);
    return slide !== null && slide !== undefined && elementsIn(aboveOf(slide)).some((other) => other !== slide
      && nameOf(other) === nameOf(slide) && /(^|[\s-])(future|past|next|prev\w*|before|after|inactive)(\s|$)/.test(get(other, 'class')));
  };
  // The next functions return the reason why an element is not seen, '' if it is.
  const displayReason = (element, style, display, isInline) => {
    if (display === 'none')
      return wasShown(element) ? '' : has(element, 'popover') ? 'popover' : has(element, 'hidden') ? 'hidden' : 'display';
    if (!isInline && style.contentVisibility === 'hidden' && get(element, 'hidden') !== 'until-found') return 'display';
    if (uses.opacity && Number(style.opacity) < 0.05 && display !== 'contents' && !isAnimated(element) && !wasShown(element) && !isStep(element))
      return 'opacity';
    if (display.startsWith('table-column')) return 'display';
    return nameOf(element) === 'foreignObject' && boxOf(element).width * boxOf(element).height === 0 ? 'size' : '';
  };
  // Whether a rotation may show the back of an element. translateZ(0) and a turn within the screen do not.
  const isTurnedAway = ({transform, rotate}) => rotate !== 'none'
    || (transform.startsWith('matrix3d(') && parseFloat(transform.slice(9).split(',')[10]) < 0);
  const isMaskedAway = (mask) => /^[a-z-]+-gradient\(/.test(mask)  // of nothing but transparent colours
    && !/rgb|hsl|hwb|lab|lch|color|url/.test(mask.replace(/rgba\([^()]*, 0\)/g, ''));
  const effectReason = (element, style, isInline, isPlaced) => {
    if (uses.clip && (style.clipPath !== 'none' || (isPlaced && style.clip !== 'auto')) && isNotFound(element)) return 'clip';
    if (uses.back && !isInline && style.backfaceVisibility === 'hidden' && isTurnedAway(style)
        && styleOf(parentOf(element)).transformStyle !== 'preserve-3d' && isNotFound(element)) return 'transform';
    const mask = (uses.mask && style.maskImage) || 'none', filter = uses.filter ? style.filter : 'none';
    if (mask !== 'none' && (isMaskedAway(mask) || /^0(px|%)/.test(style.maskSize))) return 'mask';
    return filter !== 'none' && (/opacity\(0(\.0\d*)?%?\)/.test(filter) || (/contrast\(0\)/.test(filter)
      && style.backgroundColor !== TRANSPARENT) || (/blur\(\d\d/.test(filter) && !find(element, PICTURES))) ? 'filter' : '';
  };
  const foldReason = (element, style, isPlaced) => {  // a box that clips, and is too low or narrow for a line
    // Letters are in the middle of their line, and the first line is below the padding.
    const above = (parseFloat(style.lineHeight) - parseFloat(style.fontSize)) / 2 || 0;
    const isLow = innerHeightOf(element) - parseFloat(style.paddingTop) - Math.max(above, 0) < MIN_LINE;
    const isNarrow = innerWidthOf(element) - parseFloat(style.paddingLeft) < MIN_LINE;
    return (isLow || isNarrow) && isNotFound(element) ? isLow && !isPlaced ? 'height' : 'size' : '';
  };
  const IDLE = /^(none|matrix\(1, 0, 0, 1, 0, 0\)|matrix3d\(1(, 0){4}, 1(, 0){4}, 1(, 0){4}, 1\))$/;  // translateZ(0), too
  const isTurned = (style) => !IDLE.test(style.transform) || style.scale !== 'none' || style.rotate !== 'none';
  const isShrunk = (element, style, box) => {
    const area = box.width * box.height;
    const isTiny = area < 1 || area < widthOf(element) * heightOf(element) / 100;
    const isVast = Math.max(-box.left, -box.top, box.right, box.bottom - pageHeight) > 1e5;
    return (isTiny || isVast) && widthOf(element) > 1 && isTurned(style) && (isTiny || /e\+/.test(style.transform));
  };
  const isOutside = (element, style, box, position) => {  // where no scrolling comes
    const isPlaced = position === 'absolute' || position === 'fixed', frame = isPlaced && frameOf(element);
    const isFixed = position === 'fixed' && frame === null;  // to the window
    const isInPage = isFixed || frame === page('body');
    const isOut = ({left: start, right, top, bottom}) => right + scrolled[0] <= 0 || bottom + scrolled[1] <= 0
      || (isInPage && start >= innerWidth) || (isFixed && top >= innerHeight);
    const isShifted = () => ['left', 'right', 'top', 'bottom'].some((side) => parseFloat(style[side]));
    const isMoved = () => (position === 'relative' && isShifted()) || parseFloat(style.marginLeft) <= OUT || parseFloat(style.marginTop) <= OUT
      || style.translate !== 'none' || style.offsetPath !== 'none' || isTurned(style);
    if (!(isPlaced ? isOut(box) : Math.min(box.left + scrolled[0], box.top + scrolled[1]) <= OUT && isMoved())) return false;
    const inside = rangeOf(element).getBoundingClientRect();
    if (inside.width * inside.height !== 0 && !isOut(inside)) return false;
    const names = get(element, 'class');  // a track of slides is outside, and one of them is not
    const isSlide = (sibling) => sibling !== element && names && get(sibling, 'class') === names && !isOut(boxOf(sibling));
    return !elementsIn(aboveOf(element) ?? rootOf(element)).slice(0, 40).some(isSlide);
  };
  const reasonOf = (element, style) => {
    const {display} = style, isInline = display === 'inline' && !FRAMES.has(nameOf(element));
    const reason = displayReason(element, style, display, isInline);
    if (reason || display === 'none' || display === 'contents' || spaceOf(element) !== XHTML) return reason;
    const clips = !isInline && /hidden|clip|scroll|auto/.test(style.overflow), position = positionOf(element);
    const isPlaced = position === 'absolute' || position === 'fixed';
    const effect = effectReason(element, style, isInline, isPlaced);
    if (effect) return effect;
    const fold = clips && /^(block|inline-block|flow-root|list-item)$/.test(display) ? foldReason(element, style, isPlaced) : '';
    if (fold) return fold;
    if (isInline && position === 'static' && !(uses.margin && parseFloat(style.marginLeft) <= OUT)) return '';
    const mayMove = position !== 'static' || uses.margin || uses.turned || uses.stacking;
    if (!mayMove && !clips && display !== 'grid') return '';
    const box = boxOf(element);
    // A folded row of a grid. Example: <div style="display: grid; grid-template-rows: 0fr"><div style="overflow: hidden">
    if (display === 'grid' && box.height < MIN_LINE && style.gridTemplateRows === '0px') {
      const inner = firstElementOf(element);
      if (inner && /hidden|clip/.test(styleOf(inner).overflow)) return 'height';
    }
    if (clips && display !== 'inline' && (box.width <= 1 || box.height <= 1))
      return box.width > 1 && !isPlaced ? 'height' : 'size';
    if (uses.turned && !isInline && isShrunk(element, style, box)) return 'transform';
    if (uses.stacking && Number(style.zIndex) < 0 && isNotFound(element, (layer) => contains(layer, element) && isOpaque(layer)))
      return 'position';
    return isOutside(element, style, box, position) ? 'position' : '';
  };

  const isUnseen = (element, style) => {  // of the text right inside an element
    if (style.visibility !== 'visible' && nameOf(element) !== 'option' && !wasShown(element) && !isStep(element)) return true;
    const size = parseFloat(style.fontSize);
    if (size * (uses.zoom ? Number(element.currentCSSZoom) || 1 : 1) < 3.5) return true;
    if ((uses.adjust && style.fontSizeAdjust === '0') || (uses.content && style.content.startsWith('url('))) return true;
    const spacing = uses.spacing ? parseFloat(style.letterSpacing) : 0;
    if (spacing <= OUT || spacing <= -0.9 * size) return true;
    const textIndent = uses.indent ? style.textIndent : '0px', indent = parseFloat(textIndent);
    const isPast = textIndent.endsWith('%') && indent >= 100 && style.whiteSpace === 'nowrap'
      && /hidden|clip/.test(style.overflowX);
    if ((indent <= OUT || isPast) && style.display !== 'inline') return true;
    if (uses.security && (style.webkitTextSecurity || 'none') !== 'none') return true;
    if (/^t(ext|span)/.test(nameOf(element)) && closest(element, 'svg')) return isUnpainted(element, style);
    return spaceOf(element) === XHTML && isBlended(element, style);
  };
  const hidesText = (element) => isUnseen(element, styleOf(element))
    || (isPositioned(element) && covers(element, boxOf(element)));
  // Shows an element that is hidden for a reason, as a click on its tab would. Returns functions that undo this, [] if the
  // reason is not one that a click removes.
  const OPEN = {display: {display: 'block'}, hidden: {display: 'block'},
                height: {height: 'auto', 'max-height': 'none', overflow: 'visible', 'grid-template-rows': 'none'}};
  const inline = getter(HTMLElement, 'style');
  const open = (element, reason) => element instanceof HTMLElement ? Object.entries(OPEN[reason] ?? {}).map(([name, value]) => {
    const style = inline(element), before = [name, style.getPropertyValue(name), style.getPropertyPriority(name)];
    style.setProperty(name, value, 'important');
    return () => style.setProperty(...before);
  }) : [];
  return {FRAMES, noted, open, scrollBack, isNotFound, isCovering, isStage, reasonOf, isUnseen, hidesText};
})
