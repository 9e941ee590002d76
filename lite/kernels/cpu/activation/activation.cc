#include "lite/kernels/cpu/activation/activation.h"

#include <algorithm>

#include "lite/kernels/cpu/activation/fused_activation.h"

namespace paddle::lite {
namespace {

using math::Act;

int64_t Grain(Act kind) {
  switch (kind) {
    case Act::kSigmoid:
    case Act::kSwish:
    case Act::kTanh:
    case Act::kGelu:
    case Act::kGeluTanh:
    case Act::kExp:
    case Act::kErf:
    case Act::kElu:
      return math::kElementGrain / 4;
    default:
      return math::kElementGrain;
  }
}

double Clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;  // NaN stays
}

double Sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

}  // namespace

double ApplyActivation(const math::Activation& act, double x) {
  const double a = act.a, b = act.b, c = act.c;
  switch (act.kind) {
    case Act::kNone:
      return x;
    case Act::kRelu:
      return x < 0 ? 0 : x;
    case Act::kRelu6:
      return Clamp(x, 0, a);
    case Act::kLeakyRelu:
      return x < 0 ? a * x : x;
    case Act::kHardSwish:
      return x * Clamp(x + c, 0, a) / b;
    case Act::kHardSigmoid:
      return Clamp(a * x + b, 0, 1);
    case Act::kSigmoid:
      return Sigmoid(x);
    case Act::kSwish:
      return x * Sigmoid(a * x);
    case Act::kTanh:
      return std::tanh(x);
    case Act::kGelu:
      return 0.5 * x * (1 + std::erf(x * 0.70710678118654752440));
    case Act::kGeluTanh:
      return 0.5 * x * (1 + std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
    case Act::kAbs:
      return std::fabs(x);
    case Act::kExp:
      return std::exp(x);
    case Act::kErf:
      return std::erf(x);
    case Act::kSqrt:
      return std::sqrt(x);
    case Act::kRsqrt:
      return 1 / std::sqrt(x);
    case Act::kSquare:
      return x * x;
    case Act::kReciprocal:
      return 1 / x;
    case Act::kElu:
      return x < 0 ? a * (std::exp(x) - 1) : x;
    case Act::kClip:
      return Clamp(x, a, b);
    case Act::kAffine:
      return a * x + b;
    case Act::kSteps:
      return std::nearbyint(Clamp(x / a, b, c)) * a;
  }
  return x;
}

void RunActivation(KernelContext& c, const math::Activation& activation) {
  if (c.Input("X").dtype() == DataType::kFP64)
    return ApplyUnary<double, double>(c, [&](double x) { return ApplyActivation(activation, x); });
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  const auto* from = x.data<float>();
  auto* to = out.mutable_data<float>();
  math::EpilogueStep step;
  step.act = activation;
  math::ParallelRange(
      c.threads(), x.numel(), Grain(activation.kind),
      [&](int64_t begin, int64_t end) {
        const int64_t count = end - begin;
        math::RunSteps(1, count, from + begin, count, to + begin, count, &step, 1, 0);
      },
      16);
}

math::Activation ActivationByName(const std::string& name, const char* attribute, float alpha) {
  const Act kind = ActByName(name, attribute);
  switch (kind) {
    case Act::kRelu6:
      return {kind, 6.0f};
    case Act::kLeakyRelu:
      return {kind, alpha};
    case Act::kHardSwish:
      return {kind, 6.0f, 6.0f, 3.0f};
    case Act::kHardSigmoid:
      return {kind, 0.2f, 0.5f};
    case Act::kSwish:
      return {kind, 1.0f};
    default:
      return {kind};
  }
}

math::Activation NamedActivation(const OpLite& op) {
  return ActivationByName(op.Attr<std::string>("act_type"), "act_type", op.Attr<float>("alpha"));
}

void InferBinaryActivation(InferContext& c) {
  RequireFloat(c, "X");
  NamedActivation(c.op());
  InferBinary(c);
}

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
