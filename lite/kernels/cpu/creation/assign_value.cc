#include <algorithm>
#include <cstdio>

#include "lite/kernels/cpu/creation/fill.h"
#include "lite/kernels/cpu/creation/tensor_text.h"

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

// Writes In to standard output at each run, as far as the attributes say, and passes it on.
class Print final : public KernelBase {
 public:
  void Run(KernelContext& c) override {
    const Tensor& in = c.Input("In");
    CopyElements(in, c.Output("Out"));
    const int32_t limit = c.Attr<int32_t>("first_n");
    if (limit >= 0 && printed_ >= limit) return;
    if (limit >= 0) ++printed_;
    const auto& message = c.Attr<std::string>("message");
    std::string text = message.empty() ? "" : message + "\n";
    if (c.Attr<bool>("print_tensor_shape")) text += StrCat("  - shape: ", in.dims(), "\n");
    if (c.Attr<bool>("print_tensor_type")) text += StrCat("  - dtype: ", Name(in.dtype()), "\n");
    text += StrCat("  - data: ", ElementsText(in, c.Attr<int32_t>("summarize")), "\n");
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

 private:
  int32_t printed_ = 0;
};

REGISTER_LITE_OP(print)
    .Input("In")
    .Output("Out")
    .Attr<int32_t>("first_n", -1)
    .Attr<std::string>("message", "")
    .Attr<int32_t>("summarize", 20)
    .Attr<bool>("print_tensor_type", true)
    .Attr<bool>("print_tensor_shape", true)
    .InferShape(InferSameAs("In", "Out"))
    .SideEffect();
REGISTER_LITE_KERNEL(print, kHost, kAny, kNCHW, Print, def);

void InferAssert(InferContext& c) {
  const TensorMeta& condition = c.Input("Cond");
  c.Require(condition.dims.production() == 1, "Cond has shape ", condition.dims,
            ", expected one element");
  if (condition.dtype != DataType::kBool)
    throw DataTypeError(StrCat("Cond is ", Name(condition.dtype), ", expected bool"));
}

void RunAssert(KernelContext& c) {
  if (*c.Input("Cond").data<bool>()) return;
  std::string data;
  for (size_t i = 0; i < c.InputCount("Data"); ++i)
    data += StrCat(i == 0 ? "; Data is " : ", ",
                   TensorText(c.Input("Data", i), c.Attr<int64_t>("summarize")));
  const std::string& message = c.Attr<std::string>("message");
  throw LiteError(StrCat(
      "the model's assertion does not hold: ", message.empty() ? "Cond is false" : message, data));
}

REGISTER_LITE_OP(assert)
    .Input("Cond")
    .OptionalInputs("Data")
    .Attr<int64_t>("summarize", -1)
    .Attr<std::string>("message", "")
    .InferShape(InferAssert)
    .SideEffect();
REGISTER_LITE_FUNCTION(assert, kHost, kAny, kNCHW, RunAssert, def);

template <typename T>
std::string Elements(const T* data, int64_t total, int64_t shown) {
  std::string text = "[";
  for (int64_t i = 0; i < shown; ++i) text += StrCat(i == 0 ? "" : ", ", +data[i]);
  return text + (shown == total ? "]" : shown == 0 ? "...]" : ", ...]");
}

}  // namespace

std::string ElementsText(const Tensor& tensor, int64_t most) {
  const int64_t total = tensor.numel();
  const int64_t shown = most < 0 ? total : std::min(most, total);
  switch (tensor.dtype()) {
    case DataType::kFP32:
      return Elements(tensor.data<float>(), total, shown);
    case DataType::kFP64:
      return Elements(tensor.data<double>(), total, shown);
    case DataType::kInt64:
      return Elements(tensor.data<int64_t>(), total, shown);
    case DataType::kInt32:
      return Elements(tensor.data<int32_t>(), total, shown);
    case DataType::kInt16:
      return Elements(tensor.data<int16_t>(), total, shown);
    case DataType::kInt8:
      return Elements(tensor.data<int8_t>(), total, shown);
    case DataType::kUInt8:
      return Elements(tensor.data<uint8_t>(), total, shown);
    case DataType::kBool:
      return Elements(tensor.data<bool>(), total, shown);
    case DataType::kComplex64:
      return Elements(tensor.data<std::complex<float>>(), total, shown);
    case DataType::kComplex128:
      return Elements(tensor.data<std::complex<double>>(), total, shown);
    default:
      return StrCat(total, " elements");
  }
}

std::string TensorText(const Tensor& tensor, int64_t most) {
  return StrCat(Name(tensor.dtype()), " ", tensor.dims(), " ", ElementsText(tensor, most));
}

}  // namespace paddle::lite
