#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/indexing/gather.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// A row of TreeInfo is a node: its item (0: it is no leaf), layer, parent, and its children.
constexpr int64_t kFirstChild = 3;

DataType ChildType(int32_t attribute) {
  const DataType dtype = DataTypeFrom(attribute, "dtype");
  if (dtype == DataType::kInt32 || dtype == DataType::kInt64) return dtype;
  throw DataTypeError(StrCat("attribute dtype is ", Name(dtype), ", expected int32 or int64"));
}

void InferTdmChild(InferContext& c) {
  const DDim& tree = c.Dims("TreeInfo");
  RequireIndexType(c.Input("TreeInfo").dtype, "TreeInfo");
  const int64_t children = c.Attr<int32_t>("child_nums");
  c.Require(children > 0, "attribute child_nums is ", children, ", expected 1 or more");
  c.Require(tree.size() == 2 && tree[1] >= kFirstChild + children, "input TreeInfo has shape ",
            tree, ", expected rows of ", kFirstChild + children);
  DDim out = c.Dims("X");
  out.push_back(children);
  const DataType dtype = ChildType(c.Attr<int32_t>("dtype"));
  c.SetOutput("Child", out, dtype);
  c.SetOutput("LeafMask", out, dtype);
}

// Reads the tree where it is: it may have millions of nodes.
template <typename Number>
class Tree {
 public:
  explicit Tree(const Tensor& info)
      : numbers_(info.data<Number>()), nodes_(info.dims()[0]), width_(info.dims()[1]) {}

  const Number* Node(int64_t id, const char* what) const {
    if (id < 0 || id >= nodes_)
      throw ShapeError(StrCat(what, " is ", id, ", expected a node of ", nodes_));
    return numbers_ + id * width_;
  }

 private:
  const Number* numbers_;
  int64_t nodes_, width_;
};

template <typename Number, typename T>
void WriteChildren(const KernelContext& c, T* child, T* leaf) {
  const Tree<Number> tree(c.Input("TreeInfo"));
  const int64_t children = c.Attr<int32_t>("child_nums");
  for (const int64_t id : IntValues(c, "X")) {
    const Number* node = tree.Node(id, "a number of input X");
    const bool has_any = id != 0 && node[kFirstChild] != 0;
    for (int64_t k = 0; k < children; ++k) {
      const int64_t found = has_any ? node[kFirstChild + k] : 0;
      *child++ = static_cast<T>(found);
      *leaf++ = static_cast<T>(has_any && tree.Node(found, "a child in TreeInfo")[0] != 0);
    }
  }
}

template <typename T>
void WriteChildrenAs(KernelContext& c) {
  T* child = c.Output("Child").mutable_data<T>();
  T* leaf = c.Output("LeafMask").mutable_data<T>();
  if (c.Input("TreeInfo").dtype() == DataType::kInt32)
    WriteChildren<int32_t>(c, child, leaf);
  else
    WriteChildren<int64_t>(c, child, leaf);
}

void RunTdmChild(KernelContext& c) {
  if (c.Output("Child").dtype() == DataType::kInt32)
    WriteChildrenAs<int32_t>(c);
  else
    WriteChildrenAs<int64_t>(c);
}

REGISTER_LITE_OP(tdm_child)
    .Input("X")
    .Input("TreeInfo")
    .Output("Child")
    .Output("LeafMask")
    .RequiredAttr<int32_t>("child_nums")
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt32))
    .InferShape(InferTdmChild);
REGISTER_LITE_FUNCTION(tdm_child, kHost, kAny, kNCHW, RunTdmChild, def);

}  // namespace
}  // namespace paddle::lite
