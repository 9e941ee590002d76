#pragma once

#include <cstdint>
#include <optional>

#include "lite/core/base/epilogue_step.h"
#include "lite/core/op_lite.h"

namespace paddle::lite {

// How reals are rounded to 8 bits. In the terms of calib: `scale` is what the integer 1 stands for,
// `threshold`, where it is not 0, 127 times that before it was rounded. `zero_byte` is the byte
// without sign that stands for 0 where all bytes are used, else -1.
struct Int8Form {
  float scale = 0, threshold = 0;
  int32_t round_type = 1;
  int32_t zero_byte = -1;
  bool operator==(const Int8Form& o) const {
    return scale == o.scale && threshold == o.threshold && zero_byte == o.zero_byte &&
           (zero_byte >= 0 || round_type == o.round_type);
  }
  // The byte of a number that was rounded to 0.
  int ByteOfZero() const { return zero_byte < 0 ? 128 : zero_byte; }
};

// What a step that rounds to 256 multiples of a scale makes of its input; none for others.
std::optional<Int8Form> Int8FormOf(const math::EpilogueStep& step);

// How an operator that multiplies in integers rounds its activation: its attributes int8_*.
Int8Form Int8FormOf(const OpLite& op);

}  // namespace paddle::lite
