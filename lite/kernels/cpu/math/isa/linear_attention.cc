#include "lite/kernels/cpu/math/linear_attention.h"

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// So many columns of 128 rows stay in the nearest cache.
constexpr int kVectors = kW >= 8 ? 32 / kW : 4;
constexpr int64_t kColumns = kVectors * kW;

// Sums of every other row, so that they wait for each other half as long.
struct Sums {
  V of[2][kVectors];
};

LITE_INLINE void LoadValues(const float* p, int64_t width, V* values) {
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const int64_t lanes = width - v * kW;
    values[v] = lanes >= kW ? Load(p + v * kW)
                : lanes > 0 ? LoadN(p + v * kW, static_cast<int>(lanes))
                            : V{};
  }
}

LITE_INLINE void StoreSums(const Sums& sums, float scale, int64_t width, float* p) {
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const V y = (sums.of[0][v] + sums.of[1][v]) * Splat(scale);
    const int64_t lanes = width - v * kW;
    if (lanes >= kW)
      Store(p + v * kW, y);
    else if (lanes > 0)
      StoreN(p + v * kW, y, static_cast<int>(lanes));
  }
}

// Applies `row` to each row with the sums that it is added to.
template <typename Row>
LITE_INLINE Sums OverRows(int64_t rows, const Row& row) {
  Sums sums = {};
  int64_t i = 0;
  for (; i + 1 < rows; i += 2) {
    row(i, sums.of[0]);
    row(i + 1, sums.of[1]);
  }
  if (i < rows) row(i, sums.of[0]);
  return sums;
}

// What a vector finds in the state; `factors` of rows may be null.
LITE_INLINE Sums Find(const StateSteps& g, const float* vector, const float* factors) {
  return OverRows(g.dk, [&](int64_t i, V* sums) {
    const V x = Splat(factors != nullptr ? vector[i] * factors[i] : vector[i]);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) MulAdd(sums + v, Load(g.state + i * kColumns + v * kW), x);
  });
}

// Decays the state by `factor`, or by those of rows, adds the values at the key, and finds.
LITE_INLINE Sums Update(const StateSteps& g, const float* key, const float* factors, float factor,
                        const V* values, const float* query) {
  return OverRows(g.dk, [&](int64_t i, V* sums) {
    const V decay = Splat(factors != nullptr ? factors[i] : factor);
    const V k = Splat(key[i]), q = Splat(query[i]);
    float* const row = g.state + i * kColumns;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      V s = Load(row + v * kW) * decay;
      MulAdd(&s, k, values[v]);
      Store(row + v * kW, s);
      MulAdd(sums + v, s, q);
    }
  });
}

template <bool decays_rows>
void RunSteps(const StateSteps& g) {
  for (int64_t step = 0; step < g.steps; ++step) {
    const float* const key = g.key + step * g.key_step;
    const float* const given = g.factors == nullptr ? nullptr : g.factors + step * g.factor_step;
    const float* const factors = decays_rows ? given : nullptr;
    const float factor = decays_rows || given == nullptr ? 1.0f : *given;
    V values[kVectors];
    LoadValues(g.value + step * g.value_step, g.width, values);
    if (g.beta != nullptr) {
      const Sums found = Find(g, key, factors);
      const V beta = Splat(g.beta[step * g.beta_step]), kept = Splat(factor);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        values[v] = beta * (values[v] - kept * (found.of[0][v] + found.of[1][v]));
    }
    const float* query = g.query + step * g.query_step;
    float* out = g.out + step * g.out_step;
    StoreSums(Update(g, key, factors, factor, values, query), g.scale, g.width, out);
    for (int64_t head = 1; head < g.queries; ++head)
      StoreSums(Find(g, query + head * g.dk, nullptr), g.scale, g.width, out + head * g.dv);
  }
}

void Run(const StateSteps& g) {
  if (g.factors != nullptr && g.factor_rows) return RunSteps<true>(g);
  RunSteps<false>(g);
}

}  // namespace

extern const LinearAttentionTable kLinearAttentionTable = {kColumns, Run};

}  // namespace paddle::lite::math::LITE_ISA
