// A model in this thread: what the compiled engines have, as JavaScript wants it.

/** What differs by where this runs: a browser's; node.mjs has Node's. */
export const system = {
  readFile: undefined, // of what is no URL
  mayShareMemory: globalThis.crossOriginIsolated === true,
  startThread(script, name, failed) {
    const thread = new Worker(script, { type: 'module', name });
    thread.addEventListener('error', failed);
    return thread;
  },
  globals: {}, // that the engine's script looks for in vain
};

// Spelled so that bundlers find them, and hand them out as they are.
const ENGINE = {
  script: new URL('./engine.mjs', import.meta.url),
  wasm: new URL('./engine.wasm', import.meta.url),
};
const ENGINE_OF_THREADS = {
  script: new URL('./engine_threads.mjs', import.meta.url),
  wasm: new URL('./engine_threads.wasm', import.meta.url),
};

const MOST_DIMENSIONS = 16;
const MOST_THREADS = 256; // each is started before the first run
const THREAD = 'paddle-lite-thread';

// By C++'s PrecisionType: its name, and the array of its elements.
const TYPES = {
  1: ['float32', Float32Array],
  2: ['int8', Int8Array],
  3: ['int32', Int32Array],
  6: ['bool', Uint8Array],
  7: ['int64', BigInt64Array],
  8: ['int16', Int16Array],
  9: ['uint8', Uint8Array],
  10: ['float64', Float64Array],
};

/** What the library says of a mistake. */
export class PaddleLiteError extends Error {
  constructor(text) {
    super(text);
    this.name = 'PaddleLiteError';
  }
}

const engines = new Map();

/** The compiled engine of so many threads, made once; `wasm` is its binary where the page has fetched it. */
function theEngine(threads, wasm) {
  if (!engines.has(threads)) {
    const made = createEngine(threads, wasm);
    made.catch(() => engines.delete(threads));
    engines.set(threads, made);
  }
  return engines.get(threads);
}

async function createEngine(threads, wasm) {
  const files = threads > 1 ? ENGINE_OF_THREADS : ENGINE;
  const script = String(files.script);
  const given = {
    print: (text) => console.log(text),
    printErr: (text) => console.warn(text),
    wasmBinary: wasm ?? (await bytesOf(files.wasm)),
  };
  const { default: create } = await import(/* webpackIgnore: true */ /* @vite-ignore */ script);
  if (threads === 1) return create(given);
  // The engine waits for its threads, and does not hear of one that cannot start.
  return new Promise((resolve, reject) => {
    const failed = ({ message }) => reject(new PaddleLiteError(`no thread starts: ${message ?? script}`));
    create({
      ...given,
      ...system.globals,
      threads,
      mainScriptUrlOrBlob: script,
      Worker: function () {
        return system.startThread(script, THREAD, failed);
      },
    }).then(resolve, reject);
  });
}

/** How many threads of those that are wanted a predictor has: one where memory cannot be shared. */
function threadsOf(wanted) {
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > MOST_THREADS) {
    throw new PaddleLiteError(`threads is ${wanted}, expected 1 to ${MOST_THREADS}`);
  }
  return system.mayShareMemory ? wanted : 1;
}

