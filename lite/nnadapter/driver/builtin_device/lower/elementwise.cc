// Functions of each element, of one tensor and of two.
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

// input0 op input1, then the activation.
void LowerArithmetic(Lowering& l, const char* type) {
  l.EmitFused(type, {{"X", {l.In("input0")}}, {"Y", {l.In("input1")}}}, "Out", "output");
}

// The same without an activation.
void LowerComparison(Lowering& l, const char* type) {
  l.Emit(type, {{"X", {l.In("input0")}}, {"Y", {l.In("input1")}}}, {{"Out", {l.Out("output")}}});
}

REGISTER_LOWERING(ADD, [](Lowering& l) { LowerArithmetic(l, "elementwise_add"); });
REGISTER_LOWERING(SUB, [](Lowering& l) { LowerArithmetic(l, "elementwise_sub"); });
REGISTER_LOWERING(MUL, [](Lowering& l) { LowerArithmetic(l, "elementwise_mul"); });
REGISTER_LOWERING(DIV, [](Lowering& l) { LowerArithmetic(l, "elementwise_div"); });
REGISTER_LOWERING(FLOOR_DIV, [](Lowering& l) { LowerArithmetic(l, "elementwise_floordiv"); });
REGISTER_LOWERING(MAX, [](Lowering& l) { LowerArithmetic(l, "elementwise_max"); });
REGISTER_LOWERING(MIN, [](Lowering& l) { LowerArithmetic(l, "elementwise_min"); });
REGISTER_LOWERING(POW, [](Lowering& l) { LowerArithmetic(l, "elementwise_pow"); });
REGISTER_LOWERING(EQUAL, [](Lowering& l) { LowerComparison(l, "equal"); });
REGISTER_LOWERING(NOT_EQUAL, [](Lowering& l) { LowerComparison(l, "not_equal"); });
REGISTER_LOWERING(GREATER, [](Lowering& l) { LowerComparison(l, "greater_than"); });
REGISTER_LOWERING(GREATER_EQUAL, [](Lowering& l) { LowerComparison(l, "greater_equal"); });
REGISTER_LOWERING(LESS, [](Lowering& l) { LowerComparison(l, "less_than"); });
REGISTER_LOWERING(LESS_EQUAL, [](Lowering& l) { LowerComparison(l, "less_equal"); });
REGISTER_LOWERING(AND, [](Lowering& l) { LowerComparison(l, "logical_and"); });
REGISTER_LOWERING(OR, [](Lowering& l) { LowerComparison(l, "logical_or"); });
REGISTER_LOWERING(XOR, [](Lowering& l) { LowerComparison(l, "logical_xor"); });
REGISTER_LOWERING(NOT, [](Lowering& l) { LowerUnary(l, "logical_not"); });

REGISTER_LOWERING(WHERE, [](Lowering& l) {
  l.Emit("where",
         {{"Condition", {l.In("condition")}}, {"X", {l.In("input0")}}, {"Y", {l.In("input1")}}},
         {{"Out", {l.Out("output")}}}, {{"broadcast", true}});
});

REGISTER_LOWERING(ABS, [](Lowering& l) { LowerUnary(l, "abs"); });
REGISTER_LOWERING(COS, [](Lowering& l) { LowerUnary(l, "cos"); });
REGISTER_LOWERING(EXP, [](Lowering& l) { LowerUnary(l, "exp"); });
REGISTER_LOWERING(FLOOR, [](Lowering& l) { LowerUnary(l, "floor"); });
REGISTER_LOWERING(LOG, [](Lowering& l) { LowerUnary(l, "log"); });
REGISTER_LOWERING(RSQRT, [](Lowering& l) { LowerUnary(l, "rsqrt"); });
REGISTER_LOWERING(SIN, [](Lowering& l) { LowerUnary(l, "sin"); });
REGISTER_LOWERING(SQUARE, [](Lowering& l) { LowerUnary(l, "square"); });

}  // namespace
}  // namespace nnadapter::builtin_device
