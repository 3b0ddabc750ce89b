// SPDX-License-Identifier: Apache-2.0
#include "app/plot/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/plot/curves/heat.h"
#include "app/plot/curves/names.h"
#include "app/plot/layout.h"
#include "app/plot/page.h"
#include "app/plot/row.h"
#include "app/plot/scale.h"
#include "app/report/sweep_report.h"
#include "io/result/field_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kWidth = 460.0;
constexpr double kHeight = 300.0;
constexpr std::size_t kMostCurves = 12;
constexpr std::size_t kMostSweepPanels = 12;
constexpr std::size_t kMostMarkedPoints = 40;  // with more points the marks would hide the line
constexpr double kLegendLine = 17.0;
constexpr double kSample = 20.0;

// Okabe and Ito's palette for colour-blind readers.
constexpr std::array<std::string_view, 7> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                      "#E69F00", "#56B4E9", "#202020"};

constexpr std::array<std::string_view, kLineStyles> kDashes = {
    "", " dashtype (8,5)", " dashtype (2,4)", " dashtype (12,4,2,4)"};

std::string line_style(const SweepCurve& curve) {
  const std::size_t round = curve.colour / kColours.size();  // more colours than there are
  return fmt::format("linewidth 1.6 linecolor rgb '{}'{}", kColours[curve.colour % kColours.size()],
                     kDashes[(curve.dashes + round) % kDashes.size()]);
}

double greatest_of(const SweepColumn& column) {
  Range range = kNoRange;
  range.include(column.values);
  return range.greatest();
}

// The points of one panel, with the curves through them.
struct Facet {
  std::string heading;  // "coefficient of friction = 0.3"; empty: the only one
  SweepTable table;
  const SweepInput* over;
  SweepCurves curves;
};

class SweepFigure {
 public:
  SweepFigure(const SweepFile& sweep, const std::string& name, const SweepFigureRequest& request)
      : table_(points_where(sweep.table, name, request.where)),
        units_(sweep.info.header.units),
        title_(sweep.info.header.title),
        case_(sweep.info.header.case_yaml),
        summary_(request.summary.empty() ? sweep_summary(table_) : request.summary),
        where_(request.where) {
    quantities_ = request.quantities.empty() ? default_quantities(table_) : request.quantities;
    for (const std::string& quantity : quantities_)
      if (table_.find(quantity) == nullptr)
        throw InputError(fmt::format("{}: no point of the sweep has a {}", name, quantity));
    if (quantities_.size() > kMostSweepPanels)
      throw InputError(fmt::format("{} quantities are too many; a figure has at most {}",
                                   quantities_.size(), kMostSweepPanels));
    make_facets(name, request);
  }

  [[nodiscard]] std::string script(PictureFormat format) const {
    const std::size_t count = quantities_.size() * facets_.size();
    const auto columns = columns_for(static_cast<int>(count));
    const std::vector<PanelSize> panels(count, {kWidth, kHeight, legend_width()});
    return page_script({title_, summary_, notes()}, panels, columns, format,
                       [&](std::size_t panel, const Frame& frame) {
                         return draw(facets_[panel % facets_.size()],
                                     quantities_[panel / facets_.size()], frame);
                       });
  }

 private:
  void make_facets(const std::string& name, const SweepFigureRequest& request) {
    const SweepInput* axis = axis_of(table_, name, request.over);
    const std::string axis_key = axis == nullptr ? "" : axis->key;
    const std::size_t most = kMostSweepPanels / quantities_.size();
    const SweepInput* facet = nullptr;
    if (request.panels.empty())
      facet = facet_of(table_, axis, most);
    else if (request.panels != "none")
      facet = panel_key(table_, name, request.panels, axis, most);
    const auto add = [&](const std::string& heading, SweepTable table) {
      facets_.push_back({heading, std::move(table), nullptr, {}});
      Facet& made = facets_.back();
      made.over = axis_key.empty() ? nullptr : made.table.find_input(axis_key);
      made.curves = curves_of(made.table, made.over);
      thin_out(made.curves);
    };
    facets_.reserve(kMostSweepPanels);  // each points into its own table
    if (facet == nullptr) return add("", table_);
    for (const std::string& value : shown_values(*facet))
      add(fmt::format("{} = {}", key_name(facet->key, case_, units_).plain(), value),
          points_where(table_, name, {facet->key + "=" + value}));
  }

  void thin_out(SweepCurves& curves) {
    const std::size_t count = curves.curves.size();
    if (count <= kMostCurves) return;
    drawn_from_ = std::max(drawn_from_, count);
    std::vector<SweepCurve> chosen;
    for (std::size_t i = 0; i < kMostCurves; ++i)
      chosen.push_back(curves.curves[i * (count - 1) / (kMostCurves - 1)]);
    curves.curves = std::move(chosen);
  }

