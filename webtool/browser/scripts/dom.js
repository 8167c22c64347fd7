// A function. Returns members of the DOM as functions: `aboveOf(element)` is `element.parentElement`.
//
// A form's fields and a document's images take the place of members of the same name, in every world, so our scripts do not
// read them from an element. Example: <form><input name=parentElement></form>
(() => {
  const getter = (owner, name) =>
    Function.prototype.call.bind(Object.getOwnPropertyDescriptor(owner.prototype, name).get);
  const method = (owner, name) => Function.prototype.call.bind(owner.prototype[name]);
  const MEMBERS = [
    [getter, Node, {typeOf: 'nodeType', kidsOf: 'childNodes', aboveOf: 'parentElement', firstOf: 'firstChild',
                    nextOf: 'nextSibling', textOf: 'textContent'}],
    [method, Node, {append: 'appendChild', rootOf: 'getRootNode', contains: 'contains'}],
    [getter, Element, {nameOf: 'localName', spaceOf: 'namespaceURI', slotOf: 'assignedSlot',
                       attributesOf: 'attributes', previousOf: 'previousElementSibling', nextElementOf: 'nextElementSibling',
                       firstElementOf: 'firstElementChild',
                       innerWidthOf: 'clientWidth', innerHeightOf: 'clientHeight', fullWidthOf: 'scrollWidth',
                       fullHeightOf: 'scrollHeight', downOf: 'scrollTop', acrossOf: 'scrollLeft'}],
    [method, Element, {has: 'hasAttribute', get: 'getAttribute', set: 'setAttribute', remove: 'removeAttribute',
                       boxOf: 'getBoundingClientRect', find: 'querySelector', findAll: 'querySelectorAll', closest: 'closest',
                       animationsOf: 'getAnimations', attributeNamesOf: 'getAttributeNames', isSeen: 'checkVisibility',
                       isOf: 'matches', moveBy: 'scrollBy', moveTo: 'scrollTo'}],
    [getter, HTMLElement, {widthOf: 'offsetWidth', heightOf: 'offsetHeight', frameOf: 'offsetParent', wordsOf: 'innerText'}],
    [method, Document, {foundAt: 'elementsFromPoint', query: 'querySelectorAll', walkerOf: 'createTreeWalker',
                        animationsIn: 'getAnimations'}],
  ];
  const dom = {getter, method};
  for (const [make, owner, names] of MEMBERS)
    for (const [ours, name] of Object.entries(names)) dom[ours] = make(owner, name);
  const treeOf = getter(Element, 'shadowRoot'), noted = globalThis[Symbol.for('webtool')];  // by note.js
  dom.shadowOf = noted ? (element) => treeOf(element) ?? (noted.get(element) instanceof ShadowRoot ? noted.get(element) : null) : treeOf;
  const ofDocument = {};  // name of a member -> its getter
  dom.page = (name) => (ofDocument[name] ??= getter(Document, name))(document);
  dom.all = (tag) => method(Document, 'getElementsByTagName')(document, tag);
  dom.elementsIn = (element) => [...dom.kidsOf(element)].filter((child) => dom.typeOf(child) === Node.ELEMENT_NODE);
  dom.wordsIn = (element) => (element instanceof HTMLElement ? dom.wordsOf : dom.textOf)(element);
  dom.parentOf = (element) => dom.slotOf(element) || dom.aboveOf(element) || dom.rootOf(element).host || null;
  dom.textNodesIn = function* textNodesIn(element) {
    const walker = dom.walkerOf(document, element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) yield walker.currentNode;
  };
  return dom;
})
