// SPDX-License-Identifier: Apache-2.0
// Where the panels of a figure are, in pixels from its upper left corner.
#pragma once

#include <string>
#include <vector>

#include "app/plot/gnuplot.h"
#include "app/plot/scale.h"

namespace slipfield {

// The area between the axes of a panel, and the room on its right for a colour bar.
struct PanelSize {
  double width = 0.0;
  double height = 0.0;
  double right = 0.0;
};

// A panel in its figure: the area between its axes. Above it are kPanelTop pixels for a heading and
// a legend.
struct Frame {
  PictureFormat format = PictureFormat::png;
  double figure_width = 0.0;
  double figure_height = 0.0;
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;

  // A place of the figure in gnuplot's screen coordinates: "screen 0.1, screen 0.9".
  [[nodiscard]] std::string at(double x, double y) const;
};

inline constexpr double kPanelLeft = 68.0;    // numbers and label of the vertical axis
inline constexpr double kPanelTop = 46.0;     // heading and legend
inline constexpr double kPanelBottom = 52.0;  // numbers and label of the horizontal axis
inline constexpr double kPlainRight = 22.0;
inline constexpr double kLegendMiddle = 11.0;  // of the legend, above the upper axis
inline constexpr double kLegendLetter = 6.6;   // width of a letter of a legend
inline constexpr double kColourBarRight = 78.0;

struct Layout {
  double width = 0.0;
  double height = 0.0;
  std::vector<Frame> frames;  // one for each panel
};
// Row after row of `columns` panels, in a figure with `header` and `footer` pixels above and below.
Layout arrange(const std::vector<PanelSize>& panels, int columns, double header, double footer,
               PictureFormat format);
// Columns for panels that have no order of rows: 1, 2, 3, 2 x 2, then three or four in a row.
int columns_for(int panels);

// The area of a map of width : height; to scale unless it is longer than about 9 : 1.
PanelSize map_size(double width, double height);

// `, font ',N'` of a text of that many pixels in height.
std::string font_option(double pixels, PictureFormat format);

// One entry of a legend: a box in a colour, a line in gnuplot's style, or an arrow.
struct LegendEntry {
  enum class Kind { box, line, arrow };
  Kind kind = Kind::line;
  std::string style;  // the colour of a box: '#rrggbb'
  std::string text;
  double angle = 0.0;  // of an arrow [rad], anticlockwise from the right

  bool operator==(const LegendEntry&) const = default;
};
// The entries side by side from `left`; `y`: their middle, in pixels of the figure.
std::string legend_commands(const Frame& frame, const std::vector<LegendEntry>& entries,
                            double left, double y);
// As many of them in a line as `width` pixels hold, at least one.
std::vector<std::vector<LegendEntry>> legend_lines(const std::vector<LegendEntry>& entries,
                                                   double width);

// Heading and legend over a panel, its margins, and both axes with their ticks. Ranges in shown
// units.
struct Axes {
  Range x;
  Range y;
  std::string x_label;
  std::string y_label;
};
std::string panel_commands(const Frame& frame, const std::string& heading, const Axes& axes,
                           const std::vector<LegendEntry>& legend);
// A text that reads upwards, centred on a place of the figure.
std::string upright_label(const Frame& frame, const std::string& text, double x, double y);

}  // namespace slipfield
