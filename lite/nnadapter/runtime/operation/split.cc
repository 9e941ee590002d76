#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

void Infer(InferContext& c) {
  const Dims input = c.DimsOf("input");
  const int at = CanonicalAxis(c, c.Int("axis"), static_cast<int>(input.size()));
  const auto axis = static_cast<size_t>(at);
  std::vector<int64_t> lengths = c.Ints("split");
  c.Require(lengths.size() == c.OutputCount("output"), "split has ", lengths.size(),
            " numbers for ", c.OutputCount("output"), " outputs");
  int64_t sum = 0, *open = nullptr;
  for (int64_t& length : lengths) {
    c.Require(length <= INT32_MAX && (length >= 0 || (length == -1 && open == nullptr)),
              "split holds ", length, ", expected lengths and at most one -1");
    if (length < 0)
      open = &length;
    else
      sum += length;
  }
  const int32_t size = input[axis];
  if (size != kUnknown)
    c.Require(open != nullptr ? sum <= size : sum == size, "the lengths in split sum to ", sum,
              ", but dimension ", axis, " of input is ", size);
  if (open != nullptr) *open = size == kUnknown ? kUnknown : size - sum;
  const auto values = c.Values("input");
  size_t offset = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    Dims out = input;
    out[axis] = static_cast<int32_t>(lengths[i]);
    c.SetOutput("output", c.Precision("input"), out, i);
    if (!values || input.size() != 1 || values->size() != static_cast<size_t>(size) ||
        lengths[i] == kUnknown)
      continue;
    const auto from = values->begin() + static_cast<std::ptrdiff_t>(offset);
    c.SetValues("output", Dims(from, from + static_cast<std::ptrdiff_t>(lengths[i])), i);
    offset += static_cast<size_t>(lengths[i]);
  }
}

REGISTER_OPERATION(SPLIT)
    .Doc("Cuts a tensor into parts along an axis.")
    .Input("input", kAny, "a tensor")
    .Int("axis", "the axis in [-R, R)")
    .Ints("split", "the length of each part; they sum to the dimension, one may be -1: the rest")
    .Outputs("output", "as many as split has numbers, of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
