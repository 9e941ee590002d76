// A file of cases, little-endian and without padding; nothing in it is believed.
//
//   file      "NNACASES", u32 version 1, u32 CRC-32 of what follows, u32 count, cases
//   case      text name, text operation, i32 type, f64 tolerance, i32 levels, u32 count, operands,
//             ints inputs, ints outputs, u32 count, expected
//   operand   u8 role, i32 precision, ints dims, floats scales, i32 channel_dim, i32 zero_point,
//             bytes
//   expected  ints dims, u8 0 and f64s, or u8 1 and i64s
//
// A text, ints, floats, bytes, f64s, i64s: u32 count, elements.
#include "lite/nnadapter/device_test/case_file.h"

#include <errno.h>
#include <string.h>

#include <fstream>
#include <iterator>

#include "lite/nnadapter/device_test/elements.h"

namespace device_test {
namespace {

constexpr char kMagic[] = "NNACASES";
constexpr uint32_t kVersion = 1;

uint32_t Crc32(const uint8_t* bytes, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

class Reader {
 public:
  explicit Reader(const std::vector<uint8_t>& bytes) : bytes_(bytes) {}

  [[noreturn]] void Refuse(const std::string& what) const {
    throw FileError(what + ", at byte " + std::to_string(at_) + " of " +
                    std::to_string(bytes_.size()));
  }
  template <typename T>
  T Get() {
    T value;
    memcpy(&value, Next(1, sizeof(T)), sizeof(T));
    return value;
  }
  template <typename T>
  std::vector<T> Array() {
    const uint32_t count = Get<uint32_t>();
    const uint8_t* from = Next(count, sizeof(T));
    std::vector<T> values(count);
    if (count) memcpy(values.data(), from, count * sizeof(T));
    return values;
  }
  std::string Text() {
    const std::vector<char> text = Array<char>();
    for (const char c : text)
      if (c < ' ' || c > '~') Refuse("a name has a character that is not printable");
    return {text.begin(), text.end()};
  }
  // How many items follow; each takes some bytes at least.
  uint32_t Count(size_t least_size) {
    const uint32_t count = Get<uint32_t>();
    if (count > Left() / least_size) Refuse(std::to_string(count) + " items do not fit");
    return count;
  }
  size_t Left() const { return bytes_.size() - at_; }
  const uint8_t* Rest() const { return bytes_.data() + at_; }

 private:
  const uint8_t* Next(size_t count, size_t size) {
    if (count > Left() / size) Refuse("the file ends too early");
    const uint8_t* from = Rest();
    at_ += count * size;
    return from;
  }
  const std::vector<uint8_t>& bytes_;
  size_t at_ = 0;
};

std::vector<int32_t> ReadDims(Reader& reader) {
  const std::vector<int32_t> dims = reader.Array<int32_t>();
  if (!ElementCount(dims)) reader.Refuse("dimensions that no tensor has");
  return dims;
}

Operand ReadOperand(Reader& reader) {
  Operand operand;
  const uint8_t role = reader.Get<uint8_t>();
  if (role > static_cast<uint8_t>(Role::kOutput)) reader.Refuse("an operand of unknown role");
  operand.role = static_cast<Role>(role);
  operand.precision = reader.Get<int32_t>();
  operand.dims = ReadDims(reader);
  operand.scales = reader.Array<float>();
  operand.channel_dim = reader.Get<int32_t>();
  operand.zero_point = reader.Get<int32_t>();
  operand.bytes = reader.Array<uint8_t>();
  const bool inferred = operand.role == Role::kOutput && operand.precision == NNADAPTER_UNKNOWN;
  if (inferred ? !operand.dims.empty() : !ElementSize(operand.precision))
    reader.Refuse("an operand of unknown precision " + std::to_string(operand.precision));
  if (!inferred && operand.scales.empty() != (ScaleKindOf(operand.precision) == ScaleKind::kNone))
    reader.Refuse("an operand whose scales do not suit its precision");
  if (ScaleKindOf(operand.precision) == ScaleKind::kChannel &&
      (operand.channel_dim < 0 || operand.channel_dim >= static_cast<int>(operand.dims.size()) ||
       operand.dims[operand.channel_dim] != static_cast<int64_t>(operand.scales.size())))
    reader.Refuse("an operand whose scales are not one a channel");
  const uint64_t size = operand.role == Role::kOutput
                            ? 0
                            : *ElementCount(operand.dims) * ElementSize(operand.precision);
  if (operand.bytes.size() != size) reader.Refuse("an operand whose bytes are not its elements");
  return operand;
}

std::vector<int32_t> ReadIndices(Reader& reader, const Case& result, bool outputs) {
  const std::vector<int32_t> indices = reader.Array<int32_t>();
  for (const int32_t index : indices) {
    if (index == -1 && !outputs) continue;
    if (index < 0 || index >= static_cast<int64_t>(result.operands.size()))
      reader.Refuse("an operation of operand " + std::to_string(index) + " of " +
                    std::to_string(result.operands.size()));
    if ((result.operands[index].role == Role::kOutput) != outputs)
      reader.Refuse("an operation whose inputs and outputs are mixed up");
  }
  return indices;
}

Expected ReadExpected(Reader& reader) {
  Expected expected;
  expected.dims = ReadDims(reader);
  const uint8_t kind = reader.Get<uint8_t>();
  if (kind > 1) reader.Refuse("an expectation of unknown kind");
  if (kind)
    expected.integers = reader.Array<int64_t>();
  else
    expected.reals = reader.Array<double>();
  if (expected.integers.size() + expected.reals.size() != *ElementCount(expected.dims))
    reader.Refuse("an expectation whose numbers are not its elements");
  return expected;
}

Case ReadCase(Reader& reader) {
  Case result;
  result.name = reader.Text();
  result.operation = reader.Text();
  result.type = reader.Get<int32_t>();
  result.tolerance = reader.Get<double>();
  result.levels = reader.Get<int32_t>();
  if (!(result.tolerance >= 0) || result.levels < 0) reader.Refuse("a tolerance below 0");
  const uint32_t operands = reader.Count(25);
  for (uint32_t i = 0; i < operands; ++i) result.operands.push_back(ReadOperand(reader));
  result.inputs = ReadIndices(reader, result, false);
  result.outputs = ReadIndices(reader, result, true);
  const uint32_t expected = reader.Count(9);
  for (uint32_t i = 0; i < expected; ++i) result.expected.push_back(ReadExpected(reader));
  if (expected != result.outputs.size() || !expected)
    reader.Refuse(std::to_string(expected) + " expectations of " +
                  std::to_string(result.outputs.size()) + " outputs");
  return result;
}

}  // namespace

std::vector<Case> ParseCases(const std::vector<uint8_t>& bytes) {
  Reader reader(bytes);
  for (const char* at = kMagic; *at; ++at)
    if (!reader.Left() || reader.Get<char>() != *at)
      throw FileError("not a file of cases; lite device-test --export FILE writes one");
  const uint32_t version = reader.Get<uint32_t>();
  if (version != kVersion)
    throw FileError("cases of version " + std::to_string(version) + ", where " +
                    std::to_string(kVersion) + " is known; export them with this version's lite");
  const uint32_t sum = reader.Get<uint32_t>();
  if (sum != Crc32(reader.Rest(), reader.Left()))
    throw FileError("the sum of the file is wrong: it is damaged; copy or export it again");
  std::vector<Case> cases;
  const uint32_t count = reader.Count(48);
  for (uint32_t i = 0; i < count; ++i) cases.push_back(ReadCase(reader));
  if (reader.Left()) reader.Refuse("bytes behind the last case");
  return cases;
}

std::vector<Case> ReadCases(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::vector<uint8_t> bytes;
  try {
    if (file) bytes.assign(std::istreambuf_iterator<char>(file), {});
  } catch (const std::ios_base::failure&) {
    file.setstate(std::ios::badbit);  // a folder
  }
  if (!file) throw FileError(path + ": " + strerror(errno));
  try {
    return ParseCases(bytes);
  } catch (const FileError& error) {
    throw FileError(path + ": " + error.what());
  }
}

}  // namespace device_test
