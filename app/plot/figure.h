// SPDX-License-Identifier: Apache-2.0
// Figures of a result: which pictures, of which steps, and the file that they become.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/plot/gnuplot.h"
#include "io/pending_file.h"
#include "io/result/reader.h"

namespace slipfield {

struct FigureRequest {
  std::vector<int> steps;           // numbers; 0 and an empty list: the last one
  std::vector<std::string> fields;  // names of picture_names(); empty: an overview
  bool cuts = false;
  bool history = false;
  bool shakedown = false;             // the point of a step in the shakedown map
  std::vector<std::string> interior;  // quantities of interior_names(); "depth": over the depth
  std::optional<std::array<double, 2>> at;  // cuts through this place (x, y)
  bool whole_grid = false;                  // not only the surroundings of the contact
};

// All fields, and the pictures of two fields: `traction`, `slip`.
std::vector<std::string> picture_names();

// gnuplot's commands for the figure. Throws InputError where the file lacks what is asked for.
std::string figure_script(const ResultFile& result, const FigureRequest& request,
                          PictureFormat format);

// Draws and writes the figure. Throws InputError where the file lacks what is asked for or the
// figure cannot be written, Error where it cannot be drawn.
void write_figure(const ResultFile& result, const FigureRequest& request,
                  const std::filesystem::path& path, Overwrite overwrite);

}  // namespace slipfield
