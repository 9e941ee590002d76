// A thread of node_workers.mjs: what a browser's worker has, and the engine's script in it.
import { parentPort, workerData } from 'node:worker_threads';

globalThis.self = globalThis;
globalThis.postMessage = (...given) => parentPort.postMessage(...given);
await import(workerData);
parentPort.on('message', (data) => globalThis.onmessage({ data }));
