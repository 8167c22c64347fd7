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

# The document element serialised. Where components keep their content in open shadow trees, these take the place of
# their hosts' children and slots are filled, as the page is seen (DOM Standard, "flattened slottables"). The copy is
# made in a document without a window, where nothing loads and no component starts.
SNAPSHOT = """((limit) => {
  const flattened = (root) => {
    const inert = document.implementation.createHTMLDocument('');
    const copy = inert.importNode(root, false);
    const stack = [[root, copy, false]];
    while (stack.length) {
      const [from, to, inShadow] = stack.pop();
      const isHost = from.shadowRoot !== null;
      const slotted = inShadow && from.localName === 'slot' ? from.assignedNodes() : [];
      const children = isHost ? from.shadowRoot.childNodes : slotted.length ? slotted : from.childNodes;
      for (const child of children) {
        // A component's style rules are meant for nothing outside of it.
        if ((isHost || inShadow) && ['style', 'link'].includes(child.localName)) continue;
        const twin = inert.importNode(child, false);
        to.appendChild(twin);
        if (child.nodeType === Node.ELEMENT_NODE) stack.push([child, twin, isHost || inShadow]);
      }
    }
    return copy;
  };
  const root = document.documentElement;
  const hasShadow = [...document.getElementsByTagName('*')].some((element) => element.shadowRoot !== null);
  const html = root ? (hasShadow ? flattened(root) : root).outerHTML : '';
  const facts = {title: document.title, url: location.href, type: document.contentType,
                 quirks: document.compatMode === 'BackCompat', length: html.length};
  return html.length > limit ? facts : {...facts, html};
})"""
