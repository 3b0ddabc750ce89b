// SPDX-License-Identifier: Apache-2.0
// One kind of picture, drawn for every step of a figure: a row of panels with the same ranges.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/layout.h"
#include "app/plot/reduce.h"
#include "io/result/reader.h"

namespace slipfield {

// What all panels of a figure share.
struct PlotScene {
  Grid grid;
  Units units = Units::n_mm_s;
  Window window;  // the elements shown
  bool several_steps = false;
  std::optional<std::array<double, 2>> at;  // where cuts go; else the middle of the pressure

  [[nodiscard]] bool one_row() const { return grid.mx == 1 || grid.my == 1; }
  [[nodiscard]] UnitScale length() const;  // of the coordinates in the window
};

// The fields of a step, each read from the file once.
class FieldsOfStep {
 public:
  FieldsOfStep(const ResultFile& result, const ResultStep& step) : result_(result), step_(step) {}

  [[nodiscard]] const ResultFile& result() const { return result_; }
  [[nodiscard]] const ResultStep& step() const { return step_; }
  [[nodiscard]] bool has(std::string_view name) const;
  const std::vector<double>& field(const std::string& name);
  // Empty where the file does not hold it.
  const std::vector<ElementState>& division();

 private:
  const ResultFile& result_;
  const ResultStep& step_;
  std::map<std::string, std::vector<double>> fields_;
  std::vector<ElementState> division_;
};

class PanelRow {
 public:
  virtual ~PanelRow() = default;
  // Takes what it shows of a step; once for each step, in the order of the columns.
  virtual void read(FieldsOfStep& fields) = 0;
  [[nodiscard]] virtual PanelSize size() const = 0;
  [[nodiscard]] virtual std::string draw(std::size_t column, const Frame& frame) const = 0;
  // What its panels mean by their colours and lines; of all rows one legend is made.
  [[nodiscard]] virtual std::vector<LegendEntry> legend() const { return {}; }
  // Sentences under the figure, on what the pictures leave out.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

// A field as a map; also element_division.
std::unique_ptr<PanelRow> make_map_row(const PlotScene& scene, const std::string& field);
// The vectors (NAME_x, NAME_y) as arrows: `traction` over the areas of adhesion and slip, another
// one over its own magnitude.
std::unique_ptr<PanelRow> make_arrow_row(const PlotScene& scene, const std::string& name);
// Fields along the rows of elements in `along` through the scene's place, or the middle of the
// pressure, or, where there is no contact, through the greatest pressure: "traction" stands for
// both tractions between the bounds, "slip" for both slips.
enum class CutAlong { x, y };
std::unique_ptr<PanelRow> make_cut_row(const PlotScene& scene, CutAlong along,
                                       const std::string& name);
// As the name of a cut: the distance of the surfaces as they are pressed together, over that which
// the undeformed ones would have at the same approach.
inline constexpr std::string_view kShapeName = "shape";
// A field in three dimensions: its values upwards, over the area of the scene.
std::unique_ptr<PanelRow> make_surface_row(const PlotScene& scene, const std::string& field);
// How the changes of the tractions fell in the iterations of a step.
std::unique_ptr<PanelRow> make_history_row(const PlotScene& scene);

// The limits of the shakedown map, and where the step is in it.
std::unique_ptr<PanelRow> make_shakedown_row(const PlotScene& scene);

// Inside a body: the greatest stresses over the depth, and a quantity on the plane across the
// surface through the greatest stress of von Mises.
std::unique_ptr<PanelRow> make_depth_row(const PlotScene& scene, Body body);
// Dang Van's and Crossland's stresses along y, the greatest over the depth.
std::unique_ptr<PanelRow> make_fatigue_row(const PlotScene& scene, Body body);
std::unique_ptr<PanelRow> make_section_row(const PlotScene& scene, Body body, CutAlong along,
                                           const std::string& quantity);

// "slip_x" is shown as "slip x".
std::string shown_name(std::string_view field);
std::string step_heading(const PlotScene& scene, int step, const std::string& name);
// Fields that exist in the contact only; elsewhere they are not drawn.
bool is_contact_field(std::string_view name);

// Which of the areas are shown, and their entries "adhesion", "slip", "plastic", and without
// friction "contact" in the legend.
struct ShownStates {
  bool adhesion = false;
  bool slip = false;
  bool plastic = false;
  bool contact = false;

  void include(const std::vector<ElementState>& states, bool friction);
};
std::vector<LegendEntry> state_legend(const ShownStates& shown);
std::string_view state_colour(ElementState state, bool friction);  // of one in contact
inline constexpr std::string_view kAdhesionColour = "#a9cfe8";
inline constexpr std::string_view kSlipColour = "#f9cf9c";
inline constexpr std::string_view kPlasticColour = "#cdb9e0";
inline constexpr std::string_view kContactColour = "#e4e4e4";  // of a step without friction

}  // namespace slipfield
