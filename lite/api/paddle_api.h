// The C++ API that Paddle Lite's mobile applications use, over one `.nb` file.
//
//   using namespace paddle::lite_api;
//   MobileConfig config;
//   config.set_model_from_file("model.nb");
//   auto predictor = CreatePaddlePredictor<MobileConfig>(config);
//   auto input = predictor->GetInput(0);
//   input->Resize({1, 3, 224, 224});
//   float* data = input->mutable_data<float>();  // fill it
//   predictor->Run();
//   auto output = predictor->GetOutput(0);  // output->data<float>(), output->shape()
//
// Needs C++11 and libpaddle_lite_core.so. Every mistake (a damaged file, a wrong index, shape or
// type) throws a std::exception whose what() says what was wrong and what was expected; a
// predictor that threw stays usable. Calls on one predictor take turns; Clone() gives another that
// shares the weights, for runs side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace paddle {
namespace lite_api {

using shape_t = std::vector<int64_t>;
using lod_t = std::vector<std::vector<uint64_t>>;

enum class TargetType : int {
  kUnk = 0,
  kHost = 1,
  kX86 = 2,
  kCUDA = 3,
  kARM = 4,
  kOpenCL = 5,
  kAny = 6,
  kFPGA = 7,
  kNPU = 8,
  kXPU = 9,
  kBM = 10,
  kMLU = 11,
  kRKNPU = 12,
  kAPU = 13,
  kHuaweiAscendNPU = 14,
  kImaginationNNA = 15,
  kIntelFPGA = 16,
  kMetal = 17,
  kNNAdapter = 18
};

enum class PrecisionType : int {
  kUnk = 0,
  kFloat = 1,
  kInt8 = 2,
  kInt32 = 3,
  kAny = 4,
  kFP16 = 5,
  kBool = 6,
  kInt64 = 7,
  kInt16 = 8,
  kUInt8 = 9,
  kFP64 = 10
};

enum PowerMode {
  LITE_POWER_HIGH = 0,
  LITE_POWER_LOW = 1,
  LITE_POWER_FULL = 2,
  LITE_POWER_NO_BIND = 3,
  LITE_POWER_RAND_HIGH = 4,
  LITE_POWER_RAND_LOW = 5
};

class TensorImpl;

// An input or output of a predictor, which it keeps alive. T is float, double, int8_t, uint8_t,
// int16_t, int32_t, int64_t or bool; another type than the tensor's throws.
class Tensor {
 public:
  explicit Tensor(std::shared_ptr<TensorImpl> impl);
  ~Tensor();

  // Gives an input another shape; its data must be written again.
  void Resize(const shape_t& shape);
  shape_t shape() const;
  PrecisionType precision() const;
  TargetType target() const;
  // Whether an input has been written, or an output computed.
  bool IsInitialized() const;

  // Memory of an input for all elements of its shape; valid until the next Resize.
  template <typename T>
  T* mutable_data(TargetType type = TargetType::kHost) const;
  // Elements, valid until the predictor runs again or the input is resized.
  template <typename T>
  const T* data() const;
  template <typename T, TargetType type = TargetType::kHost>
  void CopyFromCpu(const T* source);
  template <typename T>
  void CopyToCpu(T* target) const;

  lod_t lod() const;
  // Offsets of an input's sequences, e.g. {{0, 3, 5}}.
  void SetLoD(const lod_t& lod);

 private:
  std::shared_ptr<TensorImpl> impl_;
};

class PaddlePredictor {
 public:
  virtual ~PaddlePredictor();
  // Throw where the index or name does not exist.
  virtual std::unique_ptr<Tensor> GetInput(int index) = 0;
  virtual std::unique_ptr<const Tensor> GetOutput(int index) const = 0;
  virtual std::unique_ptr<Tensor> GetInputByName(const std::string& name) = 0;
  virtual std::unique_ptr<const Tensor> GetOutputByName(const std::string& name) const = 0;
  virtual std::vector<std::string> GetInputNames() = 0;
  virtual std::vector<std::string> GetOutputNames() = 0;

