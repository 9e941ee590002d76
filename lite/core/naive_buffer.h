// Reader of `.nb` files, meta versions 1 and 2. The bytes are untrusted: every offset, length,
// count and product is checked before it is used, and reading never allocates more than
// max(4 x the file's size, 16 MB).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "lite/core/file_pages.h"
#include "lite/core/program_desc.h"
#include "lite/core/stored_weights.h"

namespace paddle::lite {

// A file that cannot be opened or read; code() is the errno (ENOENT, EACCES, EISDIR, ...).
class FileError : public LiteError {
 public:
  FileError(std::string message, int code) : LiteError(std::move(message)), code_(code) {}
  const char* kind() const noexcept override { return "FileError"; }
  int code() const noexcept { return code_; }

 private:
  int code_;
};

// What parameters are made into: what kernels take (float16 is widened to float32), or what the
// file holds, to be edited: then a program that refers to the same bytes again and again is
// refused, as what it becomes in Python is far larger.
enum class ParamForm { kForKernels, kAsStored };

struct NaiveBufferModel {
  ProgramDesc program;
  ParamTable params;
  std::map<std::string, size_t> param_offsets;  // of their data in the file; of kAsStored only
  std::string writer_version;        // text of the writer, e.g. "v2.13-rc"; informational
  std::shared_ptr<FilePages> pages;  // of the parameters that borrow from a file of their own
};

// Reads a whole file. `holder` keeps `data` alive, which must not change; parameters whose data
// is aligned to 16 bytes borrow from it where that is most of them, the others are copied. `name`
// is used in messages. Throws ModelFormatError that says what is wrong at which offset.
NaiveBufferModel ReadNaiveBuffer(const uint8_t* data, size_t size, std::shared_ptr<void> holder,
                                 const std::string& name, ParamForm form = ParamForm::kForKernels);
// The same, of memory that is its own, from AllocateAligned: its pages go back to the system as the
// last tensors on them go.
NaiveBufferModel ReadOwnNaiveBuffer(const std::shared_ptr<void>& memory, size_t size,
                                    const std::string& name);
// Reads a file from the disk into one buffer first; its pages go back to the system as the last
// tensors on them go. Throws FileError where the file cannot be read,
// ModelFormatError where it is no `.nb` file.
NaiveBufferModel ReadNaiveBufferFile(const std::string& path,
                                     ParamForm form = ParamForm::kForKernels);
// The same, where the forms that kernels read are at hand: without the parts that need not be read.
// Throws ModelFormatError also where another model was packed.
NaiveBufferModel ReadNaiveBufferFile(const std::string& path, const StoredWeights& stored);
// Reads those parts after all, to where they belong.
void ReadUnread(const std::string& path, const StoredWeights& stored, FilePages* pages);
// The file as it is now.
ModelIdentity IdentityOf(const std::string& path);
// Reads only the program flatbuffer.
ProgramDesc ReadProgramDesc(const uint8_t* data, size_t size, const std::string& name);

}  // namespace paddle::lite
