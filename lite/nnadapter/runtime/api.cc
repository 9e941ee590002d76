// The C functions: handles become objects, exceptions become codes.
#include <algorithm>
#include <cstring>

#include "lite/nnadapter/runtime/device_manager.h"
#include "lite/nnadapter/runtime/execution.h"
#include "lite/nnadapter/runtime/handles.h"
#include "lite/nnadapter/runtime/operation.h"
#include "lite/nnadapter/runtime/refusal.h"
#include "nnadapter/extensions.h"

namespace nnadapter::runtime {
namespace {

template <typename T>
T* Required(T* pointer, const char* what) {
  if (!pointer) FailParameter(what, " is null");
  return pointer;
}

template <typename Handle, typename Object>
Handle* NewHandleOf(HandleTable<Object>* table, std::shared_ptr<Object> object) {
  return static_cast<Handle*>(table->Add(std::move(object)));
}

core::Operand* Unwrap(NNAdapterOperand* operand) {
  return reinterpret_cast<core::Operand*>(operand);
}

// A count that cannot be right is refused before the array is read. An operand may be named often.
std::vector<core::Operand*> OperandList(const Model& model, uint32_t count,
                                        NNAdapterOperand** operands, const char* what) {
  const size_t most = std::max<size_t>(model.operand_count(), 1024);
  if (count > most) FailParameter(what, ": there are ", count, ", at most ", most, " are possible");
  if (count > 0) Required(operands, what);
  std::vector<core::Operand*> list(count);
  for (uint32_t i = 0; i < count; ++i) list[i] = Unwrap(operands[i]);
  return list;
}

// A null text is an empty one.
std::string TextOrEmpty(const char* text) { return text ? text : ""; }

std::vector<bool> SupportedByAny(const Model& model, const Context& context) {
  std::vector<std::string> refusals;
  const std::vector<int> devices = AskDevices(model.graph(), context, &refusals);
  std::vector<bool> supported(model.added_count(), true);  // what became a constant needs no device
  std::vector<std::string> reasons(model.added_count());
  for (size_t i = 0; i < devices.size(); ++i) {
    supported[model.added_index()[i]] = devices[i] >= 0;
    reasons[model.added_index()[i]] = std::move(refusals[i]);
  }
  RememberRefusals(std::move(reasons));
  return supported;
}

void SetTypes(std::vector<NNAdapterOperandType>* types, uint32_t* count,
              NNAdapterOperandType** pointers) {
  *count = static_cast<uint32_t>(types->size());
  if (!pointers) return;
  for (size_t i = 0; i < types->size(); ++i) pointers[i] = &(*types)[i];
}

}  // namespace

// Never destroyed: handles may be used while the process ends.
HandleTable<Device>& Devices() {
  static auto* table = new HandleTable<Device>(HandleKind::kDevice);
  return *table;
}
HandleTable<Context>& Contexts() {
  static auto* table = new HandleTable<Context>(HandleKind::kContext);
  return *table;
}
HandleTable<Model>& Models() {
  static auto* table = new HandleTable<Model>(HandleKind::kModel);
  return *table;
}
HandleTable<Compilation>& Compilations() {
  static auto* table = new HandleTable<Compilation>(HandleKind::kCompilation);
  return *table;
}
HandleTable<Execution>& Executions() {
  static auto* table = new HandleTable<Execution>(HandleKind::kExecution);
  return *table;
}

}  // namespace nnadapter::runtime

using namespace nnadapter::runtime;  // NOLINT: this file is the C face of that namespace

int NNAdapter_getVersion(uint32_t* version) {
  return Barrier(__func__, [&] { *Required(version, "version") = NNADAPTER_VERSION; });
}

int NNAdapter_getDeviceCount(uint32_t* num_devices) {
  return Barrier(__func__, [&] {
    const std::vector<DeviceInfo> devices = ListDevices();
    *Required(num_devices, "num_devices") = static_cast<uint32_t>(
        std::count_if(devices.begin(), devices.end(), [](const auto& d) { return !d.hidden; }));
  });
}

const char* NNAdapter_getLastErrorMessage(void) { return LastErrorMessage(); }

int NNAdapter_getLastErrorCode(void) { return LastErrorCode(); }

int NNAdapterDevice_acquire(const char* name, NNAdapterDevice** device) {
  return Barrier(__func__, [&] {
    Required(name, "name");
    Required(device, "device");
    *device = nullptr;
    *device = NewHandleOf<NNAdapterDevice>(&Devices(), AcquireDevice(name));
  });
}

void NNAdapterDevice_release(NNAdapterDevice* device) {
  Barrier(__func__, [&] { Devices().Remove(device); });
}

