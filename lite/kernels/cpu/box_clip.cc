#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferBoxClip(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const DDim& info = c.Dims("ImInfo");
  c.Require(x.dims.size() >= 2 && x.dims.back() == 4, "input Input has shape ", x.dims,
            ", expected [boxes, ..., 4]");
  const int64_t images = SequenceCount(OnlyOffsets(x, "Input"));
  c.Require(info == DDim({images, 3}), "input ImInfo has shape ", info, ", expected [", images,
            ", 3] for the images that Input has by its LoD");
  c.SetOutput("Output", x.dims, x.dtype, x.lod);
}

void RunBoxClip(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  const Offsets& offsets = OnlyOffsets(x.meta(), "Input");
  const int64_t width = RowSize(x.dims());
  VisitFloat(x.dtype(), "Input", [&](auto zero) {
    using T = decltype(zero);
    const T* info = c.Input("ImInfo").data<T>();  // height, width and scale of each image
    const T* from = x.data<T>();
    T* to = c.Output("Output").mutable_data<T>();
    for (size_t i = 0; i + 1 < offsets.size(); ++i, info += 3) {
      const T limits[2] = {std::round(info[1] / info[2]) - 1, std::round(info[0] / info[2]) - 1};
      for (int64_t k = static_cast<int64_t>(offsets[i]) * width,
                   end = static_cast<int64_t>(offsets[i + 1]) * width;
           k < end; ++k)
        to[k] = std::max(std::min(from[k], limits[k % 2]), T(0));
    }
  });
}

}  // namespace

REGISTER_LITE_OP(box_clip).Input("Input").Input("ImInfo").Output("Output").InferShape(InferBoxClip);
REGISTER_LITE_FUNCTION(box_clip, kHost, kAny, kNCHW, RunBoxClip, def);

}  // namespace paddle::lite
