// Memory of NNAPI: a part of a file, or memory for roles of compilations.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

#include "lite/nnadapter/nnapi/operand.h"

namespace nnadapter::nnapi {

class Compilation;

// Where memory of a descriptor may be used.
struct Role {
  // Compared, never followed: the compilation may be gone.
  const Compilation* compilation;
  uint32_t index;
  bool output;
  bool operator<(const Role& other) const {
    return std::tie(compilation, index, output) <
           std::tie(other.compilation, other.index, other.output);
  }
};

class MemoryDesc {
 public:
  void AddRole(std::shared_ptr<Compilation> compilation, uint32_t index, bool output,
               float frequency);
  void SetDimensions(Dims dims);
  void Finish();
  bool finished() const;
  // Of a finished one.
  const std::set<Role>& roles() const { return roles_; }
  const OperandType& type() const { return type_; }
  // The compilations stay while the roles do.
  const std::vector<std::shared_ptr<Compilation>>& compilations() const { return compilations_; }

 private:
  mutable std::mutex mutex_;
  std::set<Role> roles_;
  std::vector<std::shared_ptr<Compilation>> compilations_;
  OperandType type_;
  Dims dims_;
  bool typed_ = false, finished_ = false;
};

// All throw Error.
class Memory {
 public:
  virtual ~Memory() = default;
  // `length` bytes from `offset`. Throws Error(BAD_DATA) where they are not there.
  virtual std::vector<uint8_t> Read(size_t offset, size_t length) = 0;
  virtual void Write(size_t offset, const uint8_t* bytes, size_t length) = 0;
  // Throws Error(BAD_DATA) where the part cannot be in it, or must not be written.
  virtual void CheckPart(size_t offset, size_t length, bool write) const = 0;
  // Null unless it was made of a descriptor.
  virtual class DescMemory* desc() { return nullptr; }
  virtual size_t size() const = 0;
};

std::shared_ptr<Memory> MemoryFromFd(size_t size, int protect, int fd, size_t offset);

class DescMemory : public Memory {
 public:
  explicit DescMemory(const MemoryDesc& desc);
  std::vector<uint8_t> Read(size_t offset, size_t length) override;
  void Write(size_t offset, const uint8_t* bytes, size_t length) override;
  void CheckPart(size_t offset, size_t length, bool write) const override;
  DescMemory* desc() override { return this; }
  size_t size() const override;

  // Throws Error(BAD_DATA) where the memory has no such role.
  void CheckRole(const Role& role) const;
  // Its contents with their dimensions. Throws Error(OP_FAILED) where nothing was written yet.
  std::vector<uint8_t> Contents(Dims* dims) const;
  void SetContents(const Dims& dims, std::vector<uint8_t> bytes);
  // What a failed computation leaves behind.
  void Spoil();
  const OperandType& type() const { return type_; }

 private:
  const std::set<Role> roles_;
  const std::vector<std::shared_ptr<Compilation>> compilations_;
  const OperandType type_;
  mutable std::mutex mutex_;
  Dims dims_;
  std::vector<uint8_t> bytes_;
  bool written_ = false;
};

// Throws Error: BAD_DATA where sizes or types differ, OP_FAILED where `from` is not written.
void CopyMemory(Memory* from, Memory* to);

}  // namespace nnadapter::nnapi
