// The package in Node.
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { system } from './model.mjs';

export * from './index.mjs';

/** As browsers have it. Threads do not keep a program from ending once the engine has them. */
class Thread extends Worker {
  constructor(script, name, failed) {
    super(new URL('./node_thread.mjs', import.meta.url), { workerData: { script, name } });
    this.on('message', (data) => {
      this.onmessage?.({ data });
      if (data.cmd === 'loaded') this.unref();
    });
    this.on('error', failed);
  }
}

Object.assign(system, {
  readFile,
  mayShareMemory: true,
  startThread: (...given) => new Thread(...given),
  // As in a browser's worker, which may wait for other threads.
  globals: { importScripts() {}, self: { location: { href: import.meta.url } } },
});
