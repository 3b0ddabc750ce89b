// SPDX-License-Identifier: Apache-2.0
// Which points of a sweep make which curves of its figure.
#pragma once

#include <string>
#include <vector>

#include "io/result/sweep_table.h"

namespace slipfield {

// One line of a panel: the points (from 0) with the same values of the keys other than the axis'.
struct SweepCurve {
  std::string label;                // those values: "0.3", or "0.3, 0.1"
  std::vector<std::size_t> points;  // in the order of the horizontal axis
};
// `over`: nullptr for the points' numbers. A key that goes with `over` makes no curves.
struct SweepCurves {
  std::vector<std::string> keys;  // those that make the curves; empty with one curve only
  std::vector<SweepCurve> curves;
};
SweepCurves curves_of(const SweepTable& table, const SweepInput* over);

// The key of the horizontal axis: `over`, or the one with most numbers; nullptr where there is
// none. Throws InputError where `over` is not a key of the sweep with numbers; name: of the file.
const SweepInput* axis_of(const SweepTable& table, const std::string& name,
                          const std::string& over);

// The points that have these values, "key=value" each. Throws InputError where a key or a value is
// none of the sweep.
SweepTable points_where(const SweepTable& table, const std::string& name,
                        const std::vector<std::string>& conditions);

// The key, other than `over`, whose values get panels of their own, so that no curve mixes with
// those of other values: where two keys or more make curves, the one with fewest values, if these
// are at most `most`. nullptr: none.
const SweepInput* facet_of(const SweepTable& table, const SweepInput* over, std::size_t most);

// The values of the key, in the order in which they come, as figures show them.
std::vector<std::string> shown_values(const SweepInput& input);

}  // namespace slipfield
