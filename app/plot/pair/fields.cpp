// SPDX-License-Identifier: Apache-2.0
#include "app/plot/pair/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "io/result/field_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

double greatest_value(const std::vector<double>& values) {
  Range range = kNoRange;
  range.include(values);
  return range.greatest();
}

// A traction that the tolerance leaves of zero is none.
bool tells(std::vector<FieldsOfStep>& results, const std::string& field) {
  constexpr double kNoise = 1.0e-6;
  const bool known = std::all_of(results.begin(), results.end(),
                                 [&](const FieldsOfStep& fields) { return fields.has(field); });
  if (!known) return false;
  return std::any_of(results.begin(), results.end(), [&](FieldsOfStep& fields) {
    const double pressure = fields.has("pressure") ? greatest_value(fields.field("pressure")) : 0.0;
    return greatest_value(fields.field(field)) > kNoise * pressure;
  });
}

}  // namespace

std::vector<std::string> drawn_fields(std::vector<FieldsOfStep>& results,
                                      const std::vector<std::string>& wanted,
                                      std::string_view what) {
  const std::string file = results.front().result().path().string();
  std::vector<std::string> fields;
  for (const std::string& name : wanted) {
    if (name == kDivisionName)
      throw InputError(
          fmt::format("{}: element_division has no numbers for {} of several results; "
                      "accepted: other fields",
                      file, what));
    if (name == "traction" || name == "slip")
      fields.insert(fields.end(), {name + "_x", name + "_y"});
    else
      fields.push_back(name);
  }
  if (!fields.empty()) return fields;
  for (const char* name : {"pressure", "traction_x", "traction_y"})
    if (tells(results, name)) fields.emplace_back(name);
  if (fields.empty())
    throw InputError(
        fmt::format("{}: there is neither a pressure nor a traction that all of the "
                    "results have; name fields with --fields: {}",
                    file, fmt::join(results.front().step().fields, ", ")));
  return fields;
}

std::string common_title(const std::vector<ResultHeader>& headers,
                         const std::vector<std::string>& names) {
  const bool same = std::all_of(headers.begin(), headers.end(), [&](const ResultHeader& header) {
    return header.title == headers.front().title;
  });
  if (same && !headers.front().title.empty()) return headers.front().title;
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace slipfield
