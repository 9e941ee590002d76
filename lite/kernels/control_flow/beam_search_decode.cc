// `beam_search_decode`: the sentences of a beam search from what `beam_search` selected in each
// step. Of step t the LoD of Ids[t] says which prefixes belong to a source sentence (level 0), and
// which selected words continue a prefix (level 1); a prefix of one step is a word of the step
// before. Sentences of a source come best first.
#include <algorithm>

#include "lite/core/base/errors.h"
#include "lite/kernels/control_flow/list.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

struct Step {
  const int64_t* ids;
  const float* scores;
  const Offsets *sources, *prefixes;
};

struct Sentence {
  std::vector<int64_t> ids;  // the last word first, and scores alike
  std::vector<float> scores;
  uint64_t word = 0;  // in the step that is looked at
};

Step StepAt(const TensorList& ids, const TensorList& scores, size_t i) {
  const auto where = [&](const char* list) { return StrCat("tensor ", i, " of ", list); };
  if (!ids[i].has_value() || !scores[i].has_value())
    throw LiteError(StrCat(where("Ids or Scores"), " has not been written"));
  if (ids[i].dtype() != DataType::kInt64 || scores[i].dtype() != DataType::kFP32)
    throw DataTypeError(StrCat(where("Ids"), " is ", Name(ids[i].dtype()), " and that of Scores ",
                               Name(scores[i].dtype()), ", expected int64 and float32"));
  if (ids[i].lod().size() != 2)
    throw ShapeError(StrCat(where("Ids"), " has ", ids[i].lod().size(),
                            " levels of LoD, expected the 2 that beam_search makes"));
  CheckLoD(ids[i].meta(), where("Ids"));
  if (scores[i].numel() != ids[i].numel() ||
      static_cast<uint64_t>(ids[i].numel()) != ids[i].lod()[1].back())
    throw ShapeError(StrCat(where("Ids"), " has shape ", ids[i].dims(), " and that of Scores ",
                            scores[i].dims(), ", expected one element for each word"));
  return {ids[i].data<int64_t>(), scores[i].data<float>(), &ids[i].lod()[0], &ids[i].lod()[1]};
}

void StepBack(const Step& step, size_t source, int64_t end, std::vector<Sentence>* sentences) {
  const uint64_t first = (*step.sources)[source], last = (*step.sources)[source + 1];
  const Offsets& prefixes = *step.prefixes;
  if (sentences->empty()) {  // the last words, or those of a source that has ended here
    for (uint64_t prefix = first; prefix < last; ++prefix)
      for (uint64_t word = prefixes[prefix]; word < prefixes[prefix + 1]; ++word)
        sentences->push_back({{step.ids[word]}, {step.scores[word]}, prefix});
    return;
  }
  for (Sentence& sentence : *sentences) {
    const uint64_t word = sentence.word;
    if (word < prefixes[first] || word >= prefixes[last])
      throw ShapeError(StrCat("a prefix of source sentence ", source, " names word ", word,
                              " of the step before, which has ", prefixes[first], " to ",
                              prefixes[last], " of it"));
    if (step.ids[word] != end) {
      sentence.ids.push_back(step.ids[word]);
      sentence.scores.push_back(step.scores[word]);
    }
    const auto next = std::upper_bound(prefixes.begin() + static_cast<int64_t>(first),
                                       prefixes.begin() + static_cast<int64_t>(last) + 1, word);
    sentence.word = static_cast<uint64_t>(next - prefixes.begin()) - 1;
  }
}

void RunBeamSearchDecode(KernelContext& c) {
  const TensorList &ids = ListInput(c, "Ids"), &scores = ListInput(c, "Scores");
  if (ids.size() == 0 || ids.size() != scores.size())
    throw ShapeError(StrCat("the lists Ids and Scores have ", ids.size(), " and ", scores.size(),
                            " tensors, expected as many and at least one"));
  std::vector<Step> steps;
  for (size_t i = 0; i < ids.size(); ++i) steps.push_back(StepAt(ids, scores, i));
  const size_t sources = steps[0].sources->size() - 1;
  for (const Step& step : steps)
    if (step.sources->size() != sources + 1)
      throw ShapeError(StrCat("a tensor of Ids has ", step.sources->size() - 1,
                              " source sentences, expected ", sources, " like the first"));
  std::vector<int64_t> words;
  std::vector<float> values;
  LoD lod{{0}, {0}};
  for (size_t source = 0; source < sources; ++source) {
    std::vector<Sentence> sentences;
    for (size_t i = steps.size(); i-- > 0;)
      StepBack(steps[i], source, c.Attr<int32_t>("end_id"), &sentences);
    std::stable_sort(sentences.begin(), sentences.end(), [](const Sentence& a, const Sentence& b) {
      return a.scores.front() > b.scores.front();
    });
    for (const Sentence& sentence : sentences) {
      words.insert(words.end(), sentence.ids.rbegin(), sentence.ids.rend());
      values.insert(values.end(), sentence.scores.rbegin(), sentence.scores.rend());
      lod[1].push_back(words.size());
    }
    lod[0].push_back(lod[0].back() + sentences.size());
  }
  Tensor &out_ids = c.Output("SentenceIds"), &out_scores = c.Output("SentenceScores");
  const DDim dims{static_cast<int64_t>(words.size())};
  out_ids.Allocate(dims, DataType::kInt64);
  out_scores.Allocate(dims, DataType::kFP32);
  std::copy(words.begin(), words.end(), out_ids.mutable_data<int64_t>());
  std::copy(values.begin(), values.end(), out_scores.mutable_data<float>());
  out_ids.set_lod(lod);
  out_scores.set_lod(lod);
}

REGISTER_LITE_OP(beam_search_decode)
    .Input("Ids")
    .Input("Scores")
    .Output("SentenceIds")
    .Output("SentenceScores")
    .RequiredAttr<int32_t>("end_id")
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(beam_search_decode, kHost, kAny, kNCHW, RunBeamSearchDecode, def);

}  // namespace
}  // namespace paddle::lite
