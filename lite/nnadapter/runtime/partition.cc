#include "lite/nnadapter/runtime/partition.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operand_type.h"

namespace nnadapter::runtime {
namespace {

using Edges = std::vector<std::set<int>>;

struct OperationGraph {
  Edges successors, predecessors;
};

OperationGraph GraphOf(const core::Model& model) {
  std::unordered_map<const core::Operand*, int> writer;
  int index = 0;
  for (const core::Operation& operation : model.operations) {
    for (const core::Operand* operand : operation.output_operands)
      if (operand) writer[operand] = index;
    ++index;
  }
  OperationGraph graph{Edges(index), Edges(index)};
  index = 0;
  for (const core::Operation& operation : model.operations) {
    for (const core::Operand* operand : operation.input_operands) {
      auto found = operand ? writer.find(operand) : writer.end();
      if (found == writer.end()) continue;
      graph.successors[found->second].insert(index);
      graph.predecessors[index].insert(found->second);
    }
    ++index;
  }
  return graph;
}

// Groups of operations that are contracted step by step, kept in an order in which they can run.
class Contraction {
 public:
  Contraction(OperationGraph graph, const std::vector<int>& devices)
      : graph_(std::move(graph)), devices_(devices), order_(devices.size()) {
    for (size_t i = 0; i < devices.size(); ++i) {
      members_.push_back({i});
      position_.push_back(static_cast<int>(i));
      order_[i] = static_cast<int>(i);
    }
  }

  // Contracts edges between groups of one device until none is left that would not close a cycle.
  void Run() {
    for (int group = 0; group < static_cast<int>(members_.size()); ++group) {
      if (members_[group].empty()) continue;
      int grown = group;
      while (true) {
        const int next = GrowOnce(grown);
        if (next < 0) break;
        grown = next;
      }
    }
  }

  // Groups that no path connects, of one device, at one depth, become one.
  std::vector<std::vector<size_t>> Levels() const {
    std::vector<int> depth(members_.size(), 0);
    std::map<std::pair<int, int>, std::vector<size_t>> levels;
    for (int group : order_) {
      if (group < 0) continue;
      for (int before : graph_.predecessors[group])
        depth[group] = std::max(depth[group], depth[before] + 1);
      auto& level = levels[{depth[group], devices_[group]}];
      level.insert(level.end(), members_[group].begin(), members_[group].end());
    }
    std::vector<std::vector<size_t>> groups;
    for (auto& [key, operations] : levels) {
      std::sort(operations.begin(), operations.end());
      groups.push_back(std::move(operations));
    }
    return groups;
  }

 private:
  // Contracts one edge out of `group`; returns the group that results, -1 where there is none.
  int GrowOnce(int group) {
    std::vector<std::pair<size_t, int>> candidates;
    for (int next : graph_.successors[group])
      if (devices_[next] == devices_[group]) candidates.emplace_back(members_[next].front(), next);
    std::sort(candidates.begin(), candidates.end());
    for (const auto& candidate : candidates) {
      std::vector<int> between;
      if (!ReachesOtherwise(group, candidate.second, &between))
        return Merge(group, candidate.second, between);
    }
    return -1;
  }

  // Whether a path leads from `from` to `to` over a third group. `between`: the groups that `from`
  // reaches and that stand before `to`.
  bool ReachesOtherwise(int from, int to, std::vector<int>* between) {
    const int limit = position_[to];
    std::set<int> seen;
    std::vector<int> stack;
    auto visit = [&](int next) {
      if (next != to && position_[next] < limit && seen.insert(next).second) stack.push_back(next);
    };
    for (int next : graph_.successors[from]) visit(next);
    while (!stack.empty()) {
      const int group = stack.back();
      stack.pop_back();
      if (graph_.successors[group].count(to)) return true;
      for (int next : graph_.successors[group]) visit(next);
    }
    between->assign(seen.begin(), seen.end());
    std::sort(between->begin(), between->end(),
              [&](int a, int b) { return position_[a] < position_[b]; });
    return false;
  }

  // The new group stands after all that `to` waits for and before all that `from` leads to.
  int Merge(int from, int to, const std::vector<int>& after) {
    const int begin = position_[from], end = position_[to];
    // The larger one keeps its number, so that few edges move.
    const bool keep_from = Degree(from) >= Degree(to);
    const int kept = keep_from ? from : to, gone = keep_from ? to : from;
    const std::set<int> later(after.begin(), after.end());
    std::vector<int> before;
    for (int at = begin + 1; at < end; ++at)
      if (order_[at] >= 0 && !later.count(order_[at])) before.push_back(order_[at]);
    // Holes go to the front, where nothing looks any more.
    int at = end - static_cast<int>(before.size() + after.size());
    std::fill(order_.begin() + begin, order_.begin() + at, -1);
    auto place = [&](int group) {
      position_[group] = at;
      order_[at++] = group;
    };
    for (int group : before) place(group);
    place(kept);
    for (int group : after) place(group);

    Relink(&graph_.successors, &graph_.predecessors, kept, gone);
    Relink(&graph_.predecessors, &graph_.successors, kept, gone);
    std::vector<size_t> merged;
    std::merge(members_[from].begin(), members_[from].end(), members_[to].begin(),
               members_[to].end(), std::back_inserter(merged));
    members_[kept] = std::move(merged);
    members_[gone].clear();
    return kept;
  }

