// SPDX-License-Identifier: Apache-2.0
#include "app/run/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/report/shown_table.h"
#include "io/result/field_table.h"

namespace slipfield {

std::vector<ExpectationResult> compare_with_expected(const std::vector<Expectation>& expected,
                                                     const std::vector<StepRecord>& steps,
                                                     bool complete) {
  std::vector<ExpectationResult> results;
  for (const Expectation& expectation : expected) {
    if (expectation.step == 0 && !complete) continue;  // the last step has not run
    const std::size_t index =
        expectation.step == 0 ? steps.size() : static_cast<std::size_t>(expectation.step);
    if (index == 0 || index > steps.size()) continue;
    const StepRecord& step = steps[index - 1];
    const double value = step.wheel ? step.wheel->get(expectation.quantity, expectation.contact)
                                    : quantity(step.report, step.input, expectation.quantity);
    const double difference = value - expectation.value;
    results.push_back({expectation, step.number, value, difference,
                       std::fabs(difference) <= expectation.tolerance});
  }
  return results;
}

bool all_within(const std::vector<ExpectationResult>& results) {
  return std::all_of(results.begin(), results.end(),
                     [](const ExpectationResult& result) { return result.within; });
}

namespace {

constexpr std::size_t kPointCell = 0;
constexpr std::size_t kNameCell = 2;
constexpr std::size_t kVerdictCell = 7;
using TableCells = std::array<std::string, 8>;

TableCells cells_of(const ExpectationResult& result) {
  const Expectation& expectation = result.expectation;
  return {fmt::format("{}", expectation.point),
          fmt::format("{}", result.step),
          expectation.quantity,
          fmt::format("{:.7g}", expectation.value),
          fmt::format("{:.7g}", result.value),
          fmt::format("{:.3g}", result.difference),
          fmt::format("{:.3g}", expectation.tolerance),
          result.within ? "yes" : "NO"};
}

// Numbers are right-aligned, texts left-aligned. A name longer than its cell gets its own line.
std::string table_row(const TableCells& cells, const std::array<std::size_t, 8>& widths) {
  std::string row;
  for (std::size_t i = widths[kPointCell] == 0 ? 1 : 0; i < cells.size(); ++i) {
    const bool is_text = i == kNameCell || i == kVerdictCell;
    row += is_text ? "  " : " ";
    row += is_text ? fmt::format("{:<{}}", cells.at(i), widths.at(i))
                   : fmt::format("{:>{}}", cells.at(i), widths.at(i));
    if (i == kNameCell && cells.at(i).size() > widths.at(i))
      row += "\n" + std::string(row.size() - cells.at(i).size() + widths.at(i), ' ');
  }
  return row.substr(1);
}

}  // namespace

std::vector<std::string> expectation_table(const std::vector<ExpectationResult>& results) {
  constexpr std::size_t kColumns = 80;
  constexpr std::size_t kSourceIndent = 8;
  std::vector<TableCells> rows = {
      {"point", "step", "quantity", "expected", "got", "difference", "tolerance", "within"}};
  for (const ExpectationResult& result : results) rows.push_back(cells_of(result));
  std::array<std::size_t, 8> widths{};
  for (const TableCells& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths.at(i) = std::max(widths.at(i), row.at(i).size());
  if (std::all_of(results.begin(), results.end(),
                  [](const auto& result) { return result.expectation.point == 0; }))
    widths[kPointCell] = 0;
  std::size_t others = 9;  // blanks between them
  for (std::size_t i = 0; i < widths.size(); ++i) others += i == kNameCell ? 0 : widths.at(i);
  widths[kNameCell] = std::min(widths[kNameCell], kColumns - others);
  std::vector<std::string> lines = {table_row(rows.front(), widths)};
  for (std::size_t i = 0; i < results.size(); ++i) {
    lines.push_back(table_row(rows[i + 1], widths));
    lines.back().erase(lines.back().find_last_not_of(' ') + 1);
    std::string source = wrapped(std::string(kSourceIndent, ' '), results[i].expectation.source,
                                 kSourceIndent, kColumns);
    source.pop_back();
    if (!results[i].expectation.source.empty()) lines.push_back(std::move(source));
  }
  return lines;
}

nlohmann::ordered_json expectations_json(const std::vector<ExpectationResult>& results) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const ExpectationResult& result : results) {
    array.push_back({{"quantity", result.expectation.quantity},
                     {"step", result.step},
                     {"expected", result.expectation.value},
                     {"tolerance", result.expectation.tolerance},
                     {"got", result.value},
                     {"difference", result.difference},
                     {"within", result.within},
                     {"source", result.expectation.source}});
    if (result.expectation.point != 0) array.back()["point"] = result.expectation.point;
  }
  return array;
}

}  // namespace slipfield
