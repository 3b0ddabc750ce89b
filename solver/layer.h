// SPDX-License-Identifier: Apache-2.0
// A layer of third bodies between the surfaces, thin against the contact (THEORY.md 5.10): each
// element of it answers to its own traction only.
#pragma once

namespace slipfield {

struct ContactLayer {
  double compliance = 0.0;  // tangential, thickness over shear modulus [length^3/force]; >= 0
  double normal_compliance = 0.0;  // [length^3/force]; >= 0
  double yield_stress = 0.0;       // of shear that stays [force/length^2]; 0: it does not yield
  double hardening = 0.0;  // of the yield stress by sheared distance [force/length^3]; < 0: softens

  [[nodiscard]] bool yields() const { return yield_stress > 0.0; }
  [[nodiscard]] bool exists() const {
    return compliance != 0.0 || normal_compliance != 0.0 || yields();
  }
  bool operator==(const ContactLayer&) const = default;
};

}  // namespace slipfield
