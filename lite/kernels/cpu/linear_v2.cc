// Out = input * weight + bias over the last dim, the weight as [in, out] or transposed.
#include "lite/kernels/cpu/matmul.h"
#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/product.h"

namespace paddle::lite {
namespace {

MatMulShape LinearV2ShapeOf(const OpLite& op, const DDim& x, const DDim& w) {
  if (x.empty() || w.size() != 2)
    throw ShapeError(StrCat("inputs input of shape ", x, " and weight of shape ", w,
                            ", expected rank 1 or more and rank 2"));
  return BroadcastMatMulShape(x, w, false, op.Attr<bool>("transpose_weight"));
}

void InferLinearV2(InferContext& c) {
  RequireFloating(c, "input");
  RequireMatMulTypes(c, "input", "weight");
  RequireMatMulTypes(c, "input", "bias");
  const TensorMeta& x = c.Input("input");
  const MatMulShape s = LinearV2ShapeOf(c.op(), x.dims, c.Dims("weight"));
  c.Require(c.Dims("bias").production() == s.n, "input bias has shape ", c.Dims("bias"),
            ", expected ", s.n, " elements for weight of shape ", c.Dims("weight"));
  c.SetOutput("out", s.out, x.dtype, x.lod);
}

void RunDouble(KernelContext& c) {
  const MatMulShape s = LinearV2ShapeOf(c.op(), c.Input("input").dims(), c.Input("weight").dims());
  Product p;
  p.m = s.batch.production() * s.m, p.n = s.n, p.k = s.k, p.trans_y = s.trans_y;
  double* out = c.Output("out").mutable_data<double>();
  Multiply(c.threads(), p, c.Input("input").data<double>(), c.Input("weight").data<double>(), out);
  const double* bias = c.Input("bias").data<double>();
  for (int64_t i = 0; i < p.m * p.n; ++i) out[i] += bias[i % p.n];
}

class LinearFp32 : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override {
    product_.Prepare(c, "weight",
                     LinearV2ShapeOf(c.op(), c.Input("input").dims(), c.Input("weight").dims()),
                     {});
  }
  void Run(KernelContext& c) override {
    product_.Run(c, "input", "weight", c.Input("bias").data<float>(), "out");
  }

 private:
  MatMulFp32 product_;
};

REGISTER_LITE_OP(linear_v2)
    .Input("input")
    .Input("weight")
    .Input("bias")
    .Output("out")
    .Attr<bool>("transpose_weight", false)
    .InferShape(InferLinearV2);
REGISTER_LITE_FUNCTION(linear_v2, kHost, kFP64, kNCHW, RunDouble, def);
REGISTER_LITE_KERNEL(linear_v2, kHost, kFloat, kNCHW, LinearFp32, def, true);

}  // namespace
}  // namespace paddle::lite
