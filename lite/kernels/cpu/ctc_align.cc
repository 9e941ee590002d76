#include <algorithm>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

// Two forms: sequences by LoD, [tokens, 1]; or padded, [batch, time] with InputLength.
void InferCtcAlign(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.Require(x.dims.size() == 2, "input Input has shape ", x.dims, ", expected rank 2");
  if (c.HasInput("InputLength"))
    c.Require(c.Dims("InputLength").production() == x.dims[0], "input InputLength has shape ",
              c.Dims("InputLength"), ", expected ", x.dims[0], " lengths");
  else
    c.Require(OnlyOffsets(x, "Input").size() > 0 && x.dims[1] == 1, "input Input has shape ",
              x.dims, ", expected [tokens, 1]");
}

using Tokens = std::vector<int64_t>;

// The tokens without blanks and, where that is wanted, without repetitions.
Tokens Align(const KernelContext& c, const int64_t* tokens, int64_t count) {
  Tokens kept;
  for (int64_t i = 0; i < count; ++i) {
    const bool repeated = c.Attr<bool>("merge_repeated") && i > 0 && tokens[i] == tokens[i - 1];
    if (tokens[i] != c.Attr<int32_t>("blank") && !repeated) kept.push_back(tokens[i]);
  }
  return kept;
}

void Write(Tensor* out, const DDim& dims, DataType dtype, const Tokens& values) {
  out->Allocate(dims, dtype);
  if (dtype == DataType::kInt32)
    std::transform(values.begin(), values.end(), out->mutable_data<int32_t>(),
                   [](int64_t v) { return static_cast<int32_t>(v); });
  else
    std::copy(values.begin(), values.end(), out->mutable_data<int64_t>());
}

// Where nothing is left at all, this form gives a single -1.
void AlignSequences(KernelContext& c, const Tokens& tokens) {
  const Tensor& x = c.Input("Input");
  const Offsets& offsets = OnlyOffsets(x.meta(), "Input");
  Offsets out{0};
  Tokens all;
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const Tokens kept =
        Align(c, tokens.data() + offsets[i], static_cast<int64_t>(offsets[i + 1] - offsets[i]));
    all.insert(all.end(), kept.begin(), kept.end());
    out.push_back(all.size());
  }
  if (all.empty()) all.push_back(-1);
  Write(&c.Output("Output"), {static_cast<int64_t>(all.size()), 1}, x.dtype(), all);
  c.Output("Output").set_lod({out});
}

void AlignPadded(KernelContext& c, const Tokens& tokens) {
  const Tensor& x = c.Input("Input");
  const int64_t batch = x.dims()[0], time = x.dims()[1];
  const Tokens lengths = ReadInts(c.Input("InputLength"), "InputLength");
  Tokens all, counts;
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t length = lengths[static_cast<size_t>(b)];
    if (length < 0 || length > time)
      throw ShapeError(StrCat("input InputLength holds ", length, ", expected 0 to ", time,
                              " for Input of shape ", x.dims()));
    Tokens kept = Align(c, tokens.data() + b * time, length);
    counts.push_back(static_cast<int64_t>(kept.size()));
    kept.resize(static_cast<size_t>(time), c.Attr<int32_t>("padding_value"));
    all.insert(all.end(), kept.begin(), kept.end());
  }
  Write(&c.Output("Output"), x.dims(), x.dtype(), all);
  if (c.HasOutput("OutputLength")) Write(&c.Output("OutputLength"), {batch, 1}, x.dtype(), counts);
}

void RunCtcAlign(KernelContext& c) {
  const Tokens tokens = ReadInts(c.Input("Input"), "Input");
  if (c.HasInput("InputLength")) return AlignPadded(c, tokens);
  AlignSequences(c, tokens);
  if (c.HasOutput("OutputLength")) c.Output("OutputLength").Allocate({0}, DataType::kInt64);
}

}  // namespace

REGISTER_LITE_OP(ctc_align)
    .Input("Input")
    .OptionalInput("InputLength")
    .Output("Output")
    .OptionalOutput("OutputLength")
    .Attr<int32_t>("blank", 0)
    .Attr<bool>("merge_repeated", true)
    .Attr<int32_t>("padding_value", 0)
    .DataDependent()
    .InferShape(InferCtcAlign);
REGISTER_LITE_FUNCTION(ctc_align, kHost, kAny, kNCHW, RunCtcAlign, def);

}  // namespace paddle::lite
