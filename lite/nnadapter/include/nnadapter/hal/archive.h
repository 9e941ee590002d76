// Bytes of a program's cache: numbers, texts and arrays, read back with every length checked.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "nnadapter/hal/error.h"

namespace nnadapter {
namespace hal {

class Writer {
 public:
  template <typename T>
  void Put(const T& value) {
    static_assert(std::is_trivially_copyable<T>::value, "elements are copied as bytes");
    Append(&value, sizeof(T));
  }
  template <typename T>
  void PutArray(const T* values, size_t count) {
    static_assert(std::is_trivially_copyable<T>::value, "elements are copied as bytes");
    Put(static_cast<uint64_t>(count));
    Append(values, count * sizeof(T));
  }
  template <typename T>
  void PutArray(const std::vector<T>& values) {
    PutArray(values.data(), values.size());
  }
  void PutText(const std::string& text) { PutArray(text.data(), text.size()); }
  std::vector<uint8_t> Take() { return std::move(bytes_); }

 private:
  void Append(const void* from, size_t count) {
    const auto* begin = static_cast<const uint8_t*>(from);
    if (count) bytes_.insert(bytes_.end(), begin, begin + count);
  }
  std::vector<uint8_t> bytes_;
};

// InvalidParameter where the bytes end too early.
class Reader {
 public:
  explicit Reader(const std::vector<uint8_t>& bytes) : bytes_(bytes) {}

  template <typename T>
  T Get() {
    static_assert(std::is_trivially_copyable<T>::value, "elements are copied as bytes");
    T value;
    std::memcpy(&value, Next(1, sizeof(T)), sizeof(T));
    return value;
  }
  template <typename T>
  std::vector<T> GetArray() {
    const uint64_t count = Get<uint64_t>();
    const uint8_t* from = Next(count, sizeof(T));
    std::vector<T> values(count);
    if (count) std::memcpy(values.data(), from, count * sizeof(T));
    return values;
  }
  std::string GetText() {
    const std::vector<char> text = GetArray<char>();
    return {text.begin(), text.end()};
  }
  bool AtEnd() const { return at_ == bytes_.size(); }

 private:
  const uint8_t* Next(uint64_t count, size_t size) {
    if (count > (bytes_.size() - at_) / size)
      throw InvalidParameter(Text("a cache of ", bytes_.size(), " bytes ends too early"));
    const uint8_t* from = bytes_.data() + at_;
    at_ += count * size;
    return from;
  }
  const std::vector<uint8_t>& bytes_;
  size_t at_ = 0;
};

}  // namespace hal
}  // namespace nnadapter
