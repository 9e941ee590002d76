#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {
namespace {

void Infer(InferContext& c) {
  const Dims input = c.DimsOf("input"), weight = c.DimsOf("weight");
  c.Require(input.size() >= 2, "input has shape ", DimsText(input), ", expected rank 2 or more");
  c.Require(weight.size() == 2, "weight has shape ", DimsText(weight),
            ", expected [num_units, input_size]");
  RequireSameReal(c, "weight", "input");
  RequireSameReal(c, "bias", "input");
  CheckFuseCode(c);
  RequireCount(c, "bias", weight[0]);
  const int64_t elements = Product(input, 0, input.size());
  int32_t batch = NNADAPTER_UNKNOWN;
  if (input.size() == 2) {
    RequireDim(c, input[1], weight[1], "the number of input's columns");
    batch = input[0];
  } else if (elements != NNADAPTER_UNKNOWN && weight[1] != NNADAPTER_UNKNOWN) {
    c.Require(weight[1] != 0 && elements % weight[1] == 0, "input has shape ", DimsText(input),
              ", expected rows of ", weight[1], " elements");
    batch = ToDim(c, elements / weight[1]);
  }
  c.SetOutput("output", c.Precision("input"), {batch, weight[0]});
}

REGISTER_OPERATION(FULLY_CONNECTED)
    .Doc(
        "output = activation(input * transposed weight + bias), input taken as rows of input_size "
        "elements.")
    .Input("input", kFloats | kQuantized, "a tensor of rank 2 or more")
    .Input("weight", kFloats | kQuantized,
           "[num_units, input_size]; of a quantised one the scales are per layer or per unit")
    .OptionalInput("bias", kFloats | kQuantized, "[num_units]")
    .Like(DeclareFuseCode)
    .Output("output", "[rows, num_units] of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
