// A function of dom.js. It returns a function of tag names that returns the elements of these names that may have a closed shadow
// tree, those in shadow trees too.
((makeDom) => (names) => {
  const MAX_HOSTS = 300;
  const {method, nameOf, query, shadowOf} = makeDom(), queryTree = method(DocumentFragment, 'querySelectorAll');
  const hosts = [], roots = [document];
  for (const root of roots)
    for (const element of (root === document ? query : queryTree)(root, '*')) {
      const tree = shadowOf(element);
      if (tree) roots.push(tree); else if (names.includes(nameOf(element))) hosts.push(element);
    }
  return hosts.slice(0, MAX_HOSTS);
})
