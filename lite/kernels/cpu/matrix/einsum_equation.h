// The equation of einsum, its letters and ellipses resolved to numbered labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lite/core/dim.h"

namespace paddle::lite {

struct EinsumEquation {
  std::vector<std::vector<int>> operands;  // a label for each dimension
  std::vector<int> output;
  std::vector<int64_t> sizes;  // of each label; 1 where it does not occur
};

// `text` is "ij,jk->ik": letters, at most one "..." a term, spaces anywhere; without "->" the
// output has the ellipsis and the letters that occur once, in alphabetical order. Dims of 1
// broadcast. Throws ShapeError that quotes the text.
EinsumEquation ParseEinsum(const std::string& text, const std::vector<DDim>& dims);

}  // namespace paddle::lite
