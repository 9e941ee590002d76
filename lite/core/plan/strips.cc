#include "lite/core/plan/strips.h"

#include <algorithm>

#include "lite/core/base/thread_pool.h"

namespace paddle::lite {
namespace {

// Rows of the last output at a time, and the pixels that they should have.
constexpr int64_t kMostRows = 8, kFewestPixels = 96;
// What stays in L2 is worth it where it is so many times what is still read and written past it: a
// whole tensor is read and written faster by one kernel alone.
constexpr int64_t kLeastSaving = 2;

int64_t FloatBytes(int64_t floats) { return floats * static_cast<int64_t>(sizeof(float)); }

}  // namespace

Strip::Strip(std::vector<StripLink> links, int64_t images, int64_t bytes)
    : links_(std::move(links)), images_(images) {
  for (rows_ = std::min(kMostRows, links_.back().rows); rows_ > 0; --rows_)
    if (BytesFor(rows_) <= bytes) return;
}

// Sets what the links keep.
int64_t Strip::BytesFor(int64_t rows) {
  int64_t bytes = links_.back().weight_bytes;
  for (size_t i = links_.size() - 1; i-- > 0;) {
    const RowWindow& next = links_[i + 1].window;
    StripLink& link = links_[i];
    rows = std::min((rows - 1) * next.stride + next.span, link.rows);
    link.kept = rows;
    bytes += FloatBytes(rows * link.row_floats) + link.weight_bytes;
  }
  return bytes;
}

void Strip::Run(int threads, RunRecorder* recorder) const {
  const int64_t start = recorder == nullptr ? 0 : NowNs();
  std::vector<std::unique_ptr<RowRun>> runs;
  for (const StripLink& link : links_)
    runs.push_back(link.kernel->StartRows(link.instruction->context));
  // Every part computes the rows at its border that others keep, too: a few parts, of many rows.
  const int64_t rows = links_.back().rows, strips = (rows + rows_ - 1) / rows_;
  const int64_t wanted = threads <= 1 ? 1 : (2 * threads + images_ - 1) / images_;
  const int64_t parts = std::clamp<int64_t>(wanted, 1, std::max<int64_t>(1, strips / 2));
  const int64_t step = (strips + parts - 1) / parts * rows_;
  const int64_t of_image = (rows + step - 1) / step;
  std::vector<std::atomic<int64_t>> took(recorder == nullptr ? 0 : links_.size());
  ParallelFor(threads, images_ * of_image, [&](int64_t part) {
    const int64_t begin = part % of_image * step;
    std::vector<int64_t> own(took.size());
    RunPart(runs, part / of_image, begin, std::min(begin + step, rows),
            took.empty() ? nullptr : own.data());
    for (size_t i = 0; i < took.size(); ++i) took[i] += own[i];
  });
  if (recorder != nullptr) Record(took, start, recorder);
}

void Strip::Record(const std::vector<std::atomic<int64_t>>& took, int64_t start,
                   RunRecorder* recorder) const {
  double all = 0;
  for (const auto& link : took) all += static_cast<double>(link);
  const double of_all = static_cast<double>(NowNs() - start) / std::max(all, 1.0);
  double done = 0;
  for (size_t i = 0; i < links_.size(); ++i) {
    const auto begin = start + static_cast<int64_t>(done * of_all);
    done += static_cast<double>(took[i]);
    const Instruction& instruction = *links_[i].instruction;
    Observation(recorder).Done(*instruction.info, *instruction.kernel,
                               links_[i].instruction->context, begin,
                               start + static_cast<int64_t>(done * of_all));
  }
}

void Strip::RunPart(const std::vector<std::unique_ptr<RowRun>>& runs, int64_t image, int64_t begin,
                    int64_t end, int64_t* nanoseconds) const {
  const size_t count = links_.size();
  std::vector<float*> kept(count, nullptr);
  int64_t floats = 0;
  for (const StripLink& link : links_) floats += (link.kept * link.row_floats + 15) / 16 * 16;
  auto* memory = static_cast<float*>(
      ThreadScratch(static_cast<size_t>(floats) * sizeof(float), kScratchKernel));
  std::vector<int64_t> done(count), wanted(count);
  done[count - 1] = begin;
  for (size_t i = count - 1; i-- > 0;) {
    const RowWindow& next = links_[i + 1].window;
    done[i] = std::max<int64_t>(done[i + 1] * next.stride - next.before, 0);
    kept[i] = memory;
    memory += (links_[i].kept * links_[i].row_floats + 15) / 16 * 16;
  }
  while (done[count - 1] < end) {
    wanted[count - 1] = std::min(done[count - 1] + rows_, end);
    for (size_t i = count - 1; i-- > 0;) {
      const RowWindow& next = links_[i + 1].window;
      wanted[i] =
          std::min((wanted[i + 1] - 1) * next.stride - next.before + next.span, links_[i].rows);
    }
    for (size_t i = 0; i < count; ++i) {
      const StripLink& link = links_[i];
      const int64_t start = nanoseconds == nullptr ? 0 : NowNs();
      while (done[i] < wanted[i]) {
        RowPart part;
        part.image = image;
        part.begin = done[i];
        part.end = wanted[i];
        if (i > 0) {
          part.input = kept[i - 1];
          part.input_rows = links_[i - 1].kept;
        }
        if (kept[i] != nullptr) {
          const int64_t place = part.begin % link.kept;
          part.end = std::min(part.end, part.begin + link.kept - place);
          part.output = kept[i] + place * link.row_floats;
        }
        runs[i]->Compute(part);
        done[i] = part.end;
      }
      if (nanoseconds != nullptr) nanoseconds[i] += NowNs() - start;
    }
  }
}

namespace {

// Finds the kernels that can take turns.
class StripFinder {
 public:
  StripFinder(const PlanDraft& draft, std::deque<Instruction>* instructions, int64_t l2)
      : draft_(draft), instructions_(*instructions), l2_(l2), uses_(draft.values.size()) {
    for (const PlanNode& node : draft.nodes)
      PlanDraft::ForEachInput(node, [&](ValueId id) { ++uses_[static_cast<size_t>(id)]; });
    for (const ValueId id : draft.live_out_as) ++uses_[static_cast<size_t>(id)];
  }

