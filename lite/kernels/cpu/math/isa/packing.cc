#include "lite/kernels/cpu/math/isa/transpose_block.h"
#include "lite/kernels/cpu/math/isa/widen.h"
#include "lite/kernels/cpu/math/packing_table.h"
#include "lite/kernels/cpu/math/winograd_points.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

constexpr uint32_t kExponent = 0x7f800000;

// Row as a value, so that the choice costs nothing inside the loops.
template <bool flush>
LITE_INLINE Row Flushed(Row bits) {
  if (!flush) return bits;
  return bits & (Row)((bits & kExponent) != 0);
}

// One square of x, of which `rows` x `columns` exist, to rows of y.
template <bool flush>
void EdgeBlock(const uint32_t* x, int64_t ldx, int rows, int columns, const int64_t* at,
               uint32_t* y) {
  uint32_t square[kBlock * kBlock] = {};
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) square[r * kBlock + c] = x[r * ldx + c];
  TransposeBlock(square, kBlock, [=](int i, Row row) {
    if (i < columns) StoreRow(y + at[i], Flushed<flush>(row));
  });
}

template <bool flush>
void TurnPanel(const TurnedPanel& p) {
  constexpr int kTile = 16;  // a cache line of x is used up while it is near
  constexpr int64_t kAhead = 2 * kTile;
  const auto* x = reinterpret_cast<const uint32_t*>(p.x);
  auto* y = reinterpret_cast<uint32_t*>(p.y);
  const int64_t total = p.channels * p.taps;
  int64_t tap = 0, channel = 0;
  for (int64_t j = 0; j < total; j += kTile) {
    int64_t at[kTile];
    const int tile = static_cast<int>(total - j < kTile ? total - j : kTile);
    for (int i = 0; i < tile; ++i) {
      at[i] = (tap * p.tap_rows + channel) * p.width;
      if (++tap == p.taps) tap = 0, ++channel;
    }
    for (int64_t o = 0; o < p.width; o += kBlock) {
      const int64_t left = p.columns - o;
      const int rows = static_cast<int>(left < 0 ? 0 : left < kBlock ? left : kBlock);
      for (int i = 0; i < tile; i += kBlock) {
        const int columns = tile - i < kBlock ? tile - i : kBlock;
        const uint32_t* from = x + o * p.ldx + j + i;
        // Rows are far apart: no CPU follows so many of them by itself.
        if (i == 0 && j + kAhead < total)
          for (int r = 0; r < rows; ++r) __builtin_prefetch(from + r * p.ldx + kAhead);
        if (rows == kBlock && columns == kBlock) {
          TransposeBlock(from, p.ldx,
                         [&](int n, Row row) { StoreRow(y + at[i + n] + o, Flushed<flush>(row)); });
        } else {
          EdgeBlock<flush>(from, p.ldx, rows, columns, at + i, y + o);
        }
      }
    }
  }
}

void Turn(const TurnedPanel& p) { p.flush ? TurnPanel<true>(p) : TurnPanel<false>(p); }

void Copy(const float* x, int64_t count, bool flush, float* y) {
  const auto* from = reinterpret_cast<const uint32_t*>(x);
  auto* to = reinterpret_cast<uint32_t*>(y);
  int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    const Row row = LoadRow(from + i);
    StoreRow(to + i, flush ? Flushed<true>(row) : row);
  }
  for (; i < count; ++i) to[i] = flush && (from[i] & kExponent) == 0 ? 0 : from[i];
}

// Half a vector of floats, as doubles while it is transformed: rounded once, as the direct
// convolution's weights are.
constexpr int kHalf = kW / 2;
typedef float Half __attribute__((vector_size(kHalf * 4)));
typedef float HalfUnaligned __attribute__((vector_size(kHalf * 4), aligned(4), may_alias));
typedef int32_t HalfInt __attribute__((vector_size(kHalf * 4)));
typedef double Wide __attribute__((vector_size(kHalf * 8)));

LITE_INLINE Wide LoadWide(const float* p) {
  const Half half = *reinterpret_cast<const HalfUnaligned*>(p);
  return __builtin_convertvector(half, Wide);
}

LITE_INLINE void StoreFlushed(float* p, Wide v) {
  const HalfInt bits = (HalfInt) __builtin_convertvector(v, Half);
  const HalfInt kept = bits & ((bits & static_cast<int32_t>(kExponent)) != 0);
  *reinterpret_cast<HalfUnaligned*>(p) = (Half)kept;
}

struct WeightsOf2 {
  static constexpr int kPatch = 4;

  LITE_INLINE_STATIC void Transform(const Wide* w, Wide* o) {
    const Wide even = 0.5 * (w[0] + w[2]), odd = 0.5 * w[1];
    o[0] = w[0];
    o[1] = even + odd;
    o[2] = even - odd;
    o[3] = w[2];
  }
};

