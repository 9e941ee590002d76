#include <algorithm>
#include <numeric>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/sequence/sequence.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// accuracy: the share of rows whose Label is among their Indices. mean_iou: the mean over classes
// of how far predictions and labels agree, with the counts of this batch added to those given.
void InferAccuracy(InferContext& c) {
  RequireType(c, "Indices", {DataType::kInt32, DataType::kInt64});
  RequireType(c, "Label", {DataType::kInt32, DataType::kInt64});
  const DDim &indices = c.Dims("Indices"), &label = c.Dims("Label");
  c.Require(indices.size() == 2, "input Indices has shape ", indices, ", expected [rows, best]");
  c.Require(c.Dims("Out")[0] == indices[0] && label.production() == indices[0], "inputs Out and ",
            "Label have shapes ", c.Dims("Out"), " and ", label, ", expected as many rows as ",
            "Indices, ", indices[0]);
  c.SetOutput("Accuracy", DDim{}, DataType::kFP32);
  c.SetOutput("Correct", DDim{}, DataType::kInt32);
  c.SetOutput("Total", DDim{}, DataType::kInt32);
}

void RunAccuracy(KernelContext& c) {
  const DDim& dims = c.Input("Indices").dims();
  const auto indices = IntValues(c, "Indices"), labels = IntValues(c, "Label");
  int32_t correct = 0;
  for (int64_t row = 0; row < dims[0]; ++row) {
    const auto begin = indices.begin() + row * dims[1];
    correct +=
        std::find(begin, begin + dims[1], labels[static_cast<size_t>(row)]) != begin + dims[1];
  }
  const auto total = static_cast<int32_t>(dims[0]);
  *c.Output("Accuracy").mutable_data<float>() =
      total == 0 ? 0 : static_cast<float>(correct) / static_cast<float>(total);
  if (Tensor* out = c.OutputOrNull("Correct")) *out->mutable_data<int32_t>() = correct;
  if (Tensor* out = c.OutputOrNull("Total")) *out->mutable_data<int32_t>() = total;
}

REGISTER_LITE_OP(accuracy)
    .Input("Out")
    .Input("Indices")
    .Input("Label")
    .Output("Accuracy")
    .OptionalOutput("Correct")
    .OptionalOutput("Total")
    .InferShape(InferAccuracy);
REGISTER_LITE_FUNCTION(accuracy, kHost, kAny, kNCHW, RunAccuracy, def);

// -- mean_iou.

void InferIou(InferContext& c) {
  RequireType(c, "Predictions", {DataType::kInt32, DataType::kInt64});
  RequireType(c, "Labels", {DataType::kInt32, DataType::kInt64});
  c.Require(c.Dims("Predictions").production() == c.Dims("Labels").production(),
            "inputs Predictions and Labels have shapes ", c.Dims("Predictions"), " and ",
            c.Dims("Labels"), ", expected as many elements");
  const int64_t classes = c.Attr<int32_t>("num_classes");
  constexpr int64_t kMost = 1 << 24;
  c.Require(classes > 0 && classes <= kMost, "attribute num_classes is ", classes,
            ", expected 1 to ", kMost);
  for (const char* slot : {"InWrongs", "InCorrects"})
    for (size_t i = 0; i < c.InputCount(slot); ++i) {
      c.Require(c.Input(slot, i).dims.production() == classes, "input ", slot, " has shape ",
                c.Input(slot, i).dims, ", expected ", classes, " counts");
      if (c.Input(slot, i).dtype != DataType::kInt32)
        throw DataTypeError(
            StrCat("input ", slot, " is ", Name(c.Input(slot, i).dtype), ", expected int32"));
    }
  for (size_t i = 0; i < c.InputCount("InMeanIou"); ++i)
    c.Require(c.Input("InMeanIou", i).dims.production() == 1 &&
                  c.Input("InMeanIou", i).dtype == DataType::kFP32,
              "input InMeanIou, expected one float32 number each");
  c.SetOutput("OutMeanIou", DDim{1}, DataType::kFP32);
  c.SetOutput("OutWrong", DDim{classes}, DataType::kInt32);
  c.SetOutput("OutCorrect", DDim{classes}, DataType::kInt32);
}

void AddCounts(const KernelContext& c, const char* slot, int64_t classes, int32_t* counts) {
  for (size_t i = 0; i < c.InputCount(slot); ++i) {
    const int32_t* from = c.Input(slot, i).data<int32_t>();
    for (int64_t k = 0; k < classes; ++k) counts[k] = WrapAdd(counts[k], from[k]);
  }
}

void RunIou(KernelContext& c) {
  const auto predictions = IntValues(c, "Predictions"), labels = IntValues(c, "Labels");
  const int64_t classes = c.Attr<int32_t>("num_classes");
  int32_t* wrong = c.Output("OutWrong").mutable_data<int32_t>();
  int32_t* correct = c.Output("OutCorrect").mutable_data<int32_t>();
  std::fill(wrong, wrong + classes, 0);
  std::fill(correct, correct + classes, 0);
  for (size_t i = 0; i < predictions.size(); ++i) {
    for (const int64_t value : {predictions[i], labels[i]})
      if (value < 0 || value >= classes)
        throw ShapeError(StrCat("element ", i, " of Predictions or Labels is ", value,
                                ", expected a class from 0 to ", classes - 1));
    if (predictions[i] == labels[i]) {
      ++correct[labels[i]];
    } else {
      ++wrong[labels[i]];
      ++wrong[predictions[i]];
    }
  }
  AddCounts(c, "InWrongs", classes, wrong);
  AddCounts(c, "InCorrects", classes, correct);
  double sum = 0;
  int64_t present = 0;
  for (int64_t k = 0; k < classes; ++k) {
    const double all = static_cast<double>(wrong[k]) + static_cast<double>(correct[k]);
    if (all <= 0) continue;
    ++present;
    sum += static_cast<double>(correct[k]) / all;
  }
  auto mean = static_cast<float>(present == 0 ? 0 : sum / static_cast<double>(present));
  for (size_t i = 0; i < c.InputCount("InMeanIou"); ++i)
    mean += *c.Input("InMeanIou", i).data<float>();
  *c.Output("OutMeanIou").mutable_data<float>() = mean;
}

REGISTER_LITE_OP(mean_iou)
    .Input("Predictions")
    .Input("Labels")
    .OptionalInputs("InWrongs")
    .OptionalInputs("InCorrects")
    .OptionalInputs("InMeanIou")
    .Output("OutMeanIou")
    .Output("OutWrong")
    .Output("OutCorrect")
    .RequiredAttr<int32_t>("num_classes")
    .InferShape(InferIou);
REGISTER_LITE_FUNCTION(mean_iou, kHost, kAny, kNCHW, RunIou, def);

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
