"""JavaScript that we put into pages. Text only; what runs it is webtool.browser.page.

BEFORE_PAGE runs in the page's own world before its scripts. The others run in an isolated world, whose prototypes the
page cannot touch, and give JSON values.
"""

from __future__ import annotations

# Without the API a page takes its way for browsers without service workers: nothing is installed, nothing stays.
BEFORE_PAGE = """(() => {
  const drop = (owner, name) => { try { delete owner[name]; } catch (refused) { /* not there */ } };
  drop(Navigator.prototype, 'serviceWorker');
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'SharedWorker'])
    drop(globalThis, name);
  // When the last of the short timers is due, in milliseconds from now: what a page does a moment after it has loaded.
  const later = globalThis.setTimeout, clock = performance.now.bind(performance);
  let due = 0;
  globalThis.setTimeout = function setTimeout(work, delay, ...given) {
    const wait = Number(delay) || 0;
    if (wait <= 1200) due = Math.max(due, clock() + wait);
    return later(work, delay, ...given);
  };
  Object.defineProperty(globalThis, 'webtoolDue', {get: () => due - clock(), enumerable: false});
})()"""

# Lazy parts load when they come into view: go down a screen at a time, at most `screens` of them, and back up.
SCROLL_DOWN = """(async (screens) => {
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
})"""

