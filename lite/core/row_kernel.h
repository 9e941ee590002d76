// RowKernel: kernels that can compute some rows of an image at a time, so that the next kernel
// finds them in the cache.
#pragma once

#include <cstdint>
#include <memory>

#include "lite/core/kernel.h"

namespace paddle::lite {

// Row y of the output comes from the `span` rows of the first input from y * stride - before on;
// those outside of it are padding.
struct RowWindow {
  int64_t stride = 1, before = 0, span = 1;
};

// Rows [begin, end) of an image of the output, and where they and the input's rows are.
struct RowPart {
  int64_t image = 0, begin = 0, end = 0;
  const float* input = nullptr;  // row i of the image lies at i % input_rows; null: in the tensor
  int64_t input_rows = 0;
  float* output = nullptr;  // of row `begin`; null: in the tensor
};

// One run of such a kernel; parts may be computed on several threads at once.
class RowRun {
 public:
  virtual ~RowRun() = default;
  virtual void Compute(const RowPart& part) const = 0;
};

// What such kernels are besides KernelBase. A row is the same bits in whatever part it is computed.
class RowKernel {
 public:
  virtual ~RowKernel() = default;
  // After PrepareForRun. False where these shapes and weights are computed whole; `parts`: where
  // the input itself comes in parts.
  virtual bool ComputesRows(const KernelContext& context, bool parts) const = 0;
  virtual RowWindow Window() const = 0;
  // The context must stay as it is until the run is over.
  virtual std::unique_ptr<RowRun> StartRows(KernelContext& context) const = 0;
};

}  // namespace paddle::lite
