// SPDX-License-Identifier: Apache-2.0
#include "app/plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/page.h"
#include "app/plot/row.h"
#include "app/report/step_table.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "solver/error.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

using Rows = std::vector<std::unique_ptr<PanelRow>>;
using Steps = std::vector<const ResultStep*>;

constexpr int kMostPanels = 32;
constexpr std::size_t kMostFrames = 300;  // their pictures are in memory together

bool has(const ResultStep& step, std::string_view field) {
  return std::find(step.fields.begin(), step.fields.end(), field) != step.fields.end();
}

bool has_both(const ResultStep& step, const std::string& name) {
  return has(step, name + "_x") && has(step, name + "_y");
}

bool has_friction(const Steps& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const ResultStep* step) {
    return step->input.tangential.problem != TangentialProblem::none && has_both(*step, "traction");
  });
}

Steps steps_of(const ResultFile& result, const std::vector<int>& numbers) {
  Steps steps;
  if (numbers.empty()) steps.push_back(&result.step(0));
  for (const int number : numbers) steps.push_back(&result.step(number));
  return steps;
}

// Where the cuts are asked for, which must be on the grid; throws InputError.
std::optional<std::array<double, 2>> place_of_cuts(const ResultFile& result,
                                                   const std::optional<std::array<double, 2>>& at) {
  if (!at) return std::nullopt;
  const Grid& grid = result.info().header.grid;
  if (grid.mx == 1 || grid.my == 1)
    throw InputError(fmt::format(
        "{}: the grid has one row of elements, which is drawn as it is; accepted: no --at",
        result.path().string()));
  require_on_grid(*at, grid, result.path().string());
  return at;
}

PlotScene scene_of(const ResultFile& result, const Steps& steps, const FigureRequest& request) {
  PlotScene scene;
  scene.grid = result.info().header.grid;
  scene.units = result.info().header.units;
  scene.several_steps = steps.size() > 1;
  scene.at = place_of_cuts(result, request.at);
  Window contact;
  if (!request.whole_grid)
    for (const ResultStep* step : steps)
      if (has(*step, kDivisionName))
        contact = united(contact, contact_window(result.element_division(*step), scene.grid));
  scene.window = contact.empty() ? whole_window(scene.grid) : with_margin(contact, scene.grid);
  return scene;
}

std::unique_ptr<PanelRow> picture(const PlotScene& scene, const std::string& name) {
  if (scene.one_row())
    return make_cut_row(scene, scene.grid.my == 1 ? CutAlong::x : CutAlong::y, name);
  if (name == "traction" || name == "slip") return make_arrow_row(scene, name);
  return make_map_row(scene, name);
}

// Also of "shape".
void add_cuts(Rows& rows, const PlotScene& scene, const std::string& name) {
  if (scene.grid.mx > 1) rows.push_back(make_cut_row(scene, CutAlong::x, name));
  if (scene.grid.my > 1) rows.push_back(make_cut_row(scene, CutAlong::y, name));
}

// Without a choice: where it presses, where it sticks and slips, and how near the traction is to
// its bound. What the file does not hold is left out.
Rows overview(const PlotScene& scene, const Steps& steps) {
  const ResultStep& step = *steps.front();
  const bool friction = has_friction(steps);
  Rows rows;
  if (has(step, "pressure")) rows.push_back(picture(scene, "pressure"));
  if (friction) rows.push_back(picture(scene, "traction"));
  if (friction && scene.one_row() && has_both(step, "slip")) rows.push_back(picture(scene, "slip"));
  if (!friction && has(step, "displacement_n")) rows.push_back(picture(scene, "displacement_n"));
  if (!scene.one_row() && (friction || has(step, "pressure")))
    add_cuts(rows, scene, friction ? "traction" : "pressure");
  return rows;
}

// Of each body that the steps have: profiles over the depth, sections of the quantities.
void add_interior(Rows& rows, const ResultFile& result, const PlotScene& scene, const Steps& steps,
                  const std::vector<std::string>& names) {
  const std::vector<InteriorBody> bodies = result.interior(*steps.front());
  if (bodies.empty())
    throw InputError(fmt::format(
        "{}: step {} has no interior; accepted: a case with 'interior', or what `slipfield "
        "interior` writes",
        result.path().string(), steps.front()->number));
  for (const InteriorBody& body : bodies) {
    for (const std::string& name : names) {
      if (name == "depth") {
        rows.push_back(make_depth_row(scene, body.body));
        continue;
      }
      if (name == "along_y") {
        rows.push_back(make_fatigue_row(scene, body.body));
        continue;
      }
      // What is of a whole passage along x is the same all along it.
      const bool passage =
          static_cast<int>(interior_from_name(name).value_or(InteriorQuantity{})) >=
          kLocalQuantities;
      if (body.x.size() > 1 && !(passage && body.y.size() > 1))
        rows.push_back(make_section_row(scene, body.body, CutAlong::x, name));
      if (body.y.size() > 1) rows.push_back(make_section_row(scene, body.body, CutAlong::y, name));
    }
  }
}

