/* NNAdapter: a hardware-neutral API for neural networks.
 *
 * A model is built from operands and operations, compiled for the devices of a context and
 * executed. Every function returns a result code; none throws, none ends the process. The text of a
 * thread's last error: NNAdapter_getLastErrorMessage. Layouts and numbers are those of Paddle
 * Lite's NNAdapter, so that existing clients and HAL libraries work unchanged.
 *
 * C99 and C++. Operands of every operation: docs/nnadapter_operations.md.
 */
#ifndef NNADAPTER_NNADAPTER_H_
#define NNADAPTER_NNADAPTER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NNADAPTER_VERSION 1
/* An unknown dimension, or an unknown precision. */
#define NNADAPTER_UNKNOWN (-65535)
#define NNADAPTER_MAX_SIZE_OF_DIMENSIONS 8
#define NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS 8
#define NNADAPTER_MAX_SIZE_OF_HINTS 8

typedef enum {
  NNADAPTER_NO_ERROR = 0,
  NNADAPTER_OUT_OF_MEMORY = 1,
  NNADAPTER_INVALID_DIMENSIONS = 2,
  NNADAPTER_INVALID_PARAMETER = 3,
  NNADAPTER_DEVICE_NOT_FOUND = 4,
  NNADAPTER_DEVICE_INTERNAL_ERROR = 5,
  NNADAPTER_FEATURE_NOT_SUPPORTED = 6
} NNAdapterResultCode;

typedef enum {
  NNADAPTER_BOOL8 = 0,
  NNADAPTER_INT8 = 1,
  NNADAPTER_UINT8 = 2,
  NNADAPTER_INT16 = 3,
  NNADAPTER_UINT16 = 4,
  NNADAPTER_INT32 = 5,
  NNADAPTER_UINT32 = 6,
  NNADAPTER_INT64 = 7,
  NNADAPTER_UINT64 = 8,
  NNADAPTER_FLOAT16 = 9,
  NNADAPTER_FLOAT32 = 10,
  NNADAPTER_FLOAT64 = 11,
  /* real = scale * quantised */
  NNADAPTER_QUANT_INT8_SYMM_PER_LAYER = 24,
  NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL = 25,
  /* real = scale * (quantised - zero_point) */
  NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER = 26,
  NNADAPTER_QUANT_INT16_SYMM_PER_LAYER = 27,
  NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL = 28,
  NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER = 29,
  NNADAPTER_QUANT_INT32_SYMM_PER_LAYER = 30,
  NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL = 31,
  NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER = 32
} NNAdapterOperandPrecisionCode;

typedef enum {
  NNADAPTER_NCHW = 0,
  NNADAPTER_NHWC = 1,
  NNADAPTER_HWCN = 2,
  NNADAPTER_HWNC = 3
} NNAdapterOperandLayoutCode;

typedef enum {
  /* Computed and read inside the model. */
  NNADAPTER_TEMPORARY_VARIABLE = 0,
  /* A shape that follows from the inputs' shapes; its numbers are in hint
     NNADAPTER_HINT_TEMPORARY_SHAPE. */
  NNADAPTER_TEMPORARY_SHAPE = 1,
  /* A constant that the model owns. */
  NNADAPTER_CONSTANT_COPY = 2,
  /* A constant whose memory the caller keeps. */
  NNADAPTER_CONSTANT_REFERENCE = 3,
  NNADAPTER_MODEL_INPUT = 4,
  NNADAPTER_MODEL_OUTPUT = 5
} NNAdapterOperandLifetimeCode;

typedef enum {
  NNADAPTER_CPU = 0,
  NNADAPTER_GPU = 1,
  NNADAPTER_ACCELERATOR = 2
} NNAdapterDeviceCode;
typedef int32_t NNAdapterDeviceType;

typedef enum {
  NNADAPTER_FUSED_NONE = 0,
  NNADAPTER_FUSED_RELU = 1,
  NNADAPTER_FUSED_RELU1 = 2,
  NNADAPTER_FUSED_RELU6 = 3
} NNAdapterFuseCode;

typedef enum {
  NNADAPTER_AUTO_PAD_NONE = 0,
  NNADAPTER_AUTO_PAD_SAME = 1,
  NNADAPTER_AUTO_PAD_VALID = 2
} NNAdapterAutoPadCode;

