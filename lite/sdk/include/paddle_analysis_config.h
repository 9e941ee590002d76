// The configuration of Paddle Inference's C++ programs; see paddle_inference_api.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "paddle_pass_builder.h"
#include "paddle_place.h"

namespace paddle {

namespace lite_api {
class CxxModelBuffer;
}  // namespace lite_api
struct NativeConfig;

// NNAdapter devices: names in order of preference, "key=value;" pairs for them, where compiled
// subgraphs are kept, and what stays on the CPU (a file, or its text, which comes first). They
// count where EnableLiteEngine or Enable was called and Disable was not.
class LITE_API LiteNNAdapterConfig {
 public:
  LiteNNAdapterConfig& SetDeviceNames(const std::vector<std::string>& names);
  LiteNNAdapterConfig& SetContextProperties(const std::string& properties);
  LiteNNAdapterConfig& SetModelCacheDir(const std::string& path);
  LiteNNAdapterConfig& SetModelCacheBuffers(const std::string& token,
                                            const std::vector<char>& buffer);
  LiteNNAdapterConfig& SetSubgraphPartitionConfigPath(const std::string& path);
  LiteNNAdapterConfig& SetSubgraphPartitionConfigBuffer(const std::string& text);
  LiteNNAdapterConfig& Enable();
  LiteNNAdapterConfig& Disable();

 private:
  friend class Opener;

  bool enabled_ = false, disabled_ = false;
  std::vector<std::string> device_names_;
  std::string context_properties_, model_cache_dir_;
  std::map<std::string, std::vector<char>> model_cache_buffers_;
  std::string partition_config_path_, partition_config_;
};

// Settings of an XPU; for programs that fill one in.
struct XpuConfig {
  int device_id = 0;
  size_t l3_size = 0;
  void* l3_ptr = nullptr;
  size_t l3_autotune_size = 0;
  int context_gm_size = -1;
  void* context = nullptr;
  void* stream = nullptr;
  int conv_autotune_level = 0;
  std::string conv_autotune_file;
  bool conv_autotune_file_writeback = false;
  int fc_autotune_level = 0;
  std::string fc_autotune_file;
  bool fc_autotune_file_writeback = false;
  int gemm_compute_precision = 1;
  int transformer_softmax_optimize_level = 0;
  bool transformer_encoder_adaptive_seqlen = true;
  float quant_post_static_gelu_out_threshold = 10.f;
  int quant_post_dynamic_activation_method = 0;
  int quant_post_dynamic_weight_precision = 1;
  std::vector<std::string> quant_post_dynamic_op_types;
};

// A model and how it is optimised and run. Settings of hardware and engines that are not here do
// what Paddle's CPU build does: most go on with the CPU, some throw. GLOG_v=1 says once on stderr
// which settings have no effect, and why.
struct LITE_API AnalysisConfig {
  enum class Precision { kFloat32 = 0, kInt8, kHalf, kBf16 };

  using Names = std::unordered_set<std::string>;
  using Shapes = std::map<std::string, std::vector<int>>;

  AnalysisConfig() = default;
  // A folder, or a `.nb` file.
  explicit AnalysisConfig(const std::string& model_dir) : model_dir_(model_dir) {}
  AnalysisConfig(const std::string& prog_file, const std::string& params_file)
      : prog_file_(prog_file), params_file_(params_file) {}

  // -- The model: a folder or a `.nb` file; a program (of any format) and its parameters; or both
  // in memory, of which copies are kept (a `.nb` has no parameters: nullptr, 0).
  void SetModel(const std::string& model_dir) { model_dir_ = model_dir; }
  void SetModel(const std::string& prog_file, const std::string& params_file);
  void SetProgFile(const std::string& path) { prog_file_ = path; }
  void SetParamsFile(const std::string& path) { params_file_ = path; }
  void SetModelBuffer(const char* program, size_t program_bytes, const char* params,
                      size_t params_bytes);
  const std::string& model_dir() const { return model_dir_; }
  const std::string& prog_file() const { return prog_file_; }
  const std::string& params_file() const { return params_file_; }
  bool model_from_memory() const { return buffer_ != nullptr; }
  // A folder that keeps what models are converted to (paddle::lite_api::CxxConfig).
  void SetOptimCacheDir(const std::string& path) { optim_cache_dir_ = path; }

