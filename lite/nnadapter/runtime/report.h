// What became of a compilation, beyond the C API of nnadapter.h.
#pragma once

#include "nnadapter/nnadapter.h"

// JSON of a finished compilation, valid until it is destroyed:
//   {"from_cache": false, "cache": "why it was refused, used or written",
//    "programs": [{"device": "...", "create_ms": 1.5, "operations": [0, 1],
//                  "inputs": [-1], "outputs": [0]}]}
// Programs stand in the order in which they run. operations: numbers in the order of addOperation,
// empty where the program comes from a cache. inputs and outputs: -1 - i is the model's number i, i
// a tensor that passes between programs, 2^30 + i the model's output i that another program reads.
extern "C" int NNAdapterCompilation_getReport(NNAdapterCompilation* compilation, const char** json);
