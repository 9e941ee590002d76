// The C functions of executions and bursts.
#include <algorithm>

#include "lite/nnadapter/nnapi/objects.h"

using namespace nnadapter::nnapi;  // NOLINT: this file is the C face of that namespace

namespace {

using Dependencies = std::vector<std::shared_ptr<Event>>;

// After the dependencies, in a thread of its own.
std::shared_ptr<Event> Start(const std::shared_ptr<Execution>& execution,
                             const Dependencies& dependencies, uint64_t duration) {
  execution->Begin();
  try {
    return std::make_shared<ComputeEvent>([execution, dependencies, duration] {
      for (const auto& event : dependencies) {
        const int code = event->Wait();
        if (code == ANEURALNETWORKS_NO_ERROR) continue;
        execution->FailWith(ANEURALNETWORKS_OP_FAILED);
        return Reported("startCompute", ANEURALNETWORKS_OP_FAILED, "what it waited for failed");
      }
      return execution->Compute(duration);
    });
  } catch (...) {
    execution->Abandon();
    throw;
  }
}

int ComputeNow(const char* function, const std::shared_ptr<Execution>& execution) {
  const int code = Barrier(function, [&] { execution->Begin(); });
  return code == ANEURALNETWORKS_NO_ERROR ? execution->Compute() : code;
}

int SetBuffer(const char* function, bool output, ANeuralNetworksExecution* execution, int32_t index,
              const ANeuralNetworksOperandType* type, void* buffer, size_t length) {
  return Barrier(function, [&] { Get(execution)->SetBuffer(output, index, type, buffer, length); });
}

int SetMemory(const char* function, bool output, ANeuralNetworksExecution* execution, int32_t index,
              const ANeuralNetworksOperandType* type, const ANeuralNetworksMemory* memory,
              size_t offset, size_t length) {
  return Barrier(function, [&] {
    const auto object = Get(execution);
    object->SetMemory(output, index, type, Get(memory), offset, length);
  });
}

// Calls use(dims) for an output's shape; returns what the execution says of it, or the code of what
// failed. `name` is that of `place`.
template <typename Use>
int WithOutputShape(const char* function, ANeuralNetworksExecution* execution, int32_t index,
                    const uint32_t* place, const char* name, Use&& use) {
  int code = ANEURALNETWORKS_NO_ERROR;
  const int failed = Barrier(function, [&] {
    const auto object = Get(execution);
    Required(place, name);
    Dims dims;
    code = object->OutputShape(index, &dims);
    use(dims);
  });
  return failed == ANEURALNETWORKS_NO_ERROR ? code : failed;
}

}  // namespace

int ANeuralNetworksExecution_create(ANeuralNetworksCompilation* compilation,
                                    ANeuralNetworksExecution** execution) {
  return Create(__func__, execution, [&] { return std::make_shared<Execution>(Get(compilation)); });
}

void ANeuralNetworksExecution_free(ANeuralNetworksExecution* execution) { Free(execution); }

int ANeuralNetworksExecution_setInput(ANeuralNetworksExecution* execution, int32_t index,
                                      const ANeuralNetworksOperandType* type, const void* buffer,
                                      size_t length) {
  // An input's buffer is only read.
  return SetBuffer(__func__, false, execution, index, type, const_cast<void*>(buffer), length);
}

int ANeuralNetworksExecution_setInputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                const ANeuralNetworksOperandType* type,
                                                const ANeuralNetworksMemory* memory, size_t offset,
                                                size_t length) {
  return SetMemory(__func__, false, execution, index, type, memory, offset, length);
}

int ANeuralNetworksExecution_setOutput(ANeuralNetworksExecution* execution, int32_t index,
                                       const ANeuralNetworksOperandType* type, void* buffer,
                                       size_t length) {
  return SetBuffer(__func__, true, execution, index, type, buffer, length);
}

int ANeuralNetworksExecution_setOutputFromMemory(ANeuralNetworksExecution* execution, int32_t index,
                                                 const ANeuralNetworksOperandType* type,
                                                 const ANeuralNetworksMemory* memory, size_t offset,
                                                 size_t length) {
  return SetMemory(__func__, true, execution, index, type, memory, offset, length);
}

int ANeuralNetworksExecution_setTimeout(ANeuralNetworksExecution* execution, uint64_t duration) {
  return Barrier(__func__, [&] { Get(execution)->SetTimeout(duration); });
}

