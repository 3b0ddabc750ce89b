// SPDX-License-Identifier: Apache-2.0
#include "app/plot/curves/read.h"

#include <algorithm>
#include <utility>

#include "app/plot/sweep_curves.h"
#include "app/report/incomplete.h"

namespace slipfield {
namespace {

void keep_columns(SweepTable& table, const std::vector<std::string>& names) {
  std::erase_if(table.columns, [&](const SweepColumn& column) {
    return std::find(names.begin(), names.end(), column.name) == names.end();
  });
  for (std::string& message : table.messages) message = std::string();
}

}  // namespace

SweepFile read_drawn_sweep(const std::filesystem::path& path, const SweepFigureRequest& request) {
  const SweepOutline outline = read_sweep_outline(path);
  const std::vector<std::string> names =
      request.quantities.empty() ? default_candidates() : request.quantities;
  SweepFile sweep{outline.info, {}, outline.with_fields};
  OutcomeCounts counts;
  for (const PointRange& range : blocks_of(outline.layout.points)) {
    SweepTable rows = read_sweep_rows(path, range);
    counts.add(rows);
    keep_columns(rows, names);
    rows = points_with(rows, path.string(), request.where);
    if (rows.count() == 0) continue;
    if (sweep.table.count() == 0)
      sweep.table = std::move(rows);
    else
      append_rows(sweep.table, rows);
  }
  warn_of_incomplete(path, outline.info, counts);
  if (sweep.table.count() == 0)  // says which condition, and the values that there are
    sweep.table = points_where(read_sweep_file(path).table, path.string(), request.where);
  sweep.table.shape = outline.layout.shape;
  return sweep;
}

}  // namespace slipfield
