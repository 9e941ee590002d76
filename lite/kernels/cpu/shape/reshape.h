// Operators that give memory another shape.
#pragma once

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

// Sets Out to `dims` with X's type, and XShape (where the operator has it) to [0, dims of X...].
// `keep_lod`: Out has X's LoD whatever its shape; otherwise only where the rows stay the same.
void SetReshaped(InferContext& c, const DDim& dims, bool has_xshape, bool keep_lod = false);

// Sets XShape to [0, dims of X...].
void SetXShape(InferContext& c);

// Copies X to Out: for runs without a plan, which would share the memory instead.
void CopyReshaped(KernelContext& c);

void InferReshape(InferContext& c, bool has_xshape);
void InferSqueeze(InferContext& c, bool has_xshape);
void InferUnsqueeze(InferContext& c, bool has_xshape);
void InferFlatten(InferContext& c, bool has_xshape);

}  // namespace paddle::lite
