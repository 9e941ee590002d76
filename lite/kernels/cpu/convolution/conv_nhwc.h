// Convolutions in NHWC memory, fp32, over packed weights.
#pragma once

#include <memory>

#include "lite/core/kernel.h"
#include "lite/core/row_kernel.h"
#include "lite/core/run_recorder.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/int8.h"

namespace paddle::lite {

struct ConvWeights;
struct ConvTransposeWeights;

// A convolution of integers, or of a filter for each channel: KernelTraits::keeps_bytes.
bool ConvKeepsBytes(const OpLite& op, const MetaOfSlot& meta);

// conv2d and depthwise_conv2d. Input may be row-major, Filter in int8.
class ConvNhwc : public KernelBase, public ExplainsChoice, public RowKernel {
 public:
  void PrepareForRun(KernelContext& c) override;
  void Run(KernelContext& c) override;
  KernelChoice Choice(const KernelContext& c) const override;
  bool ComputesRows(const KernelContext& c, bool parts) const override;
  RowWindow Window() const override;
  std::unique_ptr<RowRun> StartRows(KernelContext& c) const override;

 private:
  void RunInt8(KernelContext& c);
  void RunDepthwiseOfBytes(KernelContext& c, const math::PackedDepthwise& weights);

  math::ConvShape shape_;
  math::Activation activation_;
  bool depthwise_ = false;
  std::shared_ptr<const ConvWeights> weights_;  // null where Filter is not constant
  std::shared_ptr<const math::PackedInt8> int8_weights_;
  math::Int8Scaling int8_scaling_;
};

// conv2d_transpose and depthwise_conv2d_transpose.
class ConvTransposeNhwc : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override;
  void Run(KernelContext& c) override;

 private:
  math::ConvShape shape_;
  math::Activation activation_;
  std::shared_ptr<const ConvTransposeWeights> weights_;
};

}  // namespace paddle::lite
