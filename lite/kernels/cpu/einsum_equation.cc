#include "lite/kernels/cpu/einsum_equation.h"

#include <algorithm>

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

}  // namespace paddle::lite
