// The device `rockchip_rknpu2` on a board: runs what `lite build` compiled, by librknnrt.so. Where
// there is none, its namesake in Python (device.py) compiles and simulates.
//
// Environment variables (properties are part of what a program was compiled with):
// ROCKCHIP_RKNPU2_RUNTIME, the library; ROCKCHIP_RKNPU2_CORE_MASK, the NPU's cores.
#include <cstring>
#include <limits>

#include "nnadapter/hal/hal.h"
#include "rknn_runtime.h"

namespace core = nnadapter::core;
namespace hal = nnadapter::hal;

namespace {

constexpr char kPackage[] = "rknn-toolkit2 ";

rknn::Type TypeOf(const NNAdapterOperandType& type) {
  switch (type.precision) {
    case NNADAPTER_FLOAT32:
      return rknn::kFloat32;
    case NNADAPTER_FLOAT16:
      return rknn::kFloat16;
    case NNADAPTER_INT32:
      return rknn::kInt32;
    case NNADAPTER_INT64:
      return rknn::kInt64;
    case NNADAPTER_BOOL8:
      return rknn::kBool;
    default:
      if (hal::PrecisionSize(type.precision) == 1) return rknn::kInt8;
      throw hal::NotSupported("the NPU has no " + hal::Describe(type));
  }
}

// Element `i` of integers of some type.
int64_t IntegerAt(const void* data, rknn::Type type, size_t i) {
  const auto read = [&](auto value) -> int64_t {
    std::memcpy(&value, static_cast<const char*>(data) + i * sizeof value, sizeof value);
    return static_cast<int64_t>(value);
  };
  switch (type) {
    case rknn::kInt8:
      return read(int8_t{});
    case rknn::kUint8:
    case rknn::kBool:
      return read(uint8_t{});
    case rknn::kInt16:
      return read(int16_t{});
    case rknn::kUint16:
      return read(uint16_t{});
    case rknn::kInt32:
      return read(int32_t{});
    case rknn::kUint32:
      return read(uint32_t{});
    case rknn::kInt64:
      return read(int64_t{});
    default:
      throw hal::DeviceFailure(hal::Text("the board gives elements of type ", type));
  }
}

void StoreInteger(int64_t value, rknn::Type type, size_t i, void* data) {
  const auto write = [&](auto converted) {
    std::memcpy(static_cast<char*>(data) + i * sizeof converted, &converted, sizeof converted);
  };
  if (type == rknn::kInt64) {
    write(value);
  } else if (type == rknn::kInt32) {
    write(static_cast<int32_t>(value));
  } else if (type == rknn::kBool) {
    write(static_cast<uint8_t>(value != 0));
  } else if (type == rknn::kInt8) {
    write(static_cast<int8_t>(value));
  } else {
    throw hal::DeviceFailure("the board gives integers for floats");
  }
}

// What a device over a toolkit saves (compiled/toolkit_hal.py): "H", a line with the toolkit and
// what it compiled for, a line with the outputs, the length of the .rknn, and that.
class Saved {
 public:
  explicit Saved(const std::vector<uint8_t>& bytes) : bytes_(bytes) {
    if (bytes_.empty() || bytes_[0] != 'H') throw hal::InvalidParameter("no saved program");
    stamp_ = Line();
    Line();
    uint64_t length = 0;
    if (bytes_.size() - at_ < sizeof length) End();
    std::memcpy(&length, bytes_.data() + at_, sizeof length);
    at_ += sizeof length;
    if (length > bytes_.size() - at_ || length > std::numeric_limits<uint32_t>::max()) End();
    length_ = length;
  }

  const std::string& stamp() const { return stamp_; }
  // In memory that is aligned.
  std::vector<uint8_t> model() const {
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    return {begin, begin + static_cast<std::ptrdiff_t>(length_)};
  }

 private:
  std::string Line() {
    const size_t begin = at_;
    while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
    if (at_ == bytes_.size()) End();
    return {bytes_.begin() + static_cast<std::ptrdiff_t>(begin),
            bytes_.begin() + static_cast<std::ptrdiff_t>(at_++)};
  }
  [[noreturn]] static void End() {
    throw hal::InvalidParameter("the saved program ends too early");
  }

