// Runs in the page's own world, before its scripts. Removes interfaces whose connections would bypass the proxy
// (WebRTC, WebTransport) or outlive the page (service workers). The browser's flags and the proxy block them as well.
// A page without service workers behaves as it does in browsers that lack them.
(() => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'])
    delete globalThis[name];
  if (globalThis.Navigator) delete Navigator.prototype.serviceWorker;
})();
