#include <algorithm>
#include <limits>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/pooling/pool.h"
#include "lite/kernels/cpu/pooling/window.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// max_pool2d_with_index and max_pool3d_with_index.

// In two dimensions the first of the three axes has one element.
PoolShape MaxPoolShape(const OpLite& op, const DDim& x) {
  PoolShape s;
  const auto rank = static_cast<size_t>(x.size() - 2);
  const bool adaptive = op.Attr<bool>("adaptive"), global = op.Attr<bool>("global_pooling");
  const auto ksize =
      global ? std::vector<int64_t>(x.begin() + 2, x.end()) : IntsAttr(op, "ksize", rank);
  const auto strides = IntsAttr(op, "strides", rank);
  const bool uneven = op.Attr<std::vector<int32_t>>("paddings").size() == 2 * rank;
  const auto paddings = IntsAttr(op, "paddings", uneven ? 2 * rank : rank);
  s.max = true;
  s.adaptive = adaptive;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t in = x[static_cast<int>(i) + 2], before = paddings[uneven ? 2 * i : i],
                  after = paddings[uneven ? 2 * i + 1 : i];
    const bool unpadded = global || adaptive;
    if (in < 1 || in >= kMaxSpatialSize || ksize[i] < 1 || strides[i] < 1)
      throw ShapeError(StrCat("input X has shape ", x, " and attributes ksize and strides have ",
                              ksize[i], " and ", strides[i], ", expected positive numbers"));
    const size_t at = 3 - rank + i;
    s.window[at] = {ksize[i], strides[i], 1, unpadded ? 0 : before, unpadded ? 0 : after};
    s.in[at] = in;
    s.out[at] = adaptive ? ksize[i] : ConvOutputSize(in, s.window[at], op.Attr<bool>("ceil_mode"));
  }
  return s;
}

template <int kSpatialRank>
void InferMaxPoolWithIndex(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == kSpatialRank + 2, "input X has shape ", x.dims, ", expected rank ",
            kSpatialRank + 2);
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  const PoolShape s = MaxPoolShape(c.op(), x.dims);
  c.Require(x.dims.Count(2, x.dims.size()) <= std::numeric_limits<int32_t>::max(),
            "input X has shape ", x.dims, ", too many elements for int32 indexes");
  DDim out{x.dims[0], x.dims[1]};
  for (size_t i = 3 - kSpatialRank; i < 3; ++i) out.push_back(s.out[i]);
  c.SetOutput("Out", out, x.dtype);
  c.SetOutput("Mask", out, DataType::kInt32);
}

// The first of the largest elements of one window and its place in the image.
template <typename T>
std::pair<T, int64_t> Largest(const PoolShape& s, const T* x, const PoolRange& depth,
                              const PoolRange& rows, const PoolRange& columns) {
  T best = std::numeric_limits<T>::lowest();
  int64_t index = -1;
  for (int64_t iz = depth.first; iz < depth.last; ++iz)
    for (int64_t iy = rows.first; iy < rows.last; ++iy)
      for (int64_t ix = columns.first; ix < columns.last; ++ix) {
        const int64_t at = (iz * s.in[1] + iy) * s.in[2] + ix;
        if (best < x[at]) best = x[index = at];
      }
  return {best, index};
}

template <typename T>
void MaxPool(KernelContext& c) {
  const DDim& in = c.Input("X").dims();
  const PoolShape s = MaxPoolShape(c.op(), in);
  const T* x = c.Input("X").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  Tensor* mask = c.OutputOrNull("Mask");
  int32_t* indexes = mask == nullptr ? nullptr : mask->mutable_data<int32_t>();
  for (int64_t plane = 0; plane < in[0] * in[1]; ++plane, x += s.in[0] * s.in[1] * s.in[2])
    for (int64_t oz = 0; oz < s.out[0]; ++oz)
      for (int64_t oy = 0; oy < s.out[1]; ++oy)
        for (int64_t ox = 0; ox < s.out[2]; ++ox) {
          const auto [best, index] =
              Largest(s, x, RangeOf(s, 0, oz), RangeOf(s, 1, oy), RangeOf(s, 2, ox));
          *out++ = best;
          if (indexes != nullptr) *indexes++ = static_cast<int32_t>(index);
        }
}

void RunMaxPoolWithIndex(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64)
    MaxPool<double>(c);
  else
    MaxPool<float>(c);
}

REGISTER_LITE_OP(max_pool2d_with_index)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Mask")
    .RequiredAttr<std::vector<int32_t>>("ksize")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<bool>("global_pooling", false)
    .Attr<bool>("adaptive", false)
    .Attr<bool>("ceil_mode", false)  // of NNAdapter's MAX_POOL_2D, as four paddings are
    .InferShape(InferMaxPoolWithIndex<2>);
REGISTER_LITE_FUNCTION(max_pool2d_with_index, kHost, kAny, kNCHW, RunMaxPoolWithIndex, def);

