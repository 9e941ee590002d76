// A run of elementwise operators in one walk over memory; made by the plan, never in a file.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

using Step = math::EpilogueStep;

// The tile that the plan's strides refer to.
struct Tile {
  int64_t rows = 1, cols = 1, rows_per_image = 1;
};

Tile TileOf(const Tensor& x) {
  const DDim& dims = x.dims();
  Tile tile;
  if (x.layout() == DataLayoutType::kNHWC && dims.size() == 4) {
    tile.rows_per_image = dims[2] * dims[3];
    tile.rows = dims[0] * tile.rows_per_image;
    tile.cols = dims[1];
  } else if (!dims.empty()) {
    tile.rows = tile.rows_per_image = dims.Count(0, dims.size() - 1);
    tile.cols = dims.back();
  }
  return tile;
}

// The same work as one long row, where no step depends on the row or the column alone.
bool Flatten(const Tile& tile, const std::vector<Step>& steps, std::vector<Step>* flat) {
  for (const Step& step : steps) {
    const bool whole =
        step.col_stride == 1 && step.row_stride == tile.cols &&
        (tile.rows == tile.rows_per_image || step.image_stride == tile.rows_per_image * tile.cols);
    const bool scalar = step.col_stride == 0 && step.row_stride == 0 && step.image_stride == 0;
    if (step.op != Step::kAct && !whole && !scalar) return false;
    flat->push_back(step);
    flat->back().row_stride = flat->back().image_stride = 0;
  }
  return true;
}

void RunElementwiseChain(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  const auto* from = x.data<float>();
  auto* to = out.mutable_data<float>();
  const int64_t count = x.numel();
  if (count == 0) return;

  const Tile tile = TileOf(x);
  const std::vector<Step>& steps = c.ResolveSteps();
  std::vector<Step> flat;
  math::Epilogue epilogue;
  epilogue.step_count = static_cast<int>(steps.size());
  const bool dense = x.pixel_stride() == 0 && out.pixel_stride() == 0;
  if (tile.rows == 1 || (dense && Flatten(tile, steps, &flat))) {
    epilogue.steps = tile.rows == 1 ? steps.data() : flat.data();
    math::ParallelRange(
        c.threads(), count, math::kElementGrain,
        [&](int64_t begin, int64_t end) {
          const int64_t n = end - begin;
          math::RunEpilogue(1, n, from + begin, n, to + begin, n, epilogue, 0, begin);
        },
        16);
    return;
  }
  epilogue.steps = steps.data();
  epilogue.rows_per_image = tile.rows_per_image;
  const int64_t ldx = x.pixel_stride() != 0 ? x.pixel_stride() : tile.cols;
  const int64_t ldy = out.pixel_stride() != 0 ? out.pixel_stride() : tile.cols;
  math::ParallelRange(c.threads(), tile.rows, math::kElementGrain / tile.cols + 1,
                      [&](int64_t begin, int64_t end) {
                        math::RunEpilogue(end - begin, tile.cols, from + begin * ldx, ldx,
                                          to + begin * ldy, ldy, epilogue, begin, 0);
                      });
}

void InferElementwiseChain(InferContext& c) {
  RequireFloat(c, "X");
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

REGISTER_LITE_OP(elementwise_chain).Input("X").Output("Out").InferShape(InferElementwiseChain);
REGISTER_LITE_FUNCTION(elementwise_chain, kHost, kFloat, kNCHW, RunElementwiseChain, def, true);
REGISTER_LITE_FUNCTION(elementwise_chain, kHost, kFloat, kNHWC, RunElementwiseChain, def, true,
                       false, true, true);

}  // namespace
}  // namespace paddle::lite
