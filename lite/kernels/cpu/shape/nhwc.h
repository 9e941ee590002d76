// What kernels that work in NHWC memory share.
#pragma once

#include <vector>

#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/packing.h"

namespace paddle::lite {

// Floats between the pixels of an NHWC tensor.
inline int64_t PixelStride(const Tensor& tensor) {
  return tensor.pixel_stride() != 0 ? tensor.pixel_stride() : tensor.dims()[1];
}

// A 4-D fp32 tensor's elements in NHWC order: its own memory, or a copy where that is row-major.
class NhwcInput {
 public:
  NhwcInput() = default;
  explicit NhwcInput(const Tensor& tensor);
  const float* data() const { return data_; }

 private:
  const float* data_ = nullptr;
  math::AlignedFloats copy_;
};

// True where a 4-D tensor's elements stand in NCHW order and that differs from NHWC.
bool IsRowMajorImage(const Tensor& tensor);

// The epilogue of a kernel: bias, residual (like the output, in its memory order), activation and
// the steps that the plan folded in; the rounding to bytes where the plan keeps the output so.
class KernelEpilogue {
 public:
  KernelEpilogue(const KernelContext& c, const float* bias, const math::Activation& act,
                 const float* residual = nullptr);
  KernelEpilogue(const KernelEpilogue&) = delete;
  const math::Epilogue& get() const { return epilogue_; }
  bool empty() const;

 private:
  std::vector<math::EpilogueStep> steps_;
  math::Int8Rounding rounding_;
  math::Epilogue epilogue_;
};

}  // namespace paddle::lite
