/* Frees what other functions gave; null is nothing. See pd_inference_api.h. */
#pragma once

#include "pd_types.h"

PD_API void PD_OneDimArrayInt32Destroy(__pd_take PD_OneDimArrayInt32* array);
PD_API void PD_OneDimArrayInt64Destroy(__pd_take PD_OneDimArrayInt64* array);
PD_API void PD_OneDimArraySizeDestroy(__pd_take PD_OneDimArraySize* array);
PD_API void PD_OneDimArrayCstrDestroy(__pd_take PD_OneDimArrayCstr* array);
PD_API void PD_TwoDimArraySizeDestroy(__pd_take PD_TwoDimArraySize* array);
PD_API void PD_CstrDestroy(__pd_take PD_Cstr* text);
PD_API void PD_IOInfoDestroy(__pd_take PD_IOInfo* info);
PD_API void PD_IOInfosDestroy(__pd_take PD_IOInfos* infos);
