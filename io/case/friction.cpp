// SPDX-License-Identifier: Apache-2.0
// friction: one coefficient, a varying one, or a law. For a wheel on a rail friction varies with
// the inclination of the contact instead of over the grid.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/heights/reader.h"

namespace slipfield {
namespace {

constexpr NumberRange kRailInclination{.least = -1.6, .greatest = 1.6, .besides = " rad"};

// --- friction.coefficient as a map

struct CoefficientKeys {
  std::vector<double> y;  // or inclinations
  std::vector<double> temperature;
  std::vector<double> along_y;
  std::vector<double> value;  // rows of it, one after another
  double memory_distance = 0.0;
  double memory_velocity = 0.0;
  std::optional<std::string> file;
  std::optional<std::string> dataset;
};

// With `along_y` reads a row for each of its places, else one list.
void read_values(CaseSection& section, const KeyRow& row, CoefficientKeys& keys) {
  if (!section.has("along_y"))
    keys::read(section, row, Presence::required, keys.value);
  else if (!keys.temperature.empty())
    keys::read_rows(section, row, {keys.temperature.size(), "temperature"}, keys.value);
}
std::string values_text(const CoefficientKeys& keys) {
  return keys.along_y.empty() ? numbers_text(keys.value)
                              : keys::rows_text(keys.value, keys.temperature.size());
}

const KeyForm kNumbers = list_form(number_form(kNotNegative), 1);

const KeyRow kTemperatureRow = numbers("temperature", &CoefficientKeys::temperature, kAnyNumber, 1,
                                       "", "increasing numbers, of body 1's surface");
KeyRow value_row(std::string_view places, std::string_view problem) {
  return value("value", {kNumbers, list_form(kNumbers, 1)}, "", "",
               "as many coefficients >= 0; with `along_y` a list of such lists")
      .need()
      .with(places)
      .with("temperature")
      .refused_as(problem, "one of them with it")
      .by(read_values, values_text);
}
const std::vector<KeyRow> kMemoryRows{
    number("memory_distance", &CoefficientKeys::memory_distance, kNotNegative, "0: at once",
           "with `temperature`, of steady rolling: the coefficient follows it over this "
           "distance ([THEORY.md](../solver/THEORY.md#59-memory))")
        .with("temperature"),
    number("memory_velocity", &CoefficientKeys::memory_velocity, kNotNegative, "0",
           "and at least as fast as if it slipped at this velocity")
        .with("memory_distance")};

const KeyTable kCoefficientTable{
    "friction.coefficient",
    joined_rows(
        joined_rows(
            {numbers("y", &CoefficientKeys::y, kAnyNumber, 1, "", "increasing numbers"),
             kTemperatureRow,
             numbers("along_y", &CoefficientKeys::along_y, kAnyNumber, 1, "the same everywhere",
                     "with `temperature`: increasing places, one for each list of `value`, linear "
                     "between them")
                 .with("temperature"),
             value_row("y", "given without y or temperature")},
            kMemoryRows),
        {text("file", &CoefficientKeys::file,
              "the name of an HDF5, .npy or text file, from the folder of the case", "",
              "HDF5, .npy or text, shape (my, mx), the first row at the lowest y")
             .gives({"value"}),
         text("dataset", &CoefficientKeys::dataset, "the path of a dataset in an HDF5 file",
              "/heights", "in an HDF5 file")
             .with("file")}),
    {one_of({"y", "file", "temperature"})}};

KeyRow not_on_rail(std::string_view name) {
  return numbers(name, nullptr, kAnyNumber, 1, "", "not with `wheel_rail`")
      .never("varies over the elements, whose grid 'wheel_rail' chooses",
             "inclination, temperature, one coefficient, or a law");
}
const KeyTable kRailCoefficientTable{
    "friction.coefficient with wheel_rail",
    joined_rows(joined_rows({numbers("inclination", &CoefficientKeys::y, kRailInclination, 1, "",
                                     "increasing angles in rad, -1.6 to 1.6: inclinations of the "
                                     "contact")
                                 .gives({"y"}),
                             kTemperatureRow,
                             value_row("inclination", "given without inclination or temperature")},
                            kMemoryRows),
                {not_on_rail("y"), not_on_rail("file"), not_on_rail("along_y")}),
    {one_of({"inclination", "temperature"})}};

std::optional<FrictionByElement> read_file(CaseSection& section, const CoefficientKeys& keys,
                                           const CaseContext& context) {
  if (!context.grid) return std::nullopt;
  const std::string& file = *keys.file;
  const std::filesystem::path path = context.folder / file;
  std::optional<FrictionByElement> elements;
  section.read_file(path, [&] {
    HeightsRequest request;
    request.dataset = keys.dataset;
    request.of = TableOf::coefficients;
    request.form = TableForm::map;
    request.mx = context.grid->mx;
    request.my = context.grid->my;
    const auto table = context.files.read(path, request);
    if (const auto warning = fill_value_warning(*table))
      section.warn_at_value("file", fmt::format("{}: {}", shown_name(file), *warning));
    const std::vector<double>& values = table->values;
    const auto negative = std::ranges::find_if(values, [](double value) { return value < 0.0; });
    if (negative != values.end()) {
      const auto index = static_cast<std::size_t>(negative - values.begin());
      const auto mx = static_cast<std::size_t>(context.grid->mx);
      return section.error_at_value(
          "file",
          fmt::format("{}: the value {} in row {}, column {} is negative", shown_name(path),
                      *negative, index / mx + 1, index % mx + 1),
          "coefficients >= 0");
    }
    elements.emplace();
    elements->value = {table, &values};  // shared with other steps and points
    elements->file = absolute_path(path).string();
    elements->dataset = table->dataset;
  });
  return elements;
}

// The law given by the keys; reports its faults at the keys.
template <typename Law>
std::optional<Friction> checked(CaseSection& section, const KeyTable& table, Law law,
                                const std::vector<double>& values) {
  Friction friction;
  friction.coefficient = values.empty() ? 0.0 : *std::ranges::max_element(values);
  friction.place = std::move(law);
  if (!report_faults(section, table, check_friction(friction), "coefficient")) return std::nullopt;
  return friction;
}

std::optional<Friction> read_places(CaseSection& section, const CaseContext& context) {
  const KeyTable& table = context.by_inclination ? kRailCoefficientTable : kCoefficientTable;
  CoefficientKeys keys;
  if (!table.read_into(section, &keys)) return std::nullopt;
  if (keys.file) {
    auto elements = read_file(section, keys, context);
    if (!elements) return std::nullopt;
    Friction friction;
    friction.coefficient = *std::max_element(elements->value->begin(), elements->value->end());
    friction.place = std::move(*elements);
    return friction;
  }
  if (!section.has("value")) return std::nullopt;  // of a part
  if (keys.temperature.empty())
    return checked(section, table, FrictionAlongY{keys.y, keys.value}, keys.value);
  FrictionByTemperature law;
  law.temperature = keys.temperature;
  law.value = keys.value;
  law.y = keys.along_y;
  law.memory_distance = keys.memory_distance;
  law.memory_velocity = keys.memory_velocity;
  return checked(section, table, law, keys.value);
}

// --- friction

// Between wheel and rail: mu = mu0 ((1 - A) e^(-B w) + A) of the slip velocity w (THEORY.md 5.6).
struct ConditionNumbers {
  double start = 0.0;    // mu0
  double kinetic = 0.0;  // A mu0, of A = 0.40
  double decay = 0.0;    // B [s/m]
  bool operator==(const ConditionNumbers&) const = default;
};
constexpr std::array<Choice<ConditionNumbers>, 2> kConditions{
    {{"dry", {0.55, 0.22, 0.60}}, {"wet", {0.30, 0.12, 0.20}}}};

struct FrictionKeys {
  std::optional<ConditionNumbers> condition;
  std::optional<double> coefficient;  // of which a map is read by itself
  std::string map;                    // as text, for writing
  std::optional<double> shear_strength;
  std::optional<FrictionLaw> law;
  std::vector<double> fixed;  // one number, or one for each place
  std::vector<double> kinetic;
  std::vector<double> half_velocity;
  std::vector<double> second_drop;
  std::vector<double> second_half_velocity;
  std::optional<double> memory_distance;
  std::optional<double> memory_velocity;
  std::vector<double> y;  // or inclinations
};

void read_number_or_map(CaseSection& section, const KeyRow& row, FrictionKeys& keys) {
  const auto value = section.at(row.name, row.accepted, Presence::optional);
  if (value && value->node.kind != YamlNode::Kind::map)
    keys.coefficient = value->number(kNotNegative);
}
std::string coefficient_text(const FrictionKeys& keys) {
  return keys.coefficient ? fmt::format("{}", *keys.coefficient) : keys.map;
}

KeyRow of_falling(KeyRow row) {
  return std::move(row)
      .with("law", {"linear_falling", "rational", "exponential"})
      .refused_as("given although the coefficient does not fall with the velocity",
                  "law: linear_falling, rational or exponential");
}

const KeyRow kStrengthRow =
    number("shear_strength", &FrictionKeys::shear_strength, kNotNegative, "0",
           "what the contact carries besides `coefficient` times the pressure, wherever it "
           "touches: the bound is tau_0 + mu p; alone, `coefficient` is 0");

KeyTable make_table(std::string_view heading, const KeyTable& places, KeyRow strength, KeyRow along,
                    std::string_view accepted) {
  using S = FrictionKeys;
  const std::string_view place = along.name;
  return {
      heading,
      {value("coefficient", {number_form(kNotNegative), map_form()}, accepted, "",
             "mu >= 0, or a map")
           .of(places)
           .by(read_number_or_map, coefficient_text),
       std::move(strength),
       word("condition", &S::condition, kConditions, "",
            "`dry` or `wet`: an `exponential` law with the numbers of a rail in that condition, "
            "which `check` prints")
           .gives({"static", "kinetic", "law", "half_velocity"}),
       number_or_list("static", &S::fixed, kNotNegative, "", "what adhesion carries, >= `kinetic`")
           .gives({"coefficient"})
           .need(),
       number_or_list("kinetic", &S::kinetic, kNotNegative, "", "in slip, or in fast slip").need(),
       word("law", &S::law, kFrictionLaws, "constant",
            "`constant`, `linear_falling`, `rational`, `exponential`"),
       of_falling(number_or_list("half_velocity", &S::half_velocity, kPositive,
                                 "required by a falling law",
                                 "slip velocity at which half of static - kinetic is left"))
           .need(),
       of_falling(number_or_list("second_drop", &S::second_drop, kNotNegative, "0",
                                 "of a falling law: how much of static - kinetic falls in a "
                                 "second term")),
       number_or_list("second_half_velocity", &S::second_half_velocity, kPositive,
                      "required by `second_drop`", "h of the second term")
           .with("second_drop")
           .need(),
       of_falling(number("memory_distance", &S::memory_distance, kNotNegative, "0: at once",
                         "the coefficient follows the slip velocity over this distance")),
       number("memory_velocity", &S::memory_velocity, kNotNegative, "0",
              "and at least as fast as if it slipped at this velocity")
           .with("memory_distance"),
       std::move(along)},
      {{{{"coefficient", "shear_strength"},
         {"condition"},
         {"static", "kinetic", "law", "half_velocity", "second_drop", "second_half_velocity",
          "memory_distance", "memory_velocity", place}},
        Presence::required,
        "either coefficient (a number, or a map such as {y, value}), or static and kinetic, or "
        "condition (dry, wet)"}}};
}

}  // namespace

const KeyTable kFrictionTable = make_table(
    "friction", kCoefficientTable, kStrengthRow,
    numbers("y", &FrictionKeys::y, kAnyNumber, 1, "the same everywhere",
            "increasing places: the numbers above, `static` to `second_half_velocity`, may then be "
            "lists of as many, linear between them; a `coefficient` along y is a map"),
    "a number >= 0, a map {y: [...], value: [...]}, a map {temperature: [...], value: [...]}, or a "
    "map {file}");

const KeyTable kRailFrictionTable = make_table(
    "friction with wheel_rail", kRailCoefficientTable,
    KeyRow(kStrengthRow)
        .never("needs a contact whose shape the case gives", "a coefficient, or a law"),
    numbers("inclination", &FrictionKeys::y, kRailInclination, 1, "the same everywhere",
            "in place of `y`: inclinations of the contact")
        .gives({"y"}),
    "a number >= 0, or a map {inclination: [...], value: [...]} or {temperature: [...], value: "
    "[...]}");

namespace {

struct LawNumbers {
  std::string_view key;
  std::vector<double> FrictionKeys::*values;
  double SlidingLaw::*member;
};
constexpr std::array<LawNumbers, 5> kLawNumbers{
    {{"static", &FrictionKeys::fixed, &SlidingLaw::fixed},
     {"kinetic", &FrictionKeys::kinetic, &SlidingLaw::kinetic},
     {"half_velocity", &FrictionKeys::half_velocity, &SlidingLaw::half_velocity},
     {"second_drop", &FrictionKeys::second_drop, &SlidingLaw::second_drop},
     {"second_half_velocity", &FrictionKeys::second_half_velocity,
      &SlidingLaw::second_half_velocity}}};

// One law for each place; nothing if the counts of numbers differ, which has been reported.
std::optional<std::vector<LawAlongY>> laws_along(CaseSection& friction, const FrictionKeys& keys,
                                                 const std::vector<double>& y,
                                                 std::string_view places) {
  std::vector<LawAlongY> laws(y.size());
  bool good = true;
  for (std::size_t i = 0; i < y.size(); ++i) laws[i].y = y[i];
  for (const auto& [key, member, number] : kLawNumbers) {
    const std::vector<double>& values = keys.*member;
    if (values.empty()) continue;
    if (values.size() != 1 && values.size() != y.size()) {
      good = false;
      if (friction.has(places))
        friction.error_at_value(
            key, fmt::format("has {} numbers for {} places", values.size(), y.size()),
            fmt::format("one number, or as many as {} has", places));
      else
        friction.error_at_value(key, fmt::format("is a list, and there is no '{}'", places),
                                fmt::format("one number, or {} with it", places));
      continue;
    }
    for (std::size_t i = 0; i < y.size(); ++i)
      laws[i].law.*number = values[values.size() == 1 ? 0 : i];
  }
  if (!good) return std::nullopt;
  return laws;
}

std::optional<Friction> read_law(CaseSection& friction, const FrictionKeys& keys,
                                 std::string_view places) {
  Friction result;
  result.law = keys.law.value_or(FrictionLaw::constant);
  result.memory_distance = keys.memory_distance.value_or(0.0);
  if (result.memory_distance > 0.0) result.memory_velocity = keys.memory_velocity.value_or(0.0);
  const std::vector<double>& y = keys.y;
  auto laws = laws_along(friction, keys, y.empty() ? std::vector<double>{0.0} : y, places);
  if (!laws) return std::nullopt;
  if (std::ranges::all_of(*laws, [](const LawAlongY& each) { return each.law.second_drop == 0.0; }))
    for (LawAlongY& place : *laws) place.law.second_half_velocity = 0.0;
  const SlidingLaw& first = laws->front().law;
  result.coefficient = first.fixed;
  result.kinetic = first.kinetic;
  take_numbers(first, result);
  if (!y.empty()) {
    for (LawAlongY& place : *laws) {
      place.law.law = result.law;
      result.coefficient = std::max(result.coefficient, place.law.fixed);
      result.kinetic = std::min(*result.kinetic, place.law.kinetic);
      result.second_drop = 0.0;
    }
    result.along_y = std::move(*laws);
  }
  const KeyTable& table = places == kByInclination ? kRailFrictionTable : kFrictionTable;
  if (!report_faults(friction, table, check_friction(result))) return std::nullopt;
  return result;
}

// Converts to an exponential law, whose half velocity is ln 2/B.
Friction law_of(const ConditionNumbers& numbers, Units units) {
  Friction friction;
  friction.law = FrictionLaw::exponential;
  friction.coefficient = numbers.start;
  friction.kinetic = numbers.kinetic;
  const double metre = units == Units::si ? 1.0 : 1000.0;
  friction.half_velocity = std::numbers::ln2 / numbers.decay * metre;
  return friction;
}

FrictionKeys keys_of(const Friction& friction) {
  FrictionKeys keys;
  keys.law = friction.law;
  if (friction.memory_distance > 0.0) keys.memory_distance = friction.memory_distance;
  if (friction.memory_velocity > 0.0) keys.memory_velocity = friction.memory_velocity;
  const SlidingLaw same = sliding_law(friction);
  for (const auto& [key, member, number] : kLawNumbers) {
    if (friction.along_y.empty()) (keys.*member) = {same.*number};
    for (const LawAlongY& place : friction.along_y) (keys.*member).push_back(place.law.*number);
  }
  for (const LawAlongY& place : friction.along_y) keys.y.push_back(place.y);
  const bool second = std::ranges::any_of(keys.second_drop, [](double drop) { return drop > 0.0; });
  if (!second) keys.second_drop.clear();
  return keys;
}

// As a map; empty if it is uniform.
std::string places_text(const Friction& friction, std::string_view places) {
  CoefficientKeys keys;
  if (const auto* points = std::get_if<FrictionAlongY>(&friction.place)) {
    keys.y = points->y;
    keys.value = points->value;
  } else if (const auto* law = std::get_if<FrictionByTemperature>(&friction.place)) {
    keys.temperature = law->temperature;
    keys.along_y = law->y;
    keys.value = law->value;
    keys.memory_distance = law->memory_distance;
    keys.memory_velocity = law->memory_velocity;
  } else if (const auto* elements = std::get_if<FrictionByElement>(&friction.place)) {
    keys.file = elements->file;
    if (!elements->dataset.empty()) keys.dataset = elements->dataset;
  } else {
    return {};
  }
  const bool rail = places == kByInclination;
  return flow_text(rail ? kRailCoefficientTable : kCoefficientTable, &keys);
}

FrictionKeys keys_to_write(const Friction& friction, std::string_view places) {
  FrictionKeys keys;
  keys.map = places_text(friction, places);
  if (keys.map.empty() && friction.kinetic) {
    keys = keys_of(friction);
  } else if (keys.map.empty()) {
    keys.coefficient = friction.coefficient;
  }
  if (friction.shear_strength > 0.0) keys.shear_strength = friction.shear_strength;
  return keys;
}

}  // namespace

std::optional<Friction> read_friction(CaseSection& friction, const CaseContext& context) {
  const std::string_view places = context.by_inclination ? kByInclination : "y";
  const std::size_t before = friction.diagnostics().reported();
  const KeyTable& table = context.by_inclination ? kRailFrictionTable : kFrictionTable;
  FrictionKeys keys;
  table.read_into(friction, &keys);
  std::optional<Friction> varying;
  const YamlNode* coefficient = friction.node().find("coefficient");
  const bool map = coefficient != nullptr && coefficient->kind == YamlNode::Kind::map;
  if (map) {
    auto section = friction.section("coefficient", "", Presence::required);
    varying = read_places(*section, context);
    if (varying) varying->shear_strength = keys.shear_strength.value_or(0.0);
  }
  if (friction.diagnostics().reported() != before || !friction.is_map()) return std::nullopt;
  if (map) return varying;
  if (keys.coefficient || keys.shear_strength) {
    Friction result;
    result.coefficient = keys.coefficient.value_or(0.0);
    result.shear_strength = keys.shear_strength.value_or(0.0);
    return result;
  }
  if (keys.condition) return law_of(*keys.condition, context.units);
  const bool falls = keys.law && *keys.law != FrictionLaw::constant;
  if (keys.fixed.empty() || keys.kinetic.empty() || (falls && keys.half_velocity.empty()) ||
      keys.second_drop.empty() != keys.second_half_velocity.empty())
    return std::nullopt;  // of a part
  return read_law(friction, keys, places);
}

std::string friction_text(const Friction& friction, std::string_view places,
                          const Friction* before) {
  const bool rail = places == kByInclination;
  const KeyTable& table = rail ? kRailFrictionTable : kFrictionTable;
  const FrictionKeys keys = keys_to_write(friction, places);
  if (before == nullptr) return flow_text(table, &keys);
  const FrictionKeys last = keys_to_write(*before, places);
  return flow_text(table, &keys, &last);
}

}  // namespace slipfield
