#include "lite/kernels/cpu/random.h"

#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {

RandomEngine MakeEngine(int64_t seed) {
  if (seed != 0) return RandomEngine(static_cast<uint64_t>(seed));
  std::random_device device;
  std::seed_seq words{device(), device(), device(), device()};
  return RandomEngine(words);
}

DDim RandomShape(const InferContext& c) {
  const bool from_tensor = c.HasInput("ShapeTensor");
  const DDim dims(from_tensor ? c.IntValues("ShapeTensor")
                              : IntsOf<int64_t>(c, "ShapeTensorList", "", "shape"));
  for (const int64_t dim : dims) c.Require(dim >= 0, "shape ", dims, " has a negative dimension");
  return dims;
}

float FiniteAttr(const InferContext& c, const char* name) {
  const float value = c.Attr<float>(name);
  c.Require(std::isfinite(value), "attribute ", name, " is ", value, ", expected a finite number");
  return value;
}

DataType RandomType(const InferContext& c, std::initializer_list<DataType> types) {
  const DataType dtype = DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype");
  if (std::find(types.begin(), types.end(), dtype) != types.end()) return dtype;
  std::string expected;
  for (const DataType type : types) expected += StrCat(expected.empty() ? "" : ", ", Name(type));
  throw DataTypeError(StrCat("attribute dtype is ", Name(dtype), ", expected one of ", expected));
}

std::vector<double> Doubles(const Tensor& tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.numel()));
  const auto read = [&](const auto* from) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(from[i]);
  };
  switch (tensor.dtype()) {
    case DataType::kFP64:
      read(tensor.data<double>());
      break;
    case DataType::kInt32:
      read(tensor.data<int32_t>());
      break;
    case DataType::kInt64:
      read(tensor.data<int64_t>());
      break;
    default:
      read(tensor.data<float>());
  }
  return values;
}

void RequireRange(const std::vector<double>& values, const char* slot, double low, double high) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= low && values[i] <= high && std::isfinite(values[i])))
      throw LiteError(StrCat("input ", slot, " has ", values[i], " at element ", i,
                             ", expected a number in [", low, ", ", high, "]"));
}

}  // namespace paddle::lite
