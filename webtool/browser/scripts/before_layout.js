// Runs in our isolated world, before every layout. Hides the root of a document with more than MOST elements, so that it is
// not laid out: layout takes 3 KB for each element. Python replaces MOST by a number.
(() => {
  const look = () => {
    // A live collection would make every change of a deep tree slow.
    const all = Document.prototype.querySelectorAll.call(document, '*');
    if (all.length > MOST) all[0].style.setProperty('display', 'none', 'important');
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()
