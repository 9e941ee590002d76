#include <algorithm>

#include "lite/core/plan/views.h"

namespace paddle::lite {
namespace {

using Ints = std::vector<int64_t>;

// A product of X and Y as the operators for that say it.
struct Product {
  ValueId x = -1, y = -1;
  bool trans_x = false, trans_y = false;
  float alpha = 1;
};

bool IsProduct(const OpLite& op, Product* product) {
  if (op.type() == "matmul_v2") {
    product->trans_x = op.Attr<bool>("trans_x");
    product->trans_y = op.Attr<bool>("trans_y");
  } else if (op.type() == "matmul") {
    product->trans_x = op.Attr<bool>("transpose_X");
    product->trans_y = op.Attr<bool>("transpose_Y");
    product->alpha = op.Attr<float>("alpha");
  } else if (op.type() != "bmm") {
    return false;
  }
  product->x = op.Input("X")[0];
  product->y = op.Input("Y")[0];
  return true;
}

void SwapMatrix(View* view) {
  const int last = view->dims.size() - 1;
  std::swap(view->dims[last], view->dims[last - 1]);
  std::swap(view->strides[last], view->strides[last - 1]);
}

// The view's strides over `dims`, to which it broadcasts: {offset, row, column, batch...}.
bool StridesOver(const DDim& dims, const View& view, Ints* strides) {
  const int rank = dims.size(), missing = rank - view.dims.size();
  if (missing < 0) return false;
  Ints each(static_cast<size_t>(rank), 0);
  for (int i = 0; i < view.dims.size(); ++i) {
    if (view.dims[i] == 1) continue;
    if (view.dims[i] != dims[missing + i]) return false;
    each[static_cast<size_t>(missing + i)] = view.strides[i];
  }
  *strides = {view.offset, each[static_cast<size_t>(rank - 2)],
              each[static_cast<size_t>(rank - 1)]};
  strides->insert(strides->end(), each.begin(), each.end() - 2);
  return true;
}

class AttentionFuser {
 public:
  explicit AttentionFuser(PlanDraft* draft)
      : draft_(*draft), views_(*draft), uses_(draft->values.size()) {
    producer_.assign(draft_.values.size(), -1);
    consumer_.assign(draft_.values.size(), -1);
    for (size_t n = 0; n < draft_.nodes.size(); ++n) {
      const PlanNode& node = draft_.nodes[n];
      PlanDraft::ForEachInput(node, [&](ValueId id) {
        ++uses_[static_cast<size_t>(id)];
        consumer_[static_cast<size_t>(id)] = static_cast<int>(n);
      });
      for (const auto& slot : node.op.outputs())
        for (const ValueId id : slot) producer_[static_cast<size_t>(id)] = static_cast<int>(n);
    }
    for (const ValueId id : draft_.live_out) ++uses_[static_cast<size_t>(id)];
  }

  bool Run() {
    bool any = false;
    for (size_t n = 0; n < draft_.nodes.size(); ++n)
      if (draft_.nodes[n].op.type() == "softmax") any = Fuse(draft_.nodes[n].op) || any;
    return any;
  }

 private:
  struct Match {
    AttributeMap attributes;
    View q, k, v, mask;
    DDim scores;  // batch..., queries, keys
    float scale = 1;
  };

  const PlanNode* Producer(ValueId id) const {
    const int n = producer_[static_cast<size_t>(id)];
    return n < 0 ? nullptr : &draft_.nodes[static_cast<size_t>(n)];
  }
  bool UsedOnce(ValueId id) const { return uses_[static_cast<size_t>(id)] == 1; }
  const TensorMeta& Meta(ValueId id) const { return draft_.value(id).meta; }

  bool IsMatrix(ValueId id) const {
    return Meta(id).dtype == DataType::kFP32 && Meta(id).dims.size() >= 2;
  }

  // A view with strides over `dims` that `fits`, of what the value was made of or of itself.
  template <typename Fits>
  bool FindView(ValueId id, bool swapped, const DDim& dims, View* view, Ints* strides,
                const Fits& fits) const {
    for (View found : {views_.Of(id), views_.Itself(id)}) {
      if (swapped) SwapMatrix(&found);
      if (!StridesOver(dims, found, strides)) return false;
      if (!fits(*strides)) continue;
      *view = found;
      return true;
    }
    return false;
  }

