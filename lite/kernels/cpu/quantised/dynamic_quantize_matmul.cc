// A product of X [..., K], rounded to 256 steps of what it holds, with weights of 8 bits Y [K, N]:
// DynamicQuantizeLinear and MatMulInteger of ONNX, and what their steps stand for
// (DynamicQuantizeMatMul in docs/ContribOperators.md of ONNX Runtime). A weight is (Y - ZeroPoints)
// times Scales, of its column.
#include <algorithm>
#include <memory>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/core/run_recorder.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/quantised/dynamic_product.h"
#include "lite/kernels/cpu/shape/nhwc.h"

namespace paddle::lite {
namespace {

void InferDynamicQuantizeMatMul(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& y = c.Dims("Y");
  RequireType(c, "X", {DataType::kFP32});
  RequireType(c, "Y", {DataType::kInt8});
  RequireType(c, "Scales", {DataType::kFP32});
  c.Require(!x.dims.empty() && y.size() == 2 && y[0] == x.dims.back() && y[0] > 0,
            "input Y has shape ", y, ", expected the columns of X, of shape ", x.dims,
            ", as its rows");
  c.Require(y[0] <= math::kMaxInt8Summands, "input Y has ", y[0], " rows, expected at most ",
            math::kMaxInt8Summands);
  const DDim& scales = c.Dims("Scales");
  c.Require(scales.production() == 1 || scales == DDim({y[1]}), "input Scales has shape ", scales,
            ", expected one number, or [", y[1], "]");
  if (c.HasInput("ZeroPoints")) {
    RequireType(c, "ZeroPoints", {DataType::kInt32});
    c.Require(c.Dims("ZeroPoints") == DDim({y[1]}), "input ZeroPoints has shape ",
              c.Dims("ZeroPoints"), ", expected [", y[1], "]");
  }
  DDim out = x.dims;
  out[out.size() - 1] = y[1];
  c.SetOutput("Out", out, DataType::kFP32, x.lod);
}

class DynamicQuantizeMatMul : public KernelBase, public ExplainsChoice {
 public:
  void PrepareForRun(KernelContext& c) override {
    const DDim y = c.Input("Y").dims();
    weights_ = c.PackedInput<math::PackedInt8>(
        "Y", StrCat("dynamic int8 ", y[0], " x ", y[1], " ", math::IsaName()), Pack);
  }

  void Run(KernelContext& c) override {
    const Tensor& x = c.Input("X");
    Tensor& out = c.Output("Out");
    float* const results = out.mutable_data<float>();
    if (out.numel() == 0) return;
    math::PackedInt8 fresh;
    if (weights_ == nullptr) fresh = Pack(c.Input("Y"));
    const math::PackedInt8& weights = weights_ != nullptr ? *weights_ : fresh;
    const int64_t n = weights.oc;
    const std::vector<float> scales = Scales(c, n), zeros = Zeros(c, n);
    const DynamicProduct product{weights, scales.data(), zeros.empty() ? nullptr : zeros.data()};
    const KernelEpilogue epilogue(c, nullptr, {});
    product.Run(c.threads(), x.numel() / weights.ic, x.data<float>(), results, n, epilogue.get());
  }

  KernelChoice Choice(const KernelContext&) const override {
    return {"int8", "the input is rounded to bytes by what it holds"};
  }

 private:
  static math::PackedInt8 Pack(const Tensor& y) {
    return math::PackInt8Matrix(y.dims()[0], y.dims()[1], y.data<int8_t>(), false);
  }

  static std::vector<float> Scales(const KernelContext& c, int64_t n) {
    const Tensor& given = c.Input("Scales");
    const auto* from = given.data<float>();
    std::vector<float> scales(static_cast<size_t>(n), from[0]);
    if (given.numel() > 1) std::copy_n(from, n, scales.begin());
    return scales;
  }

  static std::vector<float> Zeros(const KernelContext& c, int64_t n) {
    const Tensor* given = c.InputOrNull("ZeroPoints");
    if (given == nullptr) return {};
    const auto* from = given->data<int32_t>();
    return {from, from + n};
  }

  std::shared_ptr<const math::PackedInt8> weights_;  // null where Y is not constant
};

REGISTER_LITE_OP(dynamic_quantize_matmul)
    .Input("X")
    .Input("Y")
    .Input("Scales")
    .OptionalInput("ZeroPoints")
    .Output("Out")
    .InferShape(InferDynamicQuantizeMatMul);
REGISTER_LITE_KERNEL(dynamic_quantize_matmul, kHost, kFloat, kNCHW, DynamicQuantizeMatMul, def,
                     true);

}  // namespace
}  // namespace paddle::lite
