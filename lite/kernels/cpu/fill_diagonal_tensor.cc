#include "lite/kernels/cpu/diagonals.h"

namespace paddle::lite {
namespace {

template <typename Context>
DiagonalSpec FillDiagonalTensorSpec(const Context& c) {
  return DiagonalOf(c.template Attr<int64_t>("offset"), c.template Attr<int32_t>("dim1"),
                    c.template Attr<int32_t>("dim2"), DimsOf(c, "X").size());
}

// X with Y on its diagonals.
void InferFillDiagonalTensor(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  const DiagonalSpec spec = FillDiagonalTensorSpec(c);
  c.Require(spec.offset > -x.dims[spec.rows_axis] && spec.offset < x.dims[spec.cols_axis],
            "offset is ", spec.offset, ", which is outside X of shape ", x.dims);
  const DDim expected = DiagonalDims(x.dims, spec);
  DDim row{1};  // as Paddle 3 writes one diagonal
  for (const int64_t dim : expected) row.push_back(dim);
  c.Require(y.dims == expected || (expected.size() == 1 && y.dims == row), "Y has shape ", y.dims,
            ", expected ", expected);
  if (y.dtype != x.dtype)
    throw DataTypeError(StrCat("Y is ", Name(y.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype);
}

void RunFillDiagonalTensor(KernelContext& c) {
  const DiagonalSpec spec = FillDiagonalTensorSpec(c);
  CopyElements(c.Input("X"), c.Output("Out"));
  Tensor y = c.Input("Y");
  y.Resize(DiagonalDims(c.Input("X").dims(), spec));
  CopyToDiagonal(y, spec, c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(fill_diagonal_tensor)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int64_t>("offset", 0)
    .Attr<int32_t>("dim1", 0)
    .Attr<int32_t>("dim2", 1)
    .InferShape(InferFillDiagonalTensor);
REGISTER_LITE_FUNCTION(fill_diagonal_tensor, kHost, kAny, kNCHW, RunFillDiagonalTensor, def);

}  // namespace
}  // namespace paddle::lite
