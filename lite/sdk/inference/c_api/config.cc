#include "lite/sdk/inference/c_api/arrays.h"
#include "lite/sdk/inference/c_api/call.h"

using paddle_infer::Config;
using paddle_infer::PrecisionType;
using paddle_infer::c_api::Call;
using paddle_infer::c_api::Change;
using paddle_infer::c_api::Element;
using paddle_infer::c_api::Given;

namespace {

// A setting that fails leaves a configuration of which no predictor is made.
template <typename Body>
void Set(const char* function, PD_Config* config, const Body& body) {
  Call(function, [&] {
    PD_Config& given = Given(config, "the configuration");
    Change(function, &given.failure, [&] { body(given.config); });
  });
}

template <typename Body>
auto Get(const char* function, PD_Config* config, const Body& body) {
  return Call(function, [&] { return body(Given(config, "the configuration").config); });
}

std::vector<std::string> Texts(size_t count, const char** texts) {
  std::vector<std::string> all;
  for (size_t i = 0; i < count; ++i)
    all.emplace_back(&Given(Element(texts, i, "the list"), "a text of the list"));
  return all;
}

Config::Names NamesOf(size_t count, const char** texts) {
  const auto all = Texts(count, texts);
  return {all.begin(), all.end()};
}

PrecisionType PrecisionOf(PD_PrecisionType precision) {
  if (precision < PD_PRECISION_FLOAT32 || precision > PD_PRECISION_HALF)
    throw std::invalid_argument("there is no precision " + std::to_string(precision));
  return static_cast<PrecisionType>(precision);
}

// For each tensor as many sizes as `counts` says.
Config::Shapes ShapesOf(size_t count, const char** names, const size_t* counts,
                        int32_t* const* shapes) {
  const auto all = Texts(count, names);
  Config::Shapes found;
  for (size_t i = 0; i < count; ++i) {
    const size_t rank = Element(counts, i, "the list of ranks");
    const int32_t* const shape = Element(shapes, i, "the list of shapes");
    if (rank != 0) (void)Given(shape, "a shape");
    found[all[i]] = {shape, shape + rank};
  }
  return found;
}

}  // namespace

PD_Config* PD_ConfigCreate() {
  return Call(__func__, [] { return new PD_Config(); });
}
void PD_ConfigDestroy(PD_Config* config) { delete config; }

// A setting: PD_Config<function>(config, parameters), of which `call` makes one of the C++ API.
#define SETTER(function, parameters, call)             \
  void PD_Config##function parameters {                \
    Set(__func__, config, [&](Config& c) { c.call; }); \
  }
#define GETTER(type, function, call)                                        \
  type PD_Config##function(PD_Config* config) {                             \
    return Get(__func__, config, [](Config& c) -> type { return c.call; }); \
  }
#define TEXT(text) &Given(text, #text)

SETTER(SetModelDir, (PD_Config * config, const char* model_dir), SetModel(TEXT(model_dir)))
SETTER(SetModel, (PD_Config * config, const char* prog_file_path, const char* params_file_path),
       SetModel(TEXT(prog_file_path), params_file_path == nullptr ? "" : params_file_path))
SETTER(SetProgFile, (PD_Config * config, const char* path), SetProgFile(TEXT(path)))
SETTER(SetParamsFile, (PD_Config * config, const char* path), SetParamsFile(TEXT(path)))
SETTER(SetModelBuffer,
       (PD_Config * config, const char* prog_buffer, size_t prog_buffer_size,
        const char* params_buffer, size_t params_buffer_size),
       SetModelBuffer(prog_buffer, prog_buffer_size, params_buffer, params_buffer_size))
GETTER(const char*, GetModelDir, model_dir().c_str())
GETTER(const char*, GetProgFile, prog_file().c_str())
GETTER(const char*, GetParamsFile, params_file().c_str())
GETTER(PD_Bool, ModelFromMemory, model_from_memory())

SETTER(SetCpuMathLibraryNumThreads, (PD_Config * config, int32_t threads),
       SetCpuMathLibraryNumThreads(threads))
