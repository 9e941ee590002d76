// `tensor_array_to_tensor`: the tensors of the list X side by side along `axis` (use_stack: along a
// new axis); OutIndex: the size of each along it, int32.
#include <cstring>

#include "lite/core/base/errors.h"
#include "lite/kernels/control_flow/list.h"

namespace paddle::lite {
namespace {

// The shape of one tensor on its way into the result.
DDim PartShape(const DDim& dims, int axis, bool stack) {
  if (!stack) return dims;
  DDim shape;
  for (int i = 0; i < axis; ++i) shape.push_back(dims[i]);
  shape.push_back(1);
  for (int i = axis; i < dims.size(); ++i) shape.push_back(dims[i]);
  return shape;
}

void RunTensorArrayToTensor(KernelContext& c) {
  const TensorList& tensors = ListInput(c, "X");
  if (tensors.size() == 0) throw ShapeError("the list X has no tensors");
  const bool stack = c.Attr<bool>("use_stack");
  const Tensor& first = tensors[0];
  const int rank = first.dims().size() + (stack ? 1 : 0);
  if (rank > DDim::kMaxRank || rank == 0)
    throw ShapeError(StrCat("the result would have ", rank, " dimensions"));
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), rank, "axis");
  DDim dims = PartShape(first.dims(), axis, stack);
  int64_t length = 0, outer = 1;
  for (int i = 0; i < axis; ++i) outer *= dims[i];
  std::vector<size_t> chunks;  // bytes of each tensor for one index of the axes before
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    if (!tensor.has_value())
      throw LiteError(StrCat("position ", i, " of the list X has not been written"));
    DDim part =
        PartShape(tensor.dims(), stack && tensor.dims().size() + 1 == rank ? axis : 0, stack);
    bool fits = part.size() == rank && tensor.dtype() == first.dtype();
    for (int d = 0; fits && d < rank; ++d) fits = d == axis || part[d] == dims[d];
    if (!fits)
      throw ShapeError(StrCat("tensor ", i, " of the list X is ", Name(tensor.dtype()),
                              " of shape ", tensor.dims(), ", which does not fit the first, ",
                              Name(first.dtype()), " of shape ", first.dims(), ", along axis ",
                              axis));
    length += part[axis];
    chunks.push_back(outer == 0 ? 0 : tensor.memory_size() / static_cast<size_t>(outer));
  }
  dims[axis] = length;
  Tensor& out = c.Output("Out");
  out.Allocate(dims, first.dtype());
  auto* to = static_cast<char*>(out.raw_data());
  for (int64_t o = 0; o < outer; ++o)
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (chunks[i] == 0) continue;
      const auto* from = static_cast<const char*>(tensors[i].raw_data());
      std::memcpy(to, from + static_cast<size_t>(o) * chunks[i], chunks[i]);
      to += chunks[i];
    }
  if (Tensor* index = c.OutputOrNull("OutIndex")) {
    index->Allocate({static_cast<int64_t>(tensors.size())}, DataType::kInt32);
    auto* sizes = index->mutable_data<int32_t>();
    for (size_t i = 0; i < tensors.size(); ++i)
      sizes[i] = stack ? 1 : static_cast<int32_t>(tensors[i].dims()[axis]);
  }
}

REGISTER_LITE_OP(tensor_array_to_tensor)
    .Input("X")
    .Output("Out")
    .OptionalOutput("OutIndex")
    .Attr<int32_t>("axis", 0)
    .Attr<bool>("use_stack", false)
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(tensor_array_to_tensor, kHost, kAny, kNCHW, RunTensorArrayToTensor, def);

}  // namespace
}  // namespace paddle::lite