int NNAdapterDevice_getName(const NNAdapterDevice* device, const char** name) {
  return Barrier(__func__, [&] {
    const auto object = Devices().Get(device);
    *Required(name, "name") = object->name().c_str();
  });
}

int NNAdapterDevice_getVendor(const NNAdapterDevice* device, const char** vendor) {
  return Barrier(__func__, [&] {
    const auto object = Devices().Get(device);
    *Required(vendor, "vendor") = object->vendor().c_str();
  });
}

int NNAdapterDevice_getType(const NNAdapterDevice* device, NNAdapterDeviceType* type) {
  return Barrier(__func__, [&] {
    const auto object = Devices().Get(device);
    *Required(type, "type") = object->type();
  });
}

int NNAdapterDevice_getVersion(const NNAdapterDevice* device, int32_t* version) {
  return Barrier(__func__, [&] {
    const auto object = Devices().Get(device);
    *Required(version, "version") = object->version();
  });
}

int NNAdapterContext_create(NNAdapterDevice** devices, uint32_t num_devices, const char* properties,
                            int (*callback)(int event_id, void* user_data),
                            NNAdapterContext** context) {
  return Barrier(__func__, [&] {
    Required(context, "context");
    *context = nullptr;
    Required(devices, "devices");
    if (num_devices == 0) FailParameter("a context needs a device");
    std::vector<std::shared_ptr<Device>> list;
    for (uint32_t i = 0; i < num_devices; ++i) {
      list.push_back(Devices().Get(devices[i]));
      for (uint32_t j = 0; j < i; ++j)
        if (list[j] == list[i]) FailParameter("device ", list[i]->name(), " is named twice");
    }
    *context = NewHandleOf<NNAdapterContext>(
        &Contexts(), std::make_shared<Context>(list, TextOrEmpty(properties), callback));
  });
}

void NNAdapterContext_destroy(NNAdapterContext* context) {
  Barrier(__func__, [&] { Contexts().Remove(context); });
}

int NNAdapterModel_create(NNAdapterModel** model) {
  return Barrier(__func__, [&] {
    *Required(model, "model") = nullptr;
    *model = NewHandleOf<NNAdapterModel>(&Models(), std::make_shared<Model>());
  });
}

void NNAdapterModel_destroy(NNAdapterModel* model) {
  Barrier(__func__, [&] { Models().Remove(model); });
}

int NNAdapterModel_finish(NNAdapterModel* model) {
  return Barrier(__func__, [&] { Models().Get(model)->Finish(); });
}

int NNAdapterModel_addOperand(NNAdapterModel* model, const NNAdapterOperandType* type,
                              NNAdapterOperand** operand) {
  return Barrier(__func__, [&] {
    Required(operand, "operand");
    *operand = nullptr;
    const auto object = Models().Get(model);
    *operand = reinterpret_cast<NNAdapterOperand*>(object->AddOperand(*Required(type, "type")));
  });
}

int NNAdapterModel_setOperandValue(NNAdapterOperand* operand, void* buffer, uint32_t length,
                                   bool copy) {
  return Barrier(__func__, [&] {
    ModelOfOperand(Unwrap(operand))
        ->SetOperandValue(Unwrap(operand), buffer, length,
                          copy ? ConstantMemory::kCopied : ConstantMemory::kGathered);
  });
}

int NNAdapterModel_shareOperandValue(NNAdapterOperand* operand, const void* buffer,
                                     uint32_t length) {
  return Barrier(__func__, [&] {
    // A driver's type for constants is not const; what is not copied is only read.
    ModelOfOperand(Unwrap(operand))
        ->SetOperandValue(Unwrap(operand), const_cast<void*>(buffer), length,
                          ConstantMemory::kCallers);
  });
}

int NNAdapterModel_getOperandType(NNAdapterOperand* operand, NNAdapterOperandType** type) {
  return Barrier(__func__, [&] {
    Required(type, "type");
    *type = ModelOfOperand(Unwrap(operand))->GetOperandType(Unwrap(operand));
  });
}

int NNAdapterModel_addOperation(NNAdapterModel* model, NNAdapterOperationType type,
                                uint32_t input_count, NNAdapterOperand** input_operands,
                                uint32_t output_count, NNAdapterOperand** output_operands,
                                NNAdapterOperation** operation) {
  return Barrier(__func__, [&] {
    Required(operation, "operation");
    *operation = nullptr;
    const auto object = Models().Get(model);
    const OperationInfo* info = OperationRegistry::Global().Find(type);
    if (info && output_count > 0) CheckOperandCounts(*info, input_count, output_count);
    *operation = reinterpret_cast<NNAdapterOperation*>(object->AddOperation(
        type, OperandList(*object, input_count, input_operands, "input_operands"),
        OperandList(*object, output_count, output_operands, "output_operands")));
  });
}

