/* Arrays and enumerations of Paddle Inference's C API; see pd_inference_api.h. Each array that is
 * given has a function in pd_utils.h that frees it. */
#pragma once

#include "pd_common.h"

PD_ENUM(PD_PrecisionType){PD_PRECISION_FLOAT32 = 0, PD_PRECISION_INT8, PD_PRECISION_HALF};
PD_ENUM(PD_PlaceType){PD_PLACE_UNK = -1, PD_PLACE_CPU, PD_PLACE_GPU, PD_PLACE_XPU, PD_PLACE_CUSTOM};
/* PD_DATA_UNK: float64, bool and others, which have no functions here. */
PD_ENUM(PD_DataType){PD_DATA_UNK = -1, PD_DATA_FLOAT32, PD_DATA_INT64,
                     PD_DATA_INT32,    PD_DATA_UINT8,   PD_DATA_INT8};

typedef struct PD_OneDimArrayInt32 {
  size_t size;
  int32_t* data;
} PD_OneDimArrayInt32;

typedef struct PD_OneDimArrayInt64 {
  size_t size;
  int64_t* data;
} PD_OneDimArrayInt64;

typedef struct PD_OneDimArraySize {
  size_t size;
  size_t* data;
} PD_OneDimArraySize;

/* `size` texts, each of which ends with 0. */
typedef struct PD_OneDimArrayCstr {
  size_t size;
  char** data;
} PD_OneDimArrayCstr;

typedef struct PD_TwoDimArraySize {
  size_t size;
  PD_OneDimArraySize** data;
} PD_TwoDimArraySize;

/* A text of size - 1 characters, which ends with 0. */
typedef struct PD_Cstr {
  size_t size;
  char* data;
} PD_Cstr;

/* An input or output; unknown dimensions are -1. */
typedef struct PD_IOInfo {
  PD_Cstr* name;
  PD_OneDimArrayInt64* shape;
  PD_DataType dtype;
} PD_IOInfo;

typedef struct PD_IOInfos {
  size_t size;
  PD_IOInfo** io_info;
} PD_IOInfos;
