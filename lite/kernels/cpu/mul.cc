#include "lite/kernels/cpu/matmul.h"

namespace paddle::lite {
namespace {

int SplitAt(const OpLite& op, const char* name, const DDim& dims) {
  const int at = op.Attr<int32_t>(name);
  if (at < 1 || at >= dims.size())
    throw ShapeError(StrCat("attribute ", name, " is ", at, ", expected a value in [1, ",
                            dims.size(), ") for an input of shape ", dims));
  return at;
}

// X and Y flattened to matrices; Out has the rows' dims of X and the columns' dims of Y.
MatMulShape MulShapeOf(const OpLite& op, const DDim& x, const DDim& y) {
  const int split_x = SplitAt(op, "x_num_col_dims", x);
  const int split_y = SplitAt(op, "y_num_col_dims", y);
  MatMulShape s;
  s.m = x.Count(0, split_x);
  s.k = x.Count(split_x, x.size());
  s.n = y.Count(split_y, y.size());
  if (y.Count(0, split_y) != s.k)
    throw ShapeError(StrCat("input X of shape ", x, " has ", s.k, " columns with x_num_col_dims ",
                            split_x, ", but Y of shape ", y, " has ", y.Count(0, split_y),
                            " rows with y_num_col_dims ", split_y));
  for (int i = 0; i < split_x; ++i) s.out.push_back(x[i]);
  for (int i = split_y; i < y.size(); ++i) s.out.push_back(y[i]);
  return s;
}

REGISTER_LITE_OP(mul)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int32_t>("x_num_col_dims", 1)
    .Attr<int32_t>("y_num_col_dims", 1)
    .InferShape(InferMatMul<MulShapeOf, true>);
[[maybe_unused]] OpInfo& mul_with_int8 = DeclareInt8(mul_op_info);
REGISTER_LITE_FUNCTION(mul, kHost, kAny, kNCHW, RunMatMulAnyType<MulShapeOf>, def);
REGISTER_LITE_KERNEL(mul, kHost, kFloat, kNCHW, MatMulKernel<MulShapeOf>, def, true);

}  // namespace
}  // namespace paddle::lite