Rows rows_of(const ResultFile& result, const FigureRequest& request, const PlotScene& scene,
             const Steps& steps) {
  Rows rows;
  for (const std::string& name : request.fields) rows.push_back(picture(scene, name));
  if (!request.surfaces.empty() && scene.one_row())
    throw InputError(fmt::format(
        "{}: the grid has one row of elements, which is no surface; accepted: no --surface",
        result.path().string()));
  for (const std::string& name : request.surfaces) rows.push_back(make_surface_row(scene, name));
  if (request.shape) add_cuts(rows, scene, std::string(kShapeName));
  const bool chosen =
      !rows.empty() || request.history || !request.interior.empty() || request.shakedown;
  if (request.cuts || (request.at && chosen && !request.shape))
    add_cuts(rows, scene, has_friction(steps) ? "traction" : "pressure");
  if (request.history) rows.push_back(make_history_row(scene));
  if (request.shakedown) rows.push_back(make_shakedown_row(scene));
  if (!request.interior.empty()) add_interior(rows, result, scene, steps, request.interior);
  if (rows.empty()) rows = overview(scene, steps);
  if (rows.empty())
    throw InputError(fmt::format(
        "{}: step {} holds {}, and an overview draws the pressure or the tractions; accepted: "
        "{}--history, --over step for totals along several steps, or another run with "
        "output.fields: all",
        result.path().string(), steps.front()->number,
        steps.front()->fields.empty() ? "no field"
                                      : fmt::format("{}", fmt::join(steps.front()->fields, ", ")),
        steps.front()->fields.empty() ? "" : "--fields with one of these, "));
  const std::size_t panels = rows.size() * (scene.several_steps ? steps.size() : 1);
  if (panels > kMostPanels)
    throw InputError(fmt::format("{} of {} are {} panels; a figure has at most {}",
                                 counted(rows.size(), "picture"), counted(steps.size(), "step"),
                                 panels, kMostPanels));
  return rows;
}

// Friction and the motion of the bodies; empty without friction.
std::string motion_summary(const ResultStep& step, Units units) {
  const TangentialProblem problem = step.input.tangential.problem;
  if (problem == TangentialProblem::none) return "";
  const StepReport& report = step.report;
  constexpr double kNoise = 1.0e-12;
  const auto percent = [&](double value) {
    return quantity_text(std::fabs(value) < kNoise ? 0.0 : 100.0 * value, "%");
  };
  const std::string_view length = unit_text(Dimension::length, units);
  std::string text = fmt::format("µ = {:.4g}, ", report.friction_coefficient);
  if (is_rolling(problem))
    return text +
           fmt::format(
               "creepage ({}, {}), spin {}", percent(report.rigid_x), percent(report.rigid_y),
               quantity_text(report.rotation, unit_text(Dimension::angle_per_length, units)));
  return text + fmt::format("shift ({}, {}), rotation {}", quantity_text(report.rigid_x, length),
                            quantity_text(report.rigid_y, length),
                            quantity_text(report.rotation, unit_text(Dimension::angle, units)));
}

// Of all rows, each entry once; and the direction of rolling, where all steps have the same one.
std::vector<LegendEntry> legend_of(const Rows& rows, const Steps& steps) {
  std::vector<LegendEntry> legend;
  for (const auto& row : rows)
    for (const LegendEntry& entry : row->legend())
      if (std::find(legend.begin(), legend.end(), entry) == legend.end()) legend.push_back(entry);
  const Tangential& first = steps.front()->input.tangential;
  const bool same = std::all_of(steps.begin(), steps.end(), [&](const ResultStep* step) {
    const Tangential& tangential = step->input.tangential;
    return is_rolling(tangential.problem) && tangential.direction == first.direction;
  });
  if (same && !legend.empty())
    legend.push_back({LegendEntry::Kind::arrow, "", "rolling direction", first.direction});
  return legend;
}

std::vector<std::string> notes_of(const Rows& rows, const Steps& steps) {
  std::vector<std::string> notes;
  const auto add = [&](const std::string& note) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  };
  for (const ResultStep* step : steps) {
    if (step->report.outcome != Outcome::converged)
      add(fmt::format("Step {} did not converge.", step->number));
    if (has(*step, kDivisionName) && step->report.elements_contact == 0)
      add(fmt::format("Step {} has no contact.", step->number));
    if (step->report.touches_edge) add(fmt::format("Step {}: {}.", step->number, kEdgeWarning));
  }
  for (const auto& row : rows)
    for (const std::string& note : row->notes()) add(note);
  return notes;
}

// Rows of panels as wide as they are together; one row where that is short.
int columns_of(const Rows& rows, std::size_t steps) {
  const auto count = static_cast<int>(rows.size() * steps);
  constexpr double kNarrow = 180.0;
  constexpr int kMostSideBySide = 4;
  const bool narrow = rows.front()->size().width < kNarrow && count <= kMostSideBySide;
  if (rows.size() > 1 && steps > 1) return static_cast<int>(steps);
  return narrow ? count : columns_for(count);
}

