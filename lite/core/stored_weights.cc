#include "lite/core/stored_weights.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "lite/core/input_file.h"
#include "lite/core/memory.h"
#include "lite/core/naive_buffer_internal.h"
#include "lite/core/output_file.h"

namespace paddle::lite {
namespace {

// To be raised with every change of what packing makes of a weight: tests/api/test_pack.py tells.
constexpr uint32_t kVersion = 6;
constexpr char kMagic[8] = {'L', 'I', 'T', 'E', 'P', 'A', 'C', 'K'};
constexpr size_t kAlignment = 64;

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t ranges, parts, reserved;
  uint64_t table_bytes, data_offset, data_bytes;
  uint64_t table_hash, data_hash;
  ModelIdentity model;
  uint64_t header_hash;  // of all that is before it
};

uint64_t HashOf(const void* data, size_t bytes) {
  ByteHash hash;
  hash.Add(data, bytes);
  return hash.Value();
}

uint64_t HashOf(const Header& header) { return HashOf(&header, offsetof(Header, header_hash)); }

[[noreturn]] void Damaged(const char* what) {
  throw ModelFormatError(StrCat(what, ": the file is damaged; write it anew with `lite pack`"));
}

// Values from a table that is no longer than it says.
class TableReader {
 public:
  explicit TableReader(std::string_view bytes) : left_(bytes) {}

