#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

// How often each sequence (or row) of X is repeated: the lengths of Y's reference level.
const Offsets& Repeats(const TensorMeta& x, const TensorMeta& y, int64_t ref_level) {
  FinestOffsets(y, "Y");
  const auto levels = static_cast<int64_t>(y.lod.size());
  if (ref_level < -1 || ref_level >= levels)
    throw ShapeError(StrCat("attribute ref_level is ", ref_level, ", expected -1 to ", levels - 1,
                            " for Y with a LoD of ", levels, " levels"));
  const Offsets& repeats = y.lod[static_cast<size_t>(ref_level < 0 ? levels - 1 : ref_level)];
  const int64_t parts = x.lod.empty() ? x.dims[0] : SequenceCount(OnlyOffsets(x, "X"));
  if (parts != SequenceCount(repeats))
    throw ShapeError(StrCat("input X has ", parts, x.lod.empty() ? " rows" : " sequences",
                            ", expected ", SequenceCount(repeats), " as the LoD of Y says"));
  return repeats;
}

void InferSequenceExpand(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(!x.dims.empty(), "input X has no dimensions");
  const Offsets& repeats = Repeats(x, c.Input("Y"), c.Attr<int32_t>("ref_level"));
  Offsets out{0};
  uint64_t rows = 0;
  for (size_t i = 0; i + 1 < repeats.size(); ++i) {
    const uint64_t length = x.lod.empty() ? 1 : x.lod[0][i + 1] - x.lod[0][i];
    for (uint64_t n = repeats[i]; n < repeats[i + 1]; ++n) {
      rows += length;
      if (!x.lod.empty()) out.push_back(rows);
    }
  }
  c.SetOutput("Out", WithRows(x.dims, static_cast<int64_t>(rows)), x.dtype,
              x.lod.empty() ? LoD{} : LoD{out});
}

void RunSequenceExpand(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Offsets& repeats = Repeats(x.meta(), c.Input("Y").meta(), c.Attr<int32_t>("ref_level"));
  const size_t row = RowBytes(x);
  const auto* from = static_cast<const char*>(x.raw_data());
  auto* to = static_cast<char*>(c.Output("Out").MutableRaw(x.dtype()));
  for (size_t i = 0; i + 1 < repeats.size(); ++i) {
    const uint64_t length = x.lod().empty() ? 1 : x.lod()[0][i + 1] - x.lod()[0][i];
    const size_t bytes = length * row;
    for (uint64_t n = repeats[i]; bytes > 0 && n < repeats[i + 1]; ++n, to += bytes)
      std::memcpy(to, from, bytes);
    if (bytes > 0) from += bytes;
  }
}

}  // namespace

REGISTER_LITE_OP(sequence_expand)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int32_t>("ref_level", -1)
    .InferShape(InferSequenceExpand);
REGISTER_LITE_FUNCTION(sequence_expand, kHost, kAny, kNCHW, RunSequenceExpand, def);

}  // namespace paddle::lite
