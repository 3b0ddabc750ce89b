// SPDX-License-Identifier: Apache-2.0
#include "io/case/sections.h"

namespace slipfield {

std::optional<NormalLoad> read_normal(CaseSection& normal) {
  const auto form = normal.one_of({"force", "approach"}, Presence::required);
  const auto force = normal.number("force", kPositive, Presence::optional);
  const auto approach = normal.number("approach", kAnyNumber, Presence::optional);
  normal.finish();
  if (!form) return std::nullopt;
  if (force) return NormalLoad{NormalControl::force, *force};
  if (approach) return NormalLoad{NormalControl::approach, *approach};
  return std::nullopt;
}

}  // namespace slipfield