typedef enum {
  NNADAPTER_PAD_MODE_NONE = 0,
  NNADAPTER_PAD_MODE_CONSTANT = 1,
  NNADAPTER_PAD_MODE_REFLECT = 2,
  NNADAPTER_PAD_MODE_REPLICATE = 3,
  NNADAPTER_PAD_MODE_EDGE = 4
} NNAdapterPadModeCode;

typedef enum {
  NNADAPTER_INTERPOLATE_MODE_NONE = 0,
  NNADAPTER_INTERPOLATE_MODE_BILINEAR = 1,
  NNADAPTER_INTERPOLATE_MODE_NEAREST = 2
} NNAdapterInterpolateModeCode;

typedef enum {
  NNADAPTER_ABS = 0,
  NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D = 1,
  NNADAPTER_ADAPTIVE_MAX_POOL_2D = 2,
  NNADAPTER_ADD = 3,
  NNADAPTER_AND = 4,
  NNADAPTER_ARG_MAX = 5,
  NNADAPTER_ARG_MIN = 6,
  NNADAPTER_ASSIGN = 7,
  NNADAPTER_AVERAGE_POOL_2D = 8,
  NNADAPTER_BATCH_NORMALIZATION = 9,
  NNADAPTER_CAST = 10,
  NNADAPTER_CHANNEL_SHUFFLE = 11,
  NNADAPTER_CLIP = 12,
  NNADAPTER_CONCAT = 13,
  NNADAPTER_CONV_2D = 14,
  NNADAPTER_CONV_2D_TRANSPOSE = 15,
  NNADAPTER_COS = 16,
  NNADAPTER_CUM_SUM = 17,
  NNADAPTER_DEFORMABLE_CONV_2D = 18,
  NNADAPTER_DEQUANTIZE = 19,
  NNADAPTER_DIV = 20,
  NNADAPTER_EQUAL = 21,
  NNADAPTER_EXP = 22,
  NNADAPTER_EXPAND = 23,
  NNADAPTER_FILL = 24,
  NNADAPTER_FILL_LIKE = 25,
  NNADAPTER_FLATTEN = 26,
  NNADAPTER_FLOOR = 27,
  NNADAPTER_FLOOR_DIV = 28,
  NNADAPTER_FULLY_CONNECTED = 29,
  NNADAPTER_GATHER = 30,
  NNADAPTER_GELU = 31,
  NNADAPTER_GREATER = 32,
  NNADAPTER_GREATER_EQUAL = 33,
  NNADAPTER_GRID_SAMPLE = 34,
  NNADAPTER_GROUP_NORMALIZATION = 35,
  NNADAPTER_HARD_SIGMOID = 36,
  NNADAPTER_HARD_SWISH = 37,
  NNADAPTER_INSTANCE_NORMALIZATION = 38,
  NNADAPTER_LAYER_NORMALIZATION = 39,
  NNADAPTER_LEAKY_RELU = 40,
  NNADAPTER_LESS = 41,
  NNADAPTER_LESS_EQUAL = 42,
  NNADAPTER_LOG = 43,
  NNADAPTER_LOG_SOFTMAX = 44,
  NNADAPTER_LP_NORMALIZATION = 45,
  NNADAPTER_LRN = 46,
  NNADAPTER_MAT_MUL = 47,
  NNADAPTER_MAX = 48,
  NNADAPTER_MAX_POOL_2D = 49,
  NNADAPTER_MESHGRID = 50,
  NNADAPTER_MIN = 51,
  NNADAPTER_MUL = 52,
  NNADAPTER_NOT = 53,
  NNADAPTER_NOT_EQUAL = 54,
  NNADAPTER_OR = 55,
  NNADAPTER_PAD = 56,
  NNADAPTER_POW = 57,
  NNADAPTER_PRIOR_BOX = 58,
  NNADAPTER_PRELU = 59,
  NNADAPTER_QUANTIZE = 60,
  NNADAPTER_RANGE = 61,
  NNADAPTER_REDUCE_MEAN = 62,
  NNADAPTER_REDUCE_MAX = 63,
  NNADAPTER_REDUCE_SUM = 64,
  NNADAPTER_RELU = 65,
  NNADAPTER_RELU6 = 66,
  NNADAPTER_RESHAPE = 67,
  NNADAPTER_RESIZE_NEAREST = 68,
  NNADAPTER_RESIZE_LINEAR = 69,
  NNADAPTER_ROI_ALIGN = 70,
  NNADAPTER_ROLL = 71,
  NNADAPTER_RSQRT = 72,
  NNADAPTER_SHAPE = 73,
  NNADAPTER_SIGMOID = 74,
  NNADAPTER_SIN = 75,
  NNADAPTER_SLICE = 76,
  NNADAPTER_SOFTMAX = 77,
  NNADAPTER_SOFTPLUS = 78,
  NNADAPTER_SPLIT = 79,
  NNADAPTER_SQUARE = 80,
  NNADAPTER_SQUEEZE = 81,
  NNADAPTER_STACK = 82,
  NNADAPTER_SUB = 83,
  NNADAPTER_SUM = 84,
  NNADAPTER_SWISH = 85,
  NNADAPTER_TANH = 86,
  NNADAPTER_TILE = 87,
  NNADAPTER_TOP_K = 88,
  NNADAPTER_TRANSPOSE = 89,
  NNADAPTER_UNSQUEEZE = 90,
  NNADAPTER_UNSTACK = 91,
  NNADAPTER_WHERE = 92,
  NNADAPTER_XOR = 93,
  NNADAPTER_NON_MAX_SUPPRESSION = 94,
  NNADAPTER_YOLO_BOX = 95
} NNAdapterOperationCode;
typedef int32_t NNAdapterOperationType;

