// A thread of the engine in Node: a browser's worker, as far as the engine's script needs it.
import { parentPort, workerData } from 'node:worker_threads';

Object.assign(globalThis, {
  self: globalThis,
  name: workerData.name,
  location: { href: workerData.script },
  importScripts() {},
  postMessage: (...given) => parentPort.postMessage(...given),
});
await import(workerData.script);
parentPort.on('message', (data) => globalThis.onmessage({ data }));
