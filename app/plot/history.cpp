// The convergence history of a step: changes of the tractions over the iterations, by phase.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "app/plot/history.h"
#include "app/plot/row.h"
#include "io/result/field_table.h"

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

class HistoryRow final : public PanelRow {
 public:
  explicit HistoryRow(const PlotScene& scene) : scene_(scene) {}

  void read(StepFields& fields) override {
    const std::vector<IterationRecord>& history = fields.step().report.history;
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
                                     : Range{std::pow(10.0, std::floor(decades_.low - 0.1)),
                                             std::pow(10.0, std::ceil(decades_.high + 0.1))},
                    "iteration, counted through all phases",
                    "relative change of the tractions"};
    std::string text = panel_commands(frame, step_heading(scene_, steps_[column], "convergence"),
                                      axes, legend(points_[column]));
    text += "set logscale y\nset ytics (" + decade_ticks(axes.y) + ")\n";
    text += "set grid ytics linetype 1 linewidth 0.4 linecolor rgb '#d0d0d0'\n";
    if (points_[column].empty())
      text += "set label 'the file holds no history of this step' at graph 0.5, graph 0.9 center\n";
    return text + curves(points_[column]);
  }

 private:
  static std::string decade_ticks(const Range& range) {
    const int first = static_cast<int>(std::lround(std::log10(range.low)));
    const int last = static_cast<int>(std::lround(std::log10(range.high)));
    const int every = 1 + (last - first) / 9;
    std::string ticks;
    for (int decade = last; decade >= first; decade -= every)
      ticks += fmt::format("{}'{}' 1e{}", ticks.empty() ? "" : ", ", power_of_ten(decade), decade);
    return ticks;
  }

  static std::vector<LegendEntry> legend(const std::vector<HistoryPoint>& points) {
    std::vector<LegendEntry> entries;
    for (const PhaseStyle& entry : kPhases)
      if (count_phase(points, entry.phase) > 0)
        entries.push_back({LegendEntry::Kind::line, std::string(entry.line) + " linewidth 1.4",
                           std::string(phase_name(entry.phase))});
    return entries;
  }

  static std::ptrdiff_t count_phase(const std::vector<HistoryPoint>& points, Phase phase) {
    return std::count_if(points.begin(), points.end(),
                         [&](const HistoryPoint& point) { return point.phase == phase; });
  }

  // A line breaks where its phase starts again; the outer iterations are one line.
  static std::string curves(const std::vector<HistoryPoint>& points) {
    std::string data;
    std::string command = "plot NaN";
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
