#include "lite/kernels/cpu/math/isa/in_registers.h"
#include "lite/kernels/cpu/math/isa/winograd_lines.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/winograd_points.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

struct TileOf2 {
  static constexpr int kTile = 2, kPatch = 4;

  LITE_INLINE_STATIC void Input(const V* d, V* o) { InputOf4(d, o); }
  LITE_INLINE_STATIC void Output(const V* m, V* o) { OutputOf4(m, o); }
};

struct TileOf4 {
  static constexpr int kTile = 4, kPatch = 6;
  static constexpr float a = kWinogradA, b = kWinogradB;

  LITE_INLINE_STATIC void Input(const V* d, V* o) {
    const V product = Splat(a * a * b * b), sum = Splat(a * a + b * b);
    o[0] = product * d[0] - sum * d[2] + d[4];
    o[5] = product * d[1] - sum * d[3] + d[5];
    const V even_a = d[4] - Splat(b * b) * d[2], odd_a = Splat(a) * (d[3] - Splat(b * b) * d[1]);
    const V even_b = d[4] - Splat(a * a) * d[2], odd_b = Splat(b) * (d[3] - Splat(a * a) * d[1]);
    o[1] = even_a + odd_a;
    o[2] = even_a - odd_a;
    o[3] = even_b + odd_b;
    o[4] = even_b - odd_b;
  }
  LITE_INLINE_STATIC void Output(const V* m, V* o) {
    const V sum_a = m[1] + m[2], difference_a = m[1] - m[2];
    const V sum_b = m[3] + m[4], difference_b = m[3] - m[4];
    o[0] = m[0] + sum_a + sum_b;
    o[1] = Splat(a) * difference_a + Splat(b) * difference_b;
    o[2] = Splat(a * a) * sum_a + Splat(b * b) * sum_b;
    o[3] = Splat(a * a * a) * difference_a + Splat(b * b * b) * difference_b + m[5];
  }
};

template <typename T, typename LoadOp, typename StoreOp>
LITE_INLINE void InputVector(const float* const* pixels, int64_t c, float* v, int64_t stride,
                             const LoadOp& load, const StoreOp& store) {
  constexpr int n = T::kPatch;
  V columns[n][n];  // [column][row]
#pragma GCC unroll 6
  for (int j = 0; j < n; ++j) {
    V d[n];
#pragma GCC unroll 6
    for (int i = 0; i < n; ++i) d[i] = load(pixels[i * n + j] + c);
    T::Input(d, columns[j]);
  }
#pragma GCC unroll 6
  for (int i = 0; i < n; ++i) {
    V d[n], o[n];
#pragma GCC unroll 6
    for (int j = 0; j < n; ++j) d[j] = columns[j][i];
    T::Input(d, o);
#pragma GCC unroll 6
    for (int j = 0; j < n; ++j) store(v + (i * n + j) * stride + c, o[j]);
  }
}

template <typename T>
void Input(const float* const* pixels, int64_t channels, float* v, int64_t stride) {
  int64_t c = 0;
  for (; c + kW <= channels; c += kW) {
    InputVector<T>(
        pixels, c, v, stride, [](const float* p) { return Load(p); },
        [](float* p, V x) { Store(p, x); });
  }
  if (c == channels) return;
  const int tail = static_cast<int>(channels - c);
  InputVector<T>(
      pixels, c, v, stride, [tail](const float* p) { return LoadN(p, tail); },
      [tail](float* p, V x) { StoreN(p, x, tail); });
}

template <typename T, typename LoadOp, typename StoreOp>
LITE_INLINE void OutputVector(const float* m, int64_t stride, int64_t c, V bias,
                              const ActParameters& act, const float* slopes, float* const* pixels,
                              const LoadOp& load, const StoreOp& store) {
  constexpr int n = T::kPatch, t = T::kTile;
  V rows[n][t];
#pragma GCC unroll 6
  for (int i = 0; i < n; ++i) {
    V d[n];
#pragma GCC unroll 6
    for (int j = 0; j < n; ++j) d[j] = load(m + (i * n + j) * stride + c);
    T::Output(d, rows[i]);
  }
  const V p0 = Splat(act.p0), p1 = Splat(act.p1), p2 = Splat(act.p2);
  const V slope = slopes != nullptr ? Load(slopes + c) : Splat(0.0f);
#pragma GCC unroll 4
  for (int j = 0; j < t; ++j) {
    V d[n], o[t];
#pragma GCC unroll 6
    for (int i = 0; i < n; ++i) d[i] = rows[i][j];
    T::Output(d, o);
#pragma GCC unroll 4
    for (int i = 0; i < t; ++i) {
      const V y = o[i] + bias;
      store(pixels[i * t + j] + c, slopes != nullptr      ? Slope(y, slope)
                                   : act.finish == kClamp ? Clamp(y, p0, p1)
                                                          : HardSwish(y, p0, p1, p2));
    }
  }
}

template <typename T>
void Output(const float* m, int64_t stride, int64_t channels, const float* bias,
            const Activation& activation, const float* slopes, float* const* pixels) {
  ActParameters act;
  InRegisters(activation, &act);
  int64_t c = 0;
  for (; c + kW <= channels; c += kW) {
    OutputVector<T>(
        m, stride, c, Load(bias + c), act, slopes, pixels, [](const float* p) { return Load(p); },
        [](float* p, V x) { Store(p, x); });
  }
  if (c == channels) return;
  const int tail = static_cast<int>(channels - c);
  OutputVector<T>(
      m, stride, c, Load(bias + c), act, slopes, pixels,
      [tail](const float* p) { return LoadN(p, tail); },
      [tail](float* p, V x) { StoreN(p, x, tail); });
}

bool IsInRegisters(const Activation& act) {
  ActParameters unused;
  return InRegisters(act, &unused);
}

}  // namespace

extern const WinogradTable kWinogradTable = {
    {Input<TileOf2>, Input<TileOf4>}, {Output<TileOf2>, Output<TileOf4>}, IsInRegisters};

}  // namespace paddle::lite::math::LITE_ISA
