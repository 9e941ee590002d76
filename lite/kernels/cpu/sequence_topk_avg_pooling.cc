// Sequence i of X holds channel_num images of as many rows and columns as sequence i of ROW and of
// COLUMN has. Each row of an image gives, for every k of topks, the sum of its k largest numbers
// over k. pos holds the places of the largest, -1 where a row has fewer.
#include <algorithm>
#include <numeric>

#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

int64_t MostOf(const OpLite& op) {
  const auto& topks = op.Attr<std::vector<int32_t>>("topks");
  int32_t before = 0;
  for (const int32_t k : topks) {
    if (k <= before) throw ShapeError("attribute topks, expected ascending positive numbers");
    before = k;
  }
  if (topks.empty()) throw ShapeError("attribute topks is empty, expected positive numbers");
  return before;
}

int64_t Length(const Offsets& offsets, size_t i) {
  return static_cast<int64_t>(offsets[i + 1] - offsets[i]);
}

void InferSequenceTopkAvgPooling(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32"));
  const int64_t channels = c.Attr<int32_t>("channel_num"), most = MostOf(c.op());
  c.Require(channels > 0, "attribute channel_num is ", channels, ", expected a positive number");
  const Offsets &images = OnlyOffsets(x, "X"), &rows = OnlyOffsets(c.Input("ROW"), "ROW"),
                &cols = OnlyOffsets(c.Input("COLUMN"), "COLUMN");
  c.Require(images.size() == rows.size() && rows.size() == cols.size(),
            "inputs X, ROW and COLUMN have ", SequenceCount(images), ", ", SequenceCount(rows),
            " and ", SequenceCount(cols), " sequences, expected as many");
  c.Require(RowSize(x.dims) == 1, "input X has shape ", x.dims, ", expected rows of one element");
  for (size_t i = 0; i + 1 < images.size(); ++i)
    c.Require(Length(images, i) == channels * Length(rows, i) * Length(cols, i), "sequence ", i,
              " of X has ", Length(images, i), " elements, expected ", channels, " x ",
              Length(rows, i), " x ", Length(cols, i));
  const auto total = static_cast<int64_t>(rows.back());
  const auto counts = static_cast<int64_t>(c.Attr<std::vector<int32_t>>("topks").size());
  c.SetOutput("Out", DDim{total, channels * counts}, x.dtype, {rows});
  c.SetOutput("pos", DDim{DDim{total, channels, most}.production()}, DataType::kInt32);
}

void RunSequenceTopkAvgPooling(KernelContext& c) {
  const Offsets &images = OnlyOffsets(c.Input("X").meta(), "X"),
                &rows = OnlyOffsets(c.Input("ROW").meta(), "ROW"),
                &cols = OnlyOffsets(c.Input("COLUMN").meta(), "COLUMN");
  const auto& topks = c.Attr<std::vector<int32_t>>("topks");
  const int64_t channels = c.Attr<int32_t>("channel_num"), most = MostOf(c.op());
  float* out = c.Output("Out").mutable_data<float>();
  Tensor* places = c.OutputOrNull("pos");
  int32_t* place = places == nullptr ? nullptr : places->mutable_data<int32_t>();
  std::vector<int32_t> order;
  for (size_t i = 0; i + 1 < images.size(); ++i) {
    const int64_t height = Length(rows, i), width = Length(cols, i), kept = std::min(most, width);
    for (int64_t row = 0; row < height; ++row)
      for (int64_t channel = 0; channel < channels; ++channel) {
        const float* x = c.Input("X").data<float>() + images[i] + (channel * height + row) * width;
        order.resize(static_cast<size_t>(width));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [x](int32_t a, int32_t b) { return x[a] > x[b]; });
        float sum = 0;
        int64_t taken = 0;
        for (const int32_t k : topks) {
          for (; taken < std::min<int64_t>(k, kept); ++taken)
            sum += x[order[static_cast<size_t>(taken)]];
          *out++ = sum / static_cast<float>(k);
        }
        for (int64_t k = 0; place != nullptr && k < most; ++k)
          *place++ = k < kept ? order[static_cast<size_t>(k)] : -1;
      }
  }
}

REGISTER_LITE_OP(sequence_topk_avg_pooling)
    .Input("X")
    .Input("ROW")
    .Input("COLUMN")
    .Output("Out")
    .OptionalOutput("pos")
    .RequiredAttr<std::vector<int32_t>>("topks")
    .RequiredAttr<int32_t>("channel_num")
    .InferShape(InferSequenceTopkAvgPooling);
REGISTER_LITE_FUNCTION(sequence_topk_avg_pooling, kHost, kFloat, kNCHW, RunSequenceTopkAvgPooling,
                       def);

}  // namespace
}  // namespace paddle::lite
