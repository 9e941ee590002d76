// Functions of each element.
#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(ABS)
    .Doc("output = |input|, element by element.")
    .Like(Unary(kFloats | kIndex | kQuantized));

REGISTER_OPERATION(COS).Doc("The cosine, element by element.").Like(Unary(kFloats | kQuantized));

REGISTER_OPERATION(EXP)
    .Doc("output = e^input, element by element.")
    .Like(Unary(kFloats | kQuantized));

REGISTER_OPERATION(FLOOR)
    .Doc("The largest integer that is not above input, element by element.")
    .Like(Unary(kFloats | kQuantized));

REGISTER_OPERATION(LOG)
    .Doc("The natural logarithm, element by element.")
    .Like(Unary(kFloats | kQuantized));

REGISTER_OPERATION(RSQRT)
    .Doc("output = 1 / sqrt(input), element by element.")
    .Like(Unary(kFloats | kQuantized));

REGISTER_OPERATION(SIN).Doc("The sine, element by element.").Like(Unary(kFloats | kQuantized));

REGISTER_OPERATION(SQUARE)
    .Doc("output = input * input, element by element.")
    .Like(Unary(kFloats | kIndex | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
