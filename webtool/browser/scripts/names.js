// A function of the members of dom.js. Returns functions that name copies of elements so that the tree survives being read again.
//
// Scripts build trees that no HTML parser would: a block in a paragraph, a link in a link, a row outside of a table (HTML
// Standard 13.2.6.4.7, "in body"). `top` describes where a copy goes: `to` is the element around it, `paragraph` the copy of
// the <p> around it or null, `open` the names of INLINE_ONCE around it.
// Example: <p>from <x-tip><div>20 euros</div></x-tip> a month -> <p>from <x-tip><span> 20 euros </span></x-tip> a month
(({append, attributesOf, closest, find, get, nameOf, rootOf}) => {
  const names = (text) => new Set(text.split(' '));
  const BOXES = names('address article aside center details dialog div fieldset figcaption figure footer form header hgroup '
    + 'main nav search section summary');
  const STRUCTURES = names('blockquote dd dl dt h1 h2 h3 h4 h5 h6 hr li listing menu ol p pre table ul');  // these end a <p>, too
  const INLINE_ONCE = names('a button nobr');  // an element of this name ends another one around it
  const CELL_PARENTS = new Map([['tr', names('tbody thead tfoot table')], ['td', names('tr')], ['th', names('tr')],
    ['tbody', names('table')], ['thead', names('table')], ['tfoot', names('table')], ['caption', names('table')]]);
  const IN_TABLES = names('table tbody thead tfoot tr');
  const NOT_PLACED = names('script style template form input');  // a parser lets these stay between rows
  // In place of a body, a parser takes nothing but frames, and in a body it takes none.
  const OUTSIDE_OF_BODY = new Map([['frameset', 'div'], ['frame', 'iframe']]);
  const broken = new Set();  // copies of paragraphs that hold what no paragraph can

  const breakParagraph = (top) => { if (top.paragraph) broken.add(top.paragraph); };
  const nameIn = (name, top) => {  // the name for a copy in top.to; '' for its children alone
    const parent = nameOf(top.to);
    if (OUTSIDE_OF_BODY.has(name)) return OUTSIDE_OF_BODY.get(name);
    if (IN_TABLES.has(parent) && !CELL_PARENTS.has(name) && !NOT_PLACED.has(name) && !/^col/.test(name)) return '';
    if (CELL_PARENTS.has(name) && !CELL_PARENTS.get(name).has(parent)) return 'div';
    if (INLINE_ONCE.has(name) && top.open.has(name)) return 'span';
    if (name === 'form' && top.open.has(name)) return 'div';
    if (/^h[1-6]$/.test(name) && /^h[1-6]$/.test(parent)) return 'span';
    if (!top.paragraph || !(BOXES.has(name) || STRUCTURES.has(name))) return name;
    if (BOXES.has(name) && parent !== 'p') return 'span';
    breakParagraph(top);
    return name;
  };
  // Components that are a tree by their roles, such as Shoelace's, are read as nested lists.
  const TREE = new Map([['tree', 'ul'], ['treeitem', 'li'], ['group', 'ul']]);
  // Some grids, such as FullCalendar's month, are a table of tables: one for the headers, one for the rows. Those inside have
  // the rows and cells, and the parts of the outer one are boxes.
  // Example: <table role=grid><tr role=presentation><td role=presentation><table><tr role=row><td role=gridcell>9</table></table>
  const CELL_ROLES = names('cell gridcell columnheader rowheader'), LETTERS = names('b strong i em p label li span small');
  const TABLE_PARTS = names('table thead tbody tfoot tr td th');
  const isFrame = (element, role) => (/^(presentation|none)$/.test(role) && find(element, 'table [role=row]'))
    || (/^(tree)?grid$|^table$/.test(role) && find(element, ':is([role=presentation], [role=none]) > table [role=row], '
      + ':is([role=presentation], [role=none]) > * table [role=row]'));
  const roleName = (element, name) => {
    const role = get(element, 'role');
    if (TABLE_PARTS.has(name) && role && isFrame(element, role)) return 'div';
    if (CELL_ROLES.has(role) && LETTERS.has(name)) return 'div';
    const isItem = role !== 'group' || closest(rootOf(element).host ?? element, '[role=treeitem]');
    return TREE.has(role) && isItem && (name.includes('-') || role === 'group') ? TREE.get(role) : name;
  };
  const openIn = (to, top) => {  // `open` and `paragraph` of what is copied into the element `to`
    const name = nameOf(to), open = top?.open ?? new Set(), endsScope = CELL_PARENTS.has(name) || name === 'button';
    return {open: INLINE_ONCE.has(name) || name === 'form' ? new Set([...open, name]) : open,
            paragraph: name === 'p' ? to : endsScope ? null : top?.paragraph ?? null};
  };
  const renamed = (element, name, inert) => {
    const copy = inert.createElement(name);
    for (const attribute of attributesOf(element)) copy.setAttributeNode(attribute.cloneNode());
    return copy;
  };
  const mendParagraphs = (inert) => {
    for (const paragraph of broken) {
      const box = renamed(paragraph, 'div', inert);
      while (paragraph.firstChild) append(box, paragraph.firstChild);
      paragraph.replaceWith(box);
    }
  };
  return {nameIn, roleName, openIn, breakParagraph, renamed, mendParagraphs};
})
