#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/linear_algebra/linear_algebra.h"
#include "lite/kernels/cpu/matrix/matmul.h"
#include "lite/kernels/cpu/matrix/product.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// Out = the product of all matrices of X, in the order of multiplications that takes the fewest.
constexpr size_t kMaxMatrices = 256;  // the search for the order is cubic

// Rows of each matrix and the columns of the last one; vectors at the ends are a row and a column.
std::vector<int64_t> Sizes(const std::vector<DDim>& x) {
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < x.size(); ++i) {
    const bool is_first = i == 0, is_last = i + 1 == x.size();
    const bool vector = x[i].size() == 1 && (is_first || is_last);
    if (x[i].size() != 2 && !vector)
      throw ShapeError(StrCat("input X[", i, "] has shape ", x[i],
                              ", expected rank 2 (or 1 for the first and the last)"));
    const int64_t rows = vector && is_first ? 1 : x[i][0];
    const int64_t columns = vector ? (is_first ? x[i][0] : 1) : x[i][1];
    if (is_first) sizes.push_back(rows);
    if (rows != sizes.back())
      throw ShapeError(StrCat("input X[", i, "] of shape ", x[i], " has ", rows,
                              " rows, but the matrix before it has ", sizes.back(), " columns"));
    sizes.push_back(columns);
  }
  return sizes;
}

void InferMultiDot(InferContext& c) {
  const size_t count = c.InputCount("X");
  c.Require(count >= 2 && count <= kMaxMatrices, "input X has ", count, " matrices, expected 2 to ",
            kMaxMatrices);
  RequireMatMulTypes(c, "X", "X");
  std::vector<DDim> dims;
  for (size_t i = 0; i < count; ++i) {
    dims.push_back(c.Dims("X", i));
    if (c.Input("X", i).dtype != c.Input("X").dtype)
      throw DataTypeError(StrCat("input X[", i, "] is ", Name(c.Input("X", i).dtype),
                                 ", but the first is ", Name(c.Input("X").dtype)));
  }
  const std::vector<int64_t> sizes = Sizes(dims);
  DDim out;
  if (dims.front().size() == 2) out.push_back(sizes.front());
  if (dims.back().size() == 2) out.push_back(sizes.back());
  c.SetOutput("Out", out, c.Input("X").dtype);
}

// best[i * n + j]: where the product of the matrices i...j is split.
std::vector<size_t> BestSplits(const std::vector<int64_t>& sizes) {
  const size_t n = sizes.size() - 1;
  std::vector<double> cost(n * n, 0);
  std::vector<size_t> best(n * n, 0);
  const auto size = [&](size_t i) { return static_cast<double>(sizes[i]); };
  for (size_t length = 1; length < n; ++length)
    for (size_t i = 0; i + length < n; ++i) {
      const size_t j = i + length;
      double lowest = std::numeric_limits<double>::infinity();
      for (size_t k = i; k < j; ++k) {
        const double total =
            cost[i * n + k] + cost[(k + 1) * n + j] + size(i) * size(k + 1) * size(j + 1);
        if (total >= lowest) continue;
        lowest = total;
        best[i * n + j] = k;
      }
      cost[i * n + j] = lowest;
    }
  return best;
}

template <typename T>
class Chain {
 public:
  Chain(KernelContext& c, const std::vector<int64_t>& sizes)
      : c_(c), sizes_(sizes), best_(BestSplits(sizes)) {}

  // The product of the matrices first...last, in `storage` where it had to be computed.
  const T* Compute(size_t first, size_t last, Tensor* storage) const {
    if (first == last) return c_.Input("X", first).data<T>();
    const size_t split = best_[first * (sizes_.size() - 1) + last];
    Tensor left, right;
    const T* x = Compute(first, split, &left);
    const T* y = Compute(split + 1, last, &right);
    Product p;
    p.m = sizes_[first], p.k = sizes_[split + 1], p.n = sizes_[last + 1];
    T* out = last - first + 2 == sizes_.size() ? c_.Output("Out").mutable_data<T>()
                                               : Memory(storage, DDim{p.m, p.n});
    Multiply(c_.threads(), p, x, y, out);
    return out;
  }

 private:
  static T* Memory(Tensor* storage, const DDim& dims) {
    storage->Resize(dims);
    return storage->mutable_data<T>();
  }

  KernelContext& c_;
  const std::vector<int64_t>& sizes_;
  std::vector<size_t> best_;
};

