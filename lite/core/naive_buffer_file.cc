// Reading a `.nb` file from the disk. Not mapped: a mapped file that shrinks is a SIGBUS.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lite/core/errors.h"
#include "lite/core/memory.h"
#include "lite/core/naive_buffer_internal.h"
#include "lite/core/sniff.h"

namespace paddle::lite {
namespace {

// An open file descriptor, closed at the end.
class File {
 public:
  explicit File(const std::string& path) {
    if (path.find('\0') != std::string::npos)
      throw FileError("a path must not contain a zero byte", EINVAL);
    // Without O_NONBLOCK opening a pipe that nobody writes to would wait forever.
    do {
      descriptor_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) Fail("cannot open the file");
  }
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  struct stat Stat() const {
    struct stat info {};
    if (fstat(descriptor_, &info) != 0) Fail("cannot read the file's size");
    return info;
  }
  // Reads `size` bytes from `offset`; throws where the file ends before.
  void Read(uint8_t* to, size_t size, size_t offset) const {
    constexpr size_t kChunk = size_t{1} << 30;
    while (size > 0) {
      const ssize_t got =
          pread(descriptor_, to, std::min(size, kChunk), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) Fail("cannot read the file");
      if (got == 0)
        throw ModelFormatError(StrCat("the file ended at byte ", offset,
                                      " while it was being read: another program changes it"));
      to += got;
      offset += static_cast<size_t>(got);
      size -= static_cast<size_t>(got);
    }
  }

 private:
  [[noreturn]] void Fail(const char* what) const {
    const int code = errno;
    throw FileError(StrCat(what, ": ", std::strerror(code)), code);
  }

  int descriptor_ = -1;
};

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

NaiveBufferModel ReadOpenFile(const File& file, ParamForm form) {
  const struct stat before = file.Stat();
  if (S_ISDIR(before.st_mode))
    throw FileError("it is a directory; a .nb model is one file", EISDIR);
  if (!S_ISREG(before.st_mode))
    throw FileError("it is no ordinary file (a device, pipe or socket)", EINVAL);
  const auto size = static_cast<size_t>(before.st_size);
  // Before memory is spent: is it a `.nb` file at all?
  uint8_t header[kSniffedBytes];
  file.Read(header, std::min(size, sizeof header), 0);
  naive_buffer::ReadHeader(header, size);

  std::shared_ptr<void> buffer = AllocateAligned(size);
  auto* data = static_cast<uint8_t*>(buffer.get());
  file.Read(data, size, 0);
  if (!SameFile(before, file.Stat()))
    throw ModelFormatError("the file changed while it was being read; try again");
  return naive_buffer::ReadModel(data, size, buffer, true, form);
}

}  // namespace

NaiveBufferModel ReadNaiveBufferFile(const std::string& path, ParamForm form) {
  try {
    return ReadOpenFile(File(path), form);
  } catch (LiteError& error) {
    error.AddContext(naive_buffer::Quote(path));
    throw;
  }
}

}  // namespace paddle::lite
