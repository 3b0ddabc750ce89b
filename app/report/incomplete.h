// SPDX-License-Identifier: Apache-2.0
// Warns that the run of a result was ended by an interrupt or an error.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/console.h"
#include "app/report/step_table.h"
#include "io/case/of_result.h"
#include "io/result/any_result.h"
#include "io/result/reader.h"
#include "io/result/wheel/table.h"

namespace slipfield {

// Warns where the run ended and how much is missing; silent if the run was complete. `last`: number
// of the file's last step.
inline void warn_of_incomplete(const std::filesystem::path& path, const ResultInfo& info,
                               int last) {
  if (info.outcome != "incomplete") return;
  const int all = steps_of_case(info.header);
  const std::string missing =
      all > last ? fmt::format(" of {}; {} missing", all,
                               counted(static_cast<std::size_t>(all - last), "step") +
                                   (all - last == 1 ? " is" : " are"))
                 : std::string();
  log_warning(fmt::format("{}: the run did not finish; the file ends with step {}{}", path.string(),
                          last, missing));
}

// Warns of an incomplete result of one contact or of a wheel, unless it is a point of a sweep.
inline void warn_of_incomplete(const std::filesystem::path& path, const Selection& selection,
                               const ResultFile& result) {
  if (selection.point > 0 || result.info().outcome != "incomplete") return;
  const int last = (selection.contact > 0 ? read_steps(path).steps : result.steps()).back().number;
  warn_of_incomplete(path, result.info(), last);
}

// The last step that a run reached: of a complete run that of its case, of an incomplete one step
// `last` of its file. A file may leave out steps that its run reached (`output.steps`).
inline int last_reached(const ResultInfo& info, int last) {
  return info.outcome == "incomplete" ? last : std::max(last, steps_of_case(info.header));
}

// Selects the steps of another run, `numbers`, that this run did not reach.
inline std::vector<std::size_t> steps_not_run(const ResultInfo& info, int last,
                                              const std::set<int>& numbers) {
  return {numbers.upper_bound(last_reached(info, last)), numbers.end()};
}

// Warns of an incomplete sweep.
inline void warn_of_incomplete(const std::filesystem::path& path, const ResultInfo& info,
                               const OutcomeCounts& counts) {
  const std::size_t missing = counts.count(PointOutcome::not_run);
  if (info.outcome != "incomplete" || missing == 0) return;
  log_warning(fmt::format("{}: the sweep did not finish; {} of {} {} not run", path.string(),
                          missing, counted(counts.points(), "point"),
                          missing == 1 ? "was" : "were"));
}
inline void warn_of_incomplete(const std::filesystem::path& path, const AnyResult& any) {
  if (any.kind != ResultKind::sweep)
    return warn_of_incomplete(path, any.info, any.rows.keys.back().step);
  OutcomeCounts counts;
  counts.add(any.rows);
  warn_of_incomplete(path, any.info, counts);
}

}  // namespace slipfield
