// InferContext: what an operator's shape inference sees and sets.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lite/core/op_lite.h"
#include "lite/core/tensor.h"

namespace paddle::lite {

// Thrown by InferContext when the values of an input decide a shape and are not known yet: the
// planner then ends its static stretch here.
struct NeedsData {};

class InferContext {
 public:
  // `inputs` and `known` follow op.inputs(): the metas, and the tensors whose data is known or
  // null.
  InferContext(const OpLite& op, const std::vector<std::vector<const TensorMeta*>>& inputs,
               const std::vector<std::vector<const Tensor*>>& known,
               std::vector<std::vector<TensorMeta>>* outputs)
      : op_(op), inputs_(inputs), known_(known), outputs_(*outputs) {}

  const OpLite& op() const { return op_; }
  bool HasInput(std::string_view slot) const { return InputCount(slot) > 0; }
  bool HasOutput(std::string_view slot) const { return OutputCount(slot) > 0; }
  size_t InputCount(std::string_view slot) const;
  size_t OutputCount(std::string_view slot) const;
  const TensorMeta& Input(std::string_view slot, size_t index = 0) const;
  const DDim& Dims(std::string_view slot, size_t index = 0) const {
    return Input(slot, index).dims;
  }
  template <typename T>
  const T& Attr(std::string_view name) const {
    return op_.Attr<T>(name);
  }

  // The integers (int32 or int64) in an input whose data decides shapes; throws NeedsData.
  std::vector<int64_t> IntValues(std::string_view slot, size_t index = 0) const;
  // The integers of a list of one-element tensors (ShapeTensorList, ...); throws NeedsData.
  std::vector<int64_t> IntList(std::string_view slot) const;
  // The floats in an input whose data decides shapes (Scale of interp, ...); throws NeedsData.
  std::vector<float> FloatValues(std::string_view slot, size_t index = 0) const;
  // The number in a one-element input of any number type; throws NeedsData.
  double NumberValue(std::string_view slot) const;

  // Sets an output; one that the operator does not have is ignored.
  void SetOutput(std::string_view slot, const DDim& dims, DataType dtype) {
    SetOutput(slot, 0, dims, dtype, {});
  }
  void SetOutput(std::string_view slot, const DDim& dims, DataType dtype, LoD lod) {
    SetOutput(slot, 0, dims, dtype, std::move(lod));
  }
  void SetOutput(std::string_view slot, size_t index, const DDim& dims, DataType dtype, LoD lod);

  // Throws ShapeError with the parts concatenated unless `condition` holds.
  template <typename... Parts>
  void Require(bool condition, const Parts&... parts) const {
    if (!condition) throw ShapeError(StrCat(parts...));
  }

 private:
  const Tensor& Known(std::string_view slot, size_t index) const;

  const OpLite& op_;
  const std::vector<std::vector<const TensorMeta*>>& inputs_;
  const std::vector<std::vector<const Tensor*>>& known_;
  std::vector<std::vector<TensorMeta>>& outputs_;
};

// Inference of operators whose output is like an input: shape, type and LoD.
OpInfo::InferFn InferSameAs(const char* input, const char* output);

// Throws ShapeError and DataTypeError unless all tensors of a slot are as its first one.
void RequireAlike(const InferContext& c, std::string_view slot);

// The canonical form of an axis in [-rank, rank); throws ShapeError naming `what` otherwise.
int CanonicalAxis(int64_t axis, int rank, const char* what);

}  // namespace paddle::lite