# The document element serialised, as it is seen. Where components keep their content in open shadow trees, these take
# the place of their hosts' children and slots are filled (DOM Standard, "flattened slottables"); a frame of the same
# origin is written as what its body holds. The copy is made in a document without a window, where nothing loads and no
# component starts. An element that cannot be seen gets the attribute `mark` with the reason, which Python reads
# (webtool.html.visibility); text without a colour, a size or a place of its own is left out and counted. Beyond `most`
# elements nothing is judged: the page is written as it stands.
SNAPSHOT = r"""((limit, mark, most) => {
  const OUT = -500;  // pixels to the left or above, where text is put that nobody is to see
  const styled = new Map();
  const styleOf = (element) => {
    let style = styled.get(element);
    if (style === undefined) styled.set(element, style = element.ownerDocument.defaultView.getComputedStyle(element));
    return style;
  };
  const rgba = (text) => {
    const parts = (text.match(/[\d.]+/g) || []).map(Number);
    return /^rgba?\(/.test(text) && parts.length >= 3 ? [parts[0], parts[1], parts[2], parts[3] ?? 1] : null;
  };
  const parentOf = (element) => element.assignedSlot || element.parentElement || element.getRootNode().host || null;
  const grounds = new Map();  // element -> the opaque colour behind its text, null where a picture may be there
  const groundOf = (element) => {
    const passed = [];
    let ground = [255, 255, 255];
    for (let at = element; at; at = parentOf(at)) {
      if (grounds.has(at)) { ground = grounds.get(at); break; }
      passed.push(at);
      const style = styleOf(at);
      const colour = rgba(style.backgroundColor);
      const isPainted = style.backgroundImage !== 'none' || (style.position !== 'static' && at !== document.body
        && (at.previousElementSibling || at.querySelector('img, picture, video, canvas, svg')));
      if (isPainted || !colour || (colour[3] > 0 && colour[3] < 0.9)) { ground = null; break; }
      if (colour[3] >= 0.9) { ground = colour; break; }
    }
    for (const one of passed) grounds.set(one, ground);
    return ground;
  };
  const isAnimated = (element) => element.getAnimations().some((one) => one.playState === 'running');
  const reasonOf = (element, style) => {
    if (style.display === 'none')
      return element.hasAttribute('popover') ? 'popover' : element.hasAttribute('hidden') ? 'hidden' : 'display';
    if (style.contentVisibility === 'hidden' && element.getAttribute('hidden') !== 'until-found') return 'display';
    if (Number(style.opacity) < 0.05 && !isAnimated(element)) return 'opacity';
    if (style.display === 'contents' || element.namespaceURI !== 'http://www.w3.org/1999/xhtml') return '';
    const clips = /hidden|clip|scroll|auto/.test(style.overflowX + style.overflowY);
    const isPlaced = style.position === 'absolute' || style.position === 'fixed';
    if (isPlaced && /^rect\(([01]px,? ?){4}\)$/.test(style.clip)) return 'clip';
    if (/^(inset\((100|[5-9]\d)%|circle\(0|ellipse\(0)/.test(style.clipPath)) return 'clip';
    if (!clips && !isPlaced && style.transform === 'none' && style.scale === 'none') return '';
    const box = element.getBoundingClientRect();
    if (clips && (box.width <= 1 || box.height <= 1) && style.display !== 'inline')
      return box.width > 1 && !isPlaced ? 'height' : 'size';
    if ((style.transform !== 'none' || style.scale !== 'none') && element.offsetWidth > 1 && box.width * box.height < 1)
      return 'transform';
    const view = element.ownerDocument.defaultView;
    if (isPlaced && (box.right + view.scrollX <= OUT || box.bottom + view.scrollY <= OUT)) return 'position';
    return '';
  };
  const isUnseen = (element, style) => {  // of the text right inside an element
    if (style.visibility !== 'visible' && element.localName !== 'option') return true;
    if (parseFloat(style.fontSize) < 3) return true;
    if (parseFloat(style.textIndent) <= OUT && style.display !== 'inline') return true;
    const colour = rgba(style.webkitTextFillColor) || rgba(style.color);
    if (!colour || /text/.test(style.backgroundClip) || element.namespaceURI !== 'http://www.w3.org/1999/xhtml')
      return false;
    if (style.textShadow !== 'none') return false;
    if (colour[3] < 0.05) return true;
    const ground = groundOf(element);
    return ground !== null && [0, 1, 2].every((i) => Math.abs(colour[i] - ground[i]) <= 8);
  };
  const silent = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'textarea', 'option']);
  let unseen = 0, left = most;
  const DEEPEST = 3;  // frames in frames
  const documentIn = (element) => {
    if (!['iframe', 'frame'].includes(element.localName)) return null;
    try {
      const body = element.contentDocument && element.contentDocument.body;
      return body && (body.textContent.trim() || body.querySelector('iframe, frame')) ? body : null;
    } catch (refused) { return null; }  // of another origin
  };
  const flattened = (root) => {
    const inert = document.implementation.createHTMLDocument('');
    const copy = inert.importNode(root, false);
    const stack = [[root, copy, false, true, false, 0]];
    while (stack.length) {
      const [from, to, inShadow, judged, hidesText, depth] = stack.pop();
      const isHost = from.shadowRoot !== null;
      const slotted = inShadow && from.localName === 'slot' ? from.assignedNodes() : [];
      const children = isHost ? from.shadowRoot.childNodes : slotted.length ? slotted : from.childNodes;
      for (const child of children) {
        // A component's style rules are meant for nothing outside of it.
        if ((isHost || inShadow) && ['style', 'link'].includes(child.localName)) continue;
        if (child.nodeType === Node.TEXT_NODE && hidesText && child.data.trim()) {
          unseen += child.data.trim().length;
          continue;
        }
        const twin = inert.importNode(child, false);
        to.appendChild(twin);
        if (child.nodeType !== Node.ELEMENT_NODE) continue;
        twin.removeAttribute(mark);
        let below = judged && !silent.has(child.localName), hides = false;
        if (below && (left -= 1) > 0) {
          const style = styleOf(child);
          const reason = reasonOf(child, style);
          if (reason) { twin.setAttribute(mark, reason); below = false; }
          else hides = isUnseen(child, style);
        }
        if (depth > 0)  // the frame's addresses are not the page's
          for (const name of ['href', 'src'])
            if (typeof child[name] === 'string' && child.hasAttribute(name)) twin.setAttribute(name, child[name]);
        const inner = depth < DEEPEST ? documentIn(child) : null;
        if (inner) {
          const place = inert.createElement('div');
          to.replaceChild(place, twin);
          if (below && twin.hasAttribute(mark)) place.setAttribute(mark, twin.getAttribute(mark));
          stack.push([inner, place, false, below, hides, depth + 1]);
        } else stack.push([child, twin, isHost || inShadow, below, hides, depth]);
      }
    }
    return copy;
  };
  const root = document.documentElement;
  const count = document.getElementsByTagName('*').length;
  const html = root ? (count <= most ? flattened(root) : root).outerHTML : '';
  const canvases = [...document.getElementsByTagName('canvas')].filter((one) => one.width * one.height > 40000).length;
  const facts = {title: document.title, url: location.href, type: document.contentType, unseen, canvases,
                 words: document.body ? document.body.innerText.trim().length : 0,
                 quirks: document.compatMode === 'BackCompat', length: html.length};
  return html.length > limit ? facts : {...facts, html};
})"""
