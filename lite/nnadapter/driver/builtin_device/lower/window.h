// Attributes of the CPU operators that slide windows over images.
#pragma once

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

}  // namespace nnadapter::builtin_device
