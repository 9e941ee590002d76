/* What this runtime offers beyond nnadapter.h. Another libnnadapter.so may lack these functions:
 * look them up, do not link them. C99 and C++. */
#ifndef NNADAPTER_EXTENSIONS_H_
#define NNADAPTER_EXTENSIONS_H_

#include "nnadapter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As NNAdapterModel_setOperandValue without a copy, for who keeps the buffer until the model and
 * all that uses it are destroyed: finish does not gather it. */
int NNAdapterModel_shareOperandValue(NNAdapterOperand* operand, const void* buffer,
                                     uint32_t length);
/* About the calling thread's last NNAdapterModel_getSupportedOperations: why no device takes
 * operation number `operation`, in the order of addOperation. Empty where one takes it, or no
 * driver says why. Valid until the thread asks again. */
int NNAdapterModel_getRefusal(uint32_t operation, const char** reason);
/* JSON of a finished compilation, valid until it is destroyed:
 *   {"from_cache": false, "cache": "why it was refused, used or written",
 *    "programs": [{"device": "...", "create_ms": 1.5, "operations": [0, 1],
 *                  "inputs": [-1], "outputs": [0]}]}
 * Programs stand in the order in which they run. operations: numbers in the order of addOperation,
 * empty where the program comes from a cache. inputs and outputs: -1 - i is the model's number i, i
 * a tensor that passes between programs, 2^30 + i the model's output i that another program reads.
 */
int NNAdapterCompilation_getReport(NNAdapterCompilation* compilation, const char** json);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NNADAPTER_EXTENSIONS_H_ */
