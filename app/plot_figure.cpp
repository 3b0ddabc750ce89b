#include "app/plot_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

#include "app/plot_row.h"
#include "app/step_table.h"
#include "io/field_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

using Rows = std::vector<std::unique_ptr<PanelRow>>;
using Steps = std::vector<const ResultStep*>;

constexpr int kMostPanels = 32;
constexpr double kTitleSize = 16.0;  // heights of letters and lines in pixels
constexpr double kTitleLine = 22.0;
constexpr double kTextSize = 12.0;
constexpr double kTextLine = 17.0;
constexpr double kNoteSize = 10.5;
constexpr double kNoteLine = 14.0;
constexpr double kEdge = 16.0;
constexpr double kLetter = 0.56;   // mean width over height, of a sans serif letter
constexpr double kPngScale = 2.0;  // pixels of the file per pixel of the layout

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

PlotScene scene_of(const ResultFile& result, const Steps& steps, bool whole_grid) {
  PlotScene scene;
  scene.grid = result.info().header.grid;
  scene.units = result.info().header.units;
  scene.several_steps = steps.size() > 1;
  Window contact;
  if (!whole_grid)
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

Rows rows_of(const ResultFile& result, const FigureRequest& request, const PlotScene& scene,
             const Steps& steps) {
  Rows rows;
  for (const std::string& name : request.fields) rows.push_back(picture(scene, name));
  if (request.cuts) add_cuts(rows, scene, has_friction(steps) ? "traction" : "pressure");
  if (request.history) rows.push_back(make_history_row(scene));
  if (rows.empty()) rows = overview(scene, steps);
  if (rows.empty())
    throw InputError(fmt::format(
        "{}: step {} holds neither pressure nor traction_x and traction_y for an overview; name "
        "its fields with --fields: {}",
        result.path().string(), steps.front()->number, fmt::join(steps.front()->fields, ", ")));
  const std::size_t panels = rows.size() * steps.size();
  if (panels > kMostPanels)
    throw InputError(fmt::format("{} of {} are {} panels; a figure has at most {}",
                                 counted(rows.size(), "picture"), counted(steps.size(), "step"),
                                 panels, kMostPanels));
  return rows;
}

std::string step_summary(const ResultFile& result, const ResultStep& step) {
  const Units units = result.info().header.units;
  const StepReport& report = step.report;
  const auto force = [&](double value) {
    constexpr double kNoise = 1.0e-6;  // of the normal force: what the tolerance leaves of a zero
    if (std::fabs(value) < kNoise * report.normal_force) value = 0.0;
    return number_text(value, unit_text(Dimension::force, units));
  };
  std::string text =
      result.steps().size() == 1
          ? std::string("normal force ")
          : fmt::format("step {} of {}: normal force ", step.number, result.steps().back().number);
  text += force(report.normal_force);
  if (step.input.tangential.problem != TangentialProblem::none)
    text +=
        fmt::format(", tangential force ({}, {})", force(report.force_x), force(report.force_y));
  return text + fmt::format(", approach {}",
                            number_text(report.approach, unit_text(Dimension::length, units)));
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
  }
  for (const auto& row : rows)
    for (const std::string& note : row->notes()) add(note);
  return notes;
}

std::string terminal_command(const Layout& layout, PictureFormat format) {
  constexpr double kBase = 11.0;
  if (format == PictureFormat::svg)
    return fmt::format(
        "set terminal svg noenhanced size {:.0f},{:.0f} font 'sans-serif,{}' rounded background "
        "rgb 'white'\n",
        layout.width, layout.height, kBase);
  return fmt::format(
      "set terminal pngcairo noenhanced size {:.0f},{:.0f} font 'Sans,{}' fontscale {} linewidth "
      "{} pointscale {} rounded background rgb 'white'\n",
      kPngScale * layout.width, kPngScale * layout.height, 0.75 * kBase, kPngScale, kPngScale,
      kPngScale);
}

// Lines of text over or under the panels, as labels on a plot of nothing.
struct TextBlock {
  std::vector<std::string> lines;
  double size = 0.0;
  double spacing = 0.0;
  double top = 0.0;  // of the first line's middle

