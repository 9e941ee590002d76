// Reader of `.nb` files, meta versions 1 and 2. The bytes are untrusted: every offset, length,
// count and product is checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "lite/core/program_desc.h"

namespace paddle::lite {

struct NaiveBufferModel {
  ProgramDesc program;
  ParamTable params;
  std::string writer_version;
};

// Reads a whole file. `holder` keeps `data` alive; parameters whose data is aligned to their
// element size borrow from it, the others are copied. `name` is used in messages.
// Throws ModelFormatError that says what is wrong at which offset.
NaiveBufferModel ReadNaiveBuffer(const uint8_t* data, size_t size, std::shared_ptr<void> holder,
                                 const std::string& name);
// Reads a file from the disk into one buffer first. Throws LiteError where it cannot be read.
NaiveBufferModel ReadNaiveBufferFile(const std::string& path);
// Reads only the program flatbuffer.
ProgramDesc ReadProgramDesc(const uint8_t* data, size_t size, const std::string& name);

}  // namespace paddle::lite
