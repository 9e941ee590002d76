#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

// The output's last dimension depends on MaxLenTensor or on X's largest value.
void InferSequenceMask(InferContext& c) {
  const int32_t maxlen = c.Attr<int32_t>("maxlen");
  c.Require(maxlen != 0, "attribute maxlen is 0, expected a positive number, or -1 for the ",
            "largest value of X");
  if (c.HasInput("MaxLenTensor"))
    c.Require(c.Dims("MaxLenTensor").production() >= 1, "input MaxLenTensor has shape ",
              c.Dims("MaxLenTensor"), ", expected an element, the first of which counts");
}

std::vector<double> Lengths(const Tensor& x) {
  if (x.dtype() == DataType::kInt32 || x.dtype() == DataType::kInt64) {
    const std::vector<int64_t> values = ReadInts(x, "X");
    return {values.begin(), values.end()};
  }
  std::vector<double> lengths;
  VisitFloat(x.dtype(), "X", [&](auto zero) {
    const auto* data = x.data<decltype(zero)>();
    lengths.assign(data, data + x.numel());
  });
  return lengths;
}

int64_t MaxLength(KernelContext& c, const std::vector<double>& lengths) {
  if (const Tensor* tensor = c.InputOrNull("MaxLenTensor")) {
    const int64_t maxlen = ReadInts(*tensor, "MaxLenTensor")[0];
    if (maxlen <= 0)
      throw ShapeError(StrCat("MaxLenTensor holds ", maxlen, ", expected a positive number"));
    return maxlen;
  }
  if (c.Attr<int32_t>("maxlen") > 0) return c.Attr<int32_t>("maxlen");
  double longest = 0;
  for (double length : lengths) {
    if (!(std::fabs(length) < 1e15)) throw ShapeError(StrCat("input X holds ", length));
    longest = std::max(longest, length);
  }
  return static_cast<int64_t>(longest);
}

template <typename T>
void Mask(const std::vector<double>& lengths, int64_t maxlen, T* out) {
  for (double length : lengths)
    for (int64_t i = 0; i < maxlen; ++i)
      *out++ = static_cast<T>(static_cast<double>(i) < length ? 1 : 0);
}

void RunSequenceMask(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const std::vector<double> lengths = Lengths(x);
  const int64_t maxlen = MaxLength(c, lengths);
  DDim dims = x.dims();
  dims.push_back(maxlen);
  const int32_t dtype = c.Attr<int32_t>("out_dtype");
  if (!IsDataType(dtype) && dtype != -1)
    throw DataTypeError(StrCat("attribute out_dtype is ", dtype, ", which is no data type"));
  const DataType type = dtype == -1 ? DataType::kInt64 : static_cast<DataType>(dtype);
  Tensor& y = c.Output("Y");
  const auto write = [&](auto zero) {
    y.Allocate(dims, type);
    Mask(lengths, maxlen, y.mutable_data<decltype(zero)>());
  };
  switch (type) {
    case DataType::kBool:
      return write(bool{});
    case DataType::kUInt8:
      return write(uint8_t{});
    case DataType::kInt32:
      return write(int32_t{});
    case DataType::kInt64:
      return write(int64_t{});
    case DataType::kFP32:
      return write(float{});
    case DataType::kFP64:
      return write(double{});
    default:
      throw DataTypeError(StrCat("attribute out_dtype is ", Name(type),
                                 ", expected bool, uint8, int32, int64, float32 or float64"));
  }
}

}  // namespace

REGISTER_LITE_OP(sequence_mask)
    .Input("X")
    .OptionalInput("MaxLenTensor")
    .Output("Y")
    .Attr<int32_t>("maxlen", -1)
    .RequiredAttr<int32_t>("out_dtype")
    .DataDependent()
    .InferShape(InferSequenceMask);
REGISTER_LITE_FUNCTION(sequence_mask, kHost, kAny, kNCHW, RunSequenceMask, def);

}  // namespace paddle::lite