  virtual void Run() = 0;
  // From another thread: stops the run that goes on, between two operators; Run() throws. Does
  // nothing where there is none.
  virtual void Cancel() = 0;
  virtual std::shared_ptr<PaddlePredictor> Clone() = 0;
  virtual std::string GetVersion() const = 0;
};

// What a predictor is made from: a `.nb` file or its bytes.
class MobileConfig {
 public:
  void set_model_from_file(const std::string& path);
  // Keeps a copy of the bytes.
  void set_model_from_buffer(const std::string& bytes);
  void set_model_from_buffer(std::string&& bytes);
  void set_model_from_buffer(const char* bytes, size_t length);
  const std::string& lite_model_file() const { return file_; }
  bool is_model_from_memory() const { return from_memory_; }

  // 1 to 256.
  void set_threads(int threads) { threads_ = threads; }
  int threads() const { return threads_; }
  // Kept for applications that set it: the operating system places threads.
  void set_power_mode(PowerMode mode) { mode_ = mode; }
  PowerMode power_mode() const { return mode_; }

  // "fp32", or "bf16": products with constant weights round their operands to bf16. For any other
  // name CreatePaddlePredictor throws.
  void set_precision(const std::string& precision) { precision_ = precision; }
  const std::string& precision() const { return precision_; }

  // -- NNAdapter devices, for models with subgraphs: names in order of preference
  // ("builtin_device" is the CPU), "key=value;" pairs and a callback for them, where compiled
  // subgraphs are kept (a folder, or bytes by token), and complete shapes that inputs will have.
  void set_nnadapter_device_names(const std::vector<std::string>& names);
  const std::vector<std::string>& nnadapter_device_names() const { return device_names_; }
  void set_nnadapter_context_properties(const std::string& properties);
  const std::string& nnadapter_context_properties() const { return context_properties_; }
  void set_nnadapter_context_callback(int (*callback)(int event_id, void* user_data));
  int (*nnadapter_context_callback() const)(int, void*) { return context_callback_; }
  void set_nnadapter_model_cache_dir(const std::string& path);
  const std::string& nnadapter_model_cache_dir() const { return model_cache_dir_; }
  void set_nnadapter_model_cache_buffers(const std::string& token, const std::vector<char>& buffer);
  const std::map<std::string, std::vector<char>>& nnadapter_model_cache_buffers() const {
    return model_cache_buffers_;
  }
  void set_nnadapter_dynamic_shape_info(
      const std::map<std::string, std::vector<std::vector<int64_t>>>& info);
  const std::map<std::string, std::vector<std::vector<int64_t>>>& nnadapter_dynamic_shape_info()
      const {
    return dynamic_shape_info_;
  }

 private:
  friend std::shared_ptr<PaddlePredictor> CreateMobilePredictor(const MobileConfig& config);

  std::string file_, bytes_, precision_ = "fp32";
  bool from_memory_ = false;
  int threads_ = 1;
  PowerMode mode_ = LITE_POWER_NO_BIND;
  std::vector<std::string> device_names_;
  std::string context_properties_, model_cache_dir_;
  int (*context_callback_)(int event_id, void* user_data) = nullptr;
  std::map<std::string, std::vector<char>> model_cache_buffers_;
  std::map<std::string, std::vector<std::vector<int64_t>>> dynamic_shape_info_;
};

std::shared_ptr<PaddlePredictor> CreateMobilePredictor(const MobileConfig& config);

template <typename ConfigT>
std::shared_ptr<PaddlePredictor> CreatePaddlePredictor(const ConfigT& config);

template <>
inline std::shared_ptr<PaddlePredictor> CreatePaddlePredictor(const MobileConfig& config) {
  return CreateMobilePredictor(config);
}

}  // namespace lite_api
}  // namespace paddle
