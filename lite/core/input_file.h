// InputFile: an ordinary file that is read. Not mapped: a mapped file that shrinks is a SIGBUS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lite/core/base/system.h"

namespace paddle::lite {

class InputFile {
 public:
  // Throws FileError where it cannot be opened.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Throws FileError unless it is an ordinary file; `what` is said of a folder.
  system::FileInfo Describe(const char* what) const;
  // Reads `size` bytes from `offset`; throws ModelFormatError where the file ends before.
  void Read(void* to, size_t size, size_t offset) const;

 private:
  [[noreturn]] void Fail(const char* what) const;
  int descriptor_ = -1;
};

// Whether nothing was written to a file between two calls of Describe().
bool SameFile(const system::FileInfo& a, const system::FileInfo& b);

}  // namespace paddle::lite
