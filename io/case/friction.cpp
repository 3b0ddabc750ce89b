// SPDX-License-Identifier: Apache-2.0
// The section `friction` of one step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/heights/reader.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::string_view kLocalAccepted =
    "a number >= 0, a map {y: [...], value: [...]}, a map {temperature: [...], value: [...]}, or a "
    "map {file}";
constexpr std::string_view kRailAccepted =
    "a number >= 0, or a map {inclination: [...], value: [...]} or {temperature: [...], value: "
    "[...]}";
constexpr NumberRange kRailInclination{.least = -1.6, .greatest = 1.6};  // [rad]

std::optional<FrictionByElement> read_file(CaseSection& section, const FrictionContext& context) {
  const auto file =
      section.text("file", "the name of an HDF5, .npy or text file, from the folder of the case",
                   Presence::required);
  const auto dataset =
      section.text("dataset", "the path of a dataset in an HDF5 file", Presence::optional);
  if (!file || (section.has("dataset") && !dataset) || !context.grid) return std::nullopt;
  std::error_code failed;
  const std::filesystem::path path = context.folder / *file;
  const auto absolute = names_array(path)
                            ? path.filename()
                            : std::filesystem::absolute(path, failed).lexically_normal();
  section.diagnostics().add_file(path);
  try {
    HeightsRequest request;
    request.dataset = dataset;
    request.of = TableOf::coefficients;
    request.form = TableForm::map;
    request.mx = context.grid->mx;
    request.my = context.grid->my;
    const auto table = context.files.read(path, request);
    if (const auto warning = fill_value_warning(*table))
      section.warn_at_value("file", fmt::format("{}: {}", *file, *warning));
    const std::vector<double>& values = table->values;
    const auto negative =
        std::find_if(values.begin(), values.end(), [](double value) { return value < 0.0; });
    if (negative != values.end()) {
      const auto index = static_cast<std::size_t>(negative - values.begin());
      const auto mx = static_cast<std::size_t>(context.grid->mx);
      section.error_at_value("file",
                             fmt::format("{}: the value {} in row {}, column {} is negative",
                                         path.string(), *negative, index / mx + 1, index % mx + 1),
                             "coefficients >= 0");
      return std::nullopt;
    }
    FrictionByElement elements;
    elements.value = {table, &values};  // shared with other steps and points
    elements.file = (failed ? path : absolute).string();
    elements.dataset = table->dataset;
    return elements;
  } catch (const InputError& error) {
    section.error_at_value("file", error.what(), "");
    return std::nullopt;
  }
}

// Points along y or over the inclination, and the coefficients at them.
std::optional<FrictionAlongY> read_points(CaseSection& section, std::string_view key,
                                          const NumberRange& range = kAnyNumber) {
  const auto points = section.number_list(key, range, 1, Presence::required);
  const auto value = section.number_list("value", kNotNegative, 1, Presence::required);
  if (!points || !value) return std::nullopt;
  Friction friction;
  friction.coefficient = *std::max_element(value->begin(), value->end());
  friction.place = FrictionAlongY{*points, *value};
  if (!report_faults(section, check_friction(friction),
                     {{"place.y", key}, {"place.value", "value"}}))
    return std::nullopt;
  return FrictionAlongY{*points, *value};
}

// Rows of coefficients with `along_y`, one for each of its places.
std::optional<FrictionByTemperature> read_by_temperature(CaseSection& section) {
  const auto temperature = section.number_list("temperature", kAnyNumber, 1, Presence::required);
  const auto along_y = section.number_list("along_y", kAnyNumber, 1, Presence::optional);
  FrictionByTemperature law;
  law.memory_distance = section.number_or("memory_distance", kNotNegative, 0.0);
  law.memory_velocity = section.number_or("memory_velocity", kNotNegative, 0.0);
  if (section.has("memory_velocity") && !section.has("memory_distance"))
    section.error_at_key("memory_velocity", "given without memory_distance",
                         "no such key, or memory_distance with it");
  section.takes("value", [] { return list_form(list_form(number_form(kNotNegative), 1), 1); });
  std::optional<std::vector<double>> value;
  if (!section.has("along_y"))
    value = section.number_list("value", kNotNegative, 1, Presence::required);
  else if (temperature)
    value = section.number_rows("value", kNotNegative, {temperature->size(), "temperature"});
  if (!temperature || !value || (section.has("along_y") && !along_y)) return std::nullopt;
  law.temperature = *temperature;
  law.value = *value;
  law.y = along_y.value_or(law.y);
  Friction friction;
  friction.coefficient = value->empty() ? 0.0 : *std::max_element(value->begin(), value->end());
  friction.place = law;
  if (!report_faults(section, check_friction(friction),
                     {{"place.temperature", "temperature"},
                      {"place.along_y", "along_y"},
                      {"place.value", "value"}}))
    return std::nullopt;
  return law;
}

