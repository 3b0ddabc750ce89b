// SPDX-License-Identifier: Apache-2.0
// The section `layer`: what is between the bodies.
#include <fmt/format.h>

#include <string>

#include "io/case/check/faults.h"
#include "io/case/sections.h"

namespace slipfield {

ContactLayer read_layer(CaseSection& root) {
  ContactLayer layer;
  auto section = root.section(
      "layer",
      "a map {thickness, shear_modulus, compliance, normal_compliance, yield_stress, hardening}",
      Presence::optional);
  if (!section) return layer;
  const bool ratio = section->has("thickness") || section->has("shear_modulus");
  if (ratio) {
    section->refuse("compliance", "given together with a thickness and a shear modulus",
                    "compliance, or thickness and shear_modulus");
    const auto thickness = section->number("thickness", kNotNegative, Presence::required);
    const auto modulus = section->number("shear_modulus", kPositive, Presence::required);
    if (thickness && modulus) layer.compliance = *thickness / *modulus;
  } else {
    section->know("thickness");
    section->know("shear_modulus");
    layer.compliance = section->number_or("compliance", kNotNegative, 0.0);
  }
  layer.normal_compliance = section->number_or("normal_compliance", kNotNegative, 0.0);
  layer.yield_stress = section->number_or("yield_stress", kPositive, 0.0);
  layer.hardening = section->number_or("hardening", kAnyNumber, 0.0);
  section->finish();
  return layer;
}

std::string layer_text(const ContactLayer& layer) {
  if (!layer.exists()) return {};
  const std::string plastic = layer.yields() ? fmt::format(", yield_stress: {}, hardening: {}",
                                                           layer.yield_stress, layer.hardening)
                                             : "";
  return fmt::format("layer: {{compliance: {}, normal_compliance: {}{}}}\n", layer.compliance,
                     layer.normal_compliance, plastic);
}

}  // namespace slipfield
