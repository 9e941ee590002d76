#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

Dims InferPair(InferContext& c) {
  const int32_t a = c.Precision("input0"), b = c.Precision("input1");
  c.Require(a == b, "input0 is ", PrecisionName(a), " and input1 is ", PrecisionName(b),
            ", expected one type");
  return BroadcastDims(c, c.DimsOf("input0"), c.DimsOf("input1"));
}

}  // namespace

void DeclareFuseCode(OperationInfo& info) {
  info.Int("fuse_code", "the activation of the result, an NNAdapterFuseCode");
}

void CheckFuseCode(const InferContext& c) {
  const int64_t code = c.Int("fuse_code");
  c.Require(code >= NNADAPTER_FUSED_NONE && code <= NNADAPTER_FUSED_RELU6, "fuse_code is ", code,
            ", expected 0 (none), 1 (relu), 2 (relu1) or 3 (relu6)");
}

void FoldPair(InferContext& c, const char* a, const char* b, const char* output, FoldFn fold) {
  const auto x = c.Values(a), y = c.Values(b);
  if (!x || !y || c.Rank(a) > 1 || c.Rank(b) > 1) return;
  if (x->size() != y->size() && x->size() != 1 && y->size() != 1) return;
  const size_t count = x->empty() || y->empty() ? 0 : std::max(x->size(), y->size());
  Dims values(count);
  for (size_t i = 0; i < count; ++i) {
    const int32_t left = (*x)[x->size() == 1 ? 0 : i], right = (*y)[y->size() == 1 ? 0 : i];
    const bool known = left != NNADAPTER_UNKNOWN && right != NNADAPTER_UNKNOWN;
    values[i] = known ? ShapeNumber(fold(left, right)) : NNADAPTER_UNKNOWN;
  }
  c.SetValues(output, values);
}

std::function<void(OperationInfo&)> Arithmetic(FoldFn fold) {
  return [fold](OperationInfo& info) {
    info.Input("input0", kNumbers | kQuantized, "a tensor")
        .Input("input1", kNumbers | kQuantized, "a tensor of the type of input0")
        .Like(DeclareFuseCode)
        .Output("output", "of the type of input0 and the shape that numpy broadcasting gives")
        .Infer([fold](InferContext& c) {
          const Dims dims = InferPair(c);
          CheckFuseCode(c);
          c.SetOutput("output", c.Precision("input0"), dims);
          if (c.Int("fuse_code") == NNADAPTER_FUSED_NONE)
            FoldPair(c, "input0", "input1", "output", fold);
        });
  };
}

std::function<void(OperationInfo&)> Comparison(PrecisionSet set) {
  return [set](OperationInfo& info) {
    info.Input("input0", set, "a tensor")
        .Input("input1", set, "a tensor of the type of input0")
        .Output("output", "BOOL8, of the shape that numpy broadcasting gives")
        .Infer([](InferContext& c) { c.SetOutput("output", NNADAPTER_BOOL8, InferPair(c)); });
  };
}

std::function<void(OperationInfo&)> Unary(PrecisionSet set) {
  return [set](OperationInfo& info) {
    info.Input("input", set, "a tensor")
        .Output("output", "of the type and shape of input")
        .Infer(InferSameAs("input", "output"));
  };
}

}  // namespace nnadapter::runtime