/* Keys of core::Operand::hints. */
typedef enum { NNADAPTER_HINT_TEMPORARY_SHAPE = 1 } NNAdapterHintKey;

typedef struct NNAdapterDevice NNAdapterDevice;
typedef struct NNAdapterContext NNAdapterContext;
typedef struct NNAdapterModel NNAdapterModel;
typedef struct NNAdapterOperand NNAdapterOperand;
typedef struct NNAdapterOperation NNAdapterOperation;
typedef struct NNAdapterCompilation NNAdapterCompilation;
typedef struct NNAdapterExecution NNAdapterExecution;

typedef struct {
  float scale;
} NNAdapterSymmPerLayerQuantParams;

typedef struct {
  uint32_t channel_dim;
  uint32_t scale_count;
  const float* scales;
} NNAdapterSymmPerChannelQuantParams;

typedef struct {
  float scale;
  int32_t zero_point;
} NNAdapterAsymmPerLayerQuantParams;

typedef struct {
  uint32_t count;
  int32_t data[NNADAPTER_MAX_SIZE_OF_DIMENSIONS];
  /* Candidates for the dimensions that are NNADAPTER_UNKNOWN in data: [candidate][axis]. */
  uint32_t dynamic_count;
  int32_t dynamic_data[NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS][NNADAPTER_MAX_SIZE_OF_DIMENSIONS];
} NNAdapterOperandDimensionType;

typedef struct {
  NNAdapterOperandPrecisionCode precision;
  NNAdapterOperandLayoutCode layout;
  NNAdapterOperandLifetimeCode lifetime;
  NNAdapterOperandDimensionType dimensions;
  union {
    NNAdapterSymmPerLayerQuantParams symm_per_layer_params;
    NNAdapterSymmPerChannelQuantParams symm_per_channel_params;
    NNAdapterAsymmPerLayerQuantParams asymm_per_layer_params;
  };
} NNAdapterOperandType;

/* -- The library. */

int NNAdapter_getVersion(uint32_t* version);
/* How many devices NNAdapterDevice_acquire would find by looking in the search path. */
int NNAdapter_getDeviceCount(uint32_t* num_devices);
/* What went wrong in the calling thread's last call that did not return NNADAPTER_NO_ERROR; an
 * empty text if there was none. Valid until the thread's next failing call. Never null. */
const char* NNAdapter_getLastErrorMessage(void);
/* Its result code. */
int NNAdapter_getLastErrorCode(void);

/* -- Devices. */

/* Finds lib<name>.so and its symbol __nnadapter_device__<name>. DEVICE_NOT_FOUND where there is
 * none, or where it is made for another version; the text lists where was looked. */
