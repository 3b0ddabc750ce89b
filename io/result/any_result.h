// SPDX-License-Identifier: Apache-2.0
// A result of any kind as its table: points x steps x sides and contacts. Refuses what is not a
// result, or damaged, with an InputError of one sentence that names the file.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "io/result/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

enum class ResultKind { one_contact, wheel, sweep };
// The kind of a file, or of a point of a sweep with fields. Also one_contact for files that are not
// results, and for points that are not there; their reader reports that.
ResultKind kind_of(const std::filesystem::path& path, int point = 0);
// The point where the file is a sweep, else 0: among sweeps there may be the result of that point.
int point_in(const std::filesystem::path& path, int point);

struct AnyResult {
  ResultKind kind = ResultKind::one_contact;
  ResultInfo info;               // of a sweep without a grid, which may differ from point to point
  SweepTable rows;               // of a sweep those of the last step of each point
  std::vector<int> with_fields;  // points: ResultFile(path, point)
};

AnyResult rows_of(const ResultSteps& result);
// A run that is not complete as far as it got.
AnyResult read_any_result(const std::filesystem::path& path);

// A sweep without its rows.
struct SweepOutline {
  ResultInfo info;
  SweepLayout layout;
  std::vector<int> with_fields;
};
SweepOutline read_sweep_outline(const std::filesystem::path& path);
// Rows of those points that the file has, which may be none.
SweepTable read_sweep_rows(const std::filesystem::path& path, const PointRange& points);

// The same in blocks of points, for sweeps of any length; one block of any other result.
void read_in_blocks(const std::filesystem::path& path,
                    const std::function<void(const AnyResult& block)>& take);

// The selected rows; with neither side nor contact all of a point and step.
SweepTable selected_rows(const SweepTable& rows, const Selection& selection);

// The case has the section wheel_rail.
bool is_of_wheel_rail(const ResultHeader& header);

}  // namespace slipfield
