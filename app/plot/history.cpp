// SPDX-License-Identifier: Apache-2.0
// The convergence history of a step: changes of the tractions over the iterations, by phase.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "app/plot/history.h"
#include "app/plot/row.h"
#include "io/result/field_table.h"
#include "io/yaml/diagnostics.h"
#include "io/yaml/number.h"
#include "io/yaml/tree.h"

namespace slipfield {
namespace {

constexpr double kHistoryWidth = 440.0;
constexpr double kHistoryHeight = 280.0;
constexpr int kMostMarks = 60;  // with more iterations the marks would hide the line

struct PhaseStyle {
  Phase phase;
  std::string_view line;
  int mark;
};
constexpr std::array kPhases = {
    // Okabe and Ito's palette, and marks of their own
    PhaseStyle{Phase::normal, "linecolor rgb '#0072B2'", 7},
    PhaseStyle{Phase::tangential, "linecolor rgb '#D55E00'", 5},
    PhaseStyle{Phase::outer, "linecolor rgb '#202020' dashtype (6,5)", 9},
};

constexpr double kDecadeRoom = 0.25;  // above and below the curves
constexpr std::string_view kToleranceLine = "linewidth 1.2 linecolor rgb '#009E73' dashtype (3,3)";

// solver.tolerance of a case that a result holds; nothing where it does not say.
std::optional<double> tolerance_of(const std::string& case_yaml) {
  CaseDiagnostics ignored;
  const SourceText source("case", case_yaml, SourceText::Kind::file);
  const std::optional<YamlNode> tree = parse_yaml(case_yaml, source, ignored);
  const YamlNode* solver = tree ? tree->find("solver") : nullptr;
  const YamlNode* node = solver != nullptr ? solver->find("tolerance") : nullptr;
  if (node == nullptr) return std::nullopt;
  const std::optional<double> tolerance = parse_number(node->text).value;
  return tolerance && *tolerance > 0.0 ? tolerance : std::nullopt;
}

class HistoryRow final : public PanelRow {
 public:
  explicit HistoryRow(const PlotScene& scene) : scene_(scene) {}

  void read(FieldsOfStep& fields) override {
    const std::vector<IterationRecord>& history = fields.step().report.history;
    tolerance_ = tolerance_of(fields.result().info().header.case_yaml);
    if (tolerance_ && !history.empty()) decades_.include(std::log10(*tolerance_));
    steps_.push_back(fields.step().number);
    points_.push_back(history_points(history));
    for (const HistoryPoint& point : points_.back()) {
      iterations_.include(point.iteration);
      if (point.change > 0.0) decades_.include(std::log10(point.change));
    }
  }

  [[nodiscard]] PanelSize size() const override {
    return {kHistoryWidth, kHistoryHeight, kPlainRight};
  }

  [[nodiscard]] std::string draw(std::size_t column, const Frame& frame) const override {
    const double last = iterations_.empty() ? 1.0 : iterations_.high;
    const Axes axes{{0.0, std::max(1.0, 1.03 * last)},
                    decades_.empty() ? Range{1.0e-6, 1.0}
                                     : Range{std::pow(10.0, decades_.low - kDecadeRoom),
                                             std::pow(10.0, decades_.high + kDecadeRoom)},
                    "iteration, counted through all phases",
                    "relative change of the tractions"};
    std::string text = panel_commands(frame, step_heading(scene_, steps_[column], "convergence"),
                                      axes, phases(points_[column]));
    text += "set logscale y\nset ytics (" + decade_ticks(axes.y) + ")\n";
    text += "set grid ytics linetype 1 linewidth 0.4 linecolor rgb '#d0d0d0'\n";
    if (points_[column].empty())
      text += "set label 'the file holds no history of this step' at graph 0.5, graph 0.9 center\n";
    const std::string tolerance =
        tolerance_ && !points_[column].empty()
            ? fmt::format("{:.6g} with lines {}", *tolerance_, kToleranceLine)
            : "NaN";
    return text + curves(points_[column], tolerance);
  }

 private:
  static std::string decade_ticks(const Range& range) {
    const int first = static_cast<int>(std::ceil(std::log10(range.low)));
    const int last = static_cast<int>(std::floor(std::log10(range.high)));
    const int every = 1 + (last - first) / 9;
    std::string ticks;
    for (int decade = last; decade >= first; decade -= every)
      ticks += fmt::format("{}'{}' 1e{}", ticks.empty() ? "" : ", ", power_of_ten(decade), decade);
    return ticks;
  }

  [[nodiscard]] std::vector<LegendEntry> phases(const std::vector<HistoryPoint>& points) const {
    std::vector<LegendEntry> entries;
    for (const PhaseStyle& entry : kPhases)
      if (count_phase(points, entry.phase) > 0)
        entries.push_back({LegendEntry::Kind::line, std::string(entry.line) + " linewidth 1.4",
                           std::string(phase_name(entry.phase))});
    if (tolerance_ && !points.empty())
      entries.push_back({LegendEntry::Kind::line, std::string(kToleranceLine), "tolerance"});
    return entries;
  }

  static std::ptrdiff_t count_phase(const std::vector<HistoryPoint>& points, Phase phase) {
    return std::count_if(points.begin(), points.end(),
                         [&](const HistoryPoint& point) { return point.phase == phase; });
  }

  // A line breaks where its phase starts again; the outer iterations are one line.
  static std::string curves(const std::vector<HistoryPoint>& points, const std::string& tolerance) {
    std::string data;
    std::string command = "plot " + tolerance;
    for (const PhaseStyle& entry : kPhases) {
      const std::ptrdiff_t count = count_phase(points, entry.phase);
      if (count == 0) continue;
      data += fmt::format("${} << END\n", phase_name(entry.phase));
      for (const HistoryPoint& point : points) {
        if (point.phase != entry.phase) continue;
        if (point.starts && entry.phase != Phase::outer) data += '\n';
        if (point.change > 0.0) data += fmt::format("{} {:.6g}\n", point.iteration, point.change);
      }
      data += "END\n";
      command += fmt::format(
          ", ${} using 1:2 with linespoints {} pointtype {} linewidth 1.4 pointsize 0.45 "
          "pointinterval {}",
          phase_name(entry.phase), entry.line, entry.mark, 1 + count / kMostMarks);
    }
    return data + command + "\n";
  }

  PlotScene scene_;
  std::vector<int> steps_;
  std::vector<std::vector<HistoryPoint>> points_;
  Range iterations_ = kNoRange;
  Range decades_ = kNoRange;
  std::optional<double> tolerance_;
};

}  // namespace

std::vector<HistoryPoint> history_points(const std::vector<IterationRecord>& history) {
  std::vector<HistoryPoint> points;
  std::map<Phase, int> last;  // number of the last iteration of each phase
  int iteration = 0;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const IterationRecord& record = history[i];
    const bool goes_on = record.iteration > last[record.phase];
    if (record.phase != Phase::outer)
      iteration += goes_on ? record.iteration - last[record.phase] : record.iteration;
    const bool starts = i == 0 || history[i - 1].phase != record.phase || !goes_on;
    points.push_back({record.phase, iteration, record.change, starts});
    last[record.phase] = record.iteration;
  }
  return points;
}

std::unique_ptr<PanelRow> make_history_row(const PlotScene& scene) {
  return std::make_unique<HistoryRow>(scene);
}

}  // namespace slipfield
