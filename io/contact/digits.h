// The control digits of a case, three numbers whose digits are choices. See io/contact/case.h.
#pragma once

#include "io/contact/case.h"

namespace slipfield {

// Digits that no case may have are errors.
void read_control_digits(InputLines& lines, InputCase& input, CaseDiagnostics& diagnostics);

}  // namespace slipfield
