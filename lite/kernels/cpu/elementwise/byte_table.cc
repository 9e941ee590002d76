#include "lite/kernels/cpu/elementwise/byte_table.h"

#include <algorithm>

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/quantised/int8.h"

namespace paddle::lite {

void ElementwiseOfBytes::PrepareForRun(KernelContext& c) {
  constexpr int64_t kCount = 256;
  const Int8Form& form = *c.input_bytes();
  float x[kCount];
  for (int i = 0; i < kCount; ++i) x[i] = static_cast<float>(i - form.ByteOfZero()) * form.scale;
  std::vector<math::EpilogueStep> steps;
  for (const FusedStep& fused : c.fused()) {
    math::EpilogueStep step = fused.step;
    step.image_stride = step.row_stride = 0;
    if (fused.operand != nullptr)  // the bytes themselves, or a number
      step.data = fused.bytes ? x : fused.operand->data<float>();
    steps.push_back(step);
  }
  math::Epilogue epilogue;
  epilogue.steps = steps.data();
  epilogue.step_count = static_cast<int>(steps.size());
  math::RunEpilogue(1, kCount, x, kCount, reals_, kCount, epilogue, 0, 0);
  if (c.output_bytes() == nullptr) return;
  const math::Int8Rounding rounding = Int8InputOf(*c.output_bytes()).rounding;
  float rounded[kCount];
  math::RoundReals(reals_, kCount, rounding, 1, 0, rounded);
  for (int i = 0; i < kCount; ++i)  // NaN, which no rounding has, is some byte
    bytes_[i] = rounded[i] == rounded[i]
                    ? static_cast<uint8_t>(static_cast<int>(rounded[i]) + rounding.zero)
                    : 0;
}

void ElementwiseOfBytes::Run(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  const auto* from = x.data<uint8_t>();
  if (c.output_bytes() != nullptr) {
    auto* to = out.mutable_data<uint8_t>();
    return math::ParallelRange(c.threads(), x.numel(), 4 * math::kElementGrain,
                               [&](int64_t begin, int64_t end) {
                                 math::MapBytes(from + begin, end - begin, bytes_, to + begin);
                               });
  }
  auto* to = out.mutable_data<float>();
  if (x.numel() == 0) return;
  // Pixels of a slice, or all elements.
  const int64_t channels = out.pixel_stride() != 0 ? x.dims()[1] : 1;
  const int64_t stride = out.pixel_stride() != 0 ? out.pixel_stride() : 1;
  math::ParallelRange(c.threads(), x.numel() / channels, math::kElementGrain / channels + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i)
                          for (int64_t j = 0; j < channels; ++j)
                            to[i * stride + j] = reals_[from[i * channels + j]];
                      });
}

}  // namespace paddle::lite
