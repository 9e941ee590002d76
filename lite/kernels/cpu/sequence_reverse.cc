#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferSequenceReverse(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  OnlyOffsets(x, "X");
  c.SetOutput("Y", x.dims, x.dtype, x.lod);
}

void RunSequenceReverse(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Offsets& offsets = OnlyOffsets(x.meta(), "X");
  const size_t row = RowBytes(x);
  const auto* from = static_cast<const char*>(x.raw_data());
  auto* to = static_cast<char*>(c.Output("Y").MutableRaw(x.dtype()));
  if (row == 0) return;
  for (size_t s = 0; s + 1 < offsets.size(); ++s)
    for (uint64_t i = offsets[s]; i < offsets[s + 1]; ++i, to += row)
      std::memcpy(to, from + (offsets[s] + offsets[s + 1] - 1 - i) * row, row);
}

}  // namespace

REGISTER_LITE_OP(sequence_reverse).Input("X").Output("Y").InferShape(InferSequenceReverse);
REGISTER_LITE_FUNCTION(sequence_reverse, kHost, kAny, kNCHW, RunSequenceReverse, def);

}  // namespace paddle::lite
