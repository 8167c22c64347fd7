// A function of the members of dom.js and styles.js. Returns a function that gives the words a style sheet writes before or after the
// content of an element, "" for most elements.
//
// Only elements that a rule with such words selects are asked, because two computed styles for each element take time.
// Numbers of CSS counters, icons, and what lies elsewhere than its text are left out.
// Example: .state::before {content: "State: "} and <p class=state>open</p> -> "State: open"
((dom, styles) => {
  const {get, rootOf} = dom;
  const MAX_RULES = 20000, MAX_SELECTORS = 300, MAX_ELEMENTS = 5000;
  const WORD = /[\p{L}\p{N}\p{Sc}%]/u, ICON = /[\ue000-\uf8ff]/, ICON_FONT = /icon|symbol|awesome|glyph/i;
  const PSEUDO = /::?(before|after)\b/g;

  const selectorsIn = (root) => {
    const selectors = [];
    let left = MAX_RULES;
    const waiting = [...root.styleSheets, ...root.adoptedStyleSheets];
    while (waiting.length && left > 0 && selectors.length < MAX_SELECTORS) {
      let rules = [];
      try { rules = waiting.pop().cssRules ?? []; } catch (isOfAnotherOrigin) {}
      for (const rule of rules) {
        if ((left -= 1) < 0) break;
        const selector = rule.selectorText;
        if (rule.cssRules?.length) waiting.push(rule);
        if (!selector || !/before|after/.test(selector) || !(WORD.test(rule.style.content.replace(/none|normal/, '')))) continue;
        selectors.push(selector.replace(PSEUDO, ''));
      }
    }
    return selectors;
  };
  const found = new Map();  // document or shadow tree -> the elements that its rules select
  const elementsFor = (root) => {
    if (!found.has(root)) {
      const elements = new Set();
      for (const selector of root.styleSheets ? selectorsIn(root) : [])
        try {
          for (const element of (root === document ? dom.query : findIn)(root, selector))
            if (elements.size < MAX_ELEMENTS) elements.add(element);
        } catch (isNoSelector) {}
      found.set(root, elements);
    }
    return found.get(root);
  };
  const findIn = dom.method(DocumentFragment, 'querySelectorAll');
  const textIn = (content, element) => [...content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g)]
    .map(([, text, name]) => name ? get(element, name) || '' : text.replace(/\\(.)/g, '$1')).join('');
  const isPlain = (style) => /^(static|relative)$/.test(style.position) && style.display !== 'none' && style.visibility === 'visible'
    && Number(style.opacity) >= 0.05 && parseFloat(style.fontSize) >= 3.5 && style.transform === 'none' && style.clipPath === 'none'
    && Math.abs(parseFloat(style.textIndent)) < 100 && !ICON_FONT.test(style.fontFamily) && !(parseFloat(style.width) < 1)
    && !(parseFloat(style.height) < 1 && style.overflow !== 'visible');
  return (element, pseudo) => {
    if (!elementsFor(rootOf(element)).has(element)) return '';
    const style = getComputedStyle(element, pseudo), text = textIn(style.content, element);
    if (!WORD.test(text) || ICON.test(text) || !isPlain(style) || styles.isBlended(element, style)) return '';
    if (/^\s*\d+\s*$/.test(text) && dom.closest(element, 'td, pre, code')) return '';  // the number of a line
    return style.display === 'inline' ? text : ` ${text} `;
  };
})
