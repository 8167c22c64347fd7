// Runs in a worker just before the worker's script. The browser would define WebTransport again at that moment, unless it
// exists and cannot be changed.
Object.defineProperty(globalThis, 'WebTransport', {value: undefined})
