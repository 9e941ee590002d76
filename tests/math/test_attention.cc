// Attention and GELU against doubles.

#include <algorithm>
#include <limits>

#include "lite/kernels/cpu/math/attention.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "tests/math/check.h"

namespace paddle::lite::math::test {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

struct Problem {
  Problem() {
    a.batch_dims = 1;
    a.batch[0] = Pick(1, 3);
    a.rows = Pick(1, 120), a.keys = Pick(1, 150);
    a.dim = Pick(1, 40), a.value_dim = Pick(1, 40);
    a.scale = OneOf({1.0f, 0.25f, -0.5f, 7.0f});
    a.causal = Pick(0, 3) == 0;
    a.hidden_give_zeros = Pick(0, 1) == 0;
    q = RandomFloats(a.batch[0] * a.rows * a.dim);
    k = RandomFloats(a.batch[0] * a.keys * a.dim);
    v = RandomFloats(a.batch[0] * a.keys * a.value_dim);
    out.assign(static_cast<size_t>(a.batch[0] * a.rows * a.value_dim), 7);
    a.q = {q.data(), a.dim, 1, {a.rows * a.dim}};
    a.k = {k.data(), a.dim, 1, {a.keys * a.dim}};
    a.v = {v.data(), a.value_dim, 1, {a.keys * a.value_dim}};
    a.out = out.data(), a.out_row = a.value_dim, a.out_batch[0] = a.rows * a.value_dim;
    const int64_t mask_col = Pick(0, 1), mask_row = mask_col == 0 ? 1 : a.keys;
    if (Pick(0, 1) == 0) return;
    mask = RandomFloats(a.rows * mask_row);
    for (float& x : mask)
      if (Pick(0, 4) == 0) x = kHidden;
    if (Pick(0, 1) == 0) std::fill_n(mask.begin(), mask_row, kHidden);
    a.mask = {mask.data(), mask_row, mask_col, {0}};
  }

  double Score(int64_t item, int64_t row, int64_t key) const {
    if (a.causal && key > row) return kHidden;
    double sum = 0;
    for (int64_t i = 0; i < a.dim; ++i)
      sum += double(a.q.data[item * a.q.batch[0] + row * a.dim + i]) *
             a.k.data[item * a.k.batch[0] + key * a.dim + i];
    const double add = a.mask.data ? a.mask.data[row * a.mask.row + key * a.mask.col] : 0;
    return sum * a.scale + add;
  }

  std::vector<double> Expected() const {
    std::vector<double> result;
    for (int64_t item = 0; item < a.batch[0]; ++item)
      for (int64_t row = 0; row < a.rows; ++row) {
        std::vector<double> weights;
        for (int64_t key = 0; key < a.keys; ++key) weights.push_back(Score(item, row, key));
        const double most = *std::max_element(weights.begin(), weights.end());
        double sum = 0;
        for (double& w : weights) sum += w = std::exp(w - most);
        for (int64_t j = 0; j < a.value_dim; ++j) {
          double value = 0;
          for (int64_t key = 0; key < a.keys; ++key)
            value += weights[static_cast<size_t>(key)] / sum *
                     a.v.data[item * a.v.batch[0] + key * a.value_dim + j];
          result.push_back(most == kHidden && a.hidden_give_zeros ? 0 : value);
        }
      }
    return result;
  }

  Attention a;
  std::vector<float> q, k, v, mask, out;
};

MATH_TEST(AttentionAgainstDoubles) {
  for (int i = 0; i < 60; ++i) {
    Problem p;
    RunAttention(1, p.a);
    const std::string what = "attention of " + std::to_string(p.a.rows) + " rows, " +
                             std::to_string(p.a.keys) + " keys, scale " +
                             std::to_string(p.a.scale) + (p.a.causal ? ", causal" : "") +
                             (p.a.mask.data ? ", masked" : "");
    CheckClose(p.out, p.Expected(), what, 3e-6 * std::max(1.0, std::abs(double(p.a.scale))));
    const std::vector<float> one = p.out;
    RunAttention(3, p.a);
    Check(std::equal(one.begin(), one.end(), p.out.begin(),
                     [](float x, float y) { return x == y || (x != x && y != y); }),
          what + ": the same bits for three threads");
  }
}

// Scores so large that their products with log2 e have no bits left below 1.
MATH_TEST(AttentionOfLargeScores) {
  const std::vector<float> q = {1e20f}, v = {1, 2, 4, 8};
  std::vector<float> k = {-1e18f, -1e18f, -1e18f, -1e18f}, out(1);
  Attention a;
  a.batch_dims = 1, a.batch[0] = 1;
  a.rows = 1, a.keys = 4, a.dim = 1, a.value_dim = 1;
  a.q = {q.data(), 1, 1, {0}}, a.k = {k.data(), 1, 1, {0}}, a.v = {v.data(), 1, 1, {0}};
  a.out = out.data(), a.out_row = 1;
  RunAttention(1, a);
  CheckClose(out, {3.75}, "equal scores of -1e38");
  k[2] = 0;
  RunAttention(1, a);
  CheckClose(out, {4}, "one score of 0 among -1e38");
}

}  // namespace
}  // namespace paddle::lite::math::test