void RunMultiDot(KernelContext& c) {
  std::vector<DDim> dims;
  for (size_t i = 0; i < c.InputCount("X"); ++i) dims.push_back(c.Input("X", i).dims());
  const std::vector<int64_t> sizes = Sizes(dims);
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(), [&](auto zero) {
    Chain<decltype(zero)>(c, sizes).Compute(0, dims.size() - 1, nullptr);
  });
}

REGISTER_LITE_OP(multi_dot).Inputs("X").Output("Out").InferShape(InferMultiDot);
REGISTER_LITE_FUNCTION(multi_dot, kHost, kAny, kNCHW, RunMultiDot, def);

// Out = X^n for square matrices; a negative n takes powers of the inverse.
void InferMatrixPower(InferContext& c) {
  RequireSquare(c, "X");
  c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype);
}

Matrix Times(const Matrix& x, const Matrix& y, int64_t n) {
  Matrix out(x.size());
  Product p;
  p.m = p.n = p.k = n;
  PlainProduct(p, x.data(), y.data(), out.data());
  return out;
}

// By repeated squaring.
Matrix Power(Matrix x, int64_t n, int64_t exponent) {
  Matrix result(x.size(), 0);
  for (int64_t i = 0; i < n; ++i) result[static_cast<size_t>(i * n + i)] = 1;
  for (bool first = true; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) {
      result = first ? x : Times(result, x, n);
      first = false;
    }
    if (exponent > 1) x = Times(x, x, n);
  }
  return result;
}

void RunMatrixPower(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const int64_t n = x.dims().back(), exponent = c.Attr<int32_t>("n");
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    Matrix matrix = LoadMatrix(x, i, n * n);
    if (exponent < 0) matrix = Inverted(std::move(matrix), n, i);
    StoreMatrix(Power(std::move(matrix), n, std::abs(exponent)), out, i);
  });
}

REGISTER_LITE_OP(matrix_power)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("n")
    .InferShape(InferMatrixPower);
REGISTER_LITE_FUNCTION(matrix_power, kHost, kAny, kNCHW, RunMatrixPower, def);

// The Kronecker product: along every dim, blocks of Y, one for each element of X.

// The dims with ones in front up to `rank`.
DDim Aligned(const DDim& dims, int rank) {
  DDim out;
  for (int i = dims.size(); i < rank; ++i) out.push_back(1);
  for (const int64_t dim : dims) out.push_back(dim);
  return out;
}

DDim KronProduct(const DDim& x, const DDim& y) {
  const int rank = std::max(x.size(), y.size());
  const DDim a = Aligned(x, rank), b = Aligned(y, rank);
  DDim out;
  for (int i = 0; i < rank; ++i) out.push_back(DDim{a[i], b[i]}.production());
  return out;
}

void InferKron(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  RequireType(c, "Y", {x.dtype});
  c.SetOutput("Out", KronProduct(x.dims, c.Dims("Y")), x.dtype);
}

template <typename T>
void RunKronAs(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const int rank = out.dims().size();
  const DDim y_dims = Aligned(c.Input("Y").dims(), rank);
  const DDim x_strides = RowMajorStrides(Aligned(c.Input("X").dims(), rank));
  const DDim y_strides = RowMajorStrides(y_dims);
  const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
  T* to = out.mutable_data<T>();
  math::ParallelRange(c.threads(), out.numel(), math::kElementGrain / 8,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          int64_t rest = i, x_at = 0, y_at = 0;
                          for (int d = rank - 1; d >= 0; --d) {
                            const int64_t at = rest % out.dims()[d];
                            rest /= out.dims()[d];
                            x_at += at / y_dims[d] * x_strides[d];
                            y_at += at % y_dims[d] * y_strides[d];
                          }
                          to[i] = WrapMul(x[x_at], y[y_at]);
                        }
                      });
}

