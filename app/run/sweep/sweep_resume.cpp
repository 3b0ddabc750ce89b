// SPDX-License-Identifier: Apache-2.0
#include "app/run/sweep/sweep_resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/run/resume.h"
#include "io/case/sweep.h"
#include "io/output_rule.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_other_points(const fs::path& path, const PointRange& theirs,
                                      const PointRange& ours) {
  throw InputError(fmt::format(
      "{}: holds {} of the sweep, and {} are asked for; name another file with -o, or resume with "
      "the --shard that it was started with",
      path.string(), points_text(theirs), points_text(ours)));
}

SweepOutline outline_of(const CaseFile& case_file, const fs::path& path) {
  SweepOutline outline = read_sweep_outline(path);
  const ResultHeader& header = outline.info.header;
  require_same_case(path, case_file, header.case_yaml, header.inputs);
  return outline;
}

}  // namespace

std::optional<FinishedPoints> FinishedPoints::find(const CaseFile& case_file,
                                                   const fs::path& result,
                                                   const CheckpointFolder& folder) {
  std::optional<FinishedPoints> found;
  const auto add = [&](const fs::path& path, SweepOutline outline, bool is_part) {
    if (!found) found.emplace();
    found->begun_ = std::move(outline.info);
    found->files_.push_back({path, is_part, outline.layout.points, std::move(outline.with_fields)});
  };
  if (is_taken(result)) add(result, result_of_sweep(case_file, result), false);
  for (const auto& [number, part] : folder.numbered_parts()) {
    folder.require_sound(part);
    SweepOutline outline = outline_of(case_file, part);
    const PointRange ours = case_file.sweep->points();
    if (!ours.contains(outline.layout.points))
      refuse_other_points(part, outline.layout.points, ours);
    add(part, std::move(outline), true);
  }
  return found;
}

void FinishedPoints::take_rows(const File& file, SweepTable& table,
                               const std::function<bool(int number)>& wanted) {
  const PointRange common = common_points(file.points, table.points());
  if (common.count == 0) return;
  const SweepTable rows = read_sweep_rows(file.path, common);
  std::vector<StepRows> taken;
  for (int number = common.first; number < common.end(); ++number) {
    if (!table.has_totals(table.row_of(number)) && rows.has_totals(rows.row_of(number)) &&
        wanted(number))
      taken.push_back(rows_of_point(rows, number));
  }
  put_points(table, std::move(taken));
}

fs::path FinishedPoints::fields_of(int point) const {
  for (const File& file : files_)
    if (std::binary_search(file.with_fields.begin(), file.with_fields.end(), point))
      return file.path;
  return {};
}

std::vector<fs::path> FinishedPoints::parts_of(const PointRange& block) const {
  std::vector<fs::path> parts;
  for (const File& file : files_)
    if (file.is_part && block.contains(file.points)) parts.push_back(file.path);
  return parts;
}

SweepOutline result_of_sweep(const CaseFile& case_file, const fs::path& path) {
  SweepOutline outline = outline_of(case_file, path);
  const PointRange ours = case_file.sweep->points();
  if (outline.layout.points != ours) refuse_other_points(path, outline.layout.points, ours);
  return outline;
}

}  // namespace slipfield
