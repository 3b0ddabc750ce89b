// SPDX-License-Identifier: Apache-2.0
#include "app/plot/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipfield {
namespace {

constexpr double kMapWidth = 380.0;
constexpr double kMapHeight = 340.0;
constexpr double kMapLeast = 42.0;
constexpr double kTickDistance = 62.0;       // between numbers side by side
constexpr double kTickDistanceUpright = 32;  // of numbers above each other
constexpr double kHeadingSize = 13.0;
constexpr double kHeading = 32.0;        // of a heading, above the upper axis
constexpr double kBareHeading = 14.0;    // without a legend under it
constexpr double kLabelDistance = 54.0;  // of the label of the vertical axis
constexpr double kSampleWidth = 20.0;    // of the legend
constexpr double kSampleHeight = 10.0;
constexpr double kArrowLength = 18.0;

double entry_width(const LegendEntry& entry) {
  return kSampleWidth + 17.0 + kLegendLetter * character_count(entry.text);
}

// Of an entry, from `left` to `right`.
std::string sample_commands(const Frame& frame, const LegendEntry& entry, double left, double y) {
  const double right = left + kSampleWidth;
  if (entry.kind == LegendEntry::Kind::box)
    return fmt::format(
        "set object rectangle from {} to {} fillstyle solid noborder fillcolor rgb '{}'\n",
        frame.at(left, y + 0.5 * kSampleHeight), frame.at(right, y - 0.5 * kSampleHeight),
        entry.style);
  if (entry.kind == LegendEntry::Kind::line)
    return fmt::format("set arrow from {} to {} nohead {}\n", frame.at(left, y), frame.at(right, y),
                       entry.style);
  const double u = 0.5 * kArrowLength * std::cos(entry.angle);
  const double v = 0.5 * kArrowLength * std::sin(entry.angle);
  const double middle = 0.5 * (left + right);
  return fmt::format(
      "set arrow from {} to {} head filled size screen {:.6f},20 linewidth 1.4 linecolor rgb "
      "'black'\n",
      frame.at(middle - u, y + v), frame.at(middle + u, y - v), 7.0 / frame.figure_width);
}

int ticks_in(const Range& range, double step) {
  return static_cast<int>(std::floor(range.high / step)) -
         static_cast<int>(std::ceil(range.low / step)) + 1;
}

// At most so many steps; where a single tick would be left, closer ones if `length` has the room:
// one number says nothing of the scale.
double tick_step(const Range& range, int most, double length) {
  constexpr double kLeastDistance = 38.0;  // of numbers with a sign and a digit or two
  const double step = nice_step(range.high - range.low, most);
  if (!(range.high > range.low) || ticks_in(range, step) > 1) return step;
  for (const double part : {0.5, 0.25, 0.2, 0.1}) {
    const double closer = nice_below(part * step);
    const int ticks = ticks_in(range, closer);
    if (ticks > 1) return ticks * kLeastDistance <= length ? closer : step;
  }
  return step;
}

}  // namespace

std::string Frame::at(double x, double y) const {
  return fmt::format("screen {:.6f}, screen {:.6f}", x / figure_width, 1.0 - y / figure_height);
}

Layout arrange(const std::vector<PanelSize>& panels, int columns, double header, double footer,
               PictureFormat format) {
  const auto count = static_cast<int>(panels.size());
  const int rows = (count + columns - 1) / columns;
  std::vector<double> widths(static_cast<std::size_t>(columns), 0.0);
  std::vector<double> heights(static_cast<std::size_t>(rows), 0.0);
  for (int i = 0; i < count; ++i) {
    const PanelSize& panel = panels[static_cast<std::size_t>(i)];
    double& width = widths[static_cast<std::size_t>(i % columns)];
    double& height = heights[static_cast<std::size_t>(i / columns)];
    width = std::max(width, kPanelLeft + panel.width + panel.right);
    height = std::max(height, kPanelTop + panel.height + kPanelBottom);
  }
  Layout layout;
  for (const double width : widths) layout.width += width;
  for (const double height : heights) layout.height += height;
  layout.width = std::ceil(layout.width);
  layout.height = std::ceil(layout.height + header + footer);
  double top = header;
  for (int row = 0; row < rows; ++row) {
    double left = 0.0;
    for (int column = 0; column < columns && row * columns + column < count; ++column) {
      const PanelSize& panel = panels[layout.frames.size()];
      layout.frames.push_back({format, layout.width, layout.height, left + kPanelLeft,
                               top + kPanelTop, panel.width, panel.height});
      left += widths[static_cast<std::size_t>(column)];
    }
    top += heights[static_cast<std::size_t>(row)];
  }
  return layout;
}

