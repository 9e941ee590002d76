// Why devices do not take operations, beyond the C API of nnadapter.h.
#pragma once

#include <string>
#include <vector>

#include "nnadapter/extensions.h"

namespace nnadapter::runtime {

// Called by a driver of this process while its validate_program runs: why it does not take
// operation number `index` of the model. Outside of that it does nothing.
void NoteRefusal(size_t index, const std::string& reason);

// Lets NoteRefusal of this thread write into `reasons`, one for each of `count` operations; null
// lets it write nowhere.
class RefusalSink {
 public:
  RefusalSink(std::vector<std::string>* reasons, size_t count);
  ~RefusalSink();
  RefusalSink(const RefusalSink&) = delete;
  RefusalSink& operator=(const RefusalSink&) = delete;

 private:
  std::vector<std::string>* const outer_;
};

// What NNAdapterModel_getRefusal tells this thread from now on.
void RememberRefusals(std::vector<std::string> reasons);

}  // namespace nnadapter::runtime
