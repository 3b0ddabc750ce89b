// SPDX-License-Identifier: Apache-2.0
#include "app/report/step_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <numbers>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/case/doubts.h"
#include "io/result/field_table.h"
#include "solver/plausibility.h"
#include "solver/surface/heat.h"
#include "solver/surface/shakedown.h"

namespace slipfield {
namespace {

// Warns of temperatures computed with heat that flows into the depth only; empty if no doubt.
std::string heat_warning(const ContactProblem& problem, const StepInput& input,
                         const StepReport& report) {
  const auto& heat = problem.surface.heat;
  if (!heat) return {};
  const bool rolls = is_rolling(input.tangential.problem);
  const PassingSpeeds speeds = passing_speeds(input.tangential, report);
  if (rolls && std::ranges::min(speeds) <= kSlowestPassage)
    return fmt::format(
        "the creepage is 2 or more, so that the {} body stands still or moves the other way, and "
        "its heat is taken as if it passed at {:g} of the rolling velocity",
        speeds[0] < speeds[1] ? "upper" : "lower", kSlowestPassage);
  if (heat_conduction(*heat, problem.steps) != HeatConduction::depth) return {};
  if (rolls) return heat_doubt(report);
  if (!report.surface.peclet_number) return {};
  return "the contact stays on one body, where heat also flows sideways: into the depth only the "
         "temperatures are too high; accepted: conduction: half_space";
}

// Whether a line with this beginning is about another step.
bool is_of_other_step(std::string_view start, int step) {
  constexpr std::string_view kStep = "step ";
  const std::size_t at = start.rfind(kStep);
  if (at == std::string_view::npos) return false;
  const std::string_view text = start.substr(at + kStep.size());
  int number = 0;
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc() &&
         number != step;
}

}  // namespace

std::string heat_doubt(const StepReport& report) {
  constexpr double kLeastPecletNumber = 5.0;  // THEORY.md 15.1
  const auto peclet = report.surface.peclet_number;
  if (!peclet || *peclet >= kLeastPecletNumber) return {};
  if (*peclet < 1.0)
    return fmt::format(
        "the Peclet number is {:.3g}; far below {:g} heat also flows sideways, and the "
        "temperatures are too high",
        *peclet, kLeastPecletNumber);
  return fmt::format(
      "the Peclet number is {:.3g}; below {:g} heat also flows sideways, and the temperatures are "
      "some {:.1f} % off",
      *peclet, kLeastPecletNumber, 12.5 / *peclet);
}

std::string ellipse_doubt(const PassedContact& contact, double peak, Units units) {
  const double width_over_length = contact.width_over_length;
  if (contact.line && width_over_length == 0.0)
    return fmt::format(
        "the contact is a line along which the material passes, and the shakedown limits are those "
        "of a circle: {:.3g} without friction; p_0 is that of a line, {:.4g} {}",
        point_limits(0.0).shakedown, peak, unit_text(Dimension::traction, units));
  if (contact.line) return {};
  constexpr double kMostRatio = 2.0;
  constexpr double kLineOverEllipse = 9.0 * std::numbers::pi / 32.0;  // p_0 of the same moments
  if (width_over_length > kMostRatio)
    return fmt::format(
        "the contact is {:.2g} times as wide as long: p_0 of the shakedown map is that of an "
        "ellipse, {:.4g} {}, and of a line {:.4g}",
        width_over_length, peak, unit_text(Dimension::traction, units), kLineOverEllipse * peak);
  if (width_over_length > 0.0 && width_over_length < 1.0 / kMostRatio)
    return fmt::format(
        "the contact is {:.2g} times as long as wide, and the shakedown limits are those of a "
        "circle: {:.3g} without friction; p_0 is that of an ellipse, {:.4g} {}",
        1.0 / width_over_length, point_limits(0.0).shakedown, peak,
        unit_text(Dimension::traction, units));
  return {};
}

std::vector<std::string> step_warnings(const ContactProblem& problem, const StepInput& input,
                                       const StepReport& report) {
  std::vector<std::string> warnings;
  if (report.touches_edge) warnings.emplace_back(kEdgeWarning);
  if (std::string heat = heat_warning(problem, input, report); !heat.empty())
    warnings.push_back(std::move(heat));
  for (const Finding& finding : doubts_after(problem, input, report))
    warnings.push_back(doubt_text(finding, problem.units));
  return warnings;
}

std::vector<std::string> step_remarks(const StepReport& report,
                                      const std::vector<std::string>& warnings) {
  std::vector<std::string> remarks;
  if (report.outcome == Outcome::converged && !report.message.empty())
    remarks.push_back(report.message);
  remarks.insert(remarks.end(), warnings.begin(), warnings.end());
  return remarks;
}

bool says(std::string_view line, std::string_view warning, int step) {
  if (!line.ends_with(warning)) return false;
  line.remove_suffix(warning.size());
  return !is_of_other_step(line, step);
}

std::string message_of_step(int number, const StepReport& report, std::set<std::string>& told) {
  const std::string& text = report.message;
  if (report.outcome != Outcome::converged)
    return fmt::format("step {} did not converge: {}", number, text);
  const bool is_new = told.insert(text.substr(0, text.find_first_of("0123456789"))).second;
  return is_new && !text.empty() ? fmt::format("step {}: {}", number, text) : std::string();
}

std::vector<std::string> lines_of_step(const ContactProblem& problem, int number,
                                       const StepInput& input, const StepReport& report,
                                       std::set<std::string>& told) {
  std::vector<std::string> lines;
  if (std::string message = message_of_step(number, report, told); !message.empty())
    lines.push_back(std::move(message));
  if (const std::string heat = heat_warning(problem, input, report); !heat.empty())
    lines.push_back(fmt::format("step {}: {}", number, heat));
  return lines;
}

std::string without_numbers(const std::string& text) {
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_digit = [&](std::size_t k) {
      return k < text.size() && std::isdigit(static_cast<unsigned char>(text[k])) != 0;
    };
    const bool exponent =
        text[i] == 'e' && i > 0 && is_digit(i - 1) &&
        (is_digit(i + 1) ||
         (i + 1 < text.size() && (text[i + 1] == '-' || text[i + 1] == '+') && is_digit(i + 2)));
    const bool sign = (text[i] == '-' || text[i] == '+') && is_digit(i + 1);
    const bool point = text[i] == '.' && is_digit(i + 1);
    if (!is_digit(i) && !exponent && !sign && !point) rest += text[i];
  }
  return rest;
}

}  // namespace slipfield
