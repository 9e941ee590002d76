#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(ASSIGN)
    .Doc("Copies a tensor.")
    .Input("input", kAny, "a tensor")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
      PassValues(c, "input", "output", static_cast<size_t>(c.Rank("input")));
    });

}  // namespace
}  // namespace nnadapter::runtime
