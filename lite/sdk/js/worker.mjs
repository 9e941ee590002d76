// The thread of a page's predictor: one model, asked by index.mjs.
import { Model } from './model.mjs';

let model;

const answers = {
  async load({ bytes, options }) {
    model = await Model.load(bytes, options);
    return { inputNames: model.inputNames, outputNames: model.outputNames, threads: model.threads };
  },
  run: (inputs) => model.run(inputs),
};

addEventListener('message', async ({ data: { id, name, given } }) => {
  try {
    const answer = await answers[name](given);
    const moved = name === 'run' ? Object.values(answer).map(({ data }) => data.buffer) : [];
    postMessage({ id, answer }, moved);
  } catch (error) {
    postMessage({ id, error: error.message });
  }
});
