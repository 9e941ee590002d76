#include "lite/nnadapter/driver/python/python_device.h"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lite/nnadapter/driver/python/convert.h"
#include "lite/nnadapter/driver/python/gil.h"
#include "lite/nnadapter/runtime/in_process.h"

namespace nnadapter::python {

namespace {

using paddle::lite::python::CallPython;
using paddle::lite::python::GilAcquired;
using paddle::lite::python::GilReleased;
using paddle::lite::python::PythonIsGone;

constexpr size_t kMaxDevices = 256;

struct PythonDevice {
  driver::Device contract{};
  std::string name, vendor;
  PyObject* hal = nullptr;  // never released: see MakeDevice
};

struct PythonObject {
  PyObject* object = nullptr;
};

std::array<PythonDevice, kMaxDevices> devices;
std::atomic<size_t> device_count{0};

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
        const py::tuple told = CallPython(describe, error.value());
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
    result->object = CallPython(hal.attr("create_context"), py::bytes(properties ? properties : ""))
                         .release()
                         .ptr();
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
      : model_(CallPython(py::module_::import("lite.nnadapter.model").attr("Model"),
                          DescribeModel(model))) {}
  ~BorrowedModel() {
    try {
      CallPython(model_.attr("_close"));
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
    const py::list reasons = CallPython(object.attr("validate"), borrowed.get());
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

py::list DescribeTypes(const std::vector<NNAdapterOperandType>& types) {
  py::list result;
  for (const auto& type : types) result.append(DescribeType(type));
  return result;
}

struct OutputMemory {
  std::vector<int32_t> dims;
  const void* data = nullptr;
  size_t bytes = 0;
};

// Python's answer, checked by Python for its meaning and here for what memory safety needs.
std::vector<OutputMemory> ReadOutputs(const py::list& arrays, const hal::Outputs& results) {
  if (arrays.size() != results.count())
    throw std::runtime_error("the outputs are not as many as the model's");
  std::vector<OutputMemory> outputs;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const auto array = arrays[i].cast<py::array>();
    OutputMemory output{{}, array.data(), static_cast<size_t>(array.nbytes())};
    if (!(array.flags() & py::array::c_style) || array.ndim() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS ||
        static_cast<size_t>(array.itemsize()) != hal::PrecisionSize(results.type(i).precision))
      throw std::runtime_error("an output is not a plain array of its element type");
    for (py::ssize_t axis = 0; axis < array.ndim(); ++axis)
      output.dims.push_back(static_cast<int32_t>(array.shape(axis)));
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

class PythonProgram : public hal::Program {
 public:
  ~PythonProgram() override { Forget(object); }

  void Run(const std::vector<hal::Tensor>& inputs, hal::Outputs& outputs) override {
    WithPython([&] {
      py::list arrays;
      for (const hal::Tensor& input : inputs)
        arrays.append(ReadOnlyView(input.type.precision, input.dims(), input.data));
      const py::handle program(object);
      {
        const py::list results = CallPython(program.attr("execute"), arrays);
        const std::vector<OutputMemory> answers = ReadOutputs(results, outputs);
        // The caller's functions and big copies run without Python's lock.
        const GilReleased released;
        for (size_t i = 0; i < answers.size(); ++i) {
          void* memory = outputs.Allocate(i, answers[i].dims);
          if (answers[i].bytes) std::memcpy(memory, answers[i].data, answers[i].bytes);
        }
      }
      // The inputs' memory is the caller's again when this returns.
      if (AnyHeld(arrays)) {
        CallPython(py::module_::import("gc").attr("collect"));
        if (AnyHeld(arrays)) CallPython(program.attr("complain_of_held_inputs"));
      }
      return NNADAPTER_NO_ERROR;
    });
  }

  // The candidates of a dimension do not bind: Python is asked.
  bool Accepts(const NNAdapterOperandType& declared, const std::vector<int32_t>& dims) override {
    return hal::DimsFit(declared.dimensions, dims);
  }

  // The runtime lets the runs of a compilation take turns.
  bool ConcurrentRuns() const override { return true; }

  PyObject* object = nullptr;
};

int CreateProgram(void* context, core::Model* model, core::Cache* cache, void** program) {
  auto made = std::make_unique<PythonProgram>();
  auto compiled = std::make_unique<hal::detail::CompiledProgram>();
  if (model || cache) {
    compiled->input_types =
        model ? hal::detail::TypesOf(model->input_operands) : cache->input_types;
    compiled->output_types =
        model ? hal::detail::TypesOf(model->output_operands) : cache->output_types;
  }
  WithPython([&] {
    const py::handle object(static_cast<PythonObject*>(context)->object);
    const py::list inputs = DescribeTypes(compiled->input_types);
    const py::list outputs = DescribeTypes(compiled->output_types);
    if (!model) {
      if (!cache || cache->buffer.empty())
        throw std::runtime_error("there is neither a model nor a cache to make the program from");
      const py::bytes bytes(reinterpret_cast<const char*>(cache->buffer.data()),
                            cache->buffer.size());
      made->object = CallPython(object.attr("restore"), bytes, inputs, outputs).release().ptr();
      return NNADAPTER_NO_ERROR;
    }
    const BorrowedModel borrowed(*model);
    // Without a place to keep it in, nothing is saved.
    const bool wanted = cache && cache->token && cache->dir;
    const py::tuple answer =
        CallPython(object.attr("compile"), borrowed.get(), inputs, outputs, wanted);
    const py::object saved = answer[1];
    if (wanted && !saved.is_none()) {
      const auto text = saved.cast<std::string_view>();
      cache->buffer.assign(text.begin(), text.end());
    }
    made->object = py::object(answer[0]).release().ptr();
    return NNADAPTER_NO_ERROR;
  });
  compiled->program = std::move(made);
  *program = compiled.release();
  return NNADAPTER_NO_ERROR;
}

void DestroyProgram(void* program) { delete static_cast<hal::detail::CompiledProgram*>(program); }

int ExecuteProgram(void* program, uint32_t input_count, core::Argument* inputs,
                   uint32_t output_count, core::Argument* outputs) {
  return runtime::InProcess::Call("", "", [&] {
    hal::detail::Execute(static_cast<hal::detail::CompiledProgram*>(program), input_count, inputs,
                         output_count, outputs);
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
  const size_t slot = device_count++;
  if (slot >= kMaxDevices)
    throw std::runtime_error(
        "256 devices written in Python were registered in this process; no "
        "more are possible");
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
