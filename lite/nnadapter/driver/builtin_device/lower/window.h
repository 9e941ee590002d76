// Attributes of the CPU operators that slide windows over images.
#pragma once

#include <algorithm>

#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {

// strides, paddings, padding_algorithm and, if `dilated`, dilations.
inline lite::AttributeMap WindowAttributes(const Lowering& l, bool dilated) {
  std::vector<int32_t> pads(4, 0);
  if (l.Has("pads") && l.Ints("pads").size() == 4) pads = l.I32s("pads");
  lite::AttributeMap attributes = {
      {"strides", l.I32s("strides")},
      {"paddings", pads},
      {"padding_algorithm", std::string("EXPLICIT")},
  };
  if (dilated) attributes["dilations"] = l.I32s("dilations");
  const bool declared = l.Declares("auto_pad");
  const int64_t auto_pad = declared ? l.Int("auto_pad") : int64_t{NNADAPTER_AUTO_PAD_NONE};
  if (auto_pad == NNADAPTER_AUTO_PAD_SAME) attributes["padding_algorithm"] = std::string("SAME");
  if (auto_pad == NNADAPTER_AUTO_PAD_VALID) attributes["padding_algorithm"] = std::string("VALID");
  return attributes;
}

// Explicit [top, bottom, left, right] that AUTO_PAD_SAME finds.
inline std::vector<int32_t> SamePads(const Lowering& l) {
  const runtime::Dims input = l.DimsOf("input");
  const std::vector<int64_t> kernel = l.Ints("kernel_shape"), strides = l.Ints("strides");
  std::vector<int32_t> pads;
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t size = input[axis + 2];
    l.Support(size != NNADAPTER_UNKNOWN, "AUTO_PAD_SAME needs here a known height and width");
    const int64_t count = (size + strides[axis] - 1) / strides[axis];
    const int64_t sum = std::max<int64_t>((count - 1) * strides[axis] + kernel[axis] - size, 0);
    pads.push_back(static_cast<int32_t>(sum / 2));
    pads.push_back(static_cast<int32_t>(sum - sum / 2));
  }
  return pads;
}

}  // namespace nnadapter::builtin_device
