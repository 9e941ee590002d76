// addmm and baddbmm: Out = beta * Input + alpha * X * Y, for matrices and for batches of them.
// Input broadcasts; where beta is 0 its values mean nothing, not even NaN.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/matmul.h"
#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/product.h"

namespace paddle::lite {
namespace {

template <int rank>
void InferAddmm(InferContext& c) {
  RequireFloating(c, "X");
  RequireMatMulTypes(c, "X", "Y");
  RequireMatMulTypes(c, "X", "Input");
  const TensorMeta& x = c.Input("X");
  const DDim &y = c.Dims("Y"), &input = c.Dims("Input");
  c.Require(x.dims.size() == rank && y.size() == rank, "inputs X of shape ", x.dims,
            " and Y of shape ", y, ", expected rank ", rank);
  const MatMulShape shape = BroadcastMatMulShape(x.dims, y, false, false);
  c.Require(rank == 2 || x.dims[0] == y[0], "inputs X of shape ", x.dims, " and Y of shape ", y,
            ", expected equal batch sizes");
  c.Require(
      input.size() >= 1 && input.size() <= rank && BroadcastDims(shape.out, input, -1) == shape.out,
      "input Input has shape ", input, ", expected one that broadcasts to ", shape.out);
  c.SetOutput("Out", shape.out, x.dtype);
}

template <typename T>
void RunAddmmAs(KernelContext& c, double alpha, double beta) {
  const Tensor &x = c.Input("X"), &y = c.Input("Y"), &input = c.Input("Input");
  Tensor& out = c.Output("Out");
  Product p;
  p.batch = x.dims().size() == 3 ? x.dims()[0] : 1;
  p.m = out.dims()[out.dims().size() - 2], p.n = out.dims().back(), p.k = x.dims().back();
  p.step_x = p.m * p.k, p.step_y = p.k * p.n;
  T* to = out.mutable_data<T>();
  Multiply(c.threads(), p, x.data<T>(), y.data<T>(), to);
  const int64_t count = out.numel();
  for (int64_t i = 0; i < count; ++i) to[i] *= static_cast<T>(alpha);
  if (beta == 0) return;
  Tensor added;
  added.Allocate(out.dims(), out.dtype());
  BroadcastTo(input, added, c.threads());
  const T* from = added.data<T>();
  for (int64_t i = 0; i < count; ++i) to[i] += static_cast<T>(beta) * from[i];
}

void RunScaled(KernelContext& c, float alpha, float beta) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunAddmmAs<double>(c, alpha, beta);
  RunAddmmAs<float>(c, alpha, beta);
}

void RunAddmm(KernelContext& c) { RunScaled(c, c.Attr<float>("Alpha"), c.Attr<float>("Beta")); }
void RunBaddbmm(KernelContext& c) { RunScaled(c, c.Attr<float>("alpha"), c.Attr<float>("beta")); }

REGISTER_LITE_OP(addmm)
    .Input("Input")
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<float>("Alpha", 1.0f)
    .Attr<float>("Beta", 1.0f)
    .InferShape(InferAddmm<2>);
REGISTER_LITE_FUNCTION(addmm, kHost, kAny, kNCHW, RunAddmm, def);

REGISTER_LITE_OP(baddbmm)
    .Input("Input")
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<float>("alpha", 1.0f)
    .Attr<float>("beta", 1.0f)
    .InferShape(InferAddmm<3>);
REGISTER_LITE_FUNCTION(baddbmm, kHost, kAny, kNCHW, RunBaddbmm, def);

}  // namespace
}  // namespace paddle::lite
