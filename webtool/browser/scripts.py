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

SNAPSHOT = """((limit) => {
  const root = document.documentElement;
  const html = root ? root.outerHTML : '';
  const facts = {title: document.title, url: location.href, type: document.contentType,
                 quirks: document.compatMode === 'BackCompat', length: html.length};
  return html.length > limit ? facts : {...facts, html};
})"""
