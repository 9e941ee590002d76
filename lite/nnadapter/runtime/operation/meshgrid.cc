#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(MESHGRID)
    .Doc("Grids of coordinates: output i repeats input i along all axes but its own.")
    .Inputs("input", kAny, "lists of one type")
    .Outputs("output", "as many as inputs, of the shape [length of input0, length of input1, ...]")
    .Infer([](InferContext& c) {
      const size_t count = c.Count("input");
      c.Require(c.OutputCount("output") == count, "there are ", count, " inputs and ",
                c.OutputCount("output"), " outputs, expected as many");
      c.Require(count <= NNADAPTER_MAX_SIZE_OF_DIMENSIONS, "there are ", count,
                " inputs, at most 8 are possible");
      Dims dims;
      for (size_t i = 0; i < count; ++i) {
        const Dims input = c.DimsOf("input", i);
        c.Require(input.size() <= 1, "input", i, " has shape ", DimsText(input),
                  ", expected one dimension");
        dims.push_back(input.empty() ? 1 : input[0]);
      }
      for (size_t i = 0; i < count; ++i) c.SetOutput("output", c.Precision("input", i), dims, i);
    });

}  // namespace
}  // namespace nnadapter::runtime
