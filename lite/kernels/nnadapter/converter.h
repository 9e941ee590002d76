// Converter: how an operator is converted that a rule cannot say; they register by name. And the
// operations that several of them add: broadcasting by axis, fused activations, biases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lite/kernels/nnadapter/conversion.h"

namespace paddle::lite::nnadapter_bridge {

// A hand-written converter; the rule's conditions hold when it runs.
using Converter = void (*)(Conversion&);
bool RegisterConverter(const char* name, Converter converter);
// Null where there is none.
Converter FindConverter(std::string_view name);

// Paddle's elementwise broadcasting with `axis` as numpy's: the operand of the smaller rank with
// dimensions of 1 around its own, as drivers expect it: a parameter under that shape, or an
// UNSQUEEZE.
Operand* AlignRank(Conversion& c, Operand* operand, Operand* other, int64_t axis);

// NNADAPTER_FUSED_* of an activation that a fuse code can say; -1 for others.
int FuseCodeOf(const std::string& activation, double clip);

// An activation by its name in Paddle Lite's fused operators, as operations of its own. `a`, `b`
// and `d` are its parameters as math::Activation has them. Throws NotOffloadable for an unknown
// one.
Operand* Activate(Conversion& c, Operand* x, const std::string& name, double a, double b, double d);

// A bias of shape [count] for a product of input and weights: `bias`, zeros where it is null, int32
// of scale input * weights where they are quantised.
Operand* BiasFor(Conversion& c, Operand* input, Operand* weights, Operand* bias, int64_t count);

// A tensor under another shape that follows from its own: a constant list.
Operand* Reshape(Conversion& c, Operand* operand, const std::vector<int64_t>& shape);

}  // namespace paddle::lite::nnadapter_bridge

#define REGISTER_NNADAPTER_CONVERTER(name, function)               \
  [[maybe_unused]] static const bool name##_converter_registered = \
      ::paddle::lite::nnadapter_bridge::RegisterConverter(#name, function)
