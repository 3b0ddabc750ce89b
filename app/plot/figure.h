// SPDX-License-Identifier: Apache-2.0
// Figures of a result: which pictures, of which steps, and the file that they become.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/plot/gnuplot.h"
#include "app/plot/page.h"
#include "io/pending_file.h"
#include "io/result/reader.h"

namespace slipfield {

struct FigureRequest {
  std::vector<int> steps;  // numbers; 0: the last one; empty: that, of an animation all of them
  std::vector<std::string> fields;  // names of picture_names(); empty: an overview
  bool cuts = false;
  bool history = false;
  bool shakedown = false;                   // the point of a step in the shakedown map
  std::vector<std::string> interior;        // quantities of interior_names(); "depth", "along_y"
  std::optional<std::array<double, 2>> at;  // cuts through this place (x, y)
  bool whole_grid = false;                  // not only the surroundings of the contact
  std::vector<std::string> surfaces;        // fields in three dimensions
  bool shape = false;                       // of the bodies, before and after they are pressed
  double frame_rate = 4.0;                  // of an animation: steps in a second
};

// All fields, and the pictures of two fields: `traction`, `slip`.
std::vector<std::string> picture_names();

// gnuplot's commands for the figure. Throws InputError where the file lacks what is asked for.
std::string figure_script(const ResultFile& result, const FigureRequest& request,
                          PictureFormat format);

// The steps one after the other. Throws InputError as well where there is one step only.
Movie figure_movie(const ResultFile& result, const FigureRequest& request, PictureFormat format);

// What the figure is about: "step 2 of 5: normal force 10 N, ...", and under which friction.
std::string step_summary(const ResultFile& result, const ResultStep& step);

// Draws and writes the figure: the steps side by side, or one after the other where the name is
// that of an animation. Throws InputError where the file lacks what is asked for or the
// figure cannot be written, Error where it cannot be drawn.
void write_figure(const ResultFile& result, const FigureRequest& request,
                  const std::filesystem::path& path, Overwrite overwrite);

}  // namespace slipfield
