#include "lite/kernels/cpu/creation/fill.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "lite/core/base/numbers.h"
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/half.h"

namespace paddle::lite {
namespace {

// Truncates; what no int64 can hold becomes its smallest value, as the processor has it.
int64_t ToInteger(const FillValue& value) {
  if (value.is_integer) return value.integer;
  constexpr double kLimit = 9223372036854775808.0;
  if (value.real >= -kLimit && value.real < kLimit) return static_cast<int64_t>(value.real);
  return std::numeric_limits<int64_t>::min();
}

double ToReal(const FillValue& value) {
  return value.is_integer ? static_cast<double>(value.integer) : value.real;
}

template <typename T>
size_t Store(T value, void* to) {
  std::memcpy(to, &value, sizeof value);
  return sizeof value;
}

// "(1+2j)", "-1e3-infj", "2j": what Python makes of a complex number.
std::optional<FillValue> ParseComplex(const std::string& text) {
  const bool enclosed = text.size() > 2 && text.front() == '(' && text.back() == ')';
  const std::string inner = enclosed ? text.substr(1, text.size() - 2) : text;
  if (inner.size() < 2 || inner.back() != 'j') return std::nullopt;
  const char* last = inner.c_str() + inner.size() - 1;
  const char* end = nullptr;
  const double first = ParseReal(inner.c_str(), &end);
  if (end == inner.c_str()) return std::nullopt;
  if (end == last) return FillValue{0, 0, false, first};
  if (*end != '+' && *end != '-') return std::nullopt;
  const double second = ParseReal(end, &end);
  if (end != last) return std::nullopt;
  return FillValue{first, 0, false, second};
}

size_t StoreComplex(const FillValue& value, DataType dtype, void* to) {
  const double real = ToReal(value);
  if (dtype == DataType::kComplex128) return Store(std::complex<double>(real, value.imag), to);
  return Store(std::complex<float>(static_cast<float>(real), static_cast<float>(value.imag)), to);
}

}  // namespace

FillValue FillValue::Parse(const std::string& text, const char* attribute) {
  if (text == "True" || text == "true") return {0, 1, true};
  if (text == "False" || text == "false") return {0, 0, true};
  char* end = nullptr;
  errno = 0;
  const long long integer = std::strtoll(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0' && errno == 0) return {0, integer, true};
  if (const auto complex = ParseComplex(text)) return *complex;
  const char* behind = nullptr;
  const double real = ParseReal(text.c_str(), &behind);
  if (text.empty() || *behind != '\0')
    throw LiteError(StrCat("attribute ", attribute, " is \"", text, "\", expected a number"));
  return Of(real);
}

FillValue FillValue::From(const Tensor& tensor, const char* slot) {
  if (tensor.numel() != 1)
    throw ShapeError(
        StrCat("input ", slot, " has shape ", tensor.dims(), ", expected one element"));
  switch (tensor.dtype()) {
    case DataType::kBool:
      return {0, *tensor.data<bool>() ? 1 : 0, true};
    case DataType::kInt8:
      return {0, *tensor.data<int8_t>(), true};
    case DataType::kUInt8:
      return {0, *tensor.data<uint8_t>(), true};
    case DataType::kInt16:
      return {0, *tensor.data<int16_t>(), true};
    case DataType::kInt32:
      return {0, *tensor.data<int32_t>(), true};
    case DataType::kInt64:
      return {0, *tensor.data<int64_t>(), true};
    case DataType::kFP16: {
      uint16_t bits;
      std::memcpy(&bits, tensor.raw_data(), sizeof bits);
      return Of(math::HalfToFloat(bits));
    }
    case DataType::kFP32:
      return Of(*tensor.data<float>());
    case DataType::kFP64:
      return Of(*tensor.data<double>());
    case DataType::kComplex64: {
      const auto value = *tensor.data<std::complex<float>>();
      return {value.real(), 0, false, value.imag()};
    }
    case DataType::kComplex128: {
      const auto value = *tensor.data<std::complex<double>>();
      return {value.real(), 0, false, value.imag()};
    }
  }
  throw DataTypeError(StrCat("input ", slot, " is of an unknown type"));
}

size_t StoreElement(const FillValue& value, DataType dtype, void* to) {
  if (value.imag != 0 && !IsComplex(dtype))
    throw DataTypeError(StrCat("the complex number (", ToReal(value), ", ", value.imag,
                               ") does not fit into a ", Name(dtype), " tensor"));
  switch (dtype) {
    case DataType::kBool:
      return Store<uint8_t>(ToReal(value) != 0, to);
    case DataType::kInt8:
    case DataType::kUInt8:
      return Store(static_cast<uint8_t>(ToInteger(value)), to);
    case DataType::kInt16:
      return Store(static_cast<int16_t>(ToInteger(value)), to);
    case DataType::kInt32:
      return Store(static_cast<int32_t>(ToInteger(value)), to);
    case DataType::kInt64:
      return Store(ToInteger(value), to);
    case DataType::kFP16:
      return Store(math::FloatToHalf(static_cast<float>(ToReal(value))), to);
    case DataType::kFP32:
      return Store(static_cast<float>(ToReal(value)), to);
    case DataType::kFP64:
      return Store(ToReal(value), to);
    case DataType::kComplex64:
    case DataType::kComplex128:
      return StoreComplex(value, dtype, to);
  }
  throw DataTypeError("a tensor of an unknown type cannot be filled");
}

void Fill(Tensor& out, const FillValue& value, int threads) {
  alignas(16) char element[kMaxElementSize];
  const size_t size = StoreElement(value, out.dtype(), element);
  math::FillElements(MutableBytes(out), element, size, out.numel(), threads);
}

namespace {

void RunFillAny(KernelContext& c) {
  Fill(c.Output("Out"), FillValue::Of(c.Attr<float>("value")), c.threads());
}

REGISTER_LITE_OP(fill_any)
    .Input("X")
    .Output("Out")
    .Attr<float>("value", 0.0f)
    .InferShape(InferSameAs("X", "Out"))
    .ShapeOnly();
REGISTER_LITE_FUNCTION(fill_any, kHost, kAny, kNCHW, RunFillAny, def);

void InferFillAnyLike(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int dtype = c.Attr<int32_t>("dtype");
  c.SetOutput("Out", x.dims, dtype == -1 ? x.dtype : DataTypeFrom(dtype, "dtype"), x.lod);
}

void RunFillAnyLike(KernelContext& c) {
  Fill(c.Output("Out"), FillValue::Of(c.Attr<float>("value")), c.threads());
}

REGISTER_LITE_OP(fill_any_like)
    .Input("X")
    .Output("Out")
    .Attr<float>("value", 0.0f)
    .Attr<int32_t>("dtype", -1)
    .InferShape(InferFillAnyLike)
    .ShapeOnly();
REGISTER_LITE_FUNCTION(fill_any_like, kHost, kAny, kNCHW, RunFillAnyLike, def);

void InferFillConstant(InferContext& c) {
  const DDim dims = GivenShape(c);
  if (c.HasInput("ValueTensor"))
    c.Require(c.Dims("ValueTensor").production() == 1, "ValueTensor has shape ",
              c.Dims("ValueTensor"), ", expected one element");
  c.SetOutput("Out", dims, DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype"));
}

FillValue Value(const KernelContext& c) {
  if (c.HasInput("ValueTensor")) return FillValue::From(c.Input("ValueTensor"), "ValueTensor");
  const auto& text = c.Attr<std::string>("str_value");
  return text.empty() ? FillValue::Of(c.Attr<float>("value")) : FillValue::Parse(text);
}

void RunFillConstant(KernelContext& c) { Fill(c.Output("Out"), Value(c), c.threads()); }

REGISTER_LITE_OP(fill_constant)
    .OptionalInput("ValueTensor")
    .OptionalInput("ShapeTensor")
    .OptionalInputs("ShapeTensorList")
    .Output("Out")
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .Attr<std::vector<int64_t>>("shape", {})
    .Attr<float>("value", 0.0f)
    .Attr<std::string>("str_value", "")
    .InferShape(InferFillConstant);
REGISTER_LITE_FUNCTION(fill_constant, kHost, kAny, kNCHW, RunFillConstant, def);

}  // namespace

DDim GivenShape(const InferContext& c) {
  const bool from_tensor = c.HasInput("ShapeTensor");
  const DDim dims(from_tensor ? c.IntValues("ShapeTensor")
                              : IntsOf<int64_t>(c, "ShapeTensorList", "", "shape"));
  for (const int64_t dim : dims) c.Require(dim >= 0, "shape ", dims, " has a negative dimension");
  return dims;
}

namespace {

// `shape` with one dimension from Input; the number of sequences where Input's rows form some.
void InferFillConstantBatchSizeLike(InferContext& c) {
  const TensorMeta& input = c.Input("Input");
  const auto& shape = c.Attr<std::vector<int32_t>>("shape");
  DDim out(std::vector<int64_t>(shape.begin(), shape.end()));
  const int from = c.Attr<int32_t>("input_dim_idx"), to = c.Attr<int32_t>("output_dim_idx");
  c.Require(from >= 0 && from < input.dims.size(), "input_dim_idx is ", from,
            ", but Input has shape ", input.dims);
  c.Require(to >= 0 && to < out.size(), "output_dim_idx is ", to, ", but shape is ", out);
  out[to] = input.dims[from];
  if (from == 0 && !input.lod.empty() && !input.lod.back().empty())
    out[to] = static_cast<int64_t>(input.lod.back().size()) - 1;
  for (const int64_t dim : out) c.Require(dim >= 0, "shape ", out, " has a negative dimension");
  c.SetOutput("Out", out, DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype"));
}

void RunFillConstantBatchSizeLike(KernelContext& c) {
  const auto& text = c.Attr<std::string>("str_value");
  Fill(c.Output("Out"),
       text.empty() ? FillValue::Of(c.Attr<float>("value")) : FillValue::Parse(text), c.threads());
}

REGISTER_LITE_OP(fill_constant_batch_size_like)
    .Input("Input")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("shape")
    .Attr<int32_t>("input_dim_idx", 0)
    .Attr<int32_t>("output_dim_idx", 0)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .Attr<float>("value", 0.0f)
    .Attr<std::string>("str_value", "")
    .InferShape(InferFillConstantBatchSizeLike)
    .ShapeOnly();
REGISTER_LITE_FUNCTION(fill_constant_batch_size_like, kHost, kAny, kNCHW,
                       RunFillConstantBatchSizeLike, def);

void RunFillZerosLike(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  void* data = out.MutableRaw(x.dtype());
  if (out.numel() != 0) std::memset(data, 0, out.memory_size());
}

REGISTER_LITE_OP(fill_zeros_like)
    .Input("X")
    .Output("Out")
    .ShapeOnly()
    .InferShape(InferSameAs("X", "Out"));
REGISTER_LITE_FUNCTION(fill_zeros_like, kHost, kAny, kAny, RunFillZerosLike, def);

void InferEmpty(InferContext& c) {
  c.SetOutput("Out", GivenShape(c), DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype"));
}

// A model must not see what the memory held before.
void RunEmpty(KernelContext& c) { Fill(c.Output("Out"), FillValue::Of(0), c.threads()); }

REGISTER_LITE_OP(empty)
    .OptionalInput("ShapeTensor")
    .OptionalInputs("ShapeTensorList")
    .Output("Out")
    .Attr<std::vector<int64_t>>("shape", {})
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .InferShape(InferEmpty);
REGISTER_LITE_FUNCTION(empty, kHost, kAny, kNCHW, RunEmpty, def);

void InferEye(InferContext& c) {
  const int64_t rows = IntOf<int64_t>(c, "RowsTensor", "num_rows");
  const int64_t given = IntOf<int64_t>(c, "ColumnsTensor", "num_columns");
  const int64_t cols = given == -1 ? rows : given;
  c.Require(rows >= 0 && cols >= 0, "a matrix of ", rows, " rows and ", cols, " columns");
  c.SetOutput("Out", {rows, cols}, DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype"));
}

void RunEye(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const int64_t rows = out.dims()[0], cols = out.dims()[1], size = ElementSize(out);
  Fill(out, FillValue::Of(0), c.threads());
  char one[kMaxElementSize];
  StoreElement(FillValue::Of(1), out.dtype(), one);
  char* to = MutableBytes(out);
  for (int64_t i = 0; i < std::min(rows, cols); ++i)
    std::memcpy(to + i * (cols + 1) * size, one, static_cast<size_t>(size));
}

REGISTER_LITE_OP(eye)
    .OptionalInput("RowsTensor")
    .OptionalInput("ColumnsTensor")
    .Output("Out")
    .Attr<int64_t>("num_rows", -1)
    .Attr<int64_t>("num_columns", -1)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .InferShape(InferEye);
REGISTER_LITE_FUNCTION(eye, kHost, kAny, kNCHW, RunEye, def);

}  // namespace
}  // namespace paddle::lite
