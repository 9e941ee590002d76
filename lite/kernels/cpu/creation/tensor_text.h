// Tensors as text, for what a model prints.
#pragma once

#include <string>

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

// "[1, 2, 3]"; of more than `most` elements (-1: any number) the first ones and "...".
std::string ElementsText(const Tensor& tensor, int64_t most);
// "float32 [2, 3] [1, 2, ...]".
std::string TensorText(const Tensor& tensor, int64_t most);

}  // namespace paddle::lite
