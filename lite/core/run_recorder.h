// RunRecorder: what each operator of a run was and how long it took; RunScope hands it to plans.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lite/core/kernel.h"

namespace paddle::lite {

// How a kernel that knows several algorithms computes an operator of these shapes.
struct KernelChoice {
  const char* algorithm = "";  // one word, the same in every version
  std::string reason;          // for people
};

// What such kernels are besides KernelBase.
class ExplainsChoice {
 public:
  virtual ~ExplainsChoice() = default;
  virtual KernelChoice Choice(const KernelContext& context) const = 0;
};

struct TensorRecord {
  std::string_view slot;
  DDim dims;
  DataType dtype = DataType::kFP32;
  DataLayoutType layout = DataLayoutType::kNCHW;
  bool constant = false;
  bool operator==(const TensorRecord& o) const {
    return slot == o.slot && dims == o.dims && dtype == o.dtype && layout == o.layout &&
           constant == o.constant;
  }
};

// One operator with the shapes that it had; events refer to it by its position.
struct OperatorRecord {
  enum class Kind {
    kRun,       // the whole run
    kPlanning,  // planning a stretch for new shapes
    kOperator,  // a kernel
    kBlock      // an operator that runs a block or a device; what the block ran has it as parent
  };
  Kind kind = Kind::kOperator;
  std::string_view type;
  std::string where;  // empty where the planner inserted the operator
  PrecisionType precision = PrecisionType::kAny;
  DataLayoutType layout = DataLayoutType::kNCHW;
  std::string_view alias;
  KernelChoice choice;
  std::vector<TensorRecord> inputs, outputs;
  // Elementwise operators that the plan folded in: their names, their operands as inputs of a slot
  // without a name.
  std::vector<std::string_view> steps;
  bool operator==(const OperatorRecord& o) const;
};

struct OperatorEvent {
  int record = -1;  // -1: it did not end
  int parent = -1;  // position of the event that it is part of
  int64_t start_ns = 0, end_ns = 0;
};

// The clock of events.
int64_t NowNs();

// Of one predictor's runs; used by the thread that runs them.
class RunRecorder {
 public:
  // What is beyond is counted only.
  static constexpr size_t kMaxEvents = size_t{1} << 18;

  const std::vector<OperatorRecord>& records() const { return records_; }
  const std::vector<OperatorEvent>& events() const { return events_; }
  int64_t dropped() const { return dropped_; }

 private:
  friend class Observation;
  // The position of an equal record; `address` only says where to look first.
  int Intern(const void* address, OperatorRecord record);

  std::vector<OperatorRecord> records_;
  std::multimap<const void*, int> known_;  // by address
  std::vector<OperatorEvent> events_;
  int open_ = -1;
  int64_t dropped_ = 0;
};

// An operator runs from the making of this to Done(); one that throws leaves an event without a
// record. Recording itself is part of what is around the operator.
class Observation {
 public:
  explicit Observation(RunRecorder* recorder);
  ~Observation();
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

  // A run, or its planning.
  void Done(OperatorRecord::Kind kind);
  // An operator that ran without a plan.
  void Done(OperatorRecord::Kind kind, const OpLite& op,
            const std::vector<std::vector<const Tensor*>>& inputs,
            const std::vector<std::vector<Tensor*>>& outputs);
  // A kernel of a plan.
  void Done(const KernelInfo& info, const KernelBase& kernel, KernelContext& context);
  // The same of one that took turns with others: as if it had run from `start_ns` to `end_ns`.
  void Done(const KernelInfo& info, const KernelBase& kernel, KernelContext& context,
            int64_t start_ns, int64_t end_ns);

 private:
  void End();
  void Keep(const void* address, OperatorRecord record);

  RunRecorder& recorder_;
  int event_ = -1;  // -1: there are too many
  int outer_;
};

}  // namespace paddle::lite
