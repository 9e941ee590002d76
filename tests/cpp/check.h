// A test is a function that CHECKs; the executable exits with 1 when one failed.
#pragma once

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <typeinfo>

namespace paddle::lite::testing {

inline int g_failures = 0;

inline void Report(bool ok, const char* file, int line, const std::string& what) {
  if (ok) return;
  ++g_failures;
  std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, what.c_str());
}

// True where `call` throws an Error whose message holds `part`.
template <typename Error, typename Call>
void ExpectThrow(const char* file, int line, const Call& call, const std::string& part) {
  try {
    call();
  } catch (const std::exception& error) {
    const std::string said = error.what();
    bool right = true;
    if constexpr (!std::is_same_v<Error, std::exception>)
      right = dynamic_cast<const Error*>(&error) != nullptr;
    return Report(right && said.find(part) != std::string::npos, file, line,
                  "the error '" + said + "' is another one, or lacks '" + part + "'");
  }
  Report(false, file, line, "nothing was thrown; expected '" + part + "'");
}

}  // namespace paddle::lite::testing

#define CHECK(condition) \
  ::paddle::lite::testing::Report(static_cast<bool>(condition), __FILE__, __LINE__, #condition)
#define CHECK_THROWS(Error, expression, part)  \
  ::paddle::lite::testing::ExpectThrow<Error>( \
      __FILE__, __LINE__, [&] { (void)(expression); }, part)
#define TEST_EXIT_CODE() (::paddle::lite::testing::g_failures == 0 ? 0 : 1)
