#include "lite/nnadapter/runtime/operation/window.h"

#include <algorithm>

#include "lite/nnadapter/runtime/operation/shape_list.h"

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

}  // namespace nnadapter::runtime
