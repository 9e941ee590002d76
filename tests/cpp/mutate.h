// Damages files: blindly, and in the ways in which flatbuffers break.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace paddle::lite::testing {

// SplitMix64: small, and the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In [0, bound); 0 for a bound of 0.
  size_t Below(size_t bound) { return bound == 0 ? 0 : Next() % bound; }

 private:
  uint64_t state_;
};

class Mutator {
 public:
  // `head`: the bytes where structure is densest, which are hit most often.
  Mutator(const std::vector<std::string>& bases, size_t head_base, Random* random)
      : bases_(bases), base_(head_base), random_(*random) {}

  // A copy of the base with one to four kinds of damage.
  std::string Mutate() {
    std::string bytes = bases_[base_];
    const size_t rounds = 1 + random_.Below(2) * random_.Below(4);
    for (size_t i = 0; i < rounds && !bytes.empty(); ++i) Damage(&bytes);
    return bytes;
  }

 private:
  static constexpr size_t kHeader = 26;  // the program's flatbuffer follows

  void Damage(std::string* bytes) {
    switch (random_.Below(16)) {
      case 0:
        return bytes->resize(random_.Below(bytes->size()));
      case 1:
        return Splice(bytes);
      case 2:
        return InsertOrErase(bytes);
      case 3:
      case 4:
        return ShareOffset(bytes);
      case 5:
      case 6:
      case 7:
        return FlipBits(bytes);
      case 8:
      case 9:
        return SetByte(bytes);
      case 10:
        return SetNumber<uint16_t>(bytes, 2);
      case 11:
        return SetNumber<uint64_t>(bytes, 4);
      default:
        return SetNumber<uint32_t>(bytes, 4);
    }
  }

  size_t ProgramEnd(const std::string& bytes) const {
    uint64_t size = 0;
    if (bytes.size() >= kHeader) std::memcpy(&size, &bytes[18], 8);
    return std::min<uint64_t>(bytes.size(), size + kHeader);
  }

  // Mostly in the header and the program, where parameters' values are not.
  size_t Position(const std::string& bytes) {
    const size_t end = random_.Below(4) == 0 ? bytes.size() : ProgramEnd(bytes);
    return random_.Below(std::max<size_t>(end, 1));
  }
  // Aligned as in the program's flatbuffer; bytes.size() where `width` bytes do not fit.
  size_t Aligned(const std::string& bytes, size_t align, size_t width) {
    const size_t at = Position(bytes);
    const size_t aligned = at < kHeader ? at & ~size_t{1} : at - (at - kHeader) % align;
    return aligned + width <= bytes.size() ? aligned : bytes.size();
  }

  void FlipBits(std::string* bytes) {
    for (size_t n = 1 + random_.Below(4); n > 0; --n) {
      char& byte = (*bytes)[Position(*bytes)];
      byte = static_cast<char>(byte ^ (1 << random_.Below(8)));
    }
  }

  void SetByte(std::string* bytes) {
    static constexpr uint8_t kValues[] = {0, 1, 2, 3, 4, 8, 16, 32, 64, 0x7f, 0x80, 0xfe, 0xff};
    (*bytes)[Position(*bytes)] = static_cast<char>(kValues[random_.Below(sizeof kValues)]);
  }

  template <typename T>
  void SetNumber(std::string* bytes, size_t align) {
    const size_t at = Aligned(*bytes, align, sizeof(T));
    if (at == bytes->size()) return;
    T value;
    std::memcpy(&value, &(*bytes)[at], sizeof value);
    switch (random_.Below(8)) {
      case 0:
        value = static_cast<T>(value + 1);
        break;
      case 1:
        value = static_cast<T>(value - 1);
        break;
      case 2:
        value = static_cast<T>(bytes->size() - at + random_.Below(9) - 4);
        break;
      case 3:
        value = static_cast<T>(value * 2);
        break;
      case 4:
        value = static_cast<T>(random_.Below(64) * 4);
        break;
      case 5:
        value = static_cast<T>(-1 - static_cast<int64_t>(random_.Below(4)));
        break;
      case 6:
        value = static_cast<T>(uint64_t{1} << random_.Below(8 * sizeof(T)));
        break;
      default:
        value = static_cast<T>((uint64_t{1} << (8 * sizeof(T) - 1)) - random_.Below(2));
    }
    std::memcpy(&(*bytes)[at], &value, sizeof value);
  }

  // Lets one offset point to what another one points to.
  void ShareOffset(std::string* bytes) {
    const size_t from = Aligned(*bytes, 4, 4), to = Aligned(*bytes, 4, 4);
    if (from == bytes->size() || to == bytes->size()) return;
    uint32_t offset;
    std::memcpy(&offset, &(*bytes)[from], 4);
    offset += static_cast<uint32_t>(from - to);
    std::memcpy(&(*bytes)[to], &offset, 4);
  }

  void Splice(std::string* bytes) {
    const std::string& other = bases_[random_.Below(bases_.size())];
    const size_t from = random_.Below(other.size()), to = Position(*bytes);
    const size_t longest = std::min(other.size() - from, bytes->size() - to);
    bytes->replace(to, longest, other, from, 1 + random_.Below(std::min<size_t>(longest, 256)));
  }

  void InsertOrErase(std::string* bytes) {
    const size_t at = Position(*bytes), count = 1 + random_.Below(8);
    if (random_.Below(2) == 0)
      bytes->insert(at, count, static_cast<char>(random_.Below(256)));
    else
      bytes->erase(at, count);
  }

  const std::vector<std::string>& bases_;
  size_t base_;
  Random& random_;
};

}  // namespace paddle::lite::testing
