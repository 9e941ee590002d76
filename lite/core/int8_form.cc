#include "lite/core/int8_form.h"

namespace paddle::lite {

Int8Form Int8FormOf(const OpLite& op) {
  return {op.Attr<float>("int8_scale"), op.Attr<float>("int8_threshold"),
          op.Attr<int>("int8_round_type"), op.Attr<int>("int8_zero_byte")};
}

}  // namespace paddle::lite
