// SPDX-License-Identifier: Apache-2.0
// solver, output: how the case is solved, and which results are kept.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

// --- solver

const KeyTable kHalfEllipsesTable{
    "solver.half_ellipses",
    {number("semi_axis_x", &HalfEllipses::semi_axis_x, kPositive, "required", "half length in x"),
     number("below", &HalfEllipses::below, kPositive, "required", "half width below y = border"),
     number("above", &HalfEllipses::above, kPositive, "required", "half width above it"),
     number("border", &HalfEllipses::border, kAnyNumber, "0",
            "y at which the two half ellipses meet")}};

const KeyTable kSlopeTable{
    "solver.slope",
    {number("initial", &SlopeReduction::initial, kPositive, "1", "> 0: of the initial slope"),
     number("rest", &SlopeReduction::rest, kNotNegative, "1",
            "0 to 1: what of it is left at large creepage"),
     number("decay", &SlopeReduction::decay, kNotNegative, "0", "how fast it falls")}};

}  // namespace

const KeyTable kSolverTable{
    "solver",
    {word("influence", &SolverSettings::influence, kInfluenceMethods, "auto",
          "`auto`, `tiled` (direct sums), `fft`"),
     word("normal", &SolverSettings::normal, kNormalMethods,
          "auto (bound_cg; of viscoelastic bodies and with influence newton; of fastsim and "
          "fastrip Hertz)",
          "`auto`, `bound_cg`, `active_set_cg`, `direct`, `newton`; of fastsim and fastrip "
          "`kpec`, `analyn`, `sdec`, `bound_cg` (see \"Fast estimates\")"),
     word("tangential", &SolverSettings::tangential, kTangentialMethods, "auto (newton)",
          "`auto`, `newton`, `gauss_seidel`, `direct`; `fastsim`, `fastrip` (estimates)"),
     word("traction_bound", &SolverSettings::traction_bound, kTractionBounds, "parabolic",
          "of fastsim: `parabolic`, `elliptic`")
         .with("tangential", {"fastsim"}),
     map("half_ellipses", &SolverSettings::half_ellipses, kHalfEllipsesTable, "required by sdec",
         "of sdec: `{semi_axis_x, below, above, border}`, the half widths below and above y = "
         "`border` (0)")
         .with("normal", {"sdec"})
         .need(),
     map("slope", &SolverSettings::slope, kSlopeTable, "none",
         "of fastsim and fastrip: a reduced initial slope; they also take a falling law of "
         "friction"),
     number("flexibility", &SolverSettings::flexibility, kNotNegative, "0",
            "of fastsim: displacement per traction, in place of Kalker's three; 0: Kalker's"),
     word("rolling", &SolverSettings::rolling, kRollingSchemes, "first_order",
          "`first_order`, as published numbers have it; `second_order`, of steady and transient "
          "rolling along x or y in steps of one element: at 64 elements across forces 5 to 150 "
          "times as exact, in 1.1 to 3 times the time ([SIZING.md](../cases/SIZING.md))"),
     number("tolerance", &SolverSettings::tolerance, kTolerance, "1e-6",
            "relative change of the tractions at which it stops, up to 0.1; `second_order` finds "
            "its correction to 2e-3 at best, between unlike bodies to 7e-3")}};

SolverSettings read_solver(CaseSection& root) {
  SolverSettings settings;
  settings.half_ellipses = {1.0, 1.0, 1.0};  // if they are wrong, one message is enough
  read_part(root, "solver", kSolverTable, settings);
  if (settings.normal != NormalMethod::sdec) settings.half_ellipses = {};
  if (settings.tangential != TangentialMethod::fastsim) settings.traction_bound = {};
  return settings;
}

// --- output

