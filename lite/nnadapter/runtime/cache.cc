#include "lite/nnadapter/runtime/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "lite/core/base/found_once.h"
#include "lite/nnadapter/runtime/error.h"

namespace nnadapter::runtime {
namespace {

struct Header {
  uint32_t magic;
  uint32_t version;
  uint32_t crc;
  uint32_t padding;
  uint64_t entry_count;
};
static_assert(sizeof(Header) == 24, "file format");

constexpr uint32_t kMagic = 0x2e6e6e63;  // ".nnc" as a number
constexpr uint32_t kVersion = 1;
constexpr size_t kEntryHeader = 16;  // lengths of key and value

using CrcTables = std::array<std::array<uint32_t, 256>, 8>;

CrcTables MakeCrcTables() {
  CrcTables tables;
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? 0x82f63b78u : 0);
    tables[0][i] = crc;
  }
  for (uint32_t i = 0; i < 256; ++i)
    for (size_t t = 1; t < 8; ++t)
      tables[t][i] = (tables[t - 1][i] >> 8) ^ tables[0][tables[t - 1][i] & 0xff];
  return tables;
}

// CRC-32C's polynomial from 0, without the final inversion.
uint32_t Crc(const uint8_t* data, size_t size) {
  const CrcTables& tables = paddle::lite::FoundOnce<MakeCrcTables>();
  uint32_t crc = 0;
  for (; size >= 8; data += 8, size -= 8) {
    uint32_t low, high;
    std::memcpy(&low, data, 4);
    std::memcpy(&high, data + 4, 4);
    low ^= crc;
    crc = tables[7][low & 0xff] ^ tables[6][(low >> 8) & 0xff] ^ tables[5][(low >> 16) & 0xff] ^
          tables[4][low >> 24] ^ tables[3][high & 0xff] ^ tables[2][(high >> 8) & 0xff] ^
          tables[1][(high >> 16) & 0xff] ^ tables[0][high >> 24];
  }
  for (; size > 0; ++data, --size) crc = (crc >> 8) ^ tables[0][(crc ^ *data) & 0xff];
  return crc;
}

uint64_t Padded(uint64_t size) { return (size + 3) & ~uint64_t{3}; }

// An open file that is closed on every way out.
class File {
 public:
  File(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  bool Close() {
    const int fd = fd_;
    fd_ = -1;
    return close(fd) == 0;
  }

 private:
  int fd_;
};

}  // namespace

std::vector<uint8_t> PackCache(const CacheEntries& entries) {
  size_t size = sizeof(Header);
  for (const auto& [key, value] : entries) size += kEntryHeader + Padded(key.size() + value.size());
  std::vector<uint8_t> bytes(size, 0);
  uint8_t* at = bytes.data() + sizeof(Header);
  for (const auto& [key, value] : entries) {
    const uint64_t lengths[2] = {key.size(), value.size()};
    std::memcpy(at, lengths, kEntryHeader);
    std::memcpy(at + kEntryHeader, key.data(), key.size());
    if (!value.empty()) std::memcpy(at + kEntryHeader + key.size(), value.data(), value.size());
    at += kEntryHeader + Padded(key.size() + value.size());
  }
  const Header header{kMagic, kVersion, 0, 0, entries.size()};
  std::memcpy(bytes.data(), &header, sizeof(header));
  SealCache(&bytes);
  return bytes;
}

void SealCache(std::vector<uint8_t>* bytes) {
  const uint32_t crc = Crc(bytes->data() + sizeof(Header), bytes->size() - sizeof(Header));
  std::memcpy(bytes->data() + offsetof(Header, crc), &crc, sizeof(crc));
}

CacheEntries UnpackCache(const uint8_t* data, size_t size) {
  Header header;
  if (size < sizeof(header)) FailParameter("the cache has ", size, " bytes, less than its header");
  std::memcpy(&header, data, sizeof(header));
  if (header.magic != kMagic) FailParameter("the cache does not begin as a .nnc file does");
  if (header.version != kVersion) {
    FailParameter("the cache is of version ", header.version, ", this is ", kVersion);
  }
  size_t at = sizeof(header);
  if (Crc(data + at, size - at) != header.crc) {
    FailParameter("the cache is damaged: its checksum is wrong");
  }
  if (header.entry_count > (size - at) / kEntryHeader) {
    FailParameter("the cache is damaged: ", header.entry_count, " entries in ", size, " bytes");
  }
  CacheEntries entries;
  for (uint64_t i = 0; i < header.entry_count; ++i) {
    if (size - at < kEntryHeader) FailParameter("the cache is damaged: it ends in entry ", i);
    uint64_t lengths[2];
    std::memcpy(lengths, data + at, kEntryHeader);
    at += kEntryHeader;
    const uint64_t left = size - at;
    if (lengths[0] > left || lengths[1] > left - lengths[0] ||
        Padded(lengths[0] + lengths[1]) > left) {
      FailParameter("the cache is damaged: entry ", i, " is longer than the file");
    }
    std::string key(reinterpret_cast<const char*>(data + at), lengths[0]);
    const uint8_t* value = data + at + lengths[0];
    if (!entries.emplace(std::move(key), std::vector<uint8_t>(value, value + lengths[1])).second) {
      FailParameter("the cache is damaged: a key stands in it twice");
    }
    at += Padded(lengths[0] + lengths[1]);
  }
  if (at != size) FailParameter("the cache is damaged: ", size - at, " bytes after its end");
  return entries;
}

void MakeFolder(const std::string& dir) {
  struct stat status;
  for (size_t at = 0; at < dir.size();) {
    at = std::min(dir.find('/', at + 1), dir.size());
    const std::string part = dir.substr(0, at);
    const bool made = mkdir(part.c_str(), 0755) == 0;
    const int error = errno;
    if (made || (stat(part.c_str(), &status) == 0 && S_ISDIR(status.st_mode))) continue;
    FailParameter("the folder ", part,
                  " cannot be made: ", std::strerror(error == EEXIST ? ENOTDIR : error));
  }
}

std::string CachePath(const std::string& dir, const std::string& token) {
  if (token.find('/') != std::string::npos) {
    FailParameter("a cache token is part of a file name and cannot hold '/': '", token, "'");
  }
  return dir + "/" + token + ".nnc";
}

std::optional<std::vector<uint8_t>> ReadCacheFile(const std::string& path) {
  File file(path, O_RDONLY | O_NONBLOCK);
  if (file.fd() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    FailParameter(path, ": ", std::strerror(errno));
  }
  struct stat status;
  if (fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode)) {
    FailParameter(path, " is no regular file");
  }
  std::vector<uint8_t> bytes(static_cast<size_t>(status.st_size));
  size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t got = read(file.fd(), bytes.data() + at, bytes.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) FailParameter(path, ": ", std::strerror(errno));
    if (got == 0) break;
    at += static_cast<size_t>(got);
  }
  bytes.resize(at);
  return bytes;
}

void WriteCacheFile(const std::string& path, const std::vector<uint8_t>& bytes) {
  static std::atomic<unsigned> number{0};
  const std::string temporary = Text(path, ".", getpid(), ".", number++, ".tmp");
  const auto fail = [&](const char* what) {
    const int error = errno;
    unlink(temporary.c_str());
    FailParameter("cannot ", what, " ", path, ": ", std::strerror(error));
  };
  File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
  if (file.fd() < 0) fail("create");
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t put = write(file.fd(), bytes.data() + at, bytes.size() - at);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("write");
    at += static_cast<size_t>(put);
  }
  if (!file.Close()) fail("write");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail("rename to");
}

}  // namespace nnadapter::runtime