int NNAdapterDevice_acquire(const char* name, NNAdapterDevice** device);
void NNAdapterDevice_release(NNAdapterDevice* device);
int NNAdapterDevice_getName(const NNAdapterDevice* device, const char** name);
int NNAdapterDevice_getVendor(const NNAdapterDevice* device, const char** vendor);
int NNAdapterDevice_getType(const NNAdapterDevice* device, NNAdapterDeviceType* type);
int NNAdapterDevice_getVersion(const NNAdapterDevice* device, int32_t* version);

/* -- Contexts: devices in order of preference, and what they are told ("key=value;key=value"). */

int NNAdapterContext_create(NNAdapterDevice** devices, uint32_t num_devices, const char* properties,
                            int (*callback)(int event_id, void* user_data),
                            NNAdapterContext** context);
void NNAdapterContext_destroy(NNAdapterContext* context);

/* -- Models. */

int NNAdapterModel_create(NNAdapterModel** model);
void NNAdapterModel_destroy(NNAdapterModel* model);
/* Checks the whole model, which cannot be changed afterwards. */
int NNAdapterModel_finish(NNAdapterModel* model);
int NNAdapterModel_addOperand(NNAdapterModel* model, const NNAdapterOperandType* type,
                              NNAdapterOperand** operand);
/* Makes an operand a constant. With copy false the caller keeps the buffer until the model is
 * finished, which gathers such constants in memory of its own. */
int NNAdapterModel_setOperandValue(NNAdapterOperand* operand, void* buffer, uint32_t length,
                                   bool copy);
/* The type as it is known now: addOperation infers outputs. */
int NNAdapterModel_getOperandType(NNAdapterOperand* operand, NNAdapterOperandType** type);
int NNAdapterModel_addOperation(NNAdapterModel* model, NNAdapterOperationType type,
                                uint32_t input_count, NNAdapterOperand** input_operands,
                                uint32_t output_count, NNAdapterOperand** output_operands,
                                NNAdapterOperation** operation);
int NNAdapterModel_identifyInputsAndOutputs(NNAdapterModel* model, uint32_t input_count,
                                            NNAdapterOperand** input_operands,
                                            uint32_t output_count,
                                            NNAdapterOperand** output_operands);
/* One bool an operation, in the order of addOperation: whether some device of the context takes it.
 * FEATURE_NOT_SUPPORTED where no device can be asked. */
int NNAdapterModel_getSupportedOperations(const NNAdapterModel* model, NNAdapterContext* context,
                                          bool* supported_operations);

/* -- Compilations: from a model, from a cache (buffer, or directory and token), or both. */

int NNAdapterCompilation_create(NNAdapterModel* model, const char* cache_token, void* cache_buffer,
                                uint32_t cache_length, const char* cache_dir,
                                NNAdapterContext* context, NNAdapterCompilation** compilation);
void NNAdapterCompilation_destroy(NNAdapterCompilation* compilation);
int NNAdapterCompilation_finish(NNAdapterCompilation* compilation);
/* The counts, and where the pointers are given, the types of inputs and outputs. Counts may be
 * asked alone; the types belong to the compilation. */
int NNAdapterCompilation_queryInputsAndOutputs(NNAdapterCompilation* compilation,
                                               uint32_t* input_count,
                                               NNAdapterOperandType** input_types,
                                               uint32_t* output_count,
                                               NNAdapterOperandType** output_types);

/* -- Executions. */

int NNAdapterExecution_create(NNAdapterCompilation* compilation, NNAdapterExecution** execution);
void NNAdapterExecution_destroy(NNAdapterExecution* execution);
/* access(memory, type, device_buffer) is called with type->dimensions to fill in, and returns the
 * elements. */
int NNAdapterExecution_setInput(NNAdapterExecution* execution, int32_t index, void* memory,
                                void* (*access)(void* memory, NNAdapterOperandType* type,
                                                void* device_buffer));
/* access(memory, type, device_buffer) is called with the dimensions that were computed, and returns
 * where the elements go. */
int NNAdapterExecution_setOutput(NNAdapterExecution* execution, int32_t index, void* memory,
                                 void* (*access)(void* memory, NNAdapterOperandType* type,
                                                 void* device_buffer));
/* INVALID_DIMENSIONS where the program does not take the inputs' shapes: compile again for them. */
int NNAdapterExecution_compute(NNAdapterExecution* execution);

#ifdef __cplusplus
}
#endif

#endif /* NNADAPTER_NNADAPTER_H_ */
