#include "lite/core/int8_form.h"

namespace paddle::lite {

std::optional<Int8Form> Int8FormOf(const math::EpilogueStep& step) {
  const math::Activation& act = step.act;
  if (step.op != math::EpilogueStep::kAct || act.kind != math::Act::kSteps) return {};
  if (act.c - act.b != 255 || act.b > 0 || act.c < 0) return {};
  Int8Form form;
  form.scale = act.a;
  form.zero_byte = static_cast<int32_t>(-act.b);
  return form;
}

Int8Form Int8FormOf(const OpLite& op) {
  return {op.Attr<float>("int8_scale"), op.Attr<float>("int8_threshold"),
          op.Attr<int>("int8_round_type"), op.Attr<int>("int8_zero_byte")};
}

}  // namespace paddle::lite
