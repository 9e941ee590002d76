// Functions of each element, of one tensor and of two: arithmetic, comparisons, logic.
#include <algorithm>
#include <cmath>

#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {
namespace {

Dims InferPair(InferContext& c) {
  const int32_t a = c.Precision("input0"), b = c.Precision("input1");
  c.Require(a == b, "input0 is ", PrecisionName(a), " and input1 is ", PrecisionName(b),
            ", expected one type");
  return BroadcastDims(c, c.DimsOf("input0"), c.DimsOf("input1"));
}

// Sets the values of `output` where both operands are numbers of a shape.
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

void InferArithmetic(InferContext& c, FoldFn fold) {
  const Dims dims = InferPair(c);
  CheckFuseCode(c);
  c.SetOutput("output", c.Precision("input0"), dims);
  if (c.Int("fuse_code") == NNADAPTER_FUSED_NONE) FoldPair(c, "input0", "input1", "output", fold);
}

void InferComparison(InferContext& c) { c.SetOutput("output", NNADAPTER_BOOL8, InferPair(c)); }

}  // namespace

INFER(ADD) {
  InferArithmetic(c, [](int64_t a, int64_t b) { return a + b; });
}

INFER(SUB) {
  InferArithmetic(c, [](int64_t a, int64_t b) { return a - b; });
}

INFER(MUL) {
  InferArithmetic(c, [](int64_t a, int64_t b) { return a * b; });
}

INFER(DIV) {
  InferArithmetic(c,
                  [](int64_t a, int64_t b) { return b == 0 ? int64_t{NNADAPTER_UNKNOWN} : a / b; });
}

INFER(FLOOR_DIV) {
  InferArithmetic(c, [](int64_t a, int64_t b) {
    if (b == 0) return int64_t{NNADAPTER_UNKNOWN};
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  });
}

INFER(MAX) {
  InferArithmetic(c, [](int64_t a, int64_t b) { return std::max(a, b); });
}

INFER(MIN) {
  InferArithmetic(c, [](int64_t a, int64_t b) { return std::min(a, b); });
}

namespace {

int64_t PowerOf(int64_t base, int64_t exponent) {
  const double power = std::pow(static_cast<double>(base), static_cast<double>(exponent));
  return std::fabs(power) < INT32_MAX ? static_cast<int64_t>(power) : NNADAPTER_UNKNOWN;
}

}  // namespace

INFER(POW) { InferArithmetic(c, PowerOf); }

INFER(EQUAL) { InferComparison(c); }

INFER(NOT_EQUAL) { InferComparison(c); }

INFER(GREATER) { InferComparison(c); }

INFER(GREATER_EQUAL) { InferComparison(c); }

INFER(LESS) { InferComparison(c); }

INFER(LESS_EQUAL) { InferComparison(c); }

INFER(AND) { InferComparison(c); }

INFER(OR) { InferComparison(c); }

INFER(XOR) { InferComparison(c); }

INFER(NOT) { InferSame(c); }

INFER(WHERE) {
  const int32_t a = c.Precision("input0"), b = c.Precision("input1");
  c.Require(a == b, "input0 is ", PrecisionName(a), " and input1 is ", PrecisionName(b),
            ", expected one type");
  const Dims chosen = BroadcastDims(c, c.DimsOf("input0"), c.DimsOf("input1"));
  c.SetOutput("output", a, BroadcastDims(c, c.DimsOf("condition"), chosen));
}

INFER(ABS) { InferSame(c); }

INFER(COS) { InferSame(c); }

INFER(EXP) { InferSame(c); }

INFER(FLOOR) { InferSame(c); }

INFER(LOG) { InferSame(c); }

INFER(RSQRT) { InferSame(c); }

INFER(SIN) { InferSame(c); }

INFER(SQUARE) { InferSame(c); }

}  // namespace nnadapter::runtime
