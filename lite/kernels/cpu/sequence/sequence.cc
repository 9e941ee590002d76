#include "lite/kernels/cpu/sequence/sequence.h"

#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

std::string OffsetsText(const Offsets& offsets) {
  std::string text = "[";
  for (size_t i = 0; i < offsets.size() && i < 16; ++i)
    text += (i ? ", " : "") + std::to_string(offsets[i]);
  return text + (offsets.size() > 16 ? ", ...]" : "]");
}

}  // namespace

void CheckLoD(const TensorMeta& meta, std::string_view slot) {
  for (size_t level = 0; level < meta.lod.size(); ++level) {
    const Offsets& offsets = meta.lod[level];
    const bool last = level + 1 == meta.lod.size();
    if (last && meta.dims.empty())
      throw ShapeError(StrCat("input ", slot, " has no dimensions but a LoD"));
    const uint64_t parts = last                          ? static_cast<uint64_t>(meta.dims[0])
                           : meta.lod[level + 1].empty() ? 0
                                                         : meta.lod[level + 1].size() - 1;
    bool good = !offsets.empty() && offsets.front() == 0 && offsets.back() == parts;
    for (size_t i = 1; good && i < offsets.size(); ++i) good = offsets[i - 1] <= offsets[i];
    if (!good)
      throw ShapeError(StrCat("level ", level, " of the LoD of input ", slot, " is ",
                              OffsetsText(offsets), ", expected offsets that start at 0, never ",
                              "decrease and end at ", parts, last ? " (the rows of shape " : "",
                              last ? meta.dims.str() : "", last ? ")" : ""));
  }
}

const Offsets& FinestOffsets(const TensorMeta& meta, std::string_view slot) {
  if (meta.lod.empty())
    throw ShapeError(StrCat("input ", slot, " of shape ", meta.dims,
                            " has no LoD, expected a tensor of sequences (set_lod)"));
  CheckLoD(meta, slot);
  return meta.lod.back();
}

const Offsets& OnlyOffsets(const TensorMeta& meta, std::string_view slot) {
  const Offsets& offsets = FinestOffsets(meta, slot);
  if (meta.lod.size() != 1)
    throw ShapeError(
        StrCat("input ", slot, " has a LoD of ", meta.lod.size(), " levels, expected one"));
  return offsets;
}

std::vector<int64_t> ReadInts(const Tensor& tensor, std::string_view slot) {
  const int64_t count = tensor.numel();
  if (tensor.dtype() == DataType::kInt32) {
    const int32_t* data = tensor.data<int32_t>();
    return {data, data + count};
  }
  if (tensor.dtype() == DataType::kInt64) {
    const int64_t* data = tensor.data<int64_t>();
    return {data, data + count};
  }
  throw DataTypeError(
      StrCat("input ", slot, " is ", Name(tensor.dtype()), ", expected int32 or int64"));
}

