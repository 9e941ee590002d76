// Products of matrices.
#include "lite/nnadapter/nnapi/operations/values.h"
#include "lite/nnadapter/nnapi/operations/weights.h"

namespace nnadapter::nnapi {

// (x, weights [units, size], bias, activation); x is taken as rows of `size` elements.
CONVERTER(FULLY_CONNECTED) {
  const int32_t size = t.Input(1)->dims.back();
  const Value x = t.Input(0);
  if (t.Input(1)->dims.size() != 2 || size < 1 || x->count() % static_cast<size_t>(size) != 0)
    Translation::Refuse("its input " + ShapeText(x->dims) +
                        " does not divide into rows of its weights " + ShapeText(t.Input(1)->dims));
  const Value rows = t.Reshaped(x, {static_cast<int32_t>(x->count()) / size, size});
  const Weighted in = WeightedInputs(t, rows, {0, 1});
  t.SetOutput(0, EmitResult(t, NNADAPTER_FULLY_CONNECTED,
                            {in.input, in.weights, in.bias, t.Int32(t.Int(3))}));
}

// (x, y, [adjoint x, adjoint y])
CONVERTER(BATCH_MATMUL) {
  const Value left = t.Bool8(t.Has(2) && t.Bool(2)), right = t.Bool8(t.Has(3) && t.Bool(3));
  t.SetOutput(0, EmitResult(t, NNADAPTER_MAT_MUL, {t.Input(0), t.Input(1), left, right}));
}

}  // namespace nnadapter::nnapi
