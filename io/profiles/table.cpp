// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "io/profiles/formats.h"

namespace slipfield {

ProfileFileContent read_profile_table(const ProfileText& text) {
  ProfileFileContent content;
  bool named = false;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const auto words = words_of(before_comment(text.lines[i], "#%!"), " \t,;");
    if (words.empty()) continue;
    if (content.points.empty() && !named && !number_of(words.front())) {
      named = true;
      continue;
    }
    const std::vector<double> numbers = numbers_of(text, i + 1, words, 2);
    if (numbers.size() > 2)
      refuse_profile(text.path, i + 1,
                     fmt::format("has {} numbers; accepted: two columns y and z, with decimal "
                                 "points",
                                 numbers.size()));
    content.points.push_back({numbers[0], numbers[1]});
  }
  return content;
}

}  // namespace slipfield
