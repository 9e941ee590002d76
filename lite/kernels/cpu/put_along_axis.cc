#include "lite/kernels/cpu/along_axis.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

enum class PutReduce { kAssign, kAdd, kMul, kMin, kMax, kMean };

PutReduce ReduceOf(const OpLite& op) {
  const auto& name = op.Attr<std::string>("Reduce");
  if (name == "assign") return PutReduce::kAssign;
  if (name == "add") return PutReduce::kAdd;
  if (name == "mul" || name == "multiply") return PutReduce::kMul;
  if (name == "amin") return PutReduce::kMin;
  if (name == "amax") return PutReduce::kMax;
  if (name == "mean") return PutReduce::kMean;
  throw LiteError(StrCat("attribute Reduce is '", name,
                         "', expected assign, add, multiply, amin, amax or mean"));
}

// Value has Index's shape, or repeats to it.
void InferPutAlongAxis(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const TensorMeta& index = c.Input("Index");
  const TensorMeta& value = c.Input("Value");
  ReduceOf(c.op());
  RequireAlongAxis(x.dims, "Input", index, AxisOrFirst(c.Attr<int32_t>("Axis"), x.dims));
  const int added = index.dims.size() - value.dims.size();
  c.Require(added >= 0, "Value has shape ", value.dims, ", but Index ", index.dims);
  for (int i = added; i < index.dims.size(); ++i)
    c.Require(value.dims[i - added] == index.dims[i] || value.dims[i - added] == 1,
              "Value has shape ", value.dims, ", but Index ", index.dims);
  if (value.dtype != x.dtype)
    throw DataTypeError(StrCat("Value is ", Name(value.dtype), ", but Input is ", Name(x.dtype)));
  c.SetOutput("Result", x.dims, x.dtype);
}

template <typename T>
T Combine(PutReduce reduce, T old, T value) {
  switch (reduce) {
    case PutReduce::kAdd:
    case PutReduce::kMean:
      return WrapAdd(old, value);
    case PutReduce::kMul:
      return WrapMul(old, value);
    case PutReduce::kMin:
      return value < old ? value : old;
    case PutReduce::kMax:
      return value > old ? value : old;
    default:
      return value;
  }
}

// Without `include_self` the first value that meets an element replaces it.
template <typename T>
void Put(const std::vector<int64_t>& positions, const T* values, PutReduce reduce,
         bool include_self, int64_t count, T* to) {
  const bool counts = reduce != PutReduce::kAssign && (!include_self || reduce == PutReduce::kMean);
  std::vector<int64_t> met(counts ? static_cast<size_t>(count) : 0);
  for (const int64_t at : positions) {
    const bool first = counts && met[static_cast<size_t>(at)]++ == 0 && !include_self;
    to[at] = first ? *values : Combine(reduce, to[at], *values);
    ++values;
  }
  if (reduce != PutReduce::kMean) return;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t terms = met[static_cast<size_t>(i)] + (include_self ? 1 : 0);
    if (met[static_cast<size_t>(i)] == 0) continue;
    if constexpr (std::is_integral_v<T>)
      to[i] = static_cast<T>(static_cast<int64_t>(to[i]) / terms);
    else
      to[i] /= static_cast<T>(terms);
  }
}

void RunPutAlongAxis(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  const Tensor& index = c.Input("Index");
  Tensor& out = c.Output("Result");
  const int axis = AxisOrFirst(c.Attr<int32_t>("Axis"), x.dims());
  const auto positions = AlongAxis(x.dims(), index, axis);
  Tensor values = c.Input("Value");
  if (values.dims() != index.dims()) {
    Tensor repeated;
    repeated.Allocate(index.dims(), values.dtype());
    BroadcastTo(values, repeated, c.threads());
    values = repeated;
  }
  CopyElements(x, out);
  ForTypes<float, double, int32_t, int64_t, uint8_t, int8_t, int16_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Put(positions, values.data<T>(), ReduceOf(c.op()), c.Attr<bool>("Include_self"), x.numel(),
        out.mutable_data<T>());
  });
}

REGISTER_LITE_OP(put_along_axis)
    .Input("Input")
    .Input("Index")
    .Input("Value")
    .Output("Result")
    .Attr<int32_t>("Axis", 0)
    .Attr<std::string>("Reduce", "assign")
    .Attr<bool>("Include_self", true)
    .InferShape(InferPutAlongAxis);
REGISTER_LITE_FUNCTION(put_along_axis, kHost, kAny, kNCHW, RunPutAlongAxis, def);

}  // namespace
}  // namespace paddle::lite
