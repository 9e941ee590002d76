#include <algorithm>
#include <memory>
#include <vector>

#include "lite/core/memory.h"
#include "lite/kernels/cpu/matrix/einsum_equation.h"
#include "lite/kernels/cpu/matrix/matmul.h"
#include "lite/kernels/cpu/matrix/product.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

constexpr int kLetters = 52;
constexpr int kLabels = kLetters + DDim::kMaxRank;  // then the dims of the ellipsis, the last last
constexpr int kEllipsis = -1;
constexpr size_t kMaxQuoted = 200;

using Term = std::vector<int>;  // letters' labels and kEllipsis

class Parser {
 public:
  Parser(const std::string& text, const std::vector<DDim>& dims) : text_(text), dims_(dims) {}

  EinsumEquation Parse() {
    Split();
    if (terms_.size() != dims_.size())
      Fail("has ", terms_.size(), " terms, but there are ", dims_.size(), " operands");
    result_.sizes.assign(kLabels, 1);
    for (size_t i = 0; i < terms_.size(); ++i) ReadOperand(i);
    ReadOutput();
    return std::move(result_);
  }

 private:
  template <typename... Parts>
  [[noreturn]] void Fail(const Parts&... parts) const {
    const bool is_long = text_.size() > kMaxQuoted;
    throw ShapeError(StrCat("attribute equation '", text_.substr(0, kMaxQuoted),
                            is_long ? "..." : "", "' ", parts...));
  }

  // The terms before and after the arrow.
  void Split() {
    terms_.emplace_back();
    for (size_t i = 0; i < text_.size(); ++i) {
      const char ch = text_[i];
      Term& term = has_output_ ? output_ : terms_.back();
      if (ch == ' ') continue;
      if (ch >= 'A' && ch <= 'Z') {
        term.push_back(ch - 'A');
      } else if (ch >= 'a' && ch <= 'z') {
        term.push_back(ch - 'a' + 26);
      } else if (text_.compare(i, 3, "...") == 0) {
        if (std::count(term.begin(), term.end(), kEllipsis) > 0) Fail("has two ... in a term");
        term.push_back(kEllipsis);
        i += 2;
      } else if (ch == ',' && !has_output_) {
        terms_.emplace_back();
      } else if (text_.compare(i, 2, "->") == 0 && !has_output_) {
        has_output_ = true;
        i += 1;
      } else {
        Fail("has an unexpected character at ", i,
             ", expected letters, ... , commas and at most one ->");
      }
    }
  }

  void ReadOperand(size_t index) {
    const Term& term = terms_[index];
    const DDim& dims = dims_[index];
    const auto ellipses = std::count(term.begin(), term.end(), kEllipsis);
    const int letters = static_cast<int>(term.size() - static_cast<size_t>(ellipses));
    const int covered = dims.size() - letters;  // by the ellipsis
    if (covered < 0 || (covered > 0 && ellipses == 0))
      Fail("has ", letters, " letters for operand ", index, " of shape ", dims);
    ellipsis_rank_ = std::max(ellipsis_rank_, covered);
    std::vector<int> labels;
    for (const int label : term) {
      if (label != kEllipsis) {
        labels.push_back(label);
        continue;
      }
      for (int i = kLabels - covered; i < kLabels; ++i) labels.push_back(i);
    }
    for (size_t d = 0; d < labels.size(); ++d) {
      int64_t& size = result_.sizes[static_cast<size_t>(labels[d])];
      const int64_t dim = dims[static_cast<int>(d)];
      if (size != 1 && dim != 1 && size != dim)
        Fail("gives one label the sizes ", size, " and ", dim, " (operand ", index, " has shape ",
             dims, ")");
      if (dim != 1) size = dim;
    }
    result_.operands.push_back(std::move(labels));
  }

  int Occurrences(int label) const {
    int64_t count = 0;
    for (const Term& term : terms_) count += std::count(term.begin(), term.end(), label);
    return static_cast<int>(std::min<int64_t>(count, 2));
  }

  void ReadOutput() {
    if (!has_output_) {
      output_ = {kEllipsis};
      for (int label = 0; label < kLetters; ++label)
        if (Occurrences(label) == 1) output_.push_back(label);
    }
    for (const int label : output_) {
      if (label == kEllipsis) {
        for (int i = kLabels - ellipsis_rank_; i < kLabels; ++i) result_.output.push_back(i);
      } else if (Occurrences(label) == 0) {
        Fail("has a letter after -> that no operand has");
      } else {
        result_.output.push_back(label);
      }
    }
  }

  const std::string& text_;
  const std::vector<DDim>& dims_;
  std::vector<Term> terms_;
  Term output_;
  bool has_output_ = false;
  int ellipsis_rank_ = 0;
  EinsumEquation result_;
};

}  // namespace

EinsumEquation ParseEinsum(const std::string& text, const std::vector<DDim>& dims) {
  return Parser(text, dims).Parse();
}

