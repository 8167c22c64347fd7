// A function of the members of dom.js and styles.js. Returns a function that gives the children of a box in the order in which a
// person sees them, without the copies of an endless loop; null if that is the document's order.
//
// Example: <div style="display: flex; flex-direction: row-reverse"><b>now</b><b>Buy</b></div> -> "Buy now"
((dom, styles) => {
  const {aboveOf, animationsIn, boxOf, findAll, get, parentOf, query, textOf, typeOf} = dom;
  const {PICTURES, positionOf, styleOf, uses} = styles;
  const MAX_KIDS = 5000, MAX_LOOP = 200;  // children of a box that are put in order, and that are searched for copies
  const MAX_MOVING = 300;  // elements that move
  const isElement = (node) => typeOf(node) === Node.ELEMENT_NODE;
  const isSorted = (nodes, compare) => nodes.every((node, i) => i === 0 || compare(nodes[i - 1], node) <= 0);

  // Node -> its value. An element has that of valueOf(). Where this is null, and for the space behind an element, it is the value of
  // the node before, so that the two stay together. Other text has `start`.
  const valuesOf = (nodes, valueOf, start) => {
    const values = new Map();
    let last = start;
    for (const node of nodes) {
      if (isElement(node)) last = valueOf(node) ?? last;
      else if (node.data?.trim()) last = start;
      values.set(node, last);
    }
    return values;
  };
  // A box that wraps has several lines, or columns. A child begins one if it does not follow the child before it in the direction
  // of the line, or is not beside it.
  const linesOf = (nodes, isRow, isBackward) => {
    const lines = [[]];
    let before = null;  // {from, low, high}: where the last child begins in its line, and the edges of the line
    for (const node of nodes) {
      const box = isElement(node) ? boxOf(node) : null;
      if (box && box.width * box.height > 0) {
        const [start, end] = isRow ? [box.left, box.right] : [box.top, box.bottom];  // along the line
        let [low, high] = isRow ? [box.top, box.bottom] : [box.left, box.right];  // across it
        const from = isBackward ? -end : start;
        const isBeside = before !== null && from > before.from && low < before.high && high > before.low;
        if (isBeside) [low, high] = [Math.min(low, before.low), Math.max(high, before.high)];
        else if (before !== null) lines.push([]);
        before = {from, low, high};
      }
      lines[lines.length - 1].push(node);
    }
    return lines;
  };
  const ofFlex = (nodes, style) => {
    const orders = valuesOf(nodes, (node) => Number(styleOf(node).order) || 0, 0);
    const compare = (a, b) => orders.get(a) - orders.get(b);
    const {flexDirection, flexWrap} = style, isReversed = flexDirection.endsWith('-reverse');
    const isUpward = flexWrap === 'wrap-reverse';
    if (!isReversed && !isUpward && isSorted(nodes, compare)) return null;
    const sorted = nodes.sort(compare), isRow = flexDirection.startsWith('row');
    const lines = flexWrap === 'nowrap' ? [sorted] : linesOf(sorted, isRow, isReversed !== (isRow && style.direction === 'rtl'));
    return (isUpward ? lines.reverse() : lines).flatMap((line) => (isReversed ? line.reverse() : line));
  };
  // Cells of a grid come row by row. A grid that is written column by column stays so.
  const trackAt = (tracks, gap, begin, place) => {  // the number of the track in which a box begins
    let end = begin, number = 0;
    for (const track of tracks) {
      end += track + gap;
      if (place < end - 1) break;
      number += 1;
    }
    return number;
  };
  const ofGrid = (nodes, style, box) => {
    const rows = (style.gridTemplateRows.match(/[\d.]+px/g) ?? []).map(parseFloat), {left, right, top} = boxOf(box);
    const begin = top + parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop), gap = parseFloat(style.rowGap) || 0;
    const placeOf = (node) => {
      const own = boxOf(node), column = style.direction === 'rtl' ? right - own.right : own.left - left;
      return own.width * own.height > 0 ? {row: trackAt(rows, gap, begin, own.top), column} : null;
    };
    const places = valuesOf(nodes, placeOf, {row: 0, column: 0});
    const by = (first, second) => (a, b) =>
      places.get(a)[first] - places.get(b)[first] || places.get(a)[second] - places.get(b)[second];
    const isWritten = isSorted(nodes, by('row', 'column')) || isSorted(nodes, by('column', 'row'));
    return isWritten ? null : nodes.sort(by('row', 'column'));
  };
  const ofTable = (nodes) => {  // its head and foot may be written elsewhere
    const rankOf = (node) => ({'table-header-group': -1, 'table-footer-group': 1})[styleOf(node).display] ?? 0;
    const ranks = valuesOf(nodes, rankOf, 0), compare = (a, b) => ranks.get(a) - ranks.get(b);
    return isSorted(nodes, compare) ? null : nodes.sort(compare);
  };
  // Rows that scripts place one below the other are used again for other content, and get out of order.
  const ofPlaced = (nodes) => {
    const rows = nodes.filter(isElement), boxes = new Map(rows.map((row) => [row, boxOf(row)]));
    const byTop = (a, b) => boxes.get(a).top - boxes.get(b).top;
    if (rows.length < 2 || isSorted(rows, byTop) || nodes.some((node) => !isElement(node) && node.data.trim())) return null;
    rows.sort(byTop);
    const begin = boxes.get(rows[0]).left;
    const isBelow = (row, above) => boxes.get(row).top >= boxes.get(above).bottom - 1 && boxes.get(row).left === begin;
    return rows.every((row, i) => positionOf(row) === 'absolute' && (i === 0 || isBelow(row, rows[i - 1]))) ? rows : null;
  };

  // The first of several boxes that float to the right is the last of their line.
  const ofFloats = (nodes) => {
    const floats = nodes.filter((node) => isElement(node) && styleOf(node).float === 'right');
    const boxes = new Map(floats.map((node) => [node, boxOf(node)]));
    const sorted = floats.sort((a, b) => boxes.get(a).top - boxes.get(b).top || boxes.get(a).left - boxes.get(b).left);
    let next = 0;
    return nodes.map((node) => (boxes.has(node) ? sorted[next++] : node));
  };

  // A loop shows its content again, so that it never ends: the content is there twice or more often, in a box that clips and moves.
  // Example: <div class=track><b>Alpha</b><b>Beta</b><b>Alpha</b><b>Beta</b></div> -> "Alpha Beta"
  const isTravel = (frame) => /translate|matrix/.test(frame.transform)
    || [frame.translate, frame.left, frame.top, frame.marginLeft].some(Boolean);
  const isEndless = (effect) => effect?.getTiming().iterations === Infinity && effect.getKeyframes().some(isTravel);
  const running = animationsIn(document).slice(0, MAX_MOVING).filter(({effect}) => isEndless(effect))
    .map(({effect}) => effect.target);
  const moving = new Set([...running, ...[...query(document, '[style*="translate"], [style*="matrix"]')].slice(0, MAX_MOVING)]);
  const frames = new Set(running.filter(Boolean).map(aboveOf));  // boxes whose children move
  const isLoop = (box, nodes) => isClipped(box)
    && (moving.has(box) || (frames.has(box) && nodes.filter(isElement).every((kid) => moving.has(kid))));
  const isClipped = (box) => {
    for (let outer = box, steps = 0; outer && steps < 4; outer = parentOf(outer), steps += 1)
      if (/hidden|clip/.test(styleOf(outer).overflow)) return true;
    return false;
  };
  const CLONE = /clone|duplicate/i;
  const labelOf = (element) => get(element, 'src') || get(element, 'aria-label') || '';
  const wordsFor = (kid) => {
    const labels = [kid, ...findAll(kid, PICTURES)].map(labelOf).join('');
    return {text: textOf(kid).replace(/\s+/g, ''), labels};
  };
  const isAlike = (a, b) => a.text === b.text && a.labels === b.labels;
  // Whether the first box has the whole content, and the others show it again in parts. Example: AB, A, B, A, B
  const repeatsFirst = ([first, ...others]) => {
    let text = '', labels = '';  // of the parts of a copy so far
    for (const other of others) {
      text += other.text;
      labels += other.labels;
      if (!first.text.startsWith(text) || !first.labels.startsWith(labels)) return false;
      if (isAlike({text, labels}, first)) text = labels = '';
    }
    return !text && !labels;
  };
  const withoutCopies = (nodes) => {
    const kids = nodes.filter(isElement).slice(0, MAX_LOOP), words = kids.map(wordsFor);
    const isClone = (kid) => CLONE.test(get(kid, 'class') || '');
    const isPeriod = (length) => kids.length % length === 0 && words.every((word, i) => isAlike(word, words[i % length]));
    // After how many children the content begins again: 2 for A, B, A, B; -1 if only class names tell the copies.
    const period = repeatsFirst(words) ? 1 : kids.findIndex((_, i) => i > 0 && isPeriod(i));
    const hasOriginal = (i) => kids.some((kid, other) => !isClone(kid) && isAlike(words[i], words[other]));
    const copies = new Set(kids.filter((kid, i) => (period > 0 ? i >= period : isClone(kid) && hasOriginal(i))));
    return nodes.filter((node) => !copies.has(node));
  };

  const sortFor = (first) => {  // for the children of a box that sorts nothing itself
    if (positionOf(first) === 'absolute') return ofPlaced;
    return uses.float && styleOf(first).float === 'right' ? ofFloats : null;
  };
  const SORTS = {flex: ofFlex, grid: ofGrid, table: ofTable};
  // `nodesOf()` gives the element's children, those of its shadow tree, or those that fill a slot; `start` and `second` are the first
  // two of them. An element with display: contents has no box: its children are in that of the element around it.
  return (element, start, second, nodesOf) => {
    if (!start || !second) return null;
    let box = element, {display} = styleOf(box);
    for (let steps = 0; steps < 5 && display === 'contents'; steps += 1) {
      box = parentOf(box) ?? box;
      ({display} = styleOf(box));
    }
    const first = isElement(start) ? start : second;
    const sort = SORTS[display.replace('inline-', '')] ?? (isElement(first) ? sortFor(first) : null);
    if (!sort && !moving.has(box) && !frames.has(box)) return null;
    const nodes = nodesOf(), mayLoop = moving.has(box) || frames.has(box);
    if (nodes.length > MAX_KIDS) return null;
    const all = [...nodes], kept = mayLoop && isLoop(box, all) ? withoutCopies(all) : all;
    return sort?.(kept, styleOf(box), box) ?? (kept.length < nodes.length ? kept : null);
  };
})
