// A function of dom.js. It returns a function of {screens, time, isRestless, start} that passes the page as a reader does: one screen
// at a time, down and back up, because lazy parts load and sections show themselves when they come into view. Boxes that scroll
// by themselves are passed as well, a chat upwards and a strip sideways.
//   screens     most screens to see, in the page and in each box
//   time        milliseconds to spend
//   isRestless  whether the document changed a moment ago: then the first screen is looked at for longer
//   start       0, or the height in pixels to which an earlier call passed the page: then only what was added below is passed
// Returns {screens, sideways, moving, gone, end}:
//   screens     how many screens it saw, in the page and in boxes
//   sideways    how many steps it took in strips
//   moving      in how many places text never came to rest
//   gone        how many texts were taken out of the document after they were shown
//   end         the page's height in pixels if it was passed to its end, else 0
//
// At each screen it waits for what moves there: text that changes again and again (a number that counts up) until it
// rests, charts until they are drawn, and changes of opacity until they end. What it sees is noted for snapshot.js, under
// Symbol.for('webtool.seen'):
//   shown  the elements that were visible in their screen, although their attributes or animations change (reveal
//          effects that hide a section again out of view)
//   texts  element -> its text at rest (a counter that returns to 0 out of view)
//   moves  element -> {count, last, texts}: how often its text changed, when last, and texts that it had (words that are typed
//          one after the other)
((makeDom) => async ({screens, time, isRestless, start}) => {
  const MOVING = 3000;  // milliseconds to wait at one screen for text that moves, and
  const FADING = 1000;  // for changes of opacity
  const DRAWING = 2500;  // for a chart that draws itself, and shows its labels at the end
  const STILL = 400;  // milliseconds without a change, after which text rests
  const PAUSE = 50, RESTLESS_PAUSE = 150;  // milliseconds at a screen where nothing moves, and at the first of a restless page
  const FRAMES = 3, FRAMES_WAIT = 600;  // frames of the browser at each screen, and milliseconds to wait for them
  const SHADOWS = 200;  // shadow trees whose animations are watched
  const STRIPS = 6, STRIP_STEPS = 8;  // boxes that scroll sideways, and steps in each
  const PICTURES = 'img, picture, video, canvas, svg';
  const MOST = 3000;  // elements and removed texts that are remembered
  const {aboveOf, acrossOf, boxOf, downOf, find, findAll: all, firstElementOf, foundAt, fullHeightOf, fullWidthOf, innerHeightOf,
         innerWidthOf, isOf, isSeen, method, moveBy, moveTo, query, shadowOf, textOf} = makeDom();
  const animationsOf = (tree) => (tree === document ? method(Document, 'getAnimations') : method(ShadowRoot, 'getAnimations'))(tree);
  let trees = [], hasGrown = true;  // hasGrown: elements were added since the last look
  const findTrees = () => {  // the outermost shadow trees, whose animations the document does not list
    [trees, hasGrown] = [[], false];
    for (const element of query(document, '*')) {
      const tree = shadowOf(element);
      if (tree && trees.push(tree) >= SHADOWS) break;
    }
  };
  const allAnimations = () => [document, ...trees].flatMap((tree) => animationsOf(tree)).slice(0, MOST);
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  // The browser tells a page what is in view once in a frame, and what the page then shows begins to move in the next one.
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const frames = async () => { for (let count = 0; count < FRAMES; count += 1) await frame(); };
  const end = performance.now() + time;
  const seen = globalThis[Symbol.for('webtool.seen')] ??= {shown: new WeakSet(), texts: new WeakMap(), moves: new WeakMap()};
  const root = document.scrollingElement;
  if (!root || (start && root.scrollHeight < start + innerHeight / 2)) return {screens: 0, sideways: 0, moving: 0, gone: 0, end: 0};

  const texts = new Map();  // element -> {count, last}: how often its text changed at this screen, and when last
  const finished = new Set();  // charts that were waited for as long as is allowed
  const restless = new Set();  // elements whose text did not come to rest while it was waited for
  const touched = new Set();  // elements whose attributes changed
  const gone = [];  // texts that were removed
  const noteText = (element) => {
    if (!(element instanceof HTMLElement) || (texts.size >= MOST && !texts.has(element))) return;
    texts.set(element, {count: (texts.get(element)?.count || 0) + 1, last: performance.now()});
    const move = seen.moves.get(element) ?? {count: 0, texts: new Set()}, text = textOf(element);
    if (text.length < 200 && move.texts.size < 100) move.texts.add(text);
    seen.moves.set(element, {count: move.count + 1, last: performance.now(), texts: move.texts});
  };
  const SHAPE = ['d', 'x', 'y', 'width', 'height', 'points', 'transform'];
  const drawn = new Map();  // a chart -> {count, last}, as for texts
  const noteDrawn = (shape) => {
    const chart = shape.ownerSVGElement ?? shape;
    if (drawn.size < MOST) drawn.set(chart, {count: (drawn.get(chart)?.count || 0) + 1, last: performance.now()});
  };
  const isDrawn = ([chart, {count, last}]) => performance.now() - last < STILL && count > 2 && !finished.has(chart)
    && isInView(chart) && boxOf(chart).width >= 150 && boxOf(chart).height >= 100;
  const noteRemoved = (node, target) => {
    const text = (node instanceof HTMLElement || node instanceof Text) && gone.length < MOST ? textOf(node).trim() : '';
    const isTyped = () => node instanceof Text && (text.startsWith(textOf(target)) || textOf(target).startsWith(text));
    if (text.length >= 20 && !isTyped()) gone.push(text.slice(0, 80));
  };
  new MutationObserver((records) => {
    for (const {type, target, addedNodes, removedNodes} of records) {
      if (target instanceof SVGElement) noteDrawn(target);
      if (type === 'attributes') {
        if (touched.size < MOST) touched.add(target);
        continue;
      }
      if (type === 'characterData') { noteText(aboveOf(target)); continue; }
      hasGrown ||= addedNodes.length > 0;
      if ([...addedNodes].some((node) => node.nodeType === Node.TEXT_NODE)) noteText(target);
      for (const node of removedNodes) noteRemoved(node, target);
    }
  }).observe(document, {subtree: true, childList: true, characterData: true, attributes: true,
                        attributeFilter: ['class', 'style', 'hidden', 'open', 'aria-hidden', 'data-state', ...SHAPE]});

  const isInView = (element) => {
    const box = boxOf(element);
    return box.width * box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  };
  const isVisible = (element) => isInView(element) && Number(getComputedStyle(element).opacity) >= 0.05
    && isSeen(element, {opacityProperty: true, visibilityProperty: true});
  const isMoving = ([element, {count, last}]) =>
    performance.now() - last < (count > 1 ? STILL : RESTLESS_PAUSE) && !restless.has(element) && isInView(element);
  const isFading = (animation) => {
    const target = animation.playState === 'running' && animation.effect?.target;
    const left = target && animation.effect.getComputedTiming().endTime - animation.currentTime;
    return left > 0 && left <= FADING && isInView(target);
  };
  const remember = () => {
    const moved = allAnimations().map((animation) => animation.effect?.target);
    for (const element of new Set([...touched, ...moved.filter((one) => one instanceof HTMLElement)])) {
      if (!element.isConnected || !isVisible(element)) continue;
      seen.shown.add(element);
      for (const inner of [...all(element, '*')].slice(0, 200)) if (isVisible(inner)) seen.shown.add(inner);
    }
    for (const [element, {count}] of texts)
      if (count > 1 && !restless.has(element) && element.childElementCount === 0 && isVisible(element))
        seen.texts.set(element, textOf(element).slice(0, 500));
    texts.clear();
  };
  const dwell = async (least = PAUSE) => {
    const begun = performance.now();
    await Promise.all([pause(least), Promise.race([frames(), pause(FRAMES_WAIT)])]);
    if (hasGrown) findTrees();
    while (performance.now() < end) {
      const passed = performance.now() - begun;
      const moving = [...texts].filter(isMoving), drawing = moving.length ? [] : [...drawn].filter(isDrawn);
      const isToWait = moving.length ? passed < MOVING : drawing.length ? passed < DRAWING
        : passed < FADING && allAnimations().some(isFading);
      if (!isToWait) {
        for (const [element] of moving) restless.add(element);
        for (const [chart] of drawing) finished.add(chart);
        break;
      }
      await pause(PAUSE);
    }
    remember();
  };
  let reached = 0;  // height of the page if it was passed to its end, else 0
  const move = (box, side, distance) => {  // whether it moves
    const place = () => downOf(box) + acrossOf(box), before = place();
    moveBy(box, {[side]: distance, behavior: 'instant'});
    return Math.abs(place() - before) >= 1;
  };
  const pass = async (box, height) => {  // down; returns how many screens it saw
    const begun = downOf(box);
    let passed = 1;
    if (start && box === root) { moveTo(box, {top: start, behavior: 'instant'}); await dwell(); }
    while (passed < screens && performance.now() < end && downOf(box) + height() < fullHeightOf(box) - 1) {
      if (!move(box, 'top', height())) break;
      passed += 1;
      await dwell();
      if (box === root) await passStrips();
    }
    if (box === root && passed < screens && performance.now() < end) reached = fullHeightOf(box);
    if (passed > 1 || start) { await pause(60); moveTo(box, {top: box === root ? 0 : begun, behavior: 'instant'}); }
    return passed;
  };
  // A chat begins at its end, and older lines are loaded above. Example: a box with flex-direction: column-reverse
  const passUp = async (box, most) => {  // returns how many further screens it saw
    const begun = downOf(box), height = fullHeightOf(box);
    let passed = 0;
    while (passed < most && performance.now() < end && move(box, 'top', -innerHeightOf(box))) {
      passed += 1;
      await dwell();
    }
    if (passed) moveTo(box, {top: begun > 0 ? begun + fullHeightOf(box) - height : begun, behavior: 'instant'});
    return passed;
  };
  // A strip scrolls sideways. It is passed if much of what is outside its window has no text or picture yet.
  const strips = new Set();
  let sideways = 0;  // steps in strips
  const isUnfilled = (strip) => {
    if (find(strip, 'pre, table, textarea')) return false;
    const filled = [...all(strip, '*')].slice(0, 500)
      .filter((element) => isOf(element, PICTURES) || (!firstElementOf(element) && textOf(element).trim())).map(boxOf);
    const width = Math.max(...filled.map(({right}) => right)) - Math.min(...filled.map(({left}) => left));
    return filled.length > 0 && width < fullWidthOf(strip) - innerWidthOf(strip) / 2;
  };
  const isStrip = (element) => element !== root && !strips.has(element) && fullWidthOf(element) > innerWidthOf(element) + 50
    && innerHeightOf(element) >= 50 && innerWidthOf(element) >= 300 && /auto|scroll/.test(getComputedStyle(element).overflowX);
  const passStrips = async () => {
    for (const down of [0.1, 0.3, 0.5, 0.7, 0.9])
      for (const strip of foundAt(document, innerWidth / 2, down * innerHeight).filter(isStrip)) {
        if (strips.size >= STRIPS) return;
        strips.add(strip);
        if (!isUnfilled(strip)) continue;
        const begun = acrossOf(strip), step = innerWidthOf(strip) * (getComputedStyle(strip).direction === 'rtl' ? -1 : 1);
        for (let steps = 0; steps < STRIP_STEPS && performance.now() < end && move(strip, 'left', step); steps += 1) {
          sideways += 1;
          await dwell();
        }
        moveTo(strip, {left: begun, behavior: 'instant'});
      }
  };
  const scrolls = (element) => element !== root && fullHeightOf(element) > innerHeightOf(element) + 50
    && innerHeightOf(element) >= 200 && innerWidthOf(element) >= 300 && /auto|scroll/.test(getComputedStyle(element).overflowY);
  const innerBoxes = () => {
    const boxes = new Set();
    for (const across of [0.3, 0.5, 0.7])
      for (const down of [0.3, 0.6])
        for (const element of foundAt(document, across * innerWidth, down * innerHeight)) if (scrolls(element)) boxes.add(element);
    return [...boxes].sort((a, b) => innerHeightOf(b) * innerWidthOf(b) - innerHeightOf(a) * innerWidthOf(a)).slice(0, 3);
  };

  await dwell(isRestless ? RESTLESS_PAUSE : PAUSE);
  if (!start) await passStrips();
  let passed = await pass(root, () => innerHeight);
  if (!start)
    for (const box of innerBoxes()) {
      const down = await pass(box, () => innerHeightOf(box));
      passed += down - 1 + await passUp(box, screens - down);
    }
  if (passed > 1 || sideways) await dwell();
  const here = gone.length ? textOf(document.documentElement) : '';
  return {screens: passed, sideways, moving: restless.size, gone: gone.filter((text) => !here.includes(text)).length, end: reached};
})
