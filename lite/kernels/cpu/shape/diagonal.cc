#include <algorithm>
#include <cstring>

#include "lite/kernels/cpu/creation/fill.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/shape/data_movement.h"
#include "lite/kernels/cpu/shape/diagonals.h"

namespace paddle::lite {
namespace {

// Strides of the diagonals in the matrices' memory, by the dims of DiagonalDims.
DDim Strides(const DDim& dims, const DiagonalSpec& spec) {
  const DDim strides = RowMajorStrides(dims);
  DDim found;
  for (int i = 0; i < dims.size(); ++i)
    if (i != spec.rows_axis && i != spec.cols_axis) found.push_back(strides[i]);
  found.push_back(strides[spec.rows_axis] + strides[spec.cols_axis]);
  return found;
}

int64_t Start(const DDim& dims, const DiagonalSpec& spec) {
  const DDim strides = RowMajorStrides(dims);
  return spec.offset < 0 ? -spec.offset * strides[spec.rows_axis]
                         : spec.offset * strides[spec.cols_axis];
}

}  // namespace

DiagonalSpec DiagonalOf(int64_t offset, int64_t rows_axis, int64_t cols_axis, int rank) {
  const DiagonalSpec spec{CanonicalAxis(rows_axis, rank, "an axis of the diagonal"),
                          CanonicalAxis(cols_axis, rank, "an axis of the diagonal"), offset};
  if (spec.rows_axis == spec.cols_axis)
    throw ShapeError(StrCat("both axes of the diagonal are ", spec.rows_axis));
  return spec;
}

int64_t DiagonalLength(const DDim& dims, const DiagonalSpec& spec) {
  const int64_t rows = dims[spec.rows_axis], cols = dims[spec.cols_axis];
  const int64_t length =
      spec.offset < 0 ? std::min(rows + spec.offset, cols) : std::min(rows, cols - spec.offset);
  return std::max<int64_t>(length, 0);
}

DDim DiagonalDims(const DDim& dims, const DiagonalSpec& spec) {
  DDim found;
  for (int i = 0; i < dims.size(); ++i)
    if (i != spec.rows_axis && i != spec.cols_axis) found.push_back(dims[i]);
  found.push_back(DiagonalLength(dims, spec));
  return found;
}

void CopyFromDiagonal(const Tensor& matrices, const DiagonalSpec& spec, Tensor& lines,
                      int threads) {
  const DDim& dims = matrices.dims();
  CopyBox(lines.dims(), matrices, Start(dims, spec), Strides(dims, spec), lines, 0,
          RowMajorStrides(lines.dims()), threads);
}

void CopyToDiagonal(const Tensor& lines, const DiagonalSpec& spec, Tensor& matrices, int threads) {
  const DDim dims = matrices.dims();
  CopyBox(DiagonalDims(dims, spec), lines, 0, RowMajorStrides(lines.dims()), matrices,
          Start(dims, spec), Strides(dims, spec), threads);
}

namespace {

template <typename Context>
DiagonalSpec SpecOfDiagonal(const Context& c) {
  return DiagonalOf(c.template Attr<int32_t>("offset"), c.template Attr<int32_t>("axis1"),
                    c.template Attr<int32_t>("axis2"), DimsOf(c, "Input").size());
}

void InferDiagonal(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.SetOutput("Out", DiagonalDims(x.dims, SpecOfDiagonal(c)), x.dtype);
}

void RunDiagonal(KernelContext& c) {
  CopyFromDiagonal(c.Input("Input"), SpecOfDiagonal(c), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(diagonal)
    .Input("Input")
    .Output("Out")
    .Attr<int32_t>("offset", 0)
    .Attr<int32_t>("axis1", 0)
    .Attr<int32_t>("axis2", 1)
    .InferShape(InferDiagonal);
REGISTER_LITE_FUNCTION(diagonal, kHost, kAny, kNCHW, RunDiagonal, def);

// A matrix with X on the diagonal, or the diagonal of the matrix X. A 0-D tensor is a list of one.
void InferDiagV2(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t offset = c.Attr<int32_t>("offset");
  c.Require(x.dims.size() <= 2, "X has shape ", x.dims, ", expected at most two dimensions");
  if (x.dims.size() == 2) return c.SetOutput("Out", DiagonalDims(x.dims, {0, 1, offset}), x.dtype);
  const int64_t size = x.dims.production() + (offset < 0 ? -offset : offset);
  c.SetOutput("Out", {size, size}, x.dtype);
}

void RunDiagV2(KernelContext& c) {
  Tensor x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DiagonalSpec spec{0, 1, c.Attr<int32_t>("offset")};
  if (x.dims().size() == 2) return CopyFromDiagonal(x, spec, out, c.threads());
  x.Resize({x.numel()});
  Fill(out, FillValue::Of(c.Attr<float>("padding_value")), c.threads());
  CopyToDiagonal(x, spec, out, c.threads());
}

REGISTER_LITE_OP(diag_v2)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("offset", 0)
    .Attr<float>("padding_value", 0.0f)
    .InferShape(InferDiagV2);
REGISTER_LITE_FUNCTION(diag_v2, kHost, kAny, kNCHW, RunDiagV2, def);

template <typename Context>
DiagonalSpec DiagEmbedSpec(const Context& c) {
  return DiagonalOf(c.template Attr<int32_t>("offset"), c.template Attr<int32_t>("dim1"),
                    c.template Attr<int32_t>("dim2"), DimsOf(c, "Input").size() + 1);
}

// Square matrices along dim1 and dim2 with Input's last dimension on their diagonals.
void InferDiagEmbed(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.Require(!x.dims.empty(), "Input is 0-D, expected a dimension or more");
  const DiagonalSpec spec = DiagEmbedSpec(c);
  const int64_t size = x.dims.back() + (spec.offset < 0 ? -spec.offset : spec.offset);
  DDim out;
  int from = 0;
  for (int i = 0; i <= x.dims.size(); ++i)
    out.push_back(i == spec.rows_axis || i == spec.cols_axis ? size : x.dims[from++]);
  c.SetOutput("Out", out, x.dtype);
}

void RunDiagEmbed(KernelContext& c) {
  Fill(c.Output("Out"), FillValue::Of(0), c.threads());
  CopyToDiagonal(c.Input("Input"), DiagEmbedSpec(c), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(diag_embed)
    .Input("Input")
    .Output("Out")
    .Attr<int32_t>("offset", 0)
    .Attr<int32_t>("dim1", -2)
    .Attr<int32_t>("dim2", -1)
    .InferShape(InferDiagEmbed);
REGISTER_LITE_FUNCTION(diag_embed, kHost, kAny, kNCHW, RunDiagEmbed, def);

// Out = the sum of a diagonal of the planes that two axes span. Whichever is axis1: the smaller one
// counts rows, so that a positive offset is above the diagonal.
struct Axes {
  int first, second;
};

Axes AxesOf(const OpLite& op, const DDim& dims) {
  if (dims.size() < 2)
    throw ShapeError(StrCat("input Input has shape ", dims, ", expected rank 2 or more"));
  const Axes axes{CanonicalAxis(op.Attr<int32_t>("axis1"), dims.size(), "attribute axis1"),
                  CanonicalAxis(op.Attr<int32_t>("axis2"), dims.size(), "attribute axis2")};
  if (axes.first == axes.second)
    throw ShapeError(
        StrCat("attributes axis1 and axis2 are both ", axes.first, ", expected different axes"));
  return {std::min(axes.first, axes.second), std::max(axes.first, axes.second)};
}

void InferTrace(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const Axes axes = AxesOf(c.op(), x.dims);
  DDim out;
  for (int i = 0; i < x.dims.size(); ++i)
    if (i != axes.first && i != axes.second) out.push_back(x.dims[i]);
  c.SetOutput("Out", out, x.dtype);
}

template <typename T>
void RunTraceAs(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  const DDim &dims = x.dims(), strides = RowMajorStrides(dims);
  const Axes axes = AxesOf(c.op(), dims);
  const int64_t offset = c.Attr<int32_t>("offset");
  const int64_t row = std::max<int64_t>(-offset, 0), col = std::max<int64_t>(offset, 0);
  const int64_t length =
      std::max<int64_t>(std::min(dims[axes.first] - row, dims[axes.second] - col), 0);
  T* to = out.mutable_data<T>();
  for (int64_t i = 0; i < out.numel(); ++i) {
    int64_t at = length == 0 ? 0 : row * strides[axes.first] + col * strides[axes.second];
    int64_t rest = i;
    for (int d = dims.size() - 1; d >= 0; --d) {
      if (d == axes.first || d == axes.second) continue;
      at += rest % dims[d] * strides[d];
      rest /= dims[d];
    }
    T sum = 0;
    for (int64_t j = 0; j < length; ++j)
      sum = WrapAdd(sum, x.data<T>()[at + j * (strides[axes.first] + strides[axes.second])]);
    to[i] = sum;
  }
}

void RunTrace(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("Input").dtype(),
                                            [&](auto zero) { RunTraceAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(trace)
    .Input("Input")
    .Output("Out")
    .Attr<int32_t>("offset", 0)
    .Attr<int32_t>("axis1", 0)
    .Attr<int32_t>("axis2", 1)
    .InferShape(InferTrace);
REGISTER_LITE_FUNCTION(trace, kHost, kAny, kNCHW, RunTrace, def);

void InferFillDiagonal(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() >= 2, "X has shape ", x.dims, ", expected two dimensions or more");
  for (int i = 1; x.dims.size() > 2 && i < x.dims.size(); ++i)
    c.Require(x.dims[i] == x.dims[0], "X has shape ", x.dims, ", expected equal dimensions");
  c.SetOutput("Out", x.dims, x.dtype);
}

// The elements whose coordinates are all equal, moved by `offset` within their rows. `wrap` goes on
// below the square part of a matrix, a row further.
void RunFillDiagonal(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  CopyElements(x, out);
  const DDim& dims = x.dims();
  const int64_t cols = dims[1], offset = c.Attr<int32_t>("offset"), size = ElementSize(x);
  const DDim strides = RowMajorStrides(dims);
  int64_t step = 0;
  for (int i = 0; i < strides.size(); ++i) step += strides[i];
  int64_t end = x.numel();
  if (dims.size() == 2 && !c.Attr<bool>("wrap")) end = std::min(end, cols * cols);
  char value[kMaxElementSize];
  StoreElement(FillValue::Of(c.Attr<float>("value")), x.dtype(), value);
  char* to = MutableBytes(out);
  for (int64_t i = 0; i < end; i += step) {
    const int64_t col = i % cols + offset;
    if (col >= 0 && col < cols && i + offset < end)
      std::memcpy(to + (i + offset) * size, value, static_cast<size_t>(size));
  }
}

REGISTER_LITE_OP(fill_diagonal)
    .Input("X")
    .Output("Out")
    .Attr<float>("value", 0.0f)
    .Attr<int32_t>("offset", 0)
    .Attr<bool>("wrap", false)
    .InferShape(InferFillDiagonal);
REGISTER_LITE_FUNCTION(fill_diagonal, kHost, kAny, kNCHW, RunFillDiagonal, def);

template <typename Context>
DiagonalSpec FillDiagonalTensorSpec(const Context& c) {
  return DiagonalOf(c.template Attr<int64_t>("offset"), c.template Attr<int32_t>("dim1"),
                    c.template Attr<int32_t>("dim2"), DimsOf(c, "X").size());
}

// X with Y on its diagonals.
void InferFillDiagonalTensor(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  const DiagonalSpec spec = FillDiagonalTensorSpec(c);
  c.Require(spec.offset > -x.dims[spec.rows_axis] && spec.offset < x.dims[spec.cols_axis],
            "offset is ", spec.offset, ", which is outside X of shape ", x.dims);
  const DDim expected = DiagonalDims(x.dims, spec);
  DDim row{1};  // as Paddle 3 writes one diagonal
  for (const int64_t dim : expected) row.push_back(dim);
  c.Require(y.dims == expected || (expected.size() == 1 && y.dims == row), "Y has shape ", y.dims,
            ", expected ", expected);
  if (y.dtype != x.dtype)
    throw DataTypeError(StrCat("Y is ", Name(y.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype);
}

void RunFillDiagonalTensor(KernelContext& c) {
  const DiagonalSpec spec = FillDiagonalTensorSpec(c);
  CopyElements(c.Input("X"), c.Output("Out"));
  Tensor y = c.Input("Y");
  y.Resize(DiagonalDims(c.Input("X").dims(), spec));
  CopyToDiagonal(y, spec, c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(fill_diagonal_tensor)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int64_t>("offset", 0)
    .Attr<int32_t>("dim1", 0)
    .Attr<int32_t>("dim2", 1)
    .InferShape(InferFillDiagonalTensor);
REGISTER_LITE_FUNCTION(fill_diagonal_tensor, kHost, kAny, kNCHW, RunFillDiagonalTensor, def);

}  // namespace
}  // namespace paddle::lite
