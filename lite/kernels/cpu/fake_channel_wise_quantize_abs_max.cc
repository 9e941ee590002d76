// X in steps of the largest magnitude of each channel, as floats.
#include "lite/kernels/cpu/fake_quant.h"

namespace paddle::lite {
namespace {

void Run(KernelContext& c) { RunDynamicQuant<false, true>(c); }

REGISTER_LITE_OP(fake_channel_wise_quantize_abs_max);
[[maybe_unused]] OpInfo& declared =
    DeclareDynamicQuant(fake_channel_wise_quantize_abs_max_op_info, true);
REGISTER_LITE_FUNCTION(fake_channel_wise_quantize_abs_max, kHost, kFloat, kNCHW, Run, def);

}  // namespace
}  // namespace paddle::lite
