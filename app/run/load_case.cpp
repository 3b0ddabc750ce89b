// SPDX-License-Identifier: Apache-2.0
#include "app/run/load_case.h"

#include "app/console.h"
#include "io/case/sweep.h"
#include "solver/error.h"

namespace slipfield {

CaseFile load_case(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                   int point, const Shard& shard) {
  CaseFile file = read_case_shard(path, overrides, shard);
  for (const std::string& warning : file.warnings) log_warning(warning);
  if (point == 0) return file;
  if (!file.sweep)
    throw InputError(path.string() +
                     ": --point names a point of a sweep, and the case has no sweep");
  CaseFile alone = file.sweep->point(point, PointUse::alone);
  alone.source = file.source;
  alone.skipped_expected = file.skipped_expected;
  return alone;
}

}  // namespace slipfield
