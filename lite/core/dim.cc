#include "lite/core/dim.h"

namespace paddle::lite {

int64_t DDim::Count(int first, int last) const {
  int64_t product = 1;
  bool empty = false;
  for (int i = first; i < last; ++i) {
    const int64_t dim = (*this)[i];
    if (dim < 0) throw ShapeError(StrCat("shape ", str(), " has a negative dimension"));
    if (dim == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(product, dim, &product)) {
      throw ShapeError(StrCat("shape ", str(), " has more than 2^63 elements"));
    }
  }
  return empty ? 0 : product;
}

std::string DDim::str() const {
  std::string text = "[";
  for (int i = 0; i < rank_; ++i) {
    if (i) text += ", ";
    text += std::to_string((*this)[i]);
  }
  return text + "]";
}

}  // namespace paddle::lite
