#include "lite/nnadapter/driver/python/python_device.h"

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lite/nnadapter/driver/python/convert.h"
#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/refusal.h"
#include "lite/python/gil.h"

namespace nnadapter::python {

namespace {

using paddle::lite::python::GilAcquired;
using paddle::lite::python::GilReleased;

constexpr size_t kMaxDevices = 256;

struct PythonDevice {
  driver::Device contract{};
  std::string name, vendor;
  PyObject* hal = nullptr;  // never released: see MakeDevice
};

struct PythonObject {
  PyObject* object = nullptr;
};

struct PythonProgram : PythonObject {
  std::vector<NNAdapterOperandType> input_types, output_types;
};

std::array<PythonDevice, kMaxDevices> devices;
size_t device_count = 0;  // guarded by Python's lock

bool PythonIsGone() {
#if PY_VERSION_HEX >= 0x030D0000
  return !Py_IsInitialized() || Py_IsFinalizing();
#else
  return !Py_IsInitialized() || _Py_IsFinalizing();
#endif
}

// Runs `call` under Python's lock. An exception of Python's becomes a C++ exception with its text,
// thrown after the lock is let go; the runtime makes it the result of the C function.
template <typename Call>
int WithPython(Call call) {
  if (PythonIsGone())
    throw std::runtime_error("Python is shutting down; its devices cannot be used any more");
  std::string failure;
  int failure_code = NNADAPTER_DEVICE_INTERNAL_ERROR;
  {
    const GilAcquired gil;
    try {
      return call();
    } catch (py::error_already_set& error) {
      try {
        const py::object describe =
            py::module_::import("lite.nnadapter.bridge").attr("describe_error");
        const py::tuple told = describe(error.value());
        failure_code = told[0].cast<int>();
        failure = told[1].cast<std::string>();
        // Raised again in the main thread when this call is over.
        if (told[2].cast<bool>()) PyErr_SetInterrupt();
      } catch (const std::exception&) {
        failure = error.what();
      }
    }
  }
  throw runtime::Error(failure_code, failure);
}

void Forget(PyObject* object) {
  // What Python still holds when it ends goes with the process.
  if (!object || PythonIsGone()) return;
  const GilAcquired gil;
  Py_DECREF(object);
}

template <size_t kSlot>
int OpenDevice(void** device) {
  *device = &devices[kSlot];
  return NNADAPTER_NO_ERROR;
}

void CloseDevice(void*) {}

int CreateContext(void* device, const char* properties, int (*)(int, void*), void** context) {
  auto result = std::make_unique<PythonObject>();
  const int code = WithPython([&] {
    const py::handle hal(static_cast<PythonDevice*>(device)->hal);
    result->object =
        hal.attr("create_context")(py::bytes(properties ? properties : "")).release().ptr();
    return NNADAPTER_NO_ERROR;
  });
  if (code == NNADAPTER_NO_ERROR) *context = result.release();
  return code;
}

void DestroyObject(void* context) {
  const std::unique_ptr<PythonObject> object(static_cast<PythonObject*>(context));
  if (object) Forget(object->object);
}

// The model as Python sees it, which loses its views of the C++ model when the call is over.
class BorrowedModel {
 public:
  explicit BorrowedModel(const core::Model& model)
      : model_(py::module_::import("lite.nnadapter.model").attr("Model")(DescribeModel(model))) {}
  ~BorrowedModel() {
    try {
      model_.attr("_close")();
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("lite.nnadapter");
    }
  }
  const py::object& get() const { return model_; }

