// The activation that Paddle Lite's optimizer folds into convolutions (with_act, act_type, ...).
#pragma once

#include <string>

#include "lite/core/op_lite.h"
#include "lite/core/op_registry.h"
#include "lite/kernels/cpu/math/epilogue.h"

namespace paddle::lite {

// Declares with_act, act_type, fuse_relu and the parameters of every activation.
OpInfo& DeclareFusedActivation(OpInfo& info);

// The activation that the attributes ask for; throws LiteError for an unknown act_type.
math::Activation FusedActivation(const OpLite& op);

// One element through the activation, for reference kernels.
double Activate(double x, const math::Activation& activation);

}  // namespace paddle::lite
