// Boxes as four numbers move a prior box to them: what networks say of anchors and proposals.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace paddle::lite {

// The place and size of a box of two corners. `pixel` is 1 where a box of equal corners is one
// pixel wide, else 0.
template <typename T>
struct Center {
  T x, y, width, height;

  Center(const T* box, T pixel) : width(box[2] - box[0] + pixel), height(box[3] - box[1] + pixel) {
    x = box[0] + width / 2;
    y = box[1] + height / 2;
  }
};

// The corners of `prior` moved by target's four numbers, each times its variance; `limit` bounds
// the logarithms by which it grows.
template <typename T>
void DecodeBox(const T* target, const Center<T>& prior, T pixel, const T* variance, T* out,
               T limit = std::numeric_limits<T>::infinity()) {
  const T x = variance[0] * target[0] * prior.width + prior.x;
  const T y = variance[1] * target[1] * prior.height + prior.y;
  const T width = std::exp(std::min(variance[2] * target[2], limit)) * prior.width;
  const T height = std::exp(std::min(variance[3] * target[3], limit)) * prior.height;
  out[0] = x - width / 2;
  out[1] = y - height / 2;
  out[2] = x + width / 2 - pixel;
  out[3] = y + height / 2 - pixel;
}

}  // namespace paddle::lite
