#include "lite/kernels/cpu/window.h"

#include <algorithm>
#include <cctype>

namespace paddle::lite {
namespace {

void RequireSize(int64_t value, int64_t low, const char* what) {
  if (value < low || value >= kMaxSpatialSize)
    throw ShapeError(
        StrCat(what, " is ", value, ", expected a value in [", low, ", ", kMaxSpatialSize, ")"));
}

void PadForSame(int64_t input, Window* window) {
  const int64_t outputs = (input + window->stride - 1) / window->stride;
  const int64_t sum = std::max<int64_t>((outputs - 1) * window->stride + window->kernel - input, 0);
  window->pad_before = sum / 2;
  window->pad_after = sum - sum / 2;
  window->dilation = 1;
}

}  // namespace

std::vector<int64_t> IntsAttr(const OpLite& op, const char* name, size_t count) {
  const auto& values = op.Attr<std::vector<int32_t>>(name);
  if (values.size() != count)
    throw ShapeError(
        StrCat("attribute ", name, " has ", values.size(), " values, expected ", count));
  return {values.begin(), values.end()};
}

Windows ResolveWindows(const OpLite& op, int rank, const int64_t* input, const int64_t* kernel,
                       bool dilated) {
  const auto count = static_cast<size_t>(rank);
  const auto strides = IntsAttr(op, "strides", count);
  const auto dilations =
      dilated ? IntsAttr(op, "dilations", count) : std::vector<int64_t>(count, 1);
  const auto& paddings = op.Attr<std::vector<int32_t>>("paddings");
  if (paddings.size() != count && paddings.size() != 2 * count)
    throw ShapeError(StrCat("attribute paddings has ", paddings.size(), " values, expected ", count,
                            " or ", 2 * count));
  const auto& algorithm = op.Attr<std::string>("padding_algorithm");
  if (algorithm != "EXPLICIT" && algorithm != "SAME" && algorithm != "VALID")
    throw ShapeError(StrCat("attribute padding_algorithm is '", algorithm,
                            "', expected EXPLICIT, SAME or VALID"));

  Windows windows;
  for (size_t i = 0; i < count; ++i) {
    Window& w = windows[i];
    w.kernel = kernel[i];
    w.stride = strides[i];
    w.dilation = dilations[i];
    RequireSize(input[i], 0, "the input's size along a spatial axis");
    RequireSize(w.kernel, 1, "the kernel's size");
    RequireSize(w.stride, 1, "a value of attribute strides");
    RequireSize(w.dilation, 1, "a value of attribute dilations");
    if (algorithm == "SAME") {
      PadForSame(input[i], &w);
    } else if (algorithm == "EXPLICIT") {
      const bool both = paddings.size() == 2 * count;
      w.pad_before = paddings[both ? 2 * i : i];
      w.pad_after = paddings[both ? 2 * i + 1 : i];
    }
  }
  return windows;
}

int64_t ConvOutputSize(int64_t input, const Window& w, bool ceil_mode) {
  const int64_t room = input + w.pad_before + w.pad_after - w.span();
  // The quotient is rounded towards zero, so that Paddle takes a window that sticks out by less
  // than a stride.
  const int64_t size = (room + (ceil_mode ? w.stride - 1 : 0)) / w.stride + 1;
  if (size <= 0)
    throw ShapeError(StrCat("a window of ", w.kernel, " taps with dilation ", w.dilation,
                            " does not fit into ", input, " elements with paddings ", w.pad_before,
                            " and ", w.pad_after, "; give a larger input"));
  return size;
}

void RequireChannelsFirst(const OpLite& op, const char* name) {
  std::string format = op.Attr<std::string>(name);  // Paddle takes any case
  for (char& letter : format)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (format == "NHWC" || format == "NDHWC" || format == "NWC")
    throw LiteError(StrCat("attribute ", name, " is ", format,
                           ", but only channels before the spatial axes (NCHW) are supported; "
                           "export the model with NCHW"));
  if (format != "NCHW" && format != "NCDHW" && format != "NCW" && format != "ANYLAYOUT")
    throw LiteError(StrCat("attribute ", name, " is '", format, "', expected NCHW or NCDHW"));
}

}  // namespace paddle::lite
