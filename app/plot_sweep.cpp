#include "app/plot_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "app/plot_page.h"
#include "app/plot_row.h"
#include "app/plot_scale.h"
#include "app/sweep_report.h"
#include "io/case_suggestion.h"
#include "io/field_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kWidth = 460.0;
constexpr double kHeight = 300.0;
constexpr std::size_t kMostCurves = 12;
constexpr std::size_t kMostPanels = 12;
constexpr std::size_t kMostMarks = 40;  // with more points the marks would hide the line
constexpr double kLegendLine = 17.0;
constexpr double kLegendLetter = 6.6;
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

std::size_t values_of(const SweepInput& input) {
  return std::set<std::string>(input.texts.begin(), input.texts.end()).size();
}

const SweepInput* axis_of(const SweepTable& table, const std::string& name,
                          const std::string& over) {
  if (over.empty()) {
    const SweepInput* longest = nullptr;
    for (const SweepInput& input : table.inputs)
      if (input.is_number() && (longest == nullptr || values_of(input) > values_of(*longest)))
        longest = &input;
    return longest;
  }
  std::vector<std::string_view> keys;
  for (const SweepInput& input : table.inputs) keys.emplace_back(input.key);
  const SweepInput* input = table.find_input(over);
  if (input == nullptr)
    throw InputError(
        fmt::format("{}: the sweep has no key \"{}\"; {}", name, over, accepted_words(over, keys)));
  if (!input->is_number())
    throw InputError(fmt::format("{}: the values of \"{}\" are no numbers", name, over));
  return input;
}

class SweepFigure {
 public:
  SweepFigure(const SweepFile& sweep, const std::string& name, const SweepFigureRequest& request)
      : table_(sweep.table),
        units_(sweep.info.header.units),
        title_(sweep.info.header.title),
        over_(axis_of(table_, name, request.over)),
        curves_(curves_of(table_, over_)) {
    quantities_ = request.quantities.empty() ? default_quantities(table_) : request.quantities;
    for (const std::string& quantity : quantities_)
      if (table_.find(quantity) == nullptr)
        throw InputError(fmt::format("{}: no point of the sweep has a {}", name, quantity));
    if (quantities_.size() > kMostPanels)
      throw InputError(fmt::format("{} quantities are too many; a figure has at most {}",
                                   quantities_.size(), kMostPanels));
    thin_out();
  }

  [[nodiscard]] std::string script(PictureFormat format) const {
    const auto columns = columns_for(static_cast<int>(quantities_.size()));
    const std::vector<PanelSize> panels(quantities_.size(), {kWidth, kHeight, legend_width()});
    return page_script({title_, sweep_summary(table_), notes()}, panels, columns, format,
                       [&](std::size_t panel, const Frame& frame) {
                         return draw(*table_.find(quantities_[panel]), frame);
                       });
  }

 private:
  void thin_out() {
    drawn_from_ = curves_.curves.size();
    if (drawn_from_ <= kMostCurves) return;
    std::vector<SweepCurve> chosen;
    for (std::size_t i = 0; i < kMostCurves; ++i)
      chosen.push_back(curves_.curves[i * (drawn_from_ - 1) / (kMostCurves - 1)]);
    curves_.curves = std::move(chosen);
  }

  [[nodiscard]] double x_of(std::size_t point) const {
    return over_ == nullptr ? static_cast<double>(point + 1) : over_->numbers[point];
  }
  [[nodiscard]] bool logarithmic() const {
    return over_ != nullptr && over_->spacing == Spacing::logarithmic;
  }

  [[nodiscard]] double legend_width() const {
    if (curves_.curves.size() < 2) return kPlainRight;
    int letters = character_count(curves_.keys);
    for (const SweepCurve& curve : curves_.curves)
      letters = std::max(letters, 4 + character_count(curve.label));
    return 24.0 + kLegendLetter * letters;
  }

  [[nodiscard]] std::string draw(const SweepColumn& column, const Frame& frame) const {
    Range xs = kNoRange;
    Range ys = kNoRange;
    for (const SweepCurve& curve : curves_.curves) {
      for (const std::size_t point : curve.points) {
        xs.include(x_of(point));
        ys.include(column.values[point]);
      }
    }
    const UnitScale x_unit = logarithmic() ? UnitScale{1.0, "-"} : unit_scale(xs.greatest(), "-");
    const UnitScale y_unit =
        unit_scale(ys.greatest(), unit_text(quantity_dimension(column.name), units_));
    Range shown = axis_range(ys);
    shown.low *= y_unit.factor;
    shown.high *= y_unit.factor;
    if (!(xs.high > xs.low)) xs = axis_range(xs);
    const std::string x_name = over_ == nullptr ? "point" : over_->key;
    const Axes axes{{xs.low * x_unit.factor, xs.high * x_unit.factor},
                    shown,
                    with_unit(x_name, x_unit),
                    with_unit(shown_name(column.name), y_unit)};
    std::string text = panel_commands(frame, shown_name(column.name), axes, {});
    if (logarithmic()) text += "set logscale x\nset xtics autofreq\nset format x '%g'\n";
    text += "set grid linetype 1 linewidth 0.4 linecolor rgb '#d8d8d8'\n";
    return text + legend(frame) + data(column, x_unit.factor, y_unit.factor) + plot_command();
  }

