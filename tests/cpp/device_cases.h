// One case of each kind; see fuzz_devices.cc. Each returns how many executions succeeded.
#pragma once

#include <string>
#include <vector>

#include "tests/cpp/mutate.h"

namespace paddle::lite::testing {

// Calls of the C API in a mostly sensible order, with arguments that are mostly sensible.
int ApiCase(Random* random);
// Random models on builtin_device and hostile devices.
int HalCase(Random* random);
// Property strings, and contexts and models on them.
int PropertiesCase(Random* random);
// A predictor whose subgraph goes to hostile devices.
int PredictorCase(Random* random);

// Damaged `.nnc` files.
class CacheCases {
 public:
  // Makes sound files in a temporary folder, which goes with the object.
  CacheCases();
  ~CacheCases();
  CacheCases(const CacheCases&) = delete;
  int Run(Random* random);

 private:
  struct Base;
  std::string Mutant(const Base& base, Random* random) const;

  std::string folder_;
  std::vector<Base> bases_;
  std::vector<std::string> programs_;
};

}  // namespace paddle::lite::testing
