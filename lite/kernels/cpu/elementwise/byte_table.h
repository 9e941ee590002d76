#pragma once

#include "lite/core/kernel.h"

namespace paddle::lite {

// A run of elementwise operators over bytes that stand for reals: what becomes of each of the 256
// is computed once.
class ElementwiseOfBytes : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override;
  void Run(KernelContext& c) override;

 private:
  float reals_[256];
  uint8_t bytes_[256];  // where the output is in bytes, too
};

}  // namespace paddle::lite
