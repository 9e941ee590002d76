#include "lite/core/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lite/core/naive_buffer.h"

namespace paddle::lite {

InputFile::InputFile(const std::string& path) {
  if (path.find('\0') != std::string::npos)
    throw FileError("a path must not contain a zero byte", EINVAL);
  descriptor_ = system::OpenToRead(path);
  if (descriptor_ < 0) Fail("cannot open the file");
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) system::Close(descriptor_);
}

system::FileInfo InputFile::Describe(const char* what) const {
  system::FileInfo info;
  if (!system::Describe(descriptor_, &info)) Fail("cannot read the file's size");
  if (info.is_folder) throw FileError(StrCat("it is a directory; ", what), EISDIR);
  if (!info.is_ordinary)
    throw FileError("it is no ordinary file (a device, pipe or socket)", EINVAL);
  return info;
}

void InputFile::Read(void* to, size_t size, size_t offset) const {
  constexpr size_t kChunk = size_t{1} << 30;
  auto* at = static_cast<uint8_t*>(to);
  while (size > 0) {
    const int64_t got = system::ReadAt(descriptor_, at, std::min(size, kChunk), offset);
    if (got < 0) Fail("cannot read the file");
    if (got == 0)
      throw ModelFormatError(StrCat("the file ended at byte ", offset,
                                    " while it was being read: another program changes it"));
    at += got;
    offset += static_cast<size_t>(got);
    size -= static_cast<size_t>(got);
  }
}

void InputFile::Fail(const char* what) const {
  const int code = errno;
  throw FileError(StrCat(what, ": ", std::strerror(code)), code);
}

bool SameFile(const system::FileInfo& a, const system::FileInfo& b) {
  return a.bytes == b.bytes && std::equal(a.stamp, a.stamp + 2, b.stamp);
}

}  // namespace paddle::lite