  // -- How it runs.
  // Threads of one run; less than 1 is 1, more than 256 is 256.
  void SetCpuMathLibraryNumThreads(int threads) { threads_ = threads; }
  int cpu_math_library_num_threads() const { return threads_; }
  // Whether the optimizer's passes run. Plans fuse either way.
  void SwitchIrOptim(int x = true) { ir_optim_ = x != 0; }
  bool ir_optim() const { return ir_optim_; }
  // The passes that will run; changes count.
  PaddlePassBuilder* pass_builder() const { return &passes_; }
  void DeletePass(const std::string& name) { passes_.DeletePass(name); }
  void EnableCustomPasses(const std::vector<std::string>& passes, bool custom_pass_only = false);
  // What is set, as a table.
  std::string Summary();
  // The model and the threads, as the configuration before 2.0 has them.
  NativeConfig ToNativeConfig() const;

  // -- NNAdapter devices take what they can, the rest stays on the CPU. Leaves out passes, and
  // operator types that stay on the CPU.
  void EnableLiteEngine(Precision precision_mode = Precision::kFloat32, bool zero_copy = false,
                        const std::vector<std::string>& passes_filter = {},
                        const std::vector<std::string>& ops_filter = {});
  bool lite_engine_enabled() const { return lite_engine_; }
  LiteNNAdapterConfig& NNAdapter() { return nnadapter_; }

  // -- Paddle's CPU engine: changes nothing. What is turned on or off is done always, or not at
  // all.
  void EnableMKLDNN() { EnableONEDNN(); }
  void EnableONEDNN();
  void DisableMKLDNN() { onednn_ = false; }
  void DisableONEDNN() { onednn_ = false; }
  bool mkldnn_enabled() const { return onednn_; }
  bool onednn_enabled() const { return onednn_; }
  void SetMkldnnCacheCapacity(int) {}
  void SetOnednnCacheCapacity(int) {}
  void SetMKLDNNOp(Names) {}
  void SetONEDNNOp(Names) {}
  void EnableMkldnnBfloat16() { EnableOnednnBfloat16(); }
  void EnableOnednnBfloat16();
  void SetBfloat16Op(Names) {}
  void EnableMkldnnInt8(const Names& op_types = {}) { EnableOnednnInt8(op_types); }
  void EnableOnednnInt8(const Names& op_types = {});
  bool mkldnn_int8_enabled() const { return onednn_int8_; }
  bool onednn_int8_enabled() const { return onednn_int8_; }
  bool mkldnn_bfloat16_enabled() const { return false; }
  void EnableMkldnnQuantizer();
  void DisableMkldnnFcPasses() {}
  void DisableOnednnFcPasses() {}
  void DisableFCPadding() {}
  bool use_fc_padding() const { return false; }
  void EnableMemoryOptim(bool x = true) { memory_optim_ = x; }
  bool enable_memory_optim() const { return memory_optim_; }
  void EnableNewIR(bool x = true) { new_ir_ = x; }
  bool new_ir_enabled() const { return new_ir_; }
  void EnableNewExecutor(bool = true) {}
  bool new_executor_enabled() const { return false; }
  void SetOptimizationLevel(int) {}
  void SwitchUseFeedFetchOps(int = true) {}
  bool use_feed_fetch_ops_enabled() const { return false; }
  void SwitchSpecifyInputNames(bool x = true) { input_names_ = x; }
  bool specify_input_name() const { return input_names_; }
  void SwitchIrDebug(int = true, const std::vector<std::string>& = {});
  void EnableSaveOptimModel(bool);
  void UseOptimizedModel(bool = true);
  void EnableProfile();
  bool profile_enabled() const { return profile_; }
  void DisableGlogInfo() { glog_disabled_ = true; }
  bool glog_info_disabled() const { return glog_disabled_; }
  // Nothing is written: every input may have any shape.
  void CollectShapeRangeInfo(const std::string& path);
  bool shape_range_info_collected() const { return collect_shapes_; }
  const std::string& shape_range_info_path() const { return shape_range_path_; }
  bool is_valid() const { return true; }
  void PartiallyRelease() {}

