#pragma once

#include <array>
#include <vector>

#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/int8.h"

namespace paddle::lite {

// KernelTraits::keeps_bytes of concat: along channels.
bool JoinKeepsBytes(const OpLite& op, const MetaOfSlot& meta);

// concat along the channels of pixels, to bytes; parts in bytes of other scales are rounded again.
class JoinBytes : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override;
  void Run(KernelContext& c) override;

 private:
  math::Int8Rounding rounding_;
  std::vector<std::array<uint8_t, 256>> tables_;  // of the parts that are bytes
};

}  // namespace paddle::lite
