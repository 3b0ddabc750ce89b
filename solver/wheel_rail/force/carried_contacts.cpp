// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/force/carried_contacts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "solver/step/step_state.h"

namespace slipfield {

namespace {

std::vector<double> moved_field(const std::vector<double>& values, const Grid& from,
                                const Grid& to) {
  const int columns = static_cast<int>(std::lround((to.x0 - from.x0) / to.dx));
  const int rows = static_cast<int>(std::lround((to.y0 - from.y0) / to.dy));
  std::vector<double> moved(to.count(), 0.0);
  for (int iy = std::max(0, -rows); iy < std::min(to.my, from.my - rows); ++iy)
    for (int ix = std::max(0, -columns); ix < std::min(to.mx, from.mx - columns); ++ix)
      moved[to.index(ix, iy)] = values[from.index(ix + columns, iy + rows)];
  return moved;
}

}  // namespace

std::optional<SolverState> carried_state(const SolverState& state, const Grid& from,
                                         const Grid& to) {
  SolverState carried;
  for (const auto& [name, values] : state) {
    if (name == "undeformed_distance" || name == "scalars") continue;
    if (values.size() != from.count()) return std::nullopt;
    carried[name] = moved_field(values, from, to);
  }
  return carried;
}

void unload_unreachable(const ContactPatch& patch, SolverState& state) {
  const auto found = state.find("pressure");
  if (found == state.end()) return;
  for (std::size_t i = 0; i < found->second.size(); ++i)
    if (!std::isfinite(patch.distance[i])) found->second[i] = 0.0;
}

namespace {

constexpr const char* kElements = "elements";
constexpr const char* kDistance = "undeformed_distance";
constexpr std::size_t kBoxNumbers = 8;         // two boxes
constexpr double kGreatestNumber = 1e9;        // greatest index of an element on its lattice
constexpr std::int64_t kMostAcross = 1 << 20;  // elements in a direction, as contacts have

std::size_t count_of(const LatticeBox& box) {
  return static_cast<std::size_t>((box.x_last - box.x_first + 1) * (box.s_last - box.s_first + 1));
}

std::size_t index_in(const LatticeBox& box, std::int64_t x, std::int64_t s) {
  return static_cast<std::size_t>((s - box.s_first) * (box.x_last - box.x_first + 1) + x -
                                  box.x_first);
}

// The elements in contact; empty without contact.
LatticeBox touching_part(const LatticeBox& box, const std::vector<double>& pressure) {
  LatticeBox touching;
  for (std::int64_t s = box.s_first; s <= box.s_last; ++s)
    for (std::int64_t x = box.x_first; x <= box.x_last; ++x)
      if (pressure[index_in(box, x, s)] > 0.0) touching = united(touching, {x, x, s, s});
  return touching;
}

// Adds the rows of a field over `from` to one over `to`.
void add_rows(const std::vector<double>& values, const LatticeBox& from, const TakenRows& rows,
              const LatticeBox& to, std::vector<double>& sum) {
  const std::int64_t first = std::max({rows.first, from.s_first, to.s_first});
  const std::int64_t last = std::min({rows.last, from.s_last, to.s_last});
  for (std::int64_t s = first; s <= last; ++s)
    for (std::int64_t x = std::max(from.x_first, to.x_first); x <= std::min(from.x_last, to.x_last);
         ++x)
      sum[index_in(to, x, s)] += values[index_in(from, x, s)];
}

std::string name_of_contact(const std::string& prefix, std::size_t i) {
  return prefix + std::to_string(i + 1) + ".";
}

bool holds_box(const LatticeBox& outer, const LatticeBox& inner) {
  return inner.is_empty() || (inner.x_first >= outer.x_first && inner.x_last <= outer.x_last &&
                              inner.s_first >= outer.s_first && inner.s_last <= outer.s_last);
}

// Reads a contact's boxes, without its fields.
CarriedContact saved_boxes(const std::string& name, const std::vector<double>& numbers) {
  const auto is_number = [](double value) {
    return std::fabs(value) <= kGreatestNumber && value == std::floor(value);
  };
  if (numbers.size() != kBoxNumbers || !std::all_of(numbers.begin(), numbers.end(), is_number))
    refuse_state(name);
  const auto box = [&](std::size_t from) {
    const auto number = [&](std::size_t i) { return static_cast<std::int64_t>(numbers[from + i]); };
    return LatticeBox{number(0), number(1), number(2), number(3)};
  };
  CarriedContact contact{box(0), box(4), {}};
  const LatticeBox& all = contact.elements;
  if (all.is_empty() || all.x_last - all.x_first >= kMostAcross ||
      all.s_last - all.s_first >= kMostAcross || !holds_box(all, contact.touching))
    refuse_state(name);
  return contact;
}

}  // namespace

CarriedContact carried_contact(const ContactPatch& patch, const ContactSolution& solution,
                               SolverState state) {
  CarriedContact contact{patch.elements, touching_part(patch.elements, solution.pressure),
                         std::move(state)};
  // A step cannot continue from fields that are not finite.
  const auto numbers = contact.fields.find(kStateNumbers);
  if (numbers != contact.fields.end() && numbers->second.back() != 0.0) contact.touching = {};
  // Drops fields of element indices, which the next step forms again, and what is not a field over
  // the grid.
  for (const char* name : {kDistance, "leading_edge", "leading_edge_fraction"})
    contact.fields.erase(name);
  std::erase_if(contact.fields, [&](const auto& field) {
    return !is_field_of_state(field.first) || field.second.size() != count_of(patch.elements);
  });
  return contact;
}

std::vector<LatticeBox> touching_elements(const CarriedContacts& contacts) {
  std::vector<LatticeBox> boxes;
  for (const CarriedContact& contact : contacts) boxes.push_back(contact.touching);
  return boxes;
}

SolverState state_to_continue(const CarriedContacts& before, const ContactPatch& patch,
                              double coefficient, SolverState state) {
  for (auto& [name, values] : state)
    if (name != kDistance && name != kCoefficientsOfState)
      std::fill(values.begin(), values.end(), 0.0);
  const std::size_t count = count_of(patch.elements);
  for (const TakenRows& rows : patch.takes)
    for (const auto& [name, values] : before[rows.contact].fields) {
      std::vector<double>& sum = state[name];
      sum.resize(count, 0.0);
      add_rows(values, before[rows.contact].elements, rows, patch.elements, sum);
    }
  if (const auto friction = state.find("friction"); friction != state.end())
    for (double& value : friction->second)
      if (value == 0.0) value = coefficient;
  unload_unreachable(patch, state);
  return state;
}

void save(const CarriedContacts& contacts, const std::string& prefix, SolverState& state) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::string name = name_of_contact(prefix, i);
    std::vector<double>& boxes = state[name + kElements];
    for (const LatticeBox& box : {contacts[i].elements, contacts[i].touching})
      for (const std::int64_t number : {box.x_first, box.x_last, box.s_first, box.s_last})
        boxes.push_back(static_cast<double>(number));
    for (const auto& [field, values] : contacts[i].fields) state[name + field] = values;
  }
}

CarriedContacts saved_contacts(const std::string& prefix, const SolverState& state) {
  CarriedContacts contacts;
  for (;;) {
    const std::string name = name_of_contact(prefix, contacts.size());
    const auto boxes = state.find(name + kElements);
    if (boxes == state.end()) return contacts;
    CarriedContact contact = saved_boxes(boxes->first, boxes->second);
    for (auto field = state.lower_bound(name);
         field != state.end() && field->first.starts_with(name); ++field) {
      if (field == boxes) continue;
      if (field->second.size() != count_of(contact.elements)) refuse_state(field->first);
      contact.fields[field->first.substr(name.size())] = field->second;
    }
    contacts.push_back(std::move(contact));
  }
}

}  // namespace slipfield
