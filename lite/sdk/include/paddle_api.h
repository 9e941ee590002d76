// The C++ API of Paddle Lite's applications.
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
// libpaddle_light_api_shared.so has all of it but CxxConfig, which needs
// libpaddle_full_api_shared.so.
//
// Needs C++11; includes what applications use without including it. Every mistake (a damaged file,
// a wrong index, shape or type) throws a std::exception whose what() says what was wrong and what
// was expected; a predictor that threw stays usable. Calls on one predictor take turns; Clone()
// gives another that shares the weights, for runs side by side.
#pragma once

#include <sys/time.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "paddle_place.h"

namespace paddle {
namespace lite_api {

using shape_t = std::vector<int64_t>;
using lod_t = std::vector<std::vector<uint64_t>>;

enum class LiteModelType { kProtobuf = 0, kNaiveBuffer = 1, UNK = 2 };
enum class L3CacheSetMethod { kDeviceL3Cache = 0, kDeviceL2Cache = 1, kAbsolute = 2 };

// Always false and -1: there is no OpenCL.
LITE_API bool IsOpenCLBackendValid(bool check_fp16_valid = false);
LITE_API int GetOpenCLDeviceType();

class TensorImpl;

// An input or output of a predictor, which it keeps alive. T is float, double, int8_t, uint8_t,
// int16_t, uint16_t (bits of a 16-bit float), int32_t, int64_t or bool, and of data and
// mutable_data also void, any type. Reading as another type gives the bytes that are there, and
// says so once on stderr; a wider type than the tensor's throws, and so does writing one that the
// model does not take.
//
// The elements belong to the predictor: pointers outlive the handle. An output's are valid until
// the next Run or TryShrinkMemory, an input's until its next Resize.
struct LITE_API Tensor {
  explicit Tensor(std::shared_ptr<TensorImpl> impl);
  ~Tensor();

  // Gives an input another shape than the declared one; its data must be written again.
  void Resize(const shape_t& shape);
  shape_t shape() const;
  PrecisionType precision() const;
  // The element type that an input will have; its data must be written again.
  void SetPrecision(PrecisionType precision);
  TargetType target() const;
  // Whether an input has been written, or an output computed.
  bool IsInitialized() const;

  // Memory for all elements: an input's, which counts as written and has type T from now on, or
  // an output's with what Run left there.
  template <typename T>
  T* mutable_data(TargetType type = TargetType::kHost) const;
  template <typename T>
  const T* data() const;
  template <typename T, TargetType type = TargetType::kHost>
  void CopyFromCpu(const T* source);
  template <typename T>
  void CopyToCpu(T* target) const;
  // Each Run reads an input's elements, all of its shape, from the caller's memory, until the next
  // Resize, SetPrecision or mutable_data. Throws where `bytes` are too few.
  void ShareExternalMemory(void* data, size_t bytes, TargetType target);
  // Throws: there is no Metal.
  void* mutable_metal_data(void* ptr) const;

  lod_t lod() const;
  // Offsets of an input's sequences, e.g. {{0, 3, 5}}.
  void SetLoD(const lod_t& lod);

 private:
  std::shared_ptr<TensorImpl> impl_;
};

class LITE_API PaddlePredictor {
 public:
  virtual ~PaddlePredictor();
  // Throw where the index or name does not exist.
  virtual std::unique_ptr<Tensor> GetInput(int index) = 0;
  virtual std::unique_ptr<const Tensor> GetOutput(int index) const = 0;
  virtual std::unique_ptr<Tensor> GetInputByName(const std::string& name) = 0;
  virtual std::unique_ptr<const Tensor> GetOutputByName(const std::string& name) const = 0;
  // The output, or else the input, of that name; null where there is none. What lies between has
  // no memory of its own, unless ConfigBase::keep_tensors named it.
  virtual std::unique_ptr<const Tensor> GetTensor(const std::string& name) const = 0;
  virtual std::unique_ptr<Tensor> GetMutableTensor(const std::string& name) = 0;
  virtual std::vector<std::string> GetInputNames() = 0;
  virtual std::vector<std::string> GetOutputNames() = 0;
  // The weights, in alphabetical order.
  virtual std::vector<std::string> GetParamNames() = 0;

