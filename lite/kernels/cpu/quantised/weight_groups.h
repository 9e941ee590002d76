// What matmul_nbits and expert_matmul share: integers Y [..., N, blocks, bytes of a block] with
// scales and zero points [..., blocks, N], of one matrix or of one for each expert.
#pragma once

#include <cstdint>
#include <memory>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/integer_weights.h"

namespace paddle::lite {

// A DataTypeError or ShapeError where an input is other than that.
void RequireInput(const InferContext& c, const char* slot, DataType type, const DDim& dims);

// Checks bits, block_size, Y, Scales and ZeroPoints for X's rows of k; `experts` has one more
// dimension.
void RequireWeightGroups(const InferContext& c, int64_t k, bool experts);

// Of Y's matrix with this index.
math::PackedGroups PackWeightGroups(const KernelContext& c, int64_t matrix = 0);

// Of a whole Y, made once of that and its scales; null where something is not constant.
template <typename Packed, typename Pack>
std::shared_ptr<const Packed> PackedWeightGroups(KernelContext& c, const char* name, Pack&& pack) {
  const std::string form = StrCat(name, " of ", c.Attr<int>("bits"), " bits ", math::IsaName());
  return c.PackedInput<Packed>("Y", {"Scales", "ZeroPoints"}, form, pack);
}

// out = epilogue(x * weights), of x in bytes where accuracy_level is 4.
void MultiplyWeightGroups(const KernelContext& c, int64_t m, int64_t k, const float* x,
                          const math::PackedGroups& weights, float* out,
                          const math::Epilogue& epilogue);

}  // namespace paddle::lite
