#include "lite/core/naive_buffer.h"

#include <algorithm>
#include <utility>

#include "lite/core/base/errors.h"
#include "lite/core/naive_buffer_internal.h"
#include "lite/core/sniff.h"

namespace paddle::lite {
namespace naive_buffer {
namespace {

constexpr const char* kConvert = "convert the original model with paddle_lite_opt";

std::string HexOf(const uint8_t* data, size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(size, 8); ++i) {
    if (i) text += ' ';
    text += kDigits[data[i] >> 4];
    text += kDigits[data[i] & 15];
  }
  return text;
}

// Length of the valid UTF-8 character at `text[i]`; 0 where there is none.
size_t Utf8Length(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<uint8_t>(text[k]); };
  const uint8_t first = byte(i);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || i + length > text.size()) return 0;
  for (size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  const uint8_t second = byte(i + 1);
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

bool IsControl(char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7f; }

}  // namespace

ReadBudget::ReadBudget(size_t file_size) : file_size_(file_size) {
  constexpr size_t kFloor = 16'000'000, kFactor = 4;
  size_t limit = kFloor;
  if (file_size > kFloor / kFactor && __builtin_mul_overflow(file_size, kFactor, &limit))
    limit = SIZE_MAX;
  // The file itself may stand in memory, rounded up to huge pages.
  const size_t rounding = std::min<size_t>(file_size, size_t{2} << 20);
  left_ = limit - file_size - rounding;
}

void ReadBudget::Refuse() const {
  throw ModelFormatError(StrCat("its content would take far more memory than a file of ",
                                file_size_,
                                " bytes can describe honestly; its offsets or sizes are wrong"));
}

std::string Quote(std::string_view text) {
  constexpr size_t kLongest = 80;
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string quoted = "'";
  for (size_t i = 0; i < text.size();) {
    if (i >= kLongest) return quoted + "'...";
    const size_t length = IsControl(text[i]) ? 0 : Utf8Length(text, i);
    if (length == 0) {
      const auto byte = static_cast<uint8_t>(text[i]);
      quoted += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
      ++i;
    } else {
      quoted += text.substr(i, length);
      i += length;
    }
  }
  return quoted + "'";
}

std::string CopyName(std::string_view text, const char* what, const flatbuffer::Table& where,
                     ReadBudget* budget) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    if (length == 0) where.Fail(StrCat(what, " is not UTF-8: ", Quote(text)));
    i += length;
  }
  // Short texts stand in the string itself.
  if (text.size() > 15) budget->Charge(text.size() + kNodeOverhead / 2);
  return std::string(text);
}

Header ReadHeader(const uint8_t* data, size_t file_size) {
  if (file_size == 0) throw ModelFormatError("the file is empty");
  const flatbuffer::Buffer file{data, std::min(file_size, Header::kSize), 0};
  Header header;
  header.meta_version = file.size < 2 ? 0xffff : file.Load<uint16_t>(0);
  if (header.meta_version == 0)
    throw ModelFormatError(StrCat(
        "it begins with two zero bytes, as .nb files of Paddle Lite before 2.7 (and Paddle's "
        "parameter files) do; only files of Paddle Lite 2.7 and later can be read: ",
        kConvert));
  if (header.meta_version > 2) {
    const char* looks_like = Sniff(data, std::min(file_size, kSniffedBytes)).text;
    throw ModelFormatError(StrCat("it is no .nb file (it begins with ", HexOf(data, file.size),
                                  ", not with 02 00 or 01 00)",
                                  looks_like ? StrCat("; it looks like ", looks_like) : ""));
  }
  if (file_size < Header::kSize)
    throw ModelFormatError(StrCat("the file ends after ", file_size,
                                  " bytes, within the header of ", Header::kSize,
                                  "; it was cut off"));
  const auto* text = reinterpret_cast<const char*>(data) + 2;
  header.writer_version.assign(text, strnlen(text, 16));
  for (char& c : header.writer_version)
    if (IsControl(c) || static_cast<uint8_t>(c) >= 0x80) c = '?';
  const auto topo_size = file.Load<uint64_t>(18);
  if (topo_size > file_size - Header::kSize)
    file.Fail(18, StrCat("the program is said to have ", topo_size, " bytes, but only ",
                         file_size - Header::kSize, " follow; the file was cut off or is damaged"));
  header.topo_size = topo_size;
  return header;
}

NaiveBufferModel ReadModel(const uint8_t* data, size_t size, const std::shared_ptr<void>& holder,
                           bool releasable, ParamForm form) {
  const Header header = ReadHeader(data, size);
  ReadBudget budget(size);
  NaiveBufferModel model;
  model.writer_version = header.writer_version;
  const flatbuffer::Buffer program{data + Header::kSize, header.topo_size, Header::kSize};
  if (form == ParamForm::kAsStored) program.readable = 4 * program.size + 64;
  model.program = ReadProgram(program, &budget);
  const flatbuffer::Buffer file{data, size, 0};
  const size_t begin = Header::kSize + header.topo_size;
  const bool combined = header.meta_version == 1;
  auto views =
      combined ? ReadParamsMeta1(file, begin, &budget) : ReadParamsMeta2(file, begin, &budget);
  // In one flatbuffer parameters may share their data.
  constexpr size_t kWorthReturning = size_t{4} << 20;
  if (releasable && !combined && size >= kWorthReturning)
    model.pages = std::make_shared<FilePages>(holder, size);
  if (form == ParamForm::kAsStored)
    for (const ParamView& view : views) {
      budget.Charge(view.name.size() + sizeof(std::string) + kNodeOverhead);
      model.param_offsets[view.name] = view.file_offset;
    }
  model.params = MakeParams(std::move(views), form, holder, model.pages, &budget);
  return model;
}

}  // namespace naive_buffer

NaiveBufferModel ReadNaiveBuffer(const uint8_t* data, size_t size, std::shared_ptr<void> holder,
                                 const std::string& name, ParamForm form) {
  try {
    return naive_buffer::ReadModel(data, size, holder, false, form);
  } catch (LiteError& error) {
    error.AddContext(name);
    throw;
  }
}

NaiveBufferModel ReadOwnNaiveBuffer(const std::shared_ptr<void>& memory, size_t size,
                                    const std::string& name) {
  try {
    return naive_buffer::ReadModel(static_cast<const uint8_t*>(memory.get()), size, memory, true,
                                   ParamForm::kForKernels);
  } catch (LiteError& error) {
    error.AddContext(name);
    throw;
  }
}

ProgramDesc ReadProgramDesc(const uint8_t* data, size_t size, const std::string& name) {
  try {
    naive_buffer::ReadBudget budget(size);
    return naive_buffer::ReadProgram({data, size, 0}, &budget);
  } catch (LiteError& error) {
    error.AddContext(name);
    throw;
  }
}

}  // namespace paddle::lite
