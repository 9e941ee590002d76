// api.mjs MODULE FOLDER THREADS: the package's API in Node, on models of the folder.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [index, folder, text] = process.argv.slice(2);
const threads = Number(text);
const { Predictor: Loaded, PaddleLiteError } = await import(pathToFileURL(index));
const Predictor = { load: (source, options) => Loaded.load(source, { threads, ...options }) };
const picture = (side) => ({
  data: Float32Array.from({ length: 3 * side * side }, (_, i) => Math.fround((i % 5) / 5 - 0.4)),
  shape: [1, 3, side, side],
});
const fails = (promise, text) =>
  assert.rejects(promise, (error) => {
    assert(error instanceof PaddleLiteError, String(error));
    assert(error.message.includes(text), `${error.message}, expected ${text}`);
    return true;
  });

const classifier = await Predictor.load(`${folder}/classifier.nb`);
assert.deepEqual([classifier.inputNames, classifier.outputNames], [['image'], ['prob']]);
const first = (await classifier.run({ image: picture(24) })).prob;
assert.equal(classifier.threads, threads);
assert.equal(first.type, 'float32');
assert.deepEqual(first.shape, [1, 7]);
assert.notDeepEqual((await classifier.run({ image: picture(40) })).prob.data, first.data);
const both = await Promise.all([24, 40, 24].map((side) => classifier.run({ image: picture(side) })));
assert.deepEqual(both[0].prob.data, first.data); // results are the caller's
assert.deepEqual(both[2].prob.data, first.data);

const bytes = await readFile(`${folder}/classifier.nb`);
const inMemory = await Predictor.load(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
assert.deepEqual((await inMemory.run({ image: picture(24) })).prob.data, first.data);
const common = await createRequire(index)('./index.cjs').Predictor.load(bytes, { threads });
assert.deepEqual((await common.run({ image: picture(24) })).prob.data, first.data);

const integers = await Predictor.load(`${folder}/integers.nb`);
const types = await integers.run({ x: { data: new Float32Array([1.5, 200, 3]), shape: [3] } });
assert.deepEqual(types.long, { data: new BigInt64Array([1n, 200n, 3n]), shape: [3], type: 'int64' });
assert.deepEqual(types.int, { data: new Int32Array([1, 200, 3]), shape: [3], type: 'int32' });
assert.deepEqual(types.byte, { data: new Uint8Array([1, 200, 3]), shape: [3], type: 'uint8' });
const sounds = await Predictor.load(`${folder}/sounds.nb`);
const rows = await sounds.run({ x: { data: new BigInt64Array([1n, 2n]), shape: [2] } });
assert.deepEqual(Object.values(rows)[0].shape, [2, 8]);
await fails(sounds.run({ x: { data: new Int32Array(2), shape: [2] } }), 'takes int64, but got int32');

await fails(classifier.run({}), "input 'image' is missing");
await fails(classifier.run({ image: null }), "input 'image' is missing");
await fails(classifier.run(), 'inputs are an object');
await fails(classifier.run({ x: picture(24) }), "there is no input 'x': image");
await fails(classifier.run({ image: [1, 2] }), 'a typed array');
await fails(classifier.run({ image: { ...picture(24), shape: [1, 3, 5, 5] } }), '1728 elements are given');
await fails(classifier.run({ image: { ...picture(24), shape: [1, 3, -24, -24] } }), 'is no shape');
await fails(classifier.run({ image: { ...picture(24), shape: [1, 4, 18, 24] } }), 'conv2d');
await fails(classifier.run({ image: { data: new BigUint64Array(1), shape: [1] } }), 'BigUint64Array');
await fails(Predictor.load(new Uint8Array([1, 2, 3])), 'it is no .nb file');
await fails(Predictor.load(`${folder}/nothing.nb`), 'nothing.nb');
await fails(Predictor.load(5), 'a URL or bytes');
await fails(Predictor.load(bytes, { precision: 'int3' }), 'int3');
await fails(Predictor.load(bytes, { threads: 0 }), 'threads is 0, expected 1 to 256');
await fails(Predictor.load(bytes, { threads: 257 }), 'expected 1 to 256');
for (let at = 0; at < bytes.length; at += 97) {
  const damaged = Uint8Array.from(bytes);
  damaged[at] ^= 0x55;
  await Predictor.load(damaged).then(
    (predictor) => predictor.run({ image: picture(24) }).catch(() => {}).finally(() => predictor.close()),
    (error) => assert(error instanceof PaddleLiteError, String(error)),
  );
}
assert.deepEqual((await classifier.run({ image: picture(24) })).prob.data, first.data);

for (let i = 0; i < 2000; i++) {
  const predictor = await Predictor.load(bytes);
  if (i % 100 === 0) await predictor.run({ image: picture(24) });
  predictor.close();
}
classifier.close();
await fails(classifier.run({ image: picture(24) }), 'the predictor is closed');
console.log(JSON.stringify(Array.from(first.data)));
