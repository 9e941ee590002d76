#include "lite/core/sniff.h"

#include <algorithm>
#include <string_view>

namespace paddle::lite {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::string_view bytes;
  const char* text;
};

constexpr const char* kPickle =
    "a Python pickle (.pdparams of paddle.save): export with paddle.jit.save";

constexpr Magic kFileMagics[] = {
    {"version https://git-lfs"sv, "a git-lfs pointer: run `git lfs pull` to fetch the real file"},
    {"PK\x03\x04"sv, "a zip archive: unpack it first"},
    {"\x1f\x8b"sv, "a gzip archive: unpack it first"},
    {"BZh"sv, "a bzip2 archive: unpack it first"},
    {"\xfd\x37zXZ\0"sv, "an xz archive: unpack it first"},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7-zip archive: unpack it first"},
    {"\x80\x02"sv, kPickle},
    {"\x80\x03"sv, kPickle},
    {"\x80\x04"sv, kPickle},
    {"\x80\x05"sv, kPickle},
    {"\x89HDF"sv, "an HDF5 file"},
    {"\x93NUMPY"sv, "a NumPy array file"},
    {"\x7f\x45LF"sv, "an ELF program or library"},
    {"\x89PNG"sv, "a PNG picture"},
    {"\xff\xd8\xff"sv, "a JPEG picture"},
    {"%PDF"sv, "a PDF document"},
};

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view SkipSpaces(std::string_view text) {
  while (!text.empty() && IsSpace(text[0])) text.remove_prefix(1);
  return text;
}

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Whether `text` begins with `pattern`, whose spaces stand for any number of spaces.
bool Begins(std::string_view text, std::string_view pattern) {
  for (char c : pattern) {
    if (c == ' ') {
      text = SkipSpaces(text);
    } else if (text.empty() || text[0] != c) {
      return false;
    } else {
      text.remove_prefix(1);
    }
  }
  return true;
}

bool IsHtml(std::string_view text) {
  text = SkipSpaces(text);
  for (std::string_view tag : {"<!doctype"sv, "<html"sv, "<?xml"sv, "<head"sv, "<body"sv})
    if (text.size() >= tag.size() &&
        std::equal(tag.begin(), tag.end(), text.begin(), [](char wanted, char found) {
          return wanted == (found >= 'A' && found <= 'Z' ? found - 'A' + 'a' : found);
        }))
      return true;
  return false;
}

bool IsJson(std::string_view text) {
  if (StartsWith(text, "\xef\xbb\xbf")) text.remove_prefix(3);
  text = SkipSpaces(text);
  if (text.empty() || (text[0] != '[' && text[0] != '{')) return false;
  text = SkipSpaces(text.substr(1));
  return !text.empty() && "\"[{}]"sv.find(text[0]) != std::string_view::npos;
}

bool IsPir(std::string_view text) {
  for (size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1))
    for (std::string_view key :
         {R"("base_code")"sv, R"("magic" : "pir")"sv, R"("program" : { "regions")"sv})
      if (Begins(text.substr(at), key)) return true;
  return false;
}

bool IsNaiveBuffer(std::string_view text) {
  constexpr size_t kHeader = 26;
  if (text.size() < kHeader || (text[0] != 1 && text[0] != 2) || text[1] != 0) return false;
  // The program's length, 64 bits, below 2^40.
  return text[23] == 0 && text[24] == 0 && text[25] == 0;
}

// The version comes first, then a short text or the graph.
bool IsOnnx(std::string_view text) {
  return text.size() > 2 && text[0] == '\x08' && text[1] > 0 && text[1] < 64 &&
         "\x12\x1a\x22\x28\x32\x3a\x42"sv.find(text[2]) != std::string_view::npos;
}

}  // namespace

Sniffed Sniff(const uint8_t* data, size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), std::min(size, kSniffedBytes)};
  if (text.empty()) return {FileKind::kNoModel, "an empty file"};
  for (const Magic& magic : kFileMagics)
    if (StartsWith(text, magic.bytes)) return {FileKind::kNoModel, magic.text};
  if (IsHtml(text))
    return {FileKind::kNoModel, "an HTML or XML page, perhaps a download that needs a login"};
  if (IsJson(text)) {
    if (IsPir(text))
      return {FileKind::kPir,
              "Paddle 3's PIR format (inference.json): load it as a model with CxxConfig or "
              "lite.load, or convert it with paddle_lite_opt"};
    return {FileKind::kNoModel, "a JSON file, but no inference.json of Paddle 3"};
  }
  if (text.size() > 262 && text.substr(257, 5) == "ustar")
    return {FileKind::kNoModel, "a tar archive: unpack it first"};
  if (IsNaiveBuffer(text))
    return {FileKind::kNaiveBuffer,
            "a .nb file: load it with MobileConfig.set_model_from_file or lite.load"};
  if (std::all_of(text.begin(), text.end(), [](char c) { return c == 0; }))
    return {FileKind::kNoModel, "nothing but zero bytes"};
  // A protobuf message: ProgramDesc's first field is a block, ModelProto's the version.
  if (text[0] == '\x0a')
    return {FileKind::kProgram,
            "a .pdmodel or __model__ file: load it with CxxConfig or lite.load, or convert it with "
            "paddle_lite_opt"};
  if (IsOnnx(text))
    return {FileKind::kOnnx,
            "an ONNX model: load it as a model with CxxConfig or lite.load, or convert it with "
            "paddle_lite_opt"};
  return {};
}

}  // namespace paddle::lite
