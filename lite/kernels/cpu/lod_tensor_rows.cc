// split_lod_tensor and merge_lod_tensor: the two ways of the old IfElse, row by row.
#include <cstring>

#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
