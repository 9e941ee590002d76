// RuntimeProgram: runs a graph, planning for each new set of input shapes.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "lite/core/graph.h"
#include "lite/core/plan/plan.h"
#include "lite/core/scope.h"

namespace paddle::lite {

class RuntimeProgram {
 public:
  // Intermediate results live in `exec_scope`, a child of the scope that holds feed and fetch.
  RuntimeProgram(std::shared_ptr<Graph> graph, Scope* exec_scope);

  // Computes `outputs` (graph->outputs) from `inputs` (graph->inputs). An error leaves the program
  // usable. Not for several threads at once; clones share the graph instead.
  void Run(const std::vector<Tensor*>& inputs, const std::vector<Tensor*>& outputs, int threads);

  // Forgets plans, arena and intermediate results; the next Run makes them again. What Run gave
  // out must not point there any more.
  void Shrink();

  // For tests: every operator that has an NHWC kernel uses it.
  void set_force_layout(bool force) { force_layout_ = force; }

  const Graph& graph() const { return *graph_; }
  std::shared_ptr<Graph> shared_graph() const { return graph_; }
  // Bytes of the arena that holds intermediate results.
  size_t arena_bytes() const { return arena_.bytes; }

 private:
  Plan* FindOrMakePlan(int begin, int threads);
  void RunDataDependent(int index, int threads);
  Tensor* Intermediate(ValueId id);

  // Plans that are kept: a few of any size, and more where they are small, as those of a loop are
  // whose shapes grow.
  static constexpr size_t kFewPlans = 32, kMaxPlans = 512, kMaxPlanBytes = 24 << 20;

  std::shared_ptr<Graph> graph_;
  Scope* exec_scope_;
  bool force_layout_ = false;
  Arena arena_;
  std::list<std::unique_ptr<Plan>> plans_;  // the latest used first
  size_t plan_bytes_ = 0;                   // of all of them
  std::vector<Tensor*> environment_;        // by value; null where nothing is stored
};

}  // namespace paddle::lite
