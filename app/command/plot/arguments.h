// SPDX-License-Identifier: Apache-2.0
// What `slipfield plot` is asked for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/sweep.h"
#include "io/output_rule.h"

namespace CLI {
class App;
}  // namespace CLI

namespace slipfield {

struct PlotArguments {
  std::string path;  // the first of `paths`
  std::vector<std::string> paths;
  std::string output;
  std::vector<std::string> steps;
  FigureRequest figure;
  SweepFigureRequest curves;
  int point = 0;
  int patch = 0;
  bool overwrite = false;
  bool contact_lines = false;
  bool difference = false;
  bool paced = false;  // --frame-rate was given
  std::string role;    // of a profile: "wheel", "rail"
  std::optional<bool> mirror_y;
  double smoothing = 0.0;
  std::optional<double> scale;

  [[nodiscard]] bool changes_profile() const { return mirror_y || scale || smoothing != 0.0; }
  [[nodiscard]] Overwrite overwriting() const {
    return overwrite ? Overwrite::allow : Overwrite::refuse;
  }
  // Something of the fields of a step, or of what goes with it.
  [[nodiscard]] bool draws_fields() const;
  // Curves over a key or the steps.
  [[nodiscard]] bool draws_curves() const;
};

void add_plot_options(CLI::App& command, const std::shared_ptr<PlotArguments>& arguments);

// A positive number; `last` is 0. Nothing for anything else.
std::optional<int> step_number(const std::string& text);

// The figure of several results: curves or cuts over each other, or their difference.
void plot_several(const PlotArguments& arguments);

}  // namespace slipfield
