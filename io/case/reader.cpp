// SPDX-License-Identifier: Apache-2.0
#include "io/case/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>

#include "io/case/check/faults.h"
#include "io/case/doubts.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/sweep.h"
#include "io/case/table.h"
#include "io/case/text.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/yaml/diagnostics.h"
#include "io/yaml/source.h"
#include "io/yaml/suggestion.h"
#include "io/yaml/tree.h"
#include "solver/problem_limits.h"

namespace slipfield {
namespace {

constexpr std::string_view kSchema = "1";
constexpr std::size_t kLongestTitle = 10000;  // bytes; HDF5's attributes end at 64 kB

// A wrong schema is the only error reported, because every other message would mislead.
void check_schema(CaseSection& root) {
  const auto value = root.at("schema", "schema: 1", Presence::required);
  if (!value) return;
  const bool scalar = value->node.kind == YamlNode::Kind::scalar;
  const std::string& text = value->node.text;
  if (scalar && text == kSchema) return;
  value->refuse(
      scalar ? in_quotes(text) + " is not known to this program" : describe_node(value->node),
      "schema: 1");
  root.diagnostics().throw_if_any();
}

const KeyTable kWheelStepTable{
    "steps with wheel_rail",
    {map("friction", kRailFrictionTable, "as before", "replaces the section"),
     map("wheel_rail", kWheelStateTable, "as before",
         "replaces key by key; `step` of transient rolling holds again after steps of another "
         "problem"),
     integer("repeat", nullptr, kRepeats, "1", "how often the step runs")},
    {},
    true};

KeyRow list_of(std::string_view name, const KeyTable& table, std::size_t least,
               std::string_view otherwise, std::string_view meaning) {
  return value(name, {list_form(map_form(), least)}, "", otherwise, meaning).of(table);
}
KeyRow swept(KeyRow row) {
  row.swept = true;
  return row;
}

// The rows that a wheel on a rail refuses by name.
std::vector<KeyRow> contact_rows(bool wheel) {
  KeyRow geometry = value("geometry", {map_form(), list_form(map_form(), 1)}, "", "required",
                          "one shape, or a list that adds up");
  geometry.variants = shape_tables();
  std::vector<KeyRow> rows{
      swept(map("grid", kGridTable, "required", "the potential contact area")),
      swept(std::move(geometry)),
      swept(map("normal", kNormalTable, "required", "what presses the bodies together")),
      swept(map("tangential", kTangentialTable, "no tangential problem",
                "how they are moved on each other"))};
  for (KeyRow& row : rows) {
    if (!wheel) break;
    row.otherwise = "";
    row = std::move(row).never("given together with 'wheel_rail', which determines it",
                               "wheel_rail without it, or the case without wheel_rail");
  }
  return rows;
}

// The rows of a single contact's case only.
std::vector<KeyRow> own_rows(bool wheel) {
  if (wheel) return {};
  return {swept(map("layer", kLayerTable, "nothing",
                    "what is between the bodies: compliance, yield stress")),
          swept(map("adhesion", kAdhesionTable, "none", "what draws the surfaces together")),
          swept(map("patches", kPatchesTable, "none",
                    "parts of the contact that act on each other in part")),
          swept(map("influence", kInfluenceTable, "those of half-spaces",
                    "influence coefficients of curved surfaces"))};
}

KeyTable make_case_table(bool wheel, bool sweep) {
  const std::vector<KeyRow> first{value("schema", {integer_form({1, 1})}, "", "required", "`1`"),
                                  text("title", nullptr, "a title in one line", "the file's name",
                                       "a line of text, at most 10,000 bytes"),
                                  value("units", {word_form(names_of(kUnits))}, "", "required",
                                        "`N-mm-s` (mm, N, N/mm², s) or `SI` (m, N, Pa, s)"),
                                  swept(map("bodies", wheel ? kRailBodiesTable : kBodiesTable,
                                            "required", "two elastic bodies"))
                                      .gives({""})};
  const std::vector<KeyRow> last{
      swept(map("friction", wheel ? kRailFrictionTable : kFrictionTable,
                "required with a tangential problem", "Coulomb friction")),
      swept(map("wheel_rail", wheel_rail_table(), wheel ? "required" : "none",
                "a wheel on a rail, instead of `grid`, `geometry`, `normal` and `tangential`")),
      swept(list_of("steps", wheel ? kWheelStepTable : kStepTable, 1, "one step",
                    "a sequence of changes")),
      list_of("sweep", sweep_table(), 1, "none", "values to solve the case for, one by one"),
      swept(map("solver", kSolverTable, "automatic", "methods and tolerance")),
      map("output", kOutputTable, "everything", "what is written").gives({""}),
      map("interior", kInteriorTable, "none", "stresses and displacements inside the bodies"),
      swept(map("wear", kWearTable, "none", "wear and damage of a rolling step, wear of a shift")),
      swept(map("heat", wheel ? kRailHeatTable : kHeatTable, "none",
                "surface temperatures of rolling and sliding steps")),
      swept(map("fatigue", kFatigueTable, "none", "the point in the shakedown map")),
      list_of("expected", expected_table(wheel, sweep), 0, "none",
              "numbers that the case must give")};
  return {"root",
          joined_rows(joined_rows(joined_rows(first, contact_rows(wheel)), own_rows(wheel)), last)};
}

}  // namespace

const KeyTable& case_table(bool wheel_rail, bool sweep) {
  static const std::array<KeyTable, 4> tables{
      make_case_table(false, false), make_case_table(false, true), make_case_table(true, false),
      make_case_table(true, true)};
  return tables.at((wheel_rail ? 2U : 0U) + (sweep ? 1U : 0U));
}

std::vector<std::string_view> swept_sections() {
  std::vector<std::string_view> names;
  for (const KeyRow& row : case_table(false, true).rows)
    if (row.swept) names.push_back(row.name);
  return names;
}

std::optional<NotSwept> not_swept(std::string_view key) {
  const std::string_view first = key.substr(0, key.find_first_of(".["));
  const std::vector<std::string_view> swept = swept_sections();
  if (std::ranges::find(swept, first) != swept.end()) return std::nullopt;
  return NotSwept{std::string(first), accepted_words(first, swept)};
}

std::filesystem::path absolute_path(const std::filesystem::path& path) {
  if (names_array(path)) return path.filename();
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(path, failed).lexically_normal();
  return failed ? path : absolute;
}

std::vector<std::filesystem::path> input_files(const std::filesystem::path& path,
                                               const CaseDiagnostics& diagnostics) {
  std::vector<std::filesystem::path> files = {path};
  files.insert(files.end(), diagnostics.files().begin(), diagnostics.files().end());
  return files;
}

std::optional<CaseFile> read_sections(CaseSection& root, const std::filesystem::path& path,
                                      const SweepPosition& position, HeightsFiles& files) {
  CaseFile file;
  ContactProblem& problem = file.problem;
  check_schema(root);
  problem.title =
      root.text("title", "a title in one line", Presence::optional).value_or(path.stem().string());
  if (problem.title.size() > kLongestTitle)
    root.error_at_value("title", fmt::format("is {} bytes long", problem.title.size()),
                        fmt::format("a title in one line, of at most {} bytes", kLongestTitle));
  problem.units = root.choice("units", kUnits, Presence::required).value_or(Units::n_mm_s);
  if (root.has("wheel_rail")) return read_wheel_rail(root, path, position, files, std::move(file));
  read_bodies(root, problem, kContactBodies);
  problem.layer = read_layer(root);
  read_part(root, "adhesion", kAdhesionTable, problem.adhesion);
  problem.patches = read_patches(root);
  const auto grid = read_grid(root);
  const CaseContext context{grid,  path.parent_path(),   files,
                            false, root.has("adhesion"), problem.units};
  problem.influence = read_influence(root, context);
  const auto steps = read_steps(root, context);
  Geometry geometry = read_geometry(root, context, steps);
  problem.solver = read_solver(root);
  file.output = read_output(root, steps, position.fields_by_default,
                            contact_hardness(problem) > 0.0 || problem.adhesion.exists());
  problem.sensitivities = file.output.sensitivities;
  problem.error_estimate = file.output.error_estimate.value_or(false);
  file.interior = read_interior(root, grid, problem, steps);
  problem.surface =
      read_surface(root, steps, problem.layer, grid ? grid->boundary : Boundary::free);
  problem.surface.spots = file.output.spots;
  file.expected = read_expected(root, steps, position, ExpectedOf::contact, file.interior, problem);
  case_table(false, position.count > 0).read_into(root, nullptr);
  const bool is_whole = root.diagnostics().empty();
  if (grid) {
    problem.grid = *grid;
    problem.steps = steps.value_or(problem.steps);
    problem.geometry = std::move(geometry.shapes);
    report_problem(root, problem, is_whole);
  }
  if (!root.diagnostics().empty()) return std::nullopt;
  file.input_files = input_files(path, root.diagnostics());
  warn_of_doubts(root, problem);
  file.warnings = root.diagnostics().warnings();
  file.heights_files = std::move(geometry.heights_files);
  return file;
}

std::string write_case(const CaseFile& file) {
  const ContactProblem& problem = file.problem;
  const bool wheel_rail = file.wheel_rail != nullptr;
  const BodyNames& names = wheel_rail ? kWheelRailBodies : kContactBodies;
  std::string text =
      fmt::format("schema: 1\ntitle: {}\nunits: {}\nbodies:\n  {}: {}\n  {}: {}\n",
                  double_quoted(problem.title), name_of(kUnits, problem.units), names[0],
                  body_text(problem.upper), names[1], body_text(problem.lower));
  if (wheel_rail)
    text += wheel_rail_text(file);
  else
    text +=
        layer_text(problem.layer) +
        (problem.adhesion.exists() ? part_text("adhesion", kAdhesionTable, problem.adhesion) : "") +
        patches_text(problem.patches) + influence_text(problem.influence) +
        grid_text(problem.grid) + geometry_text(problem.geometry, file.heights_files) +
        steps_text(problem.steps);
  return text + part_text("solver", kSolverTable, problem.solver) + output_text(file.output) +
         (file.interior ? interior_text(*file.interior) : "") +
         surface_text(problem.surface, names) + expected_text(file.expected);
}

bool OutputSettings::wants_step(int number, int last) const {
  switch (steps) {
    case Steps::all:
      return true;
    case Steps::last:
      return number == last;
    case Steps::listed:
      break;
  }
  return std::binary_search(step_numbers.begin(), step_numbers.end(), number);
}

int count_steps(const std::vector<StepInput>& steps) {
  return std::accumulate(steps.begin(), steps.end(), 0,
                         [](int sum, const StepInput& step) { return sum + step.repeat; });
}

std::size_t entry_of_step(const std::vector<StepInput>& steps, int number) {
  std::size_t entry = 0;
  for (int left = number - steps[0].repeat; left > 0 && entry + 1 < steps.size();)
    left -= steps[++entry].repeat;
  return entry;
}

CaseFile read_case(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return read_case_shard(path, overrides, {});
}

CaseFile read_case_shard(const std::filesystem::path& path,
                         const std::vector<std::string>& overrides, const Shard& shard,
                         const WatchPoints& watch) {
  CaseDiagnostics diagnostics;
  auto text = read_case_text(path, overrides, diagnostics);
  const std::shared_ptr<const CaseSource> source = source_of(*text);
  const bool skipped_expected = text->skipped_expected;
  if (text->tree.index_of("sweep")) {
    CaseFile sweep = read_sweep(std::move(text), shard, diagnostics, watch);
    sweep.source = source;
    sweep.skipped_expected = skipped_expected;
    return sweep;
  }
  if (!shard.is_whole())
    throw InputError(path.string() + ": --shard runs a part of a sweep, and the case has no sweep");
  HeightsFiles files;
  CaseFile file = read_case(*text, files, diagnostics);
  file.resolved_yaml = write_case(file);
  file.source = source;
  file.skipped_expected = skipped_expected;
  return file;
}

CaseFile read_case(const CaseText& text, HeightsFiles& files, CaseDiagnostics& diagnostics) {
  return read_case(text, text.tree, files, diagnostics);
}

CaseFile read_case(const CaseText& text, const YamlNode& tree, HeightsFiles& files,
                   CaseDiagnostics& diagnostics) {
  CaseSection root(tree, {&text.source, kWholeSource, 0}, "", diagnostics);
  if (!root.is_map()) diagnostics.throw_if_any();
  if (root.has("sweep")) {
    root.error_at_key("sweep", "a sweep is many cases, and one is needed",
                      "the case without 'sweep', or `slipfield run`, which solves sweeps");
    diagnostics.throw_if_any();  // what else the case says is meant for the sweep
  }
  auto file = read_sections(root, text.path, {}, files);
  diagnostics.throw_if_any();
  return std::move(*file);
}

}  // namespace slipfield