  [[nodiscard]] std::string legend(const Frame& frame) const {
    if (curves_.curves.size() < 2) return {};
    const double left = frame.left + frame.width + 12.0;
    double y = frame.top + 8.0;
    std::string text =
        fmt::format("set label {} at {} left\n", gnuplot_text(curves_.keys), frame.at(left, y));
    for (std::size_t i = 0; i < curves_.curves.size(); ++i) {
      y += kLegendLine;
      text += fmt::format("set arrow from {} to {} nohead {}\n", frame.at(left, y),
                          frame.at(left + kSample, y), line_style(i));
      text += fmt::format("set label {} at {} left\n", gnuplot_text(curves_.curves[i].label),
                          frame.at(left + kSample + 5.0, y));
    }
    return text;
  }

  // $curve0, $curve1, ... and $failed, the points that did not converge.
  [[nodiscard]] std::string data(const SweepColumn& column, double x_factor,
                                 double y_factor) const {
    std::string text;
    std::string failed = "$failed << END\nNaN NaN\n";
    for (std::size_t i = 0; i < curves_.curves.size(); ++i) {
      text += fmt::format("$curve{} << END\nNaN NaN\n", i);
      for (const std::size_t point : curves_.curves[i].points) {
        const double value = column.values[point] * y_factor;
        const std::string line = std::isfinite(value)
                                     ? fmt::format("{:.9g} {:.9g}\n", x_of(point) * x_factor, value)
                                     : std::string("NaN NaN\n");
        text += line;
        if (table_.outcomes[point] == PointOutcome::not_converged) failed += line;
      }
      text += "END\n";
    }
    return text + failed + "END\n";
  }

  [[nodiscard]] std::string plot_command() const {
    std::string text = "plot 0 with lines linewidth 0.6 linecolor rgb '#808080'";
    for (std::size_t i = 0; i < curves_.curves.size(); ++i) {
      const bool marks = curves_.curves[i].points.size() <= kMostMarks;
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
    if (drawn_from_ > curves_.curves.size())
      notes.push_back(
          fmt::format("{} of {} curves are drawn.", curves_.curves.size(), drawn_from_));
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

  const SweepTable& table_;
  Units units_;
  std::string title_;
  const SweepInput* over_;
  SweepCurves curves_;
  std::size_t drawn_from_ = 0;
  std::vector<std::string> quantities_;
};

// Whether the key takes several values while `over` has one.
bool is_parameter(const SweepInput& input, const SweepInput* over) {
  std::map<std::string, std::string> value_at;
  for (std::size_t point = 0; point < input.texts.size(); ++point) {
    const std::string at = over == nullptr ? std::to_string(point) : over->texts[point];
    if (value_at.emplace(at, input.texts[point]).first->second != input.texts[point]) return true;
  }
  return false;
}

}  // namespace

SweepCurves curves_of(const SweepTable& table, const SweepInput* over) {
  SweepCurves result;
  std::vector<const SweepInput*> parameters;
  for (const SweepInput& input : table.inputs) {
    if (&input == over || !is_parameter(input, over)) continue;
    parameters.push_back(&input);
    result.keys += (result.keys.empty() ? "" : ", ") + input.key;
  }
  std::map<std::string, std::size_t> curve_of;
  for (std::size_t point = 0; point < table.count(); ++point) {
    std::string label;
    for (const SweepInput* input : parameters)
      label +=
          (label.empty() ? "" : ", ") +
          (input->is_number() ? fmt::format("{:.6g}", input->numbers[point]) : input->texts[point]);
    const auto [found, is_new] = curve_of.emplace(label, result.curves.size());
    if (is_new) result.curves.push_back({label, {}});
    result.curves[found->second].points.push_back(point);
  }
  for (SweepCurve& curve : result.curves)
    std::stable_sort(curve.points.begin(), curve.points.end(), [&](std::size_t a, std::size_t b) {
      return over == nullptr ? a < b : over->numbers[a] < over->numbers[b];
    });
  return result;
}

void write_sweep_figure(const SweepFile& sweep, const std::string& name,
                        const SweepFigureRequest& request, const std::filesystem::path& path,
                        Overwrite overwrite) {
  const PictureFormat format = picture_format(path);
  PendingFile file(path, FileKind::picture, {overwrite, {name}});
  write_picture(file, SweepFigure(sweep, name, request).script(format), format);
}

}  // namespace slipfield
