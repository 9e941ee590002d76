#include <algorithm>
#include <cmath>
#include <limits>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/pooling/pool.h"
#include "lite/kernels/cpu/pooling/window.h"
#include "lite/kernels/cpu/random/random.h"

namespace paddle::lite {
namespace {

// fractional_max_pool2d and fractional_max_pool3d: maxima of windows whose sizes differ by one, cut
// where attribute random_u says (0: drawn in every run). With kernel_size the windows overlap.
template <int kRank>
void InferFractionalMaxPool(InferContext& c) {
  RequireType(c, "x", {DataType::kFP32, DataType::kFP64});
  const TensorMeta& x = c.Input("x");
  c.Require(x.dims.size() == kRank + 2, "input x has shape ", x.dims, ", expected rank ",
            kRank + 2);
  const auto sizes = IntsAttr(c.op(), "output_size", kRank);
  const auto kernel = IntsAttr(c.op(), "kernel_size", kRank);
  const float u = FiniteAttr(c, "random_u");
  c.Require(u >= 0 && u < 1, "attribute random_u is ", u, ", expected a number in [0, 1)");
  c.Require(x.dims.Count(2, x.dims.size()) <= std::numeric_limits<int32_t>::max(),
            "input x has shape ", x.dims, ", too many elements for int32 indexes");
  DDim out{x.dims[0], x.dims[1]};
  for (size_t i = 0; i < kRank; ++i) {
    const int64_t in = x.dims[static_cast<int>(i) + 2];
    c.Require(
        sizes[i] > 0 && kernel[i] >= 0 && sizes[i] + std::max<int64_t>(kernel[i] - 1, 0) <= in,
        "attributes output_size and kernel_size have ", sizes[i], " and ", kernel[i],
        ", expected a positive size and windows that fit ", in, " elements");
    out.push_back(sizes[i]);
  }
  c.SetOutput("out", out, x.dtype);
  c.SetOutput("mask", out, DataType::kInt32);
}

struct Range {
  int64_t first, last;
};

// The windows along an axis, computed in float as Paddle does.
std::vector<Range> Cut(int64_t in, int64_t out, int64_t kernel, float random) {
  const bool overlaps = kernel > 0;
  const int64_t steps = out - (overlaps ? 1 : 0);
  const float alpha = steps == 0 ? 0 : static_cast<float>(in - kernel) / static_cast<float>(steps);
  float u = random;
  if (!overlaps) {
    const int64_t base = in / out;
    const float most =
        std::min(static_cast<float>(base + 2) / alpha - 1,
                 static_cast<float>(in + 1 - base) / alpha - static_cast<float>(out - 1));
    u *= most;
  }
  const auto at = [&](int64_t i) {
    return static_cast<int64_t>((static_cast<float>(i) + u) * alpha) -
           static_cast<int64_t>(u * alpha);
  };
  std::vector<Range> windows;
  for (int64_t i = 0; i < out; ++i) {
    const int64_t first = std::clamp<int64_t>(at(i), 0, in - 1);
    const int64_t last = overlaps ? first + kernel : at(i + 1);
    windows.push_back({first, std::clamp(last, first + 1, in)});
  }
  return windows;
}

template <typename T, int kRank>
void Pool(KernelContext& c) {
  const DDim& in = c.Input("x").dims();
  const auto sizes = IntsAttr(c.op(), "output_size", kRank);
  const auto kernel = IntsAttr(c.op(), "kernel_size", kRank);
  float u = c.Attr<float>("random_u");
  if (u == 0) {
    RandomEngine engine = MakeEngine(0);
    u = DrawUniform<float>(engine);
  }
  std::vector<Range> cuts[3] = {{{0, 1}}, {{0, 1}}, {{0, 1}}};
  int64_t extent[3] = {1, 1, 1};
  for (size_t i = 0; i < kRank; ++i) {
    extent[3 - kRank + i] = in[static_cast<int>(i) + 2];
    cuts[3 - kRank + i] = Cut(extent[3 - kRank + i], sizes[i], kernel[i], u);
  }
  const T* x = c.Input("x").data<T>();
  T* out = c.Output("out").mutable_data<T>();
  Tensor* mask = c.OutputOrNull("mask");
  int32_t* places = mask == nullptr ? nullptr : mask->mutable_data<int32_t>();
  for (int64_t plane = 0; plane < in[0] * in[1]; ++plane, x += extent[0] * extent[1] * extent[2])
    for (const Range& depth : cuts[0])
      for (const Range& rows : cuts[1])
        for (const Range& cols : cuts[2]) {
          int64_t best = -1;
          for (int64_t iz = depth.first; iz < depth.last; ++iz)
            for (int64_t iy = rows.first; iy < rows.last; ++iy)
              for (int64_t ix = cols.first; ix < cols.last; ++ix) {
                const int64_t at = (iz * extent[1] + iy) * extent[2] + ix;
                if (best < 0 || x[at] > x[best]) best = at;
              }
          *out++ = x[best];
          if (places != nullptr) *places++ = static_cast<int32_t>(best);
        }
}

template <int kRank>
void RunFractionalMaxPool(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("x").dtype(),
                          [&](auto zero) { Pool<decltype(zero), kRank>(c); });
}

REGISTER_LITE_OP(fractional_max_pool2d)
    .Input("x")
    .Output("out")
    .OptionalOutput("mask")
    .RequiredAttr<std::vector<int32_t>>("output_size")
    .Attr<std::vector<int32_t>>("kernel_size", {0, 0})
    .Attr<float>("random_u", 0.0f)
    .InferShape(InferFractionalMaxPool<2>)
    .Random();
REGISTER_LITE_FUNCTION(fractional_max_pool2d, kHost, kAny, kNCHW, RunFractionalMaxPool<2>, def);

REGISTER_LITE_OP(fractional_max_pool3d)
    .Input("x")
    .Output("out")
    .OptionalOutput("mask")
    .RequiredAttr<std::vector<int32_t>>("output_size")
    .Attr<std::vector<int32_t>>("kernel_size", {0, 0, 0})
    .Attr<float>("random_u", 0.0f)
    .InferShape(InferFractionalMaxPool<3>)
    .Random();
REGISTER_LITE_FUNCTION(fractional_max_pool3d, kHost, kAny, kNCHW, RunFractionalMaxPool<3>, def);

// Power-average pooling: the norm of each window; padding counts as 0.
PoolShape ShapeOf(const OpLite& op, const DDim& in) { return ResolvePool(op, in, "kernel_size"); }

void InferLpPool2d(InferContext& c) {
  RequireChannelsFirst(c.op(), "data_format");
  const TensorMeta& x = c.Input("x");
  c.Require(x.dims.size() == 4 && x.dims[2] > 0 && x.dims[3] > 0, "input x has shape ", x.dims,
            ", expected rank 4 and no empty spatial axis");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input x is ", Name(x.dtype), ", expected float32 or float64"));
  const float norm = c.Attr<float>("norm_type");
  c.Require(norm != 0 && std::isfinite(norm), "attribute norm_type is ", norm,
            ", expected a finite number that is not 0");
  const PoolShape s = ShapeOf(c.op(), x.dims);
  c.SetOutput("out", {x.dims[0], x.dims[1], s.out[1], s.out[2]}, x.dtype);
}

template <typename T>
void Pool(KernelContext& c) {
  const DDim& in = c.Input("x").dims();
  const PoolShape s = ShapeOf(c.op(), in);
  const T norm = static_cast<T>(c.Attr<float>("norm_type"));
  const T* x = c.Input("x").data<T>();
  T* out = c.Output("out").mutable_data<T>();
  for (int64_t plane = 0; plane < in[0] * in[1]; ++plane, x += in[2] * in[3])
    for (int64_t oy = 0; oy < s.out[1]; ++oy)
      for (int64_t ox = 0; ox < s.out[2]; ++ox) {
        const PoolRange rows = RangeOf(s, 1, oy), columns = RangeOf(s, 2, ox);
        T sum = 0;
        for (int64_t y = rows.first; y < rows.last; ++y)
          for (int64_t i = columns.first; i < columns.last; ++i)
            sum += std::pow(x[y * in[3] + i], norm);
        *out++ = std::pow(sum, 1 / norm);
      }
}

void RunLpPool2d(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("x").dtype(), [&](auto type) { Pool<decltype(type)>(c); });
}

REGISTER_LITE_OP(lp_pool2d)
    .Input("x")
    .Output("out")
    .Attr<std::vector<int32_t>>("kernel_size", {})
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<std::string>("padding_algorithm", "EXPLICIT")
    .Attr<bool>("ceil_mode", false)
    .Attr<bool>("exclusive", true)
    .Attr<std::string>("pooling_type", "")
    .Attr<bool>("global_pooling", false)
    .Attr<bool>("adaptive", false)
    .Attr<std::string>("data_format", "NCHW")
    .RequiredAttr<float>("norm_type")
    .InferShape(InferLpPool2d);
REGISTER_LITE_FUNCTION(lp_pool2d, kHost, kAny, kNCHW, RunLpPool2d, def);

}  // namespace
}  // namespace paddle::lite
