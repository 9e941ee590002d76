// X * Y + Bias, all dims of X but the last being rows, then an activation. Its gelu is the tanh
// approximation: that is what the library computes which gives the operator its name.
#include "lite/kernels/cpu/matmul.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

MatMulShape FusedGemmEpilogueShapeOf(const OpLite& op, const DDim& x, const DDim& y) {
  if (x.size() < 2 || y.size() != 2)
    throw ShapeError(StrCat("inputs X and Y have shapes ", x, " and ", y,
                            ", expected at least two dimensions and two"));
  MatMulShape s;
  s.trans_x = op.Attr<bool>("trans_x"), s.trans_y = op.Attr<bool>("trans_y");
  const int64_t rows = x.Count(0, x.size() - 1), cols = x.back();
  s.m = s.trans_x ? cols : rows;
  s.k = s.trans_x ? rows : cols;
  s.n = y[s.trans_y ? 0 : 1];
  if (y[s.trans_y ? 1 : 0] != s.k)
    throw ShapeError(StrCat("inputs X and Y have shapes ", x, " and ", y,
                            ", which cannot be multiplied with trans_x ", s.trans_x,
                            " and trans_y ", s.trans_y));
  s.out = s.trans_x ? DDim{s.m} : DDim(x.begin(), static_cast<size_t>(x.size() - 1));
  s.out.push_back(s.n);
  return s;
}

math::Activation FusedGemmEpilogueActivationOf(const OpLite& op) {
  const auto& name = op.Attr<std::string>("activation");
  if (name.empty() || name == "none") return {};
  if (name == "relu") return {math::Act::kRelu};
  if (name == "gelu") return {math::Act::kGeluTanh};
  throw LiteError(StrCat("attribute activation is \"", name, "\", expected none, relu or gelu"));
}

void InferFusedGemmEpilogue(InferContext& c) {
  for (const char* slot : {"X", "Y", "Bias"})
    if (c.Input(slot).dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
  const MatMulShape s = FusedGemmEpilogueShapeOf(c.op(), c.Dims("X"), c.Dims("Y"));
  c.Require(c.Dims("Bias").production() == s.n, "input Bias has shape ", c.Dims("Bias"),
            ", expected ", s.n, " elements");
  FusedGemmEpilogueActivationOf(c.op());
  c.SetOutput("Out", s.out, DataType::kFP32);
  c.SetOutput("ReserveSpace", DDim{0}, DataType::kFP32);
}

class FusedGemmEpilogue : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override {
    product_.Prepare(c, "Y",
                     FusedGemmEpilogueShapeOf(c.op(), c.Input("X").dims(), c.Input("Y").dims()),
                     FusedGemmEpilogueActivationOf(c.op()));
  }
  void Run(KernelContext& c) override { product_.Run(c, "X", "Y", c.Input("Bias").data<float>()); }

 private:
  MatMulFp32 product_;
};

REGISTER_LITE_OP(fused_gemm_epilogue)
    .Input("X")
    .Input("Y")
    .Input("Bias")
    .Output("Out")
    .OptionalOutput("ReserveSpace")
    .Attr<bool>("trans_x", false)
    .Attr<bool>("trans_y", false)
    .Attr<std::string>("activation", "none")
    .InferShape(InferFusedGemmEpilogue);
REGISTER_LITE_KERNEL(fused_gemm_epilogue, kHost, kFloat, kNCHW, FusedGemmEpilogue, def, true);

}  // namespace
}  // namespace paddle::lite
