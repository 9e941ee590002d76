// Functions of each element.
#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {

INFER(ABS) { InferSame(c); }

INFER(COS) { InferSame(c); }

INFER(EXP) { InferSame(c); }

INFER(FLOOR) { InferSame(c); }

INFER(LOG) { InferSame(c); }

INFER(RSQRT) { InferSame(c); }

INFER(SIN) { InferSame(c); }

INFER(SQUARE) { InferSame(c); }

}  // namespace nnadapter::runtime
