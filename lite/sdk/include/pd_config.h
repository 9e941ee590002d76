/* The configuration of Paddle Inference's C API; see pd_inference_api.h, and
 * paddle_analysis_config.h for what each setting does. */
#pragma once

#include "pd_types.h"

typedef struct PD_Config PD_Config;

PD_API __pd_give PD_Config* PD_ConfigCreate(void);
PD_API void PD_ConfigDestroy(__pd_take PD_Config* config);

/* -- The model; texts that are returned are the configuration's. */
PD_API void PD_ConfigSetModel(__pd_keep PD_Config* config, const char* prog_file_path,
                              const char* params_file_path);
PD_API void PD_ConfigSetModelDir(__pd_keep PD_Config* config, const char* model_dir);
PD_API void PD_ConfigSetProgFile(__pd_keep PD_Config* config, const char* prog_file_path);
PD_API void PD_ConfigSetParamsFile(__pd_keep PD_Config* config, const char* params_file_path);
PD_API void PD_ConfigSetModelBuffer(__pd_keep PD_Config* config, const char* prog_buffer,
                                    size_t prog_buffer_size, const char* params_buffer,
                                    size_t params_buffer_size);
PD_API const char* PD_ConfigGetModelDir(__pd_keep PD_Config* config);
PD_API const char* PD_ConfigGetProgFile(__pd_keep PD_Config* config);
PD_API const char* PD_ConfigGetParamsFile(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigModelFromMemory(__pd_keep PD_Config* config);

/* -- How it runs. */
PD_API void PD_ConfigSetCpuMathLibraryNumThreads(__pd_keep PD_Config* config, int32_t threads);
PD_API int32_t PD_ConfigGetCpuMathLibraryNumThreads(__pd_keep PD_Config* config);
PD_API void PD_ConfigSwitchIrOptim(__pd_keep PD_Config* config, PD_Bool x);
PD_API PD_Bool PD_ConfigIrOptim(__pd_keep PD_Config* config);
PD_API void PD_ConfigSwitchIrDebug(__pd_keep PD_Config* config, PD_Bool x);
PD_API void PD_ConfigEnableMemoryOptim(__pd_keep PD_Config* config, PD_Bool x);
PD_API PD_Bool PD_ConfigMemoryOptimEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableProfile(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigProfileEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigDisableGlogInfo(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigGlogInfoDisabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigSetOptimCacheDir(__pd_keep PD_Config* config, const char* opt_cache_dir);
PD_API void PD_ConfigPartiallyRelease(__pd_keep PD_Config* config);
/* FALSE after PD_ConfigSetInvalid and after a setting that failed; there is no predictor then. */
PD_API void PD_ConfigSetInvalid(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigIsValid(__pd_keep PD_Config* config);
PD_API __pd_give PD_Cstr* PD_ConfigSummary(__pd_keep PD_Config* config);

/* -- Passes. */
PD_API void PD_ConfigDeletePass(__pd_keep PD_Config* config, const char* pass);
PD_API void PD_ConfigInsertPass(__pd_keep PD_Config* config, size_t idx, const char* pass);
PD_API void PD_ConfigAppendPass(__pd_keep PD_Config* config, const char* pass);
PD_API __pd_give PD_OneDimArrayCstr* PD_ConfigAllPasses(__pd_keep PD_Config* config);

/* -- NNAdapter devices. */
PD_API void PD_ConfigEnableLiteEngine(__pd_keep PD_Config* config, PD_PrecisionType precision,
                                      PD_Bool zero_copy, size_t passes_filter_num,
                                      const char** passes_filter, size_t ops_filter_num,
                                      const char** ops_filter);
PD_API PD_Bool PD_ConfigLiteEngineEnabled(__pd_keep PD_Config* config);

/* -- Paddle's CPU engine. */
PD_API void PD_ConfigEnableMKLDNN(__pd_keep PD_Config* config);
PD_API void PD_ConfigDisableMKLDNN(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigMkldnnEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigSetMkldnnCacheCapacity(__pd_keep PD_Config* config, int32_t capacity);
PD_API void PD_ConfigSetMkldnnOp(__pd_keep PD_Config* config, size_t ops_num, const char** ops);
PD_API void PD_ConfigEnableMkldnnQuantizer(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigMkldnnQuantizerEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableMkldnnBfloat16(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigMkldnnBfloat16Enabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigSetBfloat16Op(__pd_keep PD_Config* config, size_t ops_num, const char** ops);
PD_API void PD_ConfigEnableMkldnnInt8(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigMkldnnInt8Enabled(__pd_keep PD_Config* config);

/* -- Hardware and engines that are not here. */
PD_API void PD_ConfigEnableUseGpu(__pd_keep PD_Config* config, uint64_t memory_pool_init_size_mb,
                                  int32_t device_id, PD_PrecisionType precision_mode);
PD_API void PD_ConfigDisableGpu(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigUseGpu(__pd_keep PD_Config* config);
PD_API int32_t PD_ConfigGpuDeviceId(__pd_keep PD_Config* config);
PD_API int32_t PD_ConfigMemoryPoolInitSizeMb(__pd_keep PD_Config* config);
PD_API float PD_ConfigFractionOfGpuMemoryForPool(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableCudnn(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigCudnnEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableGpuMultiStream(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigThreadLocalStreamEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableONNXRuntime(__pd_keep PD_Config* config);
PD_API void PD_ConfigDisableONNXRuntime(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigONNXRuntimeEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableORTOptimization(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableXpu(__pd_keep PD_Config* config, int32_t l3_workspace_size,
                               PD_Bool locked, PD_Bool autotune, const char* autotune_file,
                               const char* precision, PD_Bool adaptive_seqlen,
                               PD_Bool enable_multi_stream);
PD_API PD_Bool PD_ConfigUseXpu(__pd_keep PD_Config* config);
PD_API int32_t PD_ConfigXpuDeviceId(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableCustomDevice(__pd_keep PD_Config* config, char* device_type,
                                        int32_t device_id);
PD_API PD_Bool PD_ConfigUseCustomDevice(__pd_keep PD_Config* config);
PD_API int32_t PD_ConfigCustomDeviceId(__pd_keep PD_Config* config);
PD_API const char* PD_ConfigCustomDeviceType(__pd_keep PD_Config* config);

/* -- TensorRT. */
PD_API void PD_ConfigEnableTensorRtEngine(__pd_keep PD_Config* config, int64_t workspace_size,
                                          int32_t max_batch_size, int32_t min_subgraph_size,
                                          PD_PrecisionType precision, PD_Bool use_static,
                                          PD_Bool use_calib_mode);
PD_API PD_Bool PD_ConfigTensorRtEngineEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigSetTrtDynamicShapeInfo(__pd_keep PD_Config* config, size_t tensor_num,
                                            const char** tensor_name, size_t* shapes_num,
                                            int32_t** min_shape, int32_t** max_shape,
                                            int32_t** optim_shape, PD_Bool disable_trt_plugin_fp16);
PD_API PD_Bool PD_ConfigTensorRtDynamicShapeEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableTunedTensorRtDynamicShape(__pd_keep PD_Config* config,
                                                     const char* shape_range_info_path,
                                                     PD_Bool allow_build_at_runtime);
PD_API PD_Bool PD_ConfigTunedTensorRtDynamicShape(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigTrtAllowBuildAtRuntime(__pd_keep PD_Config* config);
PD_API void PD_ConfigCollectShapeRangeInfo(__pd_keep PD_Config* config, const char* path);
PD_API const char* PD_ConfigShapeRangeInfoPath(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigShapeRangeInfoCollected(__pd_keep PD_Config* config);
PD_API void PD_ConfigDisableTensorRtOPs(__pd_keep PD_Config* config, size_t ops_num,
                                        const char** ops_name);
PD_API void PD_ConfigEnableVarseqlen(__pd_keep PD_Config* config);
PD_API PD_Bool PD_ConfigTensorRtOssEnabled(__pd_keep PD_Config* config);
PD_API void PD_ConfigEnableTensorRtDla(__pd_keep PD_Config* config, int32_t dla_core);
PD_API PD_Bool PD_ConfigTensorRtDlaEnabled(__pd_keep PD_Config* config);
