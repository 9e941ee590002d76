// Operations along an axis that keep the shape.
#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

// (x, beta, [axis])
void Softmax(Translation& t, NNAdapterOperationType type) {
  Value x = t.Input(0);
  const float beta = t.Float(1);
  const int32_t axis = t.Has(2) ? AxisOf(t, 2, x->dims.size()) : -1;
  if (beta != 1)
    x = t.Emit(NNADAPTER_MUL, {t.Real(x), t.Float32(beta), t.Int32(NNADAPTER_FUSED_NONE)});
  t.SetOutput(0, EmitResult(t, type, {x, t.Int32(axis)}));
}

}  // namespace

CONVERTER(SOFTMAX) { Softmax(t, NNADAPTER_SOFTMAX); }
CONVERTER(LOG_SOFTMAX) { Softmax(t, NNADAPTER_LOG_SOFTMAX); }

CONVERTER(L2_NORMALIZATION) {
  const Value x = t.Input(0);
  const int32_t axis = t.Has(1) ? AxisOf(t, 1, x->dims.size()) : -1;
  t.SetOutput(0, EmitResult(t, NNADAPTER_LP_NORMALIZATION,
                            {x, t.Int32s({axis}), t.Int32(2), t.Float32(1e-12f)}));
}

// (x, radius, bias, alpha, beta, [axis])
CONVERTER(LOCAL_RESPONSE_NORMALIZATION) {
  const Value size = t.Int32(2 * t.Int(1) + 1);
  const Value bias = t.Float32(t.Float(2)), alpha = t.Float32(t.Float(3)),
              beta = t.Float32(t.Float(4));
  const auto normalised = [&](Value image) {
    return t.Emit(NNADAPTER_LRN, {image, size, bias, alpha, beta});
  };
  const Shape dims = DimsOf(t, 0);
  const int32_t axis = t.Has(5) ? AxisOf(t, 5, dims.size()) : CanonicalAxis(-1, dims.size());
  if (dims.size() == 4 && axis == 3) return t.SetImage(0, normalised(t.Image(0, false)), false);
  // Any axis is that of the channels of an image which is one element wide.
  const auto at = static_cast<size_t>(axis);
  const Shape image = {Product(dims, 0, at), dims[at], Product(dims, at + 1, dims.size()), 1};
  t.SetOutput(0, t.Reshaped(normalised(t.Reshaped(t.Input(0), image)), dims));
}

// (x, gamma, beta, epsilon, nchw)
CONVERTER(INSTANCE_NORMALIZATION) {
  const bool nchw = t.Bool(4);
  const Value image = t.Image(0, nchw);
  const auto channels = static_cast<size_t>(image->dims[1]);
  const Value gamma = t.Float32s(std::vector<float>(channels, t.Float(1)));
  const Value beta = t.Float32s(std::vector<float>(channels, t.Float(2)));
  t.SetImage(0,
             t.Emit(NNADAPTER_INSTANCE_NORMALIZATION, {image, gamma, beta, t.Float32(t.Float(3))}),
             nchw);
}

}  // namespace nnadapter::nnapi
