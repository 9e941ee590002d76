// nms: which boxes, sorted by score, stay. The detection operators' own rules are in nms.h.
#include <algorithm>
#include <vector>

#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferNmsOfBoxes(InferContext& c) {
  const TensorMeta& boxes = c.Input("Boxes");
  c.Require(boxes.dims.size() == 2 && boxes.dims[1] == 4, "input Boxes has shape ", boxes.dims,
            ", expected [boxes, 4]");
  if (boxes.dtype != DataType::kFP32 && boxes.dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("input Boxes is ", Name(boxes.dtype), ", expected float32 or float64"));
}

// The common area over the union. Corners may be in any order: areas keep their sign, as in Paddle.
template <typename T>
bool Overlaps(const T* a, const T* b, float threshold) {
  const T width = std::max(std::min(a[2], b[2]) - std::max(a[0], b[0]), T{0});
  const T height = std::max(std::min(a[3], b[3]) - std::max(a[1], b[1]), T{0});
  const T common = width * height;
  const T both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]);
  return common / (both - common) > static_cast<T>(threshold);
}

template <typename T>
void SelectBoxes(KernelContext& c) {
  const Tensor& boxes = c.Input("Boxes");
  const T* box = boxes.data<T>();
  const float threshold = c.Attr<float>("iou_threshold");
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < boxes.dims()[0]; ++i)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](int64_t k) { return Overlaps(box + k * 4, box + i * 4, threshold); }))
      kept.push_back(i);
  Tensor& out = c.Output("KeepBoxesIdxs");
  out.Allocate({static_cast<int64_t>(kept.size())}, DataType::kInt64);
  std::copy(kept.begin(), kept.end(), out.mutable_data<int64_t>());
}

void RunNmsOfBoxes(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("Boxes").dtype(),
                          [&](auto type) { SelectBoxes<decltype(type)>(c); });
}

REGISTER_LITE_OP(nms)
    .Input("Boxes")
    .Output("KeepBoxesIdxs")
    .Attr<float>("iou_threshold", 1.0f)
    .InferShape(InferNmsOfBoxes)
    .DataDependent();
REGISTER_LITE_FUNCTION(nms, kHost, kAny, kNCHW, RunNmsOfBoxes, def);

}  // namespace
}  // namespace paddle::lite
