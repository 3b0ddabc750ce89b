// SPDX-License-Identifier: Apache-2.0
#include "app/run/load_case.h"

#include <fmt/format.h>

#include <chrono>

#include "app/console.h"
#include "app/failure.h"
#include "io/case/sweep.h"
#include "solver/error.h"
#include "solver/ranks/ranks.h"

namespace slipfield {
namespace {

constexpr std::chrono::seconds kSilent(1);

}  // namespace

CaseFile load_case(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                   int point, const Shard& shard, bool log_warnings) {
  const auto begin = std::chrono::steady_clock::now();
  CaseFile file = read_case_shard(path, overrides, shard, [&](int done, int count) {
    if (!ranks::several()) throw_if_interrupted();
    if (std::chrono::steady_clock::now() - begin > kSilent)
      show_progress(fmt::format("{} of {} points read{}", done, count,
                                time_left_text(begin, done, count - done)));
  });
  clear_progress();
  if (log_warnings)
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
