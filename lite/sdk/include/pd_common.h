/* What the headers of Paddle Inference's C API share; see pd_inference_api.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(_MSC_VER)
#define PD_CAPI_EXPORT
#else
#define PD_CAPI_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
#define PD_EXTERN_C extern "C"
#else
#define PD_EXTERN_C
#endif
#define PD_API PD_EXTERN_C PD_CAPI_EXPORT

/* Who owns what a parameter or a result points to: the caller from now on, nobody but the callee,
 * or the one who owned it before. */
#define __pd_give
#define __pd_take
#define __pd_keep

#define PD_ENUM(type)   \
  typedef int32_t type; \
  enum

typedef int8_t PD_Bool;
#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif
