// SPDX-License-Identifier: Apache-2.0
// A total of a sweep over two keys as a map: a cell for each pair of values.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/plot/gnuplot.h"
#include "app/plot/sweep.h"

namespace slipfield {

// The two keys, with their values in increasing order (texts: as they come), the points of each
// pair of values, the first key fastest; kNoPoint where the sweep has none.
struct HeatCells {
  static constexpr std::size_t kNoPoint = static_cast<std::size_t>(-1);
  const SweepInput* across = nullptr;
  const SweepInput* upwards = nullptr;
  std::vector<std::size_t> across_first;  // for each value the first point that has it
  std::vector<std::size_t> upwards_first;
  std::vector<std::size_t> points;
};
// `over`: the key across, empty: the one with most values. Throws InputError unless exactly two
// keys of the table take several values, of which `over` is one; `name`: of the file.
HeatCells heat_cells_of(const SweepTable& table, const std::string& name, const std::string& over);

// As sweep_figure_script, with a map for each quantity.
std::string heat_map_script(const SweepFile& sweep, const std::string& name,
                            const SweepFigureRequest& request, PictureFormat format);

}  // namespace slipfield
