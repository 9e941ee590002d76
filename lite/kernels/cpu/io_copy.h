// io_copy and io_copy_once: a copy between devices elsewhere; here every CPU target shares its
// memory, so a plain copy.
#pragma once

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

// Input -> Out in the input's layout.
void IoCopy(KernelContext& c);

}  // namespace paddle::lite
