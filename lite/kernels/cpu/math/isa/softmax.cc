#include "lite/kernels/cpu/math/softmax.h"

#include "lite/kernels/cpu/math/isa/log.h"
#include "lite/kernels/cpu/math/isa/reduce_lanes.h"
#include "lite/kernels/cpu/math/isa/vec_math.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

constexpr float kLowest = -__builtin_inff();
constexpr float kLeastLog = -64.0f;

// The largest element; NaN where all are.
float MaxOf(int64_t n, const float* x) {
  V m0 = Splat(kLowest), m1 = m0;
  int64_t j = 0;
  for (; j + 2 * kW <= n; j += 2 * kW) {
    m0 = Max(m0, Load(x + j));
    m1 = Max(m1, Load(x + j + kW));
  }
  m0 = Max(m0, m1);
  for (; j + kW <= n; j += kW) m0 = Max(m0, Load(x + j));
  float best = MaxLane(m0);
  for (; j < n; ++j) best = x[j] > best ? x[j] : best;
  return best;
}

// Lanes that are not used contribute nothing.
LITE_INLINE V Keep(V v, int lanes) {
  VI index;
  for (int i = 0; i < kW; ++i) index[i] = i;
  return index < SplatInt(lanes) ? v : Splat(0.0f);
}

float SumExp(int64_t n, const float* x, float* y, float max, bool store) {
  const V m = Splat(max);
  V s0 = Splat(0.0f), s1 = s0;
  int64_t j = 0;
  for (; j + 2 * kW <= n; j += 2 * kW) {
    const V a = ExpOfNegative(Load(x + j) - m), b = ExpOfNegative(Load(x + j + kW) - m);
    if (store) {
      Store(y + j, a);
      Store(y + j + kW, b);
    }
    s0 += a;
    s1 += b;
  }
  for (; j < n; j += kW) {
    const int lanes = n - j < kW ? static_cast<int>(n - j) : kW;
    const V a = ExpOfNegative(LoadN(x + j, lanes) - m);
    if (store) StoreN(y + j, a, lanes);
    s0 += lanes == kW ? a : Keep(a, lanes);
  }
  return SumLanes(s0 + s1);
}

template <typename Fn>
LITE_INLINE void ForLanes(int64_t n, const float* x, float* y, Fn fn) {
  int64_t j = 0;
  for (; j + kW <= n; j += kW) Store(y + j, fn(Load(x + j)));
  const int lanes = static_cast<int>(n - j);
  if (lanes > 0) StoreN(y + j, fn(LoadN(x + j, lanes)), lanes);
}

void Rows(int64_t rows, int64_t cols, const float* x, float* y, bool log) {
  for (int64_t r = 0; r < rows; ++r, x += cols, y += cols) {
    const float max = MaxOf(cols, x);
    const float sum = SumExp(cols, x, y, max, !log);
    if (log) {
      const V shift = Splat(max), log_sum = Log(Splat(sum));
      ForLanes(cols, x, y, [=](V v) { return AtLeast(v - shift, Splat(kLeastLog)) - log_sum; });
    } else {
      const V factor = Splat(1.0f / sum);
      ForLanes(cols, y, y, [=](V v) { return v * factor; });
    }
  }
}

void Columns(int64_t axis, int64_t inner, int64_t first, int64_t last, const float* x, float* y,
             bool log) {
  for (int64_t j = first; j < last; j += kW) {
    const int lanes = last - j < kW ? static_cast<int>(last - j) : kW;
    const float* from = x + j;
    float* to = y + j;
    V max = LoadN(from, lanes);
    for (int64_t a = 1; a < axis; ++a) max = Max(max, LoadN(from + a * inner, lanes));
    V sum = Splat(0.0f);
    for (int64_t a = 0; a < axis; ++a) {
      const V e = ExpOfNegative(LoadN(from + a * inner, lanes) - max);
      if (!log) StoreN(to + a * inner, e, lanes);
      sum += e;
    }
    const V factor = Splat(1.0f) / sum, log_sum = log ? Log(sum) : factor;
    for (int64_t a = 0; a < axis; ++a) {
      const V v = log ? AtLeast(LoadN(from + a * inner, lanes) - max, Splat(kLeastLog)) - log_sum
                      : LoadN(to + a * inner, lanes) * factor;
      StoreN(to + a * inner, v, lanes);
    }
  }
}

// x[j] = scale * x[j] + mask[j * step].
void ScaleAndMask(int64_t n, float* x, float scale, const float* mask, int64_t step) {
  const V s = Splat(scale);
  for (int64_t j = 0; j < n; j += kW) {
    const int lanes = n - j < kW ? static_cast<int>(n - j) : kW;
    V v = LoadN(x + j, lanes) * s;
    if (mask != nullptr) v += step == 0 ? Splat(*mask) : LoadN(mask + j, lanes);
    StoreN(x + j, v, lanes);
  }
}

bool AllHidden(int64_t n, const float* x) {
  for (int64_t j = 0; j < n; ++j)
    if (!(x[j] == kLowest)) return false;
  return true;
}

void Scores(const ScoreRows& s) {
  for (int64_t r = 0; r < s.rows; ++r) {
    float* const x = s.x + r * s.cols;
    const float* mask = s.mask == nullptr ? nullptr : s.mask + r * s.mask_row;
    if (s.scale != 1.0f || mask != nullptr) ScaleAndMask(s.cols, x, s.scale, mask, s.mask_col);
    if (s.causal)
      for (int64_t j = s.first_row + r + 1; j < s.cols; ++j) x[j] = kLowest;
    const float max = MaxOf(s.cols, x);
    if (s.hidden_give_zeros && max == kLowest && AllHidden(s.cols, x)) {
      for (int64_t j = 0; j < s.cols; ++j) x[j] = 0;
      continue;
    }
    const V factor = Splat(1.0f / SumExp(s.cols, x, x, max, true));
    ForLanes(s.cols, x, x, [=](V v) { return v * factor; });
  }
}

}  // namespace

extern const SoftmaxTable kSoftmaxTable = {Rows, Columns, Scores};

}  // namespace paddle::lite::math::LITE_ISA
