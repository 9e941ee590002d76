// A flatbuffer that nobody vouches for: tables, vectors and strings are checked when they are
// reached, so that nothing outside the buffer is ever read. Values are loaded bytewise, so the
// buffer itself may stand at any address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace paddle::lite::flatbuffer {

// The bytes of one flatbuffer; at most 4 GiB, the reach of its offsets.
struct Buffer {
  const uint8_t* data = nullptr;
  size_t size = 0;
  size_t file_offset = 0;  // where `data` stands in its file, for messages
  // Bytes that may still be read, counting those that several offsets lead to each time.
  mutable size_t readable = SIZE_MAX;

  // Throws ModelFormatError, naming the file offset of `position`.
  [[noreturn]] void Fail(size_t position, const std::string& what) const;
  // True where `count` elements of `element_size` bytes from `position` on lie in the buffer.
  bool Holds(size_t position, size_t count, size_t element_size) const {
    return position <= size && count <= (size - position) / element_size;
  }
  // Counts `bytes` that are read at `position`. Throws ModelFormatError where that is too often.
  void Spend(size_t position, size_t bytes) const {
    if (bytes > readable) Fail(position, "the buffer refers to the same bytes again and again");
    readable -= bytes;
  }
  // `position` must have been checked with Holds.
  template <typename T>
  T Load(size_t position) const {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, data + position, sizeof(T));
    return value;
  }
  // Follows the 32-bit offset at `position`; the target lies in the buffer and is 4-aligned.
  size_t Follow(size_t position, const char* what) const;
  // The string at `position`, without its terminating zero, which must be there.
  std::string_view StringAt(size_t position, const char* what) const;
};

class Table;

// Base of vectors: where the elements begin and how many there are.
struct VectorBase {
  const Buffer* buffer = nullptr;
  size_t begin = 0;
  size_t count = 0;
  size_t size() const { return count; }
};

template <typename T>
struct ScalarVector : VectorBase {
  T operator[](size_t i) const { return buffer->Load<T>(begin + i * sizeof(T)); }
  const uint8_t* bytes() const { return buffer ? buffer->data + begin : nullptr; }
};
struct TableVector : VectorBase {
  Table operator[](size_t i) const;
};
struct StringVector : VectorBase {
  std::string_view operator[](size_t i) const;
};

class Table {
 public:
  // The root table; `what` names it in messages.
  static Table Root(const Buffer& buffer, const char* what);
  Table(const Buffer& buffer, size_t position, const char* what);

  // Field number `slot`, or `fallback` where the file leaves it out.
  template <typename T>
  T Scalar(int slot, T fallback) const {
    const size_t at = Field(slot, sizeof(T));
    return at == 0 ? fallback : buffer_->Load<T>(at);
  }
  bool Bool(int slot) const { return Scalar<uint8_t>(slot, 0) != 0; }
  std::optional<Table> Child(int slot, const char* what) const;
  Table RequiredChild(int slot, const char* what) const;
  // An absent string or vector is an empty one.
  std::string_view String(int slot, const char* what) const;
  std::string_view RequiredString(int slot, const char* what) const;
  template <typename T>
  ScalarVector<T> Scalars(int slot, const char* what) const {
    return {Vector(slot, sizeof(T), what)};
  }
  TableVector Tables(int slot, const char* what) const { return {Vector(slot, 4, what)}; }
  StringVector Strings(int slot, const char* what) const { return {Vector(slot, 4, what)}; }

  [[noreturn]] void Fail(const std::string& what) const { buffer_->Fail(position_, what); }
  // Of the table in the file.
  size_t file_offset() const { return buffer_->file_offset + position_; }

 private:
  // Where the field's value stands; 0 where it is absent.
  size_t Field(int slot, size_t bytes) const;
  VectorBase Vector(int slot, size_t element_size, const char* what) const;

  const Buffer* buffer_;
  size_t position_;
  size_t vtable_ = 0;
  uint16_t vtable_size_ = 0;
  uint16_t table_size_ = 0;
  const char* what_;
};

}  // namespace paddle::lite::flatbuffer
