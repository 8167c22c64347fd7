// An expression. How unfinished the page looks: 2 if it has no text or says that it is loading, 1 if it has little text, 0
// else. An unfinished page is worth waiting for; others are read at once.
// Example: a root that holds "Loading...", a box with aria-busy=true, a page whose only text is its header.
(() => {
  const NONE = 20, FEW = 200;  // characters; a page with less text has none, or little
  const LOADING = /^(now |still |please |just )?(load(ing)?|wait(ing)?|one moment|fetching|connecting)\b.{0,30}$|^(\.{3}|…)$/i;
  const body = Object.getOwnPropertyDescriptor(Document.prototype, 'body').get.call(document);
  if (!(body instanceof HTMLElement)) return 2;
  const text = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'innerText').get.call(body);
  const size = text.trim().length;
  if (size < NONE) return 2;
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)].slice(0, 50);
  const isSeen = (element) => Element.prototype.checkVisibility.call(element, {opacityProperty: true, visibilityProperty: true});
  if (all('[aria-busy=true], [role=progressbar]:not([aria-valuenow])').some(isSeen)) return 2;
  if (text.split('\n').slice(0, 2000).some((line) => LOADING.test(line.trim()))) return 2;
  return size < FEW ? 1 : 0;
})()
