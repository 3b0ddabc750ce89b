// SPDX-License-Identifier: Apache-2.0
// The sections of a case file, each in a source file of its own: its table of keys, its reading from
// the file's root, and its text in the resolved case.
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

// The root, of a contact or of a wheel on a rail, without a sweep or with one: io/case/reader.cpp.
const KeyTable& case_table(bool wheel_rail, bool sweep);
// Sections whose keys a sweep may go over.
std::vector<std::string_view> swept_sections();

// grid: io/case/grid.cpp. Refined where the case says so.
const KeyTable& grid_table();
std::string grid_text(const Grid& grid);
std::optional<Grid> read_grid(CaseSection& root);
// Refuses grid.refine together with files that have one value per element.
void check_refine(CaseSection& root);
// bodies, layer, adhesion, patches, influence: io/case/bodies.cpp.
using BodyNames = std::array<std::string_view, 2>;
inline constexpr BodyNames kContactBodies{"upper", "lower"};
inline constexpr BodyNames kWheelRailBodies{"rail", "wheel"};
const KeyTable& bodies_table();
const KeyTable& rail_bodies_table();
// `names`: of body 1 and body 2.
void read_bodies(CaseSection& root, ContactProblem& problem, const BodyNames& names);
std::string body_text(const ElasticBody& body);
const KeyTable& layer_table();
ContactLayer read_layer(CaseSection& root);
// The section as read_layer reads it; empty where there is none.
std::string layer_text(const ContactLayer& layer);
const KeyTable& adhesion_table();
const KeyTable& patches_table();
ContactPatches read_patches(CaseSection& root);
std::string patches_text(const ContactPatches& patches);
// `grid`: where known; `folder`: of the case file, that of coefficients is relative to it.
const KeyTable& influence_keys_table();
struct InfluenceContext {
  std::optional<Grid> grid;
  std::filesystem::path folder;
  Units units = Units::n_mm_s;
};
CurvedInfluence read_influence(CaseSection& root, const InfluenceContext& context);
// The section as read_influence reads it; empty where there is none.
std::string influence_text(const CurvedInfluence& influence);
// solver, output: io/case/settings.cpp.
const KeyTable& solver_table();
SolverSettings read_solver(CaseSection& root);
const KeyTable& output_table();
std::string output_text(const OutputSettings& output);
// `fields_by_default`: false: no field unless it is asked for.
OutputSettings read_output(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                           bool fields_by_default, bool yields = false);

// Loads of one step: io/case/friction.cpp, io/case/tangential.cpp. Nothing where the section is
// wrong or, read as a part, incomplete.
const KeyTable& friction_table();
const KeyTable& rail_friction_table();
const KeyTable& normal_table();
const KeyTable& tangential_table();
struct FrictionContext {
  std::optional<Grid> grid;      // where known
  std::filesystem::path folder;  // of the case file; files of coefficients are relative to it
  HeightsFiles& files;
  // For a wheel on a rail: friction varies with the inclination of the contact instead of along y.
  bool by_inclination = false;
  bool adhesion = false;  // the surfaces adhere, so that a force may pull
  Units units = Units::n_mm_s;
};
inline constexpr std::string_view kByInclination = "inclination";
std::optional<Friction> read_friction(CaseSection& friction, const FrictionContext& context);
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
const KeyTable& step_table();
std::optional<std::vector<StepInput>> read_steps(CaseSection& root, const FrictionContext& context);
std::string steps_text(const std::vector<StepInput>& steps);

// For loads that change while a case is solved, in the same file. `loads`, `change`: maps of
// friction, normal and tangential as written.
// What is in force at an entry of `steps`, from 0, or without `steps`; the root has been read.
YamlNode loads_in_force(const YamlNode& root, std::size_t entry);
// As an entry of `steps` overrides the one before it.
YamlNode loads_over(const YamlNode& loads, const YamlNode& change);
// The step of `change` over `loads`, read as an entry of `steps` is.
std::optional<StepInput> read_loads(const YamlNode& loads, const YamlNode& change,
                                    const FrictionContext& context, CaseDiagnostics& diagnostics,
                                    const StepInput* before);

// interior: io/case/interior.cpp. Nothing where the case has none. Checked against the steps
// where they are known.
const KeyTable& interior_table();
std::optional<InteriorRequest> read_interior(
    CaseSection& root, const std::optional<Grid>& grid, const ContactProblem& problem,
    const std::optional<std::vector<StepInput>>& steps = std::nullopt);
// The section as read_interior reads it.
std::string interior_text(const InteriorRequest& request);

// wear, heat, fatigue: io/case/surface.cpp. Checked against the steps where they are known.
// `names`: of body 1 and body 2.
const KeyTable& wear_table();
const KeyTable& heat_table();
const KeyTable& rail_heat_table();
const KeyTable& fatigue_table();
SurfaceRequest read_surface(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                            const ContactLayer& layer, Boundary boundary,
                            const BodyNames& names = kContactBodies);
// The sections as read_surface reads them; empty where there are none.
std::string surface_text(const SurfaceRequest& request, const BodyNames& names = kContactBodies);

// geometry: io/case/geometry.cpp, a table for each shape. `grid`, `steps`: what the shapes are
// checked against, where known. `folder`: of the case file; heights files are relative to it.
struct GeometryContext {
  std::optional<Grid> grid;
  std::optional<std::vector<StepInput>> steps;
  std::filesystem::path folder;
  HeightsFiles& files;
  double metres = 1.0e-3;  // the case's unit of length
};
struct Geometry {
  std::vector<Shape> shapes;
  std::vector<HeightsFile> heights_files;
};
std::vector<const KeyTable*> shape_tables();
Geometry read_geometry(CaseSection& root, const GeometryContext& context);
std::string geometry_text(const std::vector<Shape>& shapes, const std::vector<HeightsFile>& files);

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
                                       const SurfaceRequest& surfaces);

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
