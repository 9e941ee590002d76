// The best path of tags for each sentence, and its score. With include_bos_eos_tag the last row of
// Transition is where sentences start and the last but one where they end. Places behind a
// sentence's end are 0.
#include <algorithm>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
