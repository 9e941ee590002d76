#include "lite/nnadapter/nnapi/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lite/nnadapter/nnapi/compilation.h"
#include "lite/nnadapter/nnapi/error.h"

namespace nnadapter::nnapi {
namespace {

void CheckWithin(size_t offset, size_t length, size_t size) {
  if (offset > size || length > size - offset)
    FailData("bytes ", offset, " to ", offset, " + ", length, " are not in memory of ", size);
}

// A part of a file. It is read and written, not mapped, as long as that works: a mapped file that
// shrinks ends the process.
class FdMemory : public Memory {
 public:
  FdMemory(size_t size, int protect, int fd, size_t offset)
      : size_(size), protect_(protect), offset_(offset), fd_(fcntl(fd, F_DUPFD_CLOEXEC, 0)) {
    if (fd_ < 0) FailData("descriptor ", fd, ": ", std::strerror(errno));
    try {
      CheckAccess();
      CheckFile(0, size);
    } catch (...) {
      close(fd_);
      throw;
    }
  }
  ~FdMemory() override { close(fd_); }
  FdMemory(const FdMemory&) = delete;
  FdMemory& operator=(const FdMemory&) = delete;

  size_t size() const override { return size_; }

  void CheckPart(size_t offset, size_t length, bool write) const override {
    CheckWithin(offset, length, size_);
    const int needed = write ? PROT_WRITE : PROT_READ;
    if (!(protect_ & needed))
      FailData("the memory was made without PROT_", write ? "WRITE" : "READ");
    CheckFile(offset, length);
  }

  std::vector<uint8_t> Read(size_t offset, size_t length) override {
    std::vector<uint8_t> bytes(length);
    Transfer(offset, length, bytes.data(), false);
    return bytes;
  }

  void Write(size_t offset, const uint8_t* bytes, size_t length) override {
    // Transfer only reads what it writes.
    Transfer(offset, length, const_cast<uint8_t*>(bytes), true);
  }

 private:
  void CheckAccess() const {
    const int mode = fcntl(fd_, F_GETFL) & O_ACCMODE;
    if (mode == O_WRONLY || (mode == O_RDONLY && (protect_ & PROT_WRITE)))
      Fail(ANEURALNETWORKS_UNMAPPABLE, "the descriptor is not open for what the memory is for");
  }

  void CheckFile(size_t offset, size_t length) const {
    struct stat about;
    if (fstat(fd_, &about) != 0) FailData("the file: ", std::strerror(errno));
    if (!S_ISREG(about.st_mode)) return;
    const auto there = static_cast<uint64_t>(about.st_size);
    if (offset_ + offset + length > there)
      FailData("the file has ", there, " bytes, of the memory ", offset_ + offset + length,
               " are needed");
  }

  void Transfer(size_t offset, size_t length, uint8_t* bytes, bool write) {
    size_t done = 0;
    while (done < length) {
      const auto at = static_cast<off_t>(offset_ + offset + done);
      const ssize_t count = write ? pwrite(fd_, bytes + done, length - done, at)
                                  : pread(fd_, bytes + done, length - done, at);
      if (count > 0) {
        done += static_cast<size_t>(count);
      } else if (count == 0) {
        Fail(ANEURALNETWORKS_OP_FAILED, "the file of a memory is shorter than it was");
      } else if (errno != EINTR) {
        return TransferMapped(offset, length, bytes, write);
      }
    }
  }

  // For descriptors of devices, which cannot be read. Files are not mapped.
  void TransferMapped(size_t offset, size_t length, uint8_t* bytes, bool write) {
    const std::string reason = std::strerror(errno);
    struct stat about;
    if (fstat(fd_, &about) != 0 || S_ISREG(about.st_mode))
      Fail(ANEURALNETWORKS_OP_FAILED, "the file of a memory: ", reason);
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t from = offset_ + offset, skipped = from % page;
    void* mapped = mmap(nullptr, length + skipped, write ? PROT_READ | PROT_WRITE : PROT_READ,
                        MAP_SHARED, fd_, static_cast<off_t>(from - skipped));
    if (mapped == MAP_FAILED) Fail(ANEURALNETWORKS_UNMAPPABLE, "a memory: ", reason);
    uint8_t* place = static_cast<uint8_t*>(mapped) + skipped;
    if (write)
      std::memcpy(place, bytes, length);
    else
      std::memcpy(bytes, place, length);
    munmap(mapped, length + skipped);
  }

