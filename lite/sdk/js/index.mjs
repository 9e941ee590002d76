// Paddle models in browsers and Node:
//
//   const predictor = await Predictor.load('model.nb');
//   const { y } = await predictor.run({ x: { data: new Float32Array(6), shape: [2, 3] } });
import { bytesOf, Model, PaddleLiteError } from './model.mjs';

export { PaddleLiteError };

const IS_PAGE = typeof window !== 'undefined' && typeof Worker !== 'undefined';

/** A model; calls take turns. */
export class Predictor {
  #host;
  #last = Promise.resolve();

  constructor(host, { inputNames, outputNames, threads }) {
    this.#host = host;
    this.threads = threads;
    this.inputNames = inputNames;
    this.outputNames = outputNames;
  }

  /** Of the URL of a .nb file, or its bytes; in a page it has a thread of its own. */
  static async load(source, { worker = IS_PAGE, progress, ...options } = {}) {
    const bytes = await bytesOf(source, progress);
    if (!worker) {
      const model = await Model.load(bytes, options);
      return new Predictor(model, model);
    }
    const host = new Host();
    try {
      return new Predictor(host, await host.ask('load', { bytes, options }));
    } catch (error) {
      host.close();
      throw error;
    }
  }

  /** Inputs by name, `{data, shape}` each, which are copied; outputs by name. */
  run(inputs) {
    if (!this.#host) return Promise.reject(new PaddleLiteError('the predictor is closed'));
    const host = this.#host;
    const result = this.#last.then(() => host.run(inputs));
    this.#last = result.catch(() => {});
    return result;
  }

  /** Frees the model when the calls that go on have ended. */
  close() {
    const host = this.#host;
    this.#host = undefined;
    if (host) this.#last.then(() => host.close());
  }
}

/** A worker that has a model. */
class Host {
  #worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
  #waiting = new Map();
  #count = 0;

  constructor() {
    this.#worker.onmessage = ({ data: { id, answer, error } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) resolve(answer);
      else reject(new PaddleLiteError(error));
    };
    this.#worker.onerror = (event) => {
      const error = new PaddleLiteError(`the worker ended: ${event.message ?? 'it cannot be loaded'}`);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
  }

  ask(name, given) {
    return new Promise((resolve, reject) => {
      const id = this.#count++;
      this.#waiting.set(id, { resolve, reject });
      try {
        this.#worker.postMessage({ id, name, given });
      } catch (error) {
        this.#waiting.delete(id);
        reject(new PaddleLiteError(error.message));
      }
    });
  }

  run(inputs) {
    return this.ask('run', inputs);
  }

  close() {
    this.#worker.terminate();
  }
}
