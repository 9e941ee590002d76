// Included in every file of a mutated build (-include): which mutation is on. It starts from the
// environment variable LITE_MUTANT; run.py sets it in a process that has been forked. The first
// time that a process comes to a mutation, its number is added to the file that LITE_MUTANT_LOG
// names.
#pragma once
#ifdef __cplusplus
#include <cstdio>
#include <cstdlib>
extern "C" {
__attribute__((weak, visibility("default"))) int lite_mutant_on = -1;
__attribute__((weak, visibility("default"))) char lite_mutants_reached[1024];
__attribute__((weak, visibility("default"))) void lite_mutant_reached(int number) {
  lite_mutants_reached[number] = 1;
  const char* name = std::getenv("LITE_MUTANT_LOG");
  if (name == nullptr) return;
  if (std::FILE* file = std::fopen(name, "a")) {
    std::fprintf(file, "%d\n", number);
    std::fclose(file);
  }
}
}
inline int lite_mutant(int number) {
  if (lite_mutant_on < 0) {
    const char* text = std::getenv("LITE_MUTANT");
    lite_mutant_on = text ? std::atoi(text) : 0;
  }
  if (!lite_mutants_reached[number]) lite_mutant_reached(number);
  return lite_mutant_on == number;
}
#endif
