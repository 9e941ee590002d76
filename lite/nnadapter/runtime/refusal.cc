#include "lite/nnadapter/runtime/refusal.h"

#include "lite/nnadapter/runtime/error.h"

namespace nnadapter::runtime {
namespace {

thread_local std::vector<std::string>* sink = nullptr;
thread_local std::vector<std::string> remembered;

}  // namespace

void NoteRefusal(size_t index, const std::string& reason) {
  if (sink && index < sink->size()) (*sink)[index] = reason;
}

RefusalSink::RefusalSink(std::vector<std::string>* reasons, size_t count) : outer_(sink) {
  if (reasons) reasons->assign(count, "");
  sink = reasons;
}

RefusalSink::~RefusalSink() { sink = outer_; }

void RememberRefusals(std::vector<std::string> reasons) { remembered = std::move(reasons); }

}  // namespace nnadapter::runtime

int NNAdapterModel_getRefusal(uint32_t operation, const char** reason) {
  using namespace nnadapter::runtime;  // NOLINT: the C face of that namespace
  return Barrier(__func__, [&] {
    if (!reason) FailParameter("reason is null");
    *reason = "";
    if (operation >= remembered.size())
      FailParameter("operation ", operation, " of ", remembered.size(), " that were asked about");
    *reason = remembered[operation].c_str();
  });
}
