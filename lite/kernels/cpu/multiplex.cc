#include <cstring>

#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

// Row i of Out is row i of the tensor that Ids[i] names.
void InferMultiplex(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& ids = c.Dims("Ids");
  c.Require(!x.dims.empty(), "X is 0-D, expected a dimension or more");
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const TensorMeta& other = c.Input("X", i);
    c.Require(other.dims == x.dims, "X[", i, "] has shape ", other.dims, ", but X[0] ", x.dims);
    if (other.dtype != x.dtype)
      throw DataTypeError(
          StrCat("X[", i, "] is ", Name(other.dtype), ", but X[0] is ", Name(x.dtype)));
  }
  c.Require(ids.production() == x.dims[0], "Ids has shape ", ids, ", expected ", x.dims[0],
            " elements, as X has rows");
  c.SetOutput("Out", x.dims, x.dtype);
}

void RunMultiplex(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int64_t bytes = x.dims().Count(1, x.dims().size()) * ElementSize(x);
  const auto count = static_cast<int64_t>(c.InputCount("X"));
  char* to = MutableBytes(c.Output("Out"));
  int64_t row = 0;
  for (const int64_t id : IntValues(c, "Ids")) {
    if (id < 0 || id >= count)
      throw ShapeError(StrCat("element ", row, " of Ids is ", id,
                              ", expected the number of a tensor from 0 to ", count - 1));
    if (bytes > 0)
      std::memcpy(to + row * bytes, Bytes(c.Input("X", static_cast<size_t>(id))) + row * bytes,
                  static_cast<size_t>(bytes));
    ++row;
  }
}

REGISTER_LITE_OP(multiplex).Inputs("X").Input("Ids").Output("Out").InferShape(InferMultiplex);
REGISTER_LITE_FUNCTION(multiplex, kHost, kAny, kNCHW, RunMultiplex, def);

}  // namespace
}  // namespace paddle::lite
