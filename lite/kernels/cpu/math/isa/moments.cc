#include "lite/kernels/cpu/math/moments.h"

#include "lite/kernels/cpu/math/isa/reduce_lanes.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// Floats summed in single precision before they join a double.
constexpr int64_t kSpan = 4096;

// Sum of (x - center), or of its square.
template <bool square>
LITE_INLINE float SpanSum(int64_t n, const float* x, V center) {
  V s0 = Splat(0.0f), s1 = s0, s2 = s0, s3 = s0;
  int64_t j = 0;
  for (; j + 4 * kW <= n; j += 4 * kW) {
    const V a = Load(x + j) - center, b = Load(x + j + kW) - center;
    const V c = Load(x + j + 2 * kW) - center, d = Load(x + j + 3 * kW) - center;
    s0 += square ? a * a : a;
    s1 += square ? b * b : b;
    s2 += square ? c * c : c;
    s3 += square ? d * d : d;
  }
  for (; j + kW <= n; j += kW) {
    const V a = Load(x + j) - center;
    s0 += square ? a * a : a;
  }
  float sum = SumLanes((s0 + s1) + (s2 + s3));
  for (; j < n; ++j) {
    const float a = x[j] - center[0];
    sum += square ? a * a : a;
  }
  return sum;
}

template <bool square>
double Sum(int64_t n, const float* x, float center) {
  const V c = Splat(center);
  double sum = 0;
  for (int64_t j = 0; j < n; j += kSpan)
    sum += SpanSum<square>(n - j < kSpan ? n - j : kSpan, x + j, c);
  return sum;
}

void RowMoments(int64_t cols, const float* x, float* mean, float* variance) {
  const double count = static_cast<double>(cols);
  *mean = static_cast<float>(Sum<false>(cols, x, 0.0f) / count);
  *variance = static_cast<float>(Sum<true>(cols, x, *mean) / count);
}

void Rows(int64_t rows, int64_t cols, const float* x, float* mean, float* variance) {
  for (int64_t r = 0; r < rows; ++r) RowMoments(cols, x + r * cols, mean + r, variance + r);
}

// Up to kW columns of up to kRows rows in registers, then into the doubles.
void Columns(int64_t rows, int64_t cols, const float* x, const float* center, double* sums) {
  constexpr int64_t kRows = 256;
  for (int64_t r = 0; r < rows; r += kRows) {
    const int64_t count = rows - r < kRows ? rows - r : kRows;
    for (int64_t j = 0; j < cols; j += kW) {
      const int lanes = cols - j < kW ? static_cast<int>(cols - j) : kW;
      const V c = center == nullptr ? Splat(0.0f) : LoadN(center + j, lanes);
      const float* from = x + r * cols + j;
      V sum = Splat(0.0f);
      if (center == nullptr) {
        for (int64_t i = 0; i < count; ++i) sum += LoadN(from + i * cols, lanes);
      } else {
        for (int64_t i = 0; i < count; ++i) {
          const V d = LoadN(from + i * cols, lanes) - c;
          sum += d * d;
        }
      }
      float lane[kW];
      Store(lane, sum);
      for (int i = 0; i < lanes; ++i) sums[j + i] += static_cast<double>(lane[i]);
    }
  }
}

template <bool scaled, bool shifted>
LITE_INLINE void Normalize(int64_t cols, const float* x, const float* scale, const float* bias,
                           float mean, float factor, float* y) {
  const V m = Splat(mean), f = Splat(factor);
  for (int64_t j = 0; j < cols; j += kW) {
    const int lanes = cols - j < kW ? static_cast<int>(cols - j) : kW;
    if (lanes == kW) {
      V v = (Load(x + j) - m) * f;
      if (scaled) v = v * Load(scale + j);
      if (shifted) v = v + Load(bias + j);
      Store(y + j, v);
    } else {
      V v = (LoadN(x + j, lanes) - m) * f;
      if (scaled) v = v * LoadN(scale + j, lanes);
      if (shifted) v = v + LoadN(bias + j, lanes);
      StoreN(y + j, v, lanes);
    }
  }
}

void NormalizeRow(int64_t cols, const float* x, const float* scale, const float* bias, float mean,
                  float factor, float* y) {
  if (scale != nullptr && bias != nullptr)
    Normalize<true, true>(cols, x, scale, bias, mean, factor, y);
  else if (scale != nullptr)
    Normalize<true, false>(cols, x, scale, bias, mean, factor, y);
  else if (bias != nullptr)
    Normalize<false, true>(cols, x, scale, bias, mean, factor, y);
  else
    Normalize<false, false>(cols, x, scale, bias, mean, factor, y);
}

void LayerNorm(int64_t rows, int64_t cols, const float* x, const float* scale, const float* bias,
               float epsilon, float* y, float* mean, float* variance) {
  // Side by side, since the reductions of one row are long chains; all that are near in L1.
  constexpr int64_t kRows = 8, kFloats = 4096;
  const int64_t most = cols * kRows <= kFloats ? kRows : cols * 2 <= kFloats ? kFloats / cols : 1;
  const double count = static_cast<double>(cols);
  for (int64_t r = 0, group; r < rows; r += group, x += group * cols, y += group * cols) {
    group = rows - r < most ? rows - r : most;
    float m[kRows], v[kRows];
    for (int64_t i = 0; i < group; ++i)
      m[i] = static_cast<float>(Sum<false>(cols, x + i * cols, 0.0f) / count);
    for (int64_t i = 0; i < group; ++i)
      v[i] = static_cast<float>(Sum<true>(cols, x + i * cols, m[i]) / count);
    for (int64_t i = 0; i < group; ++i) {
      NormalizeRow(cols, x + i * cols, scale, bias, m[i], 1.0f / __builtin_sqrtf(v[i] + epsilon),
                   y + i * cols);
      if (mean != nullptr) mean[r + i] = m[i];
      if (variance != nullptr) variance[r + i] = v[i];
    }
  }
}

}  // namespace

extern const MomentsTable kMomentsTable = {Rows, Columns, LayerNorm};

}  // namespace paddle::lite::math::LITE_ISA
