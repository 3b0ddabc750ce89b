// The figure of a sweep: curves of its totals over one key, a line for each value of the others.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/pending_file.h"
#include "io/sweep_reader.h"

namespace slipfield {

struct SweepFigureRequest {
  std::vector<std::string> quantities;  // a panel each; empty: those that tell most
  std::string over;  // the key of the horizontal axis; empty: that with most numbers
};

// One line of a panel: the points (from 0) with the same values of the keys beside the axis' one.
struct SweepCurve {
  std::string label;                // those values: "0.3", or "0.3, 0.1"
  std::vector<std::size_t> points;  // in the order of the horizontal axis
};
// `over`: nullptr for the points' numbers. A key that goes with `over` makes no curves.
struct SweepCurves {
  std::string keys;  // "friction.coefficient"; empty with one curve only
  std::vector<SweepCurve> curves;
};
SweepCurves curves_of(const SweepTable& table, const SweepInput* over);

// Draws and writes the figure. Throws InputError where the sweep lacks what is asked for or the
// figure cannot be written, Error where it cannot be drawn.
void write_sweep_figure(const SweepFile& sweep, const std::string& name,
                        const SweepFigureRequest& request, const std::filesystem::path& path,
                        Overwrite overwrite);

}  // namespace slipfield
