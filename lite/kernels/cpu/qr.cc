#include <algorithm>

#include "lite/kernels/cpu/decompositions.h"

namespace paddle::lite {
namespace {

// Columns of Q and rows of R, by attribute mode.
struct QrShape {
  int64_t m, n, columns, rows;
};

QrShape QrShapeOf(const OpLite& op, const DDim& x) {
  const auto& mode = op.Attr<std::string>("mode");
  const int64_t m = x[x.size() - 2], n = x.back(), k = std::min(m, n);
  if (mode == "complete") return {m, n, m, m};
  if (mode == "reduced") return {m, n, k, k};
  if (mode == "r") return {m, n, 0, k};
  throw LiteError(StrCat("attribute mode is \"", mode, "\", expected reduced, complete or r"));
}

void InferQr(InferContext& c) {
  RequireMatrices(c, "X");
  const TensorMeta& x = c.Input("X");
  const QrShape s = QrShapeOf(c.op(), x.dims);
  c.SetOutput("Q", s.columns == 0 ? DDim{0} : BatchDims(x.dims, {s.m, s.columns}), x.dtype);
  c.SetOutput("R", BatchDims(x.dims, {s.rows, s.n}), x.dtype);
}

void RunQr(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& r = c.Output("R");
  Tensor* q = c.OutputOrNull("Q");
  r.MutableRaw(r.dtype());
  if (q != nullptr) q->MutableRaw(q->dtype());
  const QrShape s = QrShapeOf(c.op(), x.dims());
  const int64_t count = x.dims().Count(0, x.dims().size() - 2);
  for (int64_t i = 0; i < count; ++i) {
    Matrix a = LoadMatrix(x, i, s.m * s.n);
    RequireFinite(a, i);
    const Matrix columns = FactorQr(&a, s.m, s.n, s.columns);
    a.resize(static_cast<size_t>(s.rows * s.n));
    StoreMatrix(a, r, i);
    if (q != nullptr && s.columns > 0) StoreMatrix(columns, *q, i);
  }
}

REGISTER_LITE_OP(qr)
    .Input("X")
    .OptionalOutput("Q")
    .Output("R")
    .Attr<std::string>("mode", "reduced")
    .InferShape(InferQr);
REGISTER_LITE_FUNCTION(qr, kHost, kAny, kNCHW, RunQr, def);

}  // namespace
}  // namespace paddle::lite
