// `shrink_rnn_memory`: the first sequences of X, those that have a part at step I;
// reorder_lod_tensor_by_rank: the sequences of X (its rows, where it has no LoD) in a table's
// order.
#include "lite/core/base/errors.h"
#include "lite/core/infer_context.h"
#include "lite/kernels/control_flow/list.h"
#include "lite/kernels/control_flow/rank_table.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

void RunShrink(KernelContext& c) {
  const Tensor& x = TensorInput(c, "X");
  CheckLoD(x.meta(), "X");
  Joined part;
  part.Add(x, RowsOf(x.lod(), 0, 0, ReadRankTable(c, "RankTable").Running(IndexInput(c, "I"))));
  part.Write({}, &c.Output("Out"));
}

void RunReorder(KernelContext& c) {
  const Tensor& x = TensorInput(c, "X");
  const RankTable table = ReadRankTable(c, "RankTable");
  CheckLoD(x.meta(), "X");
  const int64_t rows = x.dims().empty() ? 0 : x.dims()[0];
  const int64_t count = x.lod().empty() ? rows : SequenceCount(x.lod()[0]);
  if (count != table.count())
    throw ShapeError(StrCat("input X of shape ", x.dims(), " has ", count, " sequences, RankTable ",
                            table.count()));
  Joined parts;
  for (const RankTable::Item& item : table.items)
    parts.Add(x, RowsOf(x.lod(), 0, item.index, item.index + 1));
  parts.Write({}, &c.Output("Out"));
}

REGISTER_LITE_OP(shrink_rnn_memory)
    .Input("X")
    .Input("RankTable")
    .Input("I")
    .Output("Out")
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(shrink_rnn_memory, kHost, kAny, kNCHW, RunShrink, def);

REGISTER_LITE_OP(reorder_lod_tensor_by_rank)
    .Input("X")
    .Input("RankTable")
    .Output("Out")
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(reorder_lod_tensor_by_rank, kHost, kAny, kNCHW, RunReorder, def);

}  // namespace
}  // namespace paddle::lite
