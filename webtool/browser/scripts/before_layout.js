// Runs in our isolated world. Before a layout of a document that has changed, hides the root of a document with more than MOST
// elements, so that it is not laid out: layout takes 3 KB for each element. Python replaces MOST by a number. A document that
// does not change is not looked at, because each look makes the browser draw a frame. One that grows is looked at before each
// frame, and not watched meanwhile, because a record of each new node takes more time than a look.
(() => {
  const GROWTH = 200;  // elements between two frames
  let isDue = false, last = 0;
  const look = () => {
    isDue = false;
    // A live collection would make every change of a deep tree slow.
    const all = Document.prototype.querySelectorAll.call(document, '*');
    if (all.length > MOST) all[0].style.setProperty('display', 'none', 'important');
    if (Math.abs(all.length - last) > GROWTH) lookSoon();
    else watch.observe(document, {childList: true, subtree: true});
    last = all.length;
  };
  const lookSoon = () => {
    if (isDue) return;
    isDue = true;
    watch.disconnect();
    requestAnimationFrame(look);
  };
  const watch = new MutationObserver(lookSoon);
  lookSoon();
})()
