// What a vendor derives from, and the callbacks of driver::Device over it.
//
//   struct MyDevice : nnadapter::hal::Backend {
//     std::string Supports(const core::Operation& operation) override;           // "" or a reason
//     std::unique_ptr<nnadapter::hal::Program> Build(core::Model& model) override;
//   };
//   NNADAPTER_REGISTER_HAL(my_device, "Vendor", NNADAPTER_ACCELERATOR, MyDevice)
//
// Exceptions end at the callbacks: an Error gives its code, std::bad_alloc OUT_OF_MEMORY, anything
// else DEVICE_INTERNAL_ERROR; the text goes to stderr and, by __nnadapter_last_error__, to the
// user.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "nnadapter/driver/device.h"
#include "nnadapter/hal/graph.h"
#include "nnadapter/hal/model_copy.h"
#include "nnadapter/hal/operand.h"
#include "nnadapter/hal/properties.h"
#include "nnadapter/hal/shape.h"

namespace nnadapter {
namespace hal {

// An input of a run: elements, and the type with the dimensions of this run.
struct Tensor {
  NNAdapterOperandType type{};
  void* data = nullptr;

  std::vector<int32_t> dims() const { return Dims(type); }
  int64_t size() const { return ElementCount(type); }
  template <typename T>
  const T* As() const {
    if (sizeof(T) != PrecisionSize(type.precision))
      throw InvalidParameter(Text(Describe(type), " read as elements of ", sizeof(T), " bytes"));
    return static_cast<const T*>(data);
  }
};

// Where a run puts its results.
class Outputs {
 public:
  Outputs(const std::vector<NNAdapterOperandType>& types, core::Argument* arguments, size_t count)
      : types_(types), arguments_(types.size()), given_(types.size()) {
    for (size_t i = 0; i < count; ++i) arguments_[arguments[i].index] = &arguments[i];
  }
  size_t count() const { return types_.size(); }

  // The type that output `index` is declared with.
  const NNAdapterOperandType& type(size_t index) const {
    if (index >= types_.size())
      throw DeviceFailure(Text("output ", index, " of ", types_.size(), " does not exist"));
    return types_[index];
  }

  // Memory for output `index` of these dimensions, to be filled in.
  void* Allocate(size_t index, const std::vector<int32_t>& dims) {
    return Allocate(index, dims, type(index).precision);
  }
  // The same for elements of another type than declared.
  void* Allocate(size_t index, const std::vector<int32_t>& dims,
                 NNAdapterOperandPrecisionCode precision) {
    NNAdapterOperandType type = this->type(index);
    type.precision = precision;
    type.dimensions.dynamic_count = 0;
    SetDims(&type, dims);
    const int64_t size = ElementCount(dims);
    core::Argument& argument = *arguments_[index];
    void* data = argument.access(argument.memory, &type, nullptr);
    if (!data && size) throw DeviceFailure(Text("no memory for output ", index, Describe(type)));
    given_[index] = true;
    return data;
  }
  template <typename T>
  T* Allocate(size_t index, const std::vector<int32_t>& dims) {
    if (sizeof(T) != PrecisionSize(type(index).precision))
      throw DeviceFailure(Text("output ", index, " ", Describe(type(index)),
                               " written as elements of ", sizeof(T), " bytes"));
    return static_cast<T*>(Allocate(index, dims));
  }

  void CheckAllGiven() const {
    for (size_t i = 0; i < given_.size(); ++i) {
      if (!given_[i]) throw DeviceFailure(Text("the program computed nothing for output ", i));
    }
  }

 private:
  const std::vector<NNAdapterOperandType>& types_;
  std::vector<core::Argument*> arguments_;
  std::vector<bool> given_;
};

// A compiled model. It may read the model's constants without copying them: they live as long.
class Program {
 public:
  virtual ~Program() = default;

  // Computes all outputs. Called by one thread at a time unless ConcurrentRuns is true.
  virtual void Run(const std::vector<Tensor>& inputs, Outputs& outputs) = 0;

  // (optional) Bytes from which Backend::Load makes this program again. Without them the model is
  // kept, and built again.
  virtual std::vector<uint8_t> Save() { return {}; }

  // (optional) Whether an input of these dimensions can be run.
  virtual bool Accepts(const NNAdapterOperandType& declared, const std::vector<int32_t>& dims) {
    return DimsMatch(declared.dimensions, dims);
  }

  virtual bool ConcurrentRuns() const { return false; }
};

// A device as a context sees it; constructed from `const Properties&`, or from nothing.
class Backend {
 public:
  virtual ~Backend() = default;

