// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/decimal_comma.h"
#include "io/heights/formats.h"
#include "io/plain_text.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

constexpr std::string_view kBlanks = " \t\r";

struct TextLine {
  std::string_view rest;
  std::size_t number = 0;

  void skip_blanks() {
    const std::size_t start = rest.find_first_not_of(kBlanks);
    rest.remove_prefix(start == std::string_view::npos ? rest.size() : start);
  }
};

double take_number(TextLine& line, const std::filesystem::path& path,
                   const HeightsRequest& request) {
  const std::string_view word = line.rest.substr(0, line.rest.find_first_of(" \t\r,;"));
  const std::string body = plain_number(word);
  double value = 0.0;
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value);
  if (word.empty())
    refuse_heights(path, fmt::format("a value is missing at a {} in line {}",
                                     line.rest[0] == ';' ? "semicolon" : "comma", line.number));
  if (error != std::errc{} || end != body.data() + body.size())
    refuse_heights(path, fmt::format("{} in line {} is not a number{}", in_quotes(word),
                                     line.number, surface_hint(request)));
  line.rest.remove_prefix(word.size());
  return value;
}

// Appends the numbers of the line, at most `room` of them, and returns how many there are.
std::size_t read_row(TextLine line, const std::filesystem::path& path,
                     const HeightsRequest& request, std::size_t room, std::vector<double>& values) {
  std::size_t count = 0;
  line.skip_blanks();
  while (!line.rest.empty()) {
    const double value = take_number(line, path, request);
    if (count++ < room) values.push_back(value);
    line.skip_blanks();
    if (line.rest.empty() || (line.rest[0] != ',' && line.rest[0] != ';')) continue;
    const char* const separator = line.rest[0] == ';' ? "semicolon" : "comma";
    line.rest.remove_prefix(1);
    line.skip_blanks();
    if (line.rest.empty())
      refuse_heights(path, fmt::format("a value is missing after the last {} of line {}", separator,
                                       line.number));
  }
  return count;
}

// Puts the columns of each row in the order of the request.
void reorder(std::vector<double>& values, const ColumnOrder& order) {
  std::vector<double> row(order.size());
  for (std::size_t first = 0; first + row.size() <= values.size(); first += row.size()) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = values[first + order[i]];
    std::copy(row.begin(), row.end(), values.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

}  // namespace

Heights read_text_heights(const std::filesystem::path& path, const HeightsRequest& request) {
  const auto most_columns = static_cast<std::size_t>(request.mx > 0 ? request.mx : kMostSamples);
  const auto most_rows = static_cast<std::size_t>(request.my > 0 ? request.my : kMostSamples);
  std::ifstream file(path, std::ios::binary);
  std::vector<double> values;
  std::size_t rows = 0;
  std::size_t columns = 0;
  TextHeader header(path, request);
  bool names = false;  // have been read
  std::string text;
  std::string numbers;
  DecimalCommas commas;
  for (std::size_t number = 1; std::getline(file, text); ++number) {
    if (number == 1 && (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")))
      refuse_heights(path,
                     fmt::format("is text in UTF-16; accepted: UTF-8{}", surface_hint(request)));
    if (text.find('\0') != std::string::npos)
      refuse_heights(path, "is neither an HDF5 file, nor .npy, nor text");
    while (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.find('\r') != std::string::npos)
      refuse_heights(path, "has lines that end with a carriage return alone; accepted: line feeds");
    std::string_view line = text;
    if (number == 1) line = without_byte_order_mark(line);
    numbers = before_comment(line, "#");
    if (numbers.size() < line.size())
      header.take_comment(line.substr(numbers.size() + 1), number, rows == 0);
    if (request.form == TableForm::list && !names && rows == 0 &&
        header.take_names(numbers, number)) {
      names = true;
      continue;
    }
    if (const auto fault = commas.take(number, numbers))
      refuse_heights(path,
                     fmt::format("{}line {} {}{}", fault->word.empty() ? "" : fault->word + " in ",
                                 number, fault->problem, surface_hint(request)));
    const std::size_t count =
        read_row({numbers, number}, path, request, rows < most_rows ? most_columns : 0, values);
    if (count == 0) continue;
    if (rows++ == 0) columns = count;
    if (count != columns)
      refuse_heights(path, fmt::format("line {} has {} values, the lines before it have {}", number,
                                       count, columns));
  }
  if (file.bad()) refuse_heights(path, "cannot be read to its end");
  check_shape(path, {rows, columns}, request);
  if (header.order().size() == columns) reorder(values, header.order());
  return {std::move(values), static_cast<int>(columns), static_cast<int>(rows), {}};
}

}  // namespace slipfield
