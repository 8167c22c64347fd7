// A method of a frame element. Notes the number that Python gave to the frame, in the isolated world of its document. The key
// is a symbol, because the id of an element is a global name in every world.
function nameFrame(number) { (globalThis[Symbol.for('webtool')] ??= new WeakMap()).set(this, number); }
