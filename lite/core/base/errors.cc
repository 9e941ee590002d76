#include "lite/core/base/errors.h"

#include <sstream>

namespace paddle::lite {

std::string JoinPieces(const TextPiece* pieces, size_t count) {
  std::ostringstream out;
  for (size_t i = 0; i < count; ++i) pieces[i].Write(out);
  return out.str();
}

}  // namespace paddle::lite
