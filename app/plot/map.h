// SPDX-License-Identifier: Apache-2.0
// Fields as images: the parts that maps and maps with arrows have in common.
#pragma once

#include <string>
#include <vector>

#include "app/plot/row.h"

namespace slipfield {

// One column of a row of maps: values for the pixels, in the units of the file; not a number stays
// white.
struct Raster {
  int step = 0;
  Grid pixels;
  std::vector<double> values;
  std::vector<Segment> outline;  // of the contact
  bool infinite = false;         // values that are not finite were left out
};

// The window of a field in pixels, each the mean over a block of elements.
Raster raster_of(const PlotScene& scene, FieldsOfStep& fields, const std::vector<double>& values,
                 bool in_contact_only);
// 1 for adhesion, 2 for slip, 3 for plastic.
Raster raster_of_states(const PlotScene& scene, FieldsOfStep& fields);

PanelSize map_panel_size(const PlotScene& scene, bool colour_bar);
Axes map_axes(const PlotScene& scene, const UnitScale& length);
// Colours and the bar next to the panel, whose heading names field and unit.
std::string colour_commands(const Frame& frame, const ColourRange& colours);
std::string state_colour_commands(bool friction);
// The picture: what the commands before it have set, and `over`, more elements of the plot command.
std::string raster_plot(const Raster& raster, const UnitScale& length, double factor,
                        const std::string& over);
std::vector<std::string> map_notes(const PlotScene& scene, bool in_contact_only);

}  // namespace slipfield
