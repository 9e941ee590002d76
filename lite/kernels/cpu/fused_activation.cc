#include "lite/kernels/cpu/fused_activation.h"

#include <algorithm>
#include <cmath>

namespace paddle::lite {
namespace {

using math::Act;
using math::Activation;

Activation ByName(const OpLite& op, const std::string& name) {
  if (name == "relu") return {Act::kRelu};
  if (name == "relu6") return {Act::kRelu6, op.Attr<float>("fuse_brelu_threshold")};
  if (name == "leaky_relu") return {Act::kLeakyRelu, op.Attr<float>("leaky_relu_alpha")};
  if (name == "hard_swish")
    return {Act::kHardSwish, op.Attr<float>("hard_swish_threshold"),
            op.Attr<float>("hard_swish_scale"), op.Attr<float>("hard_swish_offset")};
  if (name == "hard_sigmoid")
    return {Act::kHardSigmoid, op.Attr<float>("slope"), op.Attr<float>("offset")};
  if (name == "sigmoid") return {Act::kSigmoid};
  if (name == "swish" || name == "fuse_swish") return {Act::kSwish, op.Attr<float>("swish_scale")};
  if (name == "tanh" || name == "tanh_act") return {Act::kTanh};
  if (name == "gelu") return {Act::kGelu};
  if (name == "exp" || name == "exp_act" || name == "fuse_exp") return {Act::kExp};
  if (name == "abs" || name == "abs_act" || name == "fuse_abs") return {Act::kAbs};
  throw LiteError(StrCat("attribute act_type is '", name,
                         "', expected relu, relu6, leaky_relu, hard_swish, hard_sigmoid, sigmoid, "
                         "swish, tanh, gelu, exp or abs; convert the model again"));
}

// NaN stays NaN: the bound is taken only where a comparison holds.
double Clip(double x, double low, double high) { return x < low ? low : (x > high ? high : x); }

}  // namespace

OpInfo& DeclareFusedActivation(OpInfo& info) {
  return info.Attr<bool>("with_act", false)
      .Attr<std::string>("act_type", "")
      .Attr<bool>("fuse_relu", false)
      .Attr<float>("fuse_brelu_threshold", 6.0f)
      .Attr<float>("leaky_relu_alpha", 0.02f)
      .Attr<float>("hard_swish_threshold", 6.0f)
      .Attr<float>("hard_swish_scale", 6.0f)
      .Attr<float>("hard_swish_offset", 3.0f)
      .Attr<float>("slope", 0.2f)
      .Attr<float>("offset", 0.5f)
      .Attr<float>("swish_scale", 1.0f);
}

Activation FusedActivation(const OpLite& op) {
  const auto& name = op.Attr<std::string>("act_type");
  if (op.Attr<bool>("with_act") && !name.empty()) return ByName(op, name);
  if (op.Attr<bool>("fuse_relu")) return {Act::kRelu};
  return {};
}

double Activate(double x, const Activation& act) {
  switch (act.kind) {
    case Act::kRelu:
      return x < 0 ? 0 : x;
    case Act::kRelu6:
      return Clip(x, 0, act.a);
    case Act::kLeakyRelu:
      return x < 0 ? act.a * x : x;
    case Act::kHardSwish:
      return x * Clip(x + act.c, 0, act.a) / act.b;
    case Act::kHardSigmoid:
      return Clip(act.a * x + act.b, 0, 1);
    case Act::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Act::kSwish:
      return x / (1 + std::exp(-act.a * x));
    case Act::kTanh:
      return std::tanh(x);
    case Act::kGelu:
      return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case Act::kExp:
      return std::exp(x);
    case Act::kAbs:
      return std::fabs(x);
    default:
      return x;
  }
}

}  // namespace paddle::lite