// Of a wheel on a rail, by the inclination of each contact or the temperature of the rail.
std::optional<Friction> read_rail_coefficient(CaseSection& friction) {
  auto section = friction.section("coefficient", kRailAccepted, Presence::required);
  for (const std::string_view key : {"y", "file", "along_y"}) {
    section->refuse(key, "varies over the elements, whose grid 'wheel_rail' chooses",
                    "inclination, temperature, one coefficient, or a law");
    if (section->has(key)) return std::nullopt;
  }
  Friction result;
  const auto take = [&](const auto& points) {
    result.coefficient = *std::max_element(points.value.begin(), points.value.end());
    result.place = points;
  };
  const auto form = section->one_of({kByInclination, "temperature"}, Presence::required);
  if (form && *form == "temperature") {
    if (const auto points = read_by_temperature(*section)) take(*points);
  } else if (form) {
    if (const auto points = read_points(*section, kByInclination, kRailInclination)) take(*points);
  }
  section->finish();
  if (!result.varies()) return std::nullopt;
  return result;
}

std::optional<Friction> read_coefficient(CaseSection& friction, const FrictionContext& context) {
  const std::string_view accepted = context.by_inclination ? kRailAccepted : kLocalAccepted;
  const YamlNode* node = friction.value("coefficient", accepted, Presence::required);
  if (node == nullptr) return std::nullopt;
  Friction result;
  if (node->kind != YamlNode::Kind::map) {
    const auto value = friction.number("coefficient", kNotNegative, Presence::required);
    if (!value) return std::nullopt;
    result.coefficient = *value;
    return result;
  }
  if (context.by_inclination) return read_rail_coefficient(friction);
  auto section = friction.section("coefficient", kLocalAccepted, Presence::required);
  const auto form = section->one_of({"y", "file", "temperature"}, Presence::required);
  const auto take = [&](auto local, const std::vector<double>& values) {
    result.coefficient = *std::max_element(values.begin(), values.end());
    result.place = std::move(local);
  };
  if (form && *form == "y")
    if (const auto points = read_points(*section, "y")) take(*points, points->value);
  if (form && *form == "temperature")
    if (const auto points = read_by_temperature(*section)) take(*points, points->value);
  if (form && *form == "file")
    if (const auto elements = read_file(*section, context)) take(*elements, *elements->value);
  section->finish();
  if (!result.varies()) return std::nullopt;
  return result;
}

// A number of the law, or with places one for each of them.
std::optional<std::vector<double>> read_law_numbers(CaseSection& friction, std::string_view key,
                                                    const NumberRange& range, Presence presence,
                                                    bool places) {
  friction.takes(key, [&] { return number_form(range); });
  if (places) friction.takes(key, [&] { return list_form(number_form(range), 1); });
  const YamlNode* node = friction.value(key, range.describe_one(), presence);
  if (node == nullptr) return std::nullopt;
  if (node->kind == YamlNode::Kind::sequence && places)
    return friction.number_list(key, range, 1, presence);
  const auto value = friction.number(key, range, presence);
  if (!value) return std::nullopt;
  return std::vector<double>{*value};
}

// The keys of a law, each one number or with `places` (y, inclination) a list of as many.
class LawReading {
 public:
  LawReading(CaseSection& friction, std::string_view places)
      : friction_(friction), places_(places) {}

  std::optional<Friction> read() {
    const auto law = friction_.choice("law", kFrictionLaws, Presence::optional);
    const bool falls = law && *law != FrictionLaw::constant;
    take("static", &SlidingLaw::fixed, kNotNegative, Presence::required);
    take("kinetic", &SlidingLaw::kinetic, kNotNegative, Presence::required);
    take("half_velocity", &SlidingLaw::half_velocity, kPositive,
         falls ? Presence::required : Presence::optional);
    take("second_drop", &SlidingLaw::second_drop, kNotNegative, Presence::optional);
    take("second_half_velocity", &SlidingLaw::second_half_velocity, kPositive,
         friction_.has("second_drop") ? Presence::required : Presence::optional);
    Friction result;
    result.law = law.value_or(FrictionLaw::constant);
    result.memory_distance = friction_.number_or("memory_distance", kNotNegative, 0.0);
    result.memory_velocity = friction_.number_or("memory_velocity", kNotNegative, 0.0);
    if (!falls && (law || !friction_.has("law"))) {
      for (const std::string_view key :
           {"half_velocity", "second_drop", "second_half_velocity", "memory_distance"})
        if (friction_.has(key))
          friction_.error_at_key(key,
                                 "given although the coefficient does not fall with the velocity",
                                 "no such key, or law: linear_falling, rational or exponential");
    }
    refuse_without("second_half_velocity", "second_drop");
    refuse_without("memory_velocity", "memory_distance");
    const auto places = friction_.number_list(
        places_, places_ == "y" ? kAnyNumber : kRailInclination, 1, Presence::optional);
    if (!good_ || (friction_.has("law") && !law) || (friction_.has(places_) && !places))
      return std::nullopt;
    take_places(places ? *places : std::vector<double>{0.0}, places.has_value(), result);
    if (!good_ ||
        !report_faults(friction_, check_friction(result),
                       {{"coefficient", "static"}, {"second_drop", "second_drop"}, {"y", places_}}))
      return std::nullopt;
    return result;
  }

