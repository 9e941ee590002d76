#include <algorithm>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence/sequence.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

void InferEmbeddingPool(InferContext& c) {
  const TensorMeta &w = c.Input("W"), &ids = c.Input("Ids");
  c.Require(w.dims.size() == 2, "input W has shape ", w.dims, ", expected two dimensions");
  c.Require(ids.dims.size() == 2 && ids.dims[1] == 1, "input Ids has shape ", ids.dims,
            ", expected a number in a row");
  if (c.Attr<std::string>("combiner") != "sum")
    throw LiteError(
        StrCat("attribute combiner is '", c.Attr<std::string>("combiner"), "', expected sum"));
  const int64_t rows = SequenceCount(OnlyOffsets(ids, "Ids"));
  c.SetOutput("Out", {rows, w.dims[1]}, w.dtype);
}

template <typename T>
void SumRowsOf(const KernelContext& c, T* to) {
  const Tensor &w = c.Input("W"), &ids = c.Input("Ids");
  const int64_t rows = w.dims()[0], width = w.dims()[1];
  const Offsets& offsets = OnlyOffsets(ids.meta(), "Ids");
  const std::vector<int64_t> numbers = IntValues(c, "Ids");
  const int64_t padding = c.Attr<int64_t>("padding_idx");
  for (size_t s = 0; s + 1 < offsets.size(); ++s, to += width) {
    std::fill_n(to, width, T{0});
    for (auto at = offsets[s]; at < offsets[s + 1]; ++at) {
      const int64_t id = numbers[at];
      if (id == padding && padding != -1) continue;
      if (id < 0 || id >= rows)
        throw ShapeError(StrCat("Ids has ", id, ", expected an index from 0 to ", rows - 1));
      const T* row = w.data<T>() + id * width;
      for (int64_t k = 0; k < width; ++k) to[k] += row[k];
    }
  }
}

void RunEmbeddingPool(KernelContext& c) {
  VisitFloat(c.Input("W").dtype(), "W", [&](auto zero) {
    using T = decltype(zero);
    SumRowsOf(c, c.Output("Out").mutable_data<T>());
  });
}

REGISTER_LITE_OP(fused_embedding_seq_pool)
    .Input("W")
    .Input("Ids")
    .Output("Out")
    .Attr<std::string>("combiner", "sum")
    .Attr<int64_t>("padding_idx", -1)
    .InferShape(InferEmbeddingPool);
REGISTER_LITE_FUNCTION(fused_embedding_seq_pool, kHost, kAny, kNCHW, RunEmbeddingPool, def);

}  // namespace
}  // namespace paddle::lite
