#include "lite/core/infer_context.h"

namespace paddle::lite {
namespace {

constexpr int64_t kMaxIntValues = 4096;  // a shape or an index list, never bulk data

std::vector<int64_t> ToInts(const Tensor& tensor, std::string_view slot) {
  const int64_t count = tensor.numel();
  if (count > kMaxIntValues)
    throw ShapeError(StrCat("input ", slot, " of shape ", tensor.dims(),
                            " is too large to be a list of sizes or indexes"));
  if (tensor.dtype() == DataType::kInt32) {
    const auto* data = tensor.data<int32_t>();
    return {data, data + count};
  }
  if (tensor.dtype() == DataType::kInt64) {
    const auto* data = tensor.data<int64_t>();
    return {data, data + count};
  }
  throw DataTypeError(
      StrCat("input ", slot, " is ", Name(tensor.dtype()), ", expected int32 or int64"));
}

}  // namespace

size_t InferContext::InputCount(std::string_view slot) const { return op_.Input(slot).size(); }
size_t InferContext::OutputCount(std::string_view slot) const { return op_.Output(slot).size(); }

const TensorMeta& InferContext::Input(std::string_view slot, size_t index) const {
  const auto& metas = inputs_[op_.InputSlot(slot)];
  if (index >= metas.size()) throw LiteError(StrCat("input ", slot, "[", index, "] is absent"));
  return *metas[index];
}

const Tensor& InferContext::Known(std::string_view slot, size_t index) const {
  const auto& tensors = known_[op_.InputSlot(slot)];
  if (index >= tensors.size()) throw LiteError(StrCat("input ", slot, "[", index, "] is absent"));
  if (tensors[index] == nullptr) throw NeedsData{};
  return *tensors[index];
}

std::vector<int64_t> InferContext::IntValues(std::string_view slot, size_t index) const {
  return ToInts(Known(slot, index), slot);
}

std::vector<int64_t> InferContext::IntList(std::string_view slot) const {
  std::vector<int64_t> values;
  for (size_t i = 0; i < InputCount(slot); ++i) {
    const Tensor& tensor = Known(slot, i);
    if (tensor.numel() != 1)
      throw ShapeError(
          StrCat("input ", slot, "[", i, "] has shape ", tensor.dims(), ", expected one element"));
    values.push_back(ToInts(tensor, slot)[0]);
  }
  return values;
}

std::vector<float> InferContext::FloatValues(std::string_view slot, size_t index) const {
  const Tensor& tensor = Known(slot, index);
  const int64_t count = tensor.numel();
  if (count > kMaxIntValues)
    throw ShapeError(StrCat("input ", slot, " of shape ", tensor.dims(), " is too large"));
  const auto* data = tensor.data<float>();
  return {data, data + count};
}

double InferContext::NumberValue(std::string_view slot) const {
  const Tensor& tensor = Known(slot, 0);
  if (tensor.numel() != 1)
    throw ShapeError(
        StrCat("input ", slot, " has shape ", tensor.dims(), ", expected one element"));
  if (tensor.dtype() == DataType::kFP32) return *tensor.data<float>();
  if (tensor.dtype() == DataType::kFP64) return *tensor.data<double>();
  return static_cast<double>(ToInts(tensor, slot)[0]);
}

void InferContext::SetOutput(std::string_view slot, size_t index, const DDim& dims, DataType dtype,
                             LoD lod) {
  auto& metas = outputs_[op_.OutputSlot(slot)];
  if (index < metas.size()) metas[index] = {dims, dtype, std::move(lod)};
}

OpInfo::InferFn InferSameAs(const char* input, const char* output) {
  return [input, output](InferContext& c) {
    const TensorMeta& x = c.Input(input);
    c.SetOutput(output, x.dims, x.dtype, x.lod);
  };
}

void RequireAlike(const InferContext& c, std::string_view slot) {
  const TensorMeta& first = c.Input(slot);
  for (size_t i = 1; i < c.InputCount(slot); ++i) {
    const TensorMeta& x = c.Input(slot, i);
    c.Require(x.dims == first.dims, slot, "[", i, "] has shape ", x.dims, ", but ", slot,
              "[0] has ", first.dims);
    if (x.dtype != first.dtype)
      throw DataTypeError(StrCat(slot, "[", i, "] is ", Name(x.dtype), ", but ", slot, "[0] is ",
                                 Name(first.dtype), "; cast them to one type"));
  }
}

int CanonicalAxis(int64_t axis, int rank, const char* what) {
  if (axis < -rank || axis >= rank)
    throw ShapeError(StrCat(what, " is ", axis, ", expected a value in [", -rank, ", ", rank,
                            ") for a tensor of rank ", rank));
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace paddle::lite
