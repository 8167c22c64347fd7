// A function of dom.js's members and of `behind`, the colour behind the document (null if a picture may be there). Returns
// functions that say how elements are painted. A colour is [red, green, blue, alpha]: 0 to 255, alpha 0 to 1.
(({aboveOf, all, animationsIn, closest, elementsIn, find, get, page, parentOf, previousOf, query, shadowOf, wordsIn}, behind) => {
  const PICTURES = 'img, picture, video, canvas, svg';
  const remembered = (compute) => {  // each element is asked once
    const values = new Map();
    return (element) => {
      let value = values.get(element);
      if (value === undefined) values.set(element, value = compute(element));
      return value;
    };
  };
  const styleOf = remembered((element) => getComputedStyle(element));
  const positionOf = remembered((element) => styleOf(element).position);
  const isPositioned = (element) => positionOf(element) !== 'static';

  // Reading a computed value takes a microsecond. Of a long page, properties that nothing sets are not read.
  // Example: neither a rule nor a style attribute has the word "filter" -> uses.filter is false
  const LONG = 2000, MAX_TEXT = 1 << 20;  // elements of a long page; characters of its style sheets
  const WORDS = {opacity: /opacity/, clip: /clip/, mask: /mask/, filter: /filter/, adjust: /font-size-adjust/, content: /[^-]content:/,
                 indent: /indent/, spacing: /letter-spacing/, security: /text-security/, fill: /fill-color/, stacking: /z-index/,
                 margin: /margin/, turned: /transform|scale|rotate|translate|offset-path/, back: /backface/, zoom: /zoom/,
                 float: /float/, bidi: /bidi/};
  const textOfRules = (sheets) => {  // throws for a sheet of another site
    let text = '';
    for (const sheet of sheets)
      for (const rule of sheet.cssRules) {
        text += rule.cssText;
        if (rule.styleSheet) sheets.push(rule.styleSheet);  // of @import
        if (text.length > MAX_TEXT) throw new RangeError();
      }
    return text;
  };
  const textOfStyles = () => {  // null for a page that is not long, or has other styles than those of rules and attributes
    const elements = [...all('*')];
    if (elements.length < LONG || find(page('documentElement'), 'foreignObject') || elements.some(shadowOf)
        || animationsIn(document).some((animation) => !(animation instanceof CSSAnimation || animation instanceof CSSTransition))) return null;
    try {
      return textOfRules([...document.styleSheets, ...document.adoptedStyleSheets])
        + [...query(document, '[style]')].map((element) => get(element, 'style')).join(';');
    } catch (isUnknown) { return null; }
  };
  const setText = textOfStyles();
  const uses = Object.fromEntries(Object.entries(WORDS).map(([name, word]) => [name, setText === null || word.test(setText)]));

  // Addresses are written backwards, and turned round by a style. Example: "moc.elpmaxe@ofni" is shown as "info@example.com"
  const isMirrored = (element) => uses.bidi && /override/.test(styleOf(element).unicodeBidi) && styleOf(element).direction === 'rtl'
    && !/[\u0590-\u08ff]/.test(wordsIn(element));

  // A style sheet may take the quotation marks from a <q>. Example: q::before, q::after {content: none}
  const isUnquoted = (q) => styleOf(q).quotes === 'none' || /^(none|normal|"")$/.test(getComputedStyle(q, '::before').content);

  const pixel = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const painted = new Map();
  const rgba = (text) => {  // a CSS colour as the screen has it, because oklch() has no such numbers; null for no colour
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
  const isSame = (colour, ground) => ground !== null && [0, 1, 2].every((i) => Math.abs(colour[i] - ground[i]) <= 8);
  const onlyColourOf = (image) => {  // of a gradient that has one; '' for others
    if (image === 'none') return '';
    const colours = /^[a-z-]+-gradient\((?!.*url)/.test(image) ? new Set(image.match(/rgba?\([^()]*\)/g)) : new Set();
    return colours.size === 1 ? [...colours][0] : '';
  };
  const grounds = new Map();  // element -> the opaque colour behind its text, null where a picture may be there
  const groundOf = (element) => {
    const passed = [];
    let ground = behind;
    for (let outer = element; outer; outer = parentOf(outer)) {
      if (grounds.has(outer)) { ground = grounds.get(outer); break; }
      passed.push(outer);
      const {backgroundImage, backgroundColor} = styleOf(outer), only = onlyColourOf(backgroundImage);
      const colour = rgba(only || backgroundColor);
      const isPlaced = isPositioned(outer) && outer !== page('body');
      const isPainted = (backgroundImage !== 'none' && !only) || (isPlaced && (previousOf(outer) || find(outer, PICTURES)));
      if (isPainted || !colour || (colour[3] > 0 && colour[3] < 0.9)) { ground = null; break; }
      if (colour[3] >= 0.9) { ground = colour; break; }
    }
    for (const inner of passed) grounds.set(inner, ground);
    return ground;
  };
  const isOpaque = (element, pseudo) => {  // `pseudo` is "::before" or "::after", for the box that it makes
    const style = pseudo ? getComputedStyle(element, pseudo) : styleOf(element);
    const isThere = !pseudo || (style.content !== 'none' && style.position === 'absolute' && !(style.zIndex < 0));
    return isThere && Number(style.opacity) >= 0.9 && style.filter === 'none'
      && rgba(onlyColourOf(style.backgroundImage) || style.backgroundColor)?.[3] >= 0.9;
  };
  const isMonospaced = (style) => {
    if (/mono|courier|consolas|menlo/i.test(style.fontFamily)) return true;
    pixel.font = style.font;
    return pixel.measureText('iiii').width === pixel.measureText('MMMM').width;
  };

  const FAR = 500;  // pixels: a shadow further away is not seen beside its letters
  const hasShadow = (shadows) => (shadows.match(/rgba?\([^()]*\)[^,]*/g) || []).some((shadow) => {
    const length = shadow.indexOf(')') + 1, [right, below, blur] = shadow.slice(length).trim().split(' ').map(parseFloat);
    return rgba(shadow.slice(0, length))?.[3] >= 0.05 && blur < 20 && Math.abs(right) < FAR && Math.abs(below) < FAR;
  });
  const isEdged = (style) => (parseFloat(style.webkitTextStrokeWidth) > 0 && rgba(style.webkitTextStrokeColor)?.[3] >= 0.05)
    || (style.textShadow !== 'none' && hasShadow(style.textShadow));
  const clipping = (element) => {  // the element whose background is seen through the letters
    for (let outer = element, steps = 0; outer && steps < 5; outer = aboveOf(outer), steps += 1)
      if (/text/.test(styleOf(outer).backgroundClip)) return outer;
    return null;
  };
  const isUnpainted = (element, style) => {  // of letters in graphics
    const SHAPES = 'rect, path, circle, ellipse, polygon, image, use, foreignObject';
    const colour = rgba(style.fill), root = closest(element, 'svg');
    if (style.stroke === 'none' && style.fill === 'none') return true;
    if (style.stroke !== 'none' || !colour) return false;
    return colour[3] < 0.05
      || (!find(root, SHAPES) && isSame(colour, parentOf(root) ? groundOf(parentOf(root)) : behind));
  };
  const isBlended = (element, style) => {  // whether letters have no colour, or that of what is behind them
    let colour = (uses.fill && rgba(style.webkitTextFillColor)) || rgba(style.color), ground = element;
    if (!colour) return false;
    if (colour[3] < 0.05) {
      const clipped = clipping(element);
      if (!clipped) return !isEdged(style);
      const {backgroundImage, backgroundColor} = styleOf(clipped), only = onlyColourOf(backgroundImage);
      if (backgroundImage !== 'none' && !only) return false;
      colour = rgba(only || backgroundColor);
      ground = parentOf(clipped);
    }
    return (!colour || colour[3] < 0.05 || isSame(colour, groundOf(ground))) && !isEdged(style);
  };
  // Whether an element may be a cover: a painted box, placed over others, with nothing to read or to see in it.
  const isCover = (element) => positionOf(element) === 'absolute' && isOpaque(element)
    && !wordsIn(element).trim() && !find(element, PICTURES);
  const covers = (element, box) => {  // whether its ::before or ::after, which lie over its content, are painted over all of `box`
    const isAll = (style) => parseFloat(style.width) >= box.width - 1 && parseFloat(style.height) >= box.height - 1;
    return ['::before', '::after'].some((name) => isOpaque(element, name) && isAll(getComputedStyle(element, name)));
  };
  const kidsCover = (element) => elementsIn(element).slice(0, 40).some(isCover);
  return {PICTURES, uses, remembered, isMirrored, isUnquoted, styleOf, positionOf, isPositioned, groundOf, isOpaque, isMonospaced,
          isUnpainted, isBlended, isCover, covers, kidsCover};
})