  size_t Degree(int group) const {
    return graph_.successors[group].size() + graph_.predecessors[group].size();
  }

  static void Relink(Edges* edges, Edges* reverse, int kept, int gone) {
    for (int next : (*edges)[gone]) {
      (*reverse)[next].erase(gone);
      if (next == kept) continue;
      (*edges)[kept].insert(next);
      (*reverse)[next].insert(kept);
    }
    (*edges)[gone].clear();
  }

  OperationGraph graph_;
  const std::vector<int>& devices_;
  std::vector<std::vector<size_t>> members_;
  std::vector<int> position_;  // of a group in order_
  std::vector<int> order_;     // groups; -1 where one was contracted
};

// Kahn's order over groups, the one with the lowest operation first.
std::vector<size_t> RunOrder(const std::vector<std::vector<size_t>>& groups,
                             const OperationGraph& graph) {
  std::vector<size_t> group_of(graph.successors.size());
  for (size_t group = 0; group < groups.size(); ++group)
    for (size_t operation : groups[group]) group_of[operation] = group;
  Edges successors(groups.size());
  std::vector<size_t> missing(groups.size(), 0);
  for (size_t operation = 0; operation < group_of.size(); ++operation) {
    for (int next : graph.successors[operation]) {
      const size_t from = group_of[operation], to = group_of[next];
      if (from != to && successors[from].insert(static_cast<int>(to)).second) ++missing[to];
    }
  }
  using Item = std::pair<size_t, size_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<Item>> ready;
  for (size_t group = 0; group < groups.size(); ++group)
    if (missing[group] == 0) ready.push({groups[group].front(), group});
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t group = ready.top().second;
    ready.pop();
    order.push_back(group);
    for (int next : successors[group])
      if (--missing[next] == 0) ready.push({groups[next].front(), static_cast<size_t>(next)});
  }
  if (order.size() != groups.size()) {
    Fail(NNADAPTER_DEVICE_INTERNAL_ERROR, "the groups of a split form a cycle");
  }
  return order;
}

// Finds what passes between clusters and numbers it.
void Connect(const core::Model& model, std::vector<Cluster>* clusters) {
  std::vector<const core::Operation*> operations;
  for (const core::Operation& operation : model.operations) operations.push_back(&operation);
  std::unordered_map<const core::Operand*, int32_t> model_input, model_output, passing;
  for (core::Operand* operand : model.input_operands)
    model_input.emplace(operand, -1 - static_cast<int32_t>(model_input.size()));
  for (core::Operand* operand : model.output_operands)
    model_output.emplace(operand, static_cast<int32_t>(model_output.size()));
  std::unordered_map<const core::Operand*, const Cluster*> made_by;
  for (const Cluster& cluster : *clusters)
    for (size_t operation : cluster.operations)
      for (const core::Operand* operand : operations[operation]->output_operands)
        if (operand) made_by[operand] = &cluster;

  for (Cluster& cluster : *clusters) {
    std::set<const core::Operand*> seen;
    for (size_t operation : cluster.operations) {
      for (core::Operand* operand : operations[operation]->input_operands) {
        if (!operand || IsConstant(*operand) || !seen.insert(operand).second) continue;
        auto maker = made_by.find(operand);
        if (maker != made_by.end() && maker->second == &cluster) continue;
        cluster.inputs.push_back(operand);
        if (auto found = model_input.find(operand); found != model_input.end()) {
          cluster.input_indexes.push_back(found->second);
        } else if (auto output = model_output.find(operand); output != model_output.end()) {
          cluster.input_indexes.push_back(kShared + output->second);
        } else {
          const auto number = static_cast<int32_t>(passing.size());
          cluster.input_indexes.push_back(passing.emplace(operand, number).first->second);
        }
      }
    }
  }
  for (Cluster& cluster : *clusters) {
    for (size_t operation : cluster.operations) {
      for (core::Operand* operand : operations[operation]->output_operands) {
        if (!operand) continue;
        const auto output = model_output.find(operand);
        const auto passes = passing.find(operand);
        if (output == model_output.end() && passes == passing.end()) continue;
        cluster.outputs.push_back(operand);
        cluster.output_indexes.push_back(output != model_output.end() ? -1 - output->second
                                                                      : passes->second);
      }
    }
  }
}

}  // namespace

std::vector<Cluster> Partition(const core::Model& model, const std::vector<int>& devices) {
  const OperationGraph graph = GraphOf(model);
  Contraction contraction(graph, devices);
  contraction.Run();
  const std::vector<std::vector<size_t>> groups = contraction.Levels();
  std::vector<Cluster> clusters;
  for (size_t group : RunOrder(groups, graph)) {
    Cluster cluster;
    cluster.operations = groups[group];
    cluster.device = devices[cluster.operations.front()];
    clusters.push_back(std::move(cluster));
  }
  Connect(model, &clusters);
  return clusters;
}

}  // namespace nnadapter::runtime
