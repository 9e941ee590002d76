#include "lite/kernels/cpu/indexing/unique.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "lite/kernels/cpu/elementwise/elementwise.h"

namespace paddle::lite {
namespace {

void RunUnique(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DataType dtype = IndexTypeOf(c);
  const bool sorted = c.Attr<bool>("is_sorted");
  // What is not sorted is the older operator, which knows no axis.
  const RowView view(x, sorted ? c.Attr<std::vector<int32_t>>("axis") : std::vector<int32_t>{});
  const RowGroups groups =
      GroupRows(c, x, view, sorted ? GroupOrder::kSorted : GroupOrder::kAppearance);
  WriteGroups(x, view, groups, c.Output("Out"), c.threads());
  WriteIndexes(c, "Indices", groups.first, dtype);
  WriteIndexes(c, "Index", groups.of, dtype);
  if (!sorted && x.dims().empty())
    if (Tensor* index = c.OutputOrNull("Index")) index->Resize({});
  WriteIndexes(c, "Counts", groups.counts, dtype);
}

// Outputs that return_index, ... do not ask for are written too: nobody reads them.
REGISTER_LITE_OP(unique)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Indices")
    .OptionalOutput("Index")
    .OptionalOutput("Counts")
    .Attr<std::vector<int32_t>>("axis", {})
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .Attr<bool>("is_sorted", false)
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(unique, kHost, kAny, kNCHW, RunUnique, def);

void RunUniqueConsecutive(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DataType dtype = IndexTypeOf(c);
  const RowView view(x, c.Attr<std::vector<int32_t>>("axis"));
  const RowGroups groups = GroupRows(c, x, view, GroupOrder::kConsecutive);
  WriteGroups(x, view, groups, c.Output("Out"), c.threads());
  WriteIndexes(c, "Index", groups.of, dtype);
  WriteIndexes(c, "Counts", groups.counts, dtype);
}

REGISTER_LITE_OP(unique_consecutive)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Index")
    .OptionalOutput("Counts")
    .Attr<std::vector<int32_t>>("axis", {})
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(unique_consecutive, kHost, kAny, kNCHW, RunUniqueConsecutive, def);

void RunUniqueWithCounts(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DataType dtype = IndexTypeOf(c);
  const RowView view(x, {});
  const RowGroups groups = GroupRows(c, x, view, GroupOrder::kAppearance);
  WriteGroups(x, view, groups, c.Output("Out"), c.threads());
  WriteIndexes(c, "Index", groups.of, dtype);
  WriteIndexes(c, "Count", groups.counts, dtype);
}

REGISTER_LITE_OP(unique_with_counts)
    .Input("X")
    .Output("Out")
    .Output("Index")
    .Output("Count")
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(unique_with_counts, kHost, kAny, kNCHW, RunUniqueWithCounts, def);

template <typename T>
int Compare(T a, T b) {
  const bool a_nan = a != a, b_nan = b != b;
  if (a_nan || b_nan) return static_cast<int>(a_nan) - static_cast<int>(b_nan);
  return a < b ? -1 : a > b ? 1 : 0;
}

template <typename T>
int CompareRows(const T* x, const GatherShape& shape, int64_t a, int64_t b) {
  for (int64_t o = 0; o < shape.outer; ++o) {
    const T* slab = x + o * shape.rows * shape.inner;
    for (int64_t i = 0; i < shape.inner; ++i) {
      const int found = Compare(slab[a * shape.inner + i], slab[b * shape.inner + i]);
      if (found != 0) return found;
    }
  }
  return 0;
}

// A number that is ordered as x is, NaNs last: equal where the numbers are.
template <typename T>
uint64_t SortKey(T x) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x) return ~uint64_t{0};
    const double value = static_cast<double>(x) + 0.0;  // 0 for -0
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  } else {
    return static_cast<uint64_t>(static_cast<int64_t>(x)) ^ kSign;
  }
}

struct Keyed {
  uint64_t key;
  int64_t row;
};

// Of rows of one number.
RowGroups GroupKeys(std::vector<Keyed> rows, GroupOrder order) {
  if (order != GroupOrder::kConsecutive)
    std::sort(rows.begin(), rows.end(), [](const Keyed& a, const Keyed& b) {
      return a.key != b.key ? a.key < b.key : a.row < b.row;
    });
  RowGroups groups;
  groups.of.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i)
    groups.Add(rows[i].row, i == 0 || rows[i - 1].key != rows[i].key);
  return groups;
}