GETTER(int32_t, GetCpuMathLibraryNumThreads, cpu_math_library_num_threads())
SETTER(SwitchIrOptim, (PD_Config * config, PD_Bool x), SwitchIrOptim(x))
GETTER(PD_Bool, IrOptim, ir_optim())
SETTER(SwitchIrDebug, (PD_Config * config, PD_Bool x), SwitchIrDebug(x))
SETTER(EnableMemoryOptim, (PD_Config * config, PD_Bool x), EnableMemoryOptim(x != FALSE))
GETTER(PD_Bool, MemoryOptimEnabled, enable_memory_optim())
SETTER(EnableProfile, (PD_Config * config), EnableProfile())
GETTER(PD_Bool, ProfileEnabled, profile_enabled())
SETTER(DisableGlogInfo, (PD_Config * config), DisableGlogInfo())
GETTER(PD_Bool, GlogInfoDisabled, glog_info_disabled())
SETTER(SetOptimCacheDir, (PD_Config * config, const char* path), SetOptimCacheDir(TEXT(path)))
SETTER(PartiallyRelease, (PD_Config * config), PartiallyRelease())

void PD_ConfigSetInvalid(PD_Config* config) {
  Call(__func__,
       [&] { Given(config, "the configuration").failure.Set("PD_ConfigSetInvalid was called"); });
}
PD_Bool PD_ConfigIsValid(PD_Config* config) {
  return Call(__func__, [&]() -> PD_Bool {
    return Given(config, "the configuration").failure.Get().empty();
  });
}
PD_Cstr* PD_ConfigSummary(PD_Config* config) {
  return Get(__func__, config, [](Config& c) { return paddle_infer::c_api::TextOf(c.Summary()); });
}

SETTER(DeletePass, (PD_Config * config, const char* pass), DeletePass(TEXT(pass)))
SETTER(InsertPass, (PD_Config * config, size_t idx, const char* pass),
       pass_builder()->InsertPass(idx, TEXT(pass)))
SETTER(AppendPass, (PD_Config * config, const char* pass), pass_builder()->AppendPass(TEXT(pass)))
PD_OneDimArrayCstr* PD_ConfigAllPasses(PD_Config* config) {
  return Get(__func__, config,
             [](Config& c) { return paddle_infer::c_api::TextsOf(c.pass_builder()->AllPasses()); });
}

SETTER(EnableLiteEngine,
       (PD_Config * config, PD_PrecisionType precision, PD_Bool zero_copy, size_t passes_filter_num,
        const char** passes_filter, size_t ops_filter_num, const char** ops_filter),
       EnableLiteEngine(PrecisionOf(precision), zero_copy != FALSE,
                        Texts(passes_filter_num, passes_filter), Texts(ops_filter_num, ops_filter)))
GETTER(PD_Bool, LiteEngineEnabled, lite_engine_enabled())

SETTER(EnableMKLDNN, (PD_Config * config), EnableONEDNN())
SETTER(DisableMKLDNN, (PD_Config * config), DisableONEDNN())
GETTER(PD_Bool, MkldnnEnabled, onednn_enabled())
SETTER(SetMkldnnCacheCapacity, (PD_Config * config, int32_t capacity),
       SetOnednnCacheCapacity(capacity))
SETTER(SetMkldnnOp, (PD_Config * config, size_t ops_num, const char** ops),
       SetONEDNNOp(NamesOf(ops_num, ops)))
SETTER(EnableMkldnnQuantizer, (PD_Config * config), EnableMkldnnQuantizer())
PD_Bool PD_ConfigMkldnnQuantizerEnabled(PD_Config* config) {
  return Get(__func__, config, [](Config&) -> PD_Bool { return FALSE; });
}
SETTER(EnableMkldnnBfloat16, (PD_Config * config), EnableOnednnBfloat16())
GETTER(PD_Bool, MkldnnBfloat16Enabled, mkldnn_bfloat16_enabled())
SETTER(SetBfloat16Op, (PD_Config * config, size_t ops_num, const char** ops),
       SetBfloat16Op(NamesOf(ops_num, ops)))
SETTER(EnableMkldnnInt8, (PD_Config * config), EnableOnednnInt8())
GETTER(PD_Bool, MkldnnInt8Enabled, onednn_int8_enabled())

SETTER(EnableUseGpu,
       (PD_Config * config, uint64_t memory_pool_init_size_mb, int32_t device_id,
        PD_PrecisionType precision_mode),
       EnableUseGpu(memory_pool_init_size_mb, device_id, PrecisionOf(precision_mode)))
