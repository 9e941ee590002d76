#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferSequenceConcat(InferContext& c) {
  const TensorMeta& first = c.Input("X");
  Offsets out(OnlyOffsets(first, "X").size(), 0);
  int64_t rows = 0;
  for (size_t i = 0; i < c.InputCount("X"); ++i) {
    const TensorMeta& x = c.Input("X", i);
    const Offsets& offsets = OnlyOffsets(x, "X");
    c.Require(offsets.size() == out.size(), "input X[", i, "] has ", SequenceCount(offsets),
              " sequences, X[0] has ", SequenceCount(out));
    c.Require(RowSize(x.dims) == RowSize(first.dims), "input X[", i, "] has shape ", x.dims,
              ", whose rows differ in size from those of X[0] ", first.dims);
    if (x.dtype != first.dtype)
      throw DataTypeError(
          StrCat("input X[", i, "] is ", Name(x.dtype), ", X[0] is ", Name(first.dtype)));
    if (__builtin_add_overflow(rows, x.dims[0], &rows)) throw ShapeError("too many rows");
    for (size_t k = 0; k < out.size(); ++k) out[k] += offsets[k];
  }
  c.SetOutput("Out", WithRows(first.dims, rows), first.dtype, {out});
}

void RunSequenceConcat(KernelContext& c) {
  const Tensor& first = c.Input("X");
  const size_t sequences = OnlyOffsets(first.meta(), "X").size() - 1;
  const size_t row = RowBytes(first);
  auto* to = static_cast<char*>(c.Output("Out").MutableRaw(first.dtype()));
  for (size_t s = 0; s < sequences; ++s) {
    for (size_t i = 0; i < c.InputCount("X"); ++i) {
      const Tensor& x = c.Input("X", i);
      const Offsets& offsets = x.lod()[0];
      const size_t bytes = (offsets[s + 1] - offsets[s]) * row;
      if (bytes == 0) continue;
      std::memcpy(to, static_cast<const char*>(x.raw_data()) + offsets[s] * row, bytes);
      to += bytes;
    }
  }
}

}  // namespace

REGISTER_LITE_OP(sequence_concat).Inputs("X").Output("Out").InferShape(InferSequenceConcat);
REGISTER_LITE_FUNCTION(sequence_concat, kHost, kAny, kNCHW, RunSequenceConcat, def);

}  // namespace paddle::lite
