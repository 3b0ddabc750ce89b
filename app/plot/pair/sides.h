// SPDX-License-Identifier: Apache-2.0
// Several results in one figure: what each of them is called, and what their cases differ in.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/reader.h"

namespace slipfield {

inline constexpr std::size_t kMostSides = 6;

// The names of the files without their folders, where these tell them apart; else their paths.
std::vector<std::string> side_names(const std::vector<std::string>& paths);

// A key whose values are not the same in all cases; "-": a case does not have it.
struct DifferingKey {
  std::string key;                  // "friction.coefficient", "steps[2].normal.force"
  std::vector<std::string> values;  // one for each case
};
// Of the cases as results hold them; titles, outputs and expected numbers do not count. What
// differs alike in all steps is named once, without a step.
std::vector<DifferingKey> differing_keys(const std::vector<std::string>& cases);

// For the legend: names, and with a single differing key its values: "coefficient of friction = 0.3
// (a.h5)".
std::vector<std::string> side_labels(const std::vector<std::string>& names,
                                     const std::vector<ResultHeader>& headers);
// For the text under the title: "The cases differ in friction.coefficient: 0.3, 0.4."
std::string difference_text(const std::vector<ResultHeader>& headers);

// Throws InputError unless all are in the same units.
void require_same_units(const std::vector<std::string>& paths,
                        const std::vector<ResultHeader>& headers);

// "linewidth 1.8 linecolor ..." of the curves of a side.
std::string side_style(std::size_t side);

}  // namespace slipfield
