#include "lite/core/base/numbers.h"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <string>

namespace paddle::lite {

double ParseReal(const char* text, const char** end) {
  // All that strtod takes from the locale. A text that has it in place of a point ends there.
  const std::string point = std::localeconv()->decimal_point;
  std::string local = text;
  if (point != ".") local.resize(std::min(local.find(point), local.size()));
  const size_t at = local.find('.');
  if (at != std::string::npos) local.replace(at, 1, point);
  char* stop = nullptr;
  const double value = std::strtod(local.c_str(), &stop);
  auto read = static_cast<size_t>(stop - local.c_str());
  if (at != std::string::npos && read > at) read -= point.size() - 1;
  *end = text + read;
  return value;
}

}  // namespace paddle::lite
