#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// Rows of gates before their activations, `gate_stride` apart; h and cell have n numbers a row and
// are read and replaced.
struct GatedRows {
  int64_t rows = 0, n = 0;
  float* gates = nullptr;
  int64_t gate_stride = 0;
  float *h = nullptr, *cell = nullptr;
  // The gru's product of h and its weights, 3 n a row, which the reset gate acts on.
  const float* product = nullptr;
};

// The next state. Gates in the order input, forget, candidate, output.
void LstmRows(const GatedRows& g);
// Gates in the order reset, update, candidate.
void GruRows(const GatedRows& g);

struct RecurrentTable {
  void (*lstm)(const GatedRows&);
  void (*gru)(const GatedRows&);
};
LITE_ISA_DECLARE(RecurrentTable, kRecurrentTable)

}  // namespace paddle::lite::math
