#include "lite/core/base/errors.h"

#include <locale>
#include <sstream>

namespace paddle::lite {

std::string JoinPieces(const TextPiece* pieces, size_t count) {
  std::ostringstream out;
  out.imbue(std::locale::classic());  // 1000, not 1.000 or 1,000, where the application's says so
  for (size_t i = 0; i < count; ++i) pieces[i].Write(out);
  return out.str();
}

}  // namespace paddle::lite