  // -- Hardware and engines that are not here.
  // Goes on with the CPU, and says so; use_gpu() stays false.
  void EnableUseGpu(uint64_t memory_mb, int device_id = 0,
                    Precision precision_mode = Precision::kFloat32);
  void DisableGpu() {}
  bool use_gpu() const { return false; }
  int gpu_device_id() const { return 0; }
  int memory_pool_init_size_mb() const { return 100; }
  float fraction_of_gpu_memory_for_pool() const { return 0.f; }
  // Throws for true: it needs a GPU, in Paddle as well.
  void EnableLowPrecisionIO(bool x = true);
  void EnableGpuMultiStream();
  bool thread_local_stream_enabled() const { return false; }
  void SetExecStream(void* stream);
  void* GetExecStream() const { return nullptr; }
  bool external_stream_enabled() const { return false; }
  void EnableCUDNN() {}
  bool cudnn_enabled() const { return false; }
  void Exp_EnableUseCutlass();
  void Exp_SparseConvUsingBuffer(const std::vector<std::vector<int>>& kernels,
                                 const std::vector<std::vector<int>>& strides);
  void Exp_EnableMixedPrecisionOps(const Names& op_types);
  void Exp_DisableMixedPrecisionOps(const Names& op_types);
  // Throw.
  void EnableXpu(int l3_size = 0xfffc00, bool l3_locked = false, bool conv_autotune = true,
                 const std::string& conv_autotune_file = "",
                 const std::string& transformer_encoder_precision = "int16",
                 bool transformer_encoder_adaptive_seqlen = false,
                 bool enable_multi_stream = false);
  void SetXpuDeviceId(int device_id = 0);
  void SetXpuConfig(const XpuConfig& config);
  bool use_xpu() const { return false; }
  int xpu_device_id() const { return 0; }
  XpuConfig xpu_config() { return XpuConfig(); }
  void EnableIpu(int ipu_device_num = 1, int ipu_micro_batch_size = 1,
                 bool ipu_enable_pipelining = false, int ipu_batches_per_step = 1);
  void LoadIpuConfig(const std::string& config_path);
  bool use_ipu() const { return false; }
  void SetIpuConfig(bool ipu_enable_fp16 = false, int ipu_replica_num = 1,
                    float ipu_available_memory_proportion = 1.0,
                    bool ipu_enable_half_partial = false,
                    bool ipu_enable_model_runtime_executor = false);
  void SetIpuCustomInfo(const std::vector<std::vector<std::string>>& custom_ops = {},
                        const std::map<std::string, bool>& custom_patterns = {});
  // Kept; CreatePredictor then throws.
  void EnableCustomDevice(const std::string& device_type, int device_id = 0,
                          Precision precision_mode = Precision::kFloat32);
  bool use_custom_device() const { return !custom_device_.empty(); }
  const std::string& custom_device_type() const { return custom_device_; }
  void EnableDlnne(int min_subgraph_size = 3, int max_batch_size = 1, bool use_static_batch = false,
                   std::string weight_share_mode = "0", Names disable_nodes_by_outputs = {},
                   std::map<std::string, std::vector<int64_t>> input_shapes = {},
                   bool use_calib_mode = false, Precision precision_mode = Precision::kFloat32);
  bool dlnne_enabled() const { return false; }
  void EnableOpenCL();
  bool use_opencl() const { return opencl_; }
  void EnableONNXRuntime();
  void DisableONNXRuntime() {}
  void EnableORTOptimization();
  bool use_onnxruntime() const { return false; }
  bool ort_optimization_enabled() const { return false; }
  void EnableOpenVINOEngine(Precision inference_precision);
  bool openvino_engine_enabled() const { return openvino_; }
  // Throw: there is no CINN.
  void EnableCINN();
  void Exp_EnableCINNCompiler();
  bool cinn_enabled() const { return false; }
  bool cinn_compiler_enabled() const { return false; }

