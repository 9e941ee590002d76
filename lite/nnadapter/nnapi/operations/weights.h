// Weights and biases of convolutions and products of matrices.
#pragma once

#include <vector>

#include "lite/nnadapter/nnapi/translate.h"

namespace nnadapter::nnapi {

struct Weighted {
  Value input, weights, bias;
};

// Inputs 1 (its axes in `order`) and 2 beside `input`. Quantised ones stay so where weights and
// bias are constants; otherwise all three are FLOAT32, and so is the result.
Weighted WeightedInputs(Translation& t, Value input, const Shape& order);

}  // namespace nnadapter::nnapi