  std::vector<Strip> Run() {
    std::vector<Strip> strips;
    for (size_t i = 0; i < instructions_.size();) {
      std::vector<StripLink> links = LongestFrom(i);
      while (links.size() > 1 && !Saves(links)) links.pop_back();
      if (links.size() > 1) strips.emplace_back(links, Dims(links.back())[0], Room());
      i += std::max<size_t>(links.size(), 1);
    }
    return strips;
  }

 private:
  // Of a link's output.
  const DDim& Dims(const StripLink& link) const {
    return draft_.value(link.instruction->op.outputs()[0][0]).meta.dims;
  }
  // The rest of the cache is for what comes in and goes out.
  int64_t Room() const { return l2_ / 2; }

  std::vector<StripLink> LongestFrom(size_t i) {
    std::vector<StripLink> links;
    if (!Append(i, &links)) return links;
    while (++i < instructions_.size() && Joins(links.back(), i) && Append(i, &links)) {
      if (Fits(links)) continue;
      links.pop_back();
      break;
    }
    return links;
  }

  bool Append(size_t i, std::vector<StripLink>* links) {
    Instruction& instruction = instructions_[i];
    const auto* kernel = dynamic_cast<const RowKernel*>(instruction.kernel.get());
    if (kernel == nullptr || !kernel->ComputesRows(instruction.context, !links->empty()))
      return false;
    StripLink link;
    link.instruction = &instruction;
    link.kernel = kernel;
    link.window = kernel->Window();
    const DDim& y = Dims(link);
    link.rows = y[2];
    link.row_floats = y[1] * y[3];
    for (const Tensor* packed : instruction.context.packed_inputs())
      link.weight_bytes += FloatBytes(packed->numel());
    links->push_back(link);
    return true;
  }

  // Whether instruction i alone reads what the link writes, and that is large.
  bool Joins(const StripLink& link, size_t i) const {
    const Instruction& producer = *link.instruction;
    const ValueId id = producer.op.outputs()[0][0];
    const PlanValue& value = draft_.value(id);
    if (instructions_[i].node != producer.node + 1 || uses_[static_cast<size_t>(id)] != 1)
      return false;
    if (value.same_memory_as >= 0 || value.pixel_stride != 0) return false;
    if (FloatBytes(value.meta.dims.Count(1, 4)) <= l2_) return false;
    const auto& inputs = instructions_[i].op.inputs();
    return !inputs.empty() && inputs[0].size() == 1 && inputs[0][0] == id;
  }

  bool Fits(const std::vector<StripLink>& links) const {
    const Strip strip(links, 1, Room());
    const int64_t pixels = Dims(links.back())[3];
    return strip.rows() > 0 &&
           strip.rows() * pixels >= std::min(kFewestPixels, pixels * links.back().rows);
  }

  bool Saves(const std::vector<StripLink>& links) const {
    const ValueId input = links.front().instruction->op.inputs()[0][0];
    int64_t saved = 0;
    for (size_t i = 0; i + 1 < links.size(); ++i) saved += 2 * Dims(links[i]).production();
    return saved >= kLeastSaving * (draft_.value(input).meta.dims.production() +
                                    Dims(links.back()).production());
  }

  const PlanDraft& draft_;
  std::deque<Instruction>& instructions_;
  const int64_t l2_;
  std::vector<int> uses_;
};

}  // namespace

std::vector<Strip> FindStrips(const PlanDraft& draft, std::deque<Instruction>* instructions,
                              int64_t l2) {
  return StripFinder(draft, instructions, l2).Run();
}

}  // namespace paddle::lite
