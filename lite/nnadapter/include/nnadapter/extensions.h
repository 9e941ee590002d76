/* What this runtime offers beyond nnadapter.h. Another libnnadapter.so may lack these functions:
 * look them up, do not link them. C99 and C++. */
#ifndef NNADAPTER_EXTENSIONS_H_
#define NNADAPTER_EXTENSIONS_H_

#include "nnadapter/nnadapter.h"

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
 * A driver may save its program in its first run only: then "cache" is another text after it, and
 * the one before stays valid, too. */
int NNAdapterCompilation_getReport(NNAdapterCompilation* compilation, const char** json);

/* What became of a compilation's cache. */
typedef enum {
  NNADAPTER_CACHE_NONE = 0, /* none was asked for */
  NNADAPTER_CACHE_USED = 1,
  NNADAPTER_CACHE_WRITTEN = 2,
  NNADAPTER_CACHE_NOT_WRITTEN = 3,
  NNADAPTER_CACHE_REFUSED = 4 /* the one that was there; another may be written */
} NNAdapterCacheState;

/* What one device runs; see NNAdapterCompilation_getReport. */
typedef struct {
  const char* device;
  double create_ms;
  uint32_t operation_count, input_count, output_count;
  const int32_t* operations;
  const int32_t* inputs;
  const int32_t* outputs;
} NNAdapterProgramRecord;

typedef struct {
  int32_t cache; /* NNAdapterCacheState */
  const char* cache_text;
  uint32_t program_count;
  const NNAdapterProgramRecord* programs;
} NNAdapterCompilationRecord;

/* What NNAdapterCompilation_getReport says, without JSON. Valid until the compilation is destroyed.
 */
int NNAdapterCompilation_getRecord(NNAdapterCompilation* compilation,
                                   const NNAdapterCompilationRecord** record);

/* The devices of this process and the libraries in the search path that hold one, in the order in
 * which they are looked for; none is loaded. JSON, valid until the thread asks again:
 *   [{"name": "...", "library": "path, or empty inside the process", "hidden": false}]
 * hidden: another one of this name comes first. */
int NNAdapter_listDevices(const char** json);
/* The devices of a context. JSON, valid until the thread asks again:
 *   [{"name": "...", "vendor": "...", "type": 2, "version": 1, "library": "...",
 *     "abi": "libstdc++", "asks": true, "list": "what says which operations it takes"}]
 * asks: the driver has validate_program. list: what counts where it has not, or where it returns
 * FEATURE_NOT_SUPPORTED; empty where nothing does. */
int NNAdapterContext_getReport(NNAdapterContext* context, const char** json);
/* From now on a signal that ends the process (SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL) first
 * writes to stderr which callback of which device was called, and the stack. For tools: it replaces
 * the process's handlers. */
int NNAdapter_reportCrashes(void);
/* From now on every driver gets the callers' memory itself. Without it, those that may bind the
 * memory of their first run get memory of the runtime's, which stays where it is, and copies are
 * made. For tools that look at what a driver does to memory. */
int NNAdapter_lendMemory(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* NNADAPTER_EXTENSIONS_H_ */
