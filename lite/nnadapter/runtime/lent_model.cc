#include "lite/nnadapter/runtime/lent_model.h"

#include <cstring>

namespace nnadapter::runtime {
namespace {

// The head of our std::list; a node begins with the first two as well.
struct Head {
  void* next;
  void* previous;
  size_t size;
};
static_assert(!kCanLendModels || sizeof(Head) == sizeof(std::list<core::Operand>), "ABI");

template <typename Element>
void Write(const Head& head, std::list<Element>* list) {
  std::memcpy(static_cast<void*>(list), &head, sizeof(head));
}

}  // namespace

template <typename Element>
void LentModel::Lend(std::list<Element>* from, Link* to) {
  to->next = to->previous = to;
  if (from->empty()) return;
  Head head;
  std::memcpy(&head, static_cast<const void*>(from), sizeof(head));
  to->next = static_cast<Link*>(head.next);
  to->previous = static_cast<Link*>(head.previous);
  to->next->previous = to;
  to->previous->next = to;
  Write(Head{from, from, 0}, from);
}

template <typename Element>
void LentModel::TakeBack(Link* from, std::list<Element>* to) {
  if (from->next == from) return;
  Head head{from->next, from->previous, 0};
  for (const Link* node = from->next; node != from; node = node->next) ++head.size;
  from->next->previous = reinterpret_cast<Link*>(to);
  from->previous->next = reinterpret_cast<Link*>(to);
  Write(head, to);
}

LentModel::LentModel(core::Model* model) : owner_(model) {
  Lend(&model->operands, &layout_.operands);
  Lend(&model->operations, &layout_.operations);
  layout_.input_operands.swap(model->input_operands);
  layout_.output_operands.swap(model->output_operands);
}

LentModel::~LentModel() {
  TakeBack(&layout_.operands, &owner_->operands);
  TakeBack(&layout_.operations, &owner_->operations);
  layout_.input_operands.swap(owner_->input_operands);
  layout_.output_operands.swap(owner_->output_operands);
}

}  // namespace nnadapter::runtime
