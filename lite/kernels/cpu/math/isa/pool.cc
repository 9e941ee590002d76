#include "lite/kernels/cpu/math/isa/vec.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// A NaN anywhere stays.
LITE_INLINE V MaxOf(V a, V b) { return ((a > b) | (a != a)) ? a : b; }

void Max(const float* const* pixels, int64_t count, int64_t channels, float* y) {
  int64_t c = 0;
  for (; c + kW <= channels; c += kW) {
    V m = Load(pixels[0] + c);
    for (int64_t i = 1; i < count; ++i) m = MaxOf(m, Load(pixels[i] + c));
    Store(y + c, m);
  }
  if (c == channels) return;
  const int tail = static_cast<int>(channels - c);
  V m = LoadN(pixels[0] + c, tail);
  for (int64_t i = 1; i < count; ++i) m = MaxOf(m, LoadN(pixels[i] + c, tail));
  StoreN(y + c, m, tail);
}

// Partial sums over this many pixels are added up: the error grows with its square root.
constexpr int64_t kRun = 32;

template <typename LoadOp>
LITE_INLINE V SumOf(const float* const* pixels, int64_t count, const LoadOp& load) {
  V sum = V{};
  for (int64_t first = 0; first < count; first += kRun) {
    const int64_t end = first + kRun < count ? first + kRun : count;
    V part = V{};
    for (int64_t i = first; i < end; ++i) part += load(pixels[i]);
    sum += part;
  }
  return sum;
}

void Sum(const float* const* pixels, int64_t count, int64_t channels, float scale, float* y) {
  const V factor = Splat(scale);
  int64_t c = 0;
  for (; c + kW <= channels; c += kW) {
    Store(y + c, factor * SumOf(pixels, count, [c](const float* p) { return Load(p + c); }));
  }
  if (c == channels) return;
  const int tail = static_cast<int>(channels - c);
  const auto load = [c, tail](const float* p) { return LoadN(p + c, tail); };
  StoreN(y + c, factor * SumOf(pixels, count, load), tail);
}

}  // namespace

extern const PoolTable kPoolTable = {Max, Sum};

}  // namespace paddle::lite::math::LITE_ISA
