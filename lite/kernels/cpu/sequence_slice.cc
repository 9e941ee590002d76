#include <algorithm>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferSequenceSlice(InferContext& c) {
  const Offsets& offsets = OnlyOffsets(c.Input("X"), "X");
  for (const char* slot : {"Offset", "Length"})
    c.Require(c.Dims(slot).production() == SequenceCount(offsets), "input ", slot, " has shape ",
              c.Dims(slot), ", expected a number for each of ", SequenceCount(offsets),
              " sequences");
}

void RunSequenceSlice(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Offsets& from = OnlyOffsets(x.meta(), "X");
  const auto starts = ReadInts(c.Input("Offset"), "Offset");
  const auto lengths = ReadInts(c.Input("Length"), "Length");
  Offsets offsets{0};
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto rows = static_cast<int64_t>(from[i + 1] - from[i]);
    if (starts[i] < 0 || lengths[i] <= 0 || starts[i] > rows || lengths[i] > rows - starts[i])
      throw ShapeError(StrCat("inputs Offset and Length ask for ", lengths[i], " rows from row ",
                              starts[i], " of sequence ", i, ", which has ", rows));
    offsets.push_back(offsets.back() + static_cast<uint64_t>(lengths[i]));
  }
  Tensor& out = c.Output("Out");
  out.Allocate(WithRows(x.dims(), static_cast<int64_t>(offsets.back())), x.dtype());
  char* to = MutableBytes(out);
  for (size_t i = 0; i < starts.size(); ++i) {
    const char* first = Bytes(x) + (from[i] + static_cast<uint64_t>(starts[i])) * RowBytes(x);
    to = std::copy(first, first + static_cast<uint64_t>(lengths[i]) * RowBytes(x), to);
  }
  out.set_lod({offsets});
}

REGISTER_LITE_OP(sequence_slice)
    .Input("X")
    .Input("Offset")
    .Input("Length")
    .Output("Out")
    .InferShape(InferSequenceSlice)
    .DataDependent();
REGISTER_LITE_FUNCTION(sequence_slice, kHost, kAny, kNCHW, RunSequenceSlice, def);

}  // namespace
}  // namespace paddle::lite
