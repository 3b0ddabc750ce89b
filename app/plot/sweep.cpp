#include "app/plot/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

std::string line_style(std::size_t curve) {
  return fmt::format("linewidth 1.6 linecolor rgb '{}'{}", kColours[curve % kColours.size()],
                     curve < kColours.size() ? "" : " dashtype (8,5)");
}

double greatest_of(const SweepColumn& column) {
  Range range = kNoRange;
  range.include(column.values);
  return range.greatest();
}

bool varies(const SweepColumn& column) {
  constexpr double kNoise = 1.0e-9;
  Range range = kNoRange;
  range.include(column.values);
  return !range.empty() && range.high - range.low > kNoise * range.greatest();
}

// The ratios of the forces that are not zero; without any, what varies of the normal problem.
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

// The points of one panel, with the curves through them.
struct Facet {
  std::string heading;  // "friction.coefficient = 0.3"; empty: the only one
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
        where_(request.where) {
    quantities_ = request.quantities.empty() ? default_quantities(table_) : request.quantities;
    for (const std::string& quantity : quantities_)
      if (table_.find(quantity) == nullptr)
        throw InputError(fmt::format("{}: no point of the sweep has a {}", name, quantity));
    if (quantities_.size() > kMostSweepPanels)
      throw InputError(fmt::format("{} quantities are too many; a figure has at most {}",
                                   quantities_.size(), kMostSweepPanels));
    make_facets(name, request.over);
  }

  [[nodiscard]] std::string script(PictureFormat format) const {
    const std::size_t count = quantities_.size() * facets_.size();
    const auto columns = columns_for(static_cast<int>(count));
    const std::vector<PanelSize> panels(count, {kWidth, kHeight, legend_width()});
    return page_script({title_, sweep_summary(table_), notes()}, panels, columns, format,
                       [&](std::size_t panel, const Frame& frame) {
                         return draw(facets_[panel % facets_.size()],
                                     quantities_[panel / facets_.size()], frame);
                       });
  }

 private:
  void make_facets(const std::string& name, const std::string& over) {
    const SweepInput* axis = axis_of(table_, name, over);
    const std::string axis_key = axis == nullptr ? "" : axis->key;
    const SweepInput* facet = facet_of(table_, axis, kMostSweepPanels / quantities_.size());
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
      add(fmt::format("{} = {}", facet->key, value),
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
      letters = std::max(letters, character_count(facet.curves.keys));
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
    for (const SweepCurve& curve : facet.curves.curves) {
      for (const std::size_t point : curve.points) {
        xs.include(x_of(facet, point));
        ys.include(column.values[point]);
      }
    }
    const UnitScale x_unit =
        logarithmic(facet) ? UnitScale{1.0, "-"} : unit_scale(xs.greatest(), "-");
    const UnitScale y_unit =
        unit_scale(ys.greatest(), unit_text(quantity_dimension(column.name), units_));
    Range shown = axis_range(ys);
    shown.low *= y_unit.factor;
    shown.high *= y_unit.factor;
    if (!(xs.high > xs.low)) xs = axis_range(xs);
    const std::string x_name = facet.over == nullptr ? "point" : facet.over->key;
    const Axes axes{{xs.low * x_unit.factor, xs.high * x_unit.factor},
                    shown,
                    with_unit(x_name, x_unit),
                    with_unit(shown_name(column.name), y_unit)};
    std::string text = panel_commands(frame, heading(facet, quantity), axes, {});
    if (logarithmic(facet)) text += "set logscale x\nset xtics autofreq\nset format x '%g'\n";
    text += "set grid linetype 1 linewidth 0.4 linecolor rgb '#d8d8d8'\n";
    return text + legend(facet.curves, frame) + data(facet, column, x_unit.factor, y_unit.factor) +
           plot_command(facet.curves);
  }

  static std::string heading(const Facet& facet, const std::string& quantity) {
    return shown_name(quantity) + (facet.heading.empty() ? "" : ", " + facet.heading);
  }

  static std::string legend(const SweepCurves& curves, const Frame& frame) {
    if (curves.curves.size() < 2) return {};
    const double left = frame.left + frame.width + 12.0;
    double y = frame.top + 8.0;
    std::string text =
        fmt::format("set label {} at {} left\n", gnuplot_text(curves.keys), frame.at(left, y));
    for (std::size_t i = 0; i < curves.curves.size(); ++i) {
      y += kLegendLine;
      text += fmt::format("set arrow from {} to {} nohead {}\n", frame.at(left, y),
                          frame.at(left + kSample, y), line_style(i));
      text += fmt::format("set label {} at {} left\n", gnuplot_text(curves.curves[i].label),
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
                          line_style(i));
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
  std::vector<std::string> where_;
  std::vector<Facet> facets_;
  std::size_t drawn_from_ = 0;  // curves of a panel that are too many
  std::vector<std::string> quantities_;
};

}  // namespace

void write_sweep_figure(const SweepFile& sweep, const std::string& name,
                        const SweepFigureRequest& request, const std::filesystem::path& path,
                        Overwrite overwrite) {
  const PictureFormat format = picture_format(path);
  PendingFile file(path, FileKind::picture, {overwrite, {name}});
  write_picture(file, SweepFigure(sweep, name, request).script(format), format);
}

}  // namespace slipfield
