#include <algorithm>
#include <numeric>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

constexpr const char* kSlots[2] = {"Hyps", "Refs"};
constexpr const char* kLengths[2] = {"HypsLength", "RefsLength"};

// Rows of a matrix, as long as the lengths say, or sequences of a LoD.
void InferEditDistance(InferContext& c) {
  int64_t count[2];
  const bool padded = c.HasInput("HypsLength");
  c.Require(padded == c.HasInput("RefsLength"),
            "one of the inputs HypsLength and RefsLength is there, expected both or none");
  for (size_t i = 0; i < 2; ++i) {
    const TensorMeta& tokens = c.Input(kSlots[i]);
    if (tokens.dtype != DataType::kInt32 && tokens.dtype != DataType::kInt64)
      throw DataTypeError(
          StrCat("input ", kSlots[i], " is ", Name(tokens.dtype), ", expected int32 or int64"));
    if (padded) {
      c.Require(tokens.dims.size() == 2, "input ", kSlots[i], " has shape ", tokens.dims,
                ", expected [sequences, time]");
      c.Require(c.Dims(kLengths[i]).production() == tokens.dims[0], "input ", kLengths[i],
                " has shape ", c.Dims(kLengths[i]), ", expected a length for each of ",
                tokens.dims[0], " rows");
      count[i] = tokens.dims[0];
    } else {
      count[i] = SequenceCount(OnlyOffsets(tokens, kSlots[i]));
      c.Require(RowSize(tokens.dims) == 1, "input ", kSlots[i], " has shape ", tokens.dims,
                ", expected a token in each row");
    }
  }
  c.Require(count[0] == count[1], "input Hyps has ", count[0], " sequences and Refs ", count[1],
            ", expected as many");
  c.SetOutput("Out", {count[0], 1}, DataType::kFP32);
  c.SetOutput("SequenceNum", {1}, DataType::kInt64);
}

using Tokens = std::vector<int64_t>;

std::vector<Tokens> Read(const KernelContext& c, size_t which) {
  const Tensor& tensor = c.Input(kSlots[which]);
  const Tokens all = ReadInts(tensor, kSlots[which]);
  std::vector<Tokens> sequences;
  const auto take = [&](int64_t first, int64_t last) {
    sequences.emplace_back(all.begin() + first, all.begin() + last);
  };
  if (!c.HasInput(kLengths[which])) {
    const Offsets& offsets = OnlyOffsets(tensor.meta(), kSlots[which]);
    for (size_t i = 0; i + 1 < offsets.size(); ++i)
      take(static_cast<int64_t>(offsets[i]), static_cast<int64_t>(offsets[i + 1]));
    return sequences;
  }
  const int64_t time = tensor.dims()[1];
  int64_t row = 0;
  for (const int64_t length : ReadInts(c.Input(kLengths[which]), kLengths[which])) {
    if (length < 0 || length > time)
      throw ShapeError(
          StrCat("input ", kLengths[which], " holds ", length, ", expected 0 to ", time));
    take(row * time, row * time + length);
    ++row;
  }
  return sequences;
}

// Insertions, deletions and substitutions that make one of the other.
int64_t Distance(const Tokens& a, const Tokens& b) {
  std::vector<int64_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), int64_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    int64_t corner = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const int64_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, corner + 1, row[j] + 1});
    }
  }
  return row.back();
}

void RunEditDistance(KernelContext& c) {
  const auto hyps = Read(c, 0), refs = Read(c, 1);
  const bool normalized = c.Attr<bool>("normalized");
  float* out = c.Output("Out").mutable_data<float>();
  for (size_t i = 0; i < hyps.size(); ++i) {
    out[i] = static_cast<float>(Distance(hyps[i], refs[i]));
    if (!normalized) continue;
    if (refs[i].empty())
      throw ShapeError(
          StrCat("sequence ", i, " of input Refs is empty, expected a token to ", "normalize by"));
    out[i] /= static_cast<float>(refs[i].size());
  }
  if (Tensor* number = c.OutputOrNull("SequenceNum"))
    *number->mutable_data<int64_t>() = static_cast<int64_t>(hyps.size());
}

REGISTER_LITE_OP(edit_distance)
    .Input("Hyps")
    .Input("Refs")
    .OptionalInput("HypsLength")
    .OptionalInput("RefsLength")
    .OptionalOutput("SequenceNum")
    .Output("Out")
    .Attr<bool>("normalized", false)
    .InferShape(InferEditDistance);
REGISTER_LITE_FUNCTION(edit_distance, kHost, kAny, kNCHW, RunEditDistance, def);

}  // namespace
}  // namespace paddle::lite
