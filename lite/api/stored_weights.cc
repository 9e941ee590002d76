// What a LightPredictor does with packed weights beside its model's file.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "lite/api/light_predictor.h"
#include "lite/core/naive_buffer_internal.h"
#include "lite/kernels/cpu/math/packing_machine.h"

namespace paddle::lite {
namespace {

// The constants of a graph; a name that two of them have stands for neither.
std::map<std::string, const void*> WeightsOf(const Graph& graph) {
  std::map<std::string, const void*> weights;
  for (const Value& value : graph.values) {
    if (value.constant == nullptr) continue;
    const auto [at, is_new] = weights.try_emplace(value.name, value.constant.get());
    if (!is_new) at->second = nullptr;
  }
  return weights;
}

// The constants that are places in a file.
std::map<const Tensor*, FileRange> PlacesOf(const Graph& graph) {
  std::map<const Tensor*, FileRange> places;
  const auto pages = graph.pages.lock();
  for (const Value& value : graph.values) {
    const Tensor* constant = value.constant.get();
    if (pages == nullptr || constant == nullptr || !constant->has_data()) continue;
    const int64_t offset = pages->OffsetOf(constant->raw_data());
    if (offset >= 0) places[constant] = {static_cast<uint64_t>(offset), constant->memory_size()};
  }
  return places;
}

void UseStored(const std::string& path, const std::shared_ptr<StoredWeights>& stored,
               Graph* graph) {
  std::set<uint64_t> offsets;
  for (const FileRange& range : stored->unread()) offsets.insert(range.offset);
  std::set<const void*> unread;
  for (const auto& [constant, place] : PlacesOf(*graph))
    if (offsets.count(place.offset) != 0) unread.insert(constant);
  if (unread.size() != offsets.size())
    throw ModelFormatError("a part of the model that need not be read is no weight of its graph");
  graph->packed_memory.set_stored(stored, WeightsOf(*graph), std::move(unread),
                                  [path, stored, weak = graph->pages] {
                                    if (const auto pages = weak.lock())
                                      ReadUnread(path, *stored, pages.get());
                                  });
}

// Times of files are no finer than this.
constexpr auto kFileClock = std::chrono::milliseconds(50);

}  // namespace

std::shared_ptr<LightPredictor> LightPredictor::FromStored(const std::string& path,
                                                           const LoadSettings& settings,
                                                           std::string* problem) {
  const std::string file = StoredWeights::PathOf(path);
  try {
    const auto stored = StoredWeights::Open(file, math::PackingMachine(settings.precision));
    if (stored == nullptr) return nullptr;
    NaiveBufferModel model = ReadNaiveBufferFile(path, *stored);
    return FromTable(model.program, &model.params, settings, model.pages,
                     [&](Graph* graph) { UseStored(path, stored, graph); });
  } catch (const LiteError& error) {
    *problem =
        StrCat("the packed weights are not used: ", naive_buffer::Quote(file), ": ", error.what());
    return nullptr;
  }
}

void LightPredictor::SavePacked(const std::string& model_path, const std::string& path,
                                const std::vector<Feed>& feeds, const Poll& poll) {
  const auto lock = Take();
  const Graph& graph = program_->graph();
  const std::map<const Tensor*, FileRange> places = PlacesOf(graph);
  CopyIn(feeds);
  cancelled_.store(false, std::memory_order_relaxed);
  RunOnce(poll);

  std::map<const void*, std::string> names;
  for (const auto& [name, constant] : WeightsOf(graph))
    if (constant != nullptr) names[constant] = name;
  std::vector<PackedPart> parts;
  std::set<const void*> packed;
  for (const WeightBlocks::Taken& taken : graph.packed_memory.taken()) {
    const auto name = names.find(taken.weight);
    if (name == names.end()) continue;
    parts.push_back({name->second, taken.form, taken.part, taken.bytes, 0, taken.data});
    packed.insert(taken.weight);
  }
  std::vector<FileRange> unread;
  for (const auto& [constant, place] : places)
    if (!constant->has_data() && packed.count(constant) != 0) unread.push_back(place);
  std::sort(unread.begin(), unread.end(),
            [](const FileRange& a, const FileRange& b) { return a.offset < b.offset; });
  // A model that is written after this has another time.
  std::this_thread::sleep_for(kFileClock);
  StoredWeights::Write(path, math::PackingMachine(graph.packed_memory.precision()),
                       IdentityOf(model_path), unread, std::move(parts));
}

}  // namespace paddle::lite
