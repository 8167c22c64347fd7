// A function of dom.js. It returns a function of {isRefusal, words, never, about, longest, largest, most, inFrame, isTrial} that
// finds the controls of one task and clicks them. webtool/browser/clicks.py describes the tasks.
//   isRefusal  whether the task is to refuse consent; else it is to show more of the main text
//   words      pattern of the labels that are clicked
//   never      pattern of words that exclude a label, beside what `words` matches
//   about      pattern of words that the text of a consent dialog has
//   longest    characters of a label; a longer text is not one
//   largest    characters of a dialog; a box with more text is the page itself
//   most       controls that are clicked
//   inFrame    whether this document is in a frame, which may be a dialog as a whole
//   isTrial    whether to find the controls only, without a click
// Returns what their labels have of `words`: ["reject all"].
((makeDom) => ({isRefusal, words, never, about, longest, largest, most, inFrame, isTrial}) => {
  const dom = makeDom(), {aboveOf, boxOf, get, getter, has, isSeen, method, nameOf, rootOf, shadowOf, wordsOf} = dom;
  const addressOf = getter(HTMLAnchorElement, 'href'), click = method(HTMLElement, 'click'), all = dom.query;
  const low = (element, name) => (get(element, name) || '').trim().toLowerCase();
  const plain = (text) => text.normalize('NFKC').toLowerCase().replace(/[’ʼ]/g, "'").replace(/\s+/g, ' ').trim();
  const [wanted, unwanted, topic] = [words, never, about].map((text) => new RegExp(text, 'u'));
  const clicked = globalThis[Symbol.for('webtool.clicked')] ??= new WeakSet();
  const parentOf = (element) => aboveOf(element) || rootOf(element).host || null;  // not through slots
  const textOf = (element) => {
    const shadow = shadowOf(element);
    return shadow ? [...shadow.children].map((child) => child instanceof HTMLElement ? wordsOf(child) : '').join(' ')
      : wordsOf(element);
  };

  const isHere = (link) => {  // an address that leads nowhere else
    if (!has(link, 'href')) return true;
    if (has(link, 'download') || !/^[\0- ]*(#|javascript:)/i.test(get(link, 'href'))) return false;
    const address = addressOf(link);
    return address.startsWith('javascript:') || address.split('#')[0] === location.href.split('#')[0];
  };
  const sends = (control, owner) => {  // whether a click sends a form
    const form = getter(owner, 'form')(control);
    if (form === null || low(control, 'type') === 'button') return false;
    return (low(control, 'formmethod') || low(form, 'method')) !== 'dialog';
  };
  const isHarmless = (element) => {
    switch (nameOf(element)) {
      case 'a': return isHere(element);
      case 'button': return !has(element, 'disabled') && !sends(element, HTMLButtonElement);
      case 'input': return low(element, 'type') === 'button' && !has(element, 'disabled');
      case 'area': case 'label': case 'select': case 'option': return false;
      default: return low(element, 'aria-disabled') !== 'true';
    }
  };
  const isControl = (element) => element instanceof HTMLElement && (['a', 'button', 'input'].includes(nameOf(element))
    || low(element, 'role') === 'button' || (!isRefusal && has(element, 'aria-expanded')));

  const isDialog = (element) => nameOf(element) === 'dialog' || /^(alert)?dialog$/.test(low(element, 'role'))
    || low(element, 'aria-modal') === 'true';
  const speaks = (text) => text.length <= largest && topic.test(plain(text));
  const isMain = (element) => ['main', 'article'].includes(nameOf(element)) || low(element, 'role') === 'main';
  const isBeside = (element) => ['nav', 'header', 'footer', 'aside', 'dialog'].includes(nameOf(element))
    || /^(navigation|banner|contentinfo|complementary|menu|menubar|tablist|toolbar|(alert)?dialog)$/
      .test(low(element, 'role'));
  const hasMain = all(document, 'main, article, [role=main]').length > 0;
  const isConsentBox = (element) => (isDialog(element) || /fixed|sticky/.test(getComputedStyle(element).position)
    || topic.test(plain(get(element, 'aria-label') || ''))) && speaks(textOf(element));
  // A refusal is in a box that speaks of consent, or says so itself. "Show more" is in the main text.
  const isInPlace = (element, label) => {
    let isInMain = false, isInBox = false;
    for (let outer = element; outer; outer = parentOf(outer)) {
      if (!isHarmless(outer)) return false;  // a link or button around it would be clicked, too
      if (nameOf(outer) === 'body') break;
      isInMain ||= isMain(outer);
      if (isRefusal) isInBox ||= outer !== element && isConsentBox(outer);
      else if (isBeside(outer) || (outer !== element && getComputedStyle(outer).position === 'fixed')) return false;
    }
    if (!isRefusal) return isInMain || !hasMain;
    const body = getter(Document, 'body')(document);
    return isInBox || (!isInMain && topic.test(label)) || (inFrame && body !== null && speaks(wordsOf(body)));
  };
  const isVisible = (element) => {
    const box = boxOf(element);
    return box.width > 0 && box.height > 0 && isSeen(element, {checkOpacity: true, checkVisibilityCSS: true});
  };
  const matchOf = (element) => {  // what the label has of `words`; '' for a control that is not to be clicked
    if (clicked.has(element) || low(element, 'aria-expanded') === 'true') return '';
    if (!isRefusal && !['', 'false'].includes(low(element, 'aria-haspopup'))) return '';
    const text = textOf(element) || get(element, 'aria-label') || get(element, 'value') || '';
    if (text.length > 4 * longest) return '';
    const label = plain(text).replace(/^[^\p{L}\p{N}]+/u, '');
    const match = label.length <= longest ? wanted.exec(label) : null;
    if (match === null || unwanted.test(label.replace(match[0], ' '))) return '';
    return isVisible(element) && isInPlace(element, label) ? match[0].trim() : '';
  };

  const MAX_ELEMENTS = 50000;  // that are looked at
  const found = [];  // [element, match]
  const look = (roots) => {
    let count = 0;
    for (const root of roots)  // shadow trees are added meanwhile
      for (const element of root === document ? all(root, '*') : root.querySelectorAll('*')) {
        if ((count += 1) > MAX_ELEMENTS) return;
        const shadow = shadowOf(element);
        if (shadow) roots.push(shadow);
        const match = isControl(element) ? matchOf(element) : '';
        if (match && !found.some(([control]) => control.contains(element))) found.push([element, match]);
        if (found.length >= most) return;
      }
  };
  look([document]);
  if (!isTrial) for (const [element] of found) { clicked.add(element); click(element); }
  return found.map(([, match]) => match);
})
