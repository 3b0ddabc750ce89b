// SPDX-License-Identifier: Apache-2.0
#include "app/plot/wheel/wheel_case.h"

#include <fmt/format.h>

#include "io/case/text.h"
#include "io/heights/files.h"
#include "solver/error.h"

namespace slipfield {

std::shared_ptr<const WheelRailCase> wheel_case_of(const ResultInfo& info,
                                                   const std::string& name) {
  try {
    CaseDiagnostics diagnostics;
    const auto text = make_case_text(info.header.case_yaml, name, {}, diagnostics);
    YamlNode& tree = text->tree;
    if (const auto sweep = tree.index_of("sweep")) {
      tree.keys.erase(tree.keys.begin() + static_cast<std::ptrdiff_t>(*sweep));
      tree.items.erase(tree.items.begin() + static_cast<std::ptrdiff_t>(*sweep));
    }
    if (const auto expected = tree.index_of("expected")) {  // of points that are no more
      tree.keys.erase(tree.keys.begin() + static_cast<std::ptrdiff_t>(*expected));
      tree.items.erase(tree.items.begin() + static_cast<std::ptrdiff_t>(*expected));
    }
    HeightsFiles files;
    const CaseFile file = read_case(*text, files, diagnostics);
    if (file.wheel_rail) return file.wheel_rail;
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: its case cannot be read again, with the profiles that it names:\n{}", name,
                    error.what()));
  }
  throw InputError(name + ": the case has no wheel on a rail");
}

DrawnLine drawn_line(const SplineCurve& curve, double sign) {
  constexpr int kSamples = 1500;
  DrawnLine line;
  for (int i = 0; i <= kSamples; ++i) {
    const Eigen::Vector3d at =
        curve.at(curve.first() + (curve.last() - curve.first()) * i / kSamples);
    line.push_back({sign * at.y(), at.z()});
  }
  return line;
}

std::string drawn_data(const std::string& name, const DrawnLine& line) {
  std::string text = fmt::format("${} << END\n", name);
  for (const DrawnPoint& point : line) text += fmt::format("{:.9g} {:.9g}\n", point.y, point.z);
  return text + "END\n";
}

}  // namespace slipfield