 private:
  struct Numbers {
    std::string_view key;
    double SlidingLaw::*member;
    std::vector<double> values;
  };

  void refuse_without(std::string_view key, std::string_view other) {
    if (!friction_.has(key) || friction_.has(other)) return;
    friction_.error_at_key(key, fmt::format("given without {}", other),
                           fmt::format("no such key, or {} with it", other));
    good_ = false;
  }

  void take(std::string_view key, double SlidingLaw::*member, const NumberRange& range,
            Presence presence) {
    auto values = read_law_numbers(friction_, key, range, presence, friction_.has(places_));
    const bool needed = presence == Presence::required || friction_.has(key);
    if (!values && needed) good_ = false;
    if (values) numbers_.push_back({key, member, std::move(*values)});
  }

  void take_places(const std::vector<double>& y, bool along_y, Friction& result) {
    std::vector<LawAlongY> places(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) places[i] = {y[i], {}};
    for (const Numbers& entry : numbers_) {
      if (entry.values.size() != 1 && entry.values.size() != y.size()) {
        friction_.error_at_value(
            entry.key, fmt::format("has {} numbers for {} places", entry.values.size(), y.size()),
            fmt::format("one number, or as many as {} has", places_));
        good_ = false;
        return;
      }
      for (std::size_t i = 0; i < y.size(); ++i)
        places[i].law.*entry.member = entry.values[entry.values.size() == 1 ? 0 : i];
    }
    const SlidingLaw& first = places.front().law;
    result.coefficient = first.fixed;
    result.kinetic = first.kinetic;
    result.half_velocity = first.half_velocity;
    result.second_drop = first.second_drop;
    result.second_half_velocity = first.second_half_velocity;
    if (!along_y) return;
    for (LawAlongY& place : places) {
      place.law.law = result.law;
      result.coefficient = std::max(result.coefficient, place.law.fixed);
      result.kinetic = std::min(*result.kinetic, place.law.kinetic);
      result.second_drop = 0.0;
    }
    result.along_y = std::move(places);
  }

  CaseSection& friction_;
  std::string_view places_;
  std::vector<Numbers> numbers_;
  bool good_ = true;
};

}  // namespace

std::optional<Friction> read_friction(CaseSection& friction, const FrictionContext& context) {
  const std::string_view places = context.by_inclination ? kByInclination : "y";
  const std::array<std::string_view, 9> kTwo{
      "static",          "kinetic",         "law",
      "half_velocity",   "second_drop",     "second_half_velocity",
      "memory_distance", "memory_velocity", places};
  const bool two = std::any_of(kTwo.begin(), kTwo.end(),
                               [&](std::string_view key) { return friction.has(key); });
  friction.know("coefficient");
  for (const std::string_view key : kTwo) friction.know(key);
  const bool only_y =
      friction.has(places) && std::none_of(kTwo.begin(), kTwo.end() - 1,
                                           [&](std::string_view key) { return friction.has(key); });
  if (only_y && friction.has("coefficient") && friction.diagnostics().observed() == nullptr) {
    friction.error_at_key(places, "belongs to static, kinetic and a law, not to 'coefficient'",
                          fmt::format("coefficient: {{{}: [...], value: [...]}}", places));
    friction.finish();
    return std::nullopt;
  }
  if (two)
    friction.refuse("coefficient", "given together with a static or kinetic coefficient or a law",
                    "either coefficient, or static and kinetic");
  auto result = two ? LawReading(friction, places).read() : read_coefficient(friction, context);
  friction.finish();
  if (two && friction.has("coefficient")) return std::nullopt;
  return result;
}

}  // namespace slipfield
