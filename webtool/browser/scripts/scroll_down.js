// A function of the number of screens. Scrolls down one screen at a time, and back up, because lazy parts load when they
// come into view. Returns how many screens it saw.
(async (screens) => {
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const root = document.scrollingElement;
  if (!root) return 0;
  let seen = 1;
  while (seen < screens && root.scrollTop + innerHeight < root.scrollHeight - 1) {
    scrollBy({top: innerHeight, behavior: 'instant'});
    seen += 1;
    await pause(40);
  }
  if (seen > 1) { await pause(60); scrollTo({top: 0, behavior: 'instant'}); }
  return seen;
})
