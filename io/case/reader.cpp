// SPDX-License-Identifier: Apache-2.0
#include "io/case/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "io/case/check/faults.h"
#include "io/case/doubts.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/sweep.h"
#include "io/case/text.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/case/writer.h"
#include "io/yaml/diagnostics.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

constexpr std::string_view kSchema = "1";
constexpr std::size_t kLongestTitle = 10000;  // bytes; HDF5's attributes end at 64 kB

// Under another schema every other message would mislead, so a wrong one is the only error.
void check_schema(CaseSection& root) {
  root.takes("schema", [] { return KeyForm{.kind = KeyForm::Kind::integer, .integers = {1, 1}}; });
  const YamlNode* node = root.value("schema", "schema: 1", Presence::required);
  if (node == nullptr) return;
  if (node->kind == YamlNode::Kind::scalar && node->text == kSchema) return;
  const bool scalar = node->kind == YamlNode::Kind::scalar;
  root.error_at_value(
      "schema",
      scalar ? in_quotes(node->text) + " is not known to this program" : describe_node(*node),
      "schema: 1");
  root.diagnostics().throw_if_any();
}

}  // namespace

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
  root.know("wheel_rail");
  read_bodies(root, problem, {"upper", "lower"});
  problem.layer = read_layer(root);
  problem.patches = read_patches(root);
  const auto grid = read_grid(root);
  check_refine(root);
  problem.influence = read_influence(root, {grid, path.parent_path(), problem.units});
  const auto steps = read_steps(root, {grid, path.parent_path(), files});
  const double metres = problem.units == Units::si ? 1.0 : 1.0e-3;
  Geometry geometry = read_geometry(root, {grid, steps, path.parent_path(), files, metres});
  problem.solver = read_solver(root);
  file.output = read_output(root, steps, position.fields_by_default);
  problem.sensitivities = file.output.sensitivities;
  problem.error_estimate = file.output.error_estimate.value_or(false);
  file.interior = read_interior(root, grid, problem, steps);
  problem.surface = read_surface(root, steps, problem.layer);
  file.expected =
      read_expected(root, steps, position, ExpectedOf::contact, file.interior, problem.surface);
  root.know("sweep");
  root.finish();
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

bool OutputSettings::wants_field(std::string_view name) const {
  return !fields || std::find(fields->begin(), fields->end(), name) != fields->end();
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

CaseFile read_case(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return read_case_shard(path, overrides, {});
}

CaseFile read_case_shard(const std::filesystem::path& path,
                         const std::vector<std::string>& overrides, const Shard& shard) {
  CaseDiagnostics diagnostics;
  auto text = read_case_text(path, overrides, diagnostics);
  const std::shared_ptr<const CaseSource> source = source_of(*text);
  if (text->tree.index_of("sweep")) {
    CaseFile sweep = read_sweep(std::move(text), shard, diagnostics);
    sweep.source = source;
    return sweep;
  }
  if (!shard.is_whole())
    throw InputError(path.string() + ": --shard runs a part of a sweep, and the case has no sweep");
  HeightsFiles files;
  CaseFile file = read_case(*text, files, diagnostics);
  file.resolved_yaml = write_case(file);
  file.source = source;
  return file;
}

CaseFile read_case(const CaseText& text, HeightsFiles& files, CaseDiagnostics& diagnostics) {
  CaseSection root(text.tree, {&text.source, 0, 0}, "", diagnostics);
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
