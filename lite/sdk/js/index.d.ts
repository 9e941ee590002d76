/** Elements that a model takes or gives; int64 as bigint, bool as 0 and 1. */
export type TypedArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Int32Array
  | BigInt64Array;

export interface Input {
  data: TypedArray;
  shape: number[];
}

export interface Output extends Input {
  type: 'float32' | 'float64' | 'int8' | 'uint8' | 'int16' | 'int32' | 'int64' | 'bool';
}

export interface Options {
  /** A thread of its own: the default in a page. */
  worker?: boolean;
  /** Threads that compute, 1 unless more are asked for; where memory cannot be shared, one does. */
  threads?: number;
  /** "fp32", or "exact", "bf16" or "fp16" as in C++. */
  precision?: string;
  /** Called while a model is downloaded. */
  progress?: (loaded: number, total?: number) => void;
  /** engine.wasm, or engine_threads.wasm for more than one thread, where the page has fetched it itself. */
  wasm?: ArrayBuffer | Uint8Array;
}

/** What the library says of a mistake. */
export class PaddleLiteError extends Error {}

/** A model; calls take turns. */
export class Predictor {
  private constructor();
  static load(source: string | URL | ArrayBuffer | ArrayBufferView, options?: Options): Promise<Predictor>;
  readonly inputNames: string[];
  readonly outputNames: string[];
  /** How many compute. */
  readonly threads: number;
  run(inputs: Record<string, Input>): Promise<Record<string, Output>>;
  /** Frees the model when the calls that go on have ended. */
  close(): void;
}
