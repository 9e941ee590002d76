#include "lite/kernels/cpu/math/recurrent.h"

#include "lite/kernels/cpu/math/isa/vec_math.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// `one` of each vector of a row; the last one is in memory of its own where it is not whole.
template <typename One>
LITE_INLINE void ForVectors(int64_t n, One one) {
  int64_t j = 0;
  for (; j + kW <= n; j += kW) one(j, kW);
  if (j < n) one(j, static_cast<int>(n - j));
}

void Lstm(const GatedRows& g) {
  for (int64_t r = 0; r < g.rows; ++r) {
    const float* const in = g.gates + r * g.gate_stride;
    const float *const forget = in + g.n, *const candidate = forget + g.n;
    const float* const out = candidate + g.n;
    float *const h = g.h + r * g.n, *const cell = g.cell + r * g.n;
    ForVectors(
        g.n, [&](int64_t j, int lanes) __attribute__((always_inline)) {
          const V kept = Sigmoid(LoadN(forget + j, lanes)) * LoadN(cell + j, lanes);
          V now = kept;
          MulAdd(&now, Sigmoid(LoadN(in + j, lanes)), Tanh(LoadN(candidate + j, lanes)));
          StoreN(cell + j, now, lanes);
          StoreN(h + j, Sigmoid(LoadN(out + j, lanes)) * Tanh(now), lanes);
        });
  }
}

void Gru(const GatedRows& g) {
  for (int64_t r = 0; r < g.rows; ++r) {
    const float* const reset = g.gates + r * g.gate_stride;
    const float *const update = reset + g.n, *const candidate = update + g.n;
    const float* const product = g.product + r * 3 * g.n;
    float* const h = g.h + r * g.n;
    ForVectors(
        g.n, [&](int64_t j, int lanes) __attribute__((always_inline)) {
          const auto gate = [&](const float* x, int64_t which) __attribute__((always_inline)) {
            return Sigmoid(LoadN(x + j, lanes) + LoadN(product + which * g.n + j, lanes));
          };
          V now = LoadN(candidate + j, lanes);
          MulAdd(&now, gate(reset, 0), LoadN(product + 2 * g.n + j, lanes));
          now = Tanh(now);
          V mixed = now;
          MulAdd(&mixed, gate(update, 1), LoadN(h + j, lanes) - now);
          StoreN(h + j, mixed, lanes);
        });
  }
}

}  // namespace

extern const RecurrentTable kRecurrentTable = {Lstm, Gru};

}  // namespace paddle::lite::math::LITE_ISA
