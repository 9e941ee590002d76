#include "lite/kernels/cpu/activation.h"

#include "lite/kernels/cpu/fused_activation.h"

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

}  // namespace paddle::lite
