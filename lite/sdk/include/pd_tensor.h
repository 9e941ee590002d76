/* Inputs and outputs of Paddle Inference's C API; see pd_inference_api.h. */
#pragma once

#include "pd_types.h"

typedef struct PD_Tensor PD_Tensor;

PD_API void PD_TensorDestroy(__pd_take PD_Tensor* tensor);
/* Gives an input a shape; its data must be written again. */
PD_API void PD_TensorReshape(__pd_keep PD_Tensor* tensor, size_t shape_size, int32_t* shape);

/* For each type of elements, which must be the tensor's (integers of 32 and 64 bits are converted
 * when they are copied in): memory for all elements of an input; its elements, with their place and
 * number; and copies of as many elements as the shape has. */
#define PD_TENSOR_FUNCTIONS(Name, T)                                                               \
  PD_API __pd_give T* PD_TensorMutableData##Name(__pd_keep PD_Tensor* tensor, PD_PlaceType place); \
  PD_API __pd_give T* PD_TensorData##Name(__pd_keep PD_Tensor* tensor, PD_PlaceType* place,        \
                                          int32_t* size);                                          \
  PD_API void PD_TensorCopyFromCpu##Name(__pd_keep PD_Tensor* tensor, const T* data);              \
  PD_API void PD_TensorCopyToCpu##Name(__pd_keep PD_Tensor* tensor, T* data);
#define PD_TENSOR_TYPES(F) \
  F(Float, float) F(Int64, int64_t) F(Int32, int32_t) F(Uint8, uint8_t) F(Int8, int8_t)
PD_TENSOR_TYPES(PD_TENSOR_FUNCTIONS)

PD_API __pd_give PD_OneDimArrayInt32* PD_TensorGetShape(__pd_keep PD_Tensor* tensor);
PD_API PD_DataType PD_TensorGetDataType(__pd_keep PD_Tensor* tensor);
/* The tensor owns it. */
PD_API const char* PD_TensorGetName(__pd_keep PD_Tensor* tensor);
/* Offsets of the sequences, e.g. {{0, 3, 5}}. */
PD_API void PD_TensorSetLod(__pd_keep PD_Tensor* tensor, __pd_keep PD_TwoDimArraySize* lod);
PD_API __pd_give PD_TwoDimArraySize* PD_TensorGetLod(__pd_keep PD_Tensor* tensor);
