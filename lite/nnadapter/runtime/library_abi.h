// What the symbols of a HAL library say: which C++ library, and which of its two ABIs, it was
// compiled for.
#pragma once

#include <string>

namespace nnadapter::runtime {

enum class LibraryAbi {
  kSame,      // as this one: libstdc++, std::list with a size (or no sign of another)
  kOldLists,  // libstdc++ with _GLIBCXX_USE_CXX11_ABI=0: std::list without a size
  kForeign,   // another C++ library, whose std::list is another
};

// "libstdc++ (_GLIBCXX_USE_CXX11_ABI=0)"
const char* LibraryAbiName(LibraryAbi abi);

// By the names of the symbols in an ELF file; nothing of it is run. kSame where it cannot be read.
LibraryAbi LibraryAbiOf(const std::string& path);

// Whether an ELF file names the symbol; no more than its symbols are read.
bool HasSymbol(const std::string& path, const std::string& name);

}  // namespace nnadapter::runtime
