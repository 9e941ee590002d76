#pragma once

#include <memory>

#include "lite/core/kernel.h"

namespace paddle::lite {

// One kernel with what it works on.
struct Instruction {
  std::unique_ptr<KernelBase> kernel;
  KernelContext context;
  OpLite op;
  const KernelInfo* info;
  int node;  // of the draft
};

}  // namespace paddle::lite