  const std::vector<uint8_t>& bytes_;
  std::string stamp_;
  size_t at_ = 1, length_ = 0;
};

int32_t CoreMask(const std::string& name) {
  const std::map<std::string, int32_t> masks = {{"auto", 0}, {"0", 1},     {"1", 2},       {"2", 4},
                                                {"0_1", 3},  {"0_1_2", 7}, {"all", 0xffff}};
  const auto found = masks.find(name);
  if (found == masks.end())
    throw hal::InvalidParameter("ROCKCHIP_RKNPU2_CORE_MASK is '" + name +
                                "', expected auto, 0, 1, 2, 0_1, 0_1_2 or all");
  return found->second;
}

// A .rknn in the NPU.
class Program : public hal::Program {
 public:
  Program(const rknn::Runtime& runtime, const std::vector<uint8_t>& model, int32_t cores)
      : runtime_(runtime) {
    rknn::Succeed(
        runtime_.init(&context_, model.data(), static_cast<uint32_t>(model.size()), 0, nullptr),
        "rknn_init");
    try {
      if (cores && !runtime_.set_core_mask)
        throw hal::NotSupported("this runtime has no cores to choose from");
      if (cores) rknn::Succeed(runtime_.set_core_mask(context_, cores), "rknn_set_core_mask");
      rknn::InOutNum count{};
      Query(rknn::kInOutNum, &count);
      inputs_ = Attributes(rknn::kInputAttr, count.inputs);
      outputs_ = Attributes(rknn::kOutputAttr, count.outputs);
    } catch (...) {
      runtime_.destroy(context_);
      throw;
    }
  }
  ~Program() override { runtime_.destroy(context_); }

  void Run(const std::vector<hal::Tensor>& inputs, hal::Outputs& outputs) override {
    SetInputs(inputs);
    rknn::Succeed(runtime_.run(context_, nullptr), "rknn_run");
    if (outputs.count() != outputs_.size())
      throw hal::DeviceFailure(
          hal::Text("the program has ", outputs_.size(), " outputs, not ", outputs.count()));
    std::vector<rknn::Output> taken;
    std::vector<std::vector<uint8_t>> others(outputs.count());  // of another type than declared
    std::vector<void*> memory;
    for (uint32_t i = 0; i < outputs.count(); ++i) {
      const NNAdapterOperandType& type = outputs.type(i);
      memory.push_back(outputs.Allocate(i, hal::Dims(type)));
      taken.push_back(Wanted(i, type, memory.back(), &others[i]));
    }
    const auto count = static_cast<uint32_t>(taken.size());
    rknn::Succeed(runtime_.outputs_get(context_, count, taken.data(), nullptr), "rknn_outputs_get");
    rknn::Succeed(runtime_.outputs_release(context_, count, taken.data()), "rknn_outputs_release");
    for (size_t i = 0; i < outputs.count(); ++i) {
      if (others[i].empty()) continue;
      const rknn::Type type = TypeOf(outputs.type(i));
      for (size_t k = 0; k < outputs_[i].elements; ++k)
        StoreInteger(IntegerAt(others[i].data(), outputs_[i].type, k), type, k, memory[i]);
    }
  }

 private:
  template <typename Info>
  void Query(rknn::Query what, Info* info) {
    rknn::Succeed(runtime_.query(context_, what, info, sizeof *info), "rknn_query");
  }

  std::vector<rknn::TensorAttr> Attributes(rknn::Query what, uint32_t count) {
    std::vector<rknn::TensorAttr> attributes(count);
    for (uint32_t i = 0; i < count; ++i) {
      attributes[i].index = i;
      Query(what, &attributes[i]);
    }
    return attributes;
  }

