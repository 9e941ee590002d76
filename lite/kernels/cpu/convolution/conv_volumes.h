// Convolutions of three axes, fp32, over packed weights: for each tap along the depth a convolution
// of two axes over all slices that the tap meets, added up in memory.
#pragma once

#include <memory>

#include "lite/core/kernel.h"
#include "lite/core/run_recorder.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/pooling/window.h"

namespace paddle::lite {

struct VolumeWeights;
struct VolumeTransposeWeights;

// conv3d; what is no plain case runs as the reference does.
class ConvVolumes : public KernelBase, public ExplainsChoice {
 public:
  void PrepareForRun(KernelContext& c) override;
  void Run(KernelContext& c) override;
  KernelChoice Choice(const KernelContext& c) const override;

 private:
  math::ConvShape shape_;  // of a slice
  bool plain_ = false;
  std::shared_ptr<const VolumeWeights> weights_;
};

// conv3d_transpose.
class ConvTransposeVolumes : public KernelBase, public ExplainsChoice {
 public:
  void PrepareForRun(KernelContext& c) override;
  void Run(KernelContext& c) override;
  KernelChoice Choice(const KernelContext& c) const override;

 private:
  math::ConvShape shape_;
  bool plain_ = false;
  std::shared_ptr<const VolumeTransposeWeights> weights_;
};

}  // namespace paddle::lite
