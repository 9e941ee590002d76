// For CommonJS: the same, by a promise.
exports.Predictor = {
  load: async (...given) => (await import('./node.mjs')).Predictor.load(...given),
};
