// deformable_conv, and deformable_conv_v1, which has no mask.
#include <algorithm>
#include <array>
#include <cmath>

#include "lite/kernels/cpu/convolution/conv.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite {
namespace {

struct DeformableShape {
  int64_t groups, deformable_groups;
  DDim x, w, y;
  Window vertical, horizontal;
  int64_t taps() const { return w[2] * w[3]; }
};

Windows WindowsOf(const OpLite& op, const DDim& x, const DDim& w) {
  return ResolveWindows(op, 2, x.begin() + 2, w.begin() + 2, true);
}

template <typename Context>
bool HasMask(const Context& c) {
  return c.op().info().FindInput("Mask") >= 0 && c.HasInput("Mask");
}

void InferDeformableConv(InferContext& c) {
  const TensorMeta& input = c.Input("Input");
  const DDim &x = input.dims, &w = c.Dims("Filter");
  c.Require(x.size() == 4, "input Input has shape ", x, ", expected rank 4");
  c.Require(w.size() == 4, "input Filter has shape ", w, ", expected rank 4");
  if (input.dtype != DataType::kFP32 && input.dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("input Input is ", Name(input.dtype), ", expected float32 or float64"));
  const int64_t groups = c.Attr<int32_t>("groups");
  const int64_t parts = c.Attr<int32_t>("deformable_groups");
  c.Require(groups >= 1 && parts >= 1, "attributes groups and deformable_groups are ", groups,
            " and ", parts, ", expected positive numbers");
  c.Require(w[0] >= 1 && w[0] % groups == 0 && w[1] >= 1 && w[1] < kMaxSpatialSize &&
                x[1] == w[1] * groups,
            "input Input has ", x[1], " channels, but Filter ", w, " with groups ", groups,
            " takes ", w[1] * groups);
  c.Require(x[1] % parts == 0, "input Input has ", x[1],
            " channels, expected a multiple of deformable_groups ", parts);
  c.Require(x[2] > 0 && x[3] > 0, "input Input has shape ", x, ", expected no empty spatial axis");
  const Windows windows = WindowsOf(c.op(), x, w);
  const DDim out{x[0], w[0], ConvOutputSize(x[2], windows[0]), ConvOutputSize(x[3], windows[1])};
  const auto require = [&](const char* slot, int64_t channels) {
    const DDim wanted{x[0], channels, out[2], out[3]};
    c.Require(c.Dims(slot) == wanted, "input ", slot, " has shape ", c.Dims(slot), ", expected ",
              wanted);
  };
  const int64_t taps = DDim{parts, w[2], w[3]}.production();
  require("Offset", 2 * taps);
  if (HasMask(c)) require("Mask", taps);
  for (const char* slot : {"Filter", "Offset", "Mask"})
    if ((slot != std::string_view("Mask") || HasMask(c)) && c.Input(slot).dtype != input.dtype)
      throw DataTypeError(StrCat("input ", slot, " is ", Name(c.Input(slot).dtype),
                                 ", but Input is ", Name(input.dtype)));
  c.SetOutput("Output", out, input.dtype);
}

// The pixels around a position between them, -1 for those outside, and their weights.
template <typename T>
struct Sample {
  std::array<int64_t, 4> at{-1, -1, -1, -1};
  std::array<T, 4> weight{0, 0, 0, 0};
};

template <typename T>
Sample<T> SampleAt(int64_t height, int64_t width, T y, T x, T scale) {
  Sample<T> sample;
  if (!(y > -1 && x > -1 && y < static_cast<T>(height) && x < static_cast<T>(width))) return sample;
  const auto top = static_cast<int64_t>(std::floor(y)), left = static_cast<int64_t>(std::floor(x));
  const T down = y - static_cast<T>(top), right = x - static_cast<T>(left);
  for (size_t i = 0; i < 4; ++i) {
    const int64_t row = top + static_cast<int64_t>(i / 2),
                  column = left + static_cast<int64_t>(i % 2);
    if (row < 0 || row >= height || column < 0 || column >= width) continue;
    sample.at[i] = row * width + column;
    sample.weight[i] = (i / 2 == 0 ? 1 - down : down) * (i % 2 == 0 ? 1 - right : right) * scale;
  }
  return sample;
}

// One tap at output positions [first, first + count), for the channels of one deformable group:
// row `tap` of each of their columns [channel][tap][count].
template <typename T>
void GatherTap(const DeformableShape& s, int64_t part, int64_t tap, int64_t first, int64_t count,
               const T* image, const T* offset, const T* mask, T* columns) {
  const int64_t pixels = s.y[2] * s.y[3], k = part * s.taps() + tap;
  const int64_t per_part = s.x[1] / s.deformable_groups, plane = s.x[2] * s.x[3];
  const auto& [kernel_y, stride_y, dilation_y, pad_y, after_y] = s.vertical;
  const auto& [kernel_x, stride_x, dilation_x, pad_x, after_x] = s.horizontal;
  std::vector<Sample<T>> samples(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t p = first + i;
    const int64_t y = p / s.y[3] * stride_y - pad_y + tap / s.w[3] * dilation_y;
    const int64_t x = p % s.y[3] * stride_x - pad_x + tap % s.w[3] * dilation_x;
    samples[static_cast<size_t>(i)] =
        SampleAt(s.x[2], s.x[3], static_cast<T>(y) + offset[2 * k * pixels + p],
                 static_cast<T>(x) + offset[(2 * k + 1) * pixels + p],
                 mask == nullptr ? T{1} : mask[k * pixels + p]);
  }
  for (int64_t channel = part * per_part; channel < (part + 1) * per_part; ++channel) {
    const T* from = image + channel * plane;
    T* to = columns + (channel * s.taps() + tap) * count;
    for (const Sample<T>& sample : samples) {
      T sum = 0;
      for (size_t i = 0; i < 4; ++i)
        if (sample.at[i] >= 0) sum += sample.weight[i] * from[sample.at[i]];
      *to++ = sum;
    }
  }
}

// y[rows][count] = filter[rows][length] * columns[length][count], y's rows `stride` apart.
void Multiply(int threads, int64_t rows, int64_t count, int64_t length, const float* filter,
              const float* columns, float* y, int64_t stride) {
  math::MatMul product;
  product.m = rows;
  product.n = product.ldb = count;
  product.k = product.lda = length;
  product.a = filter;
  product.b = columns;
  product.c = y;
  product.ldc = stride;
  math::GemmUnpacked(threads, product, {});
}

void Multiply(int, int64_t rows, int64_t count, int64_t length, const double* filter,
              const double* columns, double* y, int64_t stride) {
  for (int64_t m = 0; m < rows; ++m, y += stride, filter += length) {
    std::fill(y, y + count, 0.0);
    for (int64_t k = 0; k < length; ++k)
      for (int64_t i = 0; i < count; ++i) y[i] += filter[k] * columns[k * count + i];
  }
}

// Elements of the columns that are gathered at a time, unless one position has more.
constexpr int64_t kColumns = int64_t{1} << 19;

template <typename T>
void Convolve(KernelContext& c) {
  const DDim &x = c.Input("Input").dims(), &w = c.Input("Filter").dims();
  const Windows windows = WindowsOf(c.op(), x, w);
  const DeformableShape s{c.Attr<int32_t>("groups"),
                          c.Attr<int32_t>("deformable_groups"),
                          x,
                          w,
                          c.Output("Output").dims(),
                          windows[0],
                          windows[1]};
  const T *image = c.Input("Input").data<T>(), *offset = c.Input("Offset").data<T>();
  const T* mask = HasMask(c) ? c.Input("Mask").data<T>() : nullptr;
  const T* filter = c.Input("Filter").data<T>();
  T* y = c.Output("Output").mutable_data<T>();
  const int64_t pixels = s.y[2] * s.y[3], length = w[1] * s.taps(), rows = w[0] / s.groups;
  const int64_t part_taps = s.deformable_groups * s.taps();
  const int64_t step = std::clamp<int64_t>(kColumns / (x[1] * s.taps()), 1, pixels);
  std::vector<T> columns(static_cast<size_t>(x[1] * s.taps() * step));
  for (int64_t n = 0; n < x[0]; ++n, image += x.Count(1, 4), offset += 2 * part_taps * pixels) {
    for (int64_t first = 0; first < pixels; first += step) {
      const int64_t count = std::min(step, pixels - first);
      math::ParallelRange(c.threads(), part_taps, 1, [&](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; ++k)
          GatherTap(s, k / s.taps(), k % s.taps(), first, count, image, offset, mask,
                    columns.data());
      });
      for (int64_t g = 0; g < s.groups; ++g)
        Multiply(c.threads(), rows, count, length, filter + g * rows * length,
                 columns.data() + g * length * count, y + (n * w[0] + g * rows) * pixels + first,
                 pixels);
    }
    if (mask != nullptr) mask += part_taps * pixels;
  }
}

