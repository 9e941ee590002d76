#include "lite/kernels/cpu/math/reduce.h"

#include "lite/kernels/cpu/math/isa/reduce_lanes.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// Floats combined in single precision before a sum goes on in double.
constexpr int64_t kSpan = 4096;

struct AddOp {
  static constexpr float kStart = 0.0f;
  static LITE_INLINE_MEMBER V Apply(V a, V b) { return a + b; }
  static LITE_INLINE_MEMBER float One(float a, float b) { return a + b; }
};
struct MulOp {
  static constexpr float kStart = 1.0f;
  static LITE_INLINE_MEMBER V Apply(V a, V b) { return a * b; }
  static LITE_INLINE_MEMBER float One(float a, float b) { return a * b; }
};
struct MaxOp {
  static constexpr float kStart = -__builtin_inff();
  static LITE_INLINE_MEMBER V Apply(V a, V b) { return Max(a, b); }
  static LITE_INLINE_MEMBER float One(float a, float b) { return a > b ? a : b; }
};
struct MinOp {
  static constexpr float kStart = __builtin_inff();
  static LITE_INLINE_MEMBER V Apply(V a, V b) { return Min(a, b); }
  static LITE_INLINE_MEMBER float One(float a, float b) { return a < b ? a : b; }
};

template <typename Op>
LITE_INLINE float Row(int64_t n, const float* x) {
  V s0 = Splat(Op::kStart), s1 = s0, s2 = s0, s3 = s0;
  int64_t j = 0;
  for (; j + 4 * kW <= n; j += 4 * kW) {
    s0 = Op::Apply(s0, Load(x + j));
    s1 = Op::Apply(s1, Load(x + j + kW));
    s2 = Op::Apply(s2, Load(x + j + 2 * kW));
    s3 = Op::Apply(s3, Load(x + j + 3 * kW));
  }
  for (; j + kW <= n; j += kW) s0 = Op::Apply(s0, Load(x + j));
  s0 = Op::Apply(Op::Apply(s0, s1), Op::Apply(s2, s3));
  float lanes[kW];
  Store(lanes, s0);
  for (int step = kW / 2; step > 0; step /= 2)
    for (int i = 0; i < step; ++i) lanes[i] = Op::One(lanes[i], lanes[i + step]);
  float result = lanes[0];
  for (; j < n; ++j) result = Op::One(result, x[j]);
  return result;
}

float SumRow(Reduction reduction, int64_t n, const float* x) {
  double sum = 0;
  for (int64_t j = 0; j < n; j += kSpan) sum += Row<AddOp>(n - j < kSpan ? n - j : kSpan, x + j);
  return static_cast<float>(reduction == Reduction::kMean ? sum / static_cast<double>(n) : sum);
}

void Rows(Reduction reduction, int64_t rows, int64_t cols, const float* x, float* y) {
  for (int64_t r = 0; r < rows; ++r, x += cols) {
    switch (reduction) {
      case Reduction::kMax:
        y[r] = Row<MaxOp>(cols, x);
        break;
      case Reduction::kMin:
        y[r] = Row<MinOp>(cols, x);
        break;
      case Reduction::kProd:
        y[r] = Row<MulOp>(cols, x);
        break;
      default:
        y[r] = SumRow(reduction, cols, x);
    }
  }
}

template <typename Op>
LITE_INLINE V Column(int64_t axis, int64_t inner, const float* x, int lanes) {
  V s = Splat(Op::kStart);
  if (lanes == kW) {
    for (int64_t a = 0; a < axis; ++a) s = Op::Apply(s, Load(x + a * inner));
  } else {
    for (int64_t a = 0; a < axis; ++a) s = Op::Apply(s, LoadN(x + a * inner, lanes));
  }
  return s;
}

void SumColumn(Reduction reduction, int64_t axis, int64_t inner, const float* x, float* y,
               int lanes) {
  constexpr int64_t kRows = 256;
  if (axis <= kRows) {
    V s = Column<AddOp>(axis, inner, x, lanes);
    if (reduction == Reduction::kMean) s = s / Splat(static_cast<float>(axis));
    return StoreN(y, s, lanes);
  }
  double sums[kW] = {};
  for (int64_t a = 0; a < axis; a += kRows) {
    float part[kW];
    Store(part, Column<AddOp>(axis - a < kRows ? axis - a : kRows, inner, x + a * inner, lanes));
    for (int i = 0; i < lanes; ++i) sums[i] += static_cast<double>(part[i]);
  }
  const double count = reduction == Reduction::kMean ? static_cast<double>(axis) : 1.0;
  for (int i = 0; i < lanes; ++i) y[i] = static_cast<float>(sums[i] / count);
}

void Columns(Reduction reduction, int64_t axis, int64_t inner, int64_t first, int64_t last,
             const float* x, float* y) {
  for (int64_t j = first; j < last; j += kW) {
    const int lanes = last - j < kW ? static_cast<int>(last - j) : kW;
    switch (reduction) {
      case Reduction::kMax:
        StoreN(y + j, Column<MaxOp>(axis, inner, x + j, lanes), lanes);
        break;
      case Reduction::kMin:
        StoreN(y + j, Column<MinOp>(axis, inner, x + j, lanes), lanes);
        break;
      case Reduction::kProd:
        StoreN(y + j, Column<MulOp>(axis, inner, x + j, lanes), lanes);
        break;
      default:
        SumColumn(reduction, axis, inner, x + j, y + j, lanes);
    }
  }
}

}  // namespace

extern const ReduceTable kReduceTable = {Rows, Columns};

}  // namespace paddle::lite::math::LITE_ISA
