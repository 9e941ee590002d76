// eigh and eigvalsh of symmetric matrices. Eigenvectors have length 1; which of both signs they
// have is not said by Paddle either.
#include "lite/kernels/cpu/decompositions.h"

namespace paddle::lite {
namespace {

bool IsUpper(const OpLite& op) {
  const auto& word = op.Attr<std::string>("UPLO");
  if (word != "L" && word != "U")
    throw LiteError(StrCat("attribute UPLO is \"", word, "\", expected L or U"));
  return word == "U";
}

void InferEigh(InferContext& c) {
  RequireSquare(c, "X");
  IsUpper(c.op());
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Eigenvalues", BatchDims(x.dims, {x.dims.back()}), x.dtype);
  c.SetOutput("Eigenvectors", x.dims, x.dtype);
}

void RunEigh(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& values = c.Output("Eigenvalues");
  Tensor* vectors = c.OutputOrNull("Eigenvectors");
  values.MutableRaw(values.dtype());
  if (vectors != nullptr) vectors->MutableRaw(vectors->dtype());
  const int64_t n = x.dims().back();
  if (x.numel() == 0) return;
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    const Matrix a = LoadMatrix(x, i, n * n);
    RequireFinite(a, i);
    Matrix columns;
    StoreMatrix(SymmetricEigen(a, n, IsUpper(c.op()), vectors == nullptr ? nullptr : &columns),
                values, i);
    if (vectors != nullptr) StoreMatrix(columns, *vectors, i);
  });
}

REGISTER_LITE_OP(eigh)
    .Input("X")
    .Output("Eigenvalues")
    .Output("Eigenvectors")
    .Attr<std::string>("UPLO", "L")
    .InferShape(InferEigh);
REGISTER_LITE_FUNCTION(eigh, kHost, kAny, kNCHW, RunEigh, def);

REGISTER_LITE_OP(eigvalsh)
    .Input("X")
    .Output("Eigenvalues")
    .OptionalOutput("Eigenvectors")
    .Attr<std::string>("UPLO", "L")
    .InferShape(InferEigh);
REGISTER_LITE_FUNCTION(eigvalsh, kHost, kAny, kNCHW, RunEigh, def);

}  // namespace
}  // namespace paddle::lite