namespace {

// Sums of products over named dimensions: operands are combined from left to right, each pair as
// a batch of matrix products.
using Labels = std::vector<int>;

bool Has(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

Labels Joined(Labels a, const Labels& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

int64_t Count(const Labels& labels, const std::vector<int64_t>& sizes) {
  int64_t count = 1;
  for (const int label : labels)
    if (__builtin_mul_overflow(count, sizes[static_cast<size_t>(label)], &count))
      throw ShapeError("an intermediate result of einsum has too many elements");
  return count;
}

// Elements with a stride for each label of more than one element. No label stands twice.
template <typename T>
struct View {
  Labels labels;
  std::vector<int64_t> strides;
  const T* data = nullptr;
  std::shared_ptr<void> memory;  // where the elements are an intermediate result

  int64_t Stride(int label) const {
    for (size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == label) return strides[i];
    return 0;
  }
};

template <typename T>
class Contraction {
 public:
  Contraction(const EinsumEquation& equation, int threads)
      : equation_(equation), sizes_(equation.sizes), threads_(threads) {}

  void Run(const std::vector<const Tensor*>& operands, Tensor& out) const {
    View<T> result = ViewOf(*operands[0], equation_.operands[0]);
    for (size_t i = 1; i < operands.size(); ++i)
      result = Combine(std::move(result), ViewOf(*operands[i], equation_.operands[i]), i);
    Store(SumExcept(std::move(result), equation_.output), out);
  }

 private:
  // A label that stands twice walks the diagonal.
  View<T> ViewOf(const Tensor& tensor, const Labels& labels) const {
    View<T> view;
    view.data = tensor.data<T>();
    const DDim strides = RowMajorStrides(tensor.dims());
    for (size_t i = 0; i < labels.size(); ++i) {
      const int d = static_cast<int>(i);
      if (tensor.dims()[d] == 1) continue;
      const auto found = std::find(view.labels.begin(), view.labels.end(), labels[i]);
      if (found == view.labels.end()) {
        view.labels.push_back(labels[i]);
        view.strides.push_back(strides[d]);
      } else {
        view.strides[static_cast<size_t>(found - view.labels.begin())] += strides[d];
      }
    }
    return view;
  }

  View<T> NewView(const Labels& labels, T** data) const {
    View<T> view;
    view.labels = labels;
    view.strides.resize(labels.size());
    int64_t size = 1;
    for (size_t i = labels.size(); i-- > 0;) {
      view.strides[i] = size;
      size *= sizes_[static_cast<size_t>(labels[i])];
    }
    int64_t bytes = 0;
    if (__builtin_mul_overflow(Count(labels, sizes_), int64_t{sizeof(T)}, &bytes))
      throw ShapeError("an intermediate result of einsum has too many elements");
    view.memory = AllocateAligned(static_cast<size_t>(bytes));
    *data = static_cast<T*>(view.memory.get());
    view.data = *data;
    return view;
  }

  void Copy(const View<T>& from, const View<T>& layout, T* to) const {
    math::CopyLoops loops;
    for (size_t i = 0; i < layout.labels.size(); ++i)
      loops.Add(sizes_[static_cast<size_t>(layout.labels[i])], from.Stride(layout.labels[i]),
                layout.strides[i]);
    loops.Run(from.data, to, sizeof(T), threads_);
  }

  bool LiesAs(const View<T>& view, const Labels& order) const {
    int64_t size = 1;
    for (size_t i = order.size(); i-- > 0;) {
      if (view.Stride(order[i]) != size) return false;
      size *= sizes_[static_cast<size_t>(order[i])];
    }
    return true;
  }

  // The elements in this order: as they lie, or copied.
  View<T> Arranged(View<T> view, const Labels& order) const {
    if (LiesAs(view, order)) return view;
    T* data = nullptr;
    View<T> moved = NewView(order, &data);
    Copy(view, moved, data);
    return moved;
  }

  View<T> SumExcept(View<T> view, const Labels& kept) const {
    Labels outer, inner;
    for (const int label : view.labels) (Has(kept, label) ? outer : inner).push_back(label);
    if (inner.empty()) return view;
    const View<T> rows = Arranged(std::move(view), Joined(outer, inner));
    T* sums = nullptr;
    View<T> result = NewView(outer, &sums);
    const int64_t count = Count(outer, sizes_), length = Count(inner, sizes_);
    for (int64_t i = 0; i < count; ++i) {
      std::conditional_t<std::is_same_v<T, float>, double, T> sum = 0;
      for (int64_t j = 0; j < length; ++j)
        sum = WrapAdd(sum, static_cast<decltype(sum)>(rows.data[i * length + j]));
      sums[i] = static_cast<T>(sum);
    }
    return result;
  }

  bool NeededAfter(int label, size_t index) const {
    if (Has(equation_.output, label)) return true;
    for (size_t i = index + 1; i < equation_.operands.size(); ++i)
      if (Has(equation_.operands[i], label)) return true;
    return false;
  }

  // The product of what the operands before `index` gave and that operand, summed over the labels
  // that nothing after it has.
  View<T> Combine(View<T> x, View<T> y, size_t index) const {
    Labels batch, rows, columns, summed, keep_x = y.labels, keep_y = x.labels;
    for (const int label : x.labels) {
      const bool needed = NeededAfter(label, index);
      if (needed) keep_x.push_back(label);
      if (Has(y.labels, label))
        (needed ? batch : summed).push_back(label);
      else if (needed)
        rows.push_back(label);
    }
    for (const int label : y.labels) {
      if (!NeededAfter(label, index)) continue;
      keep_y.push_back(label);
      if (!Has(x.labels, label)) columns.push_back(label);
    }
    x = SumExcept(std::move(x), keep_x);
    y = SumExcept(std::move(y), keep_y);
    Product p;
    p.batch = Count(batch, sizes_), p.k = Count(summed, sizes_);
    p.m = Count(rows, sizes_), p.n = Count(columns, sizes_);
    p.step_x = p.m * p.k, p.step_y = p.k * p.n;
    p.trans_x = LiesAs(x, Joined(Joined(batch, summed), rows));
    if (!p.trans_x) x = Arranged(std::move(x), Joined(Joined(batch, rows), summed));
    p.trans_y = LiesAs(y, Joined(Joined(batch, columns), summed));
    if (!p.trans_y) y = Arranged(std::move(y), Joined(Joined(batch, summed), columns));
    T* data = nullptr;
    View<T> result = NewView(Joined(Joined(batch, rows), columns), &data);
    Multiply(threads_, p, x.data, y.data, data);
    return result;
  }

  // A label that stands twice in the output fills a diagonal of zeros.
  void Store(const View<T>& result, Tensor& out) const {
    T* to = out.mutable_data<T>();
    const Labels& labels = equation_.output;
    const DDim strides = RowMajorStrides(out.dims());
    View<T> layout;
    for (size_t i = 0; i < labels.size(); ++i) {
      const int64_t stride = strides[static_cast<int>(i)];
      const auto found = std::find(layout.labels.begin(), layout.labels.end(), labels[i]);
      if (found == layout.labels.end()) {
        layout.labels.push_back(labels[i]);
        layout.strides.push_back(stride);
      } else {
        layout.strides[static_cast<size_t>(found - layout.labels.begin())] += stride;
      }
    }
    if (layout.labels.size() < labels.size()) std::fill(to, to + out.numel(), T{0});
    Copy(result, layout, to);
  }

  const EinsumEquation& equation_;
  const std::vector<int64_t>& sizes_;
  int threads_;
};

void InferEinsum(InferContext& c) {
  const size_t count = c.InputCount("Operands");
  std::vector<DDim> dims;
  for (size_t i = 0; i < count; ++i) {
    const TensorMeta& operand = c.Input("Operands", i);
    const DataType dtype = operand.dtype;
    if (dtype != DataType::kFP32 && dtype != DataType::kFP64 && dtype != DataType::kInt32 &&
        dtype != DataType::kInt64)
      throw DataTypeError(StrCat("input Operands[", i, "] is ", Name(dtype),
                                 ", expected float32, float64, int32 or int64"));
    if (dtype != c.Input("Operands").dtype)
      throw DataTypeError(StrCat("input Operands[", i, "] is ", Name(dtype), ", but the first is ",
                                 Name(c.Input("Operands").dtype)));
    dims.push_back(operand.dims);
  }
  const EinsumEquation equation = ParseEinsum(c.Attr<std::string>("equation"), dims);
  DDim out;
  for (const int label : equation.output) out.push_back(equation.sizes[static_cast<size_t>(label)]);
  c.SetOutput("Out", out, c.Input("Operands").dtype);
}

void RunEinsum(KernelContext& c) {
  std::vector<const Tensor*> operands;
  std::vector<DDim> dims;
  for (size_t i = 0; i < c.InputCount("Operands"); ++i) {
    operands.push_back(&c.Input("Operands", i));
    dims.push_back(operands.back()->dims());
  }
  const EinsumEquation equation = ParseEinsum(c.Attr<std::string>("equation"), dims);
  Tensor& out = c.Output("Out");
  ForTypes<float, double, int32_t, int64_t>(c, operands[0]->dtype(), [&](auto zero) {
    Contraction<decltype(zero)>(equation, c.threads()).Run(operands, out);
  });
}

REGISTER_LITE_OP(einsum)
    .Inputs("Operands")
    .Output("Out")
    .OptionalOutputs("InnerCache")  // for training; never written
    .OptionalOutputs("XShape")
    .RequiredAttr<std::string>("equation")
    .InferShape(InferEinsum);
REGISTER_LITE_FUNCTION(einsum, kHost, kAny, kNCHW, RunEinsum, def);

}  // namespace
}  // namespace paddle::lite
