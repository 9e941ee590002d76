#include <vector>

#include "lite/kernels/cpu/matrix/matmul.h"
#include "lite/kernels/cpu/matrix/product.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

int SplitAt(const OpLite& op, const char* name, const DDim& dims) {
  const int at = op.Attr<int32_t>(name);
  if (at < 1 || at >= dims.size())
    throw ShapeError(StrCat("attribute ", name, " is ", at, ", expected a value in [1, ",
                            dims.size(), ") for an input of shape ", dims));
  return at;
}

// X and Y flattened to matrices; Out has the rows' dims of X and the columns' dims of Y.
MatMulShape MulShapeOf(const OpLite& op, const DDim& x, const DDim& y) {
  const int split_x = SplitAt(op, "x_num_col_dims", x);
  const int split_y = SplitAt(op, "y_num_col_dims", y);
  MatMulShape s;
  s.m = x.Count(0, split_x);
  s.k = x.Count(split_x, x.size());
  s.n = y.Count(split_y, y.size());
  if (y.Count(0, split_y) != s.k)
    throw ShapeError(StrCat("input X of shape ", x, " has ", s.k, " columns with x_num_col_dims ",
                            split_x, ", but Y of shape ", y, " has ", y.Count(0, split_y),
                            " rows with y_num_col_dims ", split_y));
  for (int i = 0; i < split_x; ++i) s.out.push_back(x[i]);
  for (int i = split_y; i < y.size(); ++i) s.out.push_back(y[i]);
  return s;
}

REGISTER_LITE_OP(mul)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int32_t>("x_num_col_dims", 1)
    .Attr<int32_t>("y_num_col_dims", 1)
    .InferShape(InferMatMul<MulShapeOf, true>);
[[maybe_unused]] OpInfo& mul_with_int8 = DeclareInt8(mul_op_info);
REGISTER_LITE_FUNCTION(mul, kHost, kAny, kNCHW, RunMatMulAnyType<MulShapeOf>, def);
REGISTER_LITE_KERNEL(mul, kHost, kFloat, kNCHW, MatMulKernel<MulShapeOf>, def, true);

// Out = X * Vec, a matrix times a vector.
void InferMv(InferContext& c) {
  RequireMatMulTypes(c, "X", "Vec");
  const TensorMeta& x = c.Input("X");
  const DDim& vec = c.Dims("Vec");
  c.Require(x.dims.size() == 2 && vec.size() == 1 && x.dims[1] == vec[0], "input X of shape ",
            x.dims, " and Vec of shape ", vec, ", expected m x k and k");
  c.SetOutput("Out", DDim{x.dims[0]}, x.dtype);
}

void RunMv(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Product p;
  p.m = x.dims()[0], p.k = x.dims()[1];
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Multiply(c.threads(), p, x.data<T>(), c.Input("Vec").data<T>(),
             c.Output("Out").mutable_data<T>());
  });
}

REGISTER_LITE_OP(mv).Input("X").Input("Vec").Output("Out").InferShape(InferMv);
REGISTER_LITE_FUNCTION(mv, kHost, kAny, kNCHW, RunMv, def);

// Out = the sum of X * Y along the last of one or two dims.
void InferDot(InferContext& c) {
  RequireMatMulTypes(c, "X", "Y");
  const TensorMeta& x = c.Input("X");
  const int rank = x.dims.size();
  c.Require((rank == 1 || rank == 2) && x.dims == c.Dims("Y"), "inputs X of shape ", x.dims,
            " and Y of shape ", c.Dims("Y"), ", expected equal shapes of rank 1 or 2");
  c.SetOutput("Out", DDim(x.dims.begin(), static_cast<size_t>(rank - 1)), x.dtype);
}

void RunDot(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Product p;
  p.k = x.dims().back();
  p.batch = c.Output("Out").numel();
  p.step_x = p.step_y = p.k;
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Multiply(c.threads(), p, x.data<T>(), c.Input("Y").data<T>(),
             c.Output("Out").mutable_data<T>());
  });
}

REGISTER_LITE_OP(dot).Input("X").Input("Y").Output("Out").InferShape(InferDot);
REGISTER_LITE_FUNCTION(dot, kHost, kAny, kNCHW, RunDot, def);

