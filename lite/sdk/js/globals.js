// Before the engine's own script, in its function. Its memory now, which any thread may make grow:
Module['memory'] = () => wasmMemory.buffer;
// What browsers have as globals, for Node has none.
var Worker = Module['Worker'];
var importScripts = Module['importScripts'] || globalThis.importScripts;
var self = Module['self'] || globalThis.self;
