// slice and strided_slice: Paddle's rules for indexes beyond the ends become plain indexes, and the
// dimensions of decrease_axis go away.
#include <algorithm>
#include <set>

#include "lite/kernels/nnadapter/converter.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

std::vector<int64_t> Numbers(Conversion& c, const char* list, const char* tensor,
                             const char* attr) {
  const std::vector<Operand*> operands = c.Inputs(list);
  std::vector<int64_t> numbers;
  for (const Operand* operand : operands)
    for (int64_t number : c.ConstantInts(operand)) numbers.push_back(number);
  if (!operands.empty()) return numbers;
  if (Operand* operand = c.InputOrNull(tensor)) return c.ConstantInts(operand);
  return c.Ints(attr);
}

std::vector<int64_t> Canonical(Conversion& c, const std::vector<int64_t>& axes, int rank) {
  std::set<int64_t> seen;
  std::vector<int64_t> canonical;
  for (int64_t axis : axes) {
    if (axis < -rank || axis >= rank)
      c.Refuse(StrCat("axis ", axis, " is outside of ", rank, " dimensions"));
    canonical.push_back(axis < 0 ? axis + rank : axis);
    if (!seen.insert(canonical.back()).second)
      c.Refuse(StrCat("its axes name dimension ", canonical.back(), " twice"));
  }
  return canonical;
}

struct Range {
  int64_t start, end, step;
};

// How many elements a range selects; NNADAPTER_UNKNOWN where the dimension is.
int64_t Forward(Conversion& c, Range* range, int64_t dim) {
  if (dim == NNADAPTER_UNKNOWN) return dim;
  const auto position = [dim](int64_t i) {
    return std::clamp<int64_t>(i < 0 ? i + dim : i, 0, dim);
  };
  range->start = position(range->start);
  range->end = position(range->end);
  if (range->start >= range->end) c.Refuse("its result has no elements");
  return (range->end - range->start - 1) / range->step + 1;
}

// Paddle: an end of -1 with a negative stride is "down to the first element".
int64_t Backward(Conversion& c, Range* range, int64_t dim) {
  if (dim == NNADAPTER_UNKNOWN) throw NeedsKnown{};
  if (range->start < 0) range->start = std::max<int64_t>(range->start + dim, 0);
  if (range->end < -1) range->end = std::max<int64_t>(range->end + dim, 0);
  range->start = std::min(range->start, dim - 1);
  if (range->start <= range->end) c.Refuse("its result has no elements");
  const int64_t step = -std::max<int64_t>(range->step, -dim - 1);
  const int64_t size = (range->start - range->end - 1) / step + 1;
  if (range->end < 0) range->end = -dim - 1;  // SLICE counts -1 from the end
  return size;
}

void Emit(Conversion& c, const std::vector<int64_t>& steps) {
  Operand* x = c.Input("Input");
  std::vector<int64_t> sizes = c.Dims(x);
  const auto rank = static_cast<int>(sizes.size());
  const std::vector<int64_t> axes = Canonical(c, c.Ints("axes"), rank);
  std::vector<int64_t> starts = Numbers(c, "StartsTensorList", "StartsTensor", "starts");
  std::vector<int64_t> ends = Numbers(c, "EndsTensorList", "EndsTensor", "ends");
  if (starts.size() != axes.size() || ends.size() != axes.size() || steps.size() != axes.size())
    c.Refuse(StrCat("it has ", axes.size(), " axes, ", starts.size(), " starts and ", ends.size(),
                    " ends"));
  if (axes.empty()) c.Refuse("it has no axes");
  for (size_t i = 0; i < axes.size(); ++i) {
    if (steps[i] == 0) c.Refuse("one of its strides is 0");
    int64_t& dim = sizes[static_cast<size_t>(axes[i])];
    Range range{starts[i], ends[i], steps[i]};
    dim = steps[i] > 0 ? Forward(c, &range, dim) : Backward(c, &range, dim);
    starts[i] = range.start;
    ends[i] = range.end;
  }
  const std::vector<int64_t> dropped = Canonical(c, c.Ints("decrease_axis"), rank);
  for (int64_t axis : dropped)
    if (sizes[static_cast<size_t>(axis)] > 1)
      c.Refuse(StrCat("it drops dimension ", axis, ", which has ", sizes[static_cast<size_t>(axis)],
                      " elements"));
  const std::vector<Operand*> inputs = {x, c.Int32s(axes), c.Int32s(starts), c.Int32s(ends),
                                        c.Int32s(steps)};
  if (dropped.empty()) return c.EmitTo({"Out"}, NNADAPTER_SLICE, inputs);
  Operand* part = c.EmitOne(NNADAPTER_SLICE, inputs);
  if (dropped.size() == sizes.size()) {
    Operand* number = rank == 1 ? part : Reshape(c, part, {1});
    number->zero_dim = c.op().type == "slice";  // strided_slice keeps one dimension
    return c.SetOutput("Out", number);
  }
  c.EmitTo({"Out"}, NNADAPTER_SQUEEZE, {part, c.Int32s(dropped)});
}

void ConvertSlice(Conversion& c) { Emit(c, std::vector<int64_t>(c.Ints("axes").size(), 1)); }

void ConvertStridedSlice(Conversion& c) {
  Emit(c, Numbers(c, "StridesTensorList", "StridesTensor", "strides"));
}

REGISTER_NNADAPTER_CONVERTER(slice, ConvertSlice);
REGISTER_NNADAPTER_CONVERTER(strided_slice, ConvertStridedSlice);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
