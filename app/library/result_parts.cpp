// SPDX-License-Identifier: Apache-2.0
#include "app/library/result_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "io/result/field_table.h"
#include "io/result/interior/group.h"
#include "io/result/surface/table.h"
#include "io/yaml/suggestion.h"
#include "solver/error.h"

namespace slipfield {
namespace {

std::string_view side_text(StepSide side) {
  return side == StepSide::left ? "left" : side == StepSide::right ? "right" : "whole";
}

// Wheels of a side among those of the step: the first, and one past the last.
struct Wheels {
  std::size_t first = 0;
  std::size_t end = 0;
};

Wheels wheels_of(const WheelsetOfStep& wheelset, StepSide side) {
  const std::vector<Side> sides = sides_of(wheelset);
  if (side == StepSide::whole) return {0, sides.size()};
  const Side wanted = side == StepSide::left ? Side::left : Side::right;
  const auto found = std::find(sides.begin(), sides.end(), wanted);
  if (found == sides.end())
    throw InputError(fmt::format("side: the step has no {} wheel; accepted: {}, or whole",
                                 side_name(wanted), side_name(sides.front())));
  const auto index = static_cast<std::size_t>(found - sides.begin());
  return {index, index + 1};
}

[[noreturn]] void refuse_contact(const WheelsetOfStep& wheelset, const ResultPart& part) {
  const int count = contact_count(wheelset, part.side);
  const std::string where =
      part.side == StepSide::whole ? "the step" : fmt::format("the {} wheel", side_text(part.side));
  if (count == 0)
    throw InputError(
        fmt::format("contact: {} has no contact; accepted: a step in which the wheel touches the "
                    "rail",
                    where));
  throw InputError(
      part.contact == 0
          ? fmt::format("contact: 0 is all of {}, and one contact is needed; accepted: 1 to {}",
                        where, count)
          : fmt::format("contact: {} has no contact {}; accepted: 1 to {}", where, part.contact,
                        count));
}

}  // namespace

void require_one_contact(const ResultPart& part) {
  if (part.side != StepSide::whole)
    throw InputError(
        "side: the case has one contact, which has no sides; accepted: the whole, or a case with "
        "wheel_rail");
  if (part.contact != 0 && part.contact != 1)
    throw InputError(
        fmt::format("contact: the step has no contact {}; accepted: 1, or 0 for all of the step",
                    part.contact));
}

std::vector<Side> sides_of(const WheelsetOfStep& wheelset) {
  std::vector<Side> sides;
  for (const WheelStep& wheel : wheelset.task.wheels) sides.push_back(wheel.position.side);
  return sides;
}

int contact_count(const WheelsetOfStep& wheelset, StepSide side) {
  const auto [first, end] = wheels_of(wheelset, side);
  std::size_t count = 0;
  for (std::size_t i = first; i < end && i < wheelset.solved.wheels.size(); ++i)
    count += wheelset.solved.wheels[i].patches.size();
  return static_cast<int>(count);
}

bool touches(const WheelsetOfStep& wheelset, StepSide side, std::string_view name) {
  const bool both = side == StepSide::whole && sides_of(wheelset).size() > 1;
  if (both && name.starts_with("left_")) return contact_count(wheelset, StepSide::left) > 0;
  if (both && name.starts_with("right_")) return contact_count(wheelset, StepSide::right) > 0;
  return contact_count(wheelset, side) > 0;
}

const SolvedPatch& contact_of(const WheelsetOfStep& wheelset, const ResultPart& part) {
  const auto [first, end] = wheels_of(wheelset, part.side);
  int left = part.contact;
  for (std::size_t i = first; left > 0 && i < end && i < wheelset.solved.wheels.size(); ++i)
    for (const SolvedPatch& patch : wheelset.solved.wheels[i].patches)
      if (--left == 0) return patch;
  refuse_contact(wheelset, part);
}

NamedNumbers numbers_of(const WheelsetOfStep& wheelset, const ResultPart& part,
                        const std::vector<NamedNumbers>& inside) {
  const std::size_t first = wheels_of(wheelset, part.side).first;
  if (part.contact != 0) {
    NamedNumbers numbers = contact_numbers(contact_of(wheelset, part));
    if (inside.empty()) return numbers;
    std::size_t index = static_cast<std::size_t>(part.contact) - 1;
    for (std::size_t i = 0; i < first; ++i) index += wheelset.solved.wheels[i].patches.size();
    numbers.insert(inside[index].begin(), inside[index].end());
    return numbers;
  }
  WheelRecord record = wheel_record(0, wheelset.solved);
  record.add(inside);
  return part.side == StepSide::whole ? record.totals() : record.totals_of(side_text(part.side));
}

namespace {

bool is_total_of_wheels(std::string_view name) {
  static const std::vector<std::string> known = wheel_number_names();
  return std::find(known.begin(), known.end(), name) != known.end();
}

}  // namespace

bool is_total_of_contacts(std::string_view name) {
  return is_total_of_wheels(name) && find_wheel_entry(name) == nullptr;
}

bool is_of_interior(std::string_view name) {
  const auto names = interior_quantity_names();
  return std::ranges::find(names, name) != names.end();
}

bool is_asked_for(const InteriorRequest& request, std::string_view name) {
  std::string_view stress = name;
  stress.remove_prefix(std::string_view("max_").size());
  return std::ranges::any_of(request.quantities, [&](InteriorQuantity quantity) {
    return stress.starts_with(interior_entry(quantity).name);
  });
}

double number_of(const NamedNumbers& numbers, std::string_view name, bool touches) {
  const auto found = numbers.find(name);
  if (found != numbers.end()) return found->second;
  if (!touches && is_total_of_contacts(name)) return std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> names;
  for (const auto& [own, value] : numbers) names.push_back(own);
  throw InputError(fmt::format("{}: {}; {}", name,
                               is_total_of_wheels(name) ? "this part of the step has no such total"
                                                        : "there is no such total",
                               near_words(name, names, kAllNames)));
}

NameOfPart name_of_part(std::string_view text) {
  constexpr std::string_view kContact = "contact_";
  for (const StepSide side : {StepSide::whole, StepSide::left, StepSide::right}) {
    const std::string start =
        (side == StepSide::whole ? "" : fmt::format("{}_", side_text(side))).append(kContact);
    if (!text.starts_with(start)) continue;
    int contact = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data() + start.size(), end, contact);
    if (failure != std::errc() || contact < 1 || rest == end || *rest != '_') continue;
    return {{side, contact}, {rest + 1, static_cast<std::size_t>(end - rest - 1)}};
  }
  return {{}, text};
}

