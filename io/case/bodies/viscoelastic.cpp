// SPDX-License-Identifier: Apache-2.0
// bodies.upper.viscoelastic: how a body creeps, one term or a Prony series.
#include <fmt/format.h>

#include <vector>

#include "io/case/sections.h"

namespace slipfield {
namespace {

// One number, or a list of at least one; empty where it could not be read, which has been reported.
std::vector<double> read_terms(CaseSection& section, std::string_view key,
                               const NumberRange& range) {
  section.takes(key, [&] { return number_form(range); });
  section.takes(key, [&] { return list_form(number_form(range), 1); });
  const YamlNode* node =
      section.value(key, range.describe_one() + ", or a list of them, one for each creep time",
                    Presence::required);
  if (node == nullptr) return {};
  if (node->kind == YamlNode::Kind::sequence)
    return section.number_list(key, range, 1, Presence::required).value_or(std::vector<double>{});
  const auto number = section.number(key, range, Presence::required);
  return number ? std::vector<double>{*number} : std::vector<double>{};
}

}  // namespace

std::vector<CreepTerm> read_creep(CaseSection& body) {
  auto section = body.section("viscoelastic", "a map {ratio, creep_time}", Presence::optional);
  if (!section) return {};
  const std::vector<double> ratios = read_terms(*section, "ratio", kCreepRatio);
  const std::vector<double> times = read_terms(*section, "creep_time", kCreepTime);
  section->finish();
  if (ratios.empty() || times.empty()) return {};
  if (ratios.size() != times.size()) {
    section->error_at_value(
        "creep_time", fmt::format("has {} numbers for {} of ratio", times.size(), ratios.size()),
        "as many numbers as ratio has");
    return {};
  }
  std::vector<CreepTerm> terms;
  for (std::size_t i = 0; i < ratios.size(); ++i) terms.push_back({ratios[i], times[i]});
  return terms;
}

std::string creep_text(const ElasticBody& body) {
  if (body.creep.empty()) return {};
  std::string ratios;
  std::string times;
  for (const CreepTerm& term : body.creep) {
    ratios += fmt::format("{}{}", ratios.empty() ? "" : ", ", term.ratio);
    times += fmt::format("{}{}", times.empty() ? "" : ", ", term.time);
  }
  return fmt::format(", viscoelastic: {{ratio: [{}], creep_time: [{}]}}", ratios, times);
}

}  // namespace slipfield
