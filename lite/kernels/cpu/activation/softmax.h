// softmax and log_softmax: X -> Out along `axis`.
#pragma once

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

void InferSoftmax(InferContext& c);
void RunSoftmax(KernelContext& c, bool log);

}  // namespace paddle::lite
