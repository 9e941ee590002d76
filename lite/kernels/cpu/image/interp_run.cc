#include <algorithm>
#include <optional>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/image/interp.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/work_split.h"
#include "lite/kernels/cpu/shape/nhwc.h"

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
  float sum = 0;
  for (int k = 0; k < ax.taps; ++k)
    for (int j = 0; j < ay.taps; ++j)
      for (int i = 0; i < az.taps; ++i) {
        const int64_t at = (Index(az, z)[i] * ay.in + Index(ay, y)[j]) * ax.in + Index(ax, w)[k];
        sum += static_cast<float>(x[at]) * Weight(az, z)[i] * Weight(ay, y)[j] * Weight(ax, w)[k];
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

// How often each element of an axis stands in the output, one after the other; 0 where it is no
// such axis.
int64_t Repeats(const InterpAxis& axis) {
  const int64_t times = axis.in > 0 && axis.out % axis.in == 0 ? axis.out / axis.in : 0;
  for (int64_t i = 0; i < axis.out && times > 0; ++i)
    if (axis.taps != 1 || *Index(axis, i) != i / times) return 0;
  return times;
}

constexpr int kKept = 4;  // the taps of bicubic resizing

// Output rows of row-major planes of reals, with the same bits as any other split of them.
template <typename T>
class RowMix {
 public:
  RowMix(const InterpAxes& axes, const T* x, T* out)
      : axes_(axes), x_(x), out_(out), repeats_(Repeats(axes[2])) {}

  // Of an image that grows along y, an input row is read by several output rows: it is spread once.
  bool keeps() const {
    const InterpAxis& ay = axes_[1];
    return axes_[0].taps == 1 && ay.taps > 1 && ay.taps <= kKept && ay.out > ay.in;
  }
  // Elements that Run has to have room for.
  size_t scratch() const {
    return static_cast<size_t>(keeps() ? axes_[1].taps * axes_[2].out : axes_[2].in);
  }

  // Rows [begin, end) of all planes.
  void Run(int64_t begin, int64_t end, T* scratch) const {
    if (keeps())
      MixSpread(begin, end, scratch);
    else
      SpreadMixed(begin, end, scratch);
  }

 private:
  void MixSpread(int64_t begin, int64_t end, T* scratch) const {
    const auto& [az, ay, ax] = axes_;
    const T* kept[kKept] = {};
    for (int64_t row = begin; row < end; ++row) {
      const int64_t y = row % ay.out, z = row / ay.out % az.out, plane = row / ay.out / az.out;
      const T* const image = x_ + (plane * az.in + *Index(az, z)) * ay.in * ax.in;
      const T* wanted[kKept];
      const T* spread[kKept];
      for (int j = 0; j < ay.taps; ++j) wanted[j] = image + Index(ay, y)[j] * ax.in;
      for (int j = 0; j < ay.taps; ++j) {
        int slot = Find(kept, ay.taps, wanted[j]);
        if (slot == ay.taps) {
          slot = 0;
          while (Find(wanted, ay.taps, kept[slot]) != ay.taps) ++slot;
          kept[slot] = wanted[j];
          Spread(wanted[j], scratch + slot * ax.out);
        }
        spread[j] = scratch + slot * ax.out;
      }
      MixRows(spread, Weight(ay, y), out_ + row * ax.out);
    }
  }

  // The first of `count` places that holds `row`, or `count`.
  static int Find(const T* const* places, int count, const T* row) {
    return static_cast<int>(std::find(places, places + count, row) - places);
  }

  void MixRows(const T* const* rows, const float* weight, T* __restrict to) const {
    const int64_t width = axes_[2].out;
    const T w0 = weight[0], w1 = weight[1];
    const T* __restrict a = rows[0], * __restrict b = rows[1];
    for (int64_t i = 0; i < width; ++i) to[i] = a[i] * w0 + b[i] * w1;
    for (int j = 2; j < axes_[1].taps; ++j) {
      const T w = weight[j];
      const T* __restrict more = rows[j];
      for (int64_t i = 0; i < width; ++i) to[i] += more[i] * w;
    }
  }

  void SpreadMixed(int64_t begin, int64_t end, T* mixed) const {
    const auto& [az, ay, ax] = axes_;
    for (int64_t row = begin; row < end; ++row) {
      const int64_t y = row % ay.out, z = row / ay.out % az.out, plane = row / ay.out / az.out;
      T* const to = out_ + row * ax.out;
      const bool again =
          row > begin && y > 0 && az.taps * ay.taps == 1 && *Index(ay, y) == *Index(ay, y - 1);
      if (again)
        std::copy_n(to - ax.out, ax.out, to);
      else
        Spread(Rows(x_ + plane * az.in * ay.in * ax.in, z, y, mixed), to);
    }
  }

  // The sum of the rows that the taps of two axes read.
  const T* Rows(const T* x, int64_t z, int64_t y, T* mixed) const {
    const InterpAxis &az = axes_[0], &ay = axes_[1], &ax = axes_[2];
    const auto row = [&](int i, int j) {
      return x + (Index(az, z)[i] * ay.in + Index(ay, y)[j]) * ax.in;
    };
    if (az.taps * ay.taps == 1) return row(0, 0);
    std::fill_n(mixed, ax.in, T{0});
    for (int i = 0; i < az.taps; ++i)
      for (int j = 0; j < ay.taps; ++j) {
        const T weight = static_cast<T>(Weight(az, z)[i]) * Weight(ay, y)[j];
        const T* const from = row(i, j);
        for (int64_t k = 0; k < ax.in; ++k) mixed[k] += from[k] * weight;
      }
    return mixed;
  }

  void Spread(const T* __restrict from, T* __restrict to) const {
    const InterpAxis& ax = axes_[2];
    const int64_t* const index = ax.index.data();
    const float* const weight = ax.weight.data();
    if (repeats_ == 1) {
      std::copy_n(from, ax.out, to);
    } else if (repeats_ == 2) {
      for (int64_t i = 0; i < ax.in; ++i) to[2 * i] = to[2 * i + 1] = from[i];
    } else if (ax.taps == 1) {
      for (int64_t i = 0; i < ax.out; ++i) to[i] = from[index[i]];
    } else if (ax.taps == 2) {
      for (int64_t i = 0; i < ax.out; ++i)
        to[i] = from[index[2 * i]] * weight[2 * i] + from[index[2 * i + 1]] * weight[2 * i + 1];
    } else {
      for (int64_t i = 0; i < ax.out; ++i) {
        T sum = 0;
        for (int k = 0; k < ax.taps; ++k) sum += from[Index(ax, i)[k]] * Weight(ax, i)[k];
        to[i] = sum;
      }
    }
  }

  const InterpAxes& axes_;
  const T* const x_;
  T* const out_;
  const int64_t repeats_;
};

template <typename T>
void RunRows(KernelContext& c, const InterpAxes& axes) {
  const Tensor& input = c.Input("X");
  const RowMix<T> mix(axes, input.data<T>(), c.Output("Out").mutable_data<T>());
  const auto& [az, ay, ax] = axes;
  const int64_t rows = input.dims()[0] * input.dims()[1] * az.out * ay.out;
  const double work = static_cast<double>(rows) * static_cast<double>(ax.out) * ax.taps;
  const math::WorkSplit split = math::SplitWork(c.threads(), rows, 1, 1, work);
  math::ForParts(c.threads(), split, [&](const math::WorkPart& part) {
    T* const scratch = static_cast<T*>(ThreadScratch(mix.scratch() * sizeof(T), kScratchKernel));
    mix.Run(part.begin, part.end, scratch);
  });
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

// One pixel of all channels out of the rows that its taps along y read; `pixel` floats lie between
// their pixels.
void MixPixel(const float* const* rows, const float* row_weight, int row_taps, const InterpAxis& ax,
              int64_t x, int64_t channels, int64_t pixel, float* out) {
  const int64_t* index = Index(ax, x);
  const float* weight = Weight(ax, x);
  if (row_taps == 1 && ax.taps == 1) {
    std::copy_n(rows[0] + *index * pixel, channels, out);
    return;
  }
  if (row_taps == 2 && ax.taps == 2) {
    const float* pixels[] = {rows[0] + index[0] * pixel, rows[0] + index[1] * pixel,
                             rows[1] + index[0] * pixel, rows[1] + index[1] * pixel};
    const float weights[] = {row_weight[0] * weight[0], row_weight[0] * weight[1],
                             row_weight[1] * weight[0], row_weight[1] * weight[1]};
    MixFour(pixels, weights, channels, out);
    return;
  }
  std::fill_n(out, channels, 0.0f);
  for (int j = 0; j < row_taps; ++j)
    for (int k = 0; k < ax.taps; ++k)
      AddTo(rows[j] + index[k] * pixel, row_weight[j] * weight[k], channels, out);
}

// A row of pixels to one of the same stride.
void CopyPixels(const float* from, int64_t pixels, int64_t channels, int64_t stride, float* to) {
  if (stride == channels) {
    std::copy_n(from, pixels * channels, to);
    return;
  }
  for (int64_t i = 0; i < pixels; ++i) std::copy_n(from + i * stride, channels, to + i * stride);
}

// All steps over one row of pixels, of which `mixed` is the operand that is missing.
void StepsOfRow(const std::vector<math::EpilogueStep>& all, int64_t image, int64_t first_pixel,
                const float* mixed, int64_t channels, std::vector<math::EpilogueStep>* steps) {
  *steps = all;
  for (math::EpilogueStep& step : *steps) {
    if (step.op == math::EpilogueStep::kAct) continue;
    if (step.data == nullptr) {
      step.data = mixed;
      step.row_stride = channels;
      step.col_stride = 1;
    } else {
      step.data += image * step.image_stride + first_pixel * step.row_stride;
    }
    step.image_stride = 0;
  }
}

}  // namespace

void RunInterpRowMajor(KernelContext& c, const InterpAxes& axes) {
  if (c.Output("Out").numel() == 0) return;
  switch (c.Input("X").dtype()) {
    case DataType::kFP64:
      return RunRows<double>(c, axes);
    case DataType::kInt32:
      return RunPlanes<int32_t>(c, axes);
    case DataType::kInt64:
      return RunPlanes<int64_t>(c, axes);
    case DataType::kUInt8:
      return RunPlanes<uint8_t>(c, axes);
    default:
      return RunRows<float>(c, axes);
  }
}

void RunInterpNhwc(KernelContext& c, const InterpAxes& axes) {
  Tensor& output = c.Output("Out");
  if (output.numel() == 0) return;
  const NhwcInput input(c.Input("X"));
  const KernelEpilogue epilogue(c, nullptr, {});
  const InterpAxis &ay = axes[1], &ax = axes[2];
  const int64_t channels = output.dims()[1], rows = output.dims()[0] * ay.out;
  const int64_t in_pixel = PixelStride(c.Input("X")), out_pixel = PixelStride(output);
  const int64_t in_row = ax.in * in_pixel, out_row = ax.out * out_pixel;
  const int64_t mixed_row = ax.out * channels;
  float* out = output.mutable_data<float>();
  const double work = static_cast<double>(rows * mixed_row) * ay.taps * ax.taps;
  const math::WorkSplit split = math::SplitWork(c.threads(), rows, 1, 1, work);
  const Tensor* base = c.InputOrNull("@Base");
  std::optional<NhwcInput> base_input;
  const NhwcInput* const first = base == nullptr ? nullptr : &base_input.emplace(*base);
  const int64_t base_pixel = base == nullptr ? 0 : PixelStride(*base);
  // An epilogue keeps a first activation apart from its steps; here they begin with the base.
  const std::vector<math::EpilogueStep>* const all = base == nullptr ? nullptr : &c.ResolveSteps();
  math::ForParts(c.threads(), split, [&](const math::WorkPart& part) {
    float* mixed = nullptr;  // a step's operand may be the output's memory
    std::vector<math::EpilogueStep> steps;
    if (!epilogue.empty())
      mixed = static_cast<float*>(
          ThreadScratch(static_cast<size_t>(mixed_row) * sizeof(float), kScratchKernel));
    for (int64_t row = part.begin; row < part.end; ++row) {
      const int64_t n = row / ay.out, y = row % ay.out;
      const float* taps[4];
      for (int j = 0; j < ay.taps; ++j)
        taps[j] = input.data() + (n * ay.in + Index(ay, y)[j]) * in_row;
      float* const to = mixed == nullptr ? out + row * out_row : mixed;
      const bool again =
          ay.taps == 1 && y > 0 && row > part.begin && *Index(ay, y) == *Index(ay, y - 1);
      if (again && mixed == nullptr) CopyPixels(to - out_row, ax.out, channels, out_pixel, to);
      const int64_t to_pixel = mixed == nullptr ? out_pixel : channels;
      for (int64_t x = 0; !again && x < ax.out; ++x)
        MixPixel(taps, Weight(ay, y), ay.taps, ax, x, channels, in_pixel, to + x * to_pixel);
      if (mixed == nullptr) continue;
      if (first == nullptr) {
        math::RunEpilogue(ax.out, channels, mixed, channels, out + row * out_row, out_pixel,
                          epilogue.get(), row * ax.out, 0);
        continue;
      }
      StepsOfRow(*all, n, y * ax.out, mixed, channels, &steps);
      math::RunSteps(ax.out, channels, first->data() + row * ax.out * base_pixel, base_pixel,
                     out + row * out_row, out_pixel, steps.data(), static_cast<int>(steps.size()),
                     0);
    }
  });
}

namespace {

// The operators that resize images: of one, two and three spatial axes.

#define REGISTER_INTERP(type, method, version)                                               \
  REGISTER_LITE_OP(type);                                                                    \
  [[maybe_unused]] OpInfo& type##_declared = DeclareInterp(type##_op_info, method, version); \
  REGISTER_LITE_FUNCTION(type, kHost, kAny, kNCHW, RunInterp<InterpAxesV##version>, def)

#define REGISTER_INTERP_OF_IMAGES(type, method, version)                                         \
  REGISTER_INTERP(type, method, version);                                                        \
  REGISTER_LITE_KERNEL(type, kHost, kFloat, kNHWC, InterpNhwcV##version, def, true, false, true, \
                       true)

REGISTER_INTERP(linear_interp, "linear", 1);
REGISTER_INTERP(linear_interp_v2, "linear", 2);
REGISTER_INTERP_OF_IMAGES(bicubic_interp, "bicubic", 1);
REGISTER_INTERP_OF_IMAGES(bicubic_interp_v2, "bicubic", 2);
REGISTER_INTERP_OF_IMAGES(bilinear_interp, "bilinear", 1);
REGISTER_INTERP_OF_IMAGES(bilinear_interp_v2, "bilinear", 2);
REGISTER_INTERP_OF_IMAGES(nearest_interp, "nearest", 1);
REGISTER_INTERP_OF_IMAGES(nearest_interp_v2, "nearest", 2);
REGISTER_INTERP(trilinear_interp, "trilinear", 1);
REGISTER_INTERP(trilinear_interp_v2, "trilinear", 2);

// bilinear and bicubic resizing whose filter grows with the factor by which an image shrinks.
void InferInterpAntialias(InferContext& c) {
  const auto& method = c.Attr<std::string>("interp_method");
  if (method != "bilinear" && method != "bicubic")
    throw LiteError(
        StrCat("attribute interp_method is \"", method, "\", expected bilinear or bicubic"));
  const DataType dtype = c.Input("X").dtype;
  if (dtype != DataType::kFP32 && dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(dtype), ", expected float32 or float64"));
  InferInterpV2(c);
}

REGISTER_LITE_OP(interp_antialias);
[[maybe_unused]] OpInfo& interp_antialias_declared =
    DeclareInterp(interp_antialias_op_info, "bilinear", 2).InferShape(InferInterpAntialias);
REGISTER_LITE_FUNCTION(interp_antialias, kHost, kAny, kNCHW, RunInterp<InterpAxesV2>, def);

}  // namespace
}  // namespace paddle::lite
