#include "tests/cpp/hostile_hal.h"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "lite/nnadapter/driver/builtin_device/device.h"
#include "lite/nnadapter/runtime/device_manager.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"
#include "tests/cpp/device_bench.h"

namespace paddle::lite::testing {
namespace {

using nnadapter::core::Argument;
using nnadapter::core::Cache;
using nnadapter::core::Model;
using nnadapter::core::Operand;
using nnadapter::core::Operation;
namespace driver = nnadapter::driver;

struct Slot {
  Random* random = nullptr;
  size_t hostility = 0;
};
Slot g_slots[2];

const driver::Device& Builtin() { return *nnadapter::builtin_device::Get(); }

struct NoStandardException {};

// Whether to misbehave here.
bool Hostile(int slot) { return g_slots[slot].random->Below(1000) < g_slots[slot].hostility; }
size_t Below(int slot, size_t bound) { return g_slots[slot].random->Below(bound); }

// Throws something, or returns a code that is no success, rarely one that none knows.
int Refuse(int slot) {
  static constexpr int kCodes[] = {1, 2, 3, 4, 5, 6, 7, -1, 1000, INT32_MIN, INT32_MAX};
  switch (Below(slot, 12)) {
    case 0:
      throw std::runtime_error("a driver's exception");
    case 1:
      throw std::bad_alloc();
    case 2:
      throw 42;
    case 3:
      throw NoStandardException();
    case 4:
      throw "text";
    case 5:
      throw std::string("string");
    case 6:
      throw std::length_error(std::string(Below(slot, 2000), 'x'));
    default:
      return kCodes[Below(slot, std::size(kCodes))];
  }
}

// As a driver may change the model that it is given.
void Spoil(int slot, Model* model) {
  const auto operand = [&]() -> Operand* {
    if (model->operands.empty()) return nullptr;
    return &*std::next(model->operands.begin(),
                       static_cast<long>(Below(slot, model->operands.size())));
  };
  for (size_t n = 1 + Below(slot, 3); n > 0; --n) {
    Operand* some = operand();
    switch (Below(slot, 9)) {
      case 0:
        model->operations.clear();
        break;
      case 1:
        if (!model->operations.empty()) model->operations.pop_back();
        break;
      case 2:
        model->input_operands.assign(Below(slot, 4), Below(slot, 2) ? nullptr : some);
        break;
      case 3:
        model->output_operands.assign(Below(slot, 4), Below(slot, 2) ? nullptr : some);
        break;
      case 4:
        model->operands.emplace_back();
        model->output_operands.push_back(&model->operands.back());
        break;
      case 5:
        if (some) some->type.dimensions.count = static_cast<uint32_t>(Below(slot, 12));
        break;
      case 6:
        if (some)
          some->type.dimensions.data[Below(slot, 8)] = -static_cast<int32_t>(Below(slot, 9));
        break;
      case 7:
        for (Operation& operation : model->operations)
          operation.input_operands.assign(Below(slot, 3), nullptr);
        break;
      default:
        if (some && !nnadapter::runtime::IsPerChannel(CodeOf(some->type.precision)))
          SetCode(&some->type.precision, static_cast<int32_t>(Below(slot, 12)));
    }
  }
}

void Ruin(int slot, NNAdapterOperandDimensionType* dimensions) {
  static constexpr int32_t kExtents[] = {0, -1, 1, 2, 1 << 30, INT32_MIN, INT32_MAX, -65535, 1000};
  const size_t kind = Below(slot, 4);
  if (kind == 0) dimensions->count = static_cast<uint32_t>(Below(slot, 11));
  if (kind == 1) dimensions->count = UINT32_MAX - static_cast<uint32_t>(Below(slot, 3));
  if (kind >= 2) dimensions->data[Below(slot, 8)] = kExtents[Below(slot, std::size(kExtents))];
  if (kind == 3) dimensions->dynamic_count = UINT32_MAX;
}

// What stands between builtin_device and the runtime's arguments.
struct Proxy {
  int slot;
  Argument argument;
};

void* AccessProxyInput(void* memory, NNAdapterOperandType* type, void*) {
  auto& proxy = *static_cast<Proxy*>(memory);
  static bool device_buffer;
  if (Hostile(proxy.slot)) proxy.argument.access(proxy.argument.memory, nullptr, nullptr);
  void* data = proxy.argument.access(proxy.argument.memory, type,
                                     Hostile(proxy.slot) ? &device_buffer : nullptr);
  if (type->dimensions.count > 8) throw Violation("an input of more than 8 dimensions");
  return data;
}

void* AccessProxyOutput(void* memory, NNAdapterOperandType* type, void*) {
  auto& proxy = *static_cast<Proxy*>(memory);
  static bool device_buffer;
  const Argument& argument = proxy.argument;
  void* data = nullptr;
  if (Hostile(proxy.slot)) {
    NNAdapterOperandType bad = *type;
    Ruin(proxy.slot, &bad.dimensions);
    if (Below(proxy.slot, 2)) SetCode(&bad.precision, static_cast<int32_t>(Below(proxy.slot, 40)));
    const int64_t bytes = BytesOf(bad);
    data = argument.access(argument.memory, Below(proxy.slot, 8) ? &bad : nullptr,
                           Below(proxy.slot, 2) ? &device_buffer : nullptr);
    // The memory is as large as was asked for: it may all be written.
    if (data && bytes > 0 && !device_buffer) std::memset(data, 0x55, static_cast<size_t>(bytes));
    if (Below(proxy.slot, 2)) throw std::runtime_error("half way through");
  }
  // builtin_device writes there: what it asked for.
  return argument.access(argument.memory, type, nullptr);
}

template <int kSlot>
int OpenDevice(void** device) {
  if (Hostile(kSlot)) return Refuse(kSlot);
  return Hostile(kSlot) ? NNADAPTER_NO_ERROR : Builtin().open_device(device);
}
template <int kSlot>
void CloseDevice(void*) {
  if (Hostile(kSlot) && Below(kSlot, 8) == 0) Refuse(kSlot);  // logged: rarely
}

template <int kSlot>
int CreateContext(void* device, const char* properties, int (*callback)(int, void*),
                  void** context) {
  const int code = Builtin().create_context(device, properties, callback, context);
  if (code != NNADAPTER_NO_ERROR || !Hostile(kSlot)) return code;
  Builtin().destroy_context(*context);
  *context = nullptr;
  return Refuse(kSlot);
}
template <int kSlot>
void DestroyContext(void* context) {
  if (context) Builtin().destroy_context(context);
  if (Hostile(kSlot) && Below(kSlot, 8) == 0) Refuse(kSlot);  // logged: rarely
}

template <int kSlot>
int ValidateProgram(void*, const Model* model, bool* supported) {
  const size_t rate = 1 + Below(kSlot, 4);
  for (size_t i = 0; i < model->operations.size(); ++i) {
    uint8_t answer = Below(kSlot, rate) == 0;
    if (Hostile(kSlot)) answer = static_cast<uint8_t>(Below(kSlot, 256));
    std::memcpy(&supported[i], &answer, 1);
  }
  return Hostile(kSlot) ? Refuse(kSlot) : NNADAPTER_NO_ERROR;
}

template <int kSlot>
int CreateProgram(void* context, Model* model, Cache* cache, void** program) {
  if (Hostile(kSlot)) {
    if (model) Spoil(kSlot, model);
    cache->buffer.assign(Below(kSlot, 300), static_cast<uint8_t>(Below(kSlot, 256)));
    cache->input_types.resize(Below(kSlot, 4));
    return Below(kSlot, 4) ? Refuse(kSlot) : NNADAPTER_NO_ERROR;  // and no program
  }
  const int code = Builtin().create_program(context, model, cache, program);
  if (code != NNADAPTER_NO_ERROR) return code;
  if (model && Hostile(kSlot)) Spoil(kSlot, model);
  if (Hostile(kSlot)) cache->buffer.resize(Below(kSlot, 200), 0x55);
  if (!Hostile(kSlot)) return code;
  if (Below(kSlot, 2)) return code;
  Builtin().destroy_program(*program);
  *program = nullptr;
  return Refuse(kSlot);
}
template <int kSlot>
void DestroyProgram(void* program) {
  Builtin().destroy_program(program);
  if (Hostile(kSlot) && Below(kSlot, 8) == 0) Refuse(kSlot);  // logged: rarely
}

template <int kSlot>
int ExecuteProgram(void* program, uint32_t input_count, Argument* inputs, uint32_t output_count,
                   Argument* outputs) {
  if (Hostile(kSlot)) return Below(kSlot, 3) ? Refuse(kSlot) : NNADAPTER_NO_ERROR;
  std::vector<Proxy> from, to;
  for (uint32_t i = 0; i < input_count; ++i) from.push_back({kSlot, inputs[i]});
  for (uint32_t i = 0; i < output_count; ++i) to.push_back({kSlot, outputs[i]});
  std::vector<Argument> in(inputs, inputs + input_count), out(outputs, outputs + output_count);
  for (uint32_t i = 0; i < input_count; ++i) {
    in[i].memory = &from[i];
    in[i].access = AccessProxyInput;
  }
  for (uint32_t i = 0; i < output_count; ++i) {
    out[i].memory = &to[i];
    out[i].access = AccessProxyOutput;
  }
  if (!out.empty() && Hostile(kSlot)) out.pop_back();
  const int code = Builtin().execute_program(program, static_cast<uint32_t>(in.size()), in.data(),
                                             static_cast<uint32_t>(out.size()), out.data());
  return Hostile(kSlot) ? Refuse(kSlot) : code;
}

template <int kSlot>
driver::Device Callbacks() {
  return {"",
          "Nobody",
          NNADAPTER_ACCELERATOR,
          NNADAPTER_VERSION,
          OpenDevice<kSlot>,
          CloseDevice<kSlot>,
          CreateContext<kSlot>,
          DestroyContext<kSlot>,
          ValidateProgram<kSlot>,
          CreateProgram<kSlot>,
          DestroyProgram<kSlot>,
          ExecuteProgram<kSlot>};
}

}  // namespace

HostileHal::HostileHal(int slot, std::string name, Random* random, size_t hostility)
    : slot_(slot), name_(std::move(name)), device_(slot ? Callbacks<1>() : Callbacks<0>()) {
  g_slots[slot_] = {random, hostility};
  device_.name = name_.c_str();
  if (Hostile(slot_)) {
    switch (Below(slot_, 8)) {
      case 0:
        device_.vendor = nullptr;
        break;
      case 1:
        device_.version = static_cast<int32_t>(Below(slot_, 3)) - 1;
        break;
      case 2:
        device_.close_device = nullptr;
        break;
      case 3:
        device_.validate_program = nullptr;
        break;
      case 4:
        device_.type = -7;
        break;
      case 5:
        device_.execute_program = nullptr;
        break;
      case 6:
        device_.name = nullptr;
        break;
      default:
        device_.create_program = nullptr;
    }
  }
  try {
    nnadapter::runtime::RegisterDevice(&device_);
    registered_ = true;
  } catch (const nnadapter::runtime::Error&) {
  }
}

HostileHal::~HostileHal() {
  if (registered_) nnadapter::runtime::UnregisterDevice(name_);
}

}  // namespace paddle::lite::testing
