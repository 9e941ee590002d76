// At inference whatever `is_test` says: nothing is dropped. `downgrade_in_infer`, also the meaning
// of a missing attribute, scales by 1 - dropout_prob instead.
#include <cstring>

#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

double Factor(const OpLite& op) {
  if (op.Attr<std::string>("dropout_implementation") == "upscale_in_train") return 1.0;
  return 1.0 - static_cast<double>(op.Attr<float>("dropout_prob"));
}

math::Activation DropoutAsActivation(const OpLite& op) {
  return {math::Act::kAffine, static_cast<float>(Factor(op)), 0.0f};
}

void InferDropout(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("X is ", Name(x.dtype), ", expected float32 or float64"));
  const float probability = c.Attr<float>("dropout_prob");
  c.Require(probability >= 0.0f && probability <= 1.0f, "attribute dropout_prob is ", probability,
            ", expected a value in [0, 1]");
  const std::string& how = c.Attr<std::string>("dropout_implementation");
  if (how != "downgrade_in_infer" && how != "upscale_in_train")
    throw LiteError(StrCat("attribute dropout_implementation is '", how,
                           "', expected downgrade_in_infer or upscale_in_train"));
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("Mask", x.dims, DataType::kUInt8);
}

void RunDropout(KernelContext& c) {
  RunActivation(c, DropoutAsActivation(c.op()));
  if (Tensor* mask = c.OutputOrNull("Mask")) {
    auto* data = mask->mutable_data<uint8_t>();
    if (mask->numel() > 0) std::memset(data, 1, static_cast<size_t>(mask->numel()));
  }
}

REGISTER_LITE_OP(dropout)
    .Input("X")
    .OptionalInput("Seed")
    .Output("Out")
    .OptionalOutput("Mask")
    .Attr<float>("dropout_prob", 0.5f)
    .Attr<std::string>("dropout_implementation", "downgrade_in_infer")
    .InferShape(InferDropout)
    .AsActivation(DropoutAsActivation);
REGISTER_LITE_FUNCTION(dropout, kHost, kAny, kAny, RunDropout, def);

}  // namespace
}  // namespace paddle::lite
