#include <algorithm>
#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

int64_t PaddedLength(const Offsets& offsets, int64_t wanted) {
  uint64_t longest = 0;
  for (size_t i = 0; i + 1 < offsets.size(); ++i)
    longest = std::max(longest, offsets[i + 1] - offsets[i]);
  if (wanted == -1) return static_cast<int64_t>(longest);
  if (wanted < static_cast<int64_t>(longest))
    throw ShapeError(StrCat("attribute padded_length is ", wanted,
                            ", expected -1 or at least the longest sequence's ", longest));
  return wanted;
}

void InferSequencePad(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& pad = c.Input("PadValue");
  const Offsets& offsets = OnlyOffsets(x, "X");
  c.Require(x.dims.size() >= 2, "input X has shape ", x.dims, ", expected rank 2 at least");
  if (pad.dtype != x.dtype)
    throw DataTypeError(StrCat("input PadValue is ", Name(pad.dtype), ", X is ", Name(x.dtype)));
  DDim step;
  for (int i = 1; i < x.dims.size(); ++i) step.push_back(x.dims[i]);
  c.Require(pad.dims.production() == 1 || pad.dims == step, "input PadValue has shape ", pad.dims,
            ", expected [1] or ", step);
  DDim out{SequenceCount(offsets), PaddedLength(offsets, c.Attr<int32_t>("padded_length"))};
  for (int i = 1; i < x.dims.size(); ++i) out.push_back(x.dims[i]);
  c.SetOutput("Out", out, x.dtype);
  c.SetOutput("Length", {out[0]}, DataType::kInt64);
}

void RunSequencePad(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor& pad = c.Input("PadValue");
  const Offsets& offsets = OnlyOffsets(x.meta(), "X");
  Tensor& out = c.Output("Out");
  auto* to = static_cast<char*>(out.MutableRaw(x.dtype()));
  Tensor* length = c.OutputOrNull("Length");
  int64_t* lengths = length != nullptr ? length->mutable_data<int64_t>() : nullptr;
  const auto* from = static_cast<const char*>(x.raw_data());
  const auto* value = static_cast<const char*>(pad.raw_data());
  const size_t row = RowBytes(x), value_bytes = pad.memory_size();
  const auto padded = static_cast<uint64_t>(out.dims()[1]);
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const uint64_t count = offsets[i + 1] - offsets[i];
    if (lengths != nullptr) lengths[i] = static_cast<int64_t>(count);
    if (count * row > 0) std::memcpy(to, from + offsets[i] * row, count * row);
    to += count * row;
    char* const end = to + (padded - count) * row;
    for (; value_bytes > 0 && to < end; to += value_bytes) std::memcpy(to, value, value_bytes);
  }
}

}  // namespace

REGISTER_LITE_OP(sequence_pad)
    .Input("X")
    .Input("PadValue")
    .Output("Out")
    .OptionalOutput("Length")
    .Attr<int32_t>("padded_length", -1)
    .InferShape(InferSequencePad);
REGISTER_LITE_FUNCTION(sequence_pad, kHost, kAny, kNCHW, RunSequencePad, def);

}  // namespace paddle::lite
