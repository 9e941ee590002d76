// lookup_table and lookup_table_v2: a row of W for each id.
#pragma once

#include "lite/kernels/cpu/indexing/gather.h"

namespace paddle::lite {

// Out has the shape of Ids, which loses a last dimension of 1 where `drops_last`, and W's row.
void InferLookupTable(InferContext& c, bool drops_last);
void LookupTable(KernelContext& c);

}  // namespace paddle::lite