int NNAdapterModel_identifyInputsAndOutputs(NNAdapterModel* model, uint32_t input_count,
                                            NNAdapterOperand** input_operands,
                                            uint32_t output_count,
                                            NNAdapterOperand** output_operands) {
  return Barrier(__func__, [&] {
    const auto object = Models().Get(model);
    object->IdentifyInputsAndOutputs(
        OperandList(*object, input_count, input_operands, "input_operands"),
        OperandList(*object, output_count, output_operands, "output_operands"));
  });
}

int NNAdapterModel_getSupportedOperations(const NNAdapterModel* model, NNAdapterContext* context,
                                          bool* supported_operations) {
  return Barrier(__func__, [&] {
    const auto object = Models().Get(model);
    const auto devices = Contexts().Get(context);
    Required(supported_operations, "supported_operations");
    if (!object->finished()) FailParameter("the model is not finished");
    const std::vector<bool> supported = SupportedByAny(*object, *devices);
    for (size_t i = 0; i < supported.size(); ++i) supported_operations[i] = supported[i];
  });
}

int NNAdapterCompilation_create(NNAdapterModel* model, const char* cache_token, void* cache_buffer,
                                uint32_t cache_length, const char* cache_dir,
                                NNAdapterContext* context, NNAdapterCompilation** compilation) {
  return Barrier(__func__, [&] {
    Required(compilation, "compilation");
    *compilation = nullptr;
    std::shared_ptr<Model> object;
    if (model) object = Models().Get(model);
    const auto devices = Contexts().Get(context);
    std::vector<uint8_t> buffer;
    if (cache_length > 0) {
      const auto* bytes = static_cast<const uint8_t*>(Required(cache_buffer, "cache_buffer"));
      buffer.assign(bytes, bytes + cache_length);
    }
    *compilation = NewHandleOf<NNAdapterCompilation>(
        &Compilations(),
        std::make_shared<Compilation>(object, TextOrEmpty(cache_token), std::move(buffer),
                                      TextOrEmpty(cache_dir), devices));
  });
}

void NNAdapterCompilation_destroy(NNAdapterCompilation* compilation) {
  Barrier(__func__, [&] { Compilations().Remove(compilation); });
}

int NNAdapterCompilation_finish(NNAdapterCompilation* compilation) {
  return Barrier(__func__, [&] { Compilations().Get(compilation)->Finish(); });
}

int NNAdapterCompilation_queryInputsAndOutputs(NNAdapterCompilation* compilation,
                                               uint32_t* input_count,
                                               NNAdapterOperandType** input_types,
                                               uint32_t* output_count,
                                               NNAdapterOperandType** output_types) {
  return Barrier(__func__, [&] {
    const auto object = Compilations().Get(compilation);
    Required(input_count, "input_count");
    Required(output_count, "output_count");
    if (!object->finished()) FailParameter("the compilation is not finished");
    SetTypes(&object->public_input_types(), input_count, input_types);
    SetTypes(&object->public_output_types(), output_count, output_types);
  });
}

int NNAdapterExecution_create(NNAdapterCompilation* compilation, NNAdapterExecution** execution) {
  return Barrier(__func__, [&] {
    Required(execution, "execution");
    *execution = nullptr;
    *execution = NewHandleOf<NNAdapterExecution>(
        &Executions(), std::make_shared<Execution>(Compilations().Get(compilation)));
  });
}

void NNAdapterExecution_destroy(NNAdapterExecution* execution) {
  Barrier(__func__, [&] { Executions().Remove(execution); });
}

int NNAdapterExecution_setInput(NNAdapterExecution* execution, int32_t index, void* memory,
                                void* (*access)(void* memory, NNAdapterOperandType* type,
                                                void* device_buffer)) {
  return Barrier(__func__, [&] { Executions().Get(execution)->SetInput(index, memory, access); });
}

int NNAdapterExecution_setOutput(NNAdapterExecution* execution, int32_t index, void* memory,
                                 void* (*access)(void* memory, NNAdapterOperandType* type,
                                                 void* device_buffer)) {
  return Barrier(__func__, [&] { Executions().Get(execution)->SetOutput(index, memory, access); });
}

int NNAdapterExecution_compute(NNAdapterExecution* execution) {
  return Barrier(__func__, [&] { Executions().Get(execution)->Compute(); });
}