int ANeuralNetworksExecution_setLoopTimeout(ANeuralNetworksExecution* execution,
                                            uint64_t duration) {
  return Barrier(__func__, [&] { Get(execution)->SetLoopTimeout(duration); });
}

int ANeuralNetworksExecution_setMeasureTiming(ANeuralNetworksExecution* execution, bool measure) {
  return Barrier(__func__, [&] { Get(execution)->SetMeasureTiming(measure); });
}

int ANeuralNetworksExecution_getDuration(const ANeuralNetworksExecution* execution,
                                         int32_t durationCode, uint64_t* duration) {
  return Barrier(__func__, [&] {
    const auto object = Get(execution);
    *Required(duration, "duration") = UINT64_MAX;
    *duration = object->Duration(durationCode);
  });
}

int ANeuralNetworksExecution_setReusable(ANeuralNetworksExecution* execution, bool reusable) {
  return Barrier(__func__, [&] { Get(execution)->SetReusable(reusable); });
}

int ANeuralNetworksExecution_enableInputAndOutputPadding(ANeuralNetworksExecution* execution,
                                                         bool enable) {
  return Barrier(__func__, [&] { Get(execution)->EnablePadding(enable); });
}

int ANeuralNetworksExecution_compute(ANeuralNetworksExecution* execution) {
  std::shared_ptr<Execution> object;
  const int code = Barrier(__func__, [&] { object = Get(execution); });
  return code == ANEURALNETWORKS_NO_ERROR ? ComputeNow(__func__, object) : code;
}

int ANeuralNetworksExecution_burstCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksBurst* burst) {
  std::shared_ptr<Execution> object;
  std::shared_ptr<Burst> row;
  const int code = Barrier(__func__, [&] {
    object = Get(execution);
    row = Get(burst);
    if (row->compilation.get() != &object->compilation())
      FailData("the burst belongs to another compilation");
    if (row->busy.exchange(true)) {
      row.reset();
      FailState("the burst computes already");
    }
  });
  if (code != ANEURALNETWORKS_NO_ERROR) return code;
  const int result = ComputeNow(__func__, object);
  row->busy = false;
  return result;
}

int ANeuralNetworksExecution_startCompute(ANeuralNetworksExecution* execution,
                                          ANeuralNetworksEvent** event) {
  return Create(__func__, event, [&] { return Start(Get(execution), {}, 0); });
}

int ANeuralNetworksExecution_startComputeWithDependencies(
    ANeuralNetworksExecution* execution, const ANeuralNetworksEvent* const* dependencies,
    uint32_t numDependencies, uint64_t duration, ANeuralNetworksEvent** event) {
  return Create(__func__, event, [&] {
    const auto object = Get(execution);
    if (numDependencies > 0) Required(dependencies, "dependencies");
    Dependencies list;
    for (uint32_t i = 0; i < numDependencies; ++i) list.push_back(Get(dependencies[i]));
    if (duration != 0) object->compilation().RequireOneDevice();
    return Start(object, list, duration);
  });
}

int ANeuralNetworksExecution_getOutputOperandRank(ANeuralNetworksExecution* execution,
                                                  int32_t index, uint32_t* rank) {
  return WithOutputShape(__func__, execution, index, rank, "rank",
                         [&](const Dims& dims) { *rank = static_cast<uint32_t>(dims.size()); });
}

int ANeuralNetworksExecution_getOutputOperandDimensions(ANeuralNetworksExecution* execution,
                                                        int32_t index, uint32_t* dimensions) {
  return WithOutputShape(__func__, execution, index, dimensions, "dimensions",
                         [&](const Dims& dims) {
                           if (dims.empty()) FailData("a scalar has no dimensions");
                           std::copy(dims.begin(), dims.end(), dimensions);
                         });
}

int ANeuralNetworksBurst_create(ANeuralNetworksCompilation* compilation,
                                ANeuralNetworksBurst** burst) {
  return Create(__func__, burst, [&] {
    auto object = std::make_shared<Burst>();
    object->compilation = Get(compilation);
    if (!object->compilation->finished()) FailState("the compilation is not finished");
    return object;
  });
}

void ANeuralNetworksBurst_free(ANeuralNetworksBurst* burst) { Free(burst); }