  // Nothing, or in plain words why the device does not take the operation.
  virtual std::string Supports(const core::Operation& operation) = 0;

  // Every operation is one that Supports took, and stands behind those that it reads from. The
  // model may be changed.
  virtual std::unique_ptr<Program> Build(core::Model& model) = 0;

  // (optional) Whether Build itself throws for what Supports would not take: it is not asked again.
  virtual bool BuildRefuses() const { return false; }

  // (optional) Throws where a model that was read from a cache is not well formed.
  virtual void CheckCached(core::Model& model) { (void)model; }

  // (optional) The program that Save wrote.
  virtual std::unique_ptr<Program> Load(const std::vector<uint8_t>& bytes) {
    throw NotSupported(Text("this device has no Load for a cache of ", bytes.size(), " bytes"));
  }
};

namespace detail {

// See driver::LastErrorFunction. An array, since it is written where memory has run out.
constexpr size_t kLastErrorSize = 1024;
inline char* LastError() noexcept {
  static thread_local char text[kLastErrorSize];
  return text;
}

// How the callbacks of a library end: what is thrown becomes a code, and a text to stderr and to
// LastError.
struct LibraryBoundary {
  template <typename Function>
  static int Call(const char* device, const char* callback, Function function) noexcept {
    const auto failed = [&](int code, const char* text) {
      // Asking for another shape is ordinary.
      const bool quiet = code == NNADAPTER_INVALID_DIMENSIONS && LogLevel() < 1;
      if (!quiet) std::fprintf(stderr, "[%s] %s: %s\n", device, callback, text);
      std::snprintf(LastError(), kLastErrorSize, "%s", text);
      return code;
    };
    *LastError() = '\0';
    try {
      function();
      return NNADAPTER_NO_ERROR;
    } catch (const Error& e) {
      return failed(e.code, e.what());
    } catch (const std::bad_alloc&) {
      return failed(NNADAPTER_OUT_OF_MEMORY, "out of memory");
    } catch (const std::exception& e) {
      return failed(NNADAPTER_DEVICE_INTERNAL_ERROR, e.what());
    } catch (...) {
      return failed(NNADAPTER_DEVICE_INTERNAL_ERROR, "an exception of unknown type");
    }
  }

