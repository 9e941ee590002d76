#include <cmath>
#include <limits>

#include "lite/kernels/cpu/linear_algebra/linear_algebra.h"

namespace paddle::lite {
namespace {

// Linear systems: solve (any matrix), triangular_solve, and cholesky_solve (from a factor).

// Y is one vector for each matrix of X: a vector, or of X's shape without its last dim.
bool IsVector(const DDim& x, const DDim& y) {
  return y.size() == 1 || y == DDim(x.begin(), static_cast<size_t>(x.size() - 1));
}

MatMulShape SystemShape(const DDim& a, DDim b, bool is_vector) {
  if (is_vector) b.push_back(1);
  if (b.size() < 2)
    throw ShapeError(StrCat("a right-hand side has shape ", b, ", expected rank 2"));
  MatMulShape shape = BroadcastMatMulShape(a, b, false, false);
  if (is_vector) shape.out.pop_back();
  return shape;
}

template <bool vectors>
void InferSolveOp(InferContext& c, const char* matrices, const char* right) {
  RequireSquare(c, matrices);
  RequireMatMulTypes(c, matrices, right);
  const DDim &a = c.Dims(matrices), &b = c.Dims(right);
  c.SetOutput("Out", SystemShape(a, b, vectors && IsVector(a, b)).out, c.Input(matrices).dtype);
}

void InferSolve(InferContext& c) { InferSolveOp<true>(c, "X", "Y"); }

void RunSolve(KernelContext& c) {
  const DDim &a = c.Input("X").dims(), &b = c.Input("Y").dims();
  const MatMulShape shape = SystemShape(a, b, IsVector(a, b));
  SolveBatch(c, "X", "Y", shape, [&](const Matrix& matrix, Matrix* x, int64_t index) {
    LuFactors(matrix, shape.k).Solve(x, shape.n, index);
  });
}

REGISTER_LITE_OP(solve).Input("X").Input("Y").Output("Out").InferShape(InferSolve);
REGISTER_LITE_FUNCTION(solve, kHost, kAny, kNCHW, RunSolve, def);

void InferTriangular(InferContext& c) { InferSolveOp<false>(c, "X", "Y"); }

void RunTriangular(KernelContext& c) {
  const MatMulShape shape = SystemShape(c.Input("X").dims(), c.Input("Y").dims(), false);
  const Triangle triangle{c.Attr<bool>("upper"), c.Attr<bool>("transpose"),
                          c.Attr<bool>("unitriangular")};
  SolveBatch(c, "X", "Y", shape, [&](const Matrix& matrix, Matrix* x, int64_t) {
    SolveTriangular(matrix, shape.k, triangle, x, shape.n);
  });
}

REGISTER_LITE_OP(triangular_solve)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<bool>("upper", true)
    .Attr<bool>("transpose", false)
    .Attr<bool>("unitriangular", false)
    .InferShape(InferTriangular);
REGISTER_LITE_FUNCTION(triangular_solve, kHost, kAny, kNCHW, RunTriangular, def);

// X is the right-hand side here, Y the factor.
void InferCholesky(InferContext& c) { InferSolveOp<false>(c, "Y", "X"); }

void RunCholesky(KernelContext& c) {
  const MatMulShape shape = SystemShape(c.Input("Y").dims(), c.Input("X").dims(), false);
  const bool upper = c.Attr<bool>("upper");
  SolveBatch(c, "Y", "X", shape, [&](const Matrix& factor, Matrix* x, int64_t) {
    SolveTriangular(factor, shape.k, {upper, /*transpose=*/upper, false}, x, shape.n);
    SolveTriangular(factor, shape.k, {upper, /*transpose=*/!upper, false}, x, shape.n);
  });
}

REGISTER_LITE_OP(cholesky_solve)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<bool>("upper", false)
    .InferShape(InferCholesky);
REGISTER_LITE_FUNCTION(cholesky_solve, kHost, kAny, kNCHW, RunCholesky, def);

void InferInverse(InferContext& c) {
  RequireSquare(c, "Input");
  c.SetOutput("Output", c.Dims("Input"), c.Input("Input").dtype);
}

void RunInverse(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Output");
  const int64_t n = x.dims().back();
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(),
                [&](int64_t i) { StoreMatrix(Inverted(LoadMatrix(x, i, n * n), n, i), out, i); });
}

REGISTER_LITE_OP(inverse).Input("Input").Output("Output").InferShape(InferInverse);
REGISTER_LITE_FUNCTION(inverse, kHost, kAny, kNCHW, RunInverse, def);

// determinant, and slogdeterminant: its sign and the logarithm of its absolute value.
DDim BatchOf(const DDim& dims) { return {dims.begin(), static_cast<size_t>(dims.size() - 2)}; }

void InferDeterminant(InferContext& c) {
  RequireSquare(c, "Input");
  c.SetOutput("Out", BatchOf(c.Dims("Input")), c.Input("Input").dtype);
}

void RunDeterminant(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  const int64_t n = x.dims().back();
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    StoreMatrix({LuFactors(LoadMatrix(x, i, n * n), n).Determinant()}, out, i);
  });
}

REGISTER_LITE_OP(determinant).Input("Input").Output("Out").InferShape(InferDeterminant);
REGISTER_LITE_FUNCTION(determinant, kHost, kAny, kNCHW, RunDeterminant, def);

void InferSlogdeterminant(InferContext& c) {
  RequireSquare(c, "Input");
  DDim out{2};
  for (const int64_t dim : BatchOf(c.Dims("Input"))) out.push_back(dim);
  c.SetOutput("Out", out, c.Input("Input").dtype);
}

void RunSlogdeterminant(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  const int64_t n = x.dims().back(), count = out.numel() / 2;
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    const LuFactors factors(LoadMatrix(x, i, n * n), n);
    StoreMatrix({factors.Sign()}, out, i);
    StoreMatrix({factors.LogAbsDeterminant()}, out, count + i);
  });
}

REGISTER_LITE_OP(slogdeterminant).Input("Input").Output("Out").InferShape(InferSlogdeterminant);
REGISTER_LITE_FUNCTION(slogdeterminant, kHost, kAny, kNCHW, RunSlogdeterminant, def);

}  // namespace
}  // namespace paddle::lite