  // Where dims of one element have any stride, it may be 1.
  static bool RowsAreRuns(Ints* strides, int64_t cols) {
    if (cols == 1) (*strides)[2] = 1;
    return (*strides)[2] == 1;
  }

  bool Fuse(const OpLite& softmax) {
    Match match;
    const ValueId weights = softmax.Output("Out")[0];
    ValueId scores = softmax.Input("X")[0];
    match.scores = Meta(scores).dims;
    const int rank = match.scores.size(), axis = softmax.Attr<int>("axis");
    if (rank < 2 || (axis != -1 && axis != rank - 1) || !IsMatrix(scores)) return false;
    if (match.scores.production() == 0 || !UsedOnce(weights)) return false;
    if (!TakeMask(&scores, &match)) return false;
    if (!TakeScale(&scores, &match)) return false;
    return UsedOnce(scores) && TakeScores(scores, &match) && TakeSum(weights, softmax, &match);
  }

  // Goes back over an addition; false where there is one that is no mask.
  bool TakeMask(ValueId* scores, Match* match) const {
    const PlanNode* add = Producer(*scores);
    if (add == nullptr) return false;
    if (add->op.type() != "elementwise_add") return true;
    if (!UsedOnce(*scores)) return false;
    const ValueId x = add->op.Input("X")[0], y = add->op.Input("Y")[0];
    const int axis = add->op.Attr<int>("axis");
    for (const bool x_is_main : {true, false}) {
      const ValueId main = x_is_main ? x : y, mask = x_is_main ? y : x;
      if (Meta(main).dims != match->scores || Producer(main) == nullptr) continue;
      const int missing = match->scores.size() - Meta(mask).dims.size();
      if (missing < 0 || Meta(mask).dims.empty() || Meta(mask).dtype != DataType::kFP32) continue;
      if (missing > 0 && (!x_is_main || (axis != -1 && axis != missing))) continue;
      Product unused;
      const OpLite& from = Producer(main)->op;
      if (from.type() != "scale" && !IsProduct(from, &unused)) continue;
      Ints strides;
      View view;
      const auto fits = [](const Ints& s) { return s[2] == 0 || s[2] == 1; };
      if (Meta(mask).dims.size() < 2) {
        view = views_.Itself(mask);
        if (!StridesOver(match->scores, view, &strides)) continue;
      } else if (!FindView(mask, false, match->scores, &view, &strides, fits)) {
        continue;
      }
      match->mask = view;
      match->attributes["mask"] = strides;
      *scores = main;
      return true;
    }
    return false;
  }

  bool TakeScale(ValueId* scores, Match* match) const {
    const PlanNode* scale = Producer(*scores);
    if (scale == nullptr) return false;
    if (scale->op.type() != "scale") return true;
    const math::Activation act = scale->op.info().activation()(scale->op);
    if (act.kind != math::Act::kAffine || act.b != 0 || !UsedOnce(*scores)) return false;
    match->scale *= act.a;
    *scores = scale->op.Input("X")[0];
    return true;
  }

  bool TakeScores(ValueId scores, Match* match) const {
    Product product;
    const PlanNode* node = Producer(scores);
    if (node == nullptr || !IsProduct(node->op, &product)) return false;
    if (Meta(scores).dims != match->scores || !IsMatrix(product.x) || !IsMatrix(product.y))
      return false;
    match->scale *= product.alpha;
    const int last = match->scores.size() - 1;
    const DDim &x = Meta(product.x).dims, &y = Meta(product.y).dims;
    const int64_t dim = x[x.size() - (product.trans_x ? 2 : 1)];
    DDim q = match->scores, k = match->scores;
    q[last] = dim;
    k[last - 1] = k[last];
    k[last] = dim;
    if (dim == 0 || x.size() > q.size() || y.size() > k.size()) return false;
    Ints q_strides, k_strides;
    const auto runs = [&](Ints& s) { return RowsAreRuns(&s, dim); };
    if (!FindView(product.x, product.trans_x, q, &match->q, &q_strides, runs)) return false;
    const auto either = [&](Ints& s) { return RowsAreRuns(&s, dim) || IsColumn(&s, k[last - 1]); };
    if (!FindView(product.y, !product.trans_y, k, &match->k, &k_strides, either)) return false;
    match->attributes["q"] = q_strides;
    match->attributes["k"] = k_strides;
    match->attributes["sizes"] = Ints{match->scores[last - 1], match->scores[last], dim, 0};
    return true;
  }