  std::string_view Take(size_t bytes) {
    if (bytes > left_.size()) Damaged("its table ends in the middle of an entry");
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }
  template <typename T>
  T Number() {
    T value;
    std::memcpy(&value, Take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string Text() { return std::string(Take(Number<uint32_t>())); }
  bool empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

class TableWriter {
 public:
  template <typename T>
  void Number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void Text(const std::string& text) {
    Number(static_cast<uint32_t>(text.size()));
    bytes_ += text;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

Header ReadHeader(const InputFile& file, uint64_t size) {
  Header header{};
  if (size < sizeof header) Damaged("it is too short for a file of packed weights");
  file.Read(&header, sizeof header, 0);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0)
    throw ModelFormatError("it is no file of packed weights");
  if (header.version != kVersion)
    throw ModelFormatError(StrCat("it was written by another version of the framework (format ",
                                  header.version, ", this one has ", kVersion,
                                  "); write it anew with `lite pack`"));
  if (header.header_hash != HashOf(header)) Damaged("its header's checksum is wrong");
  const uint64_t table_end = sizeof header + header.table_bytes;
  if (header.table_bytes > size || table_end > header.data_offset ||
      header.data_offset % kAlignment != 0 || header.data_offset > size ||
      header.data_bytes != size - header.data_offset)
    Damaged("its sections do not fit the file");
  return header;
}

std::vector<FileRange> ReadRanges(uint32_t count, uint64_t model_bytes, TableReader* table) {
  std::vector<FileRange> ranges;
  uint64_t end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    FileRange range;
    range.offset = table->Number<uint64_t>();
    range.bytes = table->Number<uint64_t>();
    if (range.offset < end || range.offset > model_bytes ||
        range.bytes > model_bytes - range.offset)
      Damaged("a part of the model that need not be read is not in it");
    end = range.offset + range.bytes;
    ranges.push_back(range);
  }
  return ranges;
}

std::vector<PackedPart> ReadParts(uint32_t count, uint64_t data_bytes, TableReader* table) {
  std::vector<PackedPart> parts;
  for (uint32_t i = 0; i < count; ++i) {
    PackedPart part;
    part.weight = table->Text();
    part.form = table->Text();
    part.part = table->Number<uint32_t>();
    part.offset = table->Number<uint64_t>();
    part.bytes = table->Number<uint64_t>();
    if (part.offset % kAlignment != 0 || part.offset > data_bytes ||
        part.bytes > data_bytes - part.offset)
      Damaged("a packed weight is not in the file");
    parts.push_back(std::move(part));
  }
  if (!table->empty()) Damaged("its table is longer than its entries");
  return parts;
}

uint64_t RoundUp(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

std::string TableOf(const std::string& machine, const std::vector<FileRange>& ranges,
                    const std::vector<PackedPart>& parts) {
  TableWriter table;
  table.Text(machine);
  for (const FileRange& range : ranges) {
    table.Number(range.offset);
    table.Number(range.bytes);
  }
  for (const PackedPart& part : parts) {
    table.Text(part.weight);
    table.Text(part.form);
    table.Number(part.part);
    table.Number(part.offset);
    table.Number(part.bytes);
  }
  return table.bytes();
}

}  // namespace

void ByteHash::Add(const void* data, size_t bytes) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // each step can be undone: no change is lost
  const auto* at = static_cast<const char*>(data);
  uint64_t lanes[8];
  std::copy_n(lanes_, 8, lanes);
  bytes_ += bytes;
  for (; bytes >= sizeof lanes; bytes -= sizeof lanes, at += sizeof lanes)
    for (int i = 0; i < 8; ++i) {
      uint64_t word;
      std::memcpy(&word, at + 8 * i, 8);
      lanes[i] = (lanes[i] ^ word) * kOdd;
    }
  for (; bytes > 0; --bytes, ++at) lanes[0] = (lanes[0] ^ static_cast<uint8_t>(*at)) * kOdd;
  std::copy_n(lanes, 8, lanes_);
}

uint64_t ByteHash::Value() const {
  uint64_t value = bytes_;
  for (const uint64_t lane : lanes_) {
    value = (value ^ lane) * 0x9e3779b97f4a7c15;
    value ^= value >> 32;
  }
  return value;
}

std::shared_ptr<StoredWeights> StoredWeights::Open(const std::string& path,
                                                   const std::string& machine) {
  if (!system::Exists(path)) return nullptr;
  const InputFile file(path);
  const auto size = file.Describe("packed weights are a file").bytes;
  const Header header = ReadHeader(file, size);
  std::string bytes(header.table_bytes, '\0');
  file.Read(bytes.data(), bytes.size(), sizeof header);
  if (HashOf(bytes.data(), bytes.size()) != header.table_hash)
    Damaged("its table's checksum is wrong");
  TableReader table(bytes);
  const std::string there = table.Text();
  if (there != machine)
    throw ModelFormatError(StrCat("it was packed for ", naive_buffer::Quote(there),
                                  ", but here is ", naive_buffer::Quote(machine),
                                  "; write it anew with `lite pack`"));
  auto stored = std::make_shared<StoredWeights>();
  stored->model_ = header.model;
  stored->unread_ = ReadRanges(header.ranges, header.model.bytes, &table);
  stored->parts_ = ReadParts(header.parts, header.data_bytes, &table);
  stored->data_ = AllocateAligned(header.data_bytes);
  // While a chunk is in the caches.
  constexpr uint64_t kChunk = 256 << 10;
  ByteHash hash;
  auto* to = static_cast<char*>(stored->data_.get());
  for (uint64_t at = 0; at < header.data_bytes; at += kChunk) {
    const uint64_t part = std::min(kChunk, header.data_bytes - at);
    file.Read(to + at, part, header.data_offset + at);
    hash.Add(to + at, part);
  }
  if (hash.Value() != header.data_hash) Damaged("its data's checksum is wrong");
  return stored;
}

void StoredWeights::Write(const std::string& path, const std::string& machine,
                          const ModelIdentity& model, const std::vector<FileRange>& unread,
                          std::vector<PackedPart> parts) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.ranges = static_cast<uint32_t>(unread.size());
  header.parts = static_cast<uint32_t>(parts.size());
  header.model = model;
  for (PackedPart& part : parts) {
    part.offset = header.data_bytes;
    header.data_bytes += RoundUp(part.bytes);
  }
  const std::string table = TableOf(machine, unread, parts);
  header.table_bytes = table.size();
  header.table_hash = HashOf(table.data(), table.size());
  header.data_offset = RoundUp(sizeof header + table.size());
  const char zeros[kAlignment] = {};
  ByteHash hash;
  for (const PackedPart& part : parts) {
    // The hash takes pieces of 64 bytes.
    const uint64_t whole = part.bytes / kAlignment * kAlignment;
    char rest[kAlignment] = {};
    std::memcpy(rest, static_cast<const char*>(part.data) + whole, part.bytes - whole);
    hash.Add(part.data, whole);
    if (part.bytes > whole) hash.Add(rest, sizeof rest);
  }
  header.data_hash = hash.Value();
  header.header_hash = HashOf(header);
  OutputFile file(path);
  file.Write(&header, sizeof header);
  file.Write(table.data(), table.size());
  file.Write(zeros, header.data_offset - sizeof header - table.size());
  for (const PackedPart& part : parts) {
    file.Write(part.data, part.bytes);
    file.Write(zeros, RoundUp(part.bytes) - part.bytes);
  }
  file.Finish();
}

std::shared_ptr<void> StoredWeights::Bytes(const PackedPart& part) const {
  return {data_, static_cast<char*>(data_.get()) + part.offset};
}

}  // namespace paddle::lite
