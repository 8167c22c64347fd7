// Runs in our isolated world. Before a layout of a document that has changed, hides the root of a document with more than MOST
// elements, so that it is not laid out: layout takes 3 KB for each element. Python replaces MOST by a number. A document that
// does not change is not looked at, because each look makes the browser draw a frame.
(() => {
  let isDue = false;
  const look = () => {
    isDue = false;
    // A live collection would make every change of a deep tree slow.
    const all = Document.prototype.querySelectorAll.call(document, '*');
    if (all.length > MOST) all[0].style.setProperty('display', 'none', 'important');
  };
  const lookSoon = () => { if (!isDue) { isDue = true; requestAnimationFrame(look); } };
  new MutationObserver(lookSoon).observe(document, {childList: true, subtree: true});
  lookSoon();
})()
