// SPDX-License-Identifier: Apache-2.0
#include "app/report/character_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slipfield {
namespace {

template <typename Character>
std::vector<std::string> draw(const Grid& grid, int columns, Character character) {
  std::vector<std::string> lines;
  const int stride = (grid.mx + columns - 1) / columns;
  if (stride > 1)
    lines.push_back(fmt::format("(one element in {} of x and of y; the grid is {} x {})", stride,
                                grid.mx, grid.my));
  const int rows = (grid.my + stride - 1) / stride;
  for (int row = rows - 1; row >= 0; --row) {
    std::string line;
    for (int ix = 0; ix < grid.mx; ix += stride) line += character(grid.index(ix, row * stride));
    lines.push_back(std::move(line));
  }
  return lines;
}

char scaled_character(double value, double greatest) {
  if (std::isnan(value)) return '?';
  if (std::isinf(value)) return '#';
  if (value == 0.0) return '.';
  const int level = static_cast<int>(std::lround(9.0 * std::fabs(value) / greatest));
  return static_cast<char>(value < 0.0 && level > 0 ? 'a' + level - 1 : '0' + level);
}

}  // namespace

std::vector<std::string> draw_division(const std::vector<ElementState>& division, const Grid& grid,
                                       int columns) {
  return draw(grid, columns, [&](std::size_t index) {
    switch (division[index]) {
      case ElementState::adhesion:
        return '*';
      case ElementState::plastic:
        return 'P';
      case ElementState::slip:
        return 'S';
      case ElementState::exterior:
        break;
    }
    return '.';
  });
}

std::vector<std::string> draw_contact(const std::vector<ElementState>& division, const Grid& grid,
                                      int columns) {
  return draw(grid, columns, [&](std::size_t index) {
    return division[index] == ElementState::exterior ? '.' : 'C';
  });
}

std::string division_legend(const std::vector<ElementState>& division, bool frictionless) {
  std::array<std::size_t, 4> counts{};
  for (const ElementState state : division) ++counts.at(static_cast<std::size_t>(state));
  const auto count = [&](ElementState state) { return counts.at(static_cast<std::size_t>(state)); };
  std::string text = fmt::format(". exterior {}", count(ElementState::exterior));
  if (frictionless)
    return text +
           fmt::format(", C contact {} elements", division.size() - count(ElementState::exterior));
  text += fmt::format(", * adhesion {}, S slip {}", count(ElementState::adhesion),
                      count(ElementState::slip));
  if (count(ElementState::plastic) > 0)
    text += fmt::format(", P plastic {}", count(ElementState::plastic));
  return text + " elements";
}

std::vector<std::string> draw_field(const std::vector<double>& values, const Grid& grid,
                                    int columns, std::string_view unit) {
  double greatest = 0.0;
  bool negative = false;
  bool infinite = false;
  for (const double value : values) {
    if (std::isfinite(value)) greatest = std::max(greatest, std::fabs(value));
    negative = negative || (value < 0.0 && std::isfinite(value));
    infinite = infinite || std::isinf(value);
  }
  std::vector<std::string> lines = draw(
      grid, columns, [&](std::size_t index) { return scaled_character(values[index], greatest); });
  const auto number = [&](double value) {
    return unit == "-" ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, unit);
  };
  std::string legend = ". = 0";
  if (greatest > 0.0)
    legend += fmt::format(", 1 = {}, 9 = {}", number(greatest / 9.0), number(greatest));
  if (negative)
    legend += fmt::format(", a = {}, i = {}", number(-greatest / 9.0), number(-greatest));
  if (infinite) legend += ", # = infinite";
  lines.push_back(std::move(legend));
  return lines;
}

}  // namespace slipfield
