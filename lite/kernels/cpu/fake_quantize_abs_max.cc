// X in steps of its largest magnitude, as floats.
#include "lite/kernels/cpu/fake_quant.h"

namespace paddle::lite {
namespace {

void Run(KernelContext& c) { RunDynamicQuant<false, false>(c); }

REGISTER_LITE_OP(fake_quantize_abs_max);
[[maybe_unused]] OpInfo& declared = DeclareDynamicQuant(fake_quantize_abs_max_op_info, false);
REGISTER_LITE_FUNCTION(fake_quantize_abs_max, kHost, kFloat, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
