// Products of matrices.
#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {

namespace {

// An operand as matrices [batch..., rows, columns], transposed where asked for; a list is one row
// (x) or one column (y), which no transposition changes.
Dims MatrixDims(const InferContext& c, const char* name, const char* transpose) {
  Dims dims = c.DimsOf(name);
  c.Require(!dims.empty(), name, " has rank 0, expected rank 1 or more");
  if (dims.size() == 1)
    dims.insert(name[0] == 'x' ? dims.begin() : dims.end(), 1);
  else if (c.Bool(transpose))
    std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  return dims;
}

}  // namespace

INFER(MAT_MUL) {
  RequireSameReal(c, "y", "x");
  const Dims x = MatrixDims(c, "x", "transpose_x"), y = MatrixDims(c, "y", "transpose_y");
  c.Require(x.back() == y[y.size() - 2] || x.back() == NNADAPTER_UNKNOWN ||
                y[y.size() - 2] == NNADAPTER_UNKNOWN,
            "x of shape ", DimsText(c.DimsOf("x")), " and y of shape ", DimsText(c.DimsOf("y")),
            " are multiplied over ", x.back(), " and ", y[y.size() - 2], " elements");
  Dims output = BroadcastDims(c, Dims(x.begin(), x.end() - 2), Dims(y.begin(), y.end() - 2));
  if (c.Rank("x") > 1) output.push_back(x[x.size() - 2]);
  if (c.Rank("y") > 1) output.push_back(y.back());
  c.SetOutput("output", c.Precision("x"), output);
}

INFER(FULLY_CONNECTED) {
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

}  // namespace nnadapter::runtime
