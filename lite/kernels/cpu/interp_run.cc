#include <algorithm>
#include <type_traits>

#include "lite/core/thread_pool.h"
#include "lite/kernels/cpu/interp.h"
#include "lite/kernels/cpu/math/work_split.h"
#include "lite/kernels/cpu/nhwc.h"

namespace paddle::lite {
namespace {

const int64_t* Index(const InterpAxis& axis, int64_t i) {
  return &axis.index[static_cast<size_t>(i * axis.taps)];
}
const float* Weight(const InterpAxis& axis, int64_t i) {
  return &axis.weight[static_cast<size_t>(i * axis.taps)];
}

// One output of a plane: the sum over the taps of all axes.
template <typename T>
T Mix(const InterpAxes& axes, const T* x, int64_t z, int64_t y, int64_t w) {
  const auto& [az, ay, ax] = axes;
  if (az.taps * ay.taps * ax.taps == 1)
    return x[(*Index(az, z) * ay.in + *Index(ay, y)) * ax.in + *Index(ax, w)];
  // In Paddle's order, so that integers, which are cut off, agree.
  using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
  Sum sum = 0;
  for (int k = 0; k < ax.taps; ++k)
    for (int j = 0; j < ay.taps; ++j)
      for (int i = 0; i < az.taps; ++i) {
        const int64_t at = (Index(az, z)[i] * ay.in + Index(ay, y)[j]) * ax.in + Index(ax, w)[k];
        sum += static_cast<Sum>(x[at]) * Weight(az, z)[i] * Weight(ay, y)[j] * Weight(ax, w)[k];
      }
  return static_cast<T>(sum);
}

template <typename T>
void RunPlanes(KernelContext& c, const InterpAxes& axes) {
  const Tensor& input = c.Input("X");
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  const int64_t planes = input.dims()[0] * input.dims()[1];
  const int64_t size = axes[0].in * axes[1].in * axes[2].in;
  for (int64_t p = 0; p < planes; ++p, x += size)
    for (int64_t z = 0; z < axes[0].out; ++z)
      for (int64_t y = 0; y < axes[1].out; ++y)
        for (int64_t w = 0; w < axes[2].out; ++w) *out++ = Mix(axes, x, z, y, w);
}

void MixFour(const float* const* p, const float* w, int64_t channels, float* __restrict out) {
  const float* __restrict a = p[0], * __restrict b = p[1];
  const float* __restrict d = p[2], * __restrict e = p[3];
  for (int64_t c = 0; c < channels; ++c)
    out[c] = w[0] * a[c] + w[1] * b[c] + w[2] * d[c] + w[3] * e[c];
}

void AddTo(const float* __restrict a, float weight, int64_t channels, float* __restrict out) {
  for (int64_t c = 0; c < channels; ++c) out[c] += weight * a[c];
}

// One pixel of all channels out of the rows that its taps along y read.
void MixPixel(const float* const* rows, const float* row_weight, int row_taps, const InterpAxis& ax,
              int64_t x, int64_t channels, float* out) {
  const int64_t* index = Index(ax, x);
  const float* weight = Weight(ax, x);
  if (row_taps == 1 && ax.taps == 1) {
    std::copy_n(rows[0] + *index * channels, channels, out);
    return;
  }
  if (row_taps == 2 && ax.taps == 2) {
    const float* pixels[] = {rows[0] + index[0] * channels, rows[0] + index[1] * channels,
                             rows[1] + index[0] * channels, rows[1] + index[1] * channels};
    const float weights[] = {row_weight[0] * weight[0], row_weight[0] * weight[1],
                             row_weight[1] * weight[0], row_weight[1] * weight[1]};
    MixFour(pixels, weights, channels, out);
    return;
  }
  std::fill_n(out, channels, 0.0f);
  for (int j = 0; j < row_taps; ++j)
    for (int k = 0; k < ax.taps; ++k)
      AddTo(rows[j] + index[k] * channels, row_weight[j] * weight[k], channels, out);
}

}  // namespace

void RunInterpReference(KernelContext& c, const InterpAxes& axes) {
  if (c.Output("Out").numel() == 0) return;
  switch (c.Input("X").dtype()) {
    case DataType::kFP64:
      return RunPlanes<double>(c, axes);
    case DataType::kInt32:
      return RunPlanes<int32_t>(c, axes);
    case DataType::kInt64:
      return RunPlanes<int64_t>(c, axes);
    case DataType::kUInt8:
      return RunPlanes<uint8_t>(c, axes);
    default:
      return RunPlanes<float>(c, axes);
  }
}

void RunInterpNhwc(KernelContext& c, const InterpAxes& axes) {
  Tensor& output = c.Output("Out");
  if (output.numel() == 0) return;
  const NhwcInput input(c.Input("X"));
  const KernelEpilogue epilogue(c, nullptr, {});
  const InterpAxis &ay = axes[1], &ax = axes[2];
  const int64_t channels = output.dims()[1], rows = output.dims()[0] * ay.out;
  const int64_t in_row = ax.in * channels, out_row = ax.out * channels;
  float* out = output.mutable_data<float>();
  const double work = static_cast<double>(rows * out_row) * ay.taps * ax.taps;
  const math::WorkSplit split = math::SplitWork(c.threads(), rows, 1, 1, work);
  ParallelFor(c.threads(), split.row_chunks, [&](int64_t chunk) {
    float* mixed = nullptr;  // a step's operand may be the output's memory
    if (!epilogue.empty())
      mixed = static_cast<float*>(
          ThreadScratch(static_cast<size_t>(out_row) * sizeof(float), kScratchKernel));
    const int64_t end = std::min((chunk + 1) * split.rows, rows);
    for (int64_t row = chunk * split.rows; row < end; ++row) {
      const int64_t n = row / ay.out, y = row % ay.out;
      const float* taps[4];
      for (int j = 0; j < ay.taps; ++j)
        taps[j] = input.data() + (n * ay.in + Index(ay, y)[j]) * in_row;
      float* const to = mixed == nullptr ? out + row * out_row : mixed;
      const bool again = ay.taps == 1 && mixed == nullptr && y > 0 && row > chunk * split.rows &&
                         *Index(ay, y) == *Index(ay, y - 1);
      if (again) {
        std::copy_n(to - out_row, out_row, to);
        continue;
      }
      for (int64_t x = 0; x < ax.out; ++x)
        MixPixel(taps, Weight(ay, y), ay.taps, ax, x, channels, to + x * channels);
      if (mixed != nullptr)
        math::RunEpilogue(ax.out, channels, mixed, channels, out + row * out_row, channels,
                          epilogue.get(), row * ax.out, 0);
    }
  });
}

}  // namespace paddle::lite
