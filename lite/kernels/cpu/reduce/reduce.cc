#include "lite/kernels/cpu/reduce/reduce.h"

#include <algorithm>

#include "lite/kernels/cpu/math/transpose.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

constexpr int kNhwcOrder[] = {0, 2, 3, 1};

// Dims and flags in the order of the memory, neighbours of one kind merged.
struct Runs {
  std::vector<int64_t> dims;
  std::vector<bool> reduced;
};

Runs MergeRuns(const Tensor& x, const std::vector<bool>& reduced) {
  Runs runs;
  const bool nhwc = x.layout() == DataLayoutType::kNHWC && x.dims().size() == 4;
  for (int k = 0; k < x.dims().size(); ++k) {
    const int i = nhwc ? kNhwcOrder[k] : k;
    const bool flag = reduced[static_cast<size_t>(i)];
    if (x.dims()[i] == 1) continue;
    if (!runs.dims.empty() && runs.reduced.back() == flag) {
      runs.dims.back() *= x.dims()[i];
    } else {
      runs.dims.push_back(x.dims()[i]);
      runs.reduced.push_back(flag);
    }
  }
  return runs;
}

template <typename Context>
std::vector<bool> FindReducedDims(const Context& c, int rank) {
  const OpInfo& info = c.op().info();
  const char* name = info.FindAttr("dim") >= 0 ? "dim" : "axis";
  const char* tensor = info.FindInput("AxisTensor") >= 0 ? "AxisTensor" : "";
  const std::vector<int64_t> dims = IntsOf<int>(c, "", tensor, name);
  const bool has_all = info.FindAttr("reduce_all") >= 0;
  const bool all = dims.empty() || (has_all && c.op().template Attr<bool>("reduce_all"));
  std::vector<bool> reduced(static_cast<size_t>(rank), all);
  if (all || rank == 0) return reduced;
  const std::string what = StrCat("attribute ", name);
  for (const int64_t dim : dims)
    reduced[static_cast<size_t>(CanonicalAxis(dim, rank, what.c_str()))] = true;
  return reduced;
}

}  // namespace

std::vector<bool> ReducedDims(const InferContext& c, int rank) { return FindReducedDims(c, rank); }
std::vector<bool> ReducedDims(const KernelContext& c, int rank) { return FindReducedDims(c, rank); }

void InferReduce(InferContext& c, const std::vector<DataType>& types, DataType out,
                 bool of_nothing) {
  const TensorMeta& x = c.Input(FirstInput(c.op()));
  RequireType(c, FirstInput(c.op()), types);
  const std::vector<bool> reduced = ReducedDims(c, x.dims.size());
  const bool old_name = c.op().info().FindAttr("keep_dim") >= 0;
  const bool keep = c.Attr<bool>(old_name ? "keep_dim" : "keepdim");
  DDim dims;
  for (int i = 0; i < x.dims.size(); ++i) {
    if (!reduced[static_cast<size_t>(i)]) {
      dims.push_back(x.dims[i]);
      continue;
    }
    c.Require(of_nothing || x.dims[i] != 0, FirstInput(c.op()), " of shape ", x.dims,
              " has nothing to reduce in dim ", i);
    if (keep) dims.push_back(1);
  }
  c.SetOutput(FirstOutput(c.op()), dims, out);
}

ReduceView MakeReduceView(const Tensor& x, const std::vector<bool>& reduced, int threads) {
  ReduceView view;
  view.data = x.raw_data();
  const Runs runs = MergeRuns(x, reduced);
  const size_t count = runs.dims.size();
  size_t first = 0;  // the reduced run
  while (first < count && !runs.reduced[first]) ++first;
  size_t folds = 0;
  for (const bool flag : runs.reduced) folds += flag;
  if (folds <= 1) {
    for (size_t i = 0; i < count; ++i)
      (i < first ? view.outer : i == first ? view.axis : view.inner) *= runs.dims[i];
    return view;
  }
  // Several reduced runs: moved behind the others.
  std::vector<int> order;
  for (const bool flag : {false, true})
    for (size_t i = 0; i < count; ++i)
      if (runs.reduced[i] == flag) {
        order.push_back(static_cast<int>(i));
        (flag ? view.axis : view.outer) *= runs.dims[i];
      }
  view.moved.resize(x.memory_size());
  if (x.numel() > 0)
    math::Permute(x.raw_data(), view.moved.data(), static_cast<int>(count), runs.dims.data(),
                  order.data(), SizeOf(x.dtype()), threads);
  view.data = view.moved.data();
  return view;
}

void RunReduceFloat(KernelContext& c, math::Reduction reduction) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const bool nhwc = x.layout() == DataLayoutType::kNHWC && x.dims().size() == 4;
  out.set_layout(nhwc && out.dims().size() == 4 ? DataLayoutType::kNHWC : DataLayoutType::kNCHW);
  const ReduceView view = MakeReduceView(x, ReducedDims(c, x.dims().size()), c.threads());
  float* to = out.mutable_data<float>();
  if (view.axis == 0) {
    const float nothing = reduction == math::Reduction::kProd ? 1.0f : 0.0f;
    std::fill(to, to + out.numel(), nothing);
    return;
  }
  math::Reduce(reduction, view.outer, view.axis, view.inner, static_cast<const float*>(view.data),
               to, c.threads());
}

}  // namespace paddle::lite
