// SPDX-License-Identifier: Apache-2.0
#include "app/plot/row.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/result/field_table.h"

namespace slipfield {

UnitScale PlotScene::length() const {
  Range range = kNoRange;
  range.include(grid.x0 + window.ix0 * grid.dx);
  range.include(grid.x0 + window.ix1 * grid.dx);
  range.include(grid.y0 + window.iy0 * grid.dy);
  range.include(grid.y0 + window.iy1 * grid.dy);
  return unit_scale(range.greatest(), unit_text(Dimension::length, units));
}

bool FieldsOfStep::has(std::string_view name) const {
  return std::find(step_.fields.begin(), step_.fields.end(), name) != step_.fields.end();
}

const std::vector<double>& FieldsOfStep::field(const std::string& name) {
  const auto known = fields_.find(name);
  if (known != fields_.end()) return known->second;
  return fields_.emplace(name, result_.field(step_, name)).first->second;
}

const std::vector<ElementState>& FieldsOfStep::division() {
  if (division_.empty() && has(kDivisionName)) division_ = result_.element_division(step_);
  return division_;
}

std::string shown_name(std::string_view field) {
  std::string name(field);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string step_heading(const PlotScene& scene, int step, const std::string& name) {
  return scene.several_steps ? fmt::format("step {}: {}", step, name) : name;
}

bool is_contact_field(std::string_view name) {
  return field_dimension(name) == Dimension::traction ||
         name.find("slip") != std::string_view::npos;
}

void ShownStates::include(const std::vector<ElementState>& states, bool friction) {
  for (const ElementState state : states) {
    if (state == ElementState::exterior) continue;
    (!friction                         ? contact
     : state == ElementState::adhesion ? adhesion
     : state == ElementState::plastic  ? plastic
                                       : slip) = true;
  }
}

std::string_view state_colour(ElementState state, bool friction) {
  if (!friction) return kContactColour;
  return state == ElementState::adhesion  ? kAdhesionColour
         : state == ElementState::plastic ? kPlasticColour
                                          : kSlipColour;
}

std::vector<LegendEntry> state_legend(const ShownStates& shown) {
  std::vector<LegendEntry> entries;
  const auto add = [&](std::string_view colour, const char* text) {
    entries.push_back({LegendEntry::Kind::box, std::string(colour), text});
  };
  if (shown.adhesion) add(kAdhesionColour, "adhesion");
  if (shown.slip) add(kSlipColour, "slip");
  if (shown.plastic) add(kPlasticColour, "plastic");
  if (shown.contact) add(kContactColour, "contact");
  return entries;
}

}  // namespace slipfield
