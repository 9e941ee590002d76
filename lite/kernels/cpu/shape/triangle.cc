#include <algorithm>
#include <cstring>

#include "lite/kernels/cpu/indexing/gather.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

void InferTrilTriu(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() >= 2, "X has shape ", x.dims, ", expected two dimensions or more");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// Of each matrix what lies on and below (or above) a diagonal; the rest becomes 0.
void RunTrilTriu(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DDim& dims = x.dims();
  const int64_t rows = dims[dims.size() - 2], cols = dims.back(), size = ElementSize(x);
  const int64_t diagonal = c.Attr<int32_t>("diagonal");
  const bool lower = c.Attr<bool>("lower");
  const char* from = Bytes(x);
  char* to = MutableBytes(c.Output("Out"));
  const int64_t total = cols == 0 ? 0 : dims.Count(0, dims.size() - 1);
  for (int64_t line = 0; line < total; ++line) {
    const int64_t at = line % rows + diagonal;  // the diagonal's column in this row
    const int64_t begin = lower ? 0 : std::clamp<int64_t>(at, 0, cols);
    const int64_t end = lower ? std::clamp<int64_t>(at + 1, 0, cols) : cols;
    std::memset(to, 0, static_cast<size_t>(cols * size));
    std::memcpy(to + begin * size, from + begin * size, static_cast<size_t>((end - begin) * size));
    from += cols * size;
    to += cols * size;
  }
}

REGISTER_LITE_OP(tril_triu)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("diagonal", 0)
    .Attr<bool>("lower", false)
    .InferShape(InferTrilTriu);
REGISTER_LITE_FUNCTION(tril_triu, kHost, kAny, kNCHW, RunTrilTriu, def);

// tril_indices and triu_indices: the coordinates of a triangle of a matrix, rows then columns.
class TriangleIndicesTriangle {
 public:
  TriangleIndicesTriangle(int64_t rows, int64_t cols, int64_t offset, bool lower)
      : rows(rows), cols(cols), offset(offset), lower(lower) {}
  const int64_t rows, cols, offset;
  const bool lower;

  // Columns of a row that belong to it: [begin, end).
  int64_t Begin(int64_t row) const {
    return lower ? 0 : std::clamp<int64_t>(row + offset, 0, cols);
  }
  int64_t End(int64_t row) const {
    return lower ? std::clamp<int64_t>(row + offset + 1, 0, cols) : cols;
  }
  // Rows that have any: [first, last).
  int64_t First() const { return lower ? std::clamp<int64_t>(-offset, 0, rows) : 0; }
  int64_t Last() const { return lower ? rows : std::clamp<int64_t>(cols - offset, 0, rows); }

  int64_t Count() const {
    return lower ? Below(offset + rows) - Below(offset)
                 : rows * cols - (Below(offset - 1 + rows) - Below(offset - 1));
  }

 private:
  // The sum of 1, 2, ... `last`, none above cols: what so many rows of a lower triangle hold.
  int64_t Below(int64_t last) const {
    const int64_t rising = std::clamp<int64_t>(last, 0, cols);
    return rising * (rising + 1) / 2 + std::max<int64_t>(last - cols, 0) * cols;
  }
};

template <typename Context>
TriangleIndicesTriangle TriangleOf(const Context& c) {
  const bool lower = c.op().type() == "tril_indices";
  const TriangleIndicesTriangle triangle(c.template Attr<int32_t>(lower ? "rows" : "row"),
                                         c.template Attr<int32_t>(lower ? "cols" : "col"),
                                         c.template Attr<int32_t>("offset"), lower);
  if (triangle.rows < 0 || triangle.cols < 0)
    throw ShapeError(
        StrCat("a matrix of ", triangle.rows, " rows and ", triangle.cols, " columns"));
  return triangle;
}

void InferTriangleIndices(InferContext& c) {
  const TriangleIndicesTriangle triangle = TriangleOf(c);
  const DataType dtype = DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype");
  RequireIndexType(dtype, "attribute dtype");
  c.SetOutput("out", {2, triangle.Count()}, dtype);
}

template <typename T>
void Write(const TriangleIndicesTriangle& triangle, Tensor& out) {
  T* rows = out.mutable_data<T>();
  if (out.numel() == 0) return;
  T* cols = rows + out.dims()[1];
  for (int64_t row = triangle.First(); row < triangle.Last(); ++row)
    for (int64_t col = triangle.Begin(row); col < triangle.End(row); ++col) {
      *rows++ = static_cast<T>(row);
      *cols++ = static_cast<T>(col);
    }
}

void RunTriangleIndices(KernelContext& c) {
  Tensor& out = c.Output("out");
  if (out.dtype() == DataType::kInt32)
    Write<int32_t>(TriangleOf(c), out);
  else
    Write<int64_t>(TriangleOf(c), out);
}

REGISTER_LITE_OP(tril_indices)
    .Output("out")
    .Attr<int32_t>("rows", 0)
    .Attr<int32_t>("cols", 0)
    .Attr<int32_t>("offset", 0)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape(InferTriangleIndices);
REGISTER_LITE_FUNCTION(tril_indices, kHost, kAny, kNCHW, RunTriangleIndices, def);

REGISTER_LITE_OP(triu_indices)
    .Output("out")
    .Attr<int32_t>("row", 0)
    .Attr<int32_t>("col", 0)
    .Attr<int32_t>("offset", 0)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape(InferTriangleIndices);
REGISTER_LITE_FUNCTION(triu_indices, kHost, kAny, kNCHW, RunTriangleIndices, def);

}  // namespace
}  // namespace paddle::lite
