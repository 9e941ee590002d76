// For CommonJS: the same, by a promise.
exports.Predictor = {
  load: async (...given) => (await import('./index.mjs')).Predictor.load(...given),
};
