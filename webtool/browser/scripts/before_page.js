// Runs in the page's own world, before its scripts. Opens closed shadow trees to our scripts. Defines webtoolRest: "DUE STILL LATE", three numbers in milliseconds.
// DUE is the time until the last of the page's short timers (1.2 s at most) fires. STILL is the time since nodes or text
// changed. LATE is the time until the first of its longer timers fires, 0 if there is none.
// A page is read when DUE and STILL say that it is at rest, so a small page is not waited for. Python waits for LATE only
// on pages that look unfinished. Frames of the same origin count; frames in processes of their own are asked separately.
(() => {
  const SHORT = 1200, LONG = 30000;  // milliseconds; later timers are not watched
  const {setTimeout: later, clearTimeout: clear, setInterval: often, clearInterval: end} = globalThis;
  const clock = performance.now.bind(performance);
  const readyOf = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get);
  const listen = globalThis.addEventListener.bind(globalThis);
  const waiting = new Map();  // number of a timer -> [when it is due, whether it is short]
  let changed = 0, ticks = 0;
  const note = (number, wait) => {
    if (wait <= LONG && waiting.size < 10000) waiting.set(number, [clock() + wait, wait <= SHORT]);
    return number;
  };
  globalThis.setTimeout = function setTimeout(work, delay, ...given) {
    const wait = Number(delay) || 0;
    if (typeof work !== 'function') return note(later(work, delay), wait);
    const number = later(function () {
      if (waiting.delete(number)) changed = clock();  // what it sets off may take a moment to show
      return work.apply(this, arguments);
    }, delay, ...given);
    return note(number, wait);
  };
  globalThis.clearTimeout = function clearTimeout(number) { waiting.delete(number); return clear(number); };
  globalThis.setInterval = function setInterval(work, delay, ...given) {
    const wait = Number(delay) || 0, number = often(work, delay, ...given);
    if (wait <= SHORT) ticks = Math.max(ticks, clock() + wait); else note(number, wait);  // its first turn
    return number;
  };
  const {scheduler} = globalThis, post = scheduler?.postTask?.bind(scheduler);
  if (post) scheduler.postTask = function postTask(work, options) {
    note({}, Number(options?.delay) || 0);
    return post(work, options);
  };
  globalThis.clearInterval = function clearInterval(number) { waiting.delete(number); return end(number); };
  // A closed shadow tree is seen by readers as an open one is. The page goes on being told that there is none.
  const {apply} = Reflect, attach = Element.prototype.attachShadow, closed = new WeakSet();
  const treeOf = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot').get;
  Element.prototype.attachShadow = function attachShadow(options) {
    const isClosed = options?.mode === 'closed', tree = apply(attach, this, [isClosed ? {...options, mode: 'open'} : options]);
    if (isClosed) closed.add(this);
    return tree;
  };
  Object.defineProperty(Element.prototype, 'shadowRoot', {
    get() { return closed.has(this) ? null : apply(treeOf, this, []); }, configurable: true, enumerable: true});
  // The parser's own changes are not watched, because a record of each node takes time: until it ends, nothing is at rest.
  const watch = new MutationObserver(() => { changed = clock(); });
  let isWatched = false;
  const begin = () => {
    if (isWatched || readyOf(document) === 'loading') return;
    isWatched = true;
    changed = clock();
    watch.observe(document, {childList: true, characterData: true, subtree: true});
  };
  listen('DOMContentLoaded', begin, true);
  begin();
  const rest = () => {
    begin();
    const now = clock();
    let due = ticks - now, still = isWatched ? now - changed : 0, late = Infinity;
    for (const [number, [at, isShort]] of waiting)
      if (at + 200 < now) waiting.delete(number);
      else if (isShort) due = Math.max(due, at - now);
      else late = Math.min(late, Math.max(at - now, 1));
    for (let number = 0; number < window.length; number += 1)
      try {
        const [its, since, its_late] = window[number].webtoolRest.split(' ').map(Number);
        due = Math.max(due, its);
        still = Math.min(still, since);
        if (its_late > 0) late = Math.min(late, its_late);
      } catch (isOfAnotherOrigin) {}
    return `${due} ${still} ${late === Infinity ? 0 : late}`;
  };
  Object.defineProperty(globalThis, 'webtoolRest', {get: rest, enumerable: false});
})()
