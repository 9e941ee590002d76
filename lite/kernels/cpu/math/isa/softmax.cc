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

// The first lanes of v, then `other`.
LITE_INLINE V Keep(V v, int lanes, V other) {
  VI index;
  for (int i = 0; i < kW; ++i) index[i] = i;
  return index < SplatInt(lanes) ? v : other;
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
    s0 += lanes == kW ? a : Keep(a, lanes, Splat(0.0f));
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

bool AllHidden(int64_t n, const float* x) {
  for (int64_t j = 0; j < n; ++j)
    if (!(x[j] == kLowest)) return false;
  return true;
}

// The columns that row r sees; what follows in its last vector is made the lowest.
int64_t SeenColumns(const ScoreRows& s, int64_t r) {
  const int64_t last = s.first_row + r + 1;
  const int64_t seen = s.causal && last < s.cols ? last : s.cols;
  float* const x = s.x + r * s.stride;
  if (seen % kW != 0) {
    float* const tail = x + seen / kW * kW;
    Store(tail, Keep(Load(tail), static_cast<int>(seen % kW), Splat(kLowest)));
  }
  return seen;
}

// x = scale * x + mask, over whole vectors but for the mask's last.
void ScaleAndMask(int64_t n, float* x, float scale, const float* mask, int64_t step) {
  const V s = Splat(scale);
  for (int64_t j = 0; j < n; j += kW) {
    V v = Load(x + j) * s;
    if (mask != nullptr && step == 0) v += Splat(*mask);
    if (mask != nullptr && step != 0)
      v += n - j >= kW ? Load(mask + j) : LoadN(mask + j, static_cast<int>(n - j));
    Store(x + j, v);
  }
}

// The rows that are worked on side by side: reductions of one are long chains.
constexpr int kGroup = 8;

// Rows [first, first + count) of the scores.
class ScoreGroup {
 public:
  ScoreGroup(const ScoreRows& s, int64_t first, int count) : s_(s), first_(first), count_(count) {
    fold_ = s.mask == nullptr && s.scale > 0;
  }

  void Run() {
    for (int i = 0; i < count_; ++i) Prepare(i);
    for (int i = 0; i < count_; ++i) factor_[i] = 1.0f / Exponents(i);
    for (int i = 0; i < count_; ++i) Normalize(i);
  }

 private:
  float* Row(int i) const { return s_.x + (first_ + i) * s_.stride; }
  int64_t Padded(int i) const { return (seen_[i] + kW - 1) / kW * kW; }

  void Prepare(int i) {
    const int64_t r = first_ + i;
    float* const x = Row(i);
    seen_[i] = SeenColumns(s_, r);
    if (!fold_ && (s_.scale != 1.0f || s_.mask != nullptr)) {
      const float* mask = s_.mask == nullptr ? nullptr : s_.mask + r * s_.mask_row;
      ScaleAndMask(seen_[i], x, s_.scale, mask, s_.mask_col);
      SeenColumns(s_, r);  // the scale may be negative
    }
    max_[i] = MaxOf(Padded(i), x);
    hidden_[i] = s_.hidden_give_zeros && max_[i] == kLowest && AllHidden(seen_[i], x);
  }

  // x = exp(scale * (x - max)), whose sum is the result.
  float Exponents(int i) const {
    float* const x = Row(i);
    const V max = Splat(max_[i]), scale = Splat(fold_ ? s_.scale * kLog2E : kLog2E);
    V s0 = Splat(0.0f), s1 = s0;
    const int64_t n = Padded(i);
    int64_t j = 0;
    for (; j + 2 * kW <= n; j += 2 * kW) {
      const V a = PowerOfTwo((Load(x + j) - max) * scale);
      const V b = PowerOfTwo((Load(x + j + kW) - max) * scale);
      Store(x + j, a);
      Store(x + j + kW, b);
      s0 += a;
      s1 += b;
    }
    if (j < n) {
      const V a = PowerOfTwo((Load(x + j) - max) * scale);
      Store(x + j, a);
      s0 += a;
    }
    return SumLanes(s0 + s1);
  }

  void Normalize(int i) const {
    float* const x = Row(i);
    int64_t j = 0;
    const V factor = Splat(factor_[i]);
    for (; !hidden_[i] && j < Padded(i); j += kW) Store(x + j, Load(x + j) * factor);
    for (; j < s_.stride; j += kW) Store(x + j, Splat(0.0f));
  }

  const ScoreRows& s_;
  const int64_t first_;
  const int count_;
  bool fold_;  // the scale goes into the exponents
  int64_t seen_[kGroup];
  float max_[kGroup], factor_[kGroup];
  bool hidden_[kGroup];  // a row that is to be zeros
};

void Scores(const ScoreRows& s) {
  for (int64_t r = 0; r < s.rows; r += kGroup)
    ScoreGroup(s, r, static_cast<int>(s.rows - r < kGroup ? s.rows - r : kGroup)).Run();
}

}  // namespace

extern const SoftmaxTable kSoftmaxTable = {Rows, Columns, Scores};

}  // namespace paddle::lite::math::LITE_ISA
