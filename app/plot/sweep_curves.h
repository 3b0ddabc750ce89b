// SPDX-License-Identifier: Apache-2.0
// Which points of a sweep make which curves of its figure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/result/sweep_table.h"

namespace slipfield {

// One line of a panel: the points (from 0) with the same values of the keys other than the axis'.
struct SweepCurve {
  std::string label;                // those values: "0.3", or "0.3, 0.1"
  std::vector<std::size_t> points;  // in the order of the horizontal axis
  std::size_t colour = 0;
  std::size_t dashes = 0;  // below kLineStyles
};
inline constexpr std::size_t kLineStyles = 4;
// The key of the tables of several files as one: their names.
inline constexpr std::string_view kFileKey = "file";

// `over`: nullptr for the points' numbers. A key that goes with `over` makes no curves. With one
// key each value has a colour; with more, the one with fewest values (the files before any other)
// has the line styles where these suffice, and the others have the colours.
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

// The points that have these values, which may be none. Throws InputError where a key is none of
// the sweep.
SweepTable points_with(const SweepTable& table, const std::string& name,
                       const std::vector<std::string>& conditions);
// Appends the rows of another table of the same keys; columns that one of them lacks are not
// numbers there.
void append_rows(SweepTable& table, const SweepTable& more);

// The key, other than `over` and the files, whose values get panels of their own, so that no curve
// mixes with those of other values: where two keys or more make curves, the one with fewest values,
// if these are at most `most`. nullptr: none.
const SweepInput* facet_of(const SweepTable& table, const SweepInput* over, std::size_t most);

// The key asked for by --panels. Throws InputError where it is none of the sweep, is that of the
// axis, or has more than `most` values.
const SweepInput* panel_key(const SweepTable& table, const std::string& name,
                            const std::string& key, const SweepInput* over, std::size_t most);

// The values of the key, in the order in which they come, as figures show them.
std::vector<std::string> shown_values(const SweepInput& input);

}  // namespace slipfield
