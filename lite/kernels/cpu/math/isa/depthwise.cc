#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/isa/depthwise_end.h"
#include "lite/kernels/cpu/math/isa/in_registers.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

constexpr int kMaxPixels = 4;

struct DepthwiseTile {
  const float* const* x;  // input pixels
  int64_t rows;           // of the kernel, where its function is for any number
  int64_t taps;           // only for the kernels of any size
  int64_t channels, padded_channels;
  const float *weights, *bias;
  float* y;
  int64_t ldy, y_row;      // floats between output pixels and between output rows
  int64_t ahead;           // floats from what is written to the line that is asked for
  int64_t groups, x_step;  // groups of pixels, and how far each one's input is from the last one's
  ActParameters act;
};

LITE_INLINE V Finished(const ActParameters& act, V y) {
  const V p0 = Splat(act.p0), p1 = Splat(act.p1);
  if (act.finish == kClamp) return Clamp(y, p0, p1);
  return HardSwish(y, p0, p1, Splat(act.p2));
}

#include "depthwise_tiles.inc"

template <int pixels, typename LoadOp, typename StoreOp>
LITE_INLINE void AnyVector(const DepthwiseTile& t, float* y, int64_t shift, int64_t c,
                           const LoadOp& load, const StoreOp& store) {
  const V bias = Load(t.bias + c);
  V y0 = bias, y1 = bias, y2 = bias, y3 = bias;
  const float* w = t.weights + c;
  const float* const* x = t.x;
  for (int64_t tap = 0; tap < t.taps; ++tap, w += t.padded_channels, x += pixels) {
    const V v = Load(w);
    y0 += v * load(x[0] + shift + c);
    if (pixels > 1) y1 += v * load(x[pixels > 1 ? 1 : 0] + shift + c);
    if (pixels > 2) y2 += v * load(x[pixels > 2 ? 2 : 0] + shift + c);
    if (pixels > 3) y3 += v * load(x[pixels > 3 ? 3 : 0] + shift + c);
  }
  store(y + c, Finished(t.act, y0));
  if (pixels > 1) store(y + t.ldy + c, Finished(t.act, y1));
  if (pixels > 2) store(y + 2 * t.ldy + c, Finished(t.act, y2));
  if (pixels > 3) store(y + 3 * t.ldy + c, Finished(t.act, y3));
}

// Any kernel size, stride and dilation: x holds `pixels` pointers for each tap.
template <int pixels>
void AnyTile(const DepthwiseTile& t) {
  for (int64_t g = 0; g < t.groups; ++g) {
    float* const y = t.y + g * pixels * t.ldy;
    const int64_t shift = g * t.x_step;
    int64_t c = 0;
    for (; c + kW <= t.channels; c += kW) {
      AnyVector<pixels>(
          t, y, shift, c, [](const float* p) { return Load(p); },
          [](float* p, V v) { Store(p, v); });
    }
    if (c < t.channels) {
      const int tail = static_cast<int>(t.channels - c);
      AnyVector<pixels>(
          t, y, shift, c, [tail](const float* p) { return LoadN(p, tail); },
          [tail](float* p, V v) { StoreN(p, v, tail); });
    }
  }
}

const DepthwiseShape kAnyShape = {0, 0, 0, 1, {{AnyTile<1>, AnyTile<2>, AnyTile<3>, AnyTile<4>}}};

const DepthwiseShape& ShapeFor(const DepthwiseRow& r) {
  for (const DepthwiseShape& shape : kShapes) {
    const bool fits = shape.size == r.kw && shape.stride == r.sw && r.dw == 1;
    if (fits && (shape.rows == 0 || shape.rows == r.kh)) return shape;
  }
  return kAnyShape;
}

int64_t RowsTogether(const DepthwiseRow& r, int64_t sh, int64_t dh) {
  const DepthwiseShape& shape = ShapeFor(r);
  return sh == shape.stride && dh == 1 ? shape.together : 1;
}

const float* PixelAt(const DepthwiseRow& r, int64_t ky, int64_t ix) {
  const float* row = r.rows[ky];
  return row == nullptr || ix < 0 || ix >= r.iw ? r.zeros : row + ix * r.x_pixel;
}

// The input pixels of output pixels ox ... ox + pixels - 1, in the kernels' order.
void FillPointers(const DepthwiseRow& r, bool any, int64_t ox, int pixels) {
  const float** out = r.pointers;
  const int64_t left = ox * r.sw - r.pl, rows = r.kh + (r.together - 1) * r.sw;
  for (int64_t ky = 0; ky < rows; ++ky) {
    if (any) {
      for (int64_t kx = 0; kx < r.kw; ++kx) {
        for (int p = 0; p < pixels; ++p) *out++ = PixelAt(r, ky, left + kx * r.dw + p * r.sw);
      }
    } else {
      const int64_t columns = (pixels - 1) * r.sw + r.kw;
      for (int64_t i = 0; i < columns; ++i) *out++ = PixelAt(r, ky, left + i);
    }
  }
}

// Groups of kMaxPixels from output pixel ox on whose input needs no padding at the sides.
int64_t InnerGroups(const DepthwiseRow& r, int64_t ox) {
  if (ox * r.sw < r.pl) return 0;
  const int64_t room = r.iw - 1 + r.pl - (r.kw - 1) * r.dw;
  const int64_t end = room < 0 ? 0 : room / r.sw + 1;  // first output pixel that reaches beyond
  const int64_t pixels = (end < r.ow ? end : r.ow) - ox;
  return pixels < 0 ? 0 : pixels / kMaxPixels;
}

void RunRows(const DepthwiseRow& r) {
  const DepthwiseShape& shape = ShapeFor(r);
  const Epilogue& e = *r.epilogue;
  DepthwiseTile t;
  const bool act_done = InRegisters(e.act, &t.act);
  const bool direct = act_done && e.step_count == 0 && e.rounding == nullptr;
  float* const out = direct ? r.y : r.tile;
  t.x = r.pointers;
  t.rows = r.kh;
  t.taps = r.kh * r.kw;
  t.channels = r.channels;
  t.padded_channels = r.padded_channels;
  t.weights = r.weights;
  t.bias = r.bias;
  t.ldy = direct ? r.y_pixel : r.channels;
  t.y_row = r.ow * t.ldy;
  t.ahead = L1CacheBytes() / 4 / static_cast<int64_t>(sizeof(float));
  t.x_step = kMaxPixels * r.sw * r.x_pixel;
  for (int64_t ox = 0; ox < r.ow;) {
    const int64_t left = r.ow - ox, inner = InnerGroups(r, ox);
    // 5 = 3 + 2 rather than 4 + 1.
    const int pixels = static_cast<int>(left == 5 ? 3 : left < kMaxPixels ? left : kMaxPixels);
    t.groups = pixels == kMaxPixels && inner > 0 ? inner : 1;
    t.y = out + ox * t.ldy;
    FillPointers(r, &shape == &kAnyShape, ox, pixels);
    shape.tiles[r.together - 1][pixels - 1](t);
    ox += t.groups * pixels;
  }
  if (direct) return;
  DepthwisePixels pixels;
  pixels.count = r.together * r.ow, pixels.channels = r.channels;
  pixels.first_row = r.first_row, pixels.first_column = r.first_column;
  pixels.y = r.y, pixels.bytes = r.bytes, pixels.y_pixel = r.y_pixel;
  EndPixels(e, act_done, pixels, out);
}

}  // namespace

extern const DepthwiseTable kDepthwiseTable = {RowsTogether, RunRows};

}  // namespace paddle::lite::math::LITE_ISA
