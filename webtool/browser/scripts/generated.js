// A function of the members of dom.js and styles.js. Returns a function of an element and "::before" or "::after" that gives the
// words which a style sheet writes there, "" for most elements.
//
// Only elements that a rule with such words selects are asked, because two computed styles for each element take time.
// Icons, and what lies elsewhere than its text, are left out.
// Example: .state::before {content: "State: "} and <p class=state>open</p> -> "State: open"
((dom, styles) => {
  const {aboveOf, closest, contains, get, has, isSeen, nameOf, rootOf} = dom;
  const MAX_RULES = 20000, MAX_SELECTORS = 300, MAX_ELEMENTS = 5000;
  const WORD = /[\p{L}\p{N}\p{Sc}%]/u, ICON = /[\ue000-\uf8ff]/, ICON_FONT = /icon|symbol|awesome|glyph/i;
  const PSEUDO = /::?(before|after|marker)\b/g, COUNTS = ['counterReset', 'counterIncrement', 'counterSet'];

  const selectorsIn = (root) => {
    const writing = [], counting = [];  // selectors of rules with words in `content`, and of rules that count
    let left = MAX_RULES;
    const waiting = [...root.styleSheets, ...root.adoptedStyleSheets];
    while (waiting.length && left > 0 && writing.length < MAX_SELECTORS) {
      let rules = [];
      try { rules = waiting.pop().cssRules ?? []; } catch (isOfAnotherOrigin) {}
      for (const rule of rules) {
        left -= 1;
        if (left < 0) break;
        const selector = rule.selectorText;
        if (rule.cssRules?.length) waiting.push(rule);
        if (!selector) continue;
        const owners = selector.replace(PSEUDO, '');  // a selector of the elements: ".state::before" -> ".state"
        if (COUNTS.some((name) => rule.style[name]) && counting.length < MAX_SELECTORS) counting.push(owners);
        if (/before|after|marker/.test(selector) && WORD.test(rule.style.content.replace(/none|normal/, ''))) writing.push(owners);
      }
    }
    return {writing, counting};
  };
  const findIn = (root, selector) => (root === document ? dom.query : findInTree)(root, selector);
  const findInTree = dom.method(DocumentFragment, 'querySelectorAll');
  const selected = (root, selectors) => {
    const elements = new Set();
    for (const selector of selectors)
      try {
        for (const element of findIn(root, selector)) if (elements.size < MAX_ELEMENTS) elements.add(element);
      } catch (isNoSelector) {}
    return elements;
  };
  const known = new Map();  // document or shadow tree -> {elements, counts}
  const knownOf = (root) => {
    if (!known.has(root)) {
      const {writing, counting} = root.styleSheets ? selectorsIn(root) : {writing: [], counting: []};
      const elements = selected(root, writing);
      const counts = elements.size && counting.length
        ? countsIn(root, elements, selected(root, [...counting, '[style*="counter-"]', 'ol, ul, li'])) : new Map();
      known.set(root, {elements, counts});
    }
    return known.get(root);
  };

  // Counters count elements in the document's order. A counter ends with the parent of the element that began it (CSS Lists 3).
  // Example: h2 {counter-increment: part} h2::before {content: counter(part) ". "} -> "1. Scope", "2. Fees"
  const countsIn = (root, writing, counting) => {
    const counts = new Map();  // the result: element -> {"::before": {counter: its values, outermost first}, ..., item: number}
    const running = new Map();  // counter -> its scopes, [{owner, value}], outermost first
    const open = [];  // elements whose end tag has not come
    const inScope = (name, element) => {
      if (!running.has(name)) running.set(name, []);
      const scopes = running.get(name);
      while (scopes.length && !contains(scopes[scopes.length - 1].owner, element)) scopes.pop();
      return scopes;
    };
    const count = (changes, element, owner, change) => {  // changes: a computed value such as "part 1 note 0"
      for (const [, name, number] of changes.matchAll(/([^\s()]+) (-?\d+)/g)) {
        const scopes = inScope(name, element), last = scopes[scopes.length - 1];
        const isNew = change === 'reset' ? last?.owner !== owner : !last;
        if (isNew) scopes.push({owner, value: Number(number)});
        else last.value = change === 'add' ? last.value + Number(number) : Number(number);
      }
    };
    const countAll = (style, element, owner) => {
      count(style.counterReset, element, owner, 'reset');
      count(style.counterIncrement, element, owner, 'add');
      count(style.counterSet, element, owner, 'set');
    };
    const write = (element, pseudo) => {  // note the counters that the text of a pseudo-element shows
      const style = getComputedStyle(element, pseudo);
      if (/^(none|normal)$/.test(style.content)) return;
      countAll(style, element, element);
      const values = counts.get(element) ?? {};
      values[pseudo] = {};
      for (const [, name] of style.content.matchAll(/counters?\(([^\s,()]+)/g))
        values[pseudo][name] = inScope(name, element).map(({value}) => value);
      counts.set(element, values);
    };
    const end = (element) => { if (writing.has(element)) write(element, '::after'); };
    for (const element of findIn(root, '*')) {
      if ((!counting.has(element) && !writing.has(element)) || !isSeen(element)) continue;
      while (open.length && !contains(open[open.length - 1], element)) end(open.pop());
      open.push(element);
      const owner = aboveOf(element) ?? root, name = nameOf(element);
      const first = parseInt(get(element, 'start'), 10) || 1;
      if (name === 'ol' || name === 'ul') count(`list-item ${first - 1}`, element, owner, 'reset');
      if (name === 'li') count('list-item 1', element, owner, 'add');
      if (has(element, 'value') && name === 'li') count(`list-item ${parseInt(get(element, 'value'), 10)}`, element, owner, 'set');
      countAll(styles.styleOf(element), element, owner);
      if (!writing.has(element)) { write(element, '::before'); continue; }
      counts.set(element, {item: inScope('list-item', element).slice(-1)[0]?.value});
      write(element, '::marker');
      write(element, '::before');
    }
    while (open.length) end(open.pop());
    return counts;
  };
  const letters = (number, first) => {  // 1 is the letter with the code `first`: 27 -> "aa"
    let text = '';
    for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
      text = String.fromCharCode(first + ((rest - 1) % 26)) + text;
    return text;
  };
  const ROMAN = [['m', 1000], ['cm', 900], ['d', 500], ['cd', 400], ['c', 100], ['xc', 90], ['l', 50], ['xl', 40], ['x', 10], ['ix', 9],
                 ['v', 5], ['iv', 4], ['i', 1]];
  const roman = (number) => {
    let text = '', rest = number;
    for (const [sign, value] of ROMAN) {
      text += sign.repeat(Math.floor(rest / value));
      rest %= value;
    }
    return text;
  };
  const written = (number, form) => {  // a counter in the form of a list's marks: 4 as lower-roman is "iv"
    if (form === 'decimal-leading-zero') return String(number).padStart(2, '0');
    if (/^(disc|circle|square|none|disclosure-.*)$/.test(form)) return '';
    if (number < 1 || number > 3999) return String(number);
    if (/roman$/.test(form)) return form.startsWith('upper') ? roman(number).toUpperCase() : roman(number);
    return /(alpha|latin)$/.test(form) ? letters(number, form.startsWith('upper') ? 65 : 97) : String(number);
  };

  const PART = new RegExp([  // of a `content`
    String.raw`"(?<text>(?:[^"\\]|\\.)*)"`,
    String.raw`attr\((?<attribute>[\w-]+)\)`,
    String.raw`counter\((?<counter>[^\s,()]+)(?:, (?<form>[\w-]+))?\)`,
    String.raw`counters\((?<counters>[^\s,()]+), "(?<between>(?:[^"\\]|\\.)*)"(?:, (?<forms>[\w-]+))?\)`,
    String.raw`(?<!no-)(?<side>open|close)-quote`,
  ].join('|'), 'g');
  const unescaped = (text) => text.replace(/\\(.)/g, '$1');
  // Quotation marks come in pairs, and those of a <q> are written by markdown. A single one is an ornament.
  // Example: .quote::before {content: open-quote} .quote::after {content: close-quote}
  const quotes = (element, pseudo, side) => getComputedStyle(element, pseudo).content.split(' ').includes(`${side}-quote`);
  const isQuoted = (element) => nameOf(element) !== 'q' && quotes(element, '::before', 'open') && quotes(element, '::after', 'close');
  const quoteOf = (element, side) => {
    if (!isQuoted(element)) return '';
    const marks = [...styles.styleOf(element).quotes.matchAll(/"([^"]*)"/g)].map(([, mark]) => mark);
    let depth = 0;
    for (let outer = aboveOf(element), steps = 0; outer && steps < 20; outer = aboveOf(outer), steps += 1)
      if (nameOf(outer) === 'q' || isQuoted(outer)) depth += 1;
    if (!marks.length) return styles.styleOf(element).quotes === 'none' ? '' : '"';
    return marks[Math.min(2 * depth, marks.length - 2) + (side === 'open' ? 0 : 1)] ?? '';
  };
  const partIn = ({text, attribute, counter, form, counters, between, forms, side}, element, values) => {
    if (side) return quoteOf(element, side);
    if (counter && !values) return '';
    if (counter) return written(values[counter]?.at(-1) ?? 0, form ?? 'decimal');
    if (counters) return (values?.[counters] ?? []).map((value) => written(value, forms ?? 'decimal')).join(unescaped(between));
    return attribute ? get(element, attribute) || '' : unescaped(text);
  };
  const textIn = (content, element, values) =>  // values: counter -> its values, undefined where none were counted
    [...content.matchAll(PART)].map(({groups}) => partIn(groups, element, values)).join('');
  // The number of a step is often in the margin beside its text.
  const MAX_NUMBER = 12, NEAR = {left: 200, top: 60};  // characters; pixels
  const isBeside = (style, text) => style.position === 'absolute' && text.trim().length <= MAX_NUMBER && style.content.includes('counter')
    && Object.entries(NEAR).every(([side, most]) => !(Math.abs(parseFloat(style[side])) > most));
  const isPlain = (style, text) => (/^(static|relative)$/.test(style.position) || isBeside(style, text))
    && style.display !== 'none' && style.visibility === 'visible'
    && Number(style.opacity) >= 0.05 && parseFloat(style.fontSize) >= 3.5 && style.clipPath === 'none'
    && (style.transform === 'none' || isBeside(style, text)) && Math.abs(parseFloat(style.textIndent)) < 100
    && !ICON_FONT.test(style.fontFamily) && !(parseFloat(style.width) < 1)
    && !(parseFloat(style.height) < 1 && style.overflow !== 'visible');
  const isLineNumber = (element, style, text) => /^\s*\d+\W*$/.test(text)
    && (closest(element, 'pre, code') || (closest(element, 'td') && (!style.content.includes('counter') || styles.isMonospaced(style))));
  // Items of an <ol> get their numbers without a style sheet.
  const isItemNumber = (element, text, number) => nameOf(element) === 'li' && nameOf(aboveOf(element) ?? element) === 'ol'
    && text.replace(/[\W_]+/g, '') === String(number);
  const wordsOf = (element, pseudo, counts) => {
    const style = getComputedStyle(element, pseudo), values = counts?.[pseudo], text = textIn(style.content, element, values);
    const isText = WORD.test(text) || (/(open|close)-quote/.test(style.content) && isQuoted(element));
    if (!isText || ICON.test(text) || !isPlain(style, text) || styles.isBlended(element, style)) return '';
    if (isLineNumber(element, style, text) || isItemNumber(element, text, counts?.item)) return '';
    return style.display === 'inline' ? text : ` ${text} `;
  };
  return (element, pseudo) => {
    const {elements, counts} = knownOf(rootOf(element));
    if (!elements.has(element)) return '';
    const own = counts.get(element);
    return (pseudo === '::before' ? wordsOf(element, '::marker', own) : '') + wordsOf(element, pseudo, own);
  };
})
