// What the normalisation operators share.
#pragma once

#include <cmath>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/epilogue.h"

namespace paddle::lite {

inline void RequireFloating(const InferContext& c, const char* slot) {
  const DataType dtype = c.Input(slot).dtype;
  if (dtype != DataType::kFP32 && dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("input ", slot, " is ", Name(dtype), ", expected float32 or float64"));
}

// Where the input is present it has `count` elements of X's type.
inline void RequireElements(const InferContext& c, const char* slot, int64_t count) {
  if (!c.HasInput(slot)) return;
  const TensorMeta& input = c.Input(slot);
  c.Require(input.dims.production() == count, "input ", slot, " has shape ", input.dims,
            ", expected ", count, " elements for X of shape ", c.Dims("X"));
  if (input.dtype != c.Input("X").dtype)
    throw DataTypeError(StrCat("input ", slot, " is ", Name(input.dtype), ", expected ",
                               Name(c.Input("X").dtype), " like X"));
}

inline void RequireEpsilon(const InferContext& c) {
  const float epsilon = c.Attr<float>("epsilon");
  c.Require(std::isfinite(epsilon) && epsilon >= 0, "attribute epsilon is ", epsilon,
            ", expected a finite number that is not negative");
}

template <typename T>
const T* DataOrNull(const KernelContext& c, const char* slot) {
  const Tensor* tensor = c.InputOrNull(slot);
  return tensor == nullptr ? nullptr : tensor->data<T>();
}

template <typename T>
T* OutputOrNull(const KernelContext& c, const char* slot) {
  Tensor* tensor = c.OutputOrNull(slot);
  return tensor == nullptr ? nullptr : tensor->mutable_data<T>();
}

// X as images of channels x pixels.
struct Images {
  int64_t n = 0, c = 0, hw = 0;
  bool channels_last = false;  // memory order n, hw, c
  int64_t rows = 1;            // memory order n, rows, c, hw / rows

  int64_t count() const { return n * c * hw; }
};

// `data_layout` is the attribute of that name: NHWC says that X's last dim is C; `layout` is the
// tensor's memory order. Throws ShapeError for ranks outside `min_rank` to 5.
Images ImagesOf(const DDim& dims, DataLayoutType layout, const std::string& data_layout,
                int min_rank);

// y = (x - center) * a + b per channel of an image; the vectors advance by image_stride from image
// to image (0: shared). center and b may be null.
void AffineChannels(const Images& images, const float* x, float* y, const float* center,
                    const float* a, const float* b, int64_t image_stride, int threads);

// instance_norm and group_norm: every group of channels of every image is normalised on its own.
// The outputs named get the groups' means and variances (or 1 / sqrt(variance + epsilon)).
void RunGroupNorm(KernelContext& c, const Images& images, int64_t groups, const char* mean_slot,
                  const char* variance_slot, bool inverse_deviation);

}  // namespace paddle::lite
