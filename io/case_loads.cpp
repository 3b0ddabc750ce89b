#include <fmt/format.h>

#include <string>

#include "io/case_names.h"
#include "io/case_sections.h"

namespace slipfield {
namespace {

constexpr NumberRange kForceRatio{.least = -1.0, .greatest = 1.0};

// The load in one direction, of the form {shift: s}, {force: F} or {force_ratio: F/(mu F_n)};
// without the key no shift. Nothing where it is wrong.
std::optional<TangentialLoad> read_direction(CaseSection& tangential, std::string_view key) {
  constexpr std::string_view kAccepted = "a map with exactly one of shift, force, force_ratio";
  auto section = tangential.section(key, kAccepted, Presence::optional);
  if (!section) {
    if (tangential.has(key)) return std::nullopt;
    return TangentialLoad{};
  }
  section->not_supported_yet({"creepage"});
  const bool later = section->has("creepage");
  const auto form = section->one_of({"shift", "force", "force_ratio"},
                                    later ? Presence::optional : Presence::required);
  const auto shift = section->number("shift", kAnyNumber, Presence::optional);
  const auto force = section->number("force", kAnyNumber, Presence::optional);
  const auto ratio = section->number("force_ratio", kForceRatio, Presence::optional);
  section->finish();
  if (!form || later) return std::nullopt;
  if (shift) return TangentialLoad{TangentialControl::rigid, *shift};
  if (force) return TangentialLoad{TangentialControl::force, *force};
  if (ratio) return TangentialLoad{TangentialControl::force_ratio, *ratio};
  return std::nullopt;
}

}  // namespace

std::optional<Friction> read_friction(CaseSection& friction) {
  friction.not_supported_yet({"static", "kinetic", "law"});
  const bool later = friction.has("static") || friction.has("kinetic") || friction.has("law");
  const auto coefficient =
      friction.number("coefficient", kNotNegative, later ? Presence::optional : Presence::required);
  friction.finish();
  if (!coefficient) return std::nullopt;
  return Friction{*coefficient};
}

std::optional<NormalLoad> read_normal(CaseSection& normal) {
  const auto form = normal.one_of({"force", "approach"}, Presence::required);
  const auto force = normal.number("force", kPositive, Presence::optional);
  const auto approach = normal.number("approach", kAnyNumber, Presence::optional);
  normal.finish();
  if (!form) return std::nullopt;
  if (force) return NormalLoad{NormalControl::force, *force};
  if (approach) return NormalLoad{NormalControl::approach, *approach};
  return std::nullopt;
}

std::optional<Tangential> read_tangential(CaseSection& tangential) {
  const auto problem = tangential.choice("problem", kTangentialProblems, Presence::optional);
  tangential.not_supported_yet({"direction", "step", "velocity", "spin"});
  const auto x = read_direction(tangential, "x");
  const auto y = read_direction(tangential, "y");
  const auto rotation = tangential.number("rotation", kAnyNumber, Presence::optional);
  tangential.finish();
  const bool given = tangential.has("problem");
  const bool none = given ? problem == TangentialProblem::none : tangential.is_whole();
  bool contradiction = false;
  for (const std::string_view key : {"x", "y", "rotation"}) {
    if (!none || !tangential.has(key)) continue;
    tangential.error_at_key(key, "given although the tangential problem is none",
                            "no such key, or problem: shift");
    contradiction = true;
  }
  const bool bad = (given && !problem) || !x || !y || (tangential.has("rotation") && !rotation);
  if (bad || contradiction || !tangential.is_map()) return std::nullopt;
  Tangential result;
  result.problem = problem.value_or(TangentialProblem::none);
  result.x = *x;
  result.y = *y;
  result.rotation = rotation.value_or(0.0);
  return result;
}

}  // namespace slipfield
