// SPDX-License-Identifier: Apache-2.0
#include "app/run/run_case.h"

#include <utility>

#include "app/console.h"
#include "app/run/conductor.h"
#include "app/run/resume.h"
#include "io/case/sections.h"
#include "io/case/sweep.h"
#include "io/checksum.h"
#include "io/heights/files.h"
#include "solver/ranks/ranks.h"

namespace slipfield {

std::vector<std::string> input_lines(const CaseFile& case_file) {
  std::vector<std::string> lines;
  for (std::size_t i = 1; i < case_file.input_files.size(); ++i)  // the first one is the case
    if (!names_array(case_file.input_files[i]))
      lines.push_back(cksum_line(absolute_path(case_file.input_files[i])));
  return lines;
}

ResultHeader run_header(const CaseFile& case_file, const Grid& grid, std::string backend,
                        std::string device) {
  const ContactProblem& problem = case_file.problem;
  return {problem.title,
          case_file.resolved_yaml,
          grid,
          problem.units,
          std::move(backend),
          std::move(device),
          case_file.output.compression,
          case_file.source,
          input_lines(case_file)};
}

OutputRule output_rule(const CaseFile& case_file, const RunOptions& options) {
  return {options.resume ? Overwrite::allow : options.overwrite, case_file.input_files};
}

void warn_of_expected(const std::vector<ExpectationResult>& expected) {
  if (all_within(expected)) return;
  log_warning(std::string(kDiffersFromExpected));
}

RunObserver silent_observer() {
  return {[](const RunRecord&) {}, [](const StepRecord&) {}, [](const RunRecord&, std::size_t) {}};
}

RunRecord run_case(const CaseFile& case_file, const RunOptions& options,
                   const RunObserver& observer) {
  ranks::each(
      [&] { check_output(options.output, FileKind::result, output_rule(case_file, options)); });
  const bool sweep = case_file.sweep != nullptr;
  if (options.resume) {
    std::optional<RunRecord> complete;
    ranks::each([&] {
      const std::optional<RunSummary> found = find_complete(case_file, options.output);
      if (!found) return;
      complete =
          sweep ? read_complete_sweep(case_file, *found) : read_complete_run(case_file, *found);
      if (ranks::is_first()) tell_complete(case_file, options.output);
    });
    if (complete) {
      warn_of_expected(complete->expected);
      return std::move(*complete);
    }
  }
  return (sweep ? make_sweep_run(case_file, options, observer)
                : make_plain_run(case_file, options, observer))
      ->run();
}

}  // namespace slipfield
