#include <algorithm>
#include <limits>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

// Two forms: sequences by LoD, [words, tags]; or padded, [batch, time, tags] with Length.
void InferCrfDecoding(InferContext& c) {
  const TensorMeta& emission = c.Input("Emission");
  const DDim& x = emission.dims;
  const DDim& transition = c.Dims("Transition");
  c.Require(transition.size() == 2 && transition[0] == transition[1] + 2 && transition[1] > 0,
            "input Transition has shape ", transition, ", expected [tags + 2, tags]");
  DDim out;
  if (c.HasInput("Length")) {
    c.Require(x.size() == 3, "input Emission has shape ", x, ", expected [batch, time, tags]");
    c.Require(c.Dims("Length").production() == x[0], "input Length has shape ", c.Dims("Length"),
              ", expected ", x[0], " lengths");
    out = {x[0], x[1]};
  } else {
    c.Require(x.size() == 2, "input Emission has shape ", x,
              ", expected [words, tags] (or a batch with input Length)");
    OnlyOffsets(emission, "Emission");
    out = {x[0], 1};
  }
  c.Require(x.back() == transition[1], "input Emission has ", x.back(), " tags, Transition ",
            transition, " is for ", transition[1]);
  if (c.HasInput("Label"))
    c.Require(c.Dims("Label").production() == out.production(), "input Label has shape ",
              c.Dims("Label"), ", expected ", out);
  c.SetOutput("ViterbiPath", out, DataType::kInt64, emission.lod);
}

// The best path through `length` words. Transition holds the scores of starting with a tag, of
// ending with it, and of one tag following another.
void Decode(const float* emission, const float* transition, int64_t length, int64_t tags,
            int64_t* path) {
  if (length == 0) return;
  constexpr float kLowest = -std::numeric_limits<float>::max();
  std::vector<float> before(static_cast<size_t>(tags)), now(before);
  std::vector<int32_t> from(static_cast<size_t>(length * tags));
  for (int64_t i = 0; i < tags; ++i) before[static_cast<size_t>(i)] = transition[i] + emission[i];
  const float* steps = transition + 2 * tags;
  for (int64_t word = 1; word < length; ++word) {
    emission += tags;
    int32_t* source = from.data() + word * tags;
    float* best_score = now.data();
    std::fill(now.begin(), now.end(), kLowest);
    for (int64_t j = 0; j < tags; ++j) {
      const float score = before[static_cast<size_t>(j)];
      const float* step = steps + j * tags;
      const auto tag = static_cast<int32_t>(j);
      for (int64_t i = 0; i < tags; ++i) {
        const float total = score + step[i];
        const bool better = total > best_score[i];
        best_score[i] = better ? total : best_score[i];
        source[i] = better ? tag : source[i];
      }
    }
    for (int64_t i = 0; i < tags; ++i) best_score[i] += emission[i];
    before.swap(now);
  }
  int64_t best = 0;
  float highest = kLowest;
  for (int64_t i = 0; i < tags; ++i) {
    const float score = before[static_cast<size_t>(i)] + transition[tags + i];
    if (!(score > highest)) continue;
    highest = score;
    best = i;
  }
  for (int64_t word = length - 1; word >= 0; --word) {
    path[word] = best;
    best = from[static_cast<size_t>(word * tags + best)];
  }
}

void DecodeAll(KernelContext& c, int64_t* path) {
  const Tensor& emission = c.Input("Emission");
  const float* x = emission.data<float>();
  const float* transition = c.Input("Transition").data<float>();
  const int64_t tags = emission.dims().back();
  if (!c.HasInput("Length")) {
    const Offsets& offsets = OnlyOffsets(emission.meta(), "Emission");
    for (size_t i = 0; i + 1 < offsets.size(); ++i) {
      const auto begin = static_cast<int64_t>(offsets[i]);
      Decode(x + begin * tags, transition, static_cast<int64_t>(offsets[i + 1]) - begin, tags,
             path + begin);
    }
    return;
  }
  const int64_t time = emission.dims()[1];
  for (const int64_t length : ReadInts(c.Input("Length"), "Length")) {
    if (length < 0 || length > time)
      throw ShapeError(StrCat("input Length holds ", length, ", expected 0 to ", time,
                              " for Emission of shape ", emission.dims()));
    Decode(x, transition, length, tags, path);
    x += time * tags;
    path += time;
  }
}

// With Label the output says where the path agrees with it.
void CompareWithLabel(KernelContext& c, int64_t* path, int64_t count) {
  const std::vector<int64_t> labels = ReadInts(c.Input("Label"), "Label");
  const int64_t time = c.HasInput("Length") ? c.Input("Emission").dims()[1] : 0;
  std::vector<int64_t> lengths;
  if (time > 0) lengths = ReadInts(c.Input("Length"), "Length");
  for (int64_t i = 0; i < count; ++i) {
    const bool padding = time > 0 && i % time >= lengths[static_cast<size_t>(i / time)];
    path[i] = !padding && path[i] == labels[static_cast<size_t>(i)] ? 1 : 0;
  }
}

void RunCrfDecoding(KernelContext& c) {
  Tensor& out = c.Output("ViterbiPath");
  int64_t* path = out.mutable_data<int64_t>();
  std::fill(path, path + out.numel(), int64_t{0});
  DecodeAll(c, path);
  if (c.HasInput("Label")) CompareWithLabel(c, path, out.numel());
}

}  // namespace

REGISTER_LITE_OP(crf_decoding)
    .Input("Emission")
    .Input("Transition")
    .OptionalInput("Label")
    .OptionalInput("Length")
    .Output("ViterbiPath")
    .InferShape(InferCrfDecoding);
REGISTER_LITE_FUNCTION(crf_decoding, kHost, kFloat, kNCHW, RunCrfDecoding, def);

}  // namespace paddle::lite
