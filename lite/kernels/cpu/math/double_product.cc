#include "lite/kernels/cpu/math/double_product.h"

#include <algorithm>

#include "lite/core/base/thread_pool.h"

namespace paddle::lite::math {

void MultiplyDoubles(const DoubleProduct& product) {
  const DoubleTable& table = LITE_ISA_PICK(kDoubleTable);
  const auto floats = static_cast<size_t>(std::max<int64_t>(product.k, 1) * table.panel);
  table.multiply(product, static_cast<double*>(ThreadScratch(floats * sizeof(double))));
}

}  // namespace paddle::lite::math
