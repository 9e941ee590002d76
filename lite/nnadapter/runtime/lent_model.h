// A core::Model as libraries see it that were compiled with _GLIBCXX_USE_CXX11_ABI=0. The nodes of
// their std::list are ours; its head has no size.
#pragma once

#include <list>
#include <vector>

#include "nnadapter/core/types.h"

namespace nnadapter::runtime {

// Whether this runtime's own std::list is libstdc++'s new one.
#if defined(__GLIBCXX__) && _GLIBCXX_USE_CXX11_ABI
constexpr bool kCanLendModels = true;
#else
constexpr bool kCanLendModels = false;
#endif

class LentModel {
 public:
  // Takes over what `model` holds until this is destroyed; nobody else may look at it.
  explicit LentModel(core::Model* model);
  // Gives back what the borrower has left.
  ~LentModel();
  LentModel(const LentModel&) = delete;
  LentModel& operator=(const LentModel&) = delete;

  // For the borrower: its own kind of core::Model.
  core::Model* model() { return reinterpret_cast<core::Model*>(&layout_); }
  const std::vector<core::Operand*>& input_operands() const { return layout_.input_operands; }
  const std::vector<core::Operand*>& output_operands() const { return layout_.output_operands; }

 private:
  struct __attribute__((may_alias)) Link {
    Link* next;
    Link* previous;
  };
  struct Layout {
    Link operands, operations;
    std::vector<core::Operand*> input_operands, output_operands;
  };
  static_assert(sizeof(Layout) == 80, "ABI");

  template <typename Element>
  static void Lend(std::list<Element>* from, Link* to);
  template <typename Element>
  static void TakeBack(Link* from, std::list<Element>* to);

  core::Model* const owner_;
  Layout layout_;
};

}  // namespace nnadapter::runtime
