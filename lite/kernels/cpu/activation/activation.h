// Activations as operators X -> Out.
#pragma once

#include <string>

#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/epilogue.h"

namespace paddle::lite {

// Out = activation(X) for fp32 and fp64, in X's memory order; Out may share X's memory.
void RunActivation(KernelContext& c, const math::Activation& activation);

// The definition, in double precision.
double ApplyActivation(const math::Activation& activation, double x);

// The activation that the value `name` of an attribute stands for, with its usual parameters;
// `alpha` is that of leaky_relu. Throws as ActByName.
math::Activation ActivationByName(const std::string& name, const char* attribute, float alpha);
// That of an operator's attributes act_type and alpha.
math::Activation NamedActivation(const OpLite& op);

// X, Y -> Out of an elementwise operator on fp32 with such an activation.
void InferBinaryActivation(InferContext& c);

}  // namespace paddle::lite