/** The bytes that a URL names, or that are given; `progress(loaded, total)` is called on the way. */
export async function bytesOf(source, progress) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  }
  if (typeof source !== 'string' && !(source instanceof URL)) {
    throw new PaddleLiteError(`a model is a URL or bytes, not ${typeof source}`);
  }
  if (system.readFile && !/^(https?|data|blob):/.test(source)) {
    return system.readFile(source).catch((error) => {
      throw new PaddleLiteError(`${source}: ${error.message}`);
    });
  }
  const response = await fetch(source).catch((error) => {
    throw new PaddleLiteError(`${source}: ${error.message}`);
  });
  if (!response.ok) throw new PaddleLiteError(`${source}: ${response.status} ${response.statusText}`);
  if (!progress || !response.body) return new Uint8Array(await response.arrayBuffer());
  const total = Number(response.headers.get('Content-Length')) || undefined;
  const parts = [];
  let loaded = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    loaded += value.length;
    progress(loaded, total);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export class Model {
  #lite;
  #predictor;

  constructor(lite, predictor, threads) {
    this.#lite = lite;
    this.#predictor = predictor;
    this.threads = threads;
    this.inputNames = this.#names(false);
    this.outputNames = this.#names(true);
  }

  static async load(bytes, { precision = 'fp32', threads: wanted = 1, wasm } = {}) {
    const threads = threadsOf(wanted);
    const lite = await theEngine(threads, wasm);
    const name = new TextEncoder().encode(`${precision}\0`);
    const memory = lite._malloc(bytes.length + name.length);
    if (!memory) throw new PaddleLiteError('the page has no memory left for this model');
    try {
      const whole = new Uint8Array(lite.memory());
      whole.set(bytes, memory);
      whole.set(name, memory + bytes.length);
      const predictor = lite._lite_create(memory, bytes.length, memory + bytes.length, threads);
      return new Model(lite, worked(lite, predictor), threads);
    } finally {
      lite._free(memory);
    }
  }

  /** Inputs by name, `{data, shape}` each; outputs by name, with their `type`. */
  run(inputs) {
    if (!this.#predictor) throw new PaddleLiteError('the predictor is closed');
    if (typeof inputs !== 'object' || !inputs) {
      throw new PaddleLiteError('inputs are an object: {name: {data, shape}}');
    }
    for (const name of Object.keys(inputs)) {
      if (!this.inputNames.includes(name)) {
        throw new PaddleLiteError(`there is no input '${name}': ${this.inputNames.join(', ')}`);
      }
    }
    this.inputNames.forEach((name, index) => {
      if (inputs[name] == null) throw new PaddleLiteError(`input '${name}' is missing`);
      this.#write(name, index, inputs[name]);
    });
    worked(this.#lite, this.#lite._lite_run(this.#predictor));
    return Object.fromEntries(this.outputNames.map((name, index) => [name, this.#read(index)]));
  }

  close() {
    this.#lite._lite_delete(this.#predictor);
    this.#predictor = 0;
  }

  #names(ofOutputs) {
    const names = worked(this.#lite, this.#lite._lite_names(this.#predictor, ofOutputs));
    return textAt(this.#lite, names).split('\n').slice(0, -1);
  }

  #write(name, index, { data, shape }) {
    const lite = this.#lite;
    if (!ArrayBuffer.isView(data) || !Array.isArray(shape)) {
      throw new PaddleLiteError(`input '${name}' is {data: a typed array, shape: [...]}`);
    }
    if (shape.length > MOST_DIMENSIONS || !shape.every((dim) => Number.isInteger(dim) && dim >= 0)) {
      throw new PaddleLiteError(`input '${name}': [${shape}] is no shape`);
    }
    const count = shape.reduce((product, dim) => product * dim, 1);
    if (count !== data.length) {
      throw new PaddleLiteError(
        `input '${name}': ${data.length} elements are given, the shape is [${shape}]`,
      );
    }
    withTensor(lite, lite._lite_input(this.#predictor, index), (tensor) => {
      const type = typeOf(lite, tensor, name, data);
      const dims = lite._malloc(8 * MOST_DIMENSIONS);
      try {
        new Float64Array(lite.memory(), dims).set(shape);
        const memory = worked(lite, lite._lite_write(tensor, dims, shape.length, type));
        new data.constructor(lite.memory(), memory, count).set(data);
      } finally {
        lite._free(dims);
      }
    });
  }

  #read(index) {
    const lite = this.#lite;
    return withTensor(lite, lite._lite_output(this.#predictor, index), (tensor) => {
      const [type, ArrayOfThem] = TYPES[lite._lite_precision(tensor)] ?? [];
      if (!type) throw new PaddleLiteError('an output has a type that JavaScript has not');
      const dims = lite._malloc(8 * MOST_DIMENSIONS);
      const rank = lite._lite_shape(tensor, dims, MOST_DIMENSIONS);
      const shape = Array.from(new Float64Array(lite.memory(), dims, Math.max(rank, 0)));
      lite._free(dims);
      worked(lite, rank + 1);
      const count = shape.reduce((product, dim) => product * dim, 1);
      const memory = worked(lite, lite._lite_read(tensor));
      return { data: new ArrayOfThem(lite.memory(), memory, count).slice(), shape, type };
    });
  }
}

/** The type that an input will have: its own, where the array is one of bytes or of that. */
function typeOf(lite, tensor, name, data) {
  const own = lite._lite_precision(tensor);
  if (TYPES[own]?.[1] === data.constructor) return own;
  const found = Object.keys(TYPES).find((type) => TYPES[type][1] === data.constructor);
  if (!found) throw new PaddleLiteError(`input '${name}': ${data.constructor.name} is not taken`);
  return Number(found);
}

function withTensor(lite, tensor, use) {
  worked(lite, tensor);
  try {
    return use(tensor);
  } finally {
    lite._lite_tensor_delete(tensor);
  }
}

function worked(lite, result) {
  if (!result) throw new PaddleLiteError(textAt(lite, lite._lite_error()));
  return result;
}

function textAt(lite, at) {
  const whole = new Uint8Array(lite.memory());
  return new TextDecoder().decode(whole.slice(at, whole.indexOf(0, at)));
}
