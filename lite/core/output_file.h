// OutputFile: a file that is written as a whole.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "lite/core/base/errors.h"
#include "lite/core/base/system.h"

namespace paddle::lite {

// A file that takes the place of another when it is complete. Throws FileError where that fails.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path)
      : path_(path), temporary_(StrCat(path, ".", system::ProcessNumber(), "-", Next(), ".tmp")) {
    file_ = system::OpenToWrite(temporary_);
    if (file_ == nullptr) Fail();
  }
  OutputFile(const OutputFile&) = delete;
  ~OutputFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    system::Remove(temporary_);
  }
  void Write(const void* data, size_t bytes) {
    if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes) Fail();
  }
  void Finish() {
    if (std::fflush(file_) != 0 || !system::Sync(file_)) Fail();
    std::fclose(file_);
    file_ = nullptr;
    if (!system::Replace(temporary_, path_)) {
      const int code = errno;
      system::Remove(temporary_);
      errno = code;
      Fail();
    }
  }

 private:
  // Threads that write the same file write files of their own first.
  static int Next() {
    static std::atomic<int> count{0};
    return count++;
  }
  [[noreturn]] void Fail() const {
    const int code = errno;
    throw FileError(StrCat(path_, ": cannot write the file: ", std::strerror(code)), code);
  }

  const std::string path_, temporary_;
  FILE* file_ = nullptr;
};

}  // namespace paddle::lite
