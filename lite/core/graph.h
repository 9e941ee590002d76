// Graph: the small typed form of a program that the plan takes. It knows neither operator
// descriptions nor scopes: operators, value ids and constants only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/block_op.h"
#include "lite/core/file_pages.h"
#include "lite/core/fork_safe_mutex.h"
#include "lite/core/op_lite.h"
#include "lite/core/pack_cache.h"
#include "lite/core/tensor.h"
#include "lite/core/weight_blocks.h"

namespace paddle::lite {

struct Value {
  std::string name;
  // The data of a constant; null for what is fed or computed. Its address never changes.
  std::unique_ptr<Tensor> constant;
};

// Shared by a predictor and its clones. Operators stand in an order in which they can run and
// every value is written once (a variable that is written again is a new value).
struct Graph {
  std::vector<Value> values;
  std::vector<OpLite> ops;
  std::vector<ValueId> inputs, outputs;
  // How many operators read each constant, by value: what is packed for all of them may be freed.
  std::vector<int> reader_count;

  // The operators that run a block, by position in ops.
  std::map<int, std::shared_ptr<BlockOp>> block_ops;

  PackCache packs;
  WeightBlocks packed_memory;
  // The file that constants borrow from, while some do.
  std::weak_ptr<FilePages> pages;
  // Held while a plan is made: planning may free constants that were packed.
  ForkSafeMutex planning;

  ValueId AddValue(std::string name);
  ValueId AddConstant(std::string name, Tensor tensor);
  // Counts the readers; call it once when the graph is complete.
  void Finish();
};

}  // namespace paddle::lite