int columns_for(int panels) {
  if (panels <= 3) return std::max(panels, 1);
  if (panels == 4) return 2;
  return panels <= 9 ? 3 : 4;
}

PanelSize map_size(double width, double height) {
  const double pixels = std::min(kMapWidth / width, kMapHeight / height);
  return {std::max(width * pixels, kMapLeast), std::max(height * pixels, kMapLeast), 0.0};
}

std::string font_option(double pixels, PictureFormat format) {
  const double pixels_to_points = format == PictureFormat::svg ? 1.0 : 0.75;  // SVG: pixels
  return fmt::format(" font ',{:.4g}'", pixels * pixels_to_points);
}

std::string panel_commands(const Frame& frame, const std::string& heading, const Axes& axes,
                           const std::vector<LegendEntry>& legend) {
  std::string text = "reset\nset minussign\n";
  const double right = frame.left + frame.width;
  const double bottom = frame.top + frame.height;
  text += fmt::format("set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n",
                      frame.left / frame.figure_width, right / frame.figure_width);
  text += fmt::format("set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}\n",
                      1.0 - frame.top / frame.figure_height, 1.0 - bottom / frame.figure_height);
  text += fmt::format("set label {} at {} left{}\n", gnuplot_text(heading),
                      frame.at(frame.left, frame.top - (legend.empty() ? kBareHeading : kHeading)),
                      font_option(kHeadingSize, frame.format));
  text += fmt::format("set xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n", axes.x.low,
                      axes.x.high, axes.y.low, axes.y.high);
  text += "set border front linewidth 0.8\nset tics front out nomirror scale 0.6\n";
  text += fmt::format(
      "set xtics {:.9g}\nset ytics {:.9g}\n",
      tick_step(axes.x, static_cast<int>(std::max(2.0, frame.width / kTickDistance)), frame.width),
      tick_step(axes.y, static_cast<int>(std::max(3.0, frame.height / kTickDistanceUpright)),
                frame.height));
  text += fmt::format("set xlabel {}\nunset key\n", gnuplot_text(axes.x_label));
  text += upright_label(frame, axes.y_label, frame.left - kLabelDistance,
                        frame.top + 0.5 * frame.height);
  return text + legend_commands(frame, legend, frame.left, frame.top - kLegendMiddle);
}

// gnuplot's own legend would need a column as wide as the longest text for each.
std::string legend_commands(const Frame& frame, const std::vector<LegendEntry>& entries,
                            double left, double y) {
  std::string text;
  for (const LegendEntry& entry : entries) {
    text += sample_commands(frame, entry, left, y);
    text += fmt::format("set label {} at {} left\n", gnuplot_text(entry.text),
                        frame.at(left + kSampleWidth + 5.0, y));
    left += entry_width(entry);
  }
  return text;
}

std::vector<std::vector<LegendEntry>> legend_lines(const std::vector<LegendEntry>& entries,
                                                   double width) {
  std::vector<std::vector<LegendEntry>> lines;
  double used = 0.0;
  for (const LegendEntry& entry : entries) {
    if (lines.empty() || used + entry_width(entry) > width) {
      lines.emplace_back();
      used = 0.0;
    }
    lines.back().push_back(entry);
    used += entry_width(entry);
  }
  return lines;
}

std::string upright_label(const Frame& frame, const std::string& text, double x, double y) {
  return fmt::format("set label {} at {} center rotate\n", gnuplot_text(text), frame.at(x, y));
}

}  // namespace slipfield