  const size_t size_;
  const int protect_;
  const size_t offset_;
  const int fd_;
};

}  // namespace

std::shared_ptr<Memory> MemoryFromFd(size_t size, int protect, int fd, size_t offset) {
  if (size == 0) FailData("memory of no bytes");
  if (fd < 0) FailData("descriptor ", fd);
  if (offset > INT64_MAX || size > INT64_MAX - offset) FailData("an offset beyond all files");
  return std::make_shared<FdMemory>(size, protect, fd, offset);
}

// -- Descriptors.

namespace {

// What is known by either; throws where they contradict each other.
Dims Combined(const Dims& a, const Dims& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  if (a.size() != b.size()) FailData("ranks differ: ", a.size(), " and ", b.size());
  Dims both = a;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != 0 && b[i] != 0 && a[i] != b[i]) FailData("dimension ", i, " differs");
    both[i] = std::max(a[i], b[i]);
  }
  return both;
}

}  // namespace

void MemoryDesc::AddRole(std::shared_ptr<Compilation> compilation, uint32_t index, bool output,
                         float frequency) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (finished_) FailState("the descriptor is finished");
  const OperandType type = compilation->ArgumentType(index, output);
  if (!(frequency > 0 && frequency <= 1)) FailData("a frequency is in (0, 1], not ", frequency);
  const Role role{compilation.get(), index, output};
  if (roles_.count(role)) FailData("the role was added before");
  if (typed_ &&
      (type.code != type_.code || type.scale != type_.scale || type.zero_point != type_.zero_point))
    FailData("the roles' types differ: ", TypeText(type_), " and ", TypeText(type));
  const Dims dims = Combined(dims_, type.dims);
  roles_.insert(role);
  compilations_.push_back(std::move(compilation));
  type_ = type;
  typed_ = true;
  dims_ = dims;
}

void MemoryDesc::SetDimensions(Dims dims) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (finished_) FailState("the descriptor is finished");
  dims_ = Combined(dims_, dims);
}

void MemoryDesc::Finish() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (finished_) FailState("the descriptor is finished");
  if (roles_.empty()) FailData("the descriptor has no role");
  if (!IsTensor(type_.code) && !dims_.empty()) FailData("a scalar has no dimensions");
  type_.dims = dims_;
  finished_ = true;
}

bool MemoryDesc::finished() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return finished_;
}

DescMemory::DescMemory(const MemoryDesc& desc)
    : roles_(desc.roles()), compilations_(desc.compilations()), type_(desc.type()) {}

size_t DescMemory::size() const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (IsShapeKnown(type_)) return ByteSize(type_);
  return bytes_.size();
}

void DescMemory::CheckRole(const Role& role) const {
  if (!roles_.count(role)) FailData("the memory was not made for this role");
}

void DescMemory::CheckPart(size_t offset, size_t length, bool) const {
  if (offset != 0 || length != 0)
    FailData("memory of a descriptor is used with offset 0 and length 0");
}

std::vector<uint8_t> DescMemory::Contents(Dims* dims) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!written_) Fail(ANEURALNETWORKS_OP_FAILED, "the memory was not written");
  *dims = dims_;
  return bytes_;
}

void DescMemory::SetContents(const Dims& dims, std::vector<uint8_t> bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  dims_ = dims;
  bytes_ = std::move(bytes);
  written_ = true;
}

void DescMemory::Spoil() {
  std::lock_guard<std::mutex> lock(mutex_);
  written_ = false;
}

std::vector<uint8_t> DescMemory::Read(size_t, size_t) {
  Dims dims;
  return Contents(&dims);
}

void DescMemory::Write(size_t, const uint8_t* bytes, size_t length) {
  if (!IsShapeKnown(type_) || ByteSize(type_) != length)
    FailData("the memory is ", TypeText(type_), ", given are ", length, " bytes");
  SetContents(type_.dims, std::vector<uint8_t>(bytes, bytes + length));
}

void CopyMemory(Memory* from, Memory* to) {
  if (from == to) return;
  DescMemory *source = from->desc(), *target = to->desc();
  if (source && target) {
    Dims dims;
    std::vector<uint8_t> bytes = source->Contents(&dims);
    const OperandType& type = target->type();
    if (source->type().code != type.code) FailData("the memories hold different types");
    Combined(type.dims, dims);
    return target->SetContents(dims, std::move(bytes));
  }
  if (from->size() != to->size())
    FailData("the memories have ", from->size(), " and ", to->size(), " bytes");
  if (!source) from->CheckPart(0, from->size(), false);
  if (!target) to->CheckPart(0, to->size(), true);
  const std::vector<uint8_t> bytes = from->Read(0, from->size());
  if (bytes.size() != from->size()) FailData("the memory holds ", bytes.size(), " bytes");
  to->Write(0, bytes.data(), bytes.size());
}

}  // namespace nnadapter::nnapi