  static bool IsColumn(Ints* strides, int64_t rows) {
    if (rows == 1) (*strides)[1] = 1;
    return (*strides)[1] == 1;
  }

  // The product with V, then what puts the fused node in its place.
  bool TakeSum(ValueId weights, const OpLite& softmax, Match* match) {
    const int n = consumer_[static_cast<size_t>(weights)];
    Product product;
    if (n < 0 || !IsProduct(draft_.nodes[static_cast<size_t>(n)].op, &product)) return false;
    if (product.x != weights || product.trans_x || product.alpha != 1.0f) return false;
    if (!IsMatrix(product.y) || product.y == weights) return false;
    const ValueId sum = draft_.nodes[static_cast<size_t>(n)].op.Output("Out")[0];
    DDim v = match->scores;
    const int last = v.size() - 1;
    const DDim& out = Meta(sum).dims;
    if (out.size() != v.size() || out.production() == 0) return false;
    v[last - 1] = v[last];
    v[last] = out.back();
    for (int i = 0; i < last; ++i)
      if (out[i] != match->scores[i]) return false;
    Ints strides;
    const auto either = [&](Ints& s) {
      return RowsAreRuns(&s, v[last]) || IsColumn(&s, v[last - 1]);
    };
    if (!FindView(product.y, product.trans_y, v, &match->v, &strides, either)) return false;
    for (const ValueId id : {match->k.root, match->v.root})
      if (draft_.value(id).constant != nullptr) return false;  // packed once by the products
    match->attributes["v"] = strides;
    std::get<Ints>(match->attributes["sizes"])[3] = v[last];
    match->attributes["batch"] = Ints(match->scores.begin(), match->scores.end() - 2);
    match->attributes["scale"] = match->scale;
    Place(n, sum, softmax, match);
    return true;
  }

  void Place(int n, ValueId sum, const OpLite& softmax, Match* match) {
    Ints order;
    for (int i = 0; i < match->scores.size(); ++i) order.push_back(i);
    ValueId result = sum;
    int place = n;
    const int next = consumer_[static_cast<size_t>(sum)];
    if (next >= 0 && UsedOnce(sum)) {
      const OpLite& op = draft_.nodes[static_cast<size_t>(next)].op;
      if (IsTransposeOfRows(op)) {
        const auto& axis = op.Attr<std::vector<int32_t>>("axis");
        for (size_t i = 0; i < axis.size(); ++i)
          order[i] = axis[i] < 0 ? axis[i] + static_cast<int>(axis.size()) : axis[i];
        result = op.Output("Out")[0];
        place = next;
      }
    }
    match->attributes["order"] = order;
    OpLite::Slots inputs{{"Q", {match->q.root}}, {"K", {match->k.root}}, {"V", {match->v.root}}};
    if (match->mask.root >= 0) inputs["Mask"] = {match->mask.root};
    OpLite op(OpRegistry::Global().Find("attention_of_views"), inputs, {{"Out", {result}}},
              match->attributes);
    op.SetWhere(softmax.where());
    PlanNode fused{std::move(op), DataLayoutType::kNCHW, {}, false, false};
    draft_.nodes[static_cast<size_t>(place)] = std::move(fused);
    // What made the weights and the sum has no reader any more.
  }

  // A transpose that leaves the last dim where it is, and of which nothing else is used.
  bool IsTransposeOfRows(const OpLite& op) const {
    if (op.type() != "transpose" && op.type() != "transpose2") return false;
    const auto& axis = op.Attr<std::vector<int32_t>>("axis");
    const int rank = static_cast<int>(axis.size());
    if (axis.back() != -1 && axis.back() != rank - 1) return false;
    for (const auto& slot : op.outputs())
      for (const ValueId id : slot)
        if (id != op.Output("Out")[0] && uses_[static_cast<size_t>(id)] > 0) return false;
    return true;
  }

  PlanDraft& draft_;
  const Views views_;
  std::vector<int> uses_, producer_, consumer_;
};

}  // namespace

void FuseAttention(PlanDraft* draft) {
  if (OpRegistry::Global().Find("attention_of_views") == nullptr) return;
  if (AttentionFuser(draft).Run()) RemoveDeadNodes(draft);
}

}  // namespace paddle::lite
