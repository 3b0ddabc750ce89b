// SPDX-License-Identifier: Apache-2.0
#include "io/contact/layer.h"

namespace slipfield {

ContactLayer input_layer(const InputCase& input) {
  ContactLayer layer;
  const InputNumbers& third = input.state.layer;
  if (input.digit('M') == 4 && third.size() == 4) {
    layer.compliance = third[1].value / third[0].value;
    constexpr double kNeverYields = 1.0e10;
    if (third[2].value > 0.0 && third[2].value < kNeverYields) {
      layer.yield_stress = third[2].value;
      layer.hardening = third[3].value;
    }
  }
  if (input.digit('B') == 1 && !input.state.sheet.empty())
    layer.normal_compliance = input.state.sheet[0].value;
  return layer;
}

}  // namespace slipfield
