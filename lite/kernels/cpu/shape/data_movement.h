// What operators that move data without changing it share.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/strided_copy.h"

namespace paddle::lite {

inline const char* Bytes(const Tensor& tensor) {
  return static_cast<const char*>(tensor.raw_data());
}
inline char* MutableBytes(Tensor& tensor) {
  return static_cast<char*>(tensor.MutableRaw(tensor.dtype()));
}
inline int64_t ElementSize(const Tensor& tensor) {
  return static_cast<int64_t>(SizeOf(tensor.dtype()));
}

// The canonical form of the attribute `axis`; a 0-D tensor counts as a list of one.
inline int AxisOrFirst(int64_t axis, const DDim& dims) {
  return CanonicalAxis(axis, dims.empty() ? 1 : dims.size(), "axis");
}

// Row-major strides in elements.
DDim RowMajorStrides(const DDim& dims);
// Strides in elements in the tensor's own memory order.
DDim StridesOf(const Tensor& tensor);

// Copies all elements to a tensor of the same type, number and order of elements.
void CopyElements(const Tensor& from, Tensor& to);
// Copies a box of `dims` elements. Offsets and strides are in elements.
void CopyBox(const DDim& dims, const Tensor& from, int64_t from_offset, const DDim& from_strides,
             Tensor& to, int64_t to_offset, const DDim& to_strides, int threads);

// Repeats x as Paddle's broadcasting does: aligned at the last dimension, dims of 1 repeat.
void BroadcastTo(const Tensor& x, Tensor& out, int threads);
// x itself where it has those dims, else a tensor of them with x's elements repeated likewise.
Tensor Repeated(const Tensor& x, const DDim& dims, int threads);

// The integers of an int32 or int64 tensor; `slot` names it in the error.
std::vector<int64_t> IntValues(const Tensor& tensor, std::string_view slot);
inline std::vector<int64_t> IntValues(const InferContext& c, std::string_view slot) {
  return c.IntValues(slot);
}
inline std::vector<int64_t> IntValues(const KernelContext& c, std::string_view slot) {
  return IntValues(c.Input(slot), slot);
}
inline std::vector<int64_t> IntList(const InferContext& c, std::string_view slot) {
  return c.IntList(slot);
}
std::vector<int64_t> IntList(const KernelContext& c, std::string_view slot);

inline bool HasSlot(const InferContext& c, std::string_view slot) { return c.HasInput(slot); }
inline bool HasSlot(const KernelContext& c, std::string_view slot) { return c.HasInput(slot); }
inline const DDim& DimsOf(const InferContext& c, std::string_view slot) { return c.Dims(slot); }
inline const DDim& DimsOf(const KernelContext& c, std::string_view slot) {
  return c.Input(slot).dims();
}

// A list of integers that an operator takes, in order of precedence, from a list of tensors, a
// tensor, or an attribute. An empty name is a slot that the operator does not have.
template <typename T, typename Context>
std::vector<int64_t> IntsOf(const Context& c, std::string_view list, std::string_view tensor,
                            std::string_view attribute) {
  if (!list.empty() && HasSlot(c, list)) return IntList(c, list);
  if (!tensor.empty() && HasSlot(c, tensor)) return IntValues(c, tensor);
  const auto& values = c.template Attr<std::vector<T>>(attribute);
  return {values.begin(), values.end()};
}

// An integer from a one-element tensor where that is present, else from an attribute.
template <typename T, typename Context>
int64_t IntOf(const Context& c, std::string_view tensor, std::string_view attribute) {
  if (!HasSlot(c, tensor)) return c.template Attr<T>(attribute);
  const auto values = IntValues(c, tensor);
  if (values.size() != 1)
    throw ShapeError(StrCat("input ", tensor, " has ", values.size(), " elements, expected one"));
  return values[0];
}

// x's LoD where out has as many rows, as the reshaping operators pass it on.
inline LoD LodOfSameRows(const TensorMeta& x, const DDim& out) {
  if (x.lod.empty() || x.dims.empty() || out.empty() || x.dims[0] != out[0]) return {};
  return x.lod;
}

// A DataType from an attribute; throws DataTypeError for a number that is none.
DataType DataTypeFrom(int number, const char* attribute);

}  // namespace paddle::lite
