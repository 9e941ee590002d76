// Kinds of attributes.
#pragma once

#include <cstdint>

namespace paddle::lite {

// Numbered as in ProgramDesc, `.nb` files and AttrType of lite/model/program.py.
enum class AttrType : int32_t {
  kInt = 0,
  kFloat = 1,
  kString = 2,
  kInts = 3,
  kFloats = 4,
  kStrings = 5,
  kBoolean = 6,
  kBooleans = 7,
  kBlock = 8,
  kLong = 9,
  kBlocks = 10,
  kLongs = 11,
  kFloat64s = 12,
  kVar = 13,
  kVars = 14,
  kFloat64 = 15,
};

}  // namespace paddle::lite