std::vector<double> element_centres(const Grid& grid, const ContactPatch* patch) {
  std::vector<double> centres;
  centres.reserve(3 * grid.count());
  for (int iy = 0; iy < grid.my; ++iy) {
    const bool curved = patch != nullptr && patch->is_conformal();
    const ReferenceRow row =
        curved ? patch->rows[static_cast<std::size_t>(iy)] : ReferenceRow{grid.y(iy), 0.0, 0.0};
    for (int ix = 0; ix < grid.mx; ++ix) {
      Eigen::Vector3d centre(grid.x(ix), row.y, row.n);
      if (patch != nullptr) centre = patch->frame.out(centre);
      centres.insert(centres.end(), centre.data(), centre.data() + 3);
    }
  }
  return centres;
}

void copy_field(std::string_view name, const StepInput& input, const ContactSolution& solution,
                std::span<double> values) {
  const auto copy = [&](const std::vector<double>& field) {
    if (field.size() != values.size())
      throw InputError(fmt::format(
          "{}: the step does not have it; accepted: fields of what the case asks for", name));
    std::ranges::copy(field, values.begin());
  };
  if (const FieldEntry* entry = find_field(name)) return copy(solution.*(entry->values));
  if (name == kDivisionName) {
    std::ranges::transform(solution.element_division, values.begin(),
                           [](ElementState state) { return static_cast<double>(state); });
    return;
  }
  for (const VelocityFieldEntry& entry : velocity_field_table()) {
    if (entry.name != name) continue;
    const double rate = slip_rate(input);
    if (rate == 0.0)
      throw InputError(fmt::format(
          "{}: the step has no rolling velocity; accepted: with tangential.velocity or duration",
          name));
    std::ranges::transform(solution.*(entry.distance), values.begin(),
                           [rate](double distance) { return rate * distance; });
    return;
  }
  std::vector<std::string> known = stored_field_names();
  for (std::string& row : row_field_names()) known.push_back(std::move(row));
  throw InputError(
      fmt::format("there is no field '{}'; {}", name, near_words(name, known, kAllNames)));
}

}  // namespace slipfield