SETTER(DisableGpu, (PD_Config * config), DisableGpu())
GETTER(PD_Bool, UseGpu, use_gpu())
GETTER(int32_t, GpuDeviceId, gpu_device_id())
GETTER(int32_t, MemoryPoolInitSizeMb, memory_pool_init_size_mb())
GETTER(float, FractionOfGpuMemoryForPool, fraction_of_gpu_memory_for_pool())
SETTER(EnableCudnn, (PD_Config * config), EnableCUDNN())
GETTER(PD_Bool, CudnnEnabled, cudnn_enabled())
SETTER(EnableGpuMultiStream, (PD_Config * config), EnableGpuMultiStream())
GETTER(PD_Bool, ThreadLocalStreamEnabled, thread_local_stream_enabled())
SETTER(EnableONNXRuntime, (PD_Config * config), EnableONNXRuntime())
SETTER(DisableONNXRuntime, (PD_Config * config), DisableONNXRuntime())
GETTER(PD_Bool, ONNXRuntimeEnabled, use_onnxruntime())
SETTER(EnableORTOptimization, (PD_Config * config), EnableORTOptimization())
SETTER(EnableXpu,
       (PD_Config * config, int32_t l3_workspace_size, PD_Bool locked, PD_Bool autotune,
        const char* autotune_file, const char* precision, PD_Bool adaptive_seqlen,
        PD_Bool enable_multi_stream),
       EnableXpu(l3_workspace_size, locked != FALSE, autotune != FALSE, TEXT(autotune_file),
                 TEXT(precision), adaptive_seqlen != FALSE, enable_multi_stream != FALSE))
GETTER(PD_Bool, UseXpu, use_xpu())
GETTER(int32_t, XpuDeviceId, xpu_device_id())
SETTER(EnableCustomDevice, (PD_Config * config, char* device_type, int32_t device_id),
       EnableCustomDevice(TEXT(device_type), device_id))
GETTER(PD_Bool, UseCustomDevice, use_custom_device())
GETTER(int32_t, CustomDeviceId, gpu_device_id())
GETTER(const char*, CustomDeviceType, custom_device_type().c_str())

SETTER(EnableTensorRtEngine,
       (PD_Config * config, int64_t workspace_size, int32_t max_batch_size,
        int32_t min_subgraph_size, PD_PrecisionType precision, PD_Bool use_static,
        PD_Bool use_calib_mode),
       EnableTensorRtEngine(workspace_size, max_batch_size, min_subgraph_size,
                            PrecisionOf(precision), use_static != FALSE, use_calib_mode != FALSE))
GETTER(PD_Bool, TensorRtEngineEnabled, tensorrt_engine_enabled())
SETTER(SetTrtDynamicShapeInfo,
       (PD_Config * config, size_t tensor_num, const char** tensor_name, size_t* shapes_num,
        int32_t** min_shape, int32_t** max_shape, int32_t** optim_shape,
        PD_Bool disable_trt_plugin_fp16),
       SetTRTDynamicShapeInfo(ShapesOf(tensor_num, tensor_name, shapes_num, min_shape),
                              ShapesOf(tensor_num, tensor_name, shapes_num, max_shape),
                              ShapesOf(tensor_num, tensor_name, shapes_num, optim_shape),
                              disable_trt_plugin_fp16 != FALSE))
GETTER(PD_Bool, TensorRtDynamicShapeEnabled, tensorrt_dynamic_shape_enabled())
SETTER(EnableTunedTensorRtDynamicShape,
       (PD_Config * config, const char* shape_range_info_path, PD_Bool allow_build_at_runtime),
       EnableTunedTensorRtDynamicShape(TEXT(shape_range_info_path),
                                       allow_build_at_runtime != FALSE))
GETTER(PD_Bool, TunedTensorRtDynamicShape, tuned_tensorrt_dynamic_shape())
GETTER(PD_Bool, TrtAllowBuildAtRuntime, trt_allow_build_at_runtime())
SETTER(CollectShapeRangeInfo, (PD_Config * config, const char* path),
       CollectShapeRangeInfo(TEXT(path)))
GETTER(const char*, ShapeRangeInfoPath, shape_range_info_path().c_str())
GETTER(PD_Bool, ShapeRangeInfoCollected, shape_range_info_collected())
SETTER(DisableTensorRtOPs, (PD_Config * config, size_t ops_num, const char** ops_name),
       Exp_DisableTensorRtOPs(Texts(ops_num, ops_name)))
SETTER(EnableVarseqlen, (PD_Config * config), EnableVarseqlen())
GETTER(PD_Bool, TensorRtOssEnabled, tensorrt_varseqlen_enabled())
SETTER(EnableTensorRtDla, (PD_Config * config, int32_t dla_core), EnableTensorRtDLA(dla_core))
GETTER(PD_Bool, TensorRtDlaEnabled, tensorrt_dla_enabled())
