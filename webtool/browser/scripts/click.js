// A function of dom.js. It returns a function of {isRefusal, words, never, about, longest, largest, most, inFrame, isTrial},
// which finds the controls of one task and clicks them, at most `most`. Returns what their labels say.
// webtool/browser/clicks.py describes the tasks.
((makeDom) => ({isRefusal, words, never, about, longest, largest, most, inFrame, isTrial}) => {
  const dom = makeDom(), {aboveOf, boxOf, get, getter, has, isSeen, method, nameOf, rootOf, shadowOf, wordsOf} = dom;
  const addressOf = getter(HTMLAnchorElement, 'href'), click = method(HTMLElement, 'click'), all = dom.query;
  const low = (element, name) => (get(element, name) || '').trim().toLowerCase();
  const plain = (text) => text.normalize('NFKC').toLowerCase().replace(/[’ʼ]/g, "'").replace(/\s+/g, ' ').trim();
  const [isWanted, isUnwanted, isAbout] = [words, never, about].map((text) => new RegExp(text, 'u'));
  const clicked = globalThis[Symbol.for('webtool.clicked')] ??= new WeakSet();
  const parentOf = (element) => aboveOf(element) || rootOf(element).host || null;  // not through slots
  const textOf = (element) => {
    const shadow = shadowOf(element);
    return shadow ? [...shadow.children].map((one) => one instanceof HTMLElement ? wordsOf(one) : '').join(' ')
      : wordsOf(element);
  };

  const isHere = (link) => {  // an address that leads nowhere else
    if (!has(link, 'href')) return true;
    if (has(link, 'download') || !/^[\0- ]*(#|javascript:)/i.test(get(link, 'href'))) return false;
    const address = addressOf(link);
    return address.startsWith('javascript:') || address.split('#')[0] === location.href.split('#')[0];
  };
  const sends = (control, owner) => {  // a form
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
  const speaks = (text) => text.length <= largest && isAbout.test(plain(text));
  const isMain = (element) => ['main', 'article'].includes(nameOf(element)) || low(element, 'role') === 'main';
  const isBeside = (element) => ['nav', 'header', 'footer', 'aside', 'dialog'].includes(nameOf(element))
    || /^(navigation|banner|contentinfo|complementary|menu|menubar|tablist|toolbar|(alert)?dialog)$/
      .test(low(element, 'role'));
  const hasMain = all(document, 'main, article, [role=main]').length > 0;
  const isInPlace = (element, label) => {
    let isInMain = false, box = false;
    for (let at = element; at; at = parentOf(at)) {
      if (!isHarmless(at)) return false;
      if (nameOf(at) === 'body') break;
      isInMain ||= isMain(at);
      if (isRefusal) {
        box ||= at !== element && (isDialog(at) || /fixed|sticky/.test(getComputedStyle(at).position)
          || isAbout.test(plain(get(at, 'aria-label') || ''))) && speaks(textOf(at));
      } else if (isBeside(at) || (at !== element && getComputedStyle(at).position === 'fixed')) return false;
    }
    if (!isRefusal) return isInMain || !hasMain;
    const body = getter(Document, 'body')(document);
    return box || (!isInMain && isAbout.test(label)) || (inFrame && body !== null && speaks(wordsOf(body)));
  };
  const isThere = (element) => {
    const box = boxOf(element);
    return box.width > 0 && box.height > 0 && isSeen(element, {checkOpacity: true, checkVisibilityCSS: true});
  };
  const matchOf = (element) => {
    if (clicked.has(element) || low(element, 'aria-expanded') === 'true') return '';
    if (!isRefusal && !['', 'false'].includes(low(element, 'aria-haspopup'))) return '';
    const text = textOf(element) || get(element, 'aria-label') || get(element, 'value') || '';
    if (text.length > 4 * longest) return '';
    const label = plain(text).replace(/^[^\p{L}\p{N}]+/u, '');
    const match = label.length <= longest ? isWanted.exec(label) : null;
    if (match === null || isUnwanted.test(label.replace(match[0], ' '))) return '';
    return isThere(element) && isInPlace(element, label) ? match[0].trim() : '';
  };

  const found = [];
  const look = (roots) => {
    let looked = 0;
    for (const root of roots)  // which grows meanwhile
      for (const element of root === document ? all(root, '*') : root.querySelectorAll('*')) {
        if ((looked += 1) > 50000) return;
        const shadow = shadowOf(element);
        if (shadow) roots.push(shadow);
        const match = isControl(element) ? matchOf(element) : '';
        if (match && !found.some(([one]) => one.contains(element))) found.push([element, match]);
        if (found.length >= most) return;
      }
  };
  look([document]);
  if (!isTrial) for (const [element] of found) { clicked.add(element); click(element); }
  return found.map(([, match]) => match);
})