  // Operation number `index` of a model is not taken.
  static void Refused(const char* device, size_t index, const core::Operation& operation,
                      const std::string& reason) {
    (void)index;
    Trace(1, "[", device, "] not taken: ", OperationName(operation.type), ": ", reason);
  }
};

inline std::string Refusal(Backend* backend, const core::Operation& operation) {
  try {
    return backend->Supports(operation);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return *e.what() ? e.what() : "it cannot be checked";
  }
}

struct Context {
  std::shared_ptr<Backend> backend;
};

struct CompiledProgram {
  std::shared_ptr<Backend> backend;
  std::unique_ptr<ModelCopy> model;  // of a cache; the program may read its constants
  std::unique_ptr<Program> program;
  std::vector<NNAdapterOperandType> input_types;
  std::vector<NNAdapterOperandType> output_types;
  std::mutex mutex;
};

inline std::vector<NNAdapterOperandType> TypesOf(const std::vector<core::Operand*>& operands) {
  std::vector<NNAdapterOperandType> types;
  for (const core::Operand* operand : operands) types.push_back(operand->type);
  return types;
}

inline void CheckArguments(const char* what, uint32_t count, const core::Argument* arguments,
                           size_t expected) {
  if (count != expected || (count && !arguments))
    throw InvalidParameter(Text(count, " ", what, ", expected ", expected));
  std::vector<bool> seen(count);
  for (uint32_t i = 0; i < count; ++i) {
    const int index = arguments[i].index;
    if (index < 0 || index >= static_cast<int>(count) || seen[index])
      throw InvalidParameter(Text(what, ": index ", index, " of ", count, " is wrong or twice"));
    if (!arguments[i].access) throw InvalidParameter(Text(what, " ", index, ": access is null"));
    seen[index] = true;
  }
}

inline void CheckSupported(Backend* backend, const core::Model& model) {
  std::string refused;
  for (const core::Operation& operation : model.operations) {
    const std::string reason = Refusal(backend, operation);
    if (!reason.empty()) refused += Text("\n  ", OperationName(operation.type), ": ", reason);
  }
  if (!refused.empty()) throw NotSupported("operations that the device does not take:" + refused);
}

// The types that the caller knows are those that the bytes of a cache must agree with.
inline void CheckTypes(const std::vector<core::Operand*>& operands,
                       const std::vector<NNAdapterOperandType>& types) {
  bool same = operands.size() == types.size();
  for (size_t i = 0; same && i < operands.size(); ++i)
    same = operands[i] && operands[i]->type.precision == types[i].precision;
  if (!same) throw InvalidParameter("a cached model of other types");
}

inline void Build(CompiledProgram* compiled, core::Model* model) {
  if (!compiled->backend->BuildRefuses()) CheckSupported(compiled->backend.get(), *model);
  SortOperations(model);
  compiled->program = compiled->backend->Build(*model);
  compiled->input_types = TypesOf(model->input_operands);
  compiled->output_types = TypesOf(model->output_operands);
}

inline void Compile(CompiledProgram* compiled, core::Model* model, core::Cache* cache) {
  if (cache && !cache->buffer.empty()) {
    if (ModelCopy::Wrote(cache->buffer)) {
      compiled->model = std::make_unique<ModelCopy>(ModelCopy::Load(cache->buffer));
      core::Model* cached = &compiled->model->model();
      compiled->backend->CheckCached(*cached);
      CheckTypes(cached->input_operands, cache->input_types);
      CheckTypes(cached->output_operands, cache->output_types);
      Build(compiled, cached);
    } else {
      compiled->program = compiled->backend->Load(cache->buffer);
    }
    compiled->input_types = cache->input_types;
    compiled->output_types = cache->output_types;
  } else {
    if (!model) throw InvalidParameter("neither a model nor a cache is given");
    const bool wanted = cache && cache->token && cache->dir;
    std::vector<uint8_t> bytes;
    if (wanted) bytes = ModelCopy(*model).Save();  // Build may change the model
    Build(compiled, model);
    if (wanted && compiled->program) {
      std::vector<uint8_t> own;
      try {
        own = compiled->program->Save();
      } catch (const std::exception& error) {  // the model's own bytes do as well
        Trace(0, "a program cannot be saved: ", error.what());
      }
      cache->buffer = own.empty() ? std::move(bytes) : std::move(own);
    }
  }
  if (!compiled->program) throw DeviceFailure("the backend built no program");
}

inline void Execute(CompiledProgram* compiled, uint32_t input_count, core::Argument* inputs,
                    uint32_t output_count, core::Argument* outputs) {
  CheckArguments("inputs", input_count, inputs, compiled->input_types.size());
  CheckArguments("outputs", output_count, outputs, compiled->output_types.size());
  std::vector<Tensor> tensors(input_count);
  for (uint32_t i = 0; i < input_count; ++i) {
    const int index = inputs[i].index;
    const NNAdapterOperandType& declared = compiled->input_types[index];
    Tensor& tensor = tensors[index];
    tensor.type = declared;
    tensor.data = inputs[i].access(inputs[i].memory, &tensor.type, nullptr);
    if (!tensor.data && tensor.size()) throw InvalidParameter(Text("input ", index, " is null"));
    if (!compiled->program->Accepts(declared, tensor.dims()))
      throw InvalidDimensions(Text("input ", index, " has dimensions ", DimsText(tensor.dims()),
                                   ", the program is made for ", DimsText(Dims(declared))));
  }
  std::unique_lock<std::mutex> lock(compiled->mutex, std::defer_lock);
  if (!compiled->program->ConcurrentRuns()) lock.lock();
  Outputs results(compiled->output_types, outputs, output_count);
  compiled->program->Run(tensors, results);
  results.CheckAllGiven();
}

}  // namespace detail

// The callbacks of a device whose contexts are made of `Type`, derived from Backend. `Boundary`:
// what becomes of exceptions and reasons; a device inside the runtime has another.
template <typename Type, const char* kName, typename Boundary = detail::LibraryBoundary>
struct Callbacks {
  static int OpenDevice(void** device) {
    return Boundary::Call(kName, "open_device", [&] {
      if (!device) throw InvalidParameter("device is null");
      *device = const_cast<char*>(kName);
    });
  }

  static void CloseDevice(void*) {}

  static int CreateContext(void* device, const char* properties, int (*)(int, void*),
                           void** context) {
    return Boundary::Call(kName, "create_context", [&] {
      if (!device || !context) throw InvalidParameter("device or context is null");
      *context = nullptr;
      const Properties values(properties ? properties : "");
      auto made = std::make_unique<detail::Context>();
      if constexpr (std::is_constructible_v<Type, const Properties&>) {
        made->backend = std::make_shared<Type>(values);
      } else {
        made->backend = std::make_shared<Type>();
      }
      *context = made.release();
    });
  }

