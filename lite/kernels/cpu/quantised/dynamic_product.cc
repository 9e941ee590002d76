#include "lite/kernels/cpu/quantised/dynamic_product.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/quantised/int8.h"

namespace paddle::lite {

void DynamicProduct::Run(int threads, int64_t rows, const float* x, float* c, int64_t ldc,
                         const math::Epilogue& epilogue) const {
  if (rows == 0) return;
  const int64_t k = weights.ic, n = weights.oc;
  const Int8Form form = FormOfContents(x, rows * k, threads);
  const Int8Input input = Int8InputOf(form);
  const math::Int8Scaling scaling = math::ScaleInt8(weights, input.rounding, input.step, scales);
  if (zeros == nullptr)
    return math::GemmInt8(threads, rows, {x}, k, weights, scaling, c, ldc, epilogue);
  std::vector<uint8_t> bytes(static_cast<size_t>(rows * k));
  std::vector<float> factors(static_cast<size_t>(n)), less(static_cast<size_t>(rows * n));
  for (int64_t j = 0; j < n; ++j)
    factors[static_cast<size_t>(j)] = -zeros[j] * (input.step * scales[j]);
  const auto round = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      uint8_t* const row = bytes.data() + i * k;
      math::RoundToBytes(x + i * k, k, input.rounding, row);
      const auto sum = static_cast<float>(std::accumulate(row, row + k, -k * form.zero_byte));
      std::transform(factors.begin(), factors.end(), less.begin() + i * n,
                     [&](float factor) { return sum * factor; });
    }
  };
  math::ParallelRange(threads, rows, std::max<int64_t>(1, math::kElementGrain / (k + n)), round);
  math::EpilogueStep add, act;
  add.op = math::EpilogueStep::kAdd;
  add.data = less.data();
  add.row_stride = n;
  add.col_stride = 1;
  act.act = epilogue.act;
  std::vector<math::EpilogueStep> steps{add, act};
  if (act.act.kind == math::Act::kNone) steps.pop_back();
  steps.insert(steps.end(), epilogue.steps, epilogue.steps + epilogue.step_count);
  math::Epilogue whole = epilogue;
  whole.act = {};
  whole.steps = steps.data();
  whole.step_count = static_cast<int>(steps.size());
  math::RoundedInput a;
  a.bytes = bytes.data();
  math::GemmInt8(threads, rows, a, k, weights, scaling, c, ldc, whole);
}

}  // namespace paddle::lite
