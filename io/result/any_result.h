// SPDX-License-Identifier: Apache-2.0
// Reads a result of any kind as a table: points x steps x sides and contacts. Throws InputError
// that names the file if it is damaged or not a result.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "io/result/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

enum class ResultKind { one_contact, wheel, sweep };
// The kind of a file, or of a point of a sweep with fields. Returns one_contact for files that are
// not results and for missing points; their reader reports the error.
ResultKind kind_of(const std::filesystem::path& path, int point = 0);
// Returns the point if the file is a sweep, else 0: among sweeps there may be a point's result.
int point_in(const std::filesystem::path& path, int point);

struct AnyResult {
  ResultKind kind = ResultKind::one_contact;
  ResultInfo info;               // without a grid for a sweep, whose points may have different ones
  SweepTable rows;               // for a sweep the last step of each point
  std::vector<int> with_fields;  // points with fields: ResultFile(path, point)
};

AnyResult rows_of(const ResultSteps& result);
// Reads an incomplete run as far as it got.
AnyResult read_any_result(const std::filesystem::path& path);

// A sweep without its rows.
struct SweepOutline {
  ResultInfo info;
  SweepLayout layout;
  std::vector<int> with_fields;
};
SweepOutline read_sweep_outline(const std::filesystem::path& path);
// Rows of the file's points in this range, which may be none.
SweepTable read_sweep_rows(const std::filesystem::path& path, const PointRange& points);

// The same in blocks of points, for sweeps of any length; any other result is one block.
void read_in_blocks(const std::filesystem::path& path,
                    const std::function<void(const AnyResult& block)>& take);

// The selected rows; without side and contact all rows of a point and step.
SweepTable selected_rows(const SweepTable& rows, const Selection& selection);

}  // namespace slipfield
