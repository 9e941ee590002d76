// The engine's threads in Node, which has no Worker as browsers have. The engine's script believes
// that it is in one itself, where it may wait for others.

/** What `create` makes while there are a browser's globals. */
export async function withWorkers(create) {
  const { Worker } = await import('node:worker_threads');
  const made = [];
  class BrowsersWorker extends Worker {
    constructor(script) {
      super(new URL('./node_worker.mjs', import.meta.url), { workerData: String(script) });
      this.on('message', (data) => this.onmessage?.({ data }));
      this.on('error', (error) => this.onerror?.(error));
      made.push(this);
    }
  }
  const globals = { Worker: BrowsersWorker, importScripts() {}, self: { location: { href: import.meta.url } } };
  const before = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  Object.assign(globalThis, globals);
  try {
    return await create();
  } finally {
    for (const worker of made) worker.unref(); // a program ends when its own work does
    for (const [name, own] of before) {
      if (own) Object.defineProperty(globalThis, name, own);
      else delete globalThis[name];
    }
  }
}
