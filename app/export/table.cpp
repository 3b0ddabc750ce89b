// SPDX-License-Identifier: Apache-2.0
#include "app/export/table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "io/output_rule.h"

namespace slipfield {
namespace {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) quoted += character == '"' ? "\"\"" : std::string(1, character);
  return quoted + "\"";
}

std::string csv_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{}", value + 0.0);
}

// "$-1.5 \times 10^{-6}$"
std::string latex_number(double value) {
  if (std::isnan(value)) return "--";
  if (std::isinf(value)) return value < 0.0 ? "$-\\infty$" : "$\\infty$";
  const std::string text = fmt::format("{:.5g}", value + 0.0);
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return "$" + text + "$";
  return fmt::format("${} \\times 10^{{{}}}$", text.substr(0, exponent),
                     std::stoi(text.substr(exponent + 1)));
}

template <typename Cell>
std::string table_line(const ExportTable& table, std::string_view between, std::string_view end,
                       Cell cell) {
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) line += between;
    line += cell(table.columns[i]);
  }
  return line.append(end);
}

}  // namespace

std::size_t ExportTable::rows() const {
  if (columns.empty()) return 0;
  return std::max(columns.front().numbers.size(), columns.front().texts.size());
}

std::string csv_text(const ExportTable& table) {
  const std::string text = table_line(table, ",", "\n", [](const ExportColumn& column) {
    return csv_cell(column.unit == "-" ? column.name
                                       : fmt::format("{} [{}]", column.name, column.unit));
  });
  return text + csv_rows(table);
}

std::string csv_rows(const ExportTable& table) {
  std::string text;
  for (std::size_t row = 0; row < table.rows(); ++row)
    text += table_line(table, ",", "\n", [row](const ExportColumn& column) {
      return column.texts.empty() ? csv_number(column.numbers[row]) : csv_cell(column.texts[row]);
    });
  return text;
}

std::string latex_text(const ExportTable& table) {
  std::string text(kLatexMark);
  text += "\n% \\usepackage{booktabs}\n\\begin{tabular}{";
  for (const ExportColumn& column : table.columns) text += column.texts.empty() ? 'r' : 'l';
  text += "}\n\\toprule\n";
  text += table_line(table, " & ", " \\\\\n",
                     [](const ExportColumn& column) { return latex_escaped(column.label); });
  text += table_line(table, " & ", " \\\\\n\\midrule\n", [](const ExportColumn& column) {
    return column.label_unit == "-" ? "" : fmt::format("[{}]", latex_escaped(column.label_unit));
  });
  for (std::size_t row = 0; row < table.rows(); ++row)
    text += table_line(table, " & ", " \\\\\n", [row](const ExportColumn& column) {
      return column.texts.empty() ? latex_number(column.numbers[row] * column.factor)
                                  : latex_escaped(column.texts[row]);
    });
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string latex_escaped(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kWords = {{
      {"\\", "\\textbackslash{}"},
      {"{", "\\{"},
      {"}", "\\}"},
      {"$", "\\$"},
      {"&", "\\&"},
      {"%", "\\%"},
      {"#", "\\#"},
      {"_", "\\_"},
      {"~", "\\textasciitilde{}"},
      {"^2", "$^2$"},
      {"^", "\\textasciicircum{}"},
      {"µ", "$\\mu$"},
      {"Fₙ", "$F_n$"},
      {"\n", " "},
  }};
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    std::string_view word = rest.substr(0, 1);
    std::string_view shown = word;
    for (const auto& [plain, latex] : kWords) {
      if (!rest.starts_with(plain)) continue;
      word = plain;
      shown = latex;
      break;
    }
    escaped += shown;
    at += word.size();
  }
  return escaped;
}

}  // namespace slipfield
