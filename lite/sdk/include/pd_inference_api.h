/* The C API of Paddle Inference's programs (2.0 to 3.3), over this framework's engine.
 *
 *   PD_Config* config = PD_ConfigCreate();
 *   PD_ConfigSetModel(config, "model/inference.json", "model/inference.pdiparams");
 *   PD_Predictor* predictor = PD_PredictorCreate(config);
 *   PD_OneDimArrayCstr* names = PD_PredictorGetInputNames(predictor);
 *   PD_Tensor* input = PD_PredictorGetInputHandle(predictor, names->data[0]);
 *   int32_t shape[4] = {1, 3, 224, 224};
 *   PD_TensorReshape(input, 4, shape);
 *   PD_TensorCopyFromCpuFloat(input, pixels);
 *   if (!PD_PredictorRun(predictor)) puts(PD_GetLastError());
 *
 * libpaddle_inference_c.so has it (docs/cpp.md). A call that fails, where Paddle ends the process,
 * writes to stderr what was wrong and what was expected, and gives NULL, 0 or FALSE.
 */
#pragma once

#include "pd_common.h"
#include "pd_config.h"
#include "pd_predictor.h"
#include "pd_tensor.h"
#include "pd_types.h"
#include "pd_utils.h"

/* Beyond Paddle's API: what was wrong with this thread's last call that failed, "" if none has. The
 * thread owns it until its next call. */
PD_API const char* PD_GetLastError(void);