  static void DestroyContext(void* context) {
    Boundary::Call(kName, "destroy_context",
                   [&] { delete static_cast<detail::Context*>(context); });
  }

  static int ValidateProgram(void* context, const core::Model* model, bool* supported) {
    return Boundary::Call(kName, "validate_program", [&] {
      if (!context || !model || (!supported && !model->operations.empty()))
        throw InvalidParameter("context, model or supported_operations is null");
      Backend* backend = static_cast<detail::Context*>(context)->backend.get();
      size_t index = 0;
      for (const core::Operation& operation : model->operations) {
        const std::string reason = detail::Refusal(backend, operation);
        if (!reason.empty()) Boundary::Refused(kName, index, operation, reason);
        supported[index++] = reason.empty();
      }
    });
  }

  // See driver::ExplainFunction.
  static int Explain(void* context, const core::Operation* operation, char* text,
                     uint32_t capacity) {
    return Boundary::Call(kName, "explain", [&] {
      if (!context || !operation || !text || !capacity) throw InvalidParameter("null argument");
      const std::string reason =
          detail::Refusal(static_cast<detail::Context*>(context)->backend.get(), *operation);
      const size_t length = std::min<size_t>(reason.size(), capacity - 1);
      std::copy_n(reason.data(), length, text);
      text[length] = '\0';
    });
  }

  static int CreateProgram(void* context, core::Model* model, core::Cache* cache, void** program) {
    return Boundary::Call(kName, "create_program", [&] {
      if (!context || !program) throw InvalidParameter("context or program is null");
      *program = nullptr;
      auto compiled = std::make_unique<detail::CompiledProgram>();
      compiled->backend = static_cast<detail::Context*>(context)->backend;
      detail::Compile(compiled.get(), model, cache);
      *program = compiled.release();
    });
  }

  static void DestroyProgram(void* program) {
    Boundary::Call(kName, "destroy_program",
                   [&] { delete static_cast<detail::CompiledProgram*>(program); });
  }

  static int ExecuteProgram(void* program, uint32_t input_count, core::Argument* inputs,
                            uint32_t output_count, core::Argument* outputs) {
    return Boundary::Call(kName, "execute_program", [&] {
      if (!program) throw InvalidParameter("program is null");
      detail::Execute(static_cast<detail::CompiledProgram*>(program), input_count, inputs,
                      output_count, outputs);
    });
  }
};

}  // namespace hal
}  // namespace nnadapter

// Exports the device of lib<device>.so; once a library, at namespace scope. `type` is a subclass of
// Backend.
#define NNADAPTER_REGISTER_HAL(device, vendor, kind, type)                                         \
  namespace {                                                                                      \
  constexpr char nnadapter_hal_name[] = #device;                                                   \
  using NnadapterHalCallbacks = ::nnadapter::hal::Callbacks<type, nnadapter_hal_name>;             \
  }                                                                                                \
  extern "C" {                                                                                     \
  __attribute__((visibility("default"))) ::nnadapter::driver::Device NNADAPTER_AS_SYM2(device) = { \
      nnadapter_hal_name,                                                                          \
      vendor,                                                                                      \
      kind,                                                                                        \
      NNADAPTER_VERSION,                                                                           \
      NnadapterHalCallbacks::OpenDevice,                                                           \
      NnadapterHalCallbacks::CloseDevice,                                                          \
      NnadapterHalCallbacks::CreateContext,                                                        \
      NnadapterHalCallbacks::DestroyContext,                                                       \
      NnadapterHalCallbacks::ValidateProgram,                                                      \
      NnadapterHalCallbacks::CreateProgram,                                                        \
      NnadapterHalCallbacks::DestroyProgram,                                                       \
      NnadapterHalCallbacks::ExecuteProgram};                                                      \
  __attribute__((visibility("default"))) int NNADAPTER_AS_EXPLAIN_SYM2(device)(                    \
      void* context, const ::nnadapter::core::Operation* operation, char* text,                    \
      uint32_t capacity) {                                                                         \
    return NnadapterHalCallbacks::Explain(context, operation, text, capacity);                     \
  }                                                                                                \
  __attribute__((visibility("default"))) const char* __nnadapter_last_error__() {                  \
    return ::nnadapter::hal::detail::LastError();                                                  \
  }                                                                                                \
  }
