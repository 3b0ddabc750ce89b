// SPDX-License-Identifier: Apache-2.0
#include "app/report/step_warnings.h"

#include <fmt/format.h>

#include <cctype>
#include <utility>

#include "app/report/heat_doubt.h"
#include "io/case/doubts.h"
#include "io/result/field_table.h"
#include "solver/plausibility.h"

namespace slipfield {

std::string heat_warning(const ContactProblem& problem, const StepInput& input,
                         const StepReport& report) {
  const auto& heat = problem.surface.heat;
  if (!heat || heat_conduction(*heat, problem.steps) != HeatConduction::depth) return {};
  return is_rolling(input.tangential.problem) ? heat_doubt(report) : standing_body_doubt(report);
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
