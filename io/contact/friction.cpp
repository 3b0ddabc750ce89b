// SPDX-License-Identifier: Apache-2.0
#include "io/contact/friction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "io/contact/surface.h"

namespace slipfield {
namespace {

bool same_numbers(const InputNumbers& a, const InputNumbers& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const InputNumber& x, const InputNumber& y) { return x.value == y.value; });
}

bool same_rows(const InputFriction& friction) {
  return std::all_of(friction.rows.begin(), friction.rows.end(), [&](const InputNumbers& row) {
    return same_numbers(row, friction.rows.front());
  });
}

std::vector<double> places_of(const Grid& grid) {
  std::vector<double> y;
  for (int iy = 0; iy < grid.my; ++iy) y.push_back(grid.y(iy));
  return y;
}

// Where the rows hold, and the key of that.
struct RowPlaces {
  std::string_view key;
  std::vector<double> at;
};

std::string coulomb_text(const InputFriction& friction, const RowPlaces& places) {
  const auto& rows = friction.rows;
  if (same_rows(friction)) return fmt::format("{{coefficient: {}}}", rows.front()[0].value);
  std::vector<double> value;
  for (std::size_t i = 0; i < places.at.size(); ++i) value.push_back(rows[i][0].value);
  return fmt::format("{{coefficient: {{{}: [{}], value: [{}]}}}}", places.key,
                     fmt::join(places.at, ", "), fmt::join(value, ", "));
}

// FKIN and one or two falling terms, in the terms of the case file.
struct FallingLaw {
  double fixed = 0.0;
  double kinetic = 0.0;
  double half_velocity = 0.0;
  double second_drop = 0.0;
  double second_half_velocity = 0.0;
};

// Of two terms with the same velocity the sum; rational ones differ in form.
FallingLaw law_of(const InputNumbers& row, bool rational) {
  const double first = row[1].value;
  const double second = row[3].value;
  FallingLaw law{row[0].value + (first + second), row[0].value, row[2].value, 0.0, 0.0};
  const bool one = !rational && (first == 0.0 || row[2].value == row[4].value);
  if (second > 0.0 && one) {
    law.half_velocity = first > 0.0 ? row[2].value : row[4].value;
  } else if (second > 0.0) {
    law.second_drop = second;
    law.second_half_velocity = row[4].value;
  }
  if (!(law.half_velocity > 0.0)) law.half_velocity = second > 0.0 ? row[4].value : 1.0;
  return law;
}

std::string falling_text(const InputFriction& friction, const RowPlaces& places) {
  constexpr std::array<std::string_view, 3> kLaws{"linear_falling", "rational", "exponential"};
  std::vector<FallingLaw> laws;
  for (const InputNumbers& row : friction.rows)
    laws.push_back(law_of(row, friction.law.value == 3));
  const bool one = same_rows(friction);
  const auto number = [&](double FallingLaw::*member) {
    if (one) return fmt::format("{}", laws.front().*member);
    std::vector<double> values;
    for (const FallingLaw& law : laws) values.push_back(law.*member);
    return fmt::format("[{}]", fmt::join(values, ", "));
  };
  std::string text = fmt::format("{{law: {}, static: {}, kinetic: {}, half_velocity: {}",
                                 kLaws[static_cast<std::size_t>(friction.law.value - 2)],
                                 number(&FallingLaw::fixed), number(&FallingLaw::kinetic),
                                 number(&FallingLaw::half_velocity));
  const bool second = std::any_of(laws.begin(), laws.end(),
                                  [](const FallingLaw& law) { return law.second_drop > 0.0; });
  for (FallingLaw& law : laws)
    if (!(law.second_half_velocity > 0.0)) law.second_half_velocity = law.half_velocity;
  if (second)
    text +=
        fmt::format(", second_drop: {}, second_half_velocity: {}", number(&FallingLaw::second_drop),
                    number(&FallingLaw::second_half_velocity));
  if (remembers(friction))
    text += fmt::format(", memory_distance: {}, memory_velocity: {}", friction.memory[0].value,
                        friction.memory[1].value);
  if (!one) text += fmt::format(", {}: [{}]", places.key, fmt::join(places.at, ", "));
  return text + "}";
}

// FREF up to TREF, from there to FREF + DFHEAT within DTHEAT.
std::string warm_text(const InputFriction& friction) {
  const InputNumbers& row = friction.rows.front();
  return fmt::format("{{coefficient: {{temperature: [{}, {}], value: [{}, {}]}}}}", row[1].value,
                     row[1].value + row[3].value, row[0].value, row[0].value + row[2].value);
}

std::string rows_text(const InputFriction& friction, const RowPlaces& places) {
  // Without a fall the rows are coefficients, FKIN the first number as FSTAT is.
  return falls(friction) ? falling_text(friction, places) : coulomb_text(friction, places);
}

}  // namespace

bool falls(const InputFriction& friction) {
  const int law = friction.law.value;
  return law >= 2 && law <= 4 &&
         std::any_of(friction.rows.begin(), friction.rows.end(),
                     [](const InputNumbers& row) { return row[1].value + row[3].value > 0.0; });
}

bool remembers(const InputFriction& friction) {
  return falls(friction) && !friction.memory.empty() && friction.memory[0].value > kLeastMemory;
}

std::string input_friction(const InputFriction& friction, const Grid& grid) {
  if (friction.law.value == 6) return warm_text(friction);
  return rows_text(friction, {"y", places_of(grid)});
}

std::string inclined_friction(const InputFriction& friction) {
  InputFriction rows = friction;
  RowPlaces places{"inclination", {}};
  for (InputNumbers& row : rows.rows) {
    places.at.push_back(row.front().value);
    row.erase(row.begin());
  }
  return rows_text(rows, places);
}

std::string friction_remark(const InputFriction& friction) {
  constexpr std::array<std::string_view, 7> kNames{"FSTAT",
                                                   "",
                                                   "FKIN, FLIN1, SABSH1",
                                                   "FKIN, FRAT1, SABSH1",
                                                   "FKIN, FEXP1, SABSH1",
                                                   "",
                                                   "FREF, TREF, DFHEAT, DTHEAT"};
  InputNumbers places;
  for (const InputNumbers& row : friction.rows) places.push_back(row.front());
  return fmt::format("{}: L = {}, {}", lines_of(places), friction.law.value,
                     kNames[static_cast<std::size_t>(friction.law.value)]);
}

}  // namespace slipfield
