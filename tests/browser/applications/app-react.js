import { createElement as h, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';

const wait = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
const Late = lazy(() => wait(300, { default: () => h('p', null, 'The lazy part has come.') }));

function Feed() {
  const [count, setCount] = useState(10);
  const end = useRef(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry.isIntersecting) setCount((old) => Math.min(40, old + 10));
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [count]);
  return h('section', null, h('h2', null, 'Harbour news'),
    Array.from({ length: count }, (_, i) => h('article', { key: i, style: { height: 180 } }, `News item ${i + 1}.`)),
    h('div', { ref: end, style: { height: 10 } }));
}

function Skeleton() {
  const [data, setData] = useState(null);
  useEffect(() => { wait(900, 'The boats came in at noon.').then(setData); }, []);
  return data ? h('p', null, data) : h('div', { className: 'skeleton', 'aria-busy': true }, 'Loading placeholder');
}

function Tabs() {
  const [open, setOpen] = useState(0);
  const names = ['Tides', 'Winds'];
  return h('div', null,
    h('div', { role: 'tablist' }, names.map((name, i) =>
      h('button', { key: name, role: 'tab', id: `t${i}`, 'aria-controls': `p${i}`, 'aria-selected': i === open,
                    onClick: () => setOpen(i) }, name))),
    names.map((name, i) => h('div', { key: name, role: 'tabpanel', id: `p${i}`, 'aria-labelledby': `t${i}`, hidden: i !== open },
      `All about ${name.toLowerCase()} in this panel.`)));
}

function App() {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    if (path === '/') { history.replaceState(null, '', '/harbour/today'); setPath('/harbour/today'); }
    document.title = 'Harbour today';
  }, [path]);
  if (path === '/') return h('p', null, 'Wrong route');
  return h('main', null, h('h1', null, 'Harbour today'),
    h(Suspense, { fallback: h('p', null, 'Waiting placeholder') }, h(Late)), h(Skeleton), h(Tabs),
    createPortal(h('aside', null, h('p', null, 'A notice through a portal.')), document.getElementById('notices')),
    h(Feed));
}
createRoot(document.getElementById('root')).render(h(App));
