// SPDX-License-Identifier: Apache-2.0
#include "app/report/shown_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>

#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr double kNoise = 1.0e-9;

struct Kin {
  std::string_view quantity;
  std::array<std::string_view, 3> of;  // the greatest counts
};
// A moment that is 0 by symmetry is only as exact as the energies.
constexpr std::array kKin = {
    Kin{"force_x", {"normal_force"}},
    Kin{"force_y", {"normal_force"}},
    Kin{"moment_x", {"elastic_energy"}},
    Kin{"moment_y", {"elastic_energy"}},
    Kin{"moment_z", {"elastic_energy"}},
    Kin{"pressure_centre_x", {"approach"}},
    Kin{"pressure_centre_y", {"approach"}},
    Kin{"track_force_x", {"track_force_z"}},
    Kin{"track_force_y", {"track_force_z"}},
    Kin{"left_track_force_x", {"left_track_force_z"}},
    Kin{"right_track_force_x", {"right_track_force_z"}},
    Kin{"friction_work", {"elastic_energy"}},
    Kin{"friction_work_total", {"elastic_energy"}},
    Kin{"shift_x", {"shift_x", "shift_y", "approach"}},
    Kin{"shift_y", {"shift_x", "shift_y", "approach"}},
    Kin{"shift_total_x", {"shift_x", "shift_y", "approach"}},
    Kin{"shift_total_y", {"shift_x", "shift_y", "approach"}},
    Kin{"creepage_x", {"creepage_x", "creepage_y"}},
    Kin{"creepage_y", {"creepage_x", "creepage_y"}},
};

}  // namespace

std::vector<std::size_t> columns_that_fit(const std::vector<TableColumn>& columns, std::size_t tail,
                                          int width) {
  std::vector<std::size_t> shown(columns.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  const auto total = [&] {
    std::size_t sum = tail;
    for (const std::size_t i : shown) sum += columns[i].width;
    return sum;
  };
  while (width > 0 && total() > static_cast<std::size_t>(width)) {
    const auto least = std::max_element(shown.begin(), shown.end(), [&](auto a, auto b) {
      return columns[a].rank < columns[b].rank;
    });
    if (least == shown.end() || columns[*least].rank == 0) break;
    shown.erase(least);
  }
  return shown;
}

std::array<std::string, 2> names_and_units(const std::vector<TableColumn>& columns,
                                           const std::vector<std::size_t>& shown) {
  std::array<std::string, 2> lines;
  for (const std::size_t i : shown) {
    lines[0] += fmt::format("{:>{}}", columns[i].head, columns[i].width);
    lines[1] += fmt::format("{:>{}}", columns[i].unit, columns[i].width);
  }
  lines[1].erase(lines[1].find_last_not_of(' ') + 1);
  return lines;
}

std::vector<std::string> table_head(const std::vector<TableColumn>& columns,
                                    const std::vector<std::size_t>& shown) {
  std::vector<std::string> lines;
  std::string left_out;
  std::size_t whole = kOutcomeWidth;
  for (const TableColumn& column : columns) whole += column.width;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (std::find(shown.begin(), shown.end(), i) == shown.end())
      left_out += (left_out.empty() ? "" : ", ") + columns[i].head;
  if (!left_out.empty()) {
    lines.push_back(fmt::format("(left out to fit the width: {};", left_out));
    lines.push_back(fmt::format(
        " COLUMNS={} slipfield ... shows them, `slipfield export` has all totals)", whole));
  }
  const auto [names, units] = names_and_units(columns, shown);
  lines.push_back(names + "  outcome");
  lines.push_back(units);
  return lines;
}

std::string wrapped(const std::string& start, const std::string& text, std::size_t indent,
                    std::size_t columns) {
  std::string result = start;
  std::size_t length = start.size();
  bool begun = false;  // the line has a word
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (begun && length + 1 + word.size() > columns) {
      result += "\n" + std::string(indent, ' ');
      length = indent;
      begun = false;
    }
    if (begun) result += ' ';
    length += word.size() + (begun ? 1 : 0);
    result += word;
    begun = true;
  }
  return result + "\n";
}

std::string number_line(std::string_view name, double value, std::string_view unit,
                        const std::string& meaning, std::size_t columns) {
  const std::string start = fmt::format("  {:<22} {:>16.9g} {:<8} ", name, value, unit);
  constexpr std::size_t kMeaning = 51;  // characters before it, where the name is not too long
  std::string lines = wrapped(start, meaning, kMeaning, std::max(columns, kMeaning + 30));
  lines.pop_back();
  return lines;
}

double without_noise(std::string_view quantity, double value,
                     const std::function<double(std::string_view)>& value_of) {
  for (const Kin& kin : kKin) {
    if (kin.quantity != quantity) continue;
    double scale = 0.0;
    for (const std::string_view other : kin.of)
      if (!other.empty()) scale = std::max(scale, std::fabs(value_of(other)));
    if (std::fabs(value) < kNoise * scale) return 0.0;
  }
  return value;
}

std::vector<std::string> found_motions(const std::vector<StepInput>& steps) {
  std::vector<std::string> names;
  for (const StepInput& step : steps) {
    if (step.tangential.problem == TangentialProblem::none) continue;
    const std::string motion = is_rolling(step.tangential.problem) ? "creepage" : "shift";
    const auto add = [&](const TangentialLoad& load, const char* direction) {
      const std::string name = motion + direction;
      if (load.control != TangentialControl::rigid &&
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    };
    add(step.tangential.x, "_x");
    add(step.tangential.y, "_y");
  }
  return names;
}

}  // namespace slipfield