REGISTER_LITE_OP(max_pool3d_with_index)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Mask")
    .RequiredAttr<std::vector<int32_t>>("ksize")
    .Attr<std::vector<int32_t>>("strides", {1, 1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0, 0})
    .Attr<bool>("global_pooling", false)
    .Attr<bool>("adaptive", false)
    .Attr<bool>("ceil_mode", false)
    .InferShape(InferMaxPoolWithIndex<3>);
REGISTER_LITE_FUNCTION(max_pool3d_with_index, kHost, kAny, kNCHW, RunMaxPoolWithIndex, def);

// unpool and unpool3d: maxima back where max_pool2d_with_index and max_pool3d_with_index found
// them.

// As output_size says; without it, what the windows of the pooling had covered.
DDim OutputDims(const InferContext& c, const DDim& x) {
  const OpLite& op = c.op();
  const auto rank = static_cast<size_t>(x.size() - 2);
  const auto sizes = IntsOf<int32_t>(c, "OutputSizeTensorList", "OutputSizeTensor", "output_size");
  c.Require(sizes.size() == rank, "output_size has ", sizes.size(), " values, expected ", rank);
  const auto kernel = IntsAttr(op, "ksize", rank);
  const auto strides = IntsAttr(op, "strides", rank), paddings = IntsAttr(op, "paddings", rank);
  const bool given = std::any_of(sizes.begin(), sizes.end(), [](int64_t n) { return n != 0; });
  DDim out{x[0], x[1]};
  for (size_t i = 0; i < rank; ++i) {
    const int64_t in = x[static_cast<int>(i) + 2];
    if (in >= kMaxSpatialSize) throw ShapeError(StrCat("input X has shape ", x, ", too large"));
    out.push_back(given ? sizes[i] : (in - 1) * strides[i] - 2 * paddings[i] + kernel[i]);
    if (out.back() <= 0)
      throw ShapeError(StrCat("the output would have ", out.back(), " elements along an axis; ",
                              "output_size is to say a positive number"));
  }
  return out;
}

template <int kSpatialRank>
void InferUnpool(InferContext& c) {
  const TensorMeta &x = c.Input("X"), &indices = c.Input("Indices");
  c.Require(x.dims.size() == kSpatialRank + 2, "input X has shape ", x.dims, ", expected rank ",
            kSpatialRank + 2);
  c.Require(indices.dims == x.dims, "input Indices has shape ", indices.dims, ", expected that of ",
            "X, ", x.dims);
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  if (indices.dtype != DataType::kInt32 && indices.dtype != DataType::kInt64)
    throw DataTypeError(
        StrCat("input Indices is ", Name(indices.dtype), ", expected int32 or int64"));
  RequireChannelsFirst(c.op(), "data_format");
  c.SetOutput("Out", OutputDims(c, x.dims), x.dtype);
}

template <typename T, typename Index>
void Unpool(KernelContext& c) {
  const DDim &in = c.Input("X").dims(), &out = c.Output("Out").dims();
  const T* x = c.Input("X").data<T>();
  const Index* at = c.Input("Indices").data<Index>();
  T* y = c.Output("Out").mutable_data<T>();
  std::fill(y, y + out.production(), T{0});
  const int64_t from = in.Count(2, in.size()), to = out.Count(2, out.size());
  for (int64_t plane = 0; plane < in[0] * in[1]; ++plane, y += to)
    for (int64_t i = 0; i < from; ++i, ++x, ++at) {
      if (*at < 0 || *at >= to)
        throw ShapeError(StrCat("input Indices holds ", *at, ", expected a place in images of ", to,
                                " elements"));
      y[*at] = *x;
    }
}

void RunUnpool(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto x) {
    ForTypes<int32_t, int64_t>(c, c.Input("Indices").dtype(),
                               [&](auto index) { Unpool<decltype(x), decltype(index)>(c); });
  });
}

REGISTER_LITE_OP(unpool)
    .Input("X")
    .Input("Indices")
    .OptionalInput("OutputSizeTensor")
    .OptionalInputs("OutputSizeTensorList")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("ksize")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<std::vector<int32_t>>("output_size", {0, 0})
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferUnpool<2>);
REGISTER_LITE_FUNCTION(unpool, kHost, kAny, kNCHW, RunUnpool, def);

REGISTER_LITE_OP(unpool3d)
    .Input("X")
    .Input("Indices")
    .OptionalInput("OutputSizeTensor")
    .OptionalInputs("OutputSizeTensorList")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("ksize")
    .Attr<std::vector<int32_t>>("strides", {1, 1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0, 0})
    .Attr<std::vector<int32_t>>("output_size", {0, 0, 0})
    .Attr<std::string>("data_format", "NCDHW")
    .InferShape(InferUnpool<3>);
REGISTER_LITE_FUNCTION(unpool3d, kHost, kAny, kNCHW, RunUnpool, def);

}  // namespace
}  // namespace paddle::lite
