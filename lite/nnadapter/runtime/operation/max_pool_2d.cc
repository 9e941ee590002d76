#include "lite/nnadapter/runtime/operation/elementwise.h"
#include "lite/nnadapter/runtime/operation/pool.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(MAX_POOL_2D)
    .Doc("The largest element in windows over images.")
    .Like(DeclarePool)
    .Bool("return_indices", "whether output indices is wanted")
    .Int("return_indices_dtype", "the type of indices: NNADAPTER_INT32 or NNADAPTER_INT64")
    .Like(DeclareFuseCode)
    .Output("output", "[N, C, H_out, W_out] of the type of input")
    .OptionalOutput("indices", "where in its plane [H, W] each element was, of the shape of output")
    .Infer([](InferContext& c) {
      const Dims dims = PoolDims(c);
      // Who wants no indices may leave their type at 0.
      const bool wanted = c.Bool("return_indices") || c.HasOutput("indices");
      c.SetOutput("output", c.Precision("input"), dims);
      if (wanted) c.SetOutput("indices", IndexPrecision(c, "return_indices_dtype"), dims);
    });

}  // namespace
}  // namespace nnadapter::runtime
