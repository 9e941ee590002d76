/* Predictors of Paddle Inference's C API; see pd_inference_api.h. */
#pragma once

#include "pd_config.h"
#include "pd_tensor.h"
#include "pd_types.h"

typedef struct PD_Predictor PD_Predictor;

/* The configuration is gone afterwards, whatever comes of it. */
PD_API __pd_give PD_Predictor* PD_PredictorCreate(__pd_take PD_Config* config);
/* One of its own that shares the weights, for another thread. */
PD_API __pd_give PD_Predictor* PD_PredictorClone(__pd_keep PD_Predictor* predictor);
PD_API void PD_PredictorDestroy(__pd_take PD_Predictor* predictor);

PD_API size_t PD_PredictorGetInputNum(__pd_keep PD_Predictor* predictor);
PD_API size_t PD_PredictorGetOutputNum(__pd_keep PD_Predictor* predictor);
PD_API __pd_give PD_OneDimArrayCstr* PD_PredictorGetInputNames(__pd_keep PD_Predictor* predictor);
PD_API __pd_give PD_OneDimArrayCstr* PD_PredictorGetOutputNames(__pd_keep PD_Predictor* predictor);
PD_API __pd_give PD_IOInfos* PD_PredictorGetInputInfos(__pd_keep PD_Predictor* predictor);
PD_API __pd_give PD_IOInfos* PD_PredictorGetOutputInfos(__pd_keep PD_Predictor* predictor);

/* A handle keeps what it needs of the predictor; it is destroyed by PD_TensorDestroy. */
PD_API __pd_give PD_Tensor* PD_PredictorGetInputHandle(__pd_keep PD_Predictor* predictor,
                                                       const char* name);
PD_API __pd_give PD_Tensor* PD_PredictorGetOutputHandle(__pd_keep PD_Predictor* predictor,
                                                        const char* name);

/* FALSE, and nothing is run, where setting an input failed since the last call: no result is that
 * of another input than the caller's. */
PD_API PD_Bool PD_PredictorRun(__pd_keep PD_Predictor* predictor);

PD_API void PD_PredictorClearIntermediateTensor(__pd_keep PD_Predictor* predictor);
PD_API uint64_t PD_PredictorTryShrinkMemory(__pd_keep PD_Predictor* predictor);

/* The program owns it. */
PD_API const char* PD_GetVersion(void);
