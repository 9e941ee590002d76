// Windows over images as NNAPI's operands give them: paddings are given, or follow from a scheme.
#pragma once

#include <utility>
#include <vector>

#include "lite/nnadapter/nnapi/translate.h"

namespace nnadapter::nnapi {

class Window {
 public:
  // Reads paddings and strides from input `first` on. `implicit`: how many INT32 scalars there are
  // up to the first BOOL where the paddings follow from a scheme; else there are three more.
  Window(Translation& t, size_t first, size_t implicit);

  // The input behind the strides.
  size_t next() const { return next_; }
  int32_t stride(size_t axis) const { return strides_[axis]; }
  // [top, bottom, left, right] for images [.., H, W] and windows of `size`, elements between taps
  // counted.
  Shape Pads(const Shape& image, const Shape& size) const;
  // [height, width]
  Shape strides() const { return strides_; }

 private:
  size_t next_;
  int32_t scheme_ = 0;
  Shape pads_, strides_;
};

// The numbers of an operand that says NCHW and of the dilations behind it, if they are given.
bool IsChannelsFirst(Translation& t, size_t i);
Shape DilationsAt(Translation& t, size_t i);

}  // namespace nnadapter::nnapi
