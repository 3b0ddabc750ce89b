// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "io/profiles/formats.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

constexpr std::string_view kMiniProfComment = "!\"%#";

struct Columns {
  std::size_t y = 0;
  std::size_t z = 1;
  std::size_t count = 2;
};

// ColumnDef=X,Y,A,C: the columns X and Y are the point.
Columns columns_of(const ProfileText& text, std::size_t line, std::string_view value) {
  const auto names = words_of(value, " \t,");
  const auto find = [&](char letter) {
    const auto at = std::find_if(names.begin(), names.end(), [&](std::string_view name) {
      return name.size() == 1 && std::toupper(static_cast<unsigned char>(name[0])) == letter;
    });
    if (at == names.end())
      refuse_profile(text.path, line,
                     fmt::format("ColumnDef {} has no column {}; accepted: X and Y among them",
                                 in_quotes(value), letter));
    return static_cast<std::size_t>(at - names.begin());
  };
  return {find('X'), find('Y'), names.size()};
}

}  // namespace

ProfileFileContent read_miniprof(const ProfileText& text) {
  ProfileFileContent content;
  content.needs_mirror_y = true;
  Columns columns;
  double offset_y = 0.0;
  double offset_z = 0.0;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = text.lines[i];
    const std::size_t equals = line.find('=');
    if (content.points.empty() && equals != std::string_view::npos) {
      const std::string_view key = line.substr(0, equals);
      const std::string_view value = line.substr(equals + 1);
      if (key == "ColumnDef") columns = columns_of(text, i + 1, value);
      if (key != "XOffset" && key != "YOffset") continue;
      const auto words = words_of(value, " \t");
      if (words.empty()) continue;
      (key == "XOffset" ? offset_y : offset_z) = numbers_of(text, i + 1, words, 1).front();
      continue;
    }
    const auto words = words_of(before_comment(line, kMiniProfComment), " \t,;");
    if (words.empty()) continue;
    const std::vector<double> numbers = numbers_of(text, i + 1, words, columns.count);
    content.points.push_back({numbers[columns.y] + offset_y, numbers[columns.z] + offset_z});
  }
  return content;
}

}  // namespace slipfield
