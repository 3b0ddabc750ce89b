// SPDX-License-Identifier: Apache-2.0
// The sections of a case file, each in a source file of its own: its table of keys, its reading
// from the file's root, and its text in the resolved case.
//
// Each reader collects its errors and leaves defaults where a value is wrong; nothing of the result
// may be used unless the diagnostics are empty at the end.
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

// Everything that reading a section may need.
struct CaseContext {
  std::optional<Grid> grid;      // where known
  std::filesystem::path folder;  // of the case file; files that it names are relative to it
  HeightsFiles& files;
  // For a wheel on a rail: friction varies with the inclination of the contact instead of along y.
  bool by_inclination = false;
  bool adhesion = false;  // the surfaces adhere, so that a force may pull
  Units units = Units::n_mm_s;
};

// The root, of a contact or of a wheel on a rail, without a sweep or with one: io/case/reader.cpp.
const KeyTable& case_table(bool wheel_rail, bool sweep);
// Sections whose keys a sweep may go over.
std::vector<std::string_view> swept_sections();

// grid: io/case/grid.cpp. Refined where the case says so.
extern const KeyTable kGridTable;
std::string grid_text(const Grid& grid);
std::optional<Grid> read_grid(CaseSection& root);
// Refuses grid.refine together with files that have one value per element.
void check_refine(CaseSection& root);
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
// The section as read_layer reads it; empty where there is none.
std::string layer_text(const ContactLayer& layer);
extern const KeyTable kAdhesionTable;
extern const KeyTable kPatchesTable;
ContactPatches read_patches(CaseSection& root);
std::string patches_text(const ContactPatches& patches);
extern const KeyTable kInfluenceTable;
CurvedInfluence read_influence(CaseSection& root, const CaseContext& context);
// The section as read_influence reads it; empty where there is none.
std::string influence_text(const CurvedInfluence& influence);
// solver, output: io/case/settings.cpp.
extern const KeyTable kSolverTable;
SolverSettings read_solver(CaseSection& root);
extern const KeyTable kOutputTable;
std::string output_text(const OutputSettings& output);
// `fields_by_default`: false: no field unless it is asked for.
OutputSettings read_output(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                           bool fields_by_default, bool yields = false);

// Loads of one step: io/case/friction.cpp, io/case/tangential.cpp. Nothing where the section is
// wrong or, read as a part, incomplete.
extern const KeyTable kFrictionTable;
extern const KeyTable kRailFrictionTable;
extern const KeyTable kNormalTable;
extern const KeyTable kTangentialTable;
inline constexpr std::string_view kByInclination = "inclination";
std::optional<Friction> read_friction(CaseSection& friction, const CaseContext& context);
// `places`: the key of what varies along y.
// before: that of the step before, over whose keys these are put.
std::string friction_text(const Friction& friction, std::string_view places = "y",
                          const Friction* before = nullptr);
std::optional<NormalLoad> read_normal(CaseSection& normal, bool adhesion);
std::string normal_text(const NormalLoad& load);
// `grid`: where known; `in_force`: the problem that a part without its own adds to.
std::optional<Tangential> read_tangential(CaseSection& section, const std::optional<Grid>& grid,
                                          std::optional<TangentialProblem> in_force = std::nullopt);

// steps, with friction, normal and tangential: io/case/steps.cpp. Nothing where a step is wrong.
// A rolling step without a length has that of an element.
extern const KeyTable kStepTable;
std::optional<std::vector<StepInput>> read_steps(CaseSection& root, const CaseContext& context);
std::string steps_text(const std::vector<StepInput>& steps);

// For loads that change while a case is solved, in the same file. `loads`, `change`: maps of
// friction, normal and tangential as written.
// What is in force at an entry of `steps`, from 0, or without `steps`; the root has been read.
YamlNode loads_in_force(const YamlNode& root, std::size_t entry);
// As an entry of `steps` overrides the one before it.
YamlNode loads_over(const YamlNode& loads, const YamlNode& change);
// The step of `change` over `loads`, read as an entry of `steps` is.
std::optional<StepInput> read_loads(const YamlNode& loads, const YamlNode& change,
                                    const CaseContext& context, CaseDiagnostics& diagnostics,
                                    const StepInput* before);

