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
    request.mx = context.grid->mx;
    request.my = context.grid->my;
    const auto table = context.files.read(path, request);
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

// Points along y or over the temperature, and the coefficients at them.
template <class Points>
std::optional<Points> read_points(CaseSection& section, std::string_view key) {
  const auto points = section.number_list(key, kAnyNumber, 1, Presence::required);
  const auto value = section.number_list("value", kNotNegative, 1, Presence::required);
  if (!points || !value) return std::nullopt;
  Friction friction;
  friction.coefficient = *std::max_element(value->begin(), value->end());
  friction.place = Points{*points, *value};
  const auto faults = check_friction(friction);
  if (!report_faults(section, faults,
                     {{"place.y", key}, {"place.temperature", key}, {"place.value", "value"}}))
    return std::nullopt;
  return Points{*points, *value};
}

std::optional<Friction> read_coefficient(CaseSection& friction, const FrictionContext& context) {
  const YamlNode* node = friction.value("coefficient", kLocalAccepted, Presence::required);
  if (node == nullptr) return std::nullopt;
  Friction result;
  if (node->kind != YamlNode::Kind::map) {
    const auto value = friction.number("coefficient", kNotNegative, Presence::required);
    if (!value) return std::nullopt;
    result.coefficient = *value;
    return result;
  }
  auto section = friction.section("coefficient", kLocalAccepted, Presence::required);
  const auto form = section->one_of({"y", "file", "temperature"}, Presence::required);
  const auto take = [&](auto local, const std::vector<double>& values) {
    result.coefficient = *std::max_element(values.begin(), values.end());
    result.place = std::move(local);
  };
  if (form && *form == "y")
    if (const auto points = read_points<FrictionAlongY>(*section, "y"))
      take(*points, points->value);
  if (form && *form == "temperature")
    if (const auto points = read_points<FrictionByTemperature>(*section, "temperature"))
      take(*points, points->value);
  if (form && *form == "file")
    if (const auto elements = read_file(*section, context)) take(*elements, *elements->value);
  section->finish();
  if (!result.varies()) return std::nullopt;
  return result;
}

std::optional<Friction> read_static_kinetic(CaseSection& friction) {
  const auto law = friction.choice("law", kFrictionLaws, Presence::optional);
  const auto fixed = friction.number("static", kNotNegative, Presence::required);
  const auto kinetic = friction.number("kinetic", kNotNegative, Presence::required);
  const bool falls = law && *law != FrictionLaw::constant;
  const auto half_velocity =
      friction.number("half_velocity", kPositive, falls ? Presence::required : Presence::optional);
  if (!falls && friction.has("half_velocity") && (law || !friction.has("law")))
    friction.error_at_key("half_velocity",
                          "given although the coefficient does not fall with the velocity",
                          "no such key, or law: linear_falling, rational or exponential");
  if (!fixed || !kinetic || (friction.has("law") && !law) || (falls && !half_velocity))
    return std::nullopt;
  Friction result;
  result.coefficient = *fixed;
  result.kinetic = *kinetic;
  result.law = law.value_or(FrictionLaw::constant);
  result.half_velocity = half_velocity.value_or(0.0);
  if (!report_faults(friction, check_friction(result), {{"coefficient", "static"}}))
    return std::nullopt;
  return result;
}

}  // namespace

std::optional<Friction> read_friction(CaseSection& friction, const FrictionContext& context) {
  constexpr std::array<std::string_view, 4> kTwo{"static", "kinetic", "law", "half_velocity"};
  const bool two = std::any_of(kTwo.begin(), kTwo.end(),
                               [&](std::string_view key) { return friction.has(key); });
  friction.know("coefficient");
  for (const std::string_view key : kTwo) friction.know(key);
  if (two)
    friction.refuse("coefficient", "given together with a static or kinetic coefficient or a law",
                    "either coefficient, or static and kinetic");
  auto result = two ? read_static_kinetic(friction) : read_coefficient(friction, context);
  friction.finish();
  if (two && friction.has("coefficient")) return std::nullopt;
  return result;
}

}  // namespace slipfield