  static double x_of(const Facet& facet, std::size_t point) {
    return facet.over == nullptr ? static_cast<double>(point + 1) : facet.over->numbers[point];
  }
  static bool logarithmic(const Facet& facet) {
    return facet.over != nullptr && facet.over->spacing == Spacing::logarithmic;
  }

  [[nodiscard]] double legend_width() const {
    int letters = 0;
    for (const Facet& facet : facets_) {
      if (facet.curves.curves.size() < 2) continue;
      letters = std::max(letters, character_count(keys_text(facet.curves)));
      for (const SweepCurve& curve : facet.curves.curves)
        letters = std::max(letters, 4 + character_count(curve.label));
    }
    return letters == 0 ? kPlainRight : 24.0 + kLegendLetter * letters;
  }

  [[nodiscard]] std::string draw(const Facet& facet, const std::string& quantity,
                                 const Frame& frame) const {
    const SweepColumn& column = *facet.table.find(quantity);
    Range xs = kNoRange;
    Range ys = kNoRange;
    for (const Facet& other : facets_)  // panels of a quantity have the same scales
      for (const SweepCurve& curve : other.curves.curves)
        for (const std::size_t point : curve.points) {
          xs.include(x_of(other, point));
          ys.include(other.table.find(quantity)->values[point]);
        }
    const CurveName x_name =
        facet.over == nullptr ? CurveName{"point"} : key_name(facet.over->key, case_, units_);
    const CurveName y_name = total_name(column.name, case_, units_);
    const UnitScale x_unit =
        logarithmic(facet) ? UnitScale{x_name.factor, x_name.unit} : x_name.scale(xs.greatest());
    const UnitScale y_unit = y_name.scale(ys.greatest());
    Range shown = axis_range(ys);
    shown.low *= y_unit.factor;
    shown.high *= y_unit.factor;
    if (!(xs.high > xs.low)) xs = axis_range(xs);
    const Axes axes{{xs.low * x_unit.factor, xs.high * x_unit.factor},
                    shown,
                    with_unit(x_name.name, x_unit),
                    with_unit(y_name.name, y_unit)};
    std::string text = panel_commands(frame, facet.heading, axes, {});
    if (logarithmic(facet)) text += "set logscale x\n" + decade_ticks_x(axes.x);
    text += "set grid linetype 1 linewidth 0.4 linecolor rgb '#d8d8d8'\n";
    return text + legend(facet.curves, keys_text(facet.curves), frame) +
           data(facet, column, x_unit.factor, y_unit.factor) + plot_command(facet.curves);
  }

  // The names of the keys that make the curves.
  [[nodiscard]] std::string keys_text(const SweepCurves& curves) const {
    std::vector<std::string> names;
    for (const std::string& key : curves.keys)
      names.push_back(key_name(key, case_, units_).plain());
    return fmt::format("{}", fmt::join(names, ", "));
  }

  // Decades between 0.001 and 1000 as numbers, others as powers; every decade with its own ticks.
  static std::string decade_ticks_x(const Range& range) {
    constexpr double kDecadeRounding = 1.0e-9;
    const int first = static_cast<int>(std::ceil(std::log10(range.low) - kDecadeRounding));
    const int last = static_cast<int>(std::floor(std::log10(range.high) + kDecadeRounding));
    if (first > last) return "set xtics autofreq\nset format x '%g'\n";
    const bool short_numbers = first >= -3 && last <= 3;
    std::string ticks;
    for (int decade = first; decade <= last; ++decade)
      ticks += fmt::format(
          "{}'{}' 1e{}", ticks.empty() ? "" : ", ",
          short_numbers ? fmt::format("{:g}", std::pow(10.0, decade)) : power_of_ten(decade),
          decade);
    return "set xtics (" + ticks + ")\nset mxtics 10\n";
  }

  static std::string legend(const SweepCurves& curves, const std::string& keys,
                            const Frame& frame) {
    if (curves.curves.size() < 2) return {};
    const double left = frame.left + frame.width + 12.0;
    double y = frame.top + 8.0;
    std::string text =
        fmt::format("set label {} at {} left\n", gnuplot_text(keys), frame.at(left, y));
    for (const auto& curve : curves.curves) {
      y += kLegendLine;
      text += fmt::format("set arrow from {} to {} nohead {}\n", frame.at(left, y),
                          frame.at(left + kSample, y), line_style(curve));
      text += fmt::format("set label {} at {} left\n", gnuplot_text(curve.label),
                          frame.at(left + kSample + 5.0, y));
    }
    return text;
  }

