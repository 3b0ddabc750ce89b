// SPDX-License-Identifier: Apache-2.0
// The sections of a case file, each in its own source file: the table of its keys, how it is read
// from the file's root, and its text in the resolved case.
//
// Each reader collects its errors and keeps defaults for wrong values; the result may be used only
// if the diagnostics are empty at the end.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/case/reader.h"
#include "io/case/section.h"
#include "io/heights/files.h"
#include "io/yaml/tree.h"

namespace slipfield {

struct KeyTable;  // table.h

// A range of two numbers, in messages.
inline constexpr std::string_view kEnds = "[least, greatest]";

// Data that sections share while they are read.
struct CaseContext {
  std::optional<Grid> grid;      // if known
  std::filesystem::path folder;  // of the case file; base of relative file names
  HeightsFiles& files;
  // For a wheel on a rail: friction varies with the inclination of the contact instead of with y.
  bool by_inclination = false;
  bool adhesion = false;  // the surfaces adhere, so that the normal force may be tensile
  Units units = Units::n_mm_s;
};

// The table of the root, for one contact or a wheel on a rail, with or without sweep:
// io/case/reader.cpp.
const KeyTable& case_table(bool wheel_rail, bool sweep);
// Sections whose keys a sweep may vary.
std::vector<std::string_view> swept_sections();
// Nothing if a sweep may change the key; else the section, and which are accepted.
struct NotSwept {
  std::string section;
  std::string accepted;
};
std::optional<NotSwept> not_swept(std::string_view key);

// grid: io/case/grid.cpp. Refined if the case requests it; a case with files of one value for each
// element cannot be.
extern const KeyTable kGridTable;
std::string grid_text(const Grid& grid);
std::optional<Grid> read_grid(CaseSection& root);
// bodies, layer, adhesion, patches, influence: io/case/bodies.cpp.
using BodyNames = std::array<std::string_view, 2>;
inline constexpr BodyNames kContactBodies{"upper", "lower"};
inline constexpr BodyNames kWheelRailBodies{"rail", "wheel"};
extern const KeyTable kBodiesTable;
extern const KeyTable kRailBodiesTable;
// `names`: of body 1 and body 2.
void read_bodies(CaseSection& root, ContactProblem& problem, const BodyNames& names);
std::string body_text(const ElasticBody& body);
extern const KeyTable kLayerTable;
ContactLayer read_layer(CaseSection& root);
// The section in the form that read_layer reads; empty if there is none.
std::string layer_text(const ContactLayer& layer);
extern const KeyTable kAdhesionTable;
extern const KeyTable kPatchesTable;
ContactPatches read_patches(CaseSection& root);
std::string patches_text(const ContactPatches& patches);
extern const KeyTable kInfluenceTable;
CurvedInfluence read_influence(CaseSection& root, const CaseContext& context);
// The section in the form that read_influence reads; empty if there is none.
std::string influence_text(const CurvedInfluence& influence);
// solver, output: io/case/settings.cpp.
extern const KeyTable kSolverTable;
SolverSettings read_solver(CaseSection& root);
extern const KeyTable kOutputTable;
std::string output_text(const OutputSettings& output);
// `fields_by_default`: false: no field unless requested.
OutputSettings read_output(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                           bool fields_by_default, bool yields = false);

// Loads of one step: io/case/friction.cpp, io/case/tangential.cpp. Nothing if the section is wrong
// or, read as a part, incomplete.
extern const KeyTable kFrictionTable;
extern const KeyTable kRailFrictionTable;
extern const KeyTable kNormalTable;
extern const KeyTable kTangentialTable;
inline constexpr std::string_view kByInclination = "inclination";
std::optional<Friction> read_friction(CaseSection& friction, const CaseContext& context);
// `places`: the key of the values along y.
// before: the friction of the previous step, which these keys override.
std::string friction_text(const Friction& friction, std::string_view places = "y",
                          const Friction* before = nullptr);
std::optional<NormalLoad> read_normal(CaseSection& normal, bool adhesion);
std::string normal_text(const NormalLoad& load);
// `grid`: if known; `in_force`: the problem that a part without its own `problem` changes.
std::optional<Tangential> read_tangential(CaseSection& section, const std::optional<Grid>& grid,
                                          std::optional<TangentialProblem> in_force = std::nullopt);

// steps, with friction, normal and tangential: io/case/steps.cpp. Nothing if a step is wrong. The
// step length of rolling defaults to one element.
extern const KeyTable kStepTable;
std::optional<std::vector<StepInput>> read_steps(CaseSection& root, const CaseContext& context);
std::string steps_text(const std::vector<StepInput>& steps);

// For loads that change while a case is solved (same file). `loads`, `change`: maps of friction,
// normal and tangential as written.
// The loads in force at an entry of `steps`, from 0, or without `steps`; the root has been read. Of
// a wheel on a rail: friction and the keys of kWheelStateTable in wheel_rail.
YamlNode loads_in_force(const YamlNode& root, std::size_t entry);
// Overrides `loads` by `change` like the next entry of `steps`.
YamlNode loads_over(const YamlNode& loads, const YamlNode& change);
// Reads `change` over `loads` like an entry of `steps`.
std::optional<StepInput> read_loads(const YamlNode& loads, const YamlNode& change,
                                    const CaseContext& context, CaseDiagnostics& diagnostics,
                                    const StepInput* before);

// Drops from the root's friction, normal and tangential what `change`, a map of them, excludes: of
// keys that exclude each other those that it does not give. wheel_rail: of a wheel on a rail, whose
// root has friction alone.
void drop_excluded_loads(YamlNode& root, const YamlNode& change, bool wheel_rail);

// interior: io/case/interior.cpp. Nothing if the case has none. Checked against the steps if they
// are known.
extern const KeyTable kInteriorTable;
std::optional<InteriorRequest> read_interior(
    CaseSection& root, const std::optional<Grid>& grid, const ContactProblem& problem,
    const std::optional<std::vector<StepInput>>& steps = std::nullopt);
// The section in the form that read_interior reads.
std::string interior_text(const InteriorRequest& request);

// wear, heat, fatigue: io/case/surface.cpp. Checked against the steps if they are known. `names`:
// of body 1 and body 2.
extern const KeyTable kWearTable;
extern const KeyTable kHeatTable;
extern const KeyTable kRailHeatTable;
extern const KeyTable kFatigueTable;
SurfaceRequest read_surface(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                            const ContactLayer& layer, Boundary boundary,
                            const BodyNames& names = kContactBodies);
// The sections in the form that read_surface reads; empty if there are none.
std::string surface_text(const SurfaceRequest& request, const BodyNames& names = kContactBodies);

// geometry: io/case/geometry.cpp, with a table for each shape. `steps`: shapes are checked against
// them if known.
struct Geometry {
  std::vector<Shape> shapes;
  std::vector<HeightsFile> heights_files;
};
std::vector<const KeyTable*> shape_tables();
Geometry read_geometry(CaseSection& root, const CaseContext& context,
                       const std::optional<std::vector<StepInput>>& steps);
std::string geometry_text(const std::vector<Shape>& shapes, const std::vector<HeightsFile>& files);

// wheel_rail: io/case/wheel_rail/wheel_rail.h; its keys that may change between steps (track,
// wheelset and forces): io/case/wheel_rail/state.cpp.
struct WheelsetStep;  // solver/wheel_rail/wheelset/wheelset_solver.h
struct WheelKind {    // holds for all steps
  bool geometry_only = false;
  double spacing_x = 0.0;  // of the elements
  bool conformal = false;
};

// side, problem, step, track, wheelset, vertical_force, longitudinal_force.
extern const KeyTable kWheelStateTable;
// As lines that begin with `indent`.
std::string wheel_state_text(const WheelsetStep& step, std::string_view indent);

// Reads the steps of a case with `wheel_rail`: one, or one per entry of `steps`, each of which
// overrides keys of friction and of wheel_rail. Errors are in the diagnostics.
std::vector<WheelsetStep> read_wheel_steps(CaseSection& root, const CaseContext& context,
                                           const WheelKind& kind);

// For loads that change while a case is solved. `loads`, `change`: maps of friction and of keys of
// kWheelStateTable in wheel_rail.
// The case with one step, without `steps` and `expected`: the state in force at an entry of
// `steps`, from 0, overridden by `change`.
YamlNode wheel_step_tree(const YamlNode& root, std::size_t entry, const YamlNode& change);
// Overrides the loads in force by `over`, like an entry of `steps`. side: the one in force if
// neither gives it.
void override_wheel_loads(YamlNode& loads, const YamlNode& over, std::string_view side = {});
// Overrides `loads`, which override that entry, by `change`.
YamlNode wheel_loads_over(const YamlNode& root, std::size_t entry, const YamlNode& loads,
                          const YamlNode& change);

// Overrides wheel_rail of the root itself by that of `change`, like an entry of `steps`.
void put_wheel_state(YamlNode& root, const YamlNode& change);

// expected: io/case/expected.cpp. The position in a sweep of the point that is read.
struct SweepPosition {
  int point = 0;  // from 1; 0: without a sweep
  int count = 0;  // of points
  bool fields_by_default = true;
  bool is_checked = false;  // checked and free of faults: a wheel need not be placed again
};
// Which numbers may be expected: those of a contact, including the interior if the case requests
// it, or those of a wheel on a rail.
enum class ExpectedOf { contact, wheel };
const KeyTable& expected_table(bool wheel, bool sweep);
std::string expected_text(const std::vector<Expectation>& expected);
std::vector<Expectation> read_expected(CaseSection& root,
                                       const std::optional<std::vector<StepInput>>& steps,
                                       const SweepPosition& position, ExpectedOf of,
                                       const std::optional<InteriorRequest>& interior,
                                       const ContactProblem& problem);

// The absolute path of a file that the case names; for an array its name.
std::filesystem::path absolute_path(const std::filesystem::path& path);

// CaseFile::input_files. `path`: of the case file.
std::vector<std::filesystem::path> input_files(const std::filesystem::path& path,
                                               const CaseDiagnostics& diagnostics);

// Reads the whole case except `sweep` and the text of the resolved case (io/case/reader.cpp).
// Nothing if the diagnostics are not empty at the end. `path`: of the case file. `files`: files
// named by the case that were read before.
std::optional<CaseFile> read_sections(CaseSection& root, const std::filesystem::path& path,
                                      const SweepPosition& position, HeightsFiles& files);

}  // namespace slipfield
