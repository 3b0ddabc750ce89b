// SPDX-License-Identifier: Apache-2.0
// Several results in one figure: cuts or curves over each other, or the difference of two as maps.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/plot/gnuplot.h"
#include "app/plot/sweep.h"
#include "io/pending_file.h"
#include "io/result/reader.h"
#include "io/result/sweep_reader.h"

namespace slipfield {

struct PairRequest {
  int step = 0;                     // of each result; 0: its last
  std::vector<std::string> fields;  // names of picture_names(); empty: pressure and tractions
  std::optional<std::array<double, 2>> at;  // cuts through it; else through the first's centroid
  bool whole_grid = false;
};

// Fields of all results along x and y through one place, a line for each; each on its own grid.
// `results`: of one patch or point each. Throws InputError where one lacks what is asked for.
std::string pair_cuts_script(const std::vector<ResultFile>& results,
                             const std::vector<std::string>& names, const PairRequest& request,
                             PictureFormat format);

// Maps of the first less the second. Throws InputError unless both are on the same grid.
std::string difference_script(const ResultFile& first, const ResultFile& second,
                              const std::vector<std::string>& names, const PairRequest& request,
                              PictureFormat format);

// The tables of all with one key more, "file", of text: the figure of a sweep draws them with a
// line style for each file. Throws InputError unless they have the same keys.
SweepFile united_curves(const std::vector<SweepFile>& sweeps,
                        const std::vector<std::string>& names);

}  // namespace slipfield
