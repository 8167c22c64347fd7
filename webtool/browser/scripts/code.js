// A function of the members of dom.js, styles.js and visible.js. Returns functions that find code which is not one <pre>: the lines
// of an editor (CodeMirror, Monaco, Ace), text in a fixed-width font or a field, and tables that compare two versions.
((dom, styles, visible) => {
  const {aboveOf, append, boxOf, closest, contains, elementsIn, find, findAll, firstElementOf, get, getter, kidsOf, nameOf,
         nextElementOf, set, textNodesIn, textOf, typeOf} = dom;
  const {styleOf, isMonospaced} = styles;
  const keepsSpaces = ({whiteSpace}) => /^(pre|break-spaces)/.test(whiteSpace);

  const blockOf = (text, language, inert) => {
    const block = inert.createElement('pre'), content = inert.createElement('code');
    if (language) set(content, 'class', `language-${language}`);
    append(content, inert.createTextNode(text));
    append(block, content);
    return block;
  };

  // What a field for several lines shows is what was typed into it, and not its text in the document.
  // Example: <textarea>old</textarea> with the value "server {\n}" -> <pre><code>server {\n}</code></pre>
  const valueOf = getter(HTMLTextAreaElement, 'value');
  const typedText = (field, inert) => {  // null for an empty one
    const text = field instanceof HTMLTextAreaElement ? valueOf(field) : '';
    return text.trim() && !visible.isUnseen(field, styleOf(field)) ? blockOf(text, '', inert) : null;
  };

  const isHidden = (element) => visible.reasonOf(element, styleOf(element)) !== '';

  // Each line of CodeMirror 5 is a <pre>, alone or in a box with its number.
  const blockIn = (box) => {
    let child = firstElementOf(box);
    while (child && nameOf(child) !== 'pre') child = nextElementOf(child);
    return child;
  };
  const linesOf = (element) => {  // empty for another element
    const first = firstElementOf(element);
    if (!first || !(nameOf(first) === 'pre' || blockIn(first))) return [];
    const lines = elementsIn(element).map((child) => nameOf(child) === 'pre' ? child : blockIn(child));
    if (lines.length < 2 || lines.includes(null)) return [];
    const isBelow = (line, i) => i === 0 || Math.abs(boxOf(line).top - boxOf(lines[i - 1]).bottom) < 2;
    return lines.every((line, i) => !textOf(line).trim().includes('\n') && isBelow(line, i)) ? lines : [];
  };
  // Other editors show code as boxes, one a line.
  const isLine = (element) => /^(block|flex|grid|list-item)$/.test(styleOf(element).display);
  // A <pre> may have a box a line, without line ends. Example: a terminal's <pre><span style="display: block">$ ls</span> ...
  const holderOf = (pre) => {  // the <code> in it, if that is all
    const [first, second] = elementsIn(pre);
    return first && !second && nameOf(first) === 'code' ? first : pre;
  };
  const hasBlockLines = (holder) => {
    const lines = elementsIn(holder);
    return lines.length > 1 && !textOf(holder).trim().includes('\n') && lines.every(isLine)
      && [...kidsOf(holder)].every((child) => typeOf(child) === Node.ELEMENT_NODE || !child.data.trim());
  };
  const isEditor = (element, style) => {
    if (nameOf(element) === 'pre') return hasBlockLines(holderOf(element));
    const lines = elementsIn(element), isEditable = style.webkitUserModify !== 'read-only';
    if (lines.length < (isEditable ? 1 : 2) || !lines.every(isLine) || !isMonospaced(styleOf(lines[0]))) return false;
    const isPlaced = (line) => styleOf(line).position === 'absolute';
    if (!isEditable && style.whiteSpace === 'nowrap' && !lines.every(isPlaced)) return false;
    const isText = (child) => typeOf(child) === Node.TEXT_NODE && child.data.trim();
    return ![...kidsOf(element)].some(isText) && !closest(element, 'pre, code, table');
  };
  // Text in a fixed-width font whose line ends count is code, too. Example: CodeJar's <div contenteditable>, a log.
  const isCode = (element, style) => {
    if (!keepsSpaces(style) || /^(pre|code|textarea|td|th)$/.test(nameOf(element)) || !isLine(element)
        || !isMonospaced(style) || closest(element, 'pre, code, table')) return false;
    return /\S\s*\n/.test(textOf(element).trim())
      && elementsIn(element).every((child) => /^inline|^none/.test(styleOf(child).display));
  };
  const languageOf = (element) => {
    const owner = closest(element, '[data-language], [data-mode-id], [class*="language-"]') || closest(element, '[data-uri]');
    const name = owner && (get(owner, 'data-language') || get(owner, 'data-mode-id')
      || /\.(\w{1,12})$/.exec(get(owner, 'data-uri') || '')?.[1]
      || /\blanguage-([\w+#]{1,20})/.exec(get(owner, 'class') || '')?.[1]);
    return /^[\w+#-]{1,20}$/.test(name || '') ? name : '';
  };
  const isLineNumbers = (element, style) => {  // the numbers 1, 2, 3 ... beside an editor
    const EDITABLE = '[contenteditable], textarea, [role=textbox], [role=code]';
    if (get(element, 'aria-hidden') !== 'true' && style.userSelect !== 'none') return false;
    let owner = aboveOf(element);
    for (let steps = 0; owner && steps < 3 && !find(owner, EDITABLE); steps += 1) owner = aboveOf(owner);
    if (!owner || !find(owner, EDITABLE)) return false;
    const isMark = (text) => /^\d{1,6}$|^[^\p{L}\p{N}]{1,2}$/u.test(text);  // of a line: to fold it, or that it has changed
    const numbers = [];
    for (const node of textNodesIn(element)) {
      const text = node.data.trim();
      if (text && !isMark(text)) return false;
      if (/^\d/.test(text)) numbers.push(Number(text));
      if (numbers.length > 2000) break;
    }
    const steps = numbers.filter((number, i) => i && number === numbers[i - 1] + 1).length;
    return steps > 0 && steps >= (numbers.length - 1) / 2;
  };

  // An editor may show old lines among the new ones: boxes between its lines (CodeMirror), or a layer of its own before them
  // (Monaco). Both are copied as code in the language "diff".
  // Example: <div><div class=removed>return 0</div><div class=changed>return None</div></div> -> "-return 0", "+return None"
  const OLD = /delet|remov/i, NEW = /insert|added|changed/i;
  const isOld = (element) => OLD.test(get(element, 'class') || '') || nameOf(element) === 'del';
  const isOldLayer = (element, style) => {
    const mayBeLayer = OLD.test(get(element, 'class') || '') && style.position === 'absolute' && aboveOf(element);
    const frame = mayBeLayer && aboveOf(aboveOf(element));
    return frame ? elementsIn(frame).some((other) => !contains(other, element) && isEditor(other, styleOf(other))) : false;
  };
  const linesInBox = (box) => {
    const lines = [...findAll(box, '*')].filter((inner) => isLine(inner) && !elementsIn(inner).some(isLine)
      && !find(inner, 'button'));
    return lines.length ? lines : [box];
  };
  const lineText = (line) => [...textNodesIn(line)].filter((node) => !isHidden(aboveOf(node)) && !closest(aboveOf(node), 'button'))
    .map((node) => node.data).join('').replace(/\u00a0/g, ' ').replace(/[\u200b\n]/g, '').trimEnd();
  const changeOf = (editor, inert) => {  // null for an editor without old lines
    const frame = aboveOf(editor), added = [...findAll(frame, '[class*="line-insert"]')].map(boxOf), lines = [];
    const isIn = (line, box) => box.top <= line.top + line.height / 2 && box.bottom >= line.top + line.height / 2;
    const isNew = (line) => NEW.test(get(line, 'class') || '') || added.some((box) => isIn(boxOf(line), box));
    const layers = [...findAll(frame, '[class*="delete"]')].filter((layer) => isOldLayer(layer, styleOf(layer)));
    const olds = new Set([...elementsIn(editor).filter(isOld), ...layers].filter(lineText));
    if (!olds.size) return null;
    const add = (sign, line) => lines.push({text: sign + lineText(line), top: boxOf(line).top});
    for (const box of olds) for (const line of linesInBox(box)) add('-', line);
    for (const line of elementsIn(editor)) if (!olds.has(line) && !isOld(line)) add(isNew(line) ? '+' : ' ', line);
    return blockOf(lines.sort((a, b) => a.top - b.top).map((line) => line.text.trimEnd()).join('\n'), 'diff', inert);
  };

  // A diff view is a table of line numbers and lines. It is copied as code in the language "diff", without the numbers; old
  // lines come before new ones where they are side by side.
  // Example: <tr><td>3</td><td></td><td>-</td><td>return 0</td></tr> -> "-return 0"
  const SIGNS = new Map([['+', '+'], ['-', '-'], ['\u2212', '-']]);
  const isNumber = (text) => /^[\s\d]*\d[\s\d]*$/.test(text);
  const piecesOf = (cell) => {  // its texts; spaces between elements count where the style keeps them
    const pieces = [];
    for (const node of textNodesIn(cell)) {
      const owner = aboveOf(node), text = node.data;
      if (pieces.length >= 500) break;
      if (isHidden(owner)) continue;
      if (keepsSpaces(styleOf(owner))) pieces.push(text.replace(/\n/g, ''));
      else if (/[^\s\u00a0]/.test(text)) pieces.push(text.trim());
    }
    return pieces;
  };
  const signOf = (cell) => {  // from the style sheet, or from class names where no sign is drawn
    for (const element of [cell, firstElementOf(cell), cell.lastElementChild])
      if (element) {
        const drawn = getComputedStyle(element, '::before').content.replace(/["\s]/g, '');
        if (SIGNS.has(drawn)) return SIGNS.get(drawn);
      }
    const names = `${get(cell, 'class') || ''} ${get(aboveOf(cell), 'class') || ''}`;
    if (/\b(del(eted?|etion)?|removed?|removal|minus)\b/i.test(names)) return '-';
    return /\b(ins(erted|ertion)?|add(ed|ition)?|plus)\b/i.test(names) ? '+' : ' ';
  };
  const linesOfRow = (row) => {  // {isNumbered, sides: [[sign, text, cell], ...]}
    let isNumbered = false, sign = '';
    const sides = [], cells = elementsIn(row), last = cells[cells.length - 1];
    for (const cell of cells) {
      if (isHidden(cell)) continue;
      const pieces = piecesOf(cell), text = pieces.join('');
      if (isNumber(text) && !sign && cell !== last) { isNumbered = true; continue; }
      if (SIGNS.has(text.trim())) { sign = SIGNS.get(text.trim()); continue; }
      if (!text) continue;
      const first = pieces.length > 1 && SIGNS.has(pieces[0].trim()) ? SIGNS.get(pieces.shift().trim()) : '';
      if (pieces[0] === '\u00a0' && pieces.length > 1) pieces.shift();  // where the others have their sign
      sides.push([sign || first || signOf(cell), pieces.join(''), cell]);
      sign = '';
    }
    if (isNumbered && !sides.length) sides.push([sign || ' ', '', null]);
    return {isNumbered, sides};
  };
  const diffLinesOf = (rows) => {  // null for another table
    const lines = [], added = [];  // `added`: new lines that wait until the old ones before them are written
    let numbered = 0, changed = 0, fixed = 0;  // rows with a number; lines with a sign; numbered rows in a fixed-width font
    for (const row of rows) {
      const {isNumbered, sides} = linesOfRow(row), [left, right] = sides;
      if (!left) continue;
      const [sign, text, cell] = left;  // a row has an old and a new line side by side, or one line
      if (isNumbered) numbered += 1;
      changed += sides.filter((side) => side[0] !== ' ').length;
      if (cell && isNumbered && isMonospaced(styleOf(firstElementOf(cell) ?? cell))) fixed += 1;
      if (sign === '+' && !right) { added.push(`+${text}`); continue; }
      if (sign === '-') lines.push(`-${text}`);
      else if (right?.[0] !== '+') lines.push(...added.splice(0), isNumbered ? ` ${text}` : text);
      if (right?.[0] === '+') added.push(`+${right[1]}`);
    }
    return !changed || numbered < rows.length / 2 || fixed < numbered / 2 ? null : [...lines, ...added];
  };
  const diffOf = (table, inert) => {  // null for another table
    const rows = [...findAll(table, 'tr')].slice(0, 5000);
    if (rows.length < 3 || find(table, 'table')) return null;
    if (!rows.slice(0, 5).some((row) => elementsIn(row).some((cell) => isNumber(textOf(cell))))) return null;
    const lines = diffLinesOf(rows);
    if (!lines) return null;
    return blockOf(lines.map((line) => line.trimEnd().replace(/\u00a0/g, ' ')).join('\n'), 'diff', inert);
  };
  return {isEditor, holderOf, linesOf, typedText, isCode, languageOf, isLineNumbers, isOldLayer, changeOf, diffOf};
})