namespace {

// Offsets that rise from 0 to the number of rows.
void CheckOffsets(const InferContext& c, const std::vector<uint64_t>& offsets, const DDim& x) {
  c.Require(!offsets.empty() && offsets[0] == 0, "the new LoD does not begin at 0");
  for (size_t i = 1; i < offsets.size(); ++i)
    c.Require(offsets[i - 1] <= offsets[i], "the new LoD falls from ", offsets[i - 1], " to ",
              offsets[i]);
  c.Require(!x.empty() && static_cast<int64_t>(offsets.back()) == x[0], "the new LoD ends at ",
            offsets.back(), ", but X has shape ", x);
}

// Y's own LoD, else Y's elements, else `target_lod`; the latter two may be appended to X's.
void InferLodReset(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (c.HasInput("Y") && !c.Input("Y").lod.empty()) {
    const LoD& lod = c.Input("Y").lod;
    CheckOffsets(c, lod.back(), x.dims);
    return c.SetOutput("Out", x.dims, x.dtype, lod);
  }
  const auto values = IntsOf<int32_t>(c, "", "Y", "target_lod");
  std::vector<uint64_t> offsets;
  for (const int64_t value : values) {
    c.Require(value >= 0, "the new LoD has the negative offset ", value);
    offsets.push_back(static_cast<uint64_t>(value));
  }
  CheckOffsets(c, offsets, x.dims);
  LoD lod;
  if (c.Attr<bool>("append")) lod = x.lod;
  lod.push_back(std::move(offsets));
  c.SetOutput("Out", x.dims, x.dtype, std::move(lod));
}

void RunLodReset(KernelContext& c) { CopyElements(c.Input("X"), c.Output("Out")); }

REGISTER_LITE_OP(lod_reset)
    .Input("X")
    .OptionalInput("Y")
    .Output("Out")
    .Attr<std::vector<int32_t>>("target_lod", {})
    .Attr<bool>("append", false)
    .InferShape(InferLodReset)
    .View("X", "Out");
REGISTER_LITE_FUNCTION(lod_reset, kHost, kAny, kNCHW, RunLodReset, def);

// split_lod_tensor and merge_lod_tensor: the two ways of the old IfElse, row by row.

// Mask is bool, [rows] or [rows, 1]; only rows are told apart, not sequences.
void RequireRows(const Tensor& mask, const Tensor& x) {
  if (mask.dtype() != DataType::kBool)
    throw DataTypeError(StrCat("Mask is ", Name(mask.dtype()), ", expected bool"));
  if (x.dims().empty() || mask.numel() != x.dims()[0])
    throw ShapeError(StrCat("Mask has shape ", mask.dims(), " and X ", x.dims(),
                            "; expected an element for each row"));
  if (!x.lod().empty()) throw ShapeError("X has LoD; only rows can be split and merged here");
}

int64_t BytesOfRow(const Tensor& x) { return x.dims().Count(1, x.dims().size()) * ElementSize(x); }

void Split(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor& mask = c.Input("Mask");
  RequireRows(mask, x);
  const bool* chosen = mask.data<bool>();
  const int64_t rows = x.dims()[0], bytes = BytesOfRow(x);
  int64_t counts[2] = {0, 0};
  for (int64_t i = 0; i < rows; ++i) ++counts[chosen[i] ? 1 : 0];
  char* to[2];
  for (const int side : {0, 1}) {
    Tensor& out = c.Output(side == 1 ? "OutTrue" : "OutFalse");
    DDim dims = x.dims();
    dims[0] = counts[side];
    out.Allocate(dims, x.dtype());
    to[side] = MutableBytes(out);
  }
  for (int64_t i = 0; bytes > 0 && i < rows; ++i) {
    char*& at = to[chosen[i] ? 1 : 0];
    std::memcpy(at, Bytes(x) + i * bytes, static_cast<size_t>(bytes));
    at += bytes;
  }
}

// Out has as many rows as both inputs; what the mask does not fill is 0.
void InferMerge(InferContext& c) {
  const TensorMeta& yes = c.Input("InTrue");
  const TensorMeta& no = c.Input("InFalse");
  DDim out = yes.dims, rest = no.dims;
  c.Require(!out.empty() && !rest.empty(), "InTrue or InFalse is 0-D");
  out[0] += rest[0];
  rest[0] = out[0];
  c.Require(out == rest, "InTrue has shape ", yes.dims, " and InFalse ", no.dims,
            "; expected the same but for the rows");
  if (yes.dtype != no.dtype)
    throw DataTypeError(StrCat("InTrue is ", Name(yes.dtype), ", InFalse ", Name(no.dtype)));
  c.SetOutput("Out", out, yes.dtype);
}

void Merge(KernelContext& c) {
  const Tensor* const from[2] = {&c.Input("InFalse"), &c.Input("InTrue")};
  const Tensor& mask = c.Input("Mask");
  Tensor& out = c.Output("Out");
  RequireRows(mask, c.Input("X"));
  const bool* chosen = mask.data<bool>();
  const int64_t rows = mask.numel(), bytes = BytesOfRow(out);
  char* to = MutableBytes(out);
  if (out.numel() > 0) std::memset(to, 0, out.memory_size());
  int64_t used[2] = {0, 0};
  for (int64_t i = 0; i < rows; ++i) {
    const int side = chosen[i] ? 1 : 0;
    if (used[side] >= from[side]->dims()[0])
      throw ShapeError(StrCat("Mask has more rows for ", side == 1 ? "InTrue" : "InFalse",
                              " than its ", from[side]->dims()[0]));
    if (bytes > 0)
      std::memcpy(to + i * bytes, Bytes(*from[side]) + used[side] * bytes,
                  static_cast<size_t>(bytes));
    ++used[side];
  }
}

REGISTER_LITE_OP(split_lod_tensor)
    .Input("X")
    .Input("Mask")
    .Output("OutTrue")
    .Output("OutFalse")
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(split_lod_tensor, kHost, kAny, kNCHW, Split, def);

REGISTER_LITE_OP(merge_lod_tensor)
    .Input("X")
    .Input("Mask")
    .Input("InTrue")
    .Input("InFalse")
    .Output("Out")
    .InferShape(InferMerge);
REGISTER_LITE_FUNCTION(merge_lod_tensor, kHost, kAny, kNCHW, Merge, def);

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

namespace {

void InferSequenceReshape(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t width = c.Attr<int32_t>("new_dim");
  const Offsets& offsets = OnlyOffsets(x, "X");
  c.Require(x.dims.size() == 2, "input X has shape ", x.dims, ", expected rank 2");
  c.Require(width > 0, "attribute new_dim is ", width, ", expected a positive number");
  Offsets out{0};
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const int64_t size = static_cast<int64_t>(offsets[i + 1] - offsets[i]) * x.dims[1];
    c.Require(size % width == 0, "sequence ", i, " has ", size, " values, which rows of new_dim ",
              width, " do not divide");
    out.push_back(out.back() + static_cast<uint64_t>(size / width));
  }
  c.SetOutput("Out", {static_cast<int64_t>(out.back()), width}, x.dtype, {out});
}

void RunSequenceReshape(KernelContext& c) {
  const Tensor& x = c.Input("X");
  void* out = c.Output("Out").MutableRaw(x.dtype());
  if (x.memory_size() > 0) std::memmove(out, x.raw_data(), x.memory_size());
}

}  // namespace

REGISTER_LITE_OP(sequence_reshape)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("new_dim")
    .View("X", "Out")
    .InferShape(InferSequenceReshape);
REGISTER_LITE_FUNCTION(sequence_reshape, kHost, kAny, kNCHW, RunSequenceReshape, def);

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