  virtual void Run() = 0;
  // From another thread: stops the run that goes on, between two operators; Run() throws. Does
  // nothing where there is none.
  virtual void Cancel() = 0;
  virtual std::shared_ptr<PaddlePredictor> Clone() = 0;
  // The same: weights cannot be written, so that nobody can tell shared ones from copies. Throws
  // for names that are no weights.
  virtual std::shared_ptr<PaddlePredictor> Clone(const std::vector<std::string>& var_names) = 0;
  // Frees the memory of intermediate results until the next Run, which plans again. Outputs stay,
  // elsewhere. True where that worked.
  virtual bool TryShrinkMemory() = 0;
  virtual std::string GetVersion() const = 0;
  // Writes the optimised model: the file `path`.nb, or a folder with `model` and `params`;
  // `record_info` also lists the used operators and kernels in the folder `path`. For
  // predictors that were made from a CxxConfig; others throw.
  virtual void SaveOptimizedModel(const std::string& path,
                                  LiteModelType type = LiteModelType::kProtobuf,
                                  bool record_info = false) = 0;
  // What runs on which device and why, as JSON (docs/cpp.md); not in Paddle Lite.
  virtual std::string PlacementJson() const = 0;
};

// What both configurations have: model folder, threads, devices that are not the CPU. Settings for
// hardware that is not supported here are accepted; GLOG_v=1 says so once on stderr.
class LITE_API ConfigBase {
 public:
  explicit ConfigBase(PowerMode mode = LITE_POWER_NO_BIND, int threads = 1);

  void set_model_dir(const std::string& path) { model_dir_ = path; }
  const std::string& model_dir() const { return model_dir_; }
  // 1 to 256; a run takes the larger number of the two.
  void set_threads(int threads) { threads_ = threads; }
  int threads() const { return threads_; }
  void set_x86_math_num_threads(int threads) { x86_math_num_threads_ = threads; }
  int x86_math_num_threads() const { return x86_math_num_threads_; }
  // "fp32", or "bf16" or "fp16": products with constant weights round their operands to that; or
  // "exact": fp32 by the kernels that round least. For any other name CreatePaddlePredictor throws.
  void set_precision(const std::string& precision) { precision_ = precision; }
  const std::string& precision() const { return precision_; }
  // Intermediate tensors that are outputs, too, after the model's own, so that GetTensor gives
  // them; of a `.nb` file those that its optimizer left. Not in Paddle Lite, which keeps all.
  void keep_tensors(const std::vector<std::string>& names) { kept_tensors_ = names; }
  const std::vector<std::string>& kept_tensors() const { return kept_tensors_; }
  void set_power_mode(PowerMode mode);
  PowerMode power_mode() const { return mode_; }

  // -- NNAdapter devices, for models with subgraphs: names in order of preference
  // ("builtin_device" is the CPU), "key=value;" pairs and a callback for them, where compiled
  // subgraphs are kept (a folder, or bytes by token), and complete shapes that inputs will have.
  // Whether a device of that name can be had.
  bool check_nnadapter_device_name(const std::string& name);
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
  // By input name: axes along which zeros at the end do no harm. An input is padded to the smallest
  // of its shapes in dynamic_shape_info that holds it, and the outputs are cut. Not in Paddle Lite.
  void set_nnadapter_padded_axes(const std::map<std::string, std::vector<int>>& axes);
  const std::map<std::string, std::vector<int>>& nnadapter_padded_axes() const {
    return padded_axes_;
  }

  // -- Passes of the default list that CxxConfig leaves out.
  void add_discarded_pass(const std::string& pass) { discarded_passes_.push_back(pass); }
  const std::vector<std::string>& get_discarded_passes() const { return discarded_passes_; }

  // -- Accepted without effect.
  void set_opencl_binary_path_name(const std::string& path, const std::string& name);
  void set_opencl_tune(CLTuneMode tune_mode = CL_TUNE_NONE, const std::string& path = "",
                       const std::string& name = "", size_t lws_repeats = 4);
  void set_opencl_precision(CLPrecisionType precision = CL_PRECISION_AUTO);
  void set_subgraph_model_cache_dir(const std::string& path);
  const std::string& subgraph_model_cache_dir() const { return subgraph_model_cache_dir_; }
  void set_subgraph_model_cache_buffers(const std::string& key, const std::vector<char>& cfg,
                                        const std::vector<char>& bin);
  const std::map<std::string, std::pair<std::vector<char>, std::vector<char>>>&
  subgraph_model_cache_buffers() const {
    return subgraph_model_cache_buffers_;
  }
  void set_device_id(int device_id);
  int get_device_id() const { return device_id_; }
  void set_metal_lib_path(const std::string& path);
  std::string metal_lib_path() const { return metal_lib_path_; }
  void set_metal_use_mps(bool flag);
  bool metal_use_mps() const { return metal_use_mps_; }
  void set_metal_use_aggressive(bool flag);
  bool metal_use_aggressive() const { return metal_use_aggressive_; }
  void set_metal_device(void* device);
  void* metal_device() const { return metal_device_; }
  void set_metal_use_memory_reuse(bool flag);
  bool metal_use_memory_reuse() const { return metal_use_memory_reuse_; }

