#include "lite/kernels/cpu/math/isa/vec.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// A NaN anywhere stays. That of `most` is kept by Max itself: what is tested does not wait for it.
LITE_INLINE V MaxOf(V x, V most) {
  const V larger = Max(x, most);
  return x != x ? x : larger;
}

template <typename LoadOp>
LITE_INLINE V MaxOfAll(const float* const* pixels, int64_t count, const LoadOp& load) {
  V most = load(pixels[0]);
  for (int64_t i = 1; i < count; ++i) most = MaxOf(load(pixels[i]), most);
  return most;
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

// pool(load) of every window and vector of channels.
template <typename Pool>
LITE_INLINE void ForEachVector(const PoolWindows& w, const Pool& pool) {
  for (int64_t i = 0; i < w.count; ++i) {
    float* const y = w.y + i * w.y_step;
    int64_t at = i * w.x_step;
    int64_t c = 0;
    for (; c + kW <= w.channels; c += kW, at += kW)
      Store(y + c, pool([at](const float* p) { return Load(p + at); }));
    if (c == w.channels) continue;
    const int tail = static_cast<int>(w.channels - c);
    StoreN(y + c, pool([at, tail](const float* p) { return LoadN(p + at, tail); }), tail);
  }
}

void Max(const PoolWindows& w) {
  ForEachVector(w, [&w](const auto& load) { return MaxOfAll(w.pixels, w.pixel_count, load); });
}

void Sum(const PoolWindows& w, float scale) {
  const V factor = Splat(scale);
  ForEachVector(
      w, [&w, factor](const auto& load) { return factor * SumOf(w.pixels, w.pixel_count, load); });
}

// Vectors of so many channels, the last of which may begin within the one before.
template <int kBytes>
LITE_INLINE void MaxOfBytesIn(const PoolWindowsOf<uint8_t>& w) {
  typedef uint8_t Bytes __attribute__((vector_size(kBytes)));
  typedef Bytes Unaligned __attribute__((aligned(1), may_alias));
  const auto load = [](const uint8_t* p) __attribute__((always_inline)) {
    return *reinterpret_cast<const Unaligned*>(p);
  };
  for (int64_t i = 0; i < w.count; ++i)
    for (int64_t next = 0; next < w.channels; next += kBytes) {
      const int64_t c = next + kBytes <= w.channels ? next : w.channels - kBytes;
      const int64_t at = i * w.x_step + c;
      Bytes most = load(w.pixels[0] + at);
      for (int64_t p = 1; p < w.pixel_count; ++p) {
        const Bytes x = load(w.pixels[p] + at);
        most = x > most ? x : most;
      }
      *reinterpret_cast<Unaligned*>(w.y + i * w.y_step + c) = most;
    }
}

void MaxOfBytes(const PoolWindowsOf<uint8_t>& w) {
  if (w.channels >= kW * 4) return MaxOfBytesIn<kW * 4>(w);
  if (w.channels >= 16) return MaxOfBytesIn<16>(w);
  if (w.channels >= 8) return MaxOfBytesIn<8>(w);
  for (int64_t i = 0; i < w.count; ++i)
    for (int64_t c = 0; c < w.channels; ++c) {
      uint8_t most = 0;
      for (int64_t p = 0; p < w.pixel_count; ++p) {
        const uint8_t x = w.pixels[p][i * w.x_step + c];
        most = most > x ? most : x;
      }
      w.y[i * w.y_step + c] = most;
    }
}

}  // namespace

extern const PoolTable kPoolTable = {Max, Sum, MaxOfBytes};

}  // namespace paddle::lite::math::LITE_ISA
