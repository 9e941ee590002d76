#include "lite/kernels/cpu/sequence.h"

#include <sstream>

namespace paddle::lite {
namespace {

std::string OffsetsText(const Offsets& offsets) {
  std::ostringstream text;
  text << "[";
  for (size_t i = 0; i < offsets.size() && i < 16; ++i) text << (i ? ", " : "") << offsets[i];
  if (offsets.size() > 16) text << ", ...";
  text << "]";
  return text.str();
}

}  // namespace

void CheckLoD(const TensorMeta& meta, std::string_view slot) {
  for (size_t level = 0; level < meta.lod.size(); ++level) {
    const Offsets& offsets = meta.lod[level];
    const bool last = level + 1 == meta.lod.size();
    if (last && meta.dims.empty())
      throw ShapeError(StrCat("input ", slot, " has no dimensions but a LoD"));
    const uint64_t parts = last                          ? static_cast<uint64_t>(meta.dims[0])
                           : meta.lod[level + 1].empty() ? 0
                                                         : meta.lod[level + 1].size() - 1;
    bool good = !offsets.empty() && offsets.front() == 0 && offsets.back() == parts;
    for (size_t i = 1; good && i < offsets.size(); ++i) good = offsets[i - 1] <= offsets[i];
    if (!good)
      throw ShapeError(StrCat("level ", level, " of the LoD of input ", slot, " is ",
                              OffsetsText(offsets), ", expected offsets that start at 0, never ",
                              "decrease and end at ", parts, last ? " (the rows of shape " : "",
                              last ? meta.dims.str() : "", last ? ")" : ""));
  }
}

const Offsets& FinestOffsets(const TensorMeta& meta, std::string_view slot) {
  if (meta.lod.empty())
    throw ShapeError(StrCat("input ", slot, " of shape ", meta.dims,
                            " has no LoD, expected a tensor of sequences (set_lod)"));
  CheckLoD(meta, slot);
  return meta.lod.back();
}

const Offsets& OnlyOffsets(const TensorMeta& meta, std::string_view slot) {
  const Offsets& offsets = FinestOffsets(meta, slot);
  if (meta.lod.size() != 1)
    throw ShapeError(
        StrCat("input ", slot, " has a LoD of ", meta.lod.size(), " levels, expected one"));
  return offsets;
}

std::vector<int64_t> ReadInts(const Tensor& tensor, std::string_view slot) {
  const int64_t count = tensor.numel();
  if (tensor.dtype() == DataType::kInt32) {
    const int32_t* data = tensor.data<int32_t>();
    return {data, data + count};
  }
  if (tensor.dtype() == DataType::kInt64) {
    const int64_t* data = tensor.data<int64_t>();
    return {data, data + count};
  }
  throw DataTypeError(
      StrCat("input ", slot, " is ", Name(tensor.dtype()), ", expected int32 or int64"));
}

}  // namespace paddle::lite