 private:
  std::string model_dir_;
  int threads_;
  int x86_math_num_threads_ = 1;
  std::string precision_ = "fp32";
  std::vector<std::string> kept_tensors_;
  PowerMode mode_;
  std::vector<std::string> device_names_;
  std::string context_properties_, model_cache_dir_;
  int (*context_callback_)(int event_id, void* user_data) = nullptr;
  std::map<std::string, std::vector<char>> model_cache_buffers_;
  std::map<std::string, std::vector<std::vector<int64_t>>> dynamic_shape_info_;
  std::map<std::string, std::vector<int>> padded_axes_;
  std::vector<std::string> discarded_passes_;
  std::string subgraph_model_cache_dir_;
  std::map<std::string, std::pair<std::vector<char>, std::vector<char>>>
      subgraph_model_cache_buffers_;
  int device_id_ = 0;
  std::string metal_lib_path_;
  bool metal_use_mps_ = false, metal_use_aggressive_ = false, metal_use_memory_reuse_ = false;
  void* metal_device_ = nullptr;
};

// A model and its parameters in memory.
class LITE_API CxxModelBuffer {
 public:
  CxxModelBuffer(const char* program, size_t program_bytes, const char* params,
                 size_t params_bytes);
  CxxModelBuffer(std::string&& program, std::string&& params);
  CxxModelBuffer() = default;
  CxxModelBuffer(const CxxModelBuffer&) = delete;
  const std::string& get_program() const { return program_; }
  const std::string& get_params() const { return params_; }
  bool is_empty() const { return program_.empty(); }

 private:
  std::string program_, params_;
};

// A Paddle model of any format and how to optimise and run it. The predictor is made by the
// installed converter, paddle_lite_opt, as a child process (docs/cpp.md).
class LITE_API CxxConfig : public ConfigBase {
 public:
  using ConfigBase::ConfigBase;

  // In order of preference; without any, this machine's CPU. Targets that are not available are
  // passed over where a CPU or NNAdapter stands beside them.
  void set_valid_places(const std::vector<Place>& places) { valid_places_ = places; }
  const std::vector<Place>& valid_places() const { return valid_places_; }
  void set_model_file(const std::string& path) { model_file_ = path; }
  std::string model_file() const { return model_file_; }
  void set_param_file(const std::string& path) { param_file_ = path; }
  std::string param_file() const { return param_file_; }
  // Keeps a copy of the bytes.
  void set_model_buffer(const char* program, size_t program_bytes, const char* params,
                        size_t params_bytes);
  void set_model_buffer(const std::shared_ptr<CxxModelBuffer>& buffer) { model_buffer_ = buffer; }
  // Throws where none was set.
  const CxxModelBuffer& get_model_buffer() const;
  bool is_model_from_memory() const { return model_buffer_ != nullptr; }
  bool model_from_memory() const { return is_model_from_memory(); }

  // Just these passes, in this order; an empty list restores the default.
  void set_passes_internal(const std::vector<std::string>& passes = {}) { passes_ = passes; }
  const std::vector<std::string>& get_passes_internal() const { return passes_; }

  // Beyond Paddle Lite: what the converter makes of the model is kept in this folder, as a `.nb`
  // file, and the next predictor of the same model and settings needs no converter. Not for models
  // of ONNX, and not with devices.
  void set_optim_cache_dir(const std::string& path) { optim_cache_dir_ = path; }
  const std::string& optim_cache_dir() const { return optim_cache_dir_; }

  // -- How SaveOptimizedModel stores weights.
  void set_quant_model(bool quant_model) { quant_model_ = quant_model; }
  bool quant_model() const { return quant_model_; }
  void set_quant_type(QuantType type) { quant_type_ = type; }
  QuantType quant_type() const { return quant_type_; }
  void set_sparse_model(bool sparse_model) { sparse_model_ = sparse_model; }
  bool sparse_model() const { return sparse_model_; }
  void set_sparse_threshold(float threshold) { sparse_threshold_ = threshold; }
  float sparse_threshold() const { return sparse_threshold_; }

  // -- What stays on the CPU, and which quantised operators compute in floating point: a file, or
  // its text, which comes first.
  void set_nnadapter_subgraph_partition_config_path(const std::string& path) {
    partition_config_path_ = path;
  }
  const std::string& nnadapter_subgraph_partition_config_path() const {
    return partition_config_path_;
  }
  void set_nnadapter_subgraph_partition_config_buffer(const std::string& text) {
    partition_config_ = text;
  }
  const std::string& nnadapter_subgraph_partition_config_buffer() const {
    return partition_config_;
  }
  void set_nnadapter_mixed_precision_quantization_config_path(const std::string& path) {
    mixed_precision_config_path_ = path;
  }
  const std::string& nnadapter_mixed_precision_quantization_config_path() const {
    return mixed_precision_config_path_;
  }
  void set_nnadapter_mixed_precision_quantization_config_buffer(const std::string& text) {
    mixed_precision_config_ = text;
  }
  const std::string& nnadapter_mixed_precision_quantization_config_buffer() const {
    return mixed_precision_config_;
  }

