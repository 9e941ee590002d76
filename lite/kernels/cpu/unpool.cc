// unpool and unpool3d: maxima back where max_pool2d_with_index and max_pool3d_with_index found
// them.
#include <algorithm>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/window.h"

namespace paddle::lite {
namespace {

// As attribute output_size says; without it, what the windows of the pooling had covered.
DDim OutputDims(const OpLite& op, const DDim& x) {
  const auto rank = static_cast<size_t>(x.size() - 2);
  const auto sizes = IntsAttr(op, "output_size", rank), kernel = IntsAttr(op, "ksize", rank);
  const auto strides = IntsAttr(op, "strides", rank), paddings = IntsAttr(op, "paddings", rank);
  const bool given = std::any_of(sizes.begin(), sizes.end(), [](int64_t n) { return n != 0; });
  DDim out{x[0], x[1]};
  for (size_t i = 0; i < rank; ++i) {
    const int64_t in = x[static_cast<int>(i) + 2];
    if (in >= kMaxSpatialSize) throw ShapeError(StrCat("input X has shape ", x, ", too large"));
    out.push_back(given ? sizes[i] : (in - 1) * strides[i] - 2 * paddings[i] + kernel[i]);
    if (out.back() <= 0)
      throw ShapeError(StrCat("the output would have ", out.back(), " elements along an axis; ",
                              "attribute output_size is to say a positive number"));
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
  c.SetOutput("Out", OutputDims(c.op(), x.dims), x.dtype);
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
