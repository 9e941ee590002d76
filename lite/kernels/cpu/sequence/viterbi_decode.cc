#include <algorithm>
#include <limits>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/sequence/sequence.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// The best path of tags for each sentence, and its score. With include_bos_eos_tag the last row of
// Transition is where sentences start and the last but one where they end. Places behind a
// sentence's end are 0.
void InferViterbiDecode(InferContext& c) {
  RequireFloating(c, "Input");
  RequireType(c, "Length", {DataType::kInt32, DataType::kInt64});
  const TensorMeta &x = c.Input("Input"), &transition = c.Input("Transition");
  c.Require(x.dims.size() == 3 && x.dims[2] > 0, "input Input has shape ", x.dims,
            ", expected [sentences, words, tags]");
  const int64_t tags = x.dims[2];
  c.Require(transition.dims == (DDim{tags, tags}), "input Transition has shape ", transition.dims,
            ", expected ", DDim{tags, tags}, " for Input of shape ", x.dims);
  if (transition.dtype != x.dtype)
    throw DataTypeError(
        StrCat("input Transition is ", Name(transition.dtype), ", but Input is ", Name(x.dtype)));
  c.Require(!c.Attr<bool>("include_bos_eos_tag") || tags >= 2, "Input has ", tags,
            " tags, expected at least 2 with include_bos_eos_tag");
  const auto lengths = c.IntValues("Length");
  c.Require(static_cast<int64_t>(lengths.size()) == x.dims[0], "input Length has ", lengths.size(),
            " elements, expected ", x.dims[0]);
  int64_t longest = 0;
  for (const int64_t length : lengths) {
    c.Require(length >= 0 && length <= x.dims[1], "input Length holds ", length, ", expected 0 to ",
              x.dims[1]);
    longest = std::max(longest, length);
  }
  c.SetOutput("Scores", DDim{x.dims[0]}, x.dtype);
  c.SetOutput("Path", DDim{x.dims[0], longest}, DataType::kInt64);
}

// One sentence of `length` words, at least one; returns the score.
template <typename T>
T Decode(const T* words, const T* transition, int64_t length, int64_t tags, bool bounded,
         int64_t* path) {
  std::vector<T> best(words, words + tags), next(static_cast<size_t>(tags));
  std::vector<int64_t> from(static_cast<size_t>((length - 1) * tags));
  const T *start = transition + (tags - 1) * tags, *stop = transition + (tags - 2) * tags;
  for (int64_t j = 0; bounded && j < tags; ++j) best[static_cast<size_t>(j)] += start[j];
  for (int64_t t = 1; t < length; ++t) {
    for (int64_t j = 0; j < tags; ++j) {
      int64_t found = 0;
      T highest = best[0] + transition[j];
      for (int64_t i = 1; i < tags; ++i) {
        const T score = best[static_cast<size_t>(i)] + transition[i * tags + j];
        if (score > highest) highest = score, found = i;
      }
      next[static_cast<size_t>(j)] = highest + words[t * tags + j];
      from[static_cast<size_t>((t - 1) * tags + j)] = found;
    }
    best.swap(next);
  }
  for (int64_t j = 0; bounded && j < tags; ++j) best[static_cast<size_t>(j)] += stop[j];
  const auto last = std::max_element(best.begin(), best.end());
  int64_t tag = last - best.begin();
  for (int64_t t = length - 1; t >= 0; --t) {
    path[t] = tag;
    if (t > 0) tag = from[static_cast<size_t>((t - 1) * tags + tag)];
  }
  return *last;
}

void RunViterbiDecode(KernelContext& c) {
  const DDim& dims = c.Input("Input").dims();
  const auto lengths = IntValues(c, "Length");
  Tensor& out = c.Output("Path");
  int64_t* path = out.mutable_data<int64_t>();
  std::fill(path, path + out.numel(), 0);
  const bool bounded = c.Attr<bool>("include_bos_eos_tag");
  ForTypes<float, double>(c, c.Input("Input").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *words = c.Input("Input").data<T>(), *transition = c.Input("Transition").data<T>();
    T* scores = c.Output("Scores").mutable_data<T>();
    for (int64_t n = 0; n < dims[0]; ++n) {
      const int64_t length = lengths[static_cast<size_t>(n)];
      scores[n] = length == 0 ? 0
                              : Decode(words + n * dims[1] * dims[2], transition, length, dims[2],
                                       bounded, path + n * out.dims()[1]);
    }
  });
}

REGISTER_LITE_OP(viterbi_decode)
    .Input("Input")
    .Input("Transition")
    .Input("Length")
    .Output("Scores")
    .Output("Path")
    .Attr<bool>("include_bos_eos_tag", true)
    .InferShape(InferViterbiDecode);
REGISTER_LITE_FUNCTION(viterbi_decode, kHost, kAny, kNCHW, RunViterbiDecode, def);

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
