#include "lite/nnadapter/runtime/operation/elementwise.h"
#include "lite/nnadapter/runtime/operation/pool.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(AVERAGE_POOL_2D)
    .Doc(
        "The average of the elements in windows over images. In ceil_mode a window that reaches "
        "beyond the padded image is clipped at its edge.")
    .Like(DeclarePool)
    .Bool("count_include_pad", "whether padding counts as elements of value 0")
    .Like(DeclareFuseCode)
    .Output("output", "[N, C, H_out, W_out] of the type of input")
    .Infer([](InferContext& c) {
      c.Bool("count_include_pad");
      c.SetOutput("output", c.Precision("input"), PoolDims(c));
    });

}  // namespace
}  // namespace nnadapter::runtime
