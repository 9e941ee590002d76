// node benchmarks/web.mjs PACKAGE ORT FOLDER THREADS NAME:1x3x224x224...: models in WebAssembly beside
// onnxruntime-web, by turns in one process.
//
// PACKAGE is what tools/cross/web.sh wrote, ORT a folder where onnxruntime-web is installed (npm), and
// FOLDER has NAME.nb and NAME.onnx of each model (lite convert).
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const RUNS = 11;
const WARM = 2;
const [packageFolder, ortFolder, folder, count, ...wanted] = process.argv.slice(2);
const { Predictor } = await import(pathToFileURL(resolve(packageFolder, 'node.mjs')));
const found = createRequire(resolve(ortFolder, 'x.js')).resolve('onnxruntime-web/wasm');
const ort = await import(pathToFileURL(found.replace(/\.js$/, '.mjs')));
const threads = Number(count);
ort.env.wasm.numThreads = threads;

const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

/** The largest difference over the largest number. */
function difference(found, wanted) {
  let [most, largest] = [0, 1e-30];
  wanted.forEach((value, index) => {
    most = Math.max(most, Math.abs(value - found[index]));
    largest = Math.max(largest, Math.abs(value));
  });
  return most / largest;
}

console.log('model: ours ms, onnxruntime-web ms, ratio; outputs differ by');
let logs = 0;
for (const spec of wanted) {
  const [name, dims] = spec.split(':');
  const shape = dims.split('x').map(Number);
  let state = 1;
  const data = Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647 - 0.5;
  });
  const ours = await Predictor.load(`${folder}/${name}.nb`, { threads });
  const theirs = await ort.InferenceSession.create(await readFile(`${folder}/${name}.onnx`));
  const tensor = { [theirs.inputNames[0]]: new ort.Tensor('float32', data, shape) };
  const engines = [
    async () => Object.values(await ours.run({ [ours.inputNames[0]]: { data, shape } }))[0].data,
    async () => (await theirs.run(tensor))[theirs.outputNames[0]].data,
  ];
  const times = [[], []];
  const outputs = [];
  for (let run = 0; run < RUNS + WARM; run++) {
    for (const at of [0, 1]) {
      const begin = performance.now();
      outputs[at] = await engines[at]();
      if (run >= WARM) times[at].push(performance.now() - begin);
    }
  }
  const [mine, other] = times.map(median);
  logs += Math.log(mine / other);
  const off = difference(outputs[0], outputs[1]).toExponential(1);
  console.log(`${name}: ${mine.toFixed(1)}, ${other.toFixed(1)}, ${(mine / other).toFixed(2)}; ${off}`);
  ours.close();
  await theirs.release();
}
console.log(`geometric mean of the ratios: ${Math.exp(logs / wanted.length).toFixed(2)}`);