  // $curve0, $curve1, ... and $failed, the points that did not converge.
  static std::string data(const Facet& facet, const SweepColumn& column, double x_factor,
                          double y_factor) {
    const SweepCurves& curves = facet.curves;
    std::string text;
    std::string failed = "$failed << END\nNaN NaN\n";
    for (std::size_t i = 0; i < curves.curves.size(); ++i) {
      text += fmt::format("$curve{} << END\nNaN NaN\n", i);
      for (const std::size_t point : curves.curves[i].points) {
        const double value = column.values[point] * y_factor;
        const std::string line =
            std::isfinite(value)
                ? fmt::format("{:.9g} {:.9g}\n", x_of(facet, point) * x_factor, value)
                : std::string("NaN NaN\n");
        text += line;
        if (facet.table.outcomes[point] == PointOutcome::not_converged) failed += line;
      }
      text += "END\n";
    }
    return text + failed + "END\n";
  }

  static std::string plot_command(const SweepCurves& curves) {
    std::string text = "plot 0 with lines linewidth 0.6 linecolor rgb '#808080'";
    for (std::size_t i = 0; i < curves.curves.size(); ++i) {
      const bool marks = curves.curves[i].points.size() <= kMostMarkedPoints;
      text += fmt::format(", $curve{} using 1:2 with {} {}", i, marks ? "linespoints" : "lines",
                          line_style(curves.curves[i]));
      if (marks) text += " pointtype 7 pointsize 0.35";
    }
    return text +
           ", $failed using 1:2 with points pointtype 2 pointsize 0.9 linewidth 1.4 "
           "linecolor rgb '#202020'\n";
  }

  [[nodiscard]] std::string notes() const {
    std::vector<std::string> notes;
    if (!where_.empty()) notes.push_back(fmt::format("Held: {}.", fmt::join(where_, ", ")));
    if (drawn_from_ > 0)
      notes.push_back(fmt::format("{} of {} curves are drawn; --where key=value chooses.",
                                  kMostCurves, drawn_from_));
    const auto has = [&](PointOutcome outcome) {
      return std::find(table_.outcomes.begin(), table_.outcomes.end(), outcome) !=
             table_.outcomes.end();
    };
    if (has(PointOutcome::not_converged))
      notes.emplace_back("Crosses: points that did not converge.");
    if (has(PointOutcome::failed) || has(PointOutcome::not_run))
      notes.emplace_back("Points without a result are left out.");
    return fmt::format("{}", fmt::join(notes, " "));
  }

  SweepTable table_;
  Units units_;
  std::string title_;
  std::string case_;
  std::string summary_;
  std::vector<std::string> where_;
  std::vector<Facet> facets_;
  std::size_t drawn_from_ = 0;  // curves of a panel that are too many
  std::vector<std::string> quantities_;
};

}  // namespace

bool varies(const SweepColumn& column) {
  constexpr double kNoise = 1.0e-9;
  Range range = kNoRange;
  range.include(column.values);
  return !range.empty() && range.high - range.low > kNoise * range.greatest();
}

std::vector<std::string> default_candidates() {
  return {"force_ratio_x", "force_ratio_y", "normal_force", "approach", "max_pressure"};
}

std::vector<std::string> default_quantities(const SweepTable& table) {
  constexpr double kNoise = 1.0e-5;  // of a ratio: what the tolerance leaves of a zero
  std::vector<std::string> names;
  for (const char* name : {"force_ratio_x", "force_ratio_y"})
    if (const SweepColumn* column = table.find(name); column && greatest_of(*column) > kNoise)
      names.emplace_back(name);
  if (!names.empty()) return names;
  for (const char* name : {"normal_force", "approach", "max_pressure"})
    if (const SweepColumn* column = table.find(name); column && varies(*column))
      names.emplace_back(name);
  if (names.empty()) names.emplace_back("max_pressure");
  return names;
}

std::string sweep_figure_script(const SweepFile& sweep, const std::string& name,
                                const SweepFigureRequest& request, PictureFormat format) {
  if (request.heat_map) return heat_map_script(sweep, name, request, format);
  return SweepFigure(sweep, name, request).script(format);
}

void write_sweep_figure(const SweepFile& sweep, const std::string& name,
                        const SweepFigureRequest& request, const std::filesystem::path& path,
                        Overwrite overwrite) {
  const PictureFormat format = still_format(path, "the steps of one result");
  PendingFile file(path, FileKind::picture, {overwrite, {name}});
  write_picture(file, sweep_figure_script(sweep, name, request, format), format);
}

}  // namespace slipfield