 private:
  py::object model_;
};

int ValidateProgram(void* context, const core::Model* model, bool* supported) {
  return WithPython([&] {
    const BorrowedModel borrowed(*model);
    const py::handle object(static_cast<PythonObject*>(context)->object);
    const py::list reasons = object.attr("validate")(borrowed.get());
    if (reasons.size() != model->operations.size())
      throw std::runtime_error("the answers are not as many as the operations");
    for (size_t i = 0; i < reasons.size(); ++i) {
      const py::object reason = reasons[i];
      supported[i] = reason.is_none();
      if (!supported[i]) runtime::NoteRefusal(i, reason.cast<std::string>());
    }
    return NNADAPTER_NO_ERROR;
  });
}

std::vector<NNAdapterOperandType> TypesOf(const std::vector<core::Operand*>& operands) {
  std::vector<NNAdapterOperandType> types;
  for (const core::Operand* operand : operands) types.push_back(operand->type);
  return types;
}

py::list DescribeTypes(const std::vector<NNAdapterOperandType>& types) {
  py::list result;
  for (const auto& type : types) result.append(DescribeType(type));
  return result;
}

int CreateProgram(void* context, core::Model* model, core::Cache* cache, void** program) {
  auto result = std::make_unique<PythonProgram>();
  result->input_types = model ? TypesOf(model->input_operands)
                              : (cache ? cache->input_types : std::vector<NNAdapterOperandType>{});
  result->output_types = model
                             ? TypesOf(model->output_operands)
                             : (cache ? cache->output_types : std::vector<NNAdapterOperandType>{});
  const int code = WithPython([&] {
    const py::handle object(static_cast<PythonObject*>(context)->object);
    const py::list inputs = DescribeTypes(result->input_types);
    const py::list outputs = DescribeTypes(result->output_types);
    if (!model) {
      if (!cache || cache->buffer.empty())
        throw std::runtime_error("there is neither a model nor a cache to make the program from");
      const py::bytes bytes(reinterpret_cast<const char*>(cache->buffer.data()),
                            cache->buffer.size());
      result->object = object.attr("restore")(bytes, inputs, outputs).release().ptr();
      return NNADAPTER_NO_ERROR;
    }
    const BorrowedModel borrowed(*model);
    // Without a place to keep it in, nothing is saved.
    const bool wanted = cache && cache->token && cache->dir;
    const py::tuple made = object.attr("compile")(borrowed.get(), inputs, outputs, wanted);
    const py::object saved = made[1];
    if (wanted && !saved.is_none()) {
      const auto text = saved.cast<std::string_view>();
      cache->buffer.assign(text.begin(), text.end());
    }
    result->object = py::object(made[0]).release().ptr();
    return NNADAPTER_NO_ERROR;
  });
  if (code == NNADAPTER_NO_ERROR) *program = result.release();
  return code;
}

void DestroyProgram(void* program) {
  const std::unique_ptr<PythonProgram> object(static_cast<PythonProgram*>(program));
  if (object) Forget(object->object);
}

struct InputMemory {
  NNAdapterOperandType type;
  const void* data = nullptr;
};

// Whether a tensor of these dimensions is one of the declared type; INVALID_DIMENSIONS otherwise.
bool DimsFit(const NNAdapterOperandDimensionType& given,
             const NNAdapterOperandDimensionType& declared) {
  if (given.count != declared.count || given.count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) return false;
  for (uint32_t i = 0; i < given.count; ++i)
    if (given.data[i] < 0 ||
        (declared.data[i] != NNADAPTER_UNKNOWN && given.data[i] != declared.data[i]))
      return false;
  return true;
}

struct OutputMemory {
  NNAdapterOperandType type;
  const void* data = nullptr;
  size_t bytes = 0;
};

// Python's answer, checked by Python for its meaning and here for what memory safety needs.
std::vector<OutputMemory> ReadOutputs(const py::list& arrays, const PythonProgram& program) {
  if (arrays.size() != program.output_types.size())
    throw std::runtime_error("the outputs are not as many as the model's");
  std::vector<OutputMemory> outputs;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const auto array = arrays[i].cast<py::array>();
    OutputMemory output{program.output_types[i], array.data(), static_cast<size_t>(array.nbytes())};
    if (!(array.flags() & py::array::c_style) || array.ndim() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS ||
        static_cast<size_t>(array.itemsize()) != ElementSize(output.type.precision))
      throw std::runtime_error("an output is not a plain array of its element type");
    output.type.dimensions.count = static_cast<uint32_t>(array.ndim());
    output.type.dimensions.dynamic_count = 0;
    for (py::ssize_t axis = 0; axis < array.ndim(); ++axis)
      output.type.dimensions.data[axis] = static_cast<int32_t>(array.shape(axis));
    outputs.push_back(output);
  }
  return outputs;
}

// True if somebody holds the array, or a view of it, besides the list.
bool AnyHeld(const py::list& arrays) {
  for (size_t i = 0; i < arrays.size(); ++i)
    if (Py_REFCNT(PyList_GET_ITEM(arrays.ptr(), static_cast<Py_ssize_t>(i))) > 1) return true;
  return false;
}

int ExecuteProgram(void* handle, uint32_t input_count, core::Argument* input_arguments,
                   uint32_t output_count, core::Argument* output_arguments) {
  auto& program = *static_cast<PythonProgram*>(handle);
  if (input_count != program.input_types.size() || output_count != program.output_types.size())
    throw std::runtime_error("the arguments are not as many as the program's inputs and outputs");
  std::vector<InputMemory> inputs(input_count);
  for (uint32_t i = 0; i < input_count; ++i) {
    const core::Argument& argument = input_arguments[i];
    if (argument.index < 0 || argument.index >= static_cast<int>(input_count) || !argument.access)
      throw std::runtime_error("an input argument has a wrong index or no access function");
    InputMemory& input = inputs[static_cast<size_t>(argument.index)];
    const auto& declared = program.input_types[static_cast<size_t>(argument.index)];
    input.type = declared;
    input.data = argument.access(argument.memory, &input.type, nullptr);
    if (!DimsFit(input.type.dimensions, declared.dimensions)) return NNADAPTER_INVALID_DIMENSIONS;
  }
  return WithPython([&] {
    py::list arrays;
    for (const InputMemory& input : inputs) {
      const auto& dims = input.type.dimensions;
      py::tuple shape(dims.count);
      bool empty = false;
      for (uint32_t i = 0; i < dims.count; ++i) {
        shape[i] = dims.data[i];
        empty = empty || dims.data[i] == 0;
      }
      if (!input.data && !empty) throw std::runtime_error("an input has no memory");
      arrays.append(ReadOnlyView(DtypeName(input.type.precision), shape, input.data));
    }
    const py::handle object(program.object);
    {
      const py::list results = object.attr("execute")(arrays);
      const std::vector<OutputMemory> outputs = ReadOutputs(results, program);
      // The caller's functions and big copies run without Python's lock.
      const GilReleased released;
      for (uint32_t i = 0; i < output_count; ++i) {
        const core::Argument& argument = output_arguments[i];
        if (argument.index < 0 || argument.index >= static_cast<int>(output_count) ||
            !argument.access)
          throw std::runtime_error("an output argument has a wrong index or no access function");
        const OutputMemory& output = outputs[static_cast<size_t>(argument.index)];
        NNAdapterOperandType type = output.type;
        void* memory = argument.access(argument.memory, &type, nullptr);
        if (output.bytes && !memory) throw std::runtime_error("an output got no memory");
        if (output.bytes) std::memcpy(memory, output.data, output.bytes);
      }
    }
    // The inputs' memory is the caller's again when this returns.
    if (AnyHeld(arrays)) {
      py::module_::import("gc").attr("collect")();
      if (AnyHeld(arrays)) object.attr("complain_of_held_inputs")();
    }
    return NNADAPTER_NO_ERROR;
  });
}

template <size_t... kSlots>
constexpr std::array<int (*)(void**), sizeof...(kSlots)> Openers(std::index_sequence<kSlots...>) {
  return {&OpenDevice<kSlots>...};
}

}  // namespace

const driver::Device* MakeDevice(const std::string& name, const std::string& vendor, int type,
                                 py::object hal) {
  static constexpr auto openers = Openers(std::make_index_sequence<kMaxDevices>());
  if (device_count == kMaxDevices)
    throw std::runtime_error(
        "256 devices written in Python were registered in this process; no "
        "more are possible");
  const size_t slot = device_count++;
  PythonDevice& device = devices[slot];
  device.name = name;
  device.vendor = vendor;
  device.hal = hal.release().ptr();
  device.contract = {device.name.c_str(), device.vendor.c_str(), type,           NNADAPTER_VERSION,
                     openers[slot],       CloseDevice,           CreateContext,  DestroyObject,
                     ValidateProgram,     CreateProgram,         DestroyProgram, ExecuteProgram};
  return &device.contract;
}

}  // namespace nnadapter::python
