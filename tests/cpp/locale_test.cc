// Applications that set a C++ locale, in which 1000 is written 1.000: no number of ours changes.
#include <locale>
#include <sstream>

#include "lite/core/base/errors.h"
#include "lite/core/base/numbers.h"
#include "nnadapter/hal/error.h"
#include "tests/cpp/check.h"

namespace paddle::lite {
namespace {

struct German : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

void TestTexts() {
  std::ostringstream german;
  german << 1234567;
  CHECK(german.str() == "1.234.567");
  CHECK(StrCat(1234567, " ", 0.5, " ", int64_t{-1000}) == "1234567 0.5 -1000");
  CHECK(::nnadapter::hal::Text("axis ", 1000, " ", 2.5f) == "axis 1000 2.5");
}

void TestNumbers() {
  const auto parsed = [](const std::string& text, double value, size_t length) {
    const char* end = nullptr;
    return ParseReal(text.c_str(), &end) == value && end == text.c_str() + length;
  };
  CHECK(parsed("0.5", 0.5, 3) && parsed("-1e-3j", -1e-3, 5) && parsed("7", 7, 1));
  CHECK(parsed(" .25,5", 0.25, 4) && parsed("1.5.5", 1.5, 3) && parsed("x", 0, 0));
  CHECK(parsed("", 0, 0) && parsed(".", 0, 0) && parsed("2.", 2, 2));
}

}  // namespace
}  // namespace paddle::lite

int main() {
  const std::locale german(std::locale::classic(), new paddle::lite::German);
  std::locale::global(german);
  paddle::lite::TestTexts();
  paddle::lite::TestNumbers();
  return paddle::lite::testing::g_failures ? 1 : 0;
}
