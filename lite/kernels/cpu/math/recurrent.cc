#include "lite/kernels/cpu/math/recurrent.h"

namespace paddle::lite::math {

void LstmRows(const GatedRows& g) { LITE_ISA_PICK(kRecurrentTable).lstm(g); }

void GruRows(const GatedRows& g) { LITE_ISA_PICK(kRecurrentTable).gru(g); }

}  // namespace paddle::lite::math