// `compare` is negative, 0 or positive.
RowGroups GroupBy(int64_t count, GroupOrder order, FunctionRef<int(int64_t, int64_t)> compare) {
  std::vector<int64_t> rows(static_cast<size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  if (order != GroupOrder::kConsecutive)
    std::stable_sort(rows.begin(), rows.end(),
                     [&](int64_t a, int64_t b) { return compare(a, b) < 0; });
  RowGroups groups;
  groups.of.resize(rows.size());
  for (size_t i = 0; i < rows.size(); ++i)
    groups.Add(rows[i], i == 0 || compare(rows[i - 1], rows[i]) != 0);
  return groups;
}

RowGroups InOrderOfAppearance(const RowGroups& sorted) {
  const size_t count = sorted.first.size();
  std::vector<int64_t> order(count), rank(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return sorted.first[static_cast<size_t>(a)] < sorted.first[static_cast<size_t>(b)];
  });
  RowGroups groups;
  for (const int64_t group : order) {
    rank[static_cast<size_t>(group)] = static_cast<int64_t>(groups.first.size());
    groups.first.push_back(sorted.first[static_cast<size_t>(group)]);
    groups.counts.push_back(sorted.counts[static_cast<size_t>(group)]);
  }
  for (const int64_t group : sorted.of) groups.of.push_back(rank[static_cast<size_t>(group)]);
  return groups;
}

}  // namespace

void RowGroups::Add(int64_t row, bool starts) {
  if (starts) {
    first.push_back(row);
    counts.push_back(0);
  }
  ++counts.back();
  of[static_cast<size_t>(row)] = static_cast<int64_t>(first.size()) - 1;
}

RowView::RowView(const Tensor& x, const std::vector<int32_t>& given) {
  if (given.size() > 1)
    throw ShapeError(
        StrCat("attribute axis has ", given.size(), " elements, expected at most one"));
  dims = given.empty() ? DDim{x.numel()} : x.dims();
  axis = given.empty() ? 0 : CanonicalAxis(given[0], dims.size(), "axis");
  shape = {dims.Count(0, axis), dims[axis], dims.Count(axis + 1, dims.size()), -1};
}

DDim RowView::With(int64_t rows) const {
  DDim out = dims;
  out[axis] = rows;
  return out;
}

RowGroups GroupRows(const KernelContext& c, const Tensor& x, const RowView& view,
                    GroupOrder order) {
  RowGroups groups;
  ForTypes<float, double, int32_t, int64_t, bool, uint8_t, int8_t, int16_t>(
      c, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* data = x.data<T>();
        if (view.shape.outer == 1 && view.shape.inner == 1) {
          std::vector<Keyed> rows(static_cast<size_t>(view.shape.rows));
          for (size_t i = 0; i < rows.size(); ++i)
            rows[i] = {SortKey(data[i]), static_cast<int64_t>(i)};
          groups = GroupKeys(std::move(rows), order);
        } else {
          groups = GroupBy(view.shape.rows, order, [&](int64_t a, int64_t b) {
            return CompareRows(data, view.shape, a, b);
          });
        }
      });
  return order == GroupOrder::kAppearance ? InOrderOfAppearance(groups) : groups;
}

void WriteGroups(const Tensor& x, const RowView& view, const RowGroups& groups, Tensor& out,
                 int threads) {
  const auto count = static_cast<int64_t>(groups.first.size());
  Tensor index;
  index.Allocate({count}, DataType::kInt64);
  std::copy(groups.first.begin(), groups.first.end(), index.mutable_data<int64_t>());
  out.Allocate(view.With(count), x.dtype());
  GatherRows(x, index, "X", view.shape, out, threads);
}

void WriteIndexes(KernelContext& c, const char* slot, const std::vector<int64_t>& values,
                  DataType dtype) {
  Tensor* out = c.OutputOrNull(slot);
  if (out == nullptr) return;
  out->Allocate({static_cast<int64_t>(values.size())}, dtype);
  if (dtype == DataType::kInt64)
    std::copy(values.begin(), values.end(), out->mutable_data<int64_t>());
  else
    std::transform(values.begin(), values.end(), out->mutable_data<int32_t>(),
                   [](int64_t value) { return static_cast<int32_t>(value); });
}

DataType IndexTypeOf(const KernelContext& c) {
  const DataType dtype = DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype");
  RequireIndexType(dtype, "attribute dtype");
  return dtype;
}

}  // namespace paddle::lite