// interior: io/case/interior.cpp. Nothing where the case has none. Checked against the steps
// where they are known.
extern const KeyTable kInteriorTable;
std::optional<InteriorRequest> read_interior(
    CaseSection& root, const std::optional<Grid>& grid, const ContactProblem& problem,
    const std::optional<std::vector<StepInput>>& steps = std::nullopt);
// The section as read_interior reads it.
std::string interior_text(const InteriorRequest& request);

// wear, heat, fatigue: io/case/surface.cpp. Checked against the steps where they are known.
// `names`: of body 1 and body 2.
extern const KeyTable kWearTable;
extern const KeyTable kHeatTable;
extern const KeyTable kRailHeatTable;
extern const KeyTable kFatigueTable;
SurfaceRequest read_surface(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                            const ContactLayer& layer, Boundary boundary,
                            const BodyNames& names = kContactBodies);
// The sections as read_surface reads them; empty where there are none.
std::string surface_text(const SurfaceRequest& request, const BodyNames& names = kContactBodies);

// geometry: io/case/geometry.cpp, a table for each shape. `steps`: what the shapes are checked
// against, where known.
struct Geometry {
  std::vector<Shape> shapes;
  std::vector<HeightsFile> heights_files;
};
std::vector<const KeyTable*> shape_tables();
Geometry read_geometry(CaseSection& root, const CaseContext& context,
                       const std::optional<std::vector<StepInput>>& steps);
std::string geometry_text(const std::vector<Shape>& shapes, const std::vector<HeightsFile>& files);

// wheel_rail: io/case/wheel_rail/wheel_rail.h; of it what may change from step to step, track,
// wheelset and forces: io/case/wheel_rail/state.cpp.
struct WheelsetStep;  // solver/wheel_rail/wheelset/wheelset_solver.h
struct WheelKind {    // holds for all steps
  bool geometry_only = false;
  double spacing_x = 0.0;  // of the elements
};

// side, problem, step, track, wheelset, vertical_force, longitudinal_force.
extern const KeyTable kWheelStateTable;
// As lines after `indent`.
std::string wheel_state_text(const WheelsetStep& step, std::string_view indent);

// The steps of a case with `wheel_rail`: one, or as many as `steps` has entries, each of which
// overrides keys of friction and of wheel_rail. Errors are in the diagnostics.
std::vector<WheelsetStep> read_wheel_steps(CaseSection& root, const CaseContext& context,
                                           const WheelKind& kind);

// For loads that change while a case is solved. `loads`, `change`: maps of friction and of keys of
// kWheelStateTable in wheel_rail.
// The case with one step, without `steps` and `expected`: what is in force at an entry of `steps`,
// from 0, and `change` over it as one more entry.
YamlNode wheel_step_tree(const YamlNode& root, std::size_t entry, const YamlNode& change);
// `change` over `loads`, which are over that entry.
YamlNode wheel_loads_over(const YamlNode& root, std::size_t entry, const YamlNode& loads,
                          const YamlNode& change);

// expected: io/case/expected.cpp. Of the point that is read, where there is a sweep.
struct SweepPosition {
  int point = 0;  // from 1; 0: without a sweep
  int count = 0;  // of points
  bool fields_by_default = true;
  bool is_checked = false;  // and has no faults: a wheel is not placed again to find them
};
// Whose numbers: a contact's, with those inside the bodies where the case asks for them, or those
// of a wheel on a rail.
enum class ExpectedOf { contact, wheel };
const KeyTable& expected_table(bool wheel, bool sweep);
std::string expected_text(const std::vector<Expectation>& expected);
std::vector<Expectation> read_expected(CaseSection& root,
                                       const std::optional<std::vector<StepInput>>& steps,
                                       const SweepPosition& position, ExpectedOf of,
                                       const std::optional<InteriorRequest>& interior,
                                       const ContactProblem& problem);

// The whole path of a file that the case names; of an array its name.
std::filesystem::path absolute_path(const std::filesystem::path& path);

// CaseFile::input_files. `path`: of the case file.
std::vector<std::filesystem::path> input_files(const std::filesystem::path& path,
                                               const CaseDiagnostics& diagnostics);

// The whole case except `sweep` and the text of the resolved case (io/case/reader.cpp). Nothing
// where the diagnostics are not empty at the end. `path`: of the case file. `files`: that the case
// names, where they have been read before.
std::optional<CaseFile> read_sections(CaseSection& root, const std::filesystem::path& path,
                                      const SweepPosition& position, HeightsFiles& files);

}  // namespace slipfield
