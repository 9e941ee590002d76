// A product of X [..., K] with weights of 4 or 8 bits that share scales in blocks: MatMulNBits of
// ONNX Runtime (docs/ContribOperators.md there). Y is its B [N, blocks, bytes]; the scales and the
// zero points, a byte each, are [blocks, N]. With an accuracy_level of 4, X is rounded to 8 bits in
// the same blocks.
#include <memory>

#include "lite/core/run_recorder.h"
#include "lite/kernels/cpu/quantised/weight_groups.h"
#include "lite/kernels/cpu/shape/nhwc.h"

namespace paddle::lite {
namespace {

void InferMatMulNBits(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& y = c.Dims("Y");
  c.Require(!x.dims.empty() && x.dims.back() > 0, "input X has shape ", x.dims,
            ", expected at least one column");
  RequireInput(c, "X", DataType::kFP32, x.dims);
  RequireWeightGroups(c, x.dims.back(), false);
  if (c.HasInput("Bias")) RequireInput(c, "Bias", DataType::kFP32, {y[0]});
  DDim out = x.dims;
  out[out.size() - 1] = y[0];
  c.SetOutput("Out", out, DataType::kFP32, x.lod);
}

class MatMulNBits : public KernelBase, public ExplainsChoice {
 public:
  void PrepareForRun(KernelContext& c) override {
    weights_ = PackedWeightGroups<math::PackedGroups>(
        c, "groups of integers", [&](const Tensor&) { return PackWeightGroups(c); });
  }

  void Run(KernelContext& c) override {
    const Tensor& x = c.Input("X");
    Tensor& out = c.Output("Out");
    float* const results = out.mutable_data<float>();
    if (out.numel() == 0) return;
    const float* bias = c.HasInput("Bias") ? c.Input("Bias").data<float>() : nullptr;
    const KernelEpilogue epilogue(c, bias, {});
    const int64_t k = x.dims().back();
    const auto multiply = [&](const math::PackedGroups& weights) {
      MultiplyWeightGroups(c, x.numel() / k, k, x.data<float>(), weights, results, epilogue.get());
    };
    if (weights_ != nullptr)
      multiply(*weights_);
    else
      multiply(PackWeightGroups(c));
  }

  KernelChoice Choice(const KernelContext& c) const override {
    if (c.Attr<int>("accuracy_level") == 4)
      return {"byte_groups",
              "the model allows activations in bytes, which the weights' integers meet"};
    return {"integer_groups", "the weights are integers, which become floats as they are read"};
  }

 private:
  std::shared_ptr<const math::PackedGroups> weights_;  // null where something is not constant
};

REGISTER_LITE_OP(matmul_nbits)
    .Input("X")
    .Input("Y")
    .Input("Scales")
    .OptionalInput("ZeroPoints")
    .OptionalInput("Bias")
    .Output("Out")
    .Attr<int>("bits", 4)
    .Attr<int>("block_size", 32)
    .Attr<int>("accuracy_level", 0)
    .InferShape(InferMatMulNBits);
REGISTER_LITE_KERNEL(matmul_nbits, kHost, kFloat, kNCHW, MatMulNBits, def, true);

}  // namespace
}  // namespace paddle::lite
