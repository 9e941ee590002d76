// Convolutions.
#include <optional>

#include "lite/nnadapter/runtime/operation/elementwise.h"
#include "lite/nnadapter/runtime/operation/operands.h"
#include "lite/nnadapter/runtime/operation/shape_list.h"
#include "lite/nnadapter/runtime/operation/window.h"

namespace nnadapter::runtime {

INFER(CONV_2D) {
  RequireImages(c, "input");
  RequireImages(c, "filter");
  RequireSameReal(c, "filter", "input");
  RequireSameReal(c, "bias", "input");
  CheckFuseCode(c);
  const Dims input = c.DimsOf("input"), filter = c.DimsOf("filter");
  const int64_t group = GroupOf(c);
  if (filter[1] != NNADAPTER_UNKNOWN)
    RequireDim(c, input[1], filter[1] * group, "the number of input's channels");
  c.Require(filter[0] == NNADAPTER_UNKNOWN || (filter[0] > 0 && filter[0] % group == 0),
            "filter has shape ", DimsText(filter), ", expected a multiple of group ", group,
            " filters");
  RequireCount(c, "bias", filter[0]);
  Dims output{input[0], filter[0], 0, 0};
  for (size_t axis = 0; axis < 2; ++axis) {
    c.Require(filter[axis + 2] != 0, "filter has shape ", DimsText(filter), ", which is empty");
    const Window window = WindowOf(c, axis, input[axis + 2], filter[axis + 2], true);
    output[axis + 2] = WindowCount(c, window, input[axis + 2], false);
  }
  c.SetOutput("output", c.Precision("input"), output);
}

namespace {

// Two numbers, or none.
std::vector<int64_t> OptionalPair(const InferContext& c, const char* name) {
  const std::vector<int64_t> values = c.Has(name) ? c.Ints(name) : std::vector<int64_t>{};
  if (!values.empty()) PairOf(c, name, 0);
  return values;
}

// What output_shape asks for along each axis: nothing, or a number that may be unknown.
std::array<std::optional<int32_t>, 2> WantedShape(const InferContext& c) {
  if (!c.Has("output_shape")) return {};
  const auto values = c.Values("output_shape");
  if (!values) return {NNADAPTER_UNKNOWN, NNADAPTER_UNKNOWN};
  if (values->empty()) return {};
  c.Require(values->size() == 2, "output_shape has ", values->size(),
            " numbers, expected none or 2: height and width");
  for (const int32_t value : *values)
    c.Require(value > 0 || value == NNADAPTER_UNKNOWN, "output_shape has ", value,
              ", expected positive numbers");
  return {(*values)[0], (*values)[1]};
}

int32_t OutputDim(const InferContext& c, const Window& w, int32_t input,
                  std::optional<int32_t> wanted, int64_t extra) {
  if (wanted == NNADAPTER_UNKNOWN) return NNADAPTER_UNKNOWN;
  if (input == NNADAPTER_UNKNOWN || w.kernel == NNADAPTER_UNKNOWN)
    return wanted.value_or(NNADAPTER_UNKNOWN);
  const int64_t least = (input - 1) * w.stride - w.pad_before - w.pad_after + w.span();
  if (wanted) {
    c.Require(*wanted >= least && *wanted < least + w.stride, "output_shape has ", *wanted,
              ", expected a number in [", least, ", ", least + w.stride, ") for ", input,
              " input elements");
    return *wanted;
  }
  c.Require(extra < std::max(w.stride, w.dilation), "output_padding has ", extra,
            ", expected less than the stride ", w.stride, " or the dilation ", w.dilation);
  c.Require(least + extra > 0, "pads ", w.pad_before, " and ", w.pad_after, " leave nothing of ",
            input, " input elements");
  return ToDim(c, least + extra);
}

}  // namespace

INFER(CONV_2D_TRANSPOSE) {
  RequireImages(c, "input");
  RequireImages(c, "filter");
  RequireSameReal(c, "filter", "input");
  RequireSameReal(c, "bias", "input");
  CheckFuseCode(c);
  const Dims input = c.DimsOf("input"), filter = c.DimsOf("filter");
  const int64_t group = GroupOf(c);
  RequireDim(c, input[1], filter[0], "the number of input's channels");
  c.Require(input[1] == NNADAPTER_UNKNOWN || input[1] % group == 0, "input has shape ",
            DimsText(input), ", expected a multiple of group ", group, " channels");
  const int32_t channels =
      filter[1] == NNADAPTER_UNKNOWN ? NNADAPTER_UNKNOWN : ToDim(c, filter[1] * group);
  RequireCount(c, "bias", channels);
  const auto extra = OptionalPair(c, "output_padding");
  const auto wanted = WantedShape(c);
  Dims output{input[0], channels, 0, 0};
  for (size_t axis = 0; axis < 2; ++axis) {
    c.Require(filter[axis + 2] != 0 && input[axis + 2] != 0, "input has shape ", DimsText(input),
              " and filter ", DimsText(filter), ", expected no empty ones");
    const Window window = WindowOf(c, axis, input[axis + 2], filter[axis + 2], true);
    output[axis + 2] =
        OutputDim(c, window, input[axis + 2], wanted[axis], extra.empty() ? 0 : extra[axis]);
  }
  c.SetOutput("output", c.Precision("input"), output);
}

namespace {

// Throws unless the operand is [N, channels, H_out, W_out].
void RequireMap(const InferContext& c, const char* name, const Dims& output, int64_t channels) {
  if (!c.Has(name)) return;
  RequireImages(c, name);
  RequireSameReal(c, name, "input");
  const Dims dims = c.DimsOf(name);
  const int64_t wanted[] = {output[0], channels, output[2], output[3]};
  for (size_t i = 0; i < 4; ++i)
    c.Require(
        dims[i] == wanted[i] || dims[i] == NNADAPTER_UNKNOWN || wanted[i] == NNADAPTER_UNKNOWN,
        name, " has shape ", DimsText(dims), ", expected ", wanted[i], " along axis ", i);
}

}  // namespace

INFER(DEFORMABLE_CONV_2D) {
  for (const char* name : {"input", "filter", "offset"}) RequireImages(c, name);
  RequireSameReal(c, "filter", "input");
  RequireSameReal(c, "bias", "input");
  CheckFuseCode(c);
  const Dims input = c.DimsOf("input"), filter = c.DimsOf("filter");
  const int64_t group = GroupOf(c), parts = GroupOf(c, "deformable_group");
  if (filter[1] != NNADAPTER_UNKNOWN)
    RequireDim(c, input[1], filter[1] * group, "the number of input's channels");
  c.Require(filter[0] == NNADAPTER_UNKNOWN || (filter[0] > 0 && filter[0] % group == 0),
            "filter has shape ", DimsText(filter), ", expected a multiple of group ", group,
            " filters");
  c.Require(input[1] == NNADAPTER_UNKNOWN || input[1] % parts == 0, "input has ", input[1],
            " channels, expected a multiple of deformable_group ", parts);
  RequireCount(c, "bias", filter[0]);
  Dims output{input[0], filter[0], 0, 0};
  for (size_t axis = 0; axis < 2; ++axis) {
    c.Require(filter[axis + 2] != 0, "filter has shape ", DimsText(filter), ", which is empty");
    const Window window = WindowOf(c, axis, input[axis + 2], filter[axis + 2], true);
    output[axis + 2] = WindowCount(c, window, input[axis + 2], false);
  }
  const int64_t taps = Product(filter, 2, 4);
  const bool known = taps != NNADAPTER_UNKNOWN;
  c.Require(!known || taps <= INT32_MAX / parts / 2, "filter has shape ", DimsText(filter),
            ", which is too large");
  RequireMap(c, "offset", output, known ? 2 * parts * taps : taps);
  RequireMap(c, "mask", output, known ? parts * taps : taps);
  c.SetOutput("output", c.Precision("input"), output);
}

}  // namespace nnadapter::runtime