  [[nodiscard]] double height() const { return spacing * static_cast<double>(lines.size()); }
};

std::string text_commands(const Frame& figure, const std::vector<TextBlock>& blocks) {
  std::string commands =
      "reset\nunset border\nunset tics\nunset key\nset xrange [0:1]\nset yrange [0:1]\n"
      "set lmargin at screen 0\nset rmargin at screen 1\nset tmargin at screen 1\n"
      "set bmargin at screen 0\n";
  for (const TextBlock& block : blocks)
    for (std::size_t i = 0; i < block.lines.size(); ++i)
      commands += fmt::format("set label {} at {} left{}\n", gnuplot_text(block.lines[i]),
                              figure.at(kEdge, block.top + block.spacing * static_cast<double>(i)),
                              font_option(block.size, figure.format));
  return commands + "plot NaN\n";
}

int letters(double width, double size) {
  return std::max(8, static_cast<int>((width - 2.0 * kEdge) / (kLetter * size)));
}

std::string figure_script(const ResultFile& result, const Rows& rows, const Steps& steps,
                          PictureFormat format) {
  std::vector<PanelSize> panels;
  for (const auto& row : rows) panels.insert(panels.end(), steps.size(), row->size());
  const int columns = rows.size() == 1 || steps.size() == 1
                          ? columns_for(static_cast<int>(panels.size()))
                          : static_cast<int>(steps.size());
  const double width = arrange(panels, columns, 0.0, 0.0, format).width;

  TextBlock title{wrapped(result.info().header.title, letters(width, kTitleSize), 2), kTitleSize,
                  kTitleLine, kEdge + 0.5 * kTitleLine};
  TextBlock summary{{}, kTextSize, kTextLine, kEdge + title.height() + 0.5 * kTextLine};
  if (steps.size() == 1)
    summary.lines = wrapped(step_summary(result, *steps.front()), letters(width, kTextSize), 3);
  const double header = kEdge + title.height() + summary.height();
  TextBlock notes{wrapped(fmt::format("{}", fmt::join(notes_of(rows, steps), " ")),
                          letters(width, kNoteSize), 6),
                  kNoteSize, kNoteLine, 0.0};
  const double footer = notes.lines.empty() ? 0.0 : notes.height() + 0.75 * kEdge;

  const Layout layout = arrange(panels, columns, header, footer, format);
  notes.top = layout.height - footer + 0.5 * kNoteLine;
  std::string script = terminal_command(layout, format);
  script += "set encoding utf8\nset multiplot\n";
  const Frame figure{format, layout.width, layout.height, 0.0, 0.0, layout.width, layout.height};
  script += text_commands(figure, {title, summary, notes});
  for (std::size_t panel = 0; panel < panels.size(); ++panel)
    script += rows[panel / steps.size()]->draw(panel % steps.size(), layout.frames[panel]);
  return script + "unset multiplot\n";
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw Error(fmt::format("{}: the figure could not be written: {}", path.string(),
                            std::generic_category().message(errno)));
}

}  // namespace

std::vector<std::string> picture_names() {
  std::vector<std::string> names = {"traction", "slip"};
  for (std::string& name : field_names()) names.push_back(std::move(name));
  return names;
}

PictureFormat picture_format(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".png") return PictureFormat::png;
  if (extension == ".svg") return PictureFormat::svg;
  throw InputError(fmt::format(
      "{}: a figure's name ends with .png or .svg; {}", path.string(),
      extension.empty() ? "this one has no ending" : "this one ends with " + extension));
}

void write_figure(const ResultFile& result, const FigureRequest& request,
                  const std::filesystem::path& path, Overwrite overwrite) {
  const PictureFormat format = picture_format(path);
  PendingFile file(path, overwrite);
  const Steps steps = steps_of(result, request.steps);
  const PlotScene scene = scene_of(result, steps, request.whole_grid);
  const Rows rows = rows_of(result, request, scene, steps);
  for (const ResultStep* step : steps) {
    StepFields fields(result, *step);
    for (const auto& row : rows) row->read(fields);
  }
  write_bytes(file.temporary_path(),
              run_gnuplot(figure_script(result, rows, steps, format), format));
  file.commit();
}

}  // namespace slipfield
