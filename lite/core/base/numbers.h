// Numbers in texts, whatever locale an application has set.
#pragma once

namespace paddle::lite {

// strtod as in the C locale.
double ParseReal(const char* text, const char** end);

}  // namespace paddle::lite
