// Runs in the page's own world, before its scripts. Opens closed shadow trees to our scripts. Defines webtoolRest: "DUE STILL LATE",
// three numbers in milliseconds, by which Python knows whether the page is at rest.
//   DUE    until the last of the short timers that are set now runs; 0 if none is set
//   STILL  since nodes or text changed
//   LATE   until the first of the longer timers runs; 0 if none is set. Python waits for it only on pages that look unfinished
// Of an interval, the first turn counts. Frames of the same origin count; Python asks frames in other processes separately.
(() => {
  const SHORT = 1200, LONG = 30000;  // milliseconds; longer timers than LONG are not watched
  const OVERDUE = 1000;  // milliseconds: a busy machine runs timers late; one that is later than this was aborted
  const MOST = 10000;  // timers that are watched at a time
  const {setTimeout: later, clearTimeout: clear, setInterval: often, clearInterval: end} = globalThis;
  const clock = performance.now.bind(performance);
  const readyOf = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get);
  const listen = globalThis.addEventListener.bind(globalThis);
  const waiting = new Map();  // a timer's number, or a task's key -> {at, isShort, isSeen}: when it is due; whether we see it run
  let changed = 0;  // when nodes or text changed last
  const note = (timer, delay, isSeen) => {
    const wait = Number(delay) || 0;
    if (wait <= LONG && waiting.size < MOST) waiting.set(timer, {at: clock() + wait, isShort: wait <= SHORT, isSeen});
  };
  const noteRun = (timer) => { if (waiting.delete(timer)) changed = clock(); };  // what it sets off may take a moment to show
  const startTimer = (start, work, delay, given) => {  // work given as text is not seen to run
    const isSeen = typeof work === 'function';
    const number = start(isSeen ? function () { noteRun(number); return work.apply(this, arguments); } : work, delay, ...given);
    note(number, delay, isSeen);
    return number;
  };
  globalThis.setTimeout = function setTimeout(work, delay, ...given) { return startTimer(later, work, delay, given); };
  globalThis.setInterval = function setInterval(work, delay, ...given) { return startTimer(often, work, delay, given); };
  globalThis.clearTimeout = function clearTimeout(number) { waiting.delete(number); return clear(number); };
  globalThis.clearInterval = function clearInterval(number) { waiting.delete(number); return end(number); };
  const {scheduler} = globalThis, post = scheduler?.postTask?.bind(scheduler);
  if (post) scheduler.postTask = function postTask(work, options) {
    if (typeof work !== 'function') return post(work, options);
    const task = {};
    note(task, options?.delay, true);
    return post(function () { noteRun(task); return work.apply(this, arguments); }, options);
  };
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
    let due = 0, still = isWatched ? now - changed : 0, late = Infinity;
    for (const [timer, {at, isShort, isSeen}] of waiting) {
      const left = Math.max(at - now, 1);
      if (now > at + (isSeen ? OVERDUE : 0)) waiting.delete(timer);
      else if (isShort) due = Math.max(due, left);
      else late = Math.min(late, left);
    }
    for (let number = 0; number < window.length; number += 1)
      try {
        const [frameDue, frameStill, frameLate] = window[number].webtoolRest.split(' ').map(Number);
        due = Math.max(due, frameDue);
        still = Math.min(still, frameStill);
        if (frameLate > 0) late = Math.min(late, frameLate);
      } catch (isOfAnotherOrigin) {}
    return `${due} ${still} ${late === Infinity ? 0 : late}`;
  };
  Object.defineProperty(globalThis, 'webtoolRest', {get: rest, enumerable: false});
})()
