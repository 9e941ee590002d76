#pragma once

#include <vector>

#include "lite/core/kernel.h"

namespace paddle::lite {

// A run of elementwise operators over bytes that stand for reals: what becomes of each of the 256
// is computed once.
class ElementwiseOfBytes : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override;
  void Run(KernelContext& c) override;

 private:
  void FindGrid(const std::vector<FusedStep>& steps);
  void RunToReals(const uint8_t* from, int64_t count, float* to) const;

  float reals_[256];
  uint8_t bytes_[256];  // where the output is in bytes, or on a grid
  float scale_ = 0;     // of the grid that all reals are on: scale * (byte - zero); 0: on none
  int zero_ = 0;
};

}  // namespace paddle::lite
