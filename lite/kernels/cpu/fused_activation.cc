#include "lite/kernels/cpu/fused_activation.h"

#include <algorithm>

namespace paddle::lite {
namespace {

using math::Act;
using math::Activation;

struct NamedAct {
  const char* name;
  Act kind;
};
// A kind's first name is Paddle's; the others are of Paddle Lite's fused operators.
constexpr NamedAct kNames[] = {{"relu", Act::kRelu},
                               {"relu6", Act::kRelu6},
                               {"leaky_relu", Act::kLeakyRelu},
                               {"hard_swish", Act::kHardSwish},
                               {"hard_sigmoid", Act::kHardSigmoid},
                               {"sigmoid", Act::kSigmoid},
                               {"swish", Act::kSwish},
                               {"silu", Act::kSwish},
                               {"fuse_swish", Act::kSwish},
                               {"tanh", Act::kTanh},
                               {"tanh_act", Act::kTanh},
                               {"gelu", Act::kGelu},
                               {"exp", Act::kExp},
                               {"exp_act", Act::kExp},
                               {"fuse_exp", Act::kExp},
                               {"abs", Act::kAbs},
                               {"abs_act", Act::kAbs},
                               {"fuse_abs", Act::kAbs}};

bool IsAmong(Act kind, std::initializer_list<Act> kinds) {
  return kinds.size() == 0 || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

Act ActByName(const std::string& name, const char* attribute, std::initializer_list<Act> kinds) {
  if (name.empty() || name == "identity" || name == "none") return Act::kNone;
  std::string known;
  for (const NamedAct& named : kNames) {
    if (!IsAmong(named.kind, kinds)) continue;
    if (name == named.name) return named.kind;
    known += StrCat(named.name, ", ");
  }
  throw LiteError(StrCat("attribute ", attribute, " is '", name, "', expected ", known,
                         "or nothing; convert the model again"));
}

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
  if (!op.Attr<bool>("with_act") || name.empty())
    return op.Attr<bool>("fuse_relu") ? Activation{Act::kRelu} : Activation{};
  const auto parameter = [&](const char* attribute) { return op.Attr<float>(attribute); };
  const Act kind = ActByName(name, "act_type");
  switch (kind) {
    case Act::kRelu6:
      return {kind, parameter("fuse_brelu_threshold")};
    case Act::kLeakyRelu:
      return {kind, parameter("leaky_relu_alpha")};
    case Act::kHardSwish:
      return {kind, parameter("hard_swish_threshold"), parameter("hard_swish_scale"),
              parameter("hard_swish_offset")};
    case Act::kHardSigmoid:
      return {kind, parameter("slope"), parameter("offset")};
    case Act::kSwish:
      return {kind, parameter("swish_scale")};
    default:
      return {kind};
  }
}

}  // namespace paddle::lite
