// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

ElasticBody read_body(CaseSection& bodies, std::string_view key) {
  ElasticBody body;
  auto section = bodies.section(key, "a map {shear_modulus, poisson_ratio}", Presence::required);
  if (!section) return body;
  const auto modulus = section->one_of({"shear_modulus", "young_modulus"}, Presence::required);
  const auto shear = section->number("shear_modulus", kPositive, Presence::optional);
  const auto young = section->number("young_modulus", kPositive, Presence::optional);
  const auto poisson = section->number("poisson_ratio", kPoissonRatio, Presence::required);
  body.creep = read_creep(*section);
  section->finish();
  body.poisson_ratio = poisson.value_or(0.0);
  if (shear) body.shear_modulus = *shear;
  if (young) body.shear_modulus = 0.5 * *young / (1.0 + body.poisson_ratio);
  if (modulus && (shear || young))
    report_faults(*section, check_body(body),
                  {{"shear_modulus", *modulus}, {"creep", "viscoelastic"}});
  return body;
}

template <typename Item, typename Read>
std::optional<std::vector<Item>> read_list(CaseSection& section, std::string_view key,
                                           const YamlNode& node, std::string_view accepted,
                                           const Read& read) {
  if (node.items.empty()) {
    section.error_at_value(key, "is an empty list", accepted);
    return std::nullopt;
  }
  std::vector<Item> items;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string path = fmt::format("{}.{}", section.path_of(key), i);
    const std::optional<Item> item = read(node.items[i], path);
    if (!item) continue;
    if (std::find(items.begin(), items.end(), *item) != items.end()) {
      section.diagnostics().add(node.items[i].place, path, "is listed twice", accepted);
      continue;
    }
    items.push_back(*item);
  }
  return items;
}

bool any_step_has(const std::vector<StepInput>& steps, const std::string& field) {
  return std::any_of(steps.begin(), steps.end(), [&](const StepInput& step) {
    const auto names = field_names(step);
    return std::find(names.begin(), names.end(), field) != names.end();
  });
}

bool is_surface_field(std::string_view name) {
  const auto table = surface_field_table();
  return std::any_of(table.begin(), table.end(),
                     [&](const FieldEntry& entry) { return entry.name == name; });
}

// surfaces: the case asks for some of their fields.
void read_output_fields(CaseSection& section, const std::optional<std::vector<StepInput>>& steps,
                        bool surfaces, OutputSettings& output) {
  constexpr std::string_view kAccepted = "all, none, or a list of field names";
  section.takes("fields", [] { return word_form({"all", "none"}); });
  section.takes("fields", [] { return list_form(word_form(stored_field_names()), 1); });
  const YamlNode* node = section.value("fields", kAccepted, Presence::optional);
  if (node == nullptr) return;
  if (node->kind == YamlNode::Kind::scalar && (node->text == "all" || node->text == "none")) {
    output.fields.reset();
    if (node->text == "none") output.fields.emplace();
    return;
  }
  if (node->kind != YamlNode::Kind::sequence) {
    section.error_at_value("fields", describe_node(*node), kAccepted);
    return;
  }
  const std::vector<std::string> names = stored_field_names();
  const std::vector<std::string_view> words(names.begin(), names.end());
  const auto read = [&](const YamlNode& item, const std::string& path) {
    auto name = read_text(item, path, "a field name", section.diagnostics());
    if (name && std::find(names.begin(), names.end(), *name) == names.end()) {
      section.diagnostics().add(item.place, path, in_quotes(*name) + " is not a field",
                                accepted_words(*name, words));
      name.reset();
    } else if (name && is_surface_field(*name)) {
      if (surfaces) return name;
      section.diagnostics().add(item.place, path,
                                in_quotes(*name) + " exists in no step of the case",
                                "a field of the contact, or a case with 'wear' or 'heat'");
      name.reset();
    } else if (name && steps && !any_step_has(*steps, *name)) {
      section.diagnostics().add(item.place, path,
                                in_quotes(*name) +
                                    " exists in no step without a rolling velocity, or the "
                                    "duration of a shift",
                                "slip_x, slip_y, or a tangential.velocity or duration");
      name.reset();
    }
    return name;
  };
  output.fields = read_list<std::string>(section, "fields", *node, kAccepted, read);
}

void read_output_steps(CaseSection& section, int step_count, OutputSettings& output) {
  constexpr std::string_view kAccepted = "all, last, or a list of step numbers";
  section.takes("steps", [] { return word_form({"all", "last"}); });
  section.takes("steps", [] {
    return list_form({.kind = KeyForm::Kind::integer, .integers = {1, kMaxRepeat}}, 1);
  });
  const YamlNode* node = section.value("steps", kAccepted, Presence::optional);
  if (node == nullptr) return;
  if (node->kind == YamlNode::Kind::scalar && (node->text == "all" || node->text == "last")) {
    output.steps = node->text == "all" ? OutputSettings::Steps::all : OutputSettings::Steps::last;
    return;
  }
  if (node->kind != YamlNode::Kind::sequence) {
    section.error_at_value("steps", describe_node(*node), kAccepted);
    return;
  }
  const auto read = [&](const YamlNode& item, const std::string& path) -> std::optional<int> {
    const auto number = read_integer(item, path, {1, step_count}, section.diagnostics());
    if (!number) return std::nullopt;
    return static_cast<int>(*number);
  };
  output.steps = OutputSettings::Steps::listed;
  output.step_numbers =
      read_list<int>(section, "steps", *node, kAccepted, read).value_or(output.step_numbers);
  std::sort(output.step_numbers.begin(), output.step_numbers.end());
}