  // -- TensorRT. The first two throw, the others change nothing.
  void EnableTensorRtEngine(int64_t workspace_size = 1 << 30, int max_batch_size = 1,
                            int min_subgraph_size = 3, Precision precision = Precision::kFloat32,
                            bool use_static = false, bool use_calib_mode = true,
                            bool use_cuda_graph = false);
  void EnableTensorRTMemoryOptim(bool engine_memory_sharing = true, int sharing_identifier = 0);
  bool tensorrt_engine_enabled() const { return false; }
  Precision tensorrt_precision_mode() const { return Precision::kFloat32; }
  void SetTRTDynamicShapeInfo(Shapes min_input_shape, Shapes max_input_shape,
                              Shapes optim_input_shape, bool disable_trt_plugin_fp16 = false);
  bool tensorrt_dynamic_shape_enabled() const { return trt_shapes_; }
  void EnableTunedTensorRtDynamicShape(const std::string& shape_range_info_path = "",
                                       bool allow_build_at_runtime = true);
  bool tuned_tensorrt_dynamic_shape() const { return tuned_shapes_; }
  bool trt_allow_build_at_runtime() const { return build_at_runtime_; }
  void EnableTensorRtDLA(int dla_core = 0);
  bool tensorrt_dla_enabled() { return trt_dla_; }
  void EnableTensorRtExplicitQuantization();
  bool tensorrt_explicit_quantization_enabled() { return trt_explicit_quantization_; }
  void EnableTensorRtInspector(bool inspector_serialize = false);
  bool tensorrt_inspector_enabled() { return trt_inspector_; }
  void EnableVarseqlen();
  bool tensorrt_varseqlen_enabled() { return trt_varseqlen_; }
  // Throws outside of 0 to 5.
  void SetTensorRtOptimizationLevel(int level);
  int tensorrt_optimization_level() { return trt_level_; }
  bool trt_engine_memory_sharing() const { return false; }
  void MarkTrtEngineOutputs(const std::vector<std::string>& output_tensor_names = {});
  void Exp_DisableTensorRtOPs(const std::vector<std::string>& ops);
  void Exp_DisableTensorRTDynamicShapeOPs(bool disable);
  void Exp_DisableTensorRtSubgraph(const std::vector<std::string>& outputs);
  void Exp_SpecifyTensorRTSubgraphPrecision(const std::vector<std::string>& fp32,
                                            const std::vector<std::string>& fp16,
                                            const std::vector<std::string>& bf16);

 private:
  friend class Opener;

  std::string model_dir_, prog_file_, params_file_, optim_cache_dir_;
  std::shared_ptr<lite_api::CxxModelBuffer> buffer_;
  int threads_ = 1;
  mutable PaddlePassBuilder passes_;
  std::vector<std::string> left_out_, on_cpu_;
  LiteNNAdapterConfig nnadapter_;
  bool ir_optim_ = true, lite_engine_ = false, onednn_ = true, onednn_int8_ = false;
  bool memory_optim_ = false, new_ir_ = false, input_names_ = false, profile_ = false;
  bool glog_disabled_ = false, collect_shapes_ = false, opencl_ = false, openvino_ = false;
  std::string shape_range_path_, custom_device_;
  bool trt_shapes_ = false, tuned_shapes_ = false, build_at_runtime_ = false, trt_dla_ = false;
  bool trt_explicit_quantization_ = false, trt_inspector_ = false, trt_varseqlen_ = false;
  int trt_level_ = 3;
};

}  // namespace paddle
