#include "lite/kernels/cpu/elementwise/byte_table.h"

#include <algorithm>
#include <array>
#include <vector>

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/quantised/int8.h"

namespace paddle::lite {

namespace {

constexpr int64_t kCount = 256;  // bytes that there are

// What the steps make of each byte's number.
void Evaluate(const std::vector<FusedStep>& fused, const float* x, float* out) {
  std::vector<math::EpilogueStep> steps;
  std::vector<std::array<float, kCount>> operands(fused.size());
  for (size_t i = 0; i < fused.size(); ++i) {
    math::EpilogueStep step = fused[i].step;
    // Each byte has an operand of its own, whatever the strides in the tensor; or all one number.
    const bool of_input = !fused[i].of_input.empty();
    step.image_stride = step.row_stride = 0;
    step.col_stride = of_input || fused[i].bytes ? 1 : 0;
    if (of_input) {
      Evaluate(fused[i].of_input, x, operands[i].data());
      step.data = operands[i].data();
    } else if (fused[i].operand != nullptr) {
      step.data = fused[i].bytes ? x : fused[i].operand->data<float>();
    }
    steps.push_back(step);
  }
  math::Epilogue epilogue;
  epilogue.steps = steps.data();
  epilogue.step_count = static_cast<int>(steps.size());
  math::RunEpilogue(1, kCount, x, kCount, out, kCount, epilogue, 0, 0);
}

}  // namespace

void ElementwiseOfBytes::PrepareForRun(KernelContext& c) {
  Evaluate(c.fused(), NumbersOfBytes(*c.input_bytes()).data(), reals_);
  if (c.output_bytes() != nullptr)
    math::RoundToBytes(reals_, kCount, Int8InputOf(*c.output_bytes()).rounding, bytes_);
  else
    FindGrid(c.fused());
}

// Reals that were rounded at last are bytes by a table, which become reals in vectors.
void ElementwiseOfBytes::FindGrid(const std::vector<FusedStep>& steps) {
  const std::optional<Int8Form> form = Int8FormOf(steps.back().step);
  if (!form) return;
  math::RoundToBytes(reals_, kCount, Int8InputOf(*form).rounding, bytes_);
  const std::array<float, kCount> numbers = NumbersOfBytes(*form);
  for (int64_t i = 0; i < kCount; ++i)
    if (numbers[bytes_[i]] != reals_[i]) return;
  scale_ = form->scale;
  zero_ = form->zero_byte;
}

void ElementwiseOfBytes::RunToReals(const uint8_t* from, int64_t count, float* to) const {
  constexpr int64_t kPart = 1024;
  if (scale_ == 0) {
    for (int64_t i = 0; i < count; ++i) to[i] = reals_[from[i]];
    return;
  }
  uint8_t part[kPart];
  for (int64_t i = 0; i < count; i += kPart) {
    const int64_t n = std::min(kPart, count - i);
    math::MapBytes(from + i, n, bytes_, part);
    math::RealsOfBytes(part, n, scale_, zero_, to + i);
  }
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
  if (out.pixel_stride() == 0)
    return math::ParallelRange(
        c.threads(), x.numel(), math::kElementGrain,
        [&](int64_t begin, int64_t end) { RunToReals(from + begin, end - begin, to + begin); });
  // The pixels of a slice.
  const int64_t channels = x.dims()[1], stride = out.pixel_stride();
  math::ParallelRange(c.threads(), x.numel() / channels, math::kElementGrain / channels + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i)
                          RunToReals(from + i * channels, channels, to + i * stride);
                      });
}

}  // namespace paddle::lite
