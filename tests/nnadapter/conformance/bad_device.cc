// A device whose faults the conformance suite must find: BAD=abort|wrong|shape|change|exit;
// BAD=save fails to save, which is none. An ADD is its first input's RELU, which is wrong always.
#include <unistd.h>

#include "nnadapter/hal/hal.h"

namespace core = nnadapter::core;
namespace hal = nnadapter::hal;

namespace {

struct Program : hal::Program {
  std::string bad;
  bool runs_once = false;

  std::vector<uint8_t> Save() override {
    if (bad == "save") throw std::runtime_error("nothing can be saved");
    return {};
  }

  void Run(const std::vector<hal::Tensor>& inputs, hal::Outputs& outputs) override {
    if (bad == "abort") std::abort();
    if (bad == "exit") _exit(0);
    std::vector<int32_t> dims = inputs[0].dims();
    if (bad == "shape") dims.push_back(1);
    float* to = outputs.Allocate<float>(0, dims);
    for (int64_t i = 0; i < inputs[0].size(); ++i) to[i] = std::max(inputs[0].As<float>()[i], 0.f);
    if (bad == "wrong") to[0] += 0.01f;
    if (bad == "change") static_cast<float*>(inputs[0].data)[0] = 7;
  }
};

struct BadDevice : hal::Backend {
  explicit BadDevice(const hal::Properties& properties) : bad(properties.Get("BAD")) {}
  std::string bad;

  std::string Supports(const core::Operation& operation) override {
    const bool floats = hal::Output(operation).type.precision == NNADAPTER_FLOAT32;
    const bool takes = operation.type == NNADAPTER_RELU || operation.type == NNADAPTER_ADD;
    return takes && floats ? "" : "only RELU and ADD of FLOAT32";
  }
  std::unique_ptr<hal::Program> Build(core::Model& model) override {
    auto program = std::make_unique<Program>();
    program->bad = bad;
    if (model.operations.size() != 1) throw hal::NotSupported("one operation only");
    return program;
  }
};

}  // namespace

NNADAPTER_REGISTER_HAL(bad_device, "Tests", NNADAPTER_CPU, BadDevice)
