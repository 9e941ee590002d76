// Windows over images: how they slide; convolutions and poolings.
#include "lite/nnadapter/runtime/operation/window.h"

#include <algorithm>
#include <optional>

#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {
namespace {

constexpr int64_t kEnd = int64_t{1} << 31;

int64_t AutoPad(const InferContext& c) {
  if (!c.Declares("auto_pad")) return NNADAPTER_AUTO_PAD_NONE;
  const int64_t code = c.Int("auto_pad");
  c.Require(code >= NNADAPTER_AUTO_PAD_NONE && code <= NNADAPTER_AUTO_PAD_VALID, "auto_pad is ",
            code, ", expected 0 (pads), 1 (same) or 2 (valid)");
  return code;
}

std::array<int64_t, 4> Pads(const InferContext& c) {
  const std::vector<int64_t> pads = c.Has("pads") ? c.Ints("pads") : std::vector<int64_t>{};
  c.Require(pads.empty() || pads.size() == 4, "pads has ", pads.size(),
            " numbers, expected none or 4: top, bottom, left, right");
  std::array<int64_t, 4> result{};
  for (size_t i = 0; i < pads.size(); ++i) {
    c.Require(pads[i] >= 0 && pads[i] < kEnd, "pads has ", pads[i],
              ", expected numbers in [0, 2^31)");
    result[i] = pads[i];
  }
  return result;
}

}  // namespace

void RequireImages(const InferContext& c, const char* name) {
  c.Require(c.Rank(name) == 4, name, " has rank ", c.Rank(name), ", expected shape [N, C, H, W]");
  c.Require(c.Type(name).layout == NNADAPTER_NCHW, name, " has layout ",
            static_cast<int>(c.Type(name).layout), ", expected NCHW");
}

std::array<int64_t, 2> PairOf(const InferContext& c, const char* name, int64_t least) {
  const std::vector<int64_t> values = c.Ints(name);
  c.Require(values.size() == 2, name, " has ", values.size(),
            " numbers, expected 2: height and width");
  for (const int64_t value : values)
    c.Require(value >= least && value < kEnd, name, " has ", value, ", expected numbers in [",
              least, ", 2^31)");
  return {values[0], values[1]};
}

Window WindowOf(const InferContext& c, size_t axis, int32_t input, int64_t kernel, bool dilated) {
  Window window;
  window.kernel = kernel;
  window.stride = PairOf(c, "strides", 1)[axis];
  if (dilated) window.dilation = PairOf(c, "dilations", 1)[axis];
  const std::array<int64_t, 4> pads = Pads(c);
  const int64_t auto_pad = AutoPad(c);
  if (auto_pad == NNADAPTER_AUTO_PAD_NONE) {
    window.pad_before = pads[2 * axis];
    window.pad_after = pads[2 * axis + 1];
  } else if (auto_pad == NNADAPTER_AUTO_PAD_SAME) {
    window.dilation = 1;
    if (input == kUnknown) return window;
    const int64_t count = (input + window.stride - 1) / window.stride;
    const int64_t sum = std::max<int64_t>((count - 1) * window.stride + kernel - input, 0);
    window.pad_before = sum / 2;
    window.pad_after = sum - sum / 2;
  }
  return window;
}

int32_t WindowCount(const InferContext& c, const Window& w, int32_t input, bool ceil_mode) {
  if (input == kUnknown || w.kernel == kUnknown) return kUnknown;
  const int64_t room = input + w.pad_before + w.pad_after - w.span();
  c.Require(room >= 0, "a window of ", w.kernel, " elements with dilation ", w.dilation,
            " does not fit into ", input, " elements with pads ", w.pad_before, " and ",
            w.pad_after);
  return ToDim(c, (room + (ceil_mode ? w.stride - 1 : 0)) / w.stride + 1);
}

namespace {

// [N, filters, H_out, W_out] of a convolution; checks all that is said of its images and filters.
Dims ConvolvedDims(const InferContext& c) {
  for (const char* name : {"input", "filter"}) RequireImages(c, name);
  for (const char* name : {"filter", "bias"}) RequireSameReal(c, name, "input");
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
  return output;
}

}  // namespace

INFER(CONV_2D) { c.SetOutput("output", c.Precision("input"), ConvolvedDims(c)); }

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
  RequireImages(c, "offset");
  const Dims output = ConvolvedDims(c), input = c.DimsOf("input"), filter = c.DimsOf("filter");
  const int64_t parts = GroupOf(c, "deformable_group");
  c.Require(input[1] == NNADAPTER_UNKNOWN || input[1] % parts == 0, "input has ", input[1],
            " channels, expected a multiple of deformable_group ", parts);
  const int64_t taps = Product(filter, 2, 4);
  const bool known = taps != NNADAPTER_UNKNOWN;
  c.Require(!known || taps <= INT32_MAX / parts / 2, "filter has shape ", DimsText(filter),
            ", which is too large");
  RequireMap(c, "offset", output, known ? 2 * parts * taps : taps);
  RequireMap(c, "mask", output, known ? parts * taps : taps);
  c.SetOutput("output", c.Precision("input"), output);
}

namespace {

Dims PoolDims(const InferContext& c) {
  RequireImages(c, "input");
  CheckFuseCode(c);
  Dims dims = c.DimsOf("input");
  const std::array<int64_t, 2> kernel = PairOf(c, "kernel_shape", 1);
  for (size_t axis = 0; axis < 2; ++axis) {
    const int32_t input = dims[axis + 2];
    const Window window = WindowOf(c, axis, input, kernel[axis], false);
    dims[axis + 2] = WindowCount(c, window, input, c.Bool("ceil_mode"));
  }
  return dims;
}

Dims AdaptivePoolDims(const InferContext& c) {
  RequireImages(c, "input");
  const std::array<int64_t, 2> shape = PairOf(c, "output_shape", 1);
  Dims dims = c.DimsOf("input");
  for (size_t axis = 0; axis < 2; ++axis) {
    c.Require(dims[axis + 2] != 0, "input has shape ", DimsText(dims), ", which has no elements");
    dims[axis + 2] = static_cast<int32_t>(shape[axis]);
  }
  return dims;
}

}  // namespace

INFER(AVERAGE_POOL_2D) {
  c.Bool("count_include_pad");
  c.SetOutput("output", c.Precision("input"), PoolDims(c));
}

INFER(MAX_POOL_2D) {
  const Dims dims = PoolDims(c);
  // Who wants no indices may leave their type at 0.
  const bool wanted = c.Bool("return_indices") || c.HasOutput("indices");
  c.SetOutput("output", c.Precision("input"), dims);
  if (wanted) c.SetOutput("indices", IndexPrecision(c, "return_indices_dtype"), dims);
}

INFER(ADAPTIVE_AVERAGE_POOL_2D) {
  c.SetOutput("output", c.Precision("input"), AdaptivePoolDims(c));
}

INFER(ADAPTIVE_MAX_POOL_2D) {
  const Dims dims = AdaptivePoolDims(c);
  c.SetOutput("output", c.Precision("input"), dims);
  c.SetOutput("indices", IndexPrecision(c, "return_indices_dtype"), dims);
}

}  // namespace nnadapter::runtime
