// What the operators that multiply matrices share: mul, matmul, matmul_v2, bmm and fc.
#pragma once

#include <memory>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/core/run_recorder.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/halves.h"
#include "lite/kernels/cpu/math/integer_weights.h"
#include "lite/kernels/cpu/quantised/int8.h"

namespace paddle::lite {

// Out = X * Y for each of a batch, X being m x k and Y k x n before they are transposed. The batch
// dims of X and Y have the rank of `batch` and broadcast to it.
struct MatMulShape {
  int64_t m = 1, n = 1, k = 1;
  bool trans_x = false, trans_y = false;
  DDim batch_x, batch_y, batch;
  DDim out;
};

// Shape of a product from the operator's attributes; throws ShapeError where X and Y do not fit.
using MatMulShapeFn = MatMulShape (*)(const OpLite& op, const DDim& x, const DDim& y);

// numpy's rules: 1-D operands are a row and a column, batch dims broadcast.
MatMulShape BroadcastMatMulShape(const DDim& x, const DDim& y, bool trans_x, bool trans_y);

// The matrix of X and of Y that each of the batch combines.
class BatchIndex {
 public:
  explicit BatchIndex(const MatMulShape& s);
  void Find(int64_t i, int64_t* x, int64_t* y) const;

 private:
  DDim batch_, stride_x_, stride_y_;
};

// Throws DataTypeError unless X and Y are of one type out of float32, float64, int32 and int64
// (with `or_complex` also of complex64 and complex128), or X is float32, Y is int8 and the operator
// can multiply in integers.
void RequireMatMulTypes(const InferContext& c, const char* x, const char* y,
                        bool or_complex = false);

// Throws ShapeError where Y is int8 and the operator's attributes, or Y's rank, do not go with
// that.
void RequireInt8MatMul(const InferContext& c, const char* y, const MatMulShape& shape);

// In plain loops over any of the types; Out = alpha * X * Y.
void RunMatMulReference(KernelContext& c, const MatMulShape& shape, double alpha);

struct MatMulWeights;

// KernelTraits::keeps_bytes of a product with a weight in int8.
bool ProductKeepsBytes(const OpLite& op, const MatMulShape& shape, const TensorMeta& weight);

// fp32 over packed matrices; Y may be in int8. Steps that the plan folded in are applied.
class MatMulFp32 {
 public:
  // Packs the input `slot_y` where it is constant.
  void Prepare(KernelContext& c, const char* slot_y, MatMulShape shape,
               const math::Activation& act);
  void Run(KernelContext& c, const char* slot_x, const char* slot_y, const float* bias,
           const char* slot_out = "Out") const;
  KernelChoice Choice(const KernelContext& c, const char* slot_y) const;

 private:
  // Multiplies rows of X with Y in int8, to bytes where the epilogue rounds.
  void MultiplyInt8(const KernelContext& c, const char* slot_y, int64_t rows,
                    const math::RoundedInput& x, void* out, const math::Epilogue& epilogue) const;

  MatMulShape shape_;
  math::Activation activation_;
  std::shared_ptr<const MatMulWeights> weights_;            // null where Y is not constant
  std::shared_ptr<const math::PackedHalves> half_weights_;  // null where it computes in fp32
  std::shared_ptr<const math::PackedInt8> int8_weights_;
  std::shared_ptr<const math::PackedIntegers> integer_weights_;  // floats times these
  math::Int8Scaling int8_scaling_;
};

// Kernel of an operator X, Y -> Out whose products `shape` describes, times `alpha`.
using MatMulAlphaFn = float (*)(const OpLite& op);
inline float UnitAlpha(const OpLite&) { return 1.0f; }

template <MatMulShapeFn shape, MatMulAlphaFn alpha = UnitAlpha>
class MatMulKernel : public KernelBase, public ExplainsChoice {
 public:
  void PrepareForRun(KernelContext& c) override {
    math::Activation act;
    const float factor = alpha(c.op());
    if (factor != 1.0f) act = {math::Act::kAffine, factor, 0.0f, 0.0f};
    product_.Prepare(c, "Y", shape(c.op(), c.Input("X").dims(), c.Input("Y").dims()), act);
  }
  void Run(KernelContext& c) override { product_.Run(c, "X", "Y", nullptr); }
  KernelChoice Choice(const KernelContext& c) const override { return product_.Choice(c, "Y"); }

 private:
  MatMulFp32 product_;
};

template <MatMulShapeFn shape>
bool MatMulKeepsBytes(const OpLite& op, const MetaOfSlot& meta) {
  return ProductKeepsBytes(op, shape(op, meta("X")->dims, meta("Y")->dims), *meta("Y"));
}

template <MatMulShapeFn shape, MatMulAlphaFn alpha = UnitAlpha>
void RunMatMulAnyType(KernelContext& c) {
  RunMatMulReference(c, shape(c.op(), c.Input("X").dims(), c.Input("Y").dims()),
                     static_cast<double>(alpha(c.op())));
}

// Inference of such an operator; LoD goes from X to Out where `keeps_lod`.
template <MatMulShapeFn shape, bool keeps_lod>
void InferMatMul(InferContext& c) {
  RequireMatMulTypes(c, "X", "Y", true);
  const TensorMeta& x = c.Input("X");
  const MatMulShape s = shape(c.op(), x.dims, c.Dims("Y"));
  RequireInt8MatMul(c, "Y", s);
  c.SetOutput("Out", s.out, x.dtype, keeps_lod ? x.lod : LoD{});
}

}  // namespace paddle::lite
