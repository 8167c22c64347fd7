// A grid of pictures, and one of them open in a dialog, as a link to it opens.
import * as Dialog from '@radix-ui/react-dialog';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';

const words = 'The keeper climbs the tower each evening and lights the lamp, which can be seen from twenty miles out at sea.';
const content = h(Dialog.Content, { style: { position: 'fixed', inset: 60, background: '#fff' } },
  h(Dialog.Title, null, 'The lighthouse'), h(Dialog.Description, null, 'Taken at dusk from the pier.'), h('p', null, words),
  h(Dialog.Close, null, 'Close'));
createRoot(document.querySelector('#root')).render([
  h('main', { key: 1 }, h('h1', null, 'Photos'), h('ul', null, [1, 2, 3].map((n) => h('li', { key: n }, h('a', { href: `/${n}` }, `Photo ${n}`))))),
  h(Dialog.Root, { key: 2, defaultOpen: true }, h(Dialog.Portal, null, content)),
]);
