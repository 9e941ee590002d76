// Included in every file of a mutated build (-include): which mutation is on. It starts from the
// environment variable LITE_MUTANT; run.py sets it in a process that has been forked.
#pragma once
#ifdef __cplusplus
#include <cstdlib>
extern "C" __attribute__((weak, visibility("default"))) int lite_mutant_on = -1;
inline int lite_mutant(int number) {
  if (lite_mutant_on < 0) {
    const char* text = std::getenv("LITE_MUTANT");
    lite_mutant_on = text ? std::atoi(text) : 0;
  }
  return lite_mutant_on == number;
}
#endif
