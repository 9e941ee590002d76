// A product of X [..., K] with weights of 4 or 8 bits that share scales in blocks: MatMulNBits of
// ONNX Runtime (docs/ContribOperators.md there). Y is its B [N, blocks, bytes]; the scales and the
// zero points, a byte each, are [blocks, N]. With an accuracy_level of 4, X is rounded to 8 bits in
// the same blocks.
#include <memory>

#include "lite/core/fingerprint.h"
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/core/run_recorder.h"
#include "lite/kernels/cpu/math/byte_groups.h"
#include "lite/kernels/cpu/quantised/weight_groups.h"
#include "lite/kernels/cpu/shape/nhwc.h"

namespace paddle::lite {

std::string WeightGroupsText(const KernelContext& c) {
  Fingerprint fingerprint;
  for (const char* slot : {"Scales", "ZeroPoints"}) {
    if (!c.HasInput(slot)) continue;
    const Tensor& x = c.Input(slot);
    fingerprint.Add(x.raw_data(), static_cast<size_t>(x.numel()) * SizeOf(x.dtype()));
  }
  return StrCat(c.Attr<int>("bits"), " bits ",
                Fingerprint::Hex(fingerprint.low(), fingerprint.high()), " ", math::IsaName());
}

namespace {

void InferMatMulNBits(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& y = c.Dims("Y");
  const int bits = c.Attr<int>("bits"), block = c.Attr<int>("block_size");
  c.Require(bits == 4 || bits == 8, "attribute bits is ", bits, ", expected 4 or 8");
  c.Require(block > 0 && block % 8 == 0, "attribute block_size is ", block,
            ", expected a positive multiple of 8");
  c.Require(!x.dims.empty() && x.dims.back() > 0, "input X has shape ", x.dims,
            ", expected at least one column");
  const int64_t blocks = (x.dims.back() + block - 1) / block;
  c.Require(y.size() == 3 && y[0] > 0 && y[1] == blocks && y[2] == int64_t{block} * bits / 8,
            "input Y has shape ", y, ", expected [columns, ", blocks, ", ",
            int64_t{block} * bits / 8, "] for X of shape ", x.dims);
  const auto require = [&](const char* slot, DataType type, const DDim& dims) {
    const TensorMeta& found = c.Input(slot);
    if (found.dtype != type)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(found.dtype), ", expected ", Name(type)));
    c.Require(found.dims == dims, "input ", slot, " has shape ", found.dims, ", expected ", dims);
  };
  require("X", DataType::kFP32, x.dims);
  require("Y", DataType::kUInt8, y);
  require("Scales", DataType::kFP32, {blocks, y[0]});
  if (c.HasInput("ZeroPoints")) require("ZeroPoints", DataType::kUInt8, {blocks, y[0]});
  if (c.HasInput("Bias")) require("Bias", DataType::kFP32, {y[0]});
  DDim out = x.dims;
  out[out.size() - 1] = y[0];
  c.SetOutput("Out", out, DataType::kFP32, x.lod);
}

class MatMulNBits : public KernelBase, public ExplainsChoice {
 public:
  void PrepareForRun(KernelContext& c) override {
    for (const char* slot : {"Scales", "ZeroPoints"})
      if (c.HasInput(slot) && !c.Input(slot).persistable()) return;
    weights_ =
        c.PackedInput<math::PackedGroups>("Y", "groups of integers of " + WeightGroupsText(c),
                                          [&](const Tensor&) { return Pack(c); });
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
      const auto product =
          c.Attr<int>("accuracy_level") == 4 ? math::GemmByteGroups : math::GemmGroups;
      product(c.threads(), x.numel() / k, k, x.data<float>(), weights, results, epilogue.get());
    };
    if (weights_ != nullptr)
      multiply(*weights_);
    else
      multiply(Pack(c));
  }

  KernelChoice Choice(const KernelContext& c) const override {
    if (c.Attr<int>("accuracy_level") == 4)
      return {"byte_groups",
              "the model allows activations in bytes, which the weights' integers meet"};
    return {"integer_groups", "the weights are integers, which become floats as they are read"};
  }

 private:
  static math::PackedGroups Pack(const KernelContext& c) {
    const Tensor& y = c.Input("Y");
    math::UnpackedGroups groups;
    groups.bits = c.Attr<int>("bits");
    groups.rows = c.Attr<int>("block_size");
    groups.n = y.dims()[0];
    groups.blocks = y.dims()[1];
    groups.integers = y.data<uint8_t>();
    groups.scales = c.Input("Scales").data<float>();
    if (c.HasInput("ZeroPoints")) groups.zeros = c.Input("ZeroPoints").data<uint8_t>();
    return math::PackGroups(groups, c.threads());
  }

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
