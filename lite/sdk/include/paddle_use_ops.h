// Kept for applications that include it: all operators are always there.
#pragma once

#include "paddle_lite_factory_helper.h"
