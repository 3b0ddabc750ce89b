// SPDX-License-Identifier: Apache-2.0
#include "io/contact/friction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "io/contact/lines.h"
#include "io/contact/surface.h"

namespace slipfield {
namespace {

// Degrees over which a step in temperature is spread.
constexpr double kSharpRise = 1.0e-3;

std::vector<double> places_of(const Grid& grid) {
  std::vector<double> y;
  for (int iy = 0; iy < grid.my; ++iy) y.push_back(grid.y(iy));
  return y;
}

// The places of the rows, and their key.
struct RowPlaces {
  std::string_view key;
  std::vector<double> at;
};

// Static and kinetic coefficient.
std::string drop_text(const InputFriction& friction, const RowPlaces& places) {
  const auto number = [&](auto value_of) {
    std::vector<double> values;
    for (const InputNumbers& row : friction.rows) values.push_back(value_of(friction, row));
    return same_rows(friction) ? fmt::format("{}", values.front())
                               : fmt::format("[{}]", fmt::join(values, ", "));
  };
  const std::string lists =
      same_rows(friction) ? "" : fmt::format(", {}: [{}]", places.key, fmt::join(places.at, ", "));
  return fmt::format("{{static: {}, kinetic: {}{}}}", number(static_of), number(slipping_of),
                     lists);
}

std::string coulomb_text(const InputFriction& friction, const RowPlaces& places) {
  const auto& rows = friction.rows;
  if (same_rows(friction)) return fmt::format("{{coefficient: {}}}", rows.front()[0].value);
  std::vector<double> value;
  for (std::size_t i = 0; i < places.at.size(); ++i) value.push_back(rows[i][0].value);
  return fmt::format("{{coefficient: {{{}: [{}], value: [{}]}}}}", places.key,
                     fmt::join(places.at, ", "), fmt::join(value, ", "));
}

// FKIN and one or two falling terms, converted to the case file.
struct FallingLaw {
  double fixed = 0.0;
  double kinetic = 0.0;
  double half_velocity = 0.0;
  double second_drop = 0.0;
  double second_half_velocity = 0.0;
};

// Adds two terms with the same velocity; rational ones have different forms.
FallingLaw law_of(const InputNumbers& row, bool rational) {
  const double first = row[1].value;
  const double second = row[3].value;
  FallingLaw law{as_decimal(row[0].value + (first + second)), row[0].value, row[2].value, 0.0, 0.0};
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

// FREF up to TREF, then linear to FREF + DFHEAT over DTHEAT, or a step.
struct WarmRow {
  explicit WarmRow(const InputNumbers& row)
      : cold(row[0].value),
        from(row[1].value),
        warm(as_decimal(row[0].value + row[2].value)),
        to(as_decimal(row[1].value + (row[3].value > 0.0 ? row[3].value : kSharpRise))) {}

  [[nodiscard]] double at(double temperature) const {
    return cold + (warm - cold) * std::clamp((temperature - from) / (to - from), 0.0, 1.0);
  }
  double cold;
  double from;
  double warm;
  double to;
};

// Lines of all rows between the temperatures at which any of them bends.
std::string warm_text(const InputFriction& friction, const Grid& grid) {
  std::vector<WarmRow> rows(friction.rows.begin(), friction.rows.end());
  const bool one = same_rows(friction);
  if (one) rows.resize(1, rows.front());
  std::set<double> bends;
  for (const WarmRow& row : rows) bends.insert({row.from, row.to});
  std::vector<std::string> values;
  for (const WarmRow& row : rows) {
    std::vector<double> at;
    for (const double temperature : bends)
      at.push_back(temperature == row.to ? row.warm : row.at(temperature));
    values.push_back(fmt::format("[{}]", fmt::join(at, ", ")));
  }
  std::string text =
      fmt::format("{{coefficient: {{temperature: [{}], value: ", fmt::join(bends, ", "));
  text += one ? values.front()
              : fmt::format("[{}], along_y: [{}]", fmt::join(values, ", "),
                            fmt::join(places_of(grid), ", "));
  if (!friction.memory.empty() && friction.memory[0].value > kLeastMemory)
    text += fmt::format(", memory_distance: {}, memory_velocity: {}", friction.memory[0].value,
                        friction.memory[1].value);
  return text + "}}";
}

std::string rows_text(const InputFriction& friction, const RowPlaces& places) {
  if (falls(friction)) return falling_text(friction, places);
  // Without a fall the rows are coefficients; FKIN is the first number, like FSTAT.
  return drops(friction) ? drop_text(friction, places) : coulomb_text(friction, places);
}

}  // namespace

bool falls(const InputFriction& friction) {
  const int law = friction.law.value;
  return law >= 2 && law <= 4 &&
         std::any_of(friction.rows.begin(), friction.rows.end(), [](const InputNumbers& row) {
           return (row[1].value > 0.0 && row[2].value > 0.0) ||
                  (row[3].value > 0.0 && row[4].value > 0.0);
         });
}

double static_of(const InputFriction& friction, const InputNumbers& row) {
  const int law = friction.law.value;
  return law >= 2 && law <= 4 ? as_decimal(row[0].value + (row[1].value + row[3].value))
                              : row[0].value;
}

double slipping_of(const InputFriction& friction, const InputNumbers& row) {
  const int law = friction.law.value;
  if (law == 0) {
    const bool apart = std::abs(row[0].value - row[1].value) > 0.001 * row[1].value;
    return row[apart ? 1 : 0].value;
  }
  if (law < 2 || law > 4) return row[0].value;
  return as_decimal(row[0].value + ((row[2].value > 0.0 ? row[1].value : 0.0) +
                                    (row[4].value > 0.0 ? row[3].value : 0.0)));
}

bool drops(const InputFriction& friction) {
  return std::any_of(friction.rows.begin(), friction.rows.end(), [&](const InputNumbers& row) {
    return slipping_of(friction, row) != static_of(friction, row);
  });
}

bool same_rows(const InputFriction& friction) {
  return std::all_of(friction.rows.begin(), friction.rows.end(), [&](const InputNumbers& row) {
    return same_numbers(row, friction.rows.front());
  });
}

bool remembers(const InputFriction& friction) {
  return falls(friction) && !friction.memory.empty() && friction.memory[0].value > kLeastMemory;
}

std::string input_friction(const InputFriction& friction, const Grid& grid) {
  if (friction.law.value == 6) return warm_text(friction, grid);
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
