// One step of a beam search: the best continuations of each sentence's prefixes.
#include <algorithm>
#include <cmath>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

void InferBeamSearch(InferContext& c) {
  const TensorMeta& scores = c.Input("scores");
  c.Require(scores.dims.size() == 2, "input scores has shape ", scores.dims,
            ", expected [prefixes, candidates]");
  for (const char* slot : {"scores", "pre_scores"})
    if (c.Input(slot).dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
  if (c.HasInput("ids"))
    c.Require(c.Dims("ids") == scores.dims, "input ids has shape ", c.Dims("ids"),
              ", expected that of scores, ", scores.dims);
  for (const char* slot : {"pre_ids", "pre_scores"})
    c.Require(c.Dims(slot).production() >= scores.dims[0], "input ", slot, " has shape ",
              c.Dims(slot), ", expected one element for each of ", scores.dims[0], " prefixes");
  CheckLoD(scores, "scores");
  const int64_t level = c.Attr<int32_t>("level"), levels = static_cast<int64_t>(scores.lod.size());
  c.Require(level >= 0 && level < levels, "attribute level is ", level,
            ", expected a level of the LoD of input scores, which has ", levels);
  c.Require(c.Attr<int32_t>("beam_size") > 0, "attribute beam_size is ",
            c.Attr<int32_t>("beam_size"), ", expected a positive number");
}

// The rows at which the sentences of attribute level start, and the end.
Offsets SentenceRows(const KernelContext& c) {
  const LoD& lod = c.Input("scores").meta().lod;
  const auto level = static_cast<size_t>(c.Attr<int32_t>("level"));
  Offsets rows(lod[level].begin(), lod[level].end());
  for (size_t below = level + 1; below < lod.size(); ++below)
    for (uint64_t& row : rows) row = lod[below][row];
  return rows;
}

struct Candidate {
  uint64_t row;
  int64_t id;
  float score;
};

// Better scores first, of equal ones those of later prefixes; NaN is the worst score.
bool Better(const Candidate& a, const Candidate& b) {
  if (std::isnan(a.score) != std::isnan(b.score)) return std::isnan(b.score);
  return a.score > b.score || (!(a.score < b.score) && a.row > b.row);
}

class Search {
 public:
  explicit Search(const KernelContext& c)
      : scores_(c.Input("scores").data<float>()),
        width_(static_cast<uint64_t>(c.Input("scores").dims()[1])),
        pre_scores_(c.Input("pre_scores").data<float>()),
        pre_ids_(ReadInts(c.Input("pre_ids"), "pre_ids")),
        end_id_(c.Attr<int32_t>("end_id")),
        beam_size_(static_cast<size_t>(c.Attr<int32_t>("beam_size"))),
        accumulated_(c.Attr<bool>("is_accumulated")) {
    if (c.HasInput("ids")) ids_ = ReadInts(c.Input("ids"), "ids");
  }

  // What a sentence of rows [first, last) goes on with, in the order of the rows; nothing once all
  // its prefixes have ended.
  std::vector<Candidate> Step(uint64_t first, uint64_t last) const {
    std::vector<Candidate> all;
    for (uint64_t row = first; row < last; ++row) Continue(row, &all);
    std::stable_sort(all.begin(), all.end(), Better);
    if (all.size() > beam_size_) all.resize(beam_size_);
    const bool ended = std::all_of(all.begin(), all.end(), [this](const Candidate& candidate) {
      return candidate.id == end_id_ && pre_ids_[candidate.row] == end_id_;
    });
    if (ended) return {};
    std::stable_sort(all.begin(), all.end(),
                     [](const Candidate& a, const Candidate& b) { return a.row < b.row; });
    return all;
  }

 private:
  void Continue(uint64_t row, std::vector<Candidate>* all) const {
    if (pre_ids_[row] == end_id_) {
      all->push_back({row, end_id_, pre_scores_[row]});
      return;
    }
    for (uint64_t i = row * width_; i < (row + 1) * width_; ++i) {
      const float score = accumulated_ ? scores_[i] : pre_scores_[row] + std::log(scores_[i]);
      all->push_back({row, ids_.empty() ? static_cast<int64_t>(i % width_) : ids_[i], score});
    }
  }

  const float* scores_;
  uint64_t width_;
  const float* pre_scores_;
  std::vector<int64_t> pre_ids_, ids_;
  int64_t end_id_;
  size_t beam_size_;
  bool accumulated_;
};

void RunBeamSearch(KernelContext& c) {
  const Offsets sentences = SentenceRows(c);
  const Search search(c);
  std::vector<Candidate> selected;
  for (size_t i = 0; i + 1 < sentences.size(); ++i) {
    const auto step = search.Step(sentences[i], sentences[i + 1]);
    selected.insert(selected.end(), step.begin(), step.end());
  }
  Offsets prefixes(sentences.back() + 1, 0);
  for (const Candidate& candidate : selected) ++prefixes[candidate.row + 1];
  for (size_t row = 1; row < prefixes.size(); ++row) prefixes[row] += prefixes[row - 1];
  const auto count = static_cast<int64_t>(selected.size());
  Tensor &ids = c.Output("selected_ids"), &scores = c.Output("selected_scores");
  ids.Allocate({count, 1}, DataType::kInt64);
  scores.Allocate({count, 1}, DataType::kFP32);
  auto* id = ids.mutable_data<int64_t>();
  auto* score = scores.mutable_data<float>();
  Tensor* parents = c.OutputOrNull("parent_idx");
  if (parents != nullptr) parents->Allocate({count}, DataType::kInt32);
  auto* parent = parents == nullptr ? nullptr : parents->mutable_data<int32_t>();
  for (const Candidate& candidate : selected) {
    *id++ = candidate.id;
    *score++ = candidate.score;
    if (parent != nullptr) *parent++ = static_cast<int32_t>(candidate.row);
  }
  ids.set_lod({sentences, prefixes});
  scores.set_lod({sentences, prefixes});
}

REGISTER_LITE_OP(beam_search)
    .Input("pre_ids")
    .Input("pre_scores")
    .OptionalInput("ids")
    .Input("scores")
    .Output("selected_ids")
    .Output("selected_scores")
    .OptionalOutput("parent_idx")
    .RequiredAttr<int32_t>("level")
    .RequiredAttr<int32_t>("beam_size")
    .RequiredAttr<int32_t>("end_id")
    .Attr<bool>("is_accumulated", true)
    .InferShape(InferBeamSearch)
    .DataDependent();
REGISTER_LITE_FUNCTION(beam_search, kHost, kAny, kNCHW, RunBeamSearch, def);

}  // namespace
}  // namespace paddle::lite