  // -- Accepted without effect.
  template <class T>
  void set_preferred_inputs_for_warmup(int group, int index, const shape_t& shape,
                                       const lod_t& lod = {}, T fill = 0,
                                       const void* data = nullptr) {
    (void)group, (void)index, (void)shape, (void)lod, (void)fill, (void)data;
    IgnoreWarmup();
  }
  void set_xpu_workspace_l3_size_per_thread(int l3_size = 0x4000000);
  void set_xpu_l3_cache_method(size_t l3_size, bool locked = false);
  void set_xpu_l3_cache_autotune(bool autotune = true);
  void set_xpu_gm_workspace_method(size_t gm_size);
  void set_xpu_conv_autotune(bool autotune = true, const std::string& autotune_file = "");
  void set_xpu_dev_per_thread(int dev_no = 0);
  void enable_xpu_multi_stream();
  void set_xpu_multi_encoder_precision(const std::string& precision = "int16");
  void set_xpu_multi_encoder_method(const std::string& precision = "int16",
                                    bool adaptive_seqlen = false);
  void set_xpu_cluster_num(int num);
  void set_xpu_sdnn_num(int num);
  void set_xpu_local_quant(bool local_quant = false);
  void set_xpu_compute_precision(const std::string& precision = "int16");

 private:
  void IgnoreWarmup();

  std::vector<Place> valid_places_;
  std::string model_file_, param_file_, optim_cache_dir_;
  std::shared_ptr<CxxModelBuffer> model_buffer_;
  std::vector<std::string> passes_;
  bool quant_model_ = false, sparse_model_ = false;
  QuantType quant_type_ = QuantType::QUANT_INT16;
  float sparse_threshold_ = 0.6f;
  std::string partition_config_path_, partition_config_;
  std::string mixed_precision_config_path_, mixed_precision_config_;
};

// A `.nb` file or its bytes, and how to run it.
class LITE_API MobileConfig : public ConfigBase {
 public:
  using ConfigBase::ConfigBase;

  void set_model_from_file(const std::string& path);
  // Keeps a copy of the bytes, which the predictor shares.
  void set_model_from_buffer(const std::string& bytes);
  void set_model_from_buffer(std::string&& bytes);
  void set_model_from_buffer(const char* bytes, size_t length);
  const std::string& lite_model_file() const { return file_; }
  const char* lite_model_buffer_ptr() const { return bytes_ ? bytes_->data() : nullptr; }
  size_t lite_model_buffer_size() const { return bytes_ ? bytes_->size() : 0; }
  bool is_model_from_memory() const { return bytes_ != nullptr; }
  bool model_from_memory() const { return is_model_from_memory(); }
  // The old two-part form: accepted when the first part is a whole `.nb`.
  void set_model_buffer(const char* model, size_t model_bytes, const char* params,
                        size_t params_bytes);

  // -- Accepted without effect.
  void set_precision_mode(PrecisionMode mode);
  PrecisionMode precision_mode() const { return precision_mode_; }
  void SetArmL3CacheSize(L3CacheSetMethod method = L3CacheSetMethod::kDeviceL3Cache,
                         int absolute_val = -1);
  // Always false: models of half precision compute in float32.
  bool check_fp16_valid();

 private:
  friend LITE_API std::shared_ptr<PaddlePredictor> CreateMobilePredictor(
      const MobileConfig& config);

  std::string file_;
  std::shared_ptr<const std::string> bytes_;
  PrecisionMode precision_mode_ = LITE_PRECISION_NORMAL;
};

LITE_API std::shared_ptr<PaddlePredictor> CreateMobilePredictor(const MobileConfig& config);
LITE_API std::shared_ptr<PaddlePredictor> CreateCxxPredictor(const CxxConfig& config);

template <typename ConfigT>
std::shared_ptr<PaddlePredictor> CreatePaddlePredictor(const ConfigT& config);

template <>
inline std::shared_ptr<PaddlePredictor> CreatePaddlePredictor(const MobileConfig& config) {
  return CreateMobilePredictor(config);
}

template <>
inline std::shared_ptr<PaddlePredictor> CreatePaddlePredictor(const CxxConfig& config) {
  return CreateCxxPredictor(config);
}

}  // namespace lite_api
}  // namespace paddle
