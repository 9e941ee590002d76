#include "lite/kernels/cpu/shape/join_bytes.h"

#include <cstring>

#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/quantised/int8.h"
#include "lite/kernels/cpu/shape/nhwc.h"

namespace paddle::lite {

namespace {

// A part whose bytes stand for what those of the result do.
bool IsCopied(const KernelContext& c, size_t i) {
  return c.input_bytes(i) != nullptr && *c.input_bytes(i) == *c.output_bytes();
}

}  // namespace

bool JoinKeepsBytes(const OpLite& op, const MetaOfSlot& meta) {
  const int32_t axis = op.Attr<int32_t>("axis");
  return meta("AxisTensor") == nullptr && (axis == 1 || axis == -3);
}

void JoinBytes::PrepareForRun(KernelContext& c) {
  if (c.output_bytes() == nullptr) return;
  rounding_ = Int8InputOf(*c.output_bytes()).rounding;
  tables_.resize(c.InputCount("X"));
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (c.input_bytes(i) == nullptr || IsCopied(c, i)) continue;
    math::RoundToBytes(NumbersOfBytes(*c.input_bytes(i)).data(), 256, rounding_, tables_[i].data());
  }
}

void JoinBytes::Run(KernelContext& c) {
  Tensor& out = c.Output("Out");
  auto* to = out.mutable_data<uint8_t>();
  const int64_t all = out.dims()[1];
  if (out.numel() == 0) return;
  for (size_t i = 0; i < tables_.size(); ++i) {
    const Tensor& x = c.Input("X", i);
    const int64_t channels = x.dims()[1];
    const bool bytes = c.input_bytes(i) != nullptr, copied = IsCopied(c, i);
    const auto* from = bytes ? x.data<uint8_t>() : nullptr;
    const NhwcInput reals = bytes ? NhwcInput() : NhwcInput(x);
    const int64_t stride = bytes ? channels : PixelStride(x);
    math::ParallelRange(
        c.threads(), out.numel() / all, math::kElementGrain / (channels + 1) + 1,
        [&](int64_t begin, int64_t end) {
          for (int64_t p = begin; p < end; ++p)
            if (copied)
              std::memcpy(to + p * all, from + p * channels, static_cast<size_t>(channels));
            else if (bytes)
              math::MapBytes(from + p * channels, channels, tables_[i].data(), to + p * all);
            else
              math::RoundToBytes(reals.data() + p * stride, channels, rounding_, to + p * all);
        });
    to += channels;
  }
}

}  // namespace paddle::lite
