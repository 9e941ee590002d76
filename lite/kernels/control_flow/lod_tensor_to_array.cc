// `lod_tensor_to_array`: a list whose tensor t has the t-th part of each sequence that has one, in
// the order of a rank table; array_to_lod_tensor: such a list as the tensor of sequences that it
// was.
#include "lite/core/base/errors.h"
#include "lite/core/infer_context.h"
#include "lite/kernels/control_flow/list.h"
#include "lite/kernels/control_flow/rank_table.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

void RunToArray(KernelContext& c) {
  const Tensor& x = TensorInput(c, "X");
  const RankTable table = ReadRankTable(c, "RankTable");
  CheckLoD(x.meta(), "X");
  const size_t level = table.coarse.size();
  if (level >= x.lod().size() || SequenceCount(x.lod()[level]) != table.count())
    throw ShapeError(StrCat("input X has a LoD of ", x.lod().size(), " levels, expected ",
                            table.count(), " sequences in level ", level, " as in RankTable"));
  const Offsets& offsets = x.lod()[level];
  TensorList list;
  const int64_t steps = table.steps();
  for (int64_t step = 0; step < steps; ++step) {
    Joined parts;
    const int64_t running = table.Running(step);
    for (int64_t i = 0; i < running; ++i) {
      const RankTable::Item& item = table.items[static_cast<size_t>(i)];
      const int64_t at = static_cast<int64_t>(offsets[static_cast<size_t>(item.index)]) + step;
      parts.Add(x, RowsOf(x.lod(), level + 1, at, at + 1));
    }
    Tensor made;
    parts.Write({}, &made);
    list = list.With(static_cast<size_t>(step), std::move(made));
  }
  c.Output("Out") = ListTensor(std::move(list));
}

void RunFromArray(KernelContext& c) {
  const TensorList& list = ListInput(c, "X");
  const RankTable table = ReadRankTable(c, "RankTable");
  const int64_t steps = table.steps();
  if (static_cast<size_t>(steps) > list.size())
    throw ShapeError(StrCat("RankTable has a sequence of ", steps, " parts, the list X has ",
                            list.size(), " tensors"));
  for (int64_t step = 0; step < steps; ++step) {
    const Tensor& from = list[static_cast<size_t>(step)];
    if (!from.has_value() || from.list() != nullptr)
      throw LiteError(StrCat("position ", step, " of the list X has not been written"));
    CheckLoD(from.meta(), "X");
  }
  std::vector<size_t> places(table.items.size());  // of each sequence in the table
  for (size_t i = 0; i < places.size(); ++i) places[static_cast<size_t>(table.items[i].index)] = i;
  Joined parts;
  LoD above = table.coarse;
  Offsets offsets{0};
  for (const size_t place : places) {
    const int64_t length = table.items[place].length;
    offsets.push_back(offsets.back() + static_cast<uint64_t>(length));
    for (int64_t step = 0; step < length; ++step) {
      const Tensor& from = list[static_cast<size_t>(step)];
      const auto at = static_cast<int64_t>(place);
      parts.Add(from, RowsOf(from.lod(), 0, at, at + 1));
    }
  }
  above.push_back(std::move(offsets));
  parts.Write(std::move(above), &c.Output("Out"));
}

REGISTER_LITE_OP(lod_tensor_to_array)
    .Input("X")
    .Input("RankTable")
    .Output("Out")
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(lod_tensor_to_array, kHost, kAny, kNCHW, RunToArray, def);

REGISTER_LITE_OP(array_to_lod_tensor)
    .Input("X")
    .Input("RankTable")
    .Output("Out")
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(array_to_lod_tensor, kHost, kAny, kNCHW, RunFromArray, def);

}  // namespace
}  // namespace paddle::lite
