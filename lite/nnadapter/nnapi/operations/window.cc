#include "lite/nnadapter/nnapi/operations/window.h"

#include <algorithm>

namespace nnadapter::nnapi {
namespace {

bool HasGivenPads(const Translation& t, size_t first, size_t implicit) {
  size_t count = 0;
  while (first + count < t.inputs() && t.Type(first + count).code == ANEURALNETWORKS_INT32) ++count;
  return count >= implicit + 3;
}

}  // namespace

Window::Window(Translation& t, size_t first, size_t implicit) : next_(first) {
  if (HasGivenPads(t, first, implicit)) {
    pads_ = {t.Int(first + 2), t.Int(first + 3), t.Int(first), t.Int(first + 1)};
    next_ += 4;
  } else {
    scheme_ = t.Int(first);
    next_ += 1;
  }
  strides_ = {t.Int(next_ + 1), t.Int(next_)};
  next_ += 2;
  for (const int32_t stride : strides_)
    if (stride < 1) Translation::Refuse("a stride is less than 1");
}

Shape Window::Pads(const Shape& image, const Shape& size) const {
  if (!pads_.empty()) return pads_;
  if (scheme_ != ANEURALNETWORKS_PADDING_SAME) return {0, 0, 0, 0};
  Shape pads;
  for (size_t axis = 0; axis < 2; ++axis) {
    const int32_t length = image[axis + 2], stride = strides_[axis];
    const int32_t windows = (length + stride - 1) / stride;
    const int32_t total = std::max((windows - 1) * stride + size[axis] - length, 0);
    pads.push_back(total / 2);
    pads.push_back(total - total / 2);
  }
  return pads;
}

bool IsChannelsFirst(Translation& t, size_t i) { return t.Has(i) && t.Bool(i); }

Shape DilationsAt(Translation& t, size_t i) {
  if (!t.Has(i)) return {1, 1};
  return {t.Int(i + 1), t.Int(i)};
}

}  // namespace nnadapter::nnapi
