// What the parts of the `.nb` reader share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lite/core/flatbuffer_view.h"
#include "lite/core/naive_buffer.h"

namespace paddle::lite::naive_buffer {

// What reading may still allocate. Offsets that share data let a tiny file describe gigabytes, so
// everything that is made from the file is counted, not only what the file is long.
class ReadBudget {
 public:
  // For a file of `file_size` bytes, of which one copy may be held: max(4 x file_size, 16 MB).
  explicit ReadBudget(size_t file_size);
  // Throws ModelFormatError where `bytes` more are too many. Call before allocating.
  void Charge(size_t bytes) {
    if (bytes > left_) Refuse();
    left_ -= bytes;
  }
  // Charges `count` things of `bytes` each.
  void Charge(size_t count, size_t bytes) {
    if (bytes != 0 && count > left_ / bytes) Refuse();
    left_ -= count * bytes;
  }

 private:
  [[noreturn]] void Refuse() const;
  size_t left_;
  size_t file_size_;
};

// The bookkeeping of an allocator and of a map's node.
inline constexpr size_t kNodeOverhead = 64;

// `text` in quotes, cut to a readable length, without control characters or broken UTF-8.
std::string Quote(std::string_view text);
// A copy of a name (operator type, variable, slot, attribute): valid UTF-8, so that it can be
// handed to Python.
std::string CopyName(std::string_view text, const char* what, const flatbuffer::Table& where,
                     ReadBudget* budget);

ProgramDesc ReadProgram(const flatbuffer::Buffer& buffer, ReadBudget* budget);

// A parameter as it stands in the file.
struct ParamView {
  std::string name;
  DDim dims;
  DataType dtype = DataType::kFP32;
  const uint8_t* data = nullptr;
  size_t bytes = 0;
  size_t file_offset = 0;
};

// The parameter sections of meta versions 1 and 2; `file` is the whole file, the section begins
// at `begin`.
std::vector<ParamView> ReadParamsMeta1(const flatbuffer::Buffer& file, size_t begin,
                                       ReadBudget* budget);
std::vector<ParamView> ReadParamsMeta2(const flatbuffer::Buffer& file, size_t begin,
                                       ReadBudget* budget);

// Makes tensors of the views. `pages`: the memory is ours alone and no two parameters share it, so
// a borrowed tensor's pages go back to the system once nobody uses it; else null.
ParamTable MakeParams(std::vector<ParamView> views, ParamForm form,
                      const std::shared_ptr<void>& holder, const std::shared_ptr<FilePages>& pages,
                      ReadBudget* budget);

// The fixed part of a file. Throws ModelFormatError where it is no `.nb` file.
struct Header {
  static constexpr size_t kSize = 26;
  uint16_t meta_version = 0;
  std::string writer_version;
  size_t topo_size = 0;
};
// `data` holds the first min(file_size, kSniffedBytes) bytes.
Header ReadHeader(const uint8_t* data, size_t file_size);

NaiveBufferModel ReadModel(const uint8_t* data, size_t size, const std::shared_ptr<void>& holder,
                           bool releasable, ParamForm form);

}  // namespace paddle::lite::naive_buffer
