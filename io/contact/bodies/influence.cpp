// SPDX-License-Identifier: Apache-2.0
#include "io/contact/bodies/influence.h"

#include <fmt/format.h>

#include <memory>

#include "io/case/sections.h"
#include "io/yaml/tree.h"
#include "solver/problem_limits.h"

namespace slipfield {
namespace {

constexpr int kConformalDigit = 4;
constexpr int kFileDigit = 9;

// IF_METH, VARIANT, NN, then Y and ALPHA by turns.
constexpr std::size_t kFirstInclination = 3;

CurvedInfluence conformal_influence(const InputNumbers& numbers) {
  ConformalCorrection conformal;
  conformal.straight = numbers[0].integer() == 0;
  conformal.variant = numbers[1].integer();
  for (std::size_t i = kFirstInclination; i + 1 < numbers.size(); i += 2) {
    conformal.y.push_back(numbers[i].value);
    conformal.angle.push_back(numbers[i + 1].value);
  }
  return {nullptr, std::make_shared<const ConformalCorrection>(std::move(conformal))};
}

void check_inclinations(const InputNumbers& numbers, CaseDiagnostics& diagnostics) {
  const int method = numbers[0].integer();
  if (method != 0 && method != 1)
    diagnostics.add(numbers[0].place, "IF_METH", fmt::format("there is no {}", method),
                    "accepted: 0 and 1");
  const int variant = numbers[1].integer();
  if (variant < kConformalVariant.least || variant > kConformalVariant.greatest)
    diagnostics.add(numbers[1].place, "VARIANT", fmt::format("there is no {}", variant),
                    "accepted: 1 to 4");
  if (numbers[2].integer() < 2)
    diagnostics.add(numbers[2].place, "NN", fmt::format("is {}", numbers[2].integer()),
                    "accepted: 2 points or more");
  for (std::size_t i = kFirstInclination; i + 1 < numbers.size(); i += 2) {
    if (i > kFirstInclination && !(numbers[i].value > numbers[i - 2].value))
      diagnostics.add(
          numbers[i].place, "Y",
          fmt::format("{} is not above {}, the one before", numbers[i].value, numbers[i - 2].value),
          "increasing numbers");
    if (!kInclination.contains(numbers[i + 1].value))
      diagnostics.add(numbers[i + 1].place, "ALPHA",
                      fmt::format("{} is out of range", numbers[i + 1].value),
                      "accepted: -180d to 180d");
  }
}

}  // namespace

std::string input_influence(const InputCase& input, const std::filesystem::path& folder) {
  const int digit = input.state.influence.value;
  if (digit == kFileDigit) {
    const auto path = (folder / input.state.coefficients).lexically_normal();
    return fmt::format("influence: {{file: {}}}", double_quoted(path.generic_string()));
  }
  if (digit != kConformalDigit) return {};
  std::string text = influence_text(conformal_influence(input.state.inclinations));
  text.pop_back();
  return text;
}

void check_influence_support(const InputCase& input, CaseDiagnostics& diagnostics) {
  const ControlDigit& digit = input.state.influence;
  const std::string name = fmt::format("C = {}", digit.value);
  const bool curved = digit.value == kConformalDigit || digit.value == kFileDigit;
  if (digit.value > 2 && !curved)
    diagnostics.add(digit.place, name,
                    "of the influence coefficients only those of half-spaces with constant "
                    "tractions in each element are supported",
                    "accepted: C = 2, 4 and 9");
  if (!curved) return;
  if (digit.value == kConformalDigit) check_inclinations(input.state.inclinations, diagnostics);
  if (input.digit('M') != 0)
    diagnostics.add(input.digits['M'].place, fmt::format("M = {}", input.digit('M')),
                    "curved surfaces (" + name + ") are elastic, with nothing between them",
                    "accepted: M = 0, or C = 2");
  if (input.digit('B') != 0)
    diagnostics.add(input.digits['B'].place, fmt::format("B = {}", input.digit('B')),
                    "curved surfaces (" + name + ") have no sheet between them",
                    "accepted: B = 0, or C = 2");
  if (!input.state.weights.empty())
    diagnostics.add(input.state.weights[0].place, "weights of the patches",
                    "are those of half-spaces", "accepted: another IPLAN, or C = 2");
}

}  // namespace slipfield
