// What a file is, by its first bytes: the one place that knows.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paddle::lite {

// How many first bytes are looked at.
inline constexpr size_t kSniffedBytes = 4096;

enum class FileKind {
  kUnknown,
  kNaiveBuffer,  // a `.nb` file of meta version 1 or 2
  kProgram,      // protobuf: `.pdmodel`, `__model__`
  kPir,          // Paddle 3's `inference.json`
  kOnnx,         // ONNX's ModelProto
  kNoModel,      // known, and nothing that holds a model we read
};

struct Sniffed {
  FileKind kind = FileKind::kUnknown;
  const char* text = nullptr;  // "a zip archive: unpack it first"; null where it is unknown
};

// `data` holds the first min(kSniffedBytes, the file's size) bytes.
Sniffed Sniff(const uint8_t* data, size_t size);

}  // namespace paddle::lite
