// The runtime's locks: a forked child finds them open.
#pragma once

#include "lite/core/fork_safe_mutex.h"

namespace nnadapter::runtime {
using Mutex = ::paddle::lite::ForkSafeMutex;
}  // namespace nnadapter::runtime
