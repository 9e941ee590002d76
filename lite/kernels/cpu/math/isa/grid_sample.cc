#include "lite/kernels/cpu/math/grid_sample.h"

#include "lite/kernels/cpu/math/isa/rounding.h"
#include "lite/kernels/cpu/math/isa/vec.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// Positions along an axis: the pixel before them, the part of the way to the next one, whether both
// are there, and whether one is. NaN is nowhere.
struct Axis {
  LITE_INLINE_MEMBER Axis(V at, int64_t size, const GridImage& image) {
    const V all = Splat(static_cast<float>(size)), last = Splat(static_cast<float>(size - 1));
    const V one = Splat(1.0f), half = Splat(0.5f);
    V position = image.align_corners ? (at + one) * half * last : ((at + one) * all - one) * half;
    if (image.border) position = Clamp(position, V{}, last);
    inside = (position >= V{}) & (position < last);
    near = (position > -one) & (position < all);
    position = inside ? position : V{};
    low = __builtin_convertvector(position, VI);
    part = position - __builtin_convertvector(low, V);
  }

  VI low, inside, near;
  V part;
};

// The pixel of an axis that is nearest, and whether it is there.
struct NearestOfAxis {
  LITE_INLINE_MEMBER NearestOfAxis(V position, int64_t size, bool even, bool border) {
    if (border) position = Clamp(position, V{}, Splat(static_cast<float>(size - 1)));
    const V whole = even ? Rint(position) : Round(position);
    inside = (whole >= V{}) & (whole < Splat(static_cast<float>(size)));
    pixel = __builtin_convertvector(inside ? whole : V{}, VI);
  }

  VI pixel, inside;
};

LITE_INLINE void StorePlace(int64_t i, VI base, VI place, GridTaps* taps) {
  __builtin_memcpy(taps->base + i, &base, sizeof base);
  __builtin_memcpy(taps->place + i, &place, sizeof place);
}

void Find(const GridImage& image, const float* grid, int64_t count, GridTaps* taps) {
  for (int64_t i = 0; i < count; i += kW) {
    alignas(64) float xs[kW] = {}, ys[kW] = {};
    const int64_t lanes = count - i < kW ? count - i : kW;
    for (int64_t j = 0; j < lanes; ++j) {
      xs[j] = grid[2 * (i + j)];
      ys[j] = grid[2 * (i + j) + 1];
    }
    const Axis x(Load(xs), image.width, image), y(Load(ys), image.height, image);
    const VI inside = x.inside & y.inside, outside = ~(x.near & y.near);
    const VI base = (y.low * static_cast<int32_t>(image.width) + x.low) & inside;
    StorePlace(i, base, inside | (outside & SplatInt(GridTaps::kOutside)), taps);
    const V left = Splat(1.0f) - x.part, above = Splat(1.0f) - y.part;
    Store(taps->weights[0] + i, above * left);
    Store(taps->weights[1] + i, above * x.part);
    Store(taps->weights[2] + i, y.part * left);
    Store(taps->weights[3] + i, y.part * x.part);
  }
}

void FindNearest(const GridImage& image, bool even, const float* xs, const float* ys, int64_t count,
                 GridTaps* taps) {
  for (int64_t i = 0; i < count; i += kW) {
    const NearestOfAxis x(Load(xs + i), image.width, even, image.border);
    const NearestOfAxis y(Load(ys + i), image.height, even, image.border);
    const VI inside = x.inside & y.inside;
    const VI base = (y.pixel * static_cast<int32_t>(image.width) + x.pixel) & inside;
    StorePlace(i, base, inside | (~inside & SplatInt(GridTaps::kOutside)), taps);
  }
}

void Sample(const float* plane, int64_t width, const GridTaps& taps, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i) {
    const float* const at = plane + taps.base[i];
    out[i] = at[0] * taps.weights[0][i] + at[1] * taps.weights[1][i] +
             at[width] * taps.weights[2][i] + at[width + 1] * taps.weights[3][i];
  }
}

}  // namespace

extern const GridSampleTable kGridSampleTable = {Find, FindNearest, Sample};

}  // namespace paddle::lite::math::LITE_ISA
