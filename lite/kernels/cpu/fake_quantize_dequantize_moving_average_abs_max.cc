// X rounded to multiples of InScale / (2^(bits - 1) - 1).
#include "lite/kernels/cpu/fake_quant.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(fake_quantize_dequantize_moving_average_abs_max);
[[maybe_unused]] OpInfo& declared =
    DeclareStaticQuant(fake_quantize_dequantize_moving_average_abs_max_op_info);
REGISTER_LITE_FUNCTION(fake_quantize_dequantize_moving_average_abs_max, kHost, kFloat, kAny,
                       RunStaticQuant<true>, def);

}  // namespace
}  // namespace paddle::lite
