#include "lite/kernels/cpu/math/reduce.h"

#include <cstring>

#include "lite/kernels/cpu/math/isa/transpose_block.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// Floats combined in single precision before a sum goes on in double.
constexpr int64_t kSpan = 4096;

struct AddOp {
  static constexpr float kStart = 0.0f;
  static LITE_INLINE_MEMBER V Apply(V a, V b) { return a + b; }
  template <typename T>
  static LITE_INLINE_MEMBER T Any(T a, T b) {
    return a + b;
  }
};
struct MulOp {
  static constexpr float kStart = 1.0f;
  static LITE_INLINE_MEMBER V Apply(V a, V b) { return a * b; }
  template <typename T>
  static LITE_INLINE_MEMBER T Any(T a, T b) {
    return a * b;
  }
};
// NaN stays, whichever it is.
struct MaxOp {
  static constexpr float kStart = -__builtin_inff();
  static LITE_INLINE_MEMBER V Apply(V a, V b) { return a == a ? Max(a, b) : a; }
  template <typename T>
  static LITE_INLINE_MEMBER T Any(T a, T b) {
    return ((a > b) | (a != a)) ? a : b;
  }
};
struct MinOp {
  static constexpr float kStart = __builtin_inff();
  static LITE_INLINE_MEMBER V Apply(V a, V b) { return a == a ? Min(a, b) : a; }
  template <typename T>
  static LITE_INLINE_MEMBER T Any(T a, T b) {
    return ((a < b) | (a != a)) ? a : b;
  }
};

LITE_INLINE V Iota() {
  V v;
  for (int i = 0; i < kW; ++i) v[i] = static_cast<float>(i);
  return v;
}

// Fewer elements than a vector has; the other lanes change nothing.
template <typename Op>
LITE_INLINE V Tail(const float* x, int64_t n) {
  const V lanes = LoadN(x, static_cast<int>(n));
  if (Op::kStart == 0) return lanes;
  return Iota() < Splat(static_cast<float>(n)) ? lanes : Splat(Op::kStart);
}

// A row's lanes, each combined by itself.
template <typename Op>
LITE_INLINE V LanesOf(int64_t n, const float* x) {
  if (n < kW) return Tail<Op>(x, n);
  V s0 = Splat(Op::kStart), s1 = s0, s2 = s0, s3 = s0;
  int64_t j = 0;
  for (; j + 4 * kW <= n; j += 4 * kW) {
    s0 = Op::Apply(s0, Load(x + j));
    s1 = Op::Apply(s1, Load(x + j + kW));
    s2 = Op::Apply(s2, Load(x + j + 2 * kW));
    s3 = Op::Apply(s3, Load(x + j + 3 * kW));
  }
  for (; j + kW <= n; j += kW) s0 = Op::Apply(s0, Load(x + j));
  if (j < n) s1 = Op::Apply(s1, Tail<Op>(x + j, n - j));
  return Op::Apply(Op::Apply(s0, s1), Op::Apply(s2, s3));
}

template <typename Op>
LITE_INLINE float RowOf(int64_t n, const float* x) {
  float lanes[kW];
  Store(lanes, LanesOf<Op>(n, x));
  for (int step = kW / 2; step > 0; step /= 2)
    for (int i = 0; i < step; ++i) lanes[i] = Op::Any(lanes[i], lanes[i + step]);
  return lanes[0];
}

typedef float Block __attribute__((vector_size(kBlock * 4)));
typedef float BlockUnaligned __attribute__((vector_size(kBlock * 4), aligned(4), may_alias));

// The lanes of as many numbers as a square has columns.
template <typename Op>
LITE_INLINE Block BlockOf(V v) {
#if defined(__AVX512F__)
  Block halves[2];
  std::memcpy(halves, &v, sizeof(v));
  return Op::Any(halves[0], halves[1]);
#else
  return v;
#endif
}

// Some rows at once: their lanes are combined in the order of one row's, but as columns of a
// square.
template <typename Op>
void AllRows(int64_t rows, int64_t cols, const float* x, float* y) {
  int64_t r = 0;
  for (; r + kBlock <= rows; r += kBlock) {
    alignas(kBlock * 4) Block square[kBlock];
    for (int i = 0; i < kBlock; ++i) square[i] = BlockOf<Op>(LanesOf<Op>(cols, x + (r + i) * cols));
    Block column[kBlock];
    TransposeBlock(
        reinterpret_cast<const uint32_t*>(square),
        kBlock, [&](int i, Row c) __attribute__((always_inline)) { column[i] = (Block)c; });
    for (int step = kBlock / 2; step > 0; step /= 2)
      for (int i = 0; i < step; ++i) column[i] = Op::Any(column[i], column[i + step]);
    *reinterpret_cast<BlockUnaligned*>(y + r) = column[0];
  }
  for (; r < rows; ++r) y[r] = RowOf<Op>(cols, x + r * cols);
}

float LongSum(Reduction reduction, int64_t n, const float* x) {
  double sum = 0;
  for (int64_t j = 0; j < n; j += kSpan) sum += RowOf<AddOp>(n - j < kSpan ? n - j : kSpan, x + j);
  return static_cast<float>(reduction == Reduction::kMean ? sum / static_cast<double>(n) : sum);
}

void Rows(Reduction reduction, int64_t rows, int64_t cols, const float* x, float* y) {
  switch (reduction) {
    case Reduction::kMax:
      return AllRows<MaxOp>(rows, cols, x, y);
    case Reduction::kMin:
      return AllRows<MinOp>(rows, cols, x, y);
    case Reduction::kProd:
      return AllRows<MulOp>(rows, cols, x, y);
    default:
      break;
  }
  if (cols > kSpan) {
    for (int64_t r = 0; r < rows; ++r) y[r] = LongSum(reduction, cols, x + r * cols);
    return;
  }
  AllRows<AddOp>(rows, cols, x, y);
  if (reduction == Reduction::kSum) return;
  const auto count = static_cast<double>(cols);
  for (int64_t r = 0; r < rows; ++r) y[r] = static_cast<float>(static_cast<double>(y[r]) / count);
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
