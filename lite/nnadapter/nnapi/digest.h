// A digest of contents, for the names of what is cached.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace nnadapter::nnapi {

// Two FNV-1a hashes of 64 bits over words. No secret: the runtime checks a cache itself.
class Digest {
 public:
  template <typename T>
  void Add(const T& value) {
    AddBytes(reinterpret_cast<const uint8_t*>(&value), sizeof(value));
  }
  template <typename T>
  void AddAll(const std::vector<T>& values) {
    Add(values.size());
    AddBytes(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T));
  }
  void AddText(const std::string& text) { AddAll(std::vector<uint8_t>(text.begin(), text.end())); }
  void AddBytes(const uint8_t* bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      first_ = (first_ ^ bytes[i]) * 0x100000001b3u;
      second_ = (second_ + bytes[i]) * 0x9e3779b97f4a7c15u;
      second_ ^= second_ >> 29;
    }
  }
  // 32 digits.
  std::string Hex() const {
    char text[33];
    std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(first_),
                  static_cast<unsigned long long>(second_));
    return text;
  }

 private:
  uint64_t first_ = 0xcbf29ce484222325u, second_ = 0x6a09e667f3bcc909u;
};

}  // namespace nnadapter::nnapi
