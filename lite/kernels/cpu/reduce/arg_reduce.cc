#include "lite/kernels/cpu/reduce/arg_reduce.h"

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/reduce/lines.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(arg_max)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int64_t>("axis")
    .Attr<bool>("keepdims", false)
    .Attr<bool>("flatten", false)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape(InferArgReduce);
REGISTER_LITE_FUNCTION(arg_max, kHost, kAny, kNCHW, ArgReduce<true>, def);

REGISTER_LITE_OP(arg_min)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int64_t>("axis")
    .Attr<bool>("keepdims", false)
    .Attr<bool>("flatten", false)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape(InferArgReduce);
REGISTER_LITE_FUNCTION(arg_min, kHost, kAny, kNCHW, ArgReduce<false>, def);

// The largest (max_with_index) or smallest (min_with_index) numbers along `dim`, or of all
// (`flatten`), and their places, of equals the first.

// `dim` is any number that is whole: programs keep it as a scalar of no certain type.
int MaxAxisOf(const OpLite& op, const DDim& dims) {
  const double dim = op.Attr<double>("dim");
  if (!(std::abs(dim) <= DDim::kMaxRank) || dim != std::trunc(dim))
    throw ShapeError(StrCat("attribute dim is ", dim, ", expected a dim of x"));
  return CanonicalAxis(static_cast<int64_t>(dim), std::max(dims.size(), 1), "attribute dim");
}

void InferMaxWithIndex(InferContext& c) {
  const TensorMeta& x = c.Input("x");
  RequireType(c, "x",
              {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
               DataType::kInt16, DataType::kUInt8});
  const bool keep = c.Attr<bool>("keepdim");
  DDim out;
  if (!c.Attr<bool>("flatten")) {
    const int axis = MaxAxisOf(c.op(), x.dims);
    c.Require(x.dims.empty() || x.dims[axis] > 0, "x of shape ", x.dims, " has no numbers in dim ",
              axis);
    out = WithoutAxis(x.dims, axis, keep);
  } else {
    c.Require(x.dims.production() > 0, "x of shape ", x.dims, " has no numbers");
    for (int i = 0; keep && i < x.dims.size(); ++i) out.push_back(1);
  }
  c.SetOutput("values", out, x.dtype);
  c.SetOutput("indices", out, DataType::kInt64);
}

template <bool kMax, typename T>
void RunMaxWithIndexAs(KernelContext& c) {
  const Tensor& x = c.Input("x");
  Lines lines;
  if (c.Attr<bool>("flatten"))
    lines.size = x.numel();
  else
    lines = LinesAlong(x.dims(), MaxAxisOf(c.op(), x.dims()));
  const T* from = x.data<T>();
  T* values = c.Output("values").mutable_data<T>();
  const Places out(c.Output("indices"));
  const auto* places = c.Output("indices").data<int64_t>();
  for (int64_t o = 0; o < lines.outer; ++o)
    ArgReduceRow<kMax>(from + o * lines.size * lines.inner, lines.size, lines.inner, out,
                       o * lines.inner);
  for (int64_t i = 0; i < lines.count(); ++i)
    values[i] = from[lines.Begin(i, lines.size) + places[i] * lines.inner];
}

template <bool kMax>
void RunMaxWithIndex(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t, int16_t, uint8_t>(
      c, c.Input("x").dtype(), [&](auto zero) { RunMaxWithIndexAs<kMax, decltype(zero)>(c); });
}

REGISTER_LITE_OP(max_with_index)
    .Input("x")
    .Output("values")
    .Output("indices")
    .RequiredAttr<double>("dim")
    .Attr<bool>("keepdim", false)
    .Attr<bool>("flatten", false)
    .InferShape(InferMaxWithIndex);
REGISTER_LITE_FUNCTION(max_with_index, kHost, kAny, kNCHW, RunMaxWithIndex<true>, def);
REGISTER_LITE_OP(min_with_index)
    .Input("x")
    .Output("values")
    .Output("indices")
    .RequiredAttr<double>("dim")
    .Attr<bool>("keepdim", false)
    .Attr<bool>("flatten", false)
    .InferShape(InferMaxWithIndex);
REGISTER_LITE_FUNCTION(min_with_index, kHost, kAny, kNCHW, RunMaxWithIndex<false>, def);

}  // namespace
}  // namespace paddle::lite
