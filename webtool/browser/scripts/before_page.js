// Runs in the page's own world, before its scripts. Defines webtoolRest: "DUE STILL", two numbers in milliseconds. DUE is
// the time until the last of the page's short timers (1.2 s at most) fires. STILL is the time since nodes or text changed.
// A page is read when both say that it is at rest, so a small page is not waited for. Frames of the same origin count;
// frames in processes of their own are asked separately.
(() => {
  // How long the page will still change by itself: until the last of its short timers is due, and since its last change
  // of nodes or text, in milliseconds. Both are read before anything else is, so that a small page is not waited for.
  // Frames of the same origin count; those in processes of their own are asked themselves.
  const {setTimeout: later, clearTimeout: clear, setInterval: often} = globalThis;
  const clock = performance.now.bind(performance), waiting = new Map();
  let changed = 0, ticks = 0;
  const note = (number, wait) => {
    if (wait <= 1200 && waiting.size < 10000) waiting.set(number, clock() + wait);
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
    ticks = Math.max(ticks, clock() + (Number(delay) <= 1200 ? Number(delay) : 0));  // its first turn
    return often(work, delay, ...given);
  };
  const watch = new MutationObserver(() => { changed = clock(); });
  watch.observe(document, {childList: true, characterData: true, subtree: true});
  const rest = () => {
    const now = clock();
    let due = ticks - now, still = now - changed;
    for (const [number, at] of waiting) if (at + 200 < now) waiting.delete(number); else due = Math.max(due, at - now);
    for (let number = 0; number < window.length; number += 1)
      try {
        const [its, since] = window[number].webtoolRest.split(' ').map(Number);
        due = Math.max(due, its);
        still = Math.min(still, since);
      } catch (isOfAnotherOrigin) {}
    return `${due} ${still}`;
  };
  Object.defineProperty(globalThis, 'webtoolRest', {get: rest, enumerable: false});
})()
