// SPDX-License-Identifier: Apache-2.0
#include "io/contact/grouping.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/contact/bodies/influence.h"
#include "io/contact/layer.h"

namespace slipfield {
namespace {

// Continues from the tractions that the case before left.
bool goes_on(const InputCase& input) {
  return input.digit('P') == 0 && (input.digit('T') == 1 || input.digit('T') == 2);
}

// Continues from the tractions that were there before the last case.
bool iterates(const InputCase& input) {
  return input.digit('P') == 3 && (input.digit('T') == 1 || input.digit('T') == 2);
}

// Begins from zero tractions, which steady rolling and pressure alone do not ask for.
bool starts_anew(const InputCase& input) {
  return (input.digit('P') == 1 || input.digit('P') == 2) &&
         (input.digit('T') == 1 || input.digit('T') == 2);
}

bool same_body(const ElasticBody& a, const ElasticBody& b) {
  return a.shear_modulus == b.shear_modulus && a.poisson_ratio == b.poisson_ratio &&
         a.creep == b.creep;
}

bool same_solver(const InputCase& a, const InputCase& b) {
  if (a.simplified() != b.simplified()) return false;
  const auto numbers = [](const InputCase& input) {
    std::vector<double> values{static_cast<double>(input.digit('M')),
                               static_cast<double>(input.digit('B')),
                               input.state.flexibility.value};
    for (const InputNumber& number : input.state.slope) values.push_back(number.value);
    if (input.digit('B') == 4)
      for (const InputNumber& number : input.state.potential) values.push_back(number.value);
    return values;
  };
  return !a.simplified() || numbers(a) == numbers(b);
}

bool same_heat(const InputCase& a, const InputCase& b) {
  if (!a.heats() && !b.heats()) return true;
  const InputNumbers& first = a.state.heat;
  const InputNumbers& second = b.state.heat;
  return a.heats() == b.heats() &&
         std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [](const InputNumber& x, const InputNumber& y) { return x.value == y.value; });
}

// What keeps the case out of the group; empty: nothing.
std::string difference(const InputCase& input, const InputSurface& surface,
                       const InputGroup& group) {
  const InputCase& last = *group.cases.back();
  if (input.result_element != last.result_element) return "the result elements";
  if (!same_surface(surface, group.surface)) return "the grid or the geometry";
  if (!same_body(upper_body(input), upper_body(last)) ||
      !same_body(lower_body(input), lower_body(last)))
    return "the bodies";
  if (!same_heat(input, last)) return "the heat data";
  if (input_layer(input) != input_layer(last)) return "the layers";
  if (input_influence(input, {}) != input_influence(last, {})) return "the influence coefficients";
  return same_solver(input, last) ? "" : "the method";
}

// Its only case has tractions before it that are not of its file.
bool starts_elsewhere(const InputGroup& group) {
  return group.cases.size() == 1 && group.cases.front()->number > 1 &&
         !starts_anew(*group.cases.front()) && !iterates(*group.cases.front());
}

}  // namespace

bool InputGrouping::add(const InputCase& input, const InputSurface& surface,
                        CaseDiagnostics& found) {
  const std::string change = groups_.empty() ? "" : difference(input, surface, groups_.back());
  const bool needs_last = goes_on(input) || iterates(input);
  const std::string label = fmt::format("P = {}", input.digit('P'));
  if ((groups_.empty() || left_out_) && needs_last && input.number > 1)
    found.add(input.digits['P'].place, label,
              "continues from the tractions of a case that is not converted",
              "accepted as the first is a case with P = 1 or 2");
  else if (!change.empty() && needs_last)
    found.add(input.digits['P'].place, label,
              fmt::format("continues from the tractions of the case before, but {} differ",
                          change == "the method" ? "the methods" : change),
              "accepted: P = 2, or steps on one grid, with one geometry and the same "
              "bodies");
  else if (iterates(input) && !groups_.empty() && starts_elsewhere(groups_.back()))
    found.add(input.digits['P'].place, label,
              "continues from tractions that belong to another grid, geometry or bodies",
              "accepted: P = 0 or 2");
  if (!found.empty()) return false;
  if (iterates(input) && !groups_.empty())
    repeat_but_last(surface);
  else if (groups_.empty() || !change.empty() || starts_anew(input) || left_out_)
    groups_.push_back({{}, {}, surface});
  groups_.back().cases.push_back(&input);
  left_out_ = false;
  return true;
}

void InputGrouping::repeat_but_last(const InputSurface& surface) {
  InputGroup next{groups_.back().cases, {}, surface};
  next.cases.pop_back();
  next.repeated = next.cases.size();
  groups_.push_back(std::move(next));
}

}  // namespace slipfield