// addmm and baddbmm: Out = beta * Input + alpha * X * Y, for matrices and for batches of them.
// Input broadcasts; where beta is 0 its values mean nothing, not even NaN.
template <int rank>
void InferAddmm(InferContext& c) {
  RequireFloating(c, "X");
  RequireMatMulTypes(c, "X", "Y");
  RequireMatMulTypes(c, "X", "Input");
  const TensorMeta& x = c.Input("X");
  const DDim &y = c.Dims("Y"), &input = c.Dims("Input");
  c.Require(x.dims.size() == rank && y.size() == rank, "inputs X of shape ", x.dims,
            " and Y of shape ", y, ", expected rank ", rank);
  const MatMulShape shape = BroadcastMatMulShape(x.dims, y, false, false);
  c.Require(rank == 2 || x.dims[0] == y[0], "inputs X of shape ", x.dims, " and Y of shape ", y,
            ", expected equal batch sizes");
  c.Require(
      input.size() >= 1 && input.size() <= rank && BroadcastDims(shape.out, input, -1) == shape.out,
      "input Input has shape ", input, ", expected one that broadcasts to ", shape.out);
  c.SetOutput("Out", shape.out, x.dtype);
}

template <typename T>
void RunAddmmAs(KernelContext& c, double alpha, double beta) {
  const Tensor &x = c.Input("X"), &y = c.Input("Y"), &input = c.Input("Input");
  Tensor& out = c.Output("Out");
  Product p;
  p.batch = x.dims().size() == 3 ? x.dims()[0] : 1;
  p.m = out.dims()[out.dims().size() - 2], p.n = out.dims().back(), p.k = x.dims().back();
  p.step_x = p.m * p.k, p.step_y = p.k * p.n;
  T* to = out.mutable_data<T>();
  Multiply(c.threads(), p, x.data<T>(), y.data<T>(), to);
  const int64_t count = out.numel();
  for (int64_t i = 0; i < count; ++i) to[i] *= static_cast<T>(alpha);
  if (beta == 0) return;
  Tensor added;
  added.Allocate(out.dims(), out.dtype());
  BroadcastTo(input, added, c.threads());
  const T* from = added.data<T>();
  for (int64_t i = 0; i < count; ++i) to[i] += static_cast<T>(beta) * from[i];
}

void RunScaled(KernelContext& c, float alpha, float beta) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunAddmmAs<double>(c, alpha, beta);
  RunAddmmAs<float>(c, alpha, beta);
}

void RunAddmm(KernelContext& c) { RunScaled(c, c.Attr<float>("Alpha"), c.Attr<float>("Beta")); }
void RunBaddbmm(KernelContext& c) { RunScaled(c, c.Attr<float>("alpha"), c.Attr<float>("beta")); }

REGISTER_LITE_OP(addmm)
    .Input("Input")
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<float>("Alpha", 1.0f)
    .Attr<float>("Beta", 1.0f)
    .InferShape(InferAddmm<2>);
REGISTER_LITE_FUNCTION(addmm, kHost, kAny, kNCHW, RunAddmm, def);

REGISTER_LITE_OP(baddbmm)
    .Input("Input")
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<float>("alpha", 1.0f)
    .Attr<float>("beta", 1.0f)
    .InferShape(InferAddmm<3>);
REGISTER_LITE_FUNCTION(baddbmm, kHost, kAny, kNCHW, RunBaddbmm, def);

// Out = input * weight + bias over the last dim, the weight as [in, out] or transposed.
MatMulShape LinearV2ShapeOf(const OpLite& op, const DDim& x, const DDim& w) {
  if (x.empty() || w.size() != 2)
    throw ShapeError(StrCat("inputs input of shape ", x, " and weight of shape ", w,
                            ", expected rank 1 or more and rank 2"));
  return BroadcastMatMulShape(x, w, false, op.Attr<bool>("transpose_weight"));
}

void InferLinearV2(InferContext& c) {
  RequireFloating(c, "input");
  RequireMatMulTypes(c, "input", "weight");
  RequireMatMulTypes(c, "input", "bias");
  const TensorMeta& x = c.Input("input");
  const MatMulShape s = LinearV2ShapeOf(c.op(), x.dims, c.Dims("weight"));
  c.Require(c.Dims("bias").production() == s.n, "input bias has shape ", c.Dims("bias"),
            ", expected ", s.n, " elements for weight of shape ", c.Dims("weight"));
  c.SetOutput("out", s.out, x.dtype, x.lod);
}

