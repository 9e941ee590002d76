#include "lite/core/input_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lite/core/naive_buffer.h"

namespace paddle::lite {

InputFile::InputFile(const std::string& path) {
  if (path.find('\0') != std::string::npos)
    throw FileError("a path must not contain a zero byte", EINVAL);
  // Without O_NONBLOCK opening a pipe that nobody writes to would wait forever.
  do {
    descriptor_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) Fail("cannot open the file");
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

struct stat InputFile::Stat(const char* what) const {
  struct stat info {};
  if (fstat(descriptor_, &info) != 0) Fail("cannot read the file's size");
  if (S_ISDIR(info.st_mode)) throw FileError(StrCat("it is a directory; ", what), EISDIR);
  if (!S_ISREG(info.st_mode))
    throw FileError("it is no ordinary file (a device, pipe or socket)", EINVAL);
  return info;
}

void InputFile::Read(void* to, size_t size, size_t offset) const {
  constexpr size_t kChunk = size_t{1} << 30;
  auto* at = static_cast<uint8_t*>(to);
  while (size > 0) {
    const ssize_t got = pread(descriptor_, at, std::min(size, kChunk), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
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

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace paddle::lite