struct WeightsOf4 {
  static constexpr int kPatch = 6;
  static constexpr double a = kWinogradA, b = kWinogradB;
  static constexpr double kAt0 = 1 / (a * a * b * b), kAtA = 1 / (2 * a * a * (a * a - b * b)),
                          kAtB = 1 / (2 * b * b * (b * b - a * a));

  LITE_INLINE_STATIC void Transform(const Wide* w, Wide* o) {
    const Wide even_a = kAtA * w[0] + kAtA * a * a * w[2], odd_a = kAtA * a * w[1];
    const Wide even_b = kAtB * w[0] + kAtB * b * b * w[2], odd_b = kAtB * b * w[1];
    o[0] = kAt0 * w[0];
    o[1] = even_a + odd_a;
    o[2] = even_a - odd_a;
    o[3] = even_b + odd_b;
    o[4] = even_b - odd_b;
    o[5] = w[2];
  }
};

template <typename T>
void TransformWeights(const float* w, int64_t channels, int64_t width, float* y, int64_t stride) {
  constexpr int n = T::kPatch;
  for (int64_t c = 0; c < channels; ++c, w += 9 * width, y += width) {
    for (int64_t o = 0; o < width; o += kHalf) {
      Wide columns[3][n];
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) {
        const float* at = w + j * width + o;
        const Wide d[3] = {LoadWide(at), LoadWide(at + 3 * width), LoadWide(at + 6 * width)};
        T::Transform(d, columns[j]);
      }
#pragma GCC unroll 6
      for (int i = 0; i < n; ++i) {
        const Wide d[3] = {columns[0][i], columns[1][i], columns[2][i]};
        Wide r[n];
        T::Transform(d, r);
#pragma GCC unroll 6
        for (int j = 0; j < n; ++j) StoreFlushed(y + (i * n + j) * stride + o, r[j]);
      }
    }
  }
}

// The transforms of integers: exact numerators, and what they are multiplied with.
struct IntegersOf2 {
  static constexpr int kPatch = 4;
  static constexpr double kFactors[] = {1, 0.5, 0.5, 1};

  LITE_INLINE_STATIC void Transform(const V* w, V* o) {
    const V even = w[0] + w[2];
    o[0] = w[0];
    o[1] = even + w[1];
    o[2] = even - w[1];
    o[3] = w[2];
  }
};

struct IntegersOf4 {
  static constexpr int kPatch = 6;
  static constexpr float a = kWinogradA, b = kWinogradB;
  using Reals = WeightsOf4;
  static constexpr double kFactors[] = {Reals::kAt0, Reals::kAtA, Reals::kAtA,
                                        Reals::kAtB, Reals::kAtB, 1};

  LITE_INLINE_STATIC void Transform(const V* w, V* o) {
    const V even_a = w[0] + Splat(a * a) * w[2], odd_a = Splat(a) * w[1];
    const V even_b = w[0] + Splat(b * b) * w[2], odd_b = Splat(b) * w[1];
    o[0] = w[0];
    o[1] = even_a + odd_a;
    o[2] = even_a - odd_a;
    o[3] = even_b + odd_b;
    o[4] = even_b - odd_b;
    o[5] = w[2];
  }
};

template <typename T>
void TransformIntegers(const int8_t* w, int64_t channels, int64_t width, const float* scales,
                       float* y, int64_t stride) {
  constexpr int n = T::kPatch;
  for (int64_t o = 0; o < width; o += kW) {
    V factors[n][n];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        factors[i][j] =
            Splat(static_cast<float>(T::kFactors[i] * T::kFactors[j])) * Load(scales + o);
    for (int64_t c = 0; c < channels; ++c) {
      const int8_t* const from = w + c * width + o;
      float* const to = y + c * width + o;
      V columns[3][n];
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) {
        V d[3];
#pragma GCC unroll 3
        for (int i = 0; i < 3; ++i) d[i] = WidenInts(from + (3 * i + j) * channels * width);
        T::Transform(d, columns[j]);
      }
#pragma GCC unroll 6
      for (int i = 0; i < n; ++i) {
        const V d[3] = {columns[0][i], columns[1][i], columns[2][i]};
        V r[n];
        T::Transform(d, r);
#pragma GCC unroll 6
        for (int j = 0; j < n; ++j) Store(to + (i * n + j) * stride, r[j] * factors[i][j]);
      }
    }
  }
}

}  // namespace

extern const PackingTable kPackingTable = {
    Turn,
    Copy,
    {TransformWeights<WeightsOf2>, TransformWeights<WeightsOf4>},
    {TransformIntegers<IntegersOf2>, TransformIntegers<IntegersOf4>}};

}  // namespace paddle::lite::math::LITE_ISA