void RunDeformableConv(KernelContext& c) {
  if (c.Input("Input").dtype() == DataType::kFP64)
    Convolve<double>(c);
  else
    Convolve<float>(c);
}

REGISTER_LITE_OP(deformable_conv)
    .Input("Input")
    .Input("Offset")
    .Input("Filter")
    .OptionalInput("Mask")
    .Output("Output")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<std::string>("padding_algorithm", "EXPLICIT")
    .Attr<std::vector<int32_t>>("dilations", {1, 1})
    .Attr<int32_t>("groups", 1)
    .Attr<int32_t>("deformable_groups", 1)
    .InferShape(InferDeformableConv);
REGISTER_LITE_FUNCTION(deformable_conv, kHost, kAny, kNCHW, RunDeformableConv, def);

REGISTER_LITE_OP(deformable_conv_v1)
    .Input("Input")
    .Input("Offset")
    .Input("Filter")
    .Output("Output")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<std::string>("padding_algorithm", "EXPLICIT")
    .Attr<std::vector<int32_t>>("dilations", {1, 1})
    .Attr<int32_t>("groups", 1)
    .Attr<int32_t>("deformable_groups", 1)
    .InferShape(InferDeformableConv);
REGISTER_LITE_FUNCTION(deformable_conv_v1, kHost, kAny, kNCHW, RunDeformableConv, def);

}  // namespace
}  // namespace paddle::lite
