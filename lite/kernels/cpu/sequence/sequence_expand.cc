#include <algorithm>
#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/strided_copy.h"
#include "lite/kernels/cpu/sequence/sequence.h"
#include "lite/kernels/cpu/shape/data_movement.h"

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
  const size_t row = RowBytes(x), value_bytes = pad.memory_size(), element = SizeOf(x.dtype());
  const auto padded = static_cast<uint64_t>(out.dims()[1]);
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const uint64_t count = offsets[i + 1] - offsets[i];
    if (lengths != nullptr) lengths[i] = static_cast<int64_t>(count);
    if (count * row > 0) std::memcpy(to, from + offsets[i] * row, count * row);
    to += count * row;
    const size_t rest = (padded - count) * row;
    math::CopyLoops repeated;
    repeated.Add(value_bytes > 0 ? static_cast<int64_t>(rest / value_bytes) : 0, 0, pad.numel());
    repeated.Add(pad.numel(), 1, 1);
    repeated.Run(value, to, element, 1);
    to += rest;
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

namespace {

void InferSequenceUnpad(InferContext& c) {
  const DDim& x = c.Dims("X");
  const DDim& length = c.Dims("Length");
  c.Require(x.size() >= 2, "input X has shape ", x, ", expected [batch, time, ...]");
  c.Require(length.size() == 1 && length[0] == x[0], "input Length has shape ", length,
            ", expected one length for each of the ", x[0], " rows of X ", x);
}

void RunSequenceUnpad(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DDim& dims = x.dims();
  const std::vector<int64_t> lengths = ReadInts(c.Input("Length"), "Length");
  Offsets offsets{0};
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 0 || lengths[i] > dims[1])
      throw ShapeError(StrCat("Length[", i, "] is ", lengths[i], ", expected 0 to ", dims[1],
                              " for X of shape ", dims));
    offsets.push_back(offsets.back() + static_cast<uint64_t>(lengths[i]));
  }
  // A matrix of single values becomes a column.
  DDim out_dims{static_cast<int64_t>(offsets.back())};
  for (int i = 2; i < dims.size(); ++i) out_dims.push_back(dims[i]);
  if (dims.size() == 2) out_dims.push_back(1);
  Tensor& out = c.Output("Out");
  out.Allocate(out_dims, x.dtype());
  const size_t step = static_cast<size_t>(dims.Count(2, dims.size())) * SizeOf(x.dtype());
  const auto* from = static_cast<const char*>(x.raw_data());
  auto* to = static_cast<char*>(out.raw_data());
  for (size_t i = 0; i < lengths.size(); ++i) {
    const size_t bytes = static_cast<size_t>(lengths[i]) * step;
    if (bytes > 0) std::memcpy(to, from + i * static_cast<size_t>(dims[1]) * step, bytes);
    to += bytes;
  }
  out.set_lod({std::move(offsets)});
}

}  // namespace

REGISTER_LITE_OP(sequence_unpad)
    .Input("X")
    .Input("Length")
    .Output("Out")
    .DataDependent()
    .InferShape(InferSequenceUnpad);
REGISTER_LITE_FUNCTION(sequence_unpad, kHost, kAny, kNCHW, RunSequenceUnpad, def);

namespace {

void InferSequenceSlice(InferContext& c) {
  const Offsets& offsets = OnlyOffsets(c.Input("X"), "X");
  for (const char* slot : {"Offset", "Length"})
    c.Require(c.Dims(slot).production() == SequenceCount(offsets), "input ", slot, " has shape ",
              c.Dims(slot), ", expected a number for each of ", SequenceCount(offsets),
              " sequences");
}

void RunSequenceSlice(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Offsets& from = OnlyOffsets(x.meta(), "X");
  const auto starts = ReadInts(c.Input("Offset"), "Offset");
  const auto lengths = ReadInts(c.Input("Length"), "Length");
  Offsets offsets{0};
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto rows = static_cast<int64_t>(from[i + 1] - from[i]);
    if (starts[i] < 0 || lengths[i] <= 0 || starts[i] > rows || lengths[i] > rows - starts[i])
      throw ShapeError(StrCat("inputs Offset and Length ask for ", lengths[i], " rows from row ",
                              starts[i], " of sequence ", i, ", which has ", rows));
    offsets.push_back(offsets.back() + static_cast<uint64_t>(lengths[i]));
  }
  Tensor& out = c.Output("Out");
  out.Allocate(WithRows(x.dims(), static_cast<int64_t>(offsets.back())), x.dtype());
  char* to = MutableBytes(out);
  for (size_t i = 0; i < starts.size(); ++i) {
    const char* first = Bytes(x) + (from[i] + static_cast<uint64_t>(starts[i])) * RowBytes(x);
    to = std::copy(first, first + static_cast<uint64_t>(lengths[i]) * RowBytes(x), to);
  }
  out.set_lod({offsets});
}

REGISTER_LITE_OP(sequence_slice)
    .Input("X")
    .Input("Offset")
    .Input("Length")
    .Output("Out")
    .InferShape(InferSequenceSlice)
    .DataDependent();
REGISTER_LITE_FUNCTION(sequence_slice, kHost, kAny, kNCHW, RunSequenceSlice, def);

}  // namespace
}  // namespace paddle::lite