PageText page_of(const ResultFile& result, const Rows& rows, const Steps& steps) {
  PageText page{result.info().header.title, "",
                fmt::format("{}", fmt::join(notes_of(rows, steps), " ")), legend_of(rows, steps)};
  if (steps.size() == 1) page.summary = step_summary(result, *steps.front());
  return page;
}

std::string script_of(const ResultFile& result, const Rows& rows, const Steps& steps,
                      PictureFormat format) {
  std::vector<PanelSize> panels;
  for (const auto& row : rows) panels.insert(panels.end(), steps.size(), row->size());
  return page_script(page_of(result, rows, steps), panels, columns_of(rows, steps.size()), format,
                     [&](std::size_t panel, const Frame& frame) {
                       return rows[panel / steps.size()]->draw(panel % steps.size(), frame);
                     });
}

void read_steps(const ResultFile& result, const Steps& steps, const Rows& rows) {
  for (const ResultStep* step : steps) {
    FieldsOfStep fields(result, *step);
    for (const auto& row : rows) row->read(fields);
  }
}

Steps frames_of(const ResultFile& result, const FigureRequest& request) {
  Steps steps;
  if (request.steps.empty())
    for (const ResultStep& step : result.steps()) steps.push_back(&step);
  else
    steps = steps_of(result, request.steps);
  if (steps.size() < 2)
    throw InputError(fmt::format(
        "{}: an animation is of the steps of a sequence, and {} is one; accepted: a sequence kept "
        "with `output: {{steps: all}}`, or a figure (.png, .svg, .pdf)",
        result.path().string(), request.steps.empty() ? "the file's" : "the --step asked for"));
  if (steps.size() > kMostFrames)
    throw InputError(
        fmt::format("{}: {} steps are too many for an animation; accepted: at most {} of them, "
                    "chosen with --step",
                    result.path().string(), steps.size(), kMostFrames));
  return steps;
}

}  // namespace

std::vector<std::string> picture_names() {
  std::vector<std::string> names = {"traction", "slip"};
  for (std::string& name : stored_field_names()) names.push_back(std::move(name));
  return names;
}

std::string step_summary(const ResultFile& result, const ResultStep& step) {
  const Units units = result.info().header.units;
  const StepReport& report = step.report;
  const auto force = [&](double value) {
    constexpr double kNoise = 1.0e-6;  // of the normal force: what the tolerance leaves of a zero
    if (std::fabs(value) < kNoise * report.normal_force) value = 0.0;
    return quantity_text(value, unit_text(Dimension::force, units));
  };
  std::string text =
      result.steps().size() == 1
          ? std::string("normal force ")
          : fmt::format("step {} of {}: normal force ", step.number, result.steps().back().number);
  text += force(report.normal_force);
  if (step.input.tangential.problem != TangentialProblem::none)
    text +=
        fmt::format(", tangential force ({}, {})", force(report.force_x), force(report.force_y));
  text += fmt::format(", approach {}",
                      quantity_text(report.approach, unit_text(Dimension::length, units)));
  const std::string motion = motion_summary(step, units);
  return motion.empty() ? text : text + "; " + motion;
}

std::string figure_script(const ResultFile& result, const FigureRequest& request,
                          PictureFormat format) {
  const Steps steps = steps_of(result, request.steps);
  const Rows rows = rows_of(result, request, scene_of(result, steps, request), steps);
  read_steps(result, steps, rows);
  return script_of(result, rows, steps, format);
}

Movie figure_movie(const ResultFile& result, const FigureRequest& request, PictureFormat format) {
  const Steps steps = frames_of(result, request);
  PlotScene scene = scene_of(result, steps, request);
  scene.several_steps = false;  // the text over the panels names the step
  const Rows rows = rows_of(result, request, scene, steps);
  read_steps(result, steps, rows);
  std::vector<PageText> pages;
  for (const ResultStep* step : steps) {
    pages.push_back(page_of(result, rows, {step}));
    pages.back().legend = legend_of(rows, steps);
  }
  std::vector<PanelSize> panels;
  for (const auto& row : rows) panels.push_back(row->size());
  return movie_of(pages, panels, columns_of(rows, 1), format, request.frame_rate,
                  [&](std::size_t page, std::size_t panel, const Frame& frame) {
                    return rows[panel]->draw(page, frame);
                  });
}

void write_figure(const ResultFile& result, const FigureRequest& request,
                  const std::filesystem::path& path, Overwrite overwrite) {
  const PictureFormat format = picture_format(path);
  PendingFile file(path, FileKind::picture, {overwrite, {result.path()}});
  if (is_animated(format)) return write_movie(file, figure_movie(result, request, format), format);
  write_picture(file, figure_script(result, request, format), format);
}

}  // namespace slipfield
