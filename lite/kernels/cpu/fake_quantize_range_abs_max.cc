// X in steps of InScale, as floats.
#include "lite/kernels/cpu/fake_quant.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(fake_quantize_range_abs_max);
[[maybe_unused]] OpInfo& declared = DeclareStaticQuant(fake_quantize_range_abs_max_op_info);
REGISTER_LITE_FUNCTION(fake_quantize_range_abs_max, kHost, kFloat, kAny, RunStaticQuant<false>,
                       def);

}  // namespace
}  // namespace paddle::lite