void RunDouble(KernelContext& c) {
  const MatMulShape s = LinearV2ShapeOf(c.op(), c.Input("input").dims(), c.Input("weight").dims());
  Product p;
  p.m = s.batch.production() * s.m, p.n = s.n, p.k = s.k, p.trans_y = s.trans_y;
  double* out = c.Output("out").mutable_data<double>();
  Multiply(c.threads(), p, c.Input("input").data<double>(), c.Input("weight").data<double>(), out);
  const double* bias = c.Input("bias").data<double>();
  for (int64_t i = 0; i < p.m * p.n; ++i) out[i] += bias[i % p.n];
}

class LinearFp32 : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override {
    product_.Prepare(c, "weight",
                     LinearV2ShapeOf(c.op(), c.Input("input").dims(), c.Input("weight").dims()),
                     {});
  }
  void Run(KernelContext& c) override {
    product_.Run(c, "input", "weight", c.Input("bias").data<float>(), "out");
  }

 private:
  MatMulFp32 product_;
};

REGISTER_LITE_OP(linear_v2)
    .Input("input")
    .Input("weight")
    .Input("bias")
    .Output("out")
    .Attr<bool>("transpose_weight", false)
    .InferShape(InferLinearV2);
REGISTER_LITE_FUNCTION(linear_v2, kHost, kFP64, kNCHW, RunDouble, def);
REGISTER_LITE_KERNEL(linear_v2, kHost, kFloat, kNCHW, LinearFp32, def, true);

// Out[b][o] = X[b] * Weight[o] * Y[b]^T + Bias[o].
void InferBilinearTensorProduct(InferContext& c) {
  RequireFloating(c, "X");
  RequireMatMulTypes(c, "X", "Y");
  RequireMatMulTypes(c, "X", "Weight");
  const TensorMeta& x = c.Input("X");
  const DDim &y = c.Dims("Y"), &w = c.Dims("Weight");
  c.Require(x.dims.size() == 2 && y.size() == 2 && w.size() == 3 && x.dims[0] == y[0] &&
                x.dims[1] == w[1] && y[1] == w[2],
            "inputs X of shape ", x.dims, ", Y of shape ", y, " and Weight of shape ", w,
            ", expected b x m, b x n and o x m x n");
  RequireElements(c, "Bias", w[0]);
  c.SetOutput("Out", DDim{x.dims[0], w[0]}, x.dtype);
}

template <typename T>
void RunBilinearTensorProductAs(KernelContext& c) {
  const Tensor& weight = c.Input("Weight");
  const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
  const T* bias = DataOrNull<T>(c, "Bias");
  T* out = c.Output("Out").mutable_data<T>();
  const int64_t outputs = weight.dims()[0];
  Product p;
  p.m = c.Input("X").dims()[0], p.k = weight.dims()[1], p.n = weight.dims()[2];
  Tensor product;
  product.Allocate(DDim{p.m, p.n}, weight.dtype());
  T* xw = product.mutable_data<T>();
  for (int64_t o = 0; o < outputs; ++o) {
    Multiply(c.threads(), p, x, weight.data<T>() + o * p.k * p.n, xw);
    for (int64_t b = 0; b < p.m; ++b) {
      T sum = bias == nullptr ? T{0} : bias[o];
      for (int64_t j = 0; j < p.n; ++j) sum += xw[b * p.n + j] * y[b * p.n + j];
      out[b * outputs + o] = sum;
    }
  }
}

void RunBilinearTensorProduct(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunBilinearTensorProductAs<double>(c);
  RunBilinearTensorProductAs<float>(c);
}

REGISTER_LITE_OP(bilinear_tensor_product)
    .Input("X")
    .Input("Y")
    .Input("Weight")
    .OptionalInput("Bias")
    .Output("Out")
    .InferShape(InferBilinearTensorProduct);
REGISTER_LITE_FUNCTION(bilinear_tensor_product, kHost, kAny, kNCHW, RunBilinearTensorProduct, def);

}  // namespace
}  // namespace paddle::lite