  void SetInputs(const std::vector<hal::Tensor>& inputs) {
    if (inputs.size() != inputs_.size())
      throw hal::DeviceFailure(
          hal::Text("the program has ", inputs_.size(), " inputs, not ", inputs.size()));
    std::vector<rknn::Input> given;
    for (uint32_t i = 0; i < inputs.size(); ++i) {
      const hal::Tensor& input = inputs[i];
      CheckSize("input", i, inputs_[i], input.size());
      const auto bytes = input.size() * hal::PrecisionSize(input.type.precision);
      // Images are NCHW here; the rest has no layout.
      const rknn::Format format = input.dims().size() == 4 ? rknn::kNchw : rknn::kUndefined;
      given.push_back({i, input.data, static_cast<uint32_t>(bytes), 0, TypeOf(input.type), format});
    }
    rknn::Succeed(runtime_.inputs_set(context_, static_cast<uint32_t>(given.size()), given.data()),
                  "rknn_inputs_set");
  }

  // How the board is asked for an output: into its memory, or beside it where it must be converted.
  rknn::Output Wanted(uint32_t i, const NNAdapterOperandType& type, void* memory,
                      std::vector<uint8_t>* other) {
    const rknn::TensorAttr& has = outputs_[i];
    CheckSize("output", i, has, hal::ElementCount(type));
    if (has.dim_count == 4 && has.format != rknn::kNchw)
      throw hal::NotSupported(hal::Text("output ", i, " is not NCHW on the board"));
    const rknn::Type wanted = TypeOf(type);
    size_t bytes = has.elements * hal::PrecisionSize(type.precision);
    const bool is_float = wanted == rknn::kFloat32;
    if (!is_float && has.type != wanted) {
      bytes = has.size;
      if (bytes < has.elements * SizeOf(has.type))
        throw hal::DeviceFailure(hal::Text("output ", i, " is said to have ", bytes, " bytes"));
      other->resize(bytes);
      memory = other->data();
    }
    return {is_float, 1, i, memory, static_cast<uint32_t>(bytes)};
  }

  static size_t SizeOf(rknn::Type type) {
    if (type == rknn::kInt64) return 8;
    if (type == rknn::kInt32 || type == rknn::kUint32 || type == rknn::kFloat32) return 4;
    return type == rknn::kInt8 || type == rknn::kUint8 || type == rknn::kBool ? 1 : 2;
  }

  static void CheckSize(const char* what, uint32_t i, const rknn::TensorAttr& has,
                        int64_t elements) {
    if (elements != has.elements)
      throw hal::DeviceFailure(
          hal::Text(what, " ", i, " has ", has.elements, " elements on the board, not ", elements));
  }

  const rknn::Runtime& runtime_;
  rknn::Context context_ = 0;
  std::vector<rknn::TensorAttr> inputs_, outputs_;
};

class RknnBoard : public hal::Backend {
 public:
  explicit RknnBoard(const hal::Properties& properties)
      : runtime_(rknn::Open(properties.Get("ROCKCHIP_RKNPU2_RUNTIME", "librknnrt.so"))),
        platform_(properties.Get("ROCKCHIP_RKNPU2_TARGET_PLATFORM", "rk3588")),
        cores_(CoreMask(properties.Get("ROCKCHIP_RKNPU2_CORE_MASK", "auto"))) {}

  std::string Supports(const core::Operation&) override { return kCompilesNothing; }
  bool BuildRefuses() const override { return true; }
  std::unique_ptr<hal::Program> Build(core::Model&) override {
    throw hal::NotSupported(kCompilesNothing);
  }

  std::unique_ptr<hal::Program> Load(const std::vector<uint8_t>& bytes) override {
    const Saved saved(bytes);
    const std::string &stamp = saved.stamp(), platform = " platform " + platform_;
    const bool fits = stamp.compare(0, sizeof kPackage - 1, kPackage) == 0 &&
                      stamp.size() > platform.size() &&
                      stamp.compare(stamp.size() - platform.size(), platform.size(), platform) == 0;
    if (!fits)
      throw hal::InvalidParameter("it was compiled with " + stamp + ", this is a board of" +
                                  platform);
    return std::make_unique<Program>(runtime_, saved.model(), cores_);
  }

 private:
  static constexpr char kCompilesNothing[] =
      "a board compiles nothing: lite build names the shapes (--shape)";
  const rknn::Runtime runtime_;
  const std::string platform_;
  const int32_t cores_;
};

}  // namespace

NNADAPTER_REGISTER_HAL(rockchip_rknpu2, "Rockchip", NNADAPTER_ACCELERATOR, RknnBoard)
