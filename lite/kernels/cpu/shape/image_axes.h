// Which axes of an image batch hold channels and pixels, from attribute data_format.
#pragma once

#include <string>

#include "lite/core/base/errors.h"

namespace paddle::lite {

struct ImageAxes {
  int c, h, w;
};

// Of the program's own dimensions, whatever the memory order. Throws LiteError for another format.
template <typename Context>
ImageAxes ImageAxesOf(const Context& c) {
  const auto& format = c.template Attr<std::string>("data_format");
  if (format == "NCHW") return {1, 2, 3};
  if (format == "NHWC") return {3, 1, 2};
  throw LiteError(StrCat("attribute data_format is ", format, ", expected NCHW or NHWC"));
}

}  // namespace paddle::lite
