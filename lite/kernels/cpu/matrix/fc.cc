#include "lite/kernels/cpu/activation/activation.h"
#include "lite/kernels/cpu/activation/fused_activation.h"
#include "lite/kernels/cpu/matrix/matmul.h"
#include "lite/kernels/cpu/normalisation/normalize.h"

namespace paddle::lite {
namespace {

bool IsFromMatMul(const OpLite& op) {
  const auto& origin = op.Attr<std::string>("op_type");
  return origin == "matmul" || origin == "matmul_v2";
}

// Dims of Input that make rows. Paddle Lite's optimizer leaves in_num_col_dims alone when it makes
// an fc of a matmul, whose rows are all dims but the last.
int RowDims(const OpLite& op, const DDim& x) {
  if (IsFromMatMul(op)) return x.size() - 1;
  return op.Attr<int32_t>("in_num_col_dims");
}

MatMulShape FcShapeOf(const OpLite& op, const DDim& x, const DDim& w) {
  const int rows = RowDims(op, x);
  const int fewest = IsFromMatMul(op) ? 0 : 1;
  if (rows < fewest || rows >= x.size())
    throw ShapeError(StrCat("attribute in_num_col_dims is ", rows, ", expected a value in [",
                            fewest, ", ", x.size(), ") for an Input of shape ", x));
  if (w.size() != 2) throw ShapeError(StrCat("input W has shape ", w, ", expected rank 2"));
  MatMulShape s;
  s.m = x.Count(0, rows);
  s.k = x.Count(rows, x.size());
  s.n = w[1];
  if (w[0] != s.k)
    throw ShapeError(StrCat("input Input of shape ", x, " has ", s.k,
                            " columns with in_num_col_dims ", rows, ", but W has shape ", w));
  s.out = DDim(x.begin(), static_cast<size_t>(rows));
  s.out.push_back(s.n);
  return s;
}

math::Activation ActivationOf(const OpLite& op) {
  const math::Act kind = ActByName(op.Attr<std::string>("activation_type"), "activation_type",
                                   {math::Act::kRelu, math::Act::kRelu6});
  return {kind, op.Attr<float>("alpha")};
}

void InferFc(InferContext& c) {
  RequireMatMulTypes(c, "Input", "W");
  const TensorMeta& x = c.Input("Input");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input Input is ", Name(x.dtype), ", expected float32 or float64"));
  c.Require(!c.Attr<bool>("padding_weights"),
            "attribute padding_weights is true, which is not supported; export the model again");
  const MatMulShape s = FcShapeOf(c.op(), x.dims, c.Dims("W"));
  if (c.HasInput("Bias")) {
    const TensorMeta& bias = c.Input("Bias");
    c.Require(bias.dims.production() == s.n, "input Bias has shape ", bias.dims, ", expected ", s.n,
              " elements for W of shape ", c.Dims("W"));
    if (bias.dtype != x.dtype)
      throw DataTypeError(
          StrCat("input Bias is ", Name(bias.dtype), ", but Input is ", Name(x.dtype)));
  }
  RequireInt8MatMul(c, "W", s);
  ActivationOf(c.op());
  c.SetOutput("Out", s.out, x.dtype, x.lod);
}

template <typename T>
void RunPlain(KernelContext& c) {
  const MatMulShape s = FcShapeOf(c.op(), c.Input("Input").dims(), c.Input("W").dims());
  const T *x = c.Input("Input").data<T>(), *w = c.Input("W").data<T>();
  const T* bias = c.HasInput("Bias") ? c.Input("Bias").data<T>() : nullptr;
  const math::Activation act = ActivationOf(c.op());
  T* out = c.Output("Out").mutable_data<T>();
  for (int64_t i = 0; i < s.m; ++i, x += s.k)
    for (int64_t j = 0; j < s.n; ++j) {
      T sum = bias == nullptr ? T{0} : bias[j];
      for (int64_t k = 0; k < s.k; ++k) sum += x[k] * w[k * s.n + j];
      *out++ = static_cast<T>(ApplyActivation(act, static_cast<double>(sum)));
    }
}

class Fc : public KernelBase, public ExplainsChoice {
 public:
  void PrepareForRun(KernelContext& c) override {
    product_.Prepare(c, "W", FcShapeOf(c.op(), c.Input("Input").dims(), c.Input("W").dims()),
                     ActivationOf(c.op()));
  }
  void Run(KernelContext& c) override {
    const float* bias = c.HasInput("Bias") ? c.Input("Bias").data<float>() : nullptr;
    product_.Run(c, "Input", "W", bias);
  }
  KernelChoice Choice(const KernelContext& c) const override { return product_.Choice(c, "W"); }

 private:
  MatMulFp32 product_;
};

bool FcKeepsBytes(const OpLite& op, const MetaOfSlot& meta) {
  return ProductKeepsBytes(op, FcShapeOf(op, meta("Input")->dims, meta("W")->dims), *meta("W"));
}

REGISTER_LITE_OP(fc)
    .Input("Input")
    .Input("W")
    .OptionalInput("Bias")
    .Output("Out")
    .Attr<int32_t>("in_num_col_dims", 1)
    .Attr<std::string>("activation_type", "")
    .Attr<float>("alpha", 6.0f)
    .Attr<std::string>("op_type", "")
    .Attr<bool>("padding_weights", false)
    .InferShape(InferFc);
[[maybe_unused]] OpInfo& fc_with_int8 = DeclareInt8(fc_op_info);
REGISTER_LITE_FUNCTION(fc, kHost, kFP64, kNCHW, RunPlain<double>, def);
REGISTER_LITE_KERNEL(fc, kHost, kFloat, kNCHW, Fc, def, true, false, false, false, FcKeepsBytes);
REGISTER_LITE_KERNEL(fc, kHost, kUInt8, kNCHW, Fc, def);

// X * Y + Bias, all dims of X but the last being rows, then an activation. Its gelu is the tanh
// approximation: that is what the library computes which gives the operator its name.
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