void RunKron(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunKronAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(kron).Input("X").Input("Y").Output("Out").InferShape(InferKron);
REGISTER_LITE_FUNCTION(kron, kHost, kAny, kNCHW, RunKron, def);

// Out = X x Y, the cross product of vectors of three along `dim`.
constexpr int kFirstOfThree = DDim::kMaxRank;  // `dim` where it was not given

int AxisOf(const OpLite& op, const DDim& dims) {
  const int given = op.Attr<int32_t>("dim");
  if (given != kFirstOfThree) {
    const int axis = CanonicalAxis(given, dims.size(), "attribute dim");
    if (dims[axis] != 3)
      throw ShapeError(StrCat("input X has shape ", dims, ", expected 3 at dim ", axis));
    return axis;
  }
  for (int i = 0; i < dims.size(); ++i)
    if (dims[i] == 3) return i;
  throw ShapeError(StrCat("input X has shape ", dims, ", expected a dimension of 3"));
}

void InferCross(InferContext& c) {
  const TensorMeta &x = c.Input("X"), &y = c.Input("Y");
  c.Require(x.dims == y.dims, "inputs X of shape ", x.dims, " and Y of shape ", y.dims,
            ", expected equal shapes");
  if (x.dtype != y.dtype)
    throw DataTypeError(StrCat("input Y is ", Name(y.dtype), ", but X is ", Name(x.dtype)));
  AxisOf(c.op(), x.dims);
  c.SetOutput("Out", x.dims, x.dtype);
}

template <typename T>
void RunCrossAs(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  const int axis = AxisOf(c.op(), dims);
  const int64_t outer = dims.Count(0, axis), inner = dims.Count(axis + 1, dims.size());
  for (int64_t i = 0; i < outer * inner; ++i) {
    const int64_t at = i / inner * 3 * inner + i % inner;
    for (int k = 0; k < 3; ++k) {
      const int64_t p = at + (k + 1) % 3 * inner, q = at + (k + 2) % 3 * inner;
      to[at + k * inner] = WrapSub(WrapMul(x[p], y[q]), WrapMul(x[q], y[p]));
    }
  }
}

void RunCross(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunCrossAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(cross)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int32_t>("dim", kFirstOfThree)
    .InferShape(InferCross);
REGISTER_LITE_FUNCTION(cross, kHost, kAny, kNCHW, RunCross, def);

// Out = the cosine of the angle between the rows of X and Y; one row of Y may meet all of X.
void InferCosSim(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta &x = c.Input("X"), &y = c.Input("Y");
  if (x.dtype != y.dtype)
    throw DataTypeError(StrCat("input Y is ", Name(y.dtype), ", but X is ", Name(x.dtype)));
  const int rank = x.dims.size();
  c.Require(rank >= 2 && y.dims.size() == rank && (y.dims[0] == x.dims[0] || y.dims[0] == 1) &&
                DDim(x.dims.begin() + 1, static_cast<size_t>(rank - 1)) ==
                    DDim(y.dims.begin() + 1, static_cast<size_t>(rank - 1)),
            "inputs X of shape ", x.dims, " and Y of shape ", y.dims,
            ", expected equal shapes of rank 2 or more, or one row of Y");
  c.SetOutput("Out", DDim{x.dims[0], 1}, x.dtype, x.lod);
  c.SetOutput("XNorm", DDim{x.dims[0], 1}, x.dtype);
  c.SetOutput("YNorm", DDim{y.dims[0], 1}, x.dtype);
}

template <typename T>
void RunCosSimAs(KernelContext& c) {
  const DDim &dims = c.Input("X").dims(), &y_dims = c.Input("Y").dims();
  const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  T *x_norm = OutputOrNull<T>(c, "XNorm"), *y_norm = OutputOrNull<T>(c, "YNorm");
  const int64_t cols = dims.Count(1, dims.size());
  for (int64_t i = 0; i < dims[0]; ++i, x += cols) {
    const int64_t j = y_dims[0] == 1 ? 0 : i;
    double xx = 0, yy = 0, xy = 0;
    for (int64_t k = 0; k < cols; ++k) {
      const double a = x[k], b = y[j * cols + k];
      xx += a * a, yy += b * b, xy += a * b;
    }
    out[i] = static_cast<T>(xy / (std::sqrt(xx) * std::sqrt(yy)));
    if (x_norm != nullptr) x_norm[i] = static_cast<T>(std::sqrt(xx));
    if (y_norm != nullptr) y_norm[j] = static_cast<T>(std::sqrt(yy));
  }
}

void RunCosSim(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunCosSimAs<double>(c);
  RunCosSimAs<float>(c);
}

REGISTER_LITE_OP(cos_sim)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .OptionalOutput("XNorm")
    .OptionalOutput("YNorm")
    .InferShape(InferCosSim);
REGISTER_LITE_FUNCTION(cos_sim, kHost, kAny, kNCHW, RunCosSim, def);

}  // namespace
}  // namespace paddle::lite
