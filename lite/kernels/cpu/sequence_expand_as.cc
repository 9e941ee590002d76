#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferSequenceExpandAs(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  const Offsets& offsets = OnlyOffsets(y, "Y");
  c.Require(!x.dims.empty() && x.dims[0] == SequenceCount(offsets), "input X has shape ", x.dims,
            ", expected one row for each of the ", SequenceCount(offsets), " sequences of Y");
  c.SetOutput("Out", WithRows(x.dims, static_cast<int64_t>(offsets.back())), x.dtype, y.lod);
}

void RunSequenceExpandAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Offsets& offsets = OnlyOffsets(c.Input("Y").meta(), "Y");
  const size_t row = RowBytes(x);
  const auto* from = static_cast<const char*>(x.raw_data());
  auto* to = static_cast<char*>(c.Output("Out").MutableRaw(x.dtype()));
  if (row == 0) return;
  for (size_t i = 0; i + 1 < offsets.size(); ++i)
    for (uint64_t n = offsets[i]; n < offsets[i + 1]; ++n, to += row)
      std::memcpy(to, from + i * row, row);
}

}  // namespace

REGISTER_LITE_OP(sequence_expand_as)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .InferShape(InferSequenceExpandAs);
REGISTER_LITE_FUNCTION(sequence_expand_as, kHost, kAny, kNCHW, RunSequenceExpandAs, def);

}  // namespace paddle::lite