void read_compression(CaseSection& section, OutputSettings& output) {
  constexpr std::string_view kAccepted = "none, or a level from 0 to 9";
  section.takes("compression", [] { return word_form({"none"}); });
  section.takes("compression", [] {
    return KeyForm{.kind = KeyForm::Kind::integer, .integers = {0, 9}};
  });
  const YamlNode* node = section.value("compression", kAccepted, Presence::optional);
  if (node == nullptr) return;
  const bool scalar = node->kind == YamlNode::Kind::scalar;
  if (scalar && node->text == "none") return;
  const bool digit = scalar && node->quotes == YamlNode::Quotes::none && node->text.size() == 1 &&
                     node->text.front() >= '0' && node->text.front() <= '9';
  if (digit) {
    output.compression = node->text.front() - '0';
    return;
  }
  section.error_at_value("compression",
                         scalar ? in_quotes(node->text) + " is no level" : describe_node(*node),
                         kAccepted);
}

void read_traction_bound(CaseSection& section, SolverSettings& settings) {
  const auto bound = section.choice("traction_bound", kTractionBounds, Presence::optional);
  if (!bound) return;
  if (settings.tangential == TangentialMethod::fastsim) {
    settings.traction_bound = *bound;
    return;
  }
  section.error_at_key("traction_bound",
                       fmt::format("given although the tangential method is {}",
                                   name_of(kTangentialMethods, settings.tangential)),
                       "no such key, or tangential: fastsim");
}

// The patch of sdec.
void read_half_ellipses(CaseSection& solver, SolverSettings& settings) {
  const bool needed = settings.normal == NormalMethod::sdec;
  auto section = solver.section("half_ellipses", "a map {semi_axis_x, below, above, border}",
                                needed ? Presence::required : Presence::optional);
  if (!section) {
    if (needed) settings.half_ellipses = {1.0, 1.0, 1.0};  // one message is enough
    return;
  }
  HalfEllipses& ellipses = settings.half_ellipses;
  ellipses.semi_axis_x =
      section->number("semi_axis_x", kPositive, Presence::required).value_or(0.0);
  ellipses.below = section->number("below", kPositive, Presence::required).value_or(0.0);
  ellipses.above = section->number("above", kPositive, Presence::required).value_or(0.0);
  ellipses.border = section->number_or("border", kAnyNumber, 0.0);
  section->finish();
  if (!needed)
    solver.error_at_key("half_ellipses",
                        fmt::format("given although the normal method is {}",
                                    name_of(kNormalMethods, settings.normal)),
                        "no such key, or normal: sdec");
}

void read_slope(CaseSection& solver, SolverSettings& settings) {
  settings.flexibility = solver.number_or("flexibility", kNotNegative, 0.0);
  auto section = solver.section("slope", "a map {initial, rest, decay}", Presence::optional);
  if (!section) return;
  settings.slope.initial = section->number_or("initial", kPositive, settings.slope.initial);
  settings.slope.rest = section->number_or("rest", kNotNegative, settings.slope.rest);
  settings.slope.decay = section->number_or("decay", kNotNegative, settings.slope.decay);
  section->finish();
}

}  // namespace

void read_bodies(CaseSection& root, ContactProblem& problem,
                 const std::array<std::string_view, 2>& names) {
  auto bodies = root.section("bodies", fmt::format("a map {{{}, {}}}", names[0], names[1]),
                             Presence::required);
  if (!bodies) return;
  problem.upper = read_body(*bodies, names[0]);
  problem.lower = read_body(*bodies, names[1]);
  bodies->finish();
}

SolverSettings read_solver(CaseSection& root) {
  SolverSettings settings;
  auto section =
      root.section("solver",
                   "a map {influence, normal, tangential, traction_bound, half_ellipses, "
                   "slope, flexibility, rolling, tolerance}",
                   Presence::optional);
  if (!section) return settings;
  settings.influence = section->choice("influence", kInfluenceMethods, Presence::optional)
                           .value_or(settings.influence);
  settings.normal =
      section->choice("normal", kNormalMethods, Presence::optional).value_or(settings.normal);
  settings.tangential = section->choice("tangential", kTangentialMethods, Presence::optional)
                            .value_or(settings.tangential);
  read_traction_bound(*section, settings);
  read_half_ellipses(*section, settings);
  read_slope(*section, settings);
  settings.rolling =
      section->choice("rolling", kRollingSchemes, Presence::optional).value_or(settings.rolling);
  settings.tolerance = section->number_or("tolerance", kTolerance, settings.tolerance);
  section->finish();
  return settings;
}

OutputSettings read_output(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                           bool fields_by_default) {
  OutputSettings output;
  if (!fields_by_default) output.fields.emplace();
  auto section =
      root.section("output", "a map {fields, steps, sensitivities, error_estimate, compression}",
                   Presence::optional);
  if (!section) return output;
  output.sensitivities = section->boolean("sensitivities", Presence::optional).value_or(false);
  output.error_estimate = section->boolean("error_estimate", Presence::optional);
  read_output_fields(*section, steps, root.has("wear") || root.has("heat"), output);
  read_output_steps(*section, steps ? count_steps(*steps) : kMaxRepeat, output);
  read_compression(*section, output);
  section->finish();
  return output;
}

}  // namespace slipfield
