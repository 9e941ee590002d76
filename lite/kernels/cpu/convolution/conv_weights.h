// The weights of a convolution of two axes, in the form that suits its sizes and this CPU.
#pragma once

#include <vector>

#include "lite/core/kernel.h"
#include "lite/core/op_lite.h"
#include "lite/core/tensor.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/halves.h"
#include "lite/kernels/cpu/math/winograd.h"

namespace paddle::lite {

struct ConvWeights {
  math::PackedConv dense;
  math::PackedDepthwise depthwise;
  math::PackedWinograd winograd;  // without data where `dense` is in integers
  math::PackedHalves halves;
  bool in_halves = false;  // the rest is empty then
};

// A weight's elements in their row-major order.
template <typename T = float>
class RowMajorWeight {
 public:
  explicit RowMajorWeight(const Tensor& w) : data_(w.data<T>()) {
    if (w.layout() != DataLayoutType::kNHWC) return;
    const DDim& d = w.dims();
    const int64_t pixels = d[2] * d[3];
    copy_.resize(static_cast<size_t>(w.numel()));
    const T* from = data_;
    for (int64_t n = 0; n < d[0]; ++n)
      for (int64_t p = 0; p < pixels; ++p)
        for (int64_t i = 0; i < d[1]; ++i)
          copy_[static_cast<size_t>((n * d[1] + i) * pixels + p)] = *from++;
    data_ = copy_.data();
  }
  const T* data() const { return data_; }

 private:
  std::vector<T> copy_;
  const T* data_;
};

// A convolution's or transposed convolution's last two axes and its batch: of images, or of a
// volume's slices.
math::ConvShape ShapeOfImages(const KernelContext& c);

// Whether each channel has a filter of its own.
bool IsDepthwise(const DDim& filter, int64_t groups);

// Whether only one row of the kernel meets the image, which is not worth Winograd's.
bool HasOneRow(const math::ConvShape& shape);

// Whether an image of this size is convolved by Winograd's.
bool UsesWinograd(const math::ConvShape& shape, const ConvWeights& weights);

// Of a filter [oc, ic / groups, kh, kw]. `constant`: in any form; else as the convolution itself
// reads them. Weights that are integers stay so, but for those of groups, which are small, and
// those that are rounded to halves.
ConvWeights PackConvWeights(const OpLite& op, const Tensor& filter, const math::ConvShape& shape,
                            bool constant, int threads);
// The same of reals.
ConvWeights PackConvFloats(const Tensor& filter, const math::ConvShape& shape, bool constant,
                           int threads);

// y[n][oh][ow][oc] = epilogue(convolution of x[n][ih][iw][ic]); no padding is negative.
void RunConv(int threads, const math::ConvShape& shape, const float* x, const ConvWeights& weights,
             const math::Epilogue& epilogue, float* y);

}  // namespace paddle::lite
