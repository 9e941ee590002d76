// Arithmetic, comparisons and logic of two tensors, element by element.
#include "lite/nnadapter/runtime/operation/elementwise.h"

#include <cmath>

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

namespace {

REGISTER_OPERATION(ADD)
    .Doc("output = input0 + input1, element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) { return a + b; }));

REGISTER_OPERATION(SUB)
    .Doc("output = input0 - input1, element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) { return a - b; }));

REGISTER_OPERATION(MUL)
    .Doc("output = input0 * input1, element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) { return a * b; }));

REGISTER_OPERATION(DIV)
    .Doc("output = input0 / input1, element by element; a quotient of integers is cut off.")
    .Like(Arithmetic([](int64_t a, int64_t b) {
      return b == 0 ? int64_t{NNADAPTER_UNKNOWN} : a / b;
    }));

REGISTER_OPERATION(FLOOR_DIV)
    .Doc("output = floor(input0 / input1), element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) {
      if (b == 0) return int64_t{NNADAPTER_UNKNOWN};
      return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    }));

REGISTER_OPERATION(MAX)
    .Doc("The larger of two numbers, element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) { return std::max(a, b); }));

REGISTER_OPERATION(MIN)
    .Doc("The smaller of two numbers, element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) { return std::min(a, b); }));

int64_t PowerOf(int64_t base, int64_t exponent) {
  const double power = std::pow(static_cast<double>(base), static_cast<double>(exponent));
  return std::fabs(power) < INT32_MAX ? static_cast<int64_t>(power) : NNADAPTER_UNKNOWN;
}

REGISTER_OPERATION(POW)
    .Doc("output = input0 ^ input1, element by element.")
    .Like(Arithmetic(PowerOf));

REGISTER_OPERATION(EQUAL)
    .Doc("output = input0 == input1, element by element.")
    .Like(Comparison(kAny));

REGISTER_OPERATION(NOT_EQUAL)
    .Doc("output = input0 != input1, element by element.")
    .Like(Comparison(kAny));

REGISTER_OPERATION(GREATER)
    .Doc("output = input0 > input1, element by element.")
    .Like(Comparison(kAny));

REGISTER_OPERATION(GREATER_EQUAL)
    .Doc("output = input0 >= input1, element by element.")
    .Like(Comparison(kAny));

REGISTER_OPERATION(LESS)
    .Doc("output = input0 < input1, element by element.")
    .Like(Comparison(kAny));

REGISTER_OPERATION(LESS_EQUAL)
    .Doc("output = input0 <= input1, element by element.")
    .Like(Comparison(kAny));

REGISTER_OPERATION(AND)
    .Doc("output = input0 && input1, element by element.")
    .Like(Comparison(kBool));

REGISTER_OPERATION(OR)
    .Doc("output = input0 || input1, element by element.")
    .Like(Comparison(kBool));

REGISTER_OPERATION(XOR)
    .Doc(
        "output = true where one of input0 and input1 is and the other is not, element by element.")
    .Like(Comparison(kBool));

REGISTER_OPERATION(NOT).Doc("output = !input, element by element.").Like(Unary(kBool));

REGISTER_OPERATION(WHERE)
    .Doc("output = condition ? input0 : input1, element by element.")
    .Input("condition", kBool, "which of the two")
    .Input("input0", kAny, "a tensor")
    .Input("input1", kAny, "a tensor of the type of input0")
    .Output("output", "of the type of input0 and the shape that numpy broadcasting gives")
    .Infer([](InferContext& c) {
      const int32_t a = c.Precision("input0"), b = c.Precision("input1");
      c.Require(a == b, "input0 is ", PrecisionName(a), " and input1 is ", PrecisionName(b),
                ", expected one type");
      const Dims chosen = BroadcastDims(c, c.DimsOf("input0"), c.DimsOf("input1"));
      c.SetOutput("output", a, BroadcastDims(c, c.DimsOf("condition"), chosen));
    });

}  // namespace
}  // namespace nnadapter::runtime
