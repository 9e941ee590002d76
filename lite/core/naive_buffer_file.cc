// Reading a `.nb` file from the disk.
#include <algorithm>
#include <utility>

#include "lite/core/base/errors.h"
#include "lite/core/input_file.h"
#include "lite/core/memory.h"
#include "lite/core/naive_buffer_internal.h"
#include "lite/core/sniff.h"

namespace paddle::lite {
namespace {

constexpr const char* kOneFile = "a .nb model is one file";

// Before memory is spent: is it a `.nb` file at all?
void CheckHeader(const InputFile& file, size_t size) {
  uint8_t header[kSniffedBytes];
  file.Read(header, std::min(size, sizeof header), 0);
  naive_buffer::ReadHeader(header, size);
}

NaiveBufferModel ReadOpenFile(const InputFile& file, ParamForm form) {
  const system::FileInfo before = file.Describe(kOneFile);
  const auto size = static_cast<size_t>(before.bytes);
  CheckHeader(file, size);
  std::shared_ptr<void> buffer = AllocateAligned(size);
  auto* data = static_cast<uint8_t*>(buffer.get());
  file.Read(data, size, 0);
  if (!SameFile(before, file.Describe(kOneFile)))
    throw ModelFormatError("the file changed while it was being read; try again");
  return naive_buffer::ReadModel(data, size, buffer, true, form);
}

ModelIdentity StampOf(const system::FileInfo& info) {
  ModelIdentity identity;
  identity.bytes = info.bytes;
  std::copy_n(info.stamp, 6, identity.stamp);
  return identity;
}

bool SameStamp(const ModelIdentity& a, const ModelIdentity& b) {
  return a.bytes == b.bytes && std::equal(a.stamp, a.stamp + 6, b.stamp);
}

// Calls read(offset, bytes) for what is not in `unread`.
template <typename Read>
void ForTheRest(const std::vector<FileRange>& unread, size_t size, Read&& read) {
  size_t at = 0;
  for (const FileRange& range : unread) {
    read(at, range.offset - at);
    at = range.offset + range.bytes;
  }
  read(at, size - at);
}

uint64_t HashOfFile(const InputFile& file, size_t size) {
  constexpr size_t kChunk = 256 << 10;
  std::vector<char> chunk(std::min(size, kChunk));
  ByteHash hash;
  for (size_t at = 0; at < size; at += kChunk) {
    const size_t part = std::min(kChunk, size - at);
    file.Read(chunk.data(), part, at);
    hash.Add(chunk.data(), part);
  }
  return hash.Value();
}

}  // namespace

NaiveBufferModel ReadNaiveBufferFile(const std::string& path, const StoredWeights& stored) {
  const InputFile file(path);
  const system::FileInfo before = file.Describe(kOneFile);
  const auto size = static_cast<size_t>(before.bytes);
  CheckHeader(file, size);
  const ModelIdentity& packed = stored.model();
  if (size != packed.bytes ||
      (!SameStamp(StampOf(before), packed) && HashOfFile(file, size) != packed.hash))
    throw ModelFormatError("another model was packed; pack this one with `lite pack`");
  // Pages that nothing is read to must not come in the company of others.
  std::shared_ptr<void> buffer =
      AllocateAligned(size, stored.unread().empty() ? PageChoice::kHuge : PageChoice::kSmall);
  auto* data = static_cast<uint8_t*>(buffer.get());
  ForTheRest(stored.unread(), size,
             [&](size_t offset, size_t bytes) { file.Read(data + offset, bytes, offset); });
  if (!SameFile(before, file.Describe(kOneFile)))
    throw ModelFormatError("the model changed while it was being read; try again");
  NaiveBufferModel model =
      naive_buffer::ReadModel(data, size, buffer, true, ParamForm::kForKernels);
  for (const FileRange& range : stored.unread())
    if (model.pages == nullptr || !model.pages->IsParam(range.offset, range.bytes))
      throw ModelFormatError("a part of the model that need not be read is no parameter of it");
  return model;
}

void ReadUnread(const std::string& path, const StoredWeights& stored, FilePages* pages) {
  const InputFile file(path);
  if (!SameStamp(StampOf(file.Describe(kOneFile)), stored.model()) &&
      HashOfFile(file, stored.model().bytes) != stored.model().hash)
    throw ModelFormatError(StrCat(naive_buffer::Quote(path),
                                  ": the file changed since it was "
                                  "loaded, and weights are needed of it; load it again"));
  for (const FileRange& range : stored.unread())
    file.Read(pages->At(range.offset), range.bytes, range.offset);
}

ModelIdentity IdentityOf(const std::string& path) {
  const InputFile file(path);
  const system::FileInfo before = file.Describe(kOneFile);
  ModelIdentity identity = StampOf(before);
  identity.hash = HashOfFile(file, identity.bytes);
  if (!SameFile(before, file.Describe(kOneFile)))
    throw ModelFormatError("the model changed while it was being read; try again");
  return identity;
}

NaiveBufferModel ReadNaiveBufferFile(const std::string& path, ParamForm form) {
  try {
    return ReadOpenFile(InputFile(path), form);
  } catch (LiteError& error) {
    error.AddContext(naive_buffer::Quote(path));
    throw;
  }
}

}  // namespace paddle::lite
