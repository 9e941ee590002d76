#include <algorithm>

#include "lite/kernels/cpu/fill.h"

namespace paddle::lite {
namespace {

// The attribute that holds the values of a type; newer exporters write `values` for all of them.
const char* AttributeOf(DataType dtype) {
  switch (dtype) {
    case DataType::kBool:
      return "bool_values";
    case DataType::kInt8:
    case DataType::kUInt8:
    case DataType::kInt16:
    case DataType::kInt32:
      return "int32_values";
    case DataType::kInt64:
      return "int64_values";
    case DataType::kFP16:
    case DataType::kFP32:
    case DataType::kComplex64:
      return "fp32_values";
    case DataType::kFP64:
    case DataType::kComplex128:
      return "fp64_values";
  }
  return "values";
}

template <typename Context>
std::vector<FillValue> ValuesToAssign(const Context& c, DataType dtype) {
  std::vector<FillValue> values;
  const std::string name = AttributeOf(dtype);
  if (!c.op().HasAttr(name)) {
    for (const double value : c.template Attr<std::vector<double>>("values"))
      values.push_back(FillValue::Of(value));
  } else if (name == "fp32_values") {
    for (const float value : c.template Attr<std::vector<float>>(name))
      values.push_back(FillValue::Of(value));
  } else if (name == "fp64_values") {
    for (const double value : c.template Attr<std::vector<double>>(name))
      values.push_back(FillValue::Of(value));
  } else if (name == "int64_values") {
    for (const int64_t value : c.template Attr<std::vector<int64_t>>(name))
      values.push_back({0, value, true});
  } else {
    for (const int32_t value : c.template Attr<std::vector<int32_t>>(name))
      values.push_back({0, value, true});
  }
  return values;
}

void InferAssignValue(InferContext& c) {
  const auto& shape = c.Attr<std::vector<int32_t>>("shape");
  const DDim dims(std::vector<int64_t>(shape.begin(), shape.end()));
  const DataType dtype = DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype");
  const auto given = static_cast<int64_t>(ValuesToAssign(c, dtype).size());
  c.Require(dims.production() <= given, "shape ", dims, " needs ", dims.production(),
            " values, but attribute ", AttributeOf(dtype), " has ", given);
  c.SetOutput("Out", dims, dtype);
}

void RunAssignValue(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const auto values = ValuesToAssign(c, out.dtype());
  char* to = MutableBytes(out);
  const int64_t count = out.numel();
  for (int64_t i = 0; i < count; ++i)
    to += StoreElement(values[static_cast<size_t>(i)], out.dtype(), to);
}

REGISTER_LITE_OP(assign_value)
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("shape")
    .RequiredAttr<int32_t>("dtype")
    .Attr<std::vector<int32_t>>("bool_values", {})
    .Attr<std::vector<float>>("fp32_values", {})
    .Attr<std::vector<double>>("fp64_values", {})
    .Attr<std::vector<int32_t>>("int32_values", {})
    .Attr<std::vector<int64_t>>("int64_values", {})
    .Attr<std::vector<double>>("values", {})
    .InferShape(InferAssignValue);
REGISTER_LITE_FUNCTION(assign_value, kHost, kAny, kNCHW, RunAssignValue, def);

}  // namespace
}  // namespace paddle::lite
