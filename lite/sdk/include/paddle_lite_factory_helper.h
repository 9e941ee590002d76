// The macros with which Paddle Lite's applications keep operators, kernels and passes in a static
// link. libpaddle_api_light_bundled.a is linked as a whole: there is nothing left to name.
#pragma once

#define USE_LITE_OP(op_type)
#define USE_LITE_KERNEL(op_type, target, precision, layout, alias)
#define USE_MIR_PASS(name)
