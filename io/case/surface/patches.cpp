// SPDX-License-Identifier: Apache-2.0
// The section `patches`: parts of the contact that act on each other in part only.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/sections.h"

namespace slipfield {
namespace {

using PatchRectangle = ContactPatches::Rectangle;

struct PatchSide {
  std::string_view key;
  double PatchRectangle::*member;
};
constexpr std::array<PatchSide, 4> kPatchSides{{{"x_from", &PatchRectangle::x_from},
                                                {"x_to", &PatchRectangle::x_to},
                                                {"y_from", &PatchRectangle::y_from},
                                                {"y_to", &PatchRectangle::y_to}}};

}  // namespace

ContactPatches read_patches(CaseSection& root) {
  ContactPatches patches;
  auto section =
      root.section("patches", "a map {x_from, x_to, y_from, y_to, weights}", Presence::optional);
  if (!section) return patches;
  bool good = true;
  for (const PatchSide& side : kPatchSides) {
    const auto values = section->number_list(side.key, kAnyNumber, 1, Presence::required);
    if (!values) {
      good = false;
      continue;
    }
    if (patches.rectangles.empty()) patches.rectangles.resize(values->size());
    if (values->size() != patches.rectangles.size()) {
      section->error_at_value(
          side.key,
          fmt::format("has {} numbers for {} patches", values->size(), patches.rectangles.size()),
          "one number for each patch, as x_from has");
      good = false;
      continue;
    }
    for (std::size_t i = 0; i < values->size(); ++i)
      patches.rectangles[i].*side.member = (*values)[i];
  }
  const auto weights = section->number_list("weights", kShare, 1, Presence::optional);
  if (section->has("weights") && !weights) good = false;
  if (weights) patches.weights = *weights;
  section->finish();
  return good ? patches : ContactPatches{};
}

std::string patches_text(const ContactPatches& patches) {
  if (!patches.exist()) return {};
  std::string text = "patches: {";
  for (const PatchSide& side : kPatchSides) {
    std::vector<double> values;
    for (const PatchRectangle& rectangle : patches.rectangles)
      values.push_back(rectangle.*side.member);
    text += fmt::format("{}: [{}], ", side.key, fmt::join(values, ", "));
  }
  if (patches.weights.empty()) return text.substr(0, text.size() - 2) + "}\n";
  return text + fmt::format("weights: [{}]}}\n", fmt::join(patches.weights, ", "));
}

}  // namespace slipfield
