// A method of an element. Notes, in the isolated world of its document, what Python found out about it: the number of a frame,
// or a closed shadow tree. The key is a symbol, because the id of an element is a global name in every world.
function note(value) { (globalThis[Symbol.for('webtool')] ??= new WeakMap()).set(this, value); }
