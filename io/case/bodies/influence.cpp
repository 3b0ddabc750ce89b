// SPDX-License-Identifier: Apache-2.0
// The section `influence`: coefficients of curved surfaces.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "io/case/angle.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/influence/coefficient_file.h"
#include "io/yaml/writer.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr NumberRange kInclinationDegrees{
    .least = -180.0, .lower = Bound::closed, .greatest = 180.0, .upper = Bound::closed};

std::shared_ptr<const TabulatedCoefficients> read_tables(CaseSection& section,
                                                         const InfluenceContext& context) {
  const auto file =
      section.text("file", "the name of a file of coefficients, from the folder of the case",
                   Presence::required);
  if (!file || !context.grid) return nullptr;
  const std::filesystem::path path = context.folder / *file;
  section.diagnostics().add_file(path);
  constexpr double kSlack = 1.0e-5;  // mm
  const Grid& grid = *context.grid;
  try {
    TabulatedCoefficients tables =
        read_coefficient_file(path, grid, context.units == Units::si ? 1.0e-3 * kSlack : kSlack);
    std::error_code failed;
    const auto absolute = std::filesystem::absolute(path, failed).lexically_normal();
    tables.file = (failed ? path : absolute).string();
    if (tables.mx < grid.mx || tables.my < grid.my)
      section.warn_at_value(
          "file",
          fmt::format("has coefficients of {} x {} elements, and the grid {} x {}: those of "
                      "elements farther apart count as 0",
                      tables.mx, tables.my, grid.mx, grid.my));
    return std::make_shared<const TabulatedCoefficients>(std::move(tables));
  } catch (const InputError& error) {
    section.error_at_value("file", error.what(), "");
    return nullptr;
  }
}

std::shared_ptr<const ConformalCorrection> read_conformal(CaseSection& section) {
  auto part =
      section.section("conformal", "a map {y, angle, variant, inclination}", Presence::required);
  if (!part) return nullptr;
  const auto y = part->number_list("y", kAnyNumber, 2, Presence::required);
  const auto angle = part->number_list("angle", kInclinationDegrees, 2, Presence::required);
  ConformalCorrection conformal;
  conformal.variant =
      part->integer("variant", kConformalVariant, Presence::optional).value_or(conformal.variant);
  conformal.straight =
      part->choice("inclination", kInclinations, Presence::optional).value_or(conformal.straight);
  part->finish();
  if (!y || !angle) return nullptr;
  conformal.y = *y;
  for (const double degrees : *angle) conformal.angle.push_back(radians_from_degrees(degrees));
  return std::make_shared<const ConformalCorrection>(std::move(conformal));
}

}  // namespace

CurvedInfluence read_influence(CaseSection& root, const InfluenceContext& context) {
  CurvedInfluence influence;
  auto section = root.section("influence", "a map {file} or {conformal}", Presence::optional);
  if (!section) return influence;
  const auto form = section->one_of({"file", "conformal"}, Presence::required);
  if (form && *form == "file") influence.tables = read_tables(*section, context);
  if (form && *form == "conformal") influence.conformal = read_conformal(*section);
  section->finish();
  return influence;
}

std::string influence_text(const CurvedInfluence& influence) {
  if (influence.tables)
    return fmt::format("influence: {{file: {}}}\n", double_quoted(influence.tables->file));
  if (!influence.conformal) return {};
  const ConformalCorrection& conformal = *influence.conformal;
  std::vector<std::string> degrees;
  for (const double angle : conformal.angle) degrees.push_back(degrees_text(angle));
  return fmt::format(
      "influence: {{conformal: {{y: [{}], angle: [{}], variant: {}, inclination: {}}}}}\n",
      fmt::join(conformal.y, ", "), fmt::join(degrees, ", "), conformal.variant,
      name_of(kInclinations, conformal.straight));
}

}  // namespace slipfield
