#include "lite/kernels/cpu/along_axis.h"

namespace paddle::lite {
namespace {

void InferTakeAlongAxis(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const TensorMeta& index = c.Input("Index");
  RequireAlongAxis(x.dims, "Input", index, AxisOrFirst(c.Attr<int32_t>("Axis"), x.dims));
  c.SetOutput("Result", index.dims, x.dtype);
}

void RunTakeAlongAxis(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  const int axis = AxisOrFirst(c.Attr<int32_t>("Axis"), x.dims());
  TakeElements(x, AlongAxis(x.dims(), c.Input("Index"), axis), c.Output("Result"), c.threads());
}

REGISTER_LITE_OP(take_along_axis)
    .Input("Input")
    .Input("Index")
    .Output("Result")
    .Attr<int32_t>("Axis", 0)
    .InferShape(InferTakeAlongAxis);
REGISTER_LITE_FUNCTION(take_along_axis, kHost, kAny, kNCHW, RunTakeAlongAxis, def);

}  // namespace

void RequireAlongAxis(const DDim& x, const char* x_slot, const TensorMeta& index, int axis) {
  RequireIndexType(index.dtype, "Index");
  bool fits = index.dims.size() == x.size();
  for (int i = 0; fits && i < x.size(); ++i) fits = i == axis || index.dims[i] <= x[i];
  if (!fits)
    throw ShapeError(StrCat("Index has shape ", index.dims, " and ", x_slot, " ", x,
                            "; expected the same rank and, but for axis ", axis,
                            ", no larger dimensions"));
}

std::vector<int64_t> AlongAxis(const DDim& x, const Tensor& index, int axis) {
  std::vector<int64_t> positions = IntValues(index, "Index");
  const DDim& dims = index.dims();
  const DDim strides = RowMajorStrides(x);
  const int rank = dims.size();
  const int64_t size = rank == 0 ? 1 : x[axis], stride = rank == 0 ? 1 : strides[axis];
  DDim at = dims;
  for (int i = 0; i < rank; ++i) at[i] = 0;
  int64_t base = 0;  // of the coordinates besides the axis
  for (int64_t& position : positions) {
    const int64_t given = position;
    if (given < -size || given >= size)
      throw ShapeError(StrCat("element ", &position - positions.data(), " of Index is ", given,
                              ", expected an index from ", -size, " to ", size - 1));
    position = base + (given < 0 ? given + size : given) * stride;
    for (int i = rank - 1; i >= 0; --i) {
      const int64_t step = i == axis ? 0 : strides[i];
      base += step;
      if (++at[i] < dims[i]) break;
      base -= step * dims[i];
      at[i] = 0;
    }
  }
  return positions;
}

void TakeElements(const Tensor& x, const std::vector<int64_t>& positions, Tensor& out,
                  int threads) {
  Tensor index;
  index.Bind(const_cast<int64_t*>(positions.data()), positions.size() * sizeof(int64_t));
  index.set_meta({{static_cast<int64_t>(positions.size())}, DataType::kInt64, {}});
  GatherRows(x, index, "Index", {1, x.numel(), 1, -1}, out, threads);
}

}  // namespace paddle::lite
