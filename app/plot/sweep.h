// SPDX-License-Identifier: Apache-2.0
// The figure of a sweep: curves of its totals over one key, a line for each value of another one,
// and panels for each value of a third.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/plot/gnuplot.h"
#include "app/plot/sweep_curves.h"
#include "io/pending_file.h"
#include "io/result/sweep_reader.h"

namespace slipfield {

struct SweepFigureRequest {
  std::vector<std::string> quantities;  // a panel each; empty: the most telling ones
  std::string over;                // the key of the horizontal axis; empty: that with most numbers
  std::vector<std::string> where;  // "key=value": only the points that have it
  bool heat_map = false;           // of two keys, instead of curves
  std::string panels;              // the key with a panel for each value; "none"; empty: chosen
  std::string summary;             // under the title; empty: how many points converged
};

// The values differ by more than rounding; false where there is none.
bool varies(const SweepColumn& column);
// The ratios of the forces that are not zero; without any, what varies of the normal problem.
std::vector<std::string> default_quantities(const SweepTable& table);
// All that may be among them.
std::vector<std::string> default_candidates();

// gnuplot's commands for the figure. `name`: of the file, for messages. Throws InputError where the
// sweep lacks what is asked for.
std::string sweep_figure_script(const SweepFile& sweep, const std::string& name,
                                const SweepFigureRequest& request, PictureFormat format);

// Draws and writes the figure. Throws InputError where the sweep lacks what is asked for or the
// figure cannot be written, Error where it cannot be drawn.
void write_sweep_figure(const SweepFile& sweep, const std::string& name,
                        const SweepFigureRequest& request, const std::filesystem::path& path,
                        Overwrite overwrite);

}  // namespace slipfield
