// SPDX-License-Identifier: Apache-2.0
#include "io/result/any_result.h"

#include <utility>

#include "io/result/header.h"
#include "io/result/sweep_reader.h"
#include "io/result/sweep_writer.h"
#include "io/result/warnings.h"
#include "io/result/wheel/reader.h"
#include "io/result/wheel/step_group.h"

namespace slipfield {
namespace {

// Reads the result of one contact or of a wheel.
AnyResult read_steps_of(const std::filesystem::path& path, ResultKind kind) {
  AnyResult any{kind, {}, {}};
  std::vector<StepRows> rows;
  if (kind == ResultKind::wheel) {
    WheelFile file = read_wheel_file(path);
    for (const WheelRecord& record : file.steps) rows.push_back(rows_of_step(record));
    any.info = std::move(file.info);
  } else {
    const ResultFile file = read_result(path);
    for (const ResultStep& step : file.steps()) {
      rows.push_back(rows_of_step(step.number, step.input, step.report));
      rows.back().warnings = joined_lines(step.warnings);
    }
    any.info = file.info();
  }
  any.rows = table_of_steps(rows);
  return any;
}

}  // namespace

ResultKind kind_of(const std::filesystem::path& path) {
  const std::string type = file_type_of(path);
  if (type == kSweepFileType) return ResultKind::sweep;
  return type == kWheelFileType ? ResultKind::wheel : ResultKind::one_contact;
}

AnyResult read_any_result(const std::filesystem::path& path) {
  const ResultKind kind = kind_of(path);
  if (kind != ResultKind::sweep) return read_steps_of(path, kind);
  SweepFile file = read_sweep_file(path);
  return {kind, std::move(file.info), std::move(file.table)};
}

void read_in_blocks(const std::filesystem::path& path,
                    const std::function<void(const AnyResult& block)>& take) {
  const ResultKind kind = kind_of(path);
  if (kind != ResultKind::sweep) return take(read_steps_of(path, kind));
  const SweepOutline outline = read_sweep_outline(path);
  for (const PointRange& block : blocks_of(outline.layout.points))
    take({kind, outline.info, read_sweep_rows(path, block)});
}

SweepTable selected_rows(const SweepTable& rows, const Selection& selection) {
  const auto is_meant = [&](const RowKey& key) {
    return (selection.point == 0 || key.point == selection.point) &&
           (selection.step == 0 || key.step == selection.step);
  };
  SweepTable meant = rows_where(rows, is_meant);
  if (selection.side.empty() && selection.contact == 0) return meant;
  return rows_of(meant, selection.side, selection.contact);
}

bool is_of_wheel_rail(const ResultHeader& header) {
  return ("\n" + header.case_yaml).find("\nwheel_rail:") != std::string::npos;
}

}  // namespace slipfield