namespace {

struct OutputReading {
  OutputSettings output;
  const std::vector<StepInput>* steps = nullptr;  // if they are known
  bool surfaces = false;                          // the case requests some of their fields
};

// The members of a list, each once, converted by `read`.
template <typename Item, typename Read>
std::optional<std::vector<Item>> read_list(const CaseValue& list, std::string_view accepted,
                                           const Read& read) {
  std::vector<Item> items;
  const auto values = list.items(accepted, 1);
  if (!values) return std::nullopt;
  for (const CaseValue& value : *values) {
    const std::optional<Item> item = read(value);
    if (item && std::ranges::find(items, *item) != items.end())
      value.refuse("is listed twice", accepted);
    else if (item)
      items.push_back(*item);
  }
  return items;
}

bool any_step_has(const std::vector<StepInput>& steps, const std::string& field) {
  return std::ranges::any_of(steps, [&](const StepInput& step) {
    const auto names = field_names(step);
    return std::ranges::find(names, field) != names.end();
  });
}

bool is_surface_field(std::string_view name) {
  const auto table = surface_field_table();
  return std::ranges::any_of(table, [&](const FieldEntry& entry) { return entry.name == name; });
}

void read_output_fields(CaseSection& section, const KeyRow& row, OutputReading& reading) {
  OutputSettings& output = reading.output;
  const auto value = section.at(row.name, row.accepted, Presence::optional);
  if (!value) return;
  const std::string& word = value->node.text;
  if (word == "all" || word == "none") {
    output.fields.reset();
    if (word == "none") output.fields.emplace();
    return;
  }
  const std::vector<std::string> names = stored_field_names();
  const auto read = [&](const CaseValue& item) {
    const auto refuse = [&](const std::string& problem, std::string_view accepted) {
      item.refuse(problem, accepted);
      return std::optional<std::string>();
    };
    auto name = item.text("a field name");
    if (!name) return name;
    if (std::ranges::find(names, *name) == names.end())
      return refuse(in_quotes(*name) + " is not a field", near_words(*name, names, kAcceptedNames));
    if (is_surface_field(*name))
      return reading.surfaces ? name
                              : refuse(in_quotes(*name) + " exists in no step of the case",
                                       "a field of the contact, or a case with 'wear', 'heat', "
                                       "'adhesion' or a 'hardness'");
    if (reading.steps != nullptr && !any_step_has(*reading.steps, *name))
      return refuse(in_quotes(*name) +
                        " exists in no step without a rolling velocity, or the "
                        "duration of a shift",
                    "slip_x, slip_y, or a tangential.velocity or duration");
    return name;
  };
  output.fields = read_list<std::string>(*value, row.accepted, read);
}

void read_output_steps(CaseSection& section, const KeyRow& row, OutputReading& reading) {
  OutputSettings& output = reading.output;
  const int step_count = reading.steps != nullptr ? count_steps(*reading.steps) : kMaxRepeat;
  const auto value = section.at(row.name, row.accepted, Presence::optional);
  if (!value) return;
  const std::string& word = value->node.text;
  if (word == "all" || word == "last") {
    output.steps = word == "all" ? OutputSettings::Steps::all : OutputSettings::Steps::last;
    return;
  }
  const auto read = [&](const CaseValue& item) { return item.integer({1, step_count}); };
  const auto numbers = read_list<std::int64_t>(*value, row.accepted, read);
  if (!numbers) return;
  output.steps = OutputSettings::Steps::listed;
  output.step_numbers.assign(numbers->begin(), numbers->end());
  std::ranges::sort(output.step_numbers);
}

void read_compression(CaseSection& section, const KeyRow& row, OutputReading& reading) {
  const auto value = section.at(row.name, row.accepted, Presence::optional);
  if (!value) return;
  const YamlNode& node = value->node;
  const bool scalar = node.kind == YamlNode::Kind::scalar;
  if (scalar && node.text == "none") return;
  if (scalar && node.quotes == YamlNode::Quotes::none && node.text.size() == 1 &&
      node.text.front() >= '0' && node.text.front() <= '9')
    reading.output.compression = node.text.front() - '0';
  else
    value->refuse(scalar ? in_quotes(node.text) + " is not a level" : describe_node(node),
                  row.accepted);
}

std::string fields_text(const OutputReading& reading) {
  const auto& fields = reading.output.fields;
  if (!fields) return "all";
  return fields->empty() ? "none" : fmt::format("[{}]", fmt::join(*fields, ", "));
}

std::string steps_text(const OutputReading& reading) {
  const OutputSettings& output = reading.output;
  if (output.steps == OutputSettings::Steps::all) return "all";
  if (output.steps == OutputSettings::Steps::last) return "last";
  return fmt::format("[{}]", fmt::join(output.step_numbers, ", "));
}

std::string compression_text(const OutputReading& reading) {
  const auto level = reading.output.compression;
  return level ? fmt::format("{}", *level) : std::string();
}

}  // namespace

const KeyTable kOutputTable{
    "output",
    {value("fields", {word_form({"all", "none"}), list_form(word_form(stored_field_names()), 1)},
           "all, none, or a list of field names", "all; of a sweep none",
           "`all`, `none`, or a list of names (`inspect` shows them)")
         .by(read_output_fields, fields_text),
     value("steps", {word_form({"all", "last"}), list_form(integer_form(kRepeats), 1)},
           "all, last, or a list of step numbers", "all",
           "`all`, `last`, or a list of numbers; the file holds neither fields nor totals of the "
           "other steps")
         .by(read_output_steps, steps_text),
     value("compression", {word_form({"none"}), integer_form({0, 9})},
           "none, or a level from 0 to 9", "none",
           "`none`, or a level of deflate from 0 (chunks, not packed) to 9, of the fields "
           "([SIZES.md](../app/SIZES.md))")
         .by(read_compression, compression_text),
     flag("sensitivities", InPart{&OutputReading::output, &OutputSettings::sensitivities}, "false",
          "`true`: derivatives of the forces to the rigid motion and to the approach, after each "
          "step ([RESULT.md](RESULT.md))"),
     flag("spots", InPart{&OutputReading::output, &OutputSettings::spots}, "false",
          "`true`: area, outline and spots of the contact and the gaps between them, after each "
          "step ([RESULT.md](RESULT.md#surfaces))"),
     flag("error_estimate", InPart{&OutputReading::output, &OutputSettings::error_estimate},
          "true for `run` of steps; false in sweeps and libraries",
          "`true`: of steady rolling, how far off the element size puts forces, moment and "
          "friction work ([RESULT.md](RESULT.md)); half as much time again. Not of a wheel on a "
          "rail")}};

OutputSettings read_output(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                           bool fields_by_default, bool yields) {
  OutputReading reading;
  if (!fields_by_default) reading.output.fields.emplace();
  reading.steps = steps ? &*steps : nullptr;
  reading.surfaces = root.has("wear") || root.has("heat") || yields;
  read_part(root, "output", kOutputTable, reading);
  return reading.output;
}

std::string output_text(const OutputSettings& output) {
  const OutputReading reading{output};
  return part_text("output", kOutputTable, reading);
}

}  // namespace slipfield
