#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

// The coordinates of what is not zero, a row each: [number, rank of Condition].
template <typename T>
void Find(const Tensor& condition, Tensor& out) {
  const T* data = condition.data<T>();
  const DDim& dims = condition.dims();
  const int64_t total = condition.numel();
  int64_t found = 0;
  for (int64_t i = 0; i < total; ++i) found += data[i] != T{};
  out.Allocate({found, dims.size()}, DataType::kInt64);
  auto* to = out.mutable_data<int64_t>();
  for (int64_t i = 0; i < total; ++i) {
    if (data[i] == T{}) continue;
    int64_t rest = i;
    for (int d = dims.size() - 1; d >= 0; --d) {
      to[d] = rest % dims[d];
      rest /= dims[d];
    }
    to += dims.size();
  }
}

void RunWhereIndex(KernelContext& c) {
  const Tensor& condition = c.Input("Condition");
  Tensor& out = c.Output("Out");
  if (condition.dims().empty()) throw ShapeError("Condition is 0-D, expected a dimension or more");
  switch (condition.dtype()) {
    case DataType::kBool:
    case DataType::kUInt8:
    case DataType::kInt8: {
      Tensor bytes = condition;
      bytes.set_dtype(DataType::kUInt8);
      return Find<uint8_t>(bytes, out);
    }
    case DataType::kInt16:
      return Find<int16_t>(condition, out);
    case DataType::kInt32:
      return Find<int32_t>(condition, out);
    case DataType::kInt64:
      return Find<int64_t>(condition, out);
    case DataType::kFP32:
      return Find<float>(condition, out);
    case DataType::kFP64:
      return Find<double>(condition, out);
    default:
      throw DataTypeError(StrCat("Condition is ", Name(condition.dtype()), ", expected bool"));
  }
}

REGISTER_LITE_OP(where_index)
    .Input("Condition")
    .Output("Out")
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(where_index, kHost, kAny, kNCHW, RunWhereIndex, def);

}  // namespace
}  // namespace paddle::lite
