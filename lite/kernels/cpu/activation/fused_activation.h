// Activations that attributes name, and the one that Paddle Lite's optimizer folds into
// convolutions (with_act, act_type, ...).
#pragma once

#include <initializer_list>
#include <string>

#include "lite/core/op_lite.h"
#include "lite/core/op_registry.h"
#include "lite/kernels/cpu/math/epilogue.h"

namespace paddle::lite {

// The kind that the value `name` of an attribute stands for; "", identity and none are kNone.
// Throws LiteError that lists the names where it is unknown, or of a kind that is not among `kinds`
// (none given: any will do).
math::Act ActByName(const std::string& name, const char* attribute,
                    std::initializer_list<math::Act> kinds = {});

// Declares with_act, act_type, fuse_relu and the parameters of every activation.
OpInfo& DeclareFusedActivation(OpInfo& info);

// The activation that the attributes ask for; throws LiteError for an unknown act_type.
math::Activation FusedActivation(const OpLite& op);

}  // namespace paddle::lite
