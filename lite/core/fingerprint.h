// Fingerprint: 128 bits that tell apart what a compiled program depends on. Not for adversaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

namespace paddle::lite {

class Fingerprint {
 public:
  // The length is part of what is added.
  void Add(const void* data, size_t size) {
    const auto* bytes = static_cast<const uint8_t*>(data);
    Mix(size);
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, bytes, sizeof(word));
      Mix(word);
    }
    uint64_t rest = 0;
    if (size > 0) std::memcpy(&rest, bytes, size);
    Mix(rest);
  }
  void Add(const std::string& text) { Add(text.data(), text.size()); }
  void Add(uint64_t number) { Mix(number); }
  uint64_t low() const { return low_; }
  uint64_t high() const { return high_; }
  // 32 hexadecimal digits.
  static std::string Hex(uint64_t a, uint64_t b) {
    char text[33];
    std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(a),
                  static_cast<unsigned long long>(b));
    return text;
  }

 private:
  void Mix(uint64_t word) {
    low_ = (low_ ^ word) * 0x9e3779b97f4a7c15u;
    low_ ^= low_ >> 29;
    high_ = (high_ + word) * 0xd6e8feb86659fd93u;
    high_ ^= high_ >> 32;
  }

  uint64_t low_ = 0x243f6a8885a308d3u, high_ = 0x13198a2e03707344u;
};

}  // namespace paddle::lite
