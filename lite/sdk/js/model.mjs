// A model in this thread: what the compiled engine has, as JavaScript wants it.
import createEngine from './engine.mjs';

const MOST_DIMENSIONS = 16;

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

let engine;

/** The compiled engine, made once; `wasm` is its binary where the page has fetched it. */
async function theEngine(wasm) {
  engine ??= createEngine({
    wasmBinary: wasm ?? (await bytesOf(new URL('./engine.wasm', import.meta.url))),
    print: (text) => console.log(text),
    printErr: (text) => console.warn(text),
  }).catch((error) => {
    engine = undefined;
    throw error;
  });
  return engine;
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
  if (typeof process !== 'undefined' && process.versions?.node && !/^(https?|data|blob):/.test(source)) {
    const { readFile } = await import('node:fs/promises');
    return readFile(source).catch((error) => {
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

  constructor(lite, predictor) {
    this.#lite = lite;
    this.#predictor = predictor;
    this.inputNames = this.#names(false);
    this.outputNames = this.#names(true);
  }

  static async load(bytes, { precision = 'fp32', wasm } = {}) {
    const lite = await theEngine(wasm);
    const name = new TextEncoder().encode(`${precision}\0`);
    const memory = lite._malloc(bytes.length + name.length);
    if (!memory) throw new PaddleLiteError('the page has no memory left for this model');
    try {
      lite.HEAPU8.set(bytes, memory);
      lite.HEAPU8.set(name, memory + bytes.length);
      const predictor = lite._lite_create(memory, bytes.length, memory + bytes.length);
      return new Model(lite, worked(lite, predictor));
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
        lite.HEAPF64.set(shape, dims / 8);
        const memory = worked(lite, lite._lite_write(tensor, dims, shape.length, type));
        new data.constructor(lite.HEAPU8.buffer, memory, count).set(data);
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
      const shape = Array.from(lite.HEAPF64.subarray(dims / 8, dims / 8 + Math.max(rank, 0)));
      lite._free(dims);
      worked(lite, rank + 1);
      const count = shape.reduce((product, dim) => product * dim, 1);
      const memory = worked(lite, lite._lite_read(tensor));
      return { data: new ArrayOfThem(lite.HEAPU8.buffer, memory, count).slice(), shape, type };
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
  return new TextDecoder().decode(lite.HEAPU8.slice(at, lite.HEAPU8.indexOf(0, at)));
}
