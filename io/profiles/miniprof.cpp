// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/decimal_comma.h"
#include "io/profiles/formats.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

constexpr std::string_view kMiniProfComment = "!\"%#";
constexpr std::string_view kOldHeader = "miniprof";  // behind # it is any comment

struct Columns {
  std::size_t y = 0;
  std::size_t z = 1;
  std::size_t count = 2;
};

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::string_view without_quotes(std::string_view text) {
  text = without_blanks(text);
  while (text.size() > 1 && text.front() == text.back() &&
         (text.front() == '"' || text.front() == '\''))
    text = without_blanks(text.substr(1, text.size() - 2));
  return text;
}

// The name of a key; empty after the start of a comment.
std::string key_of(std::string_view text) {
  text = without_quotes(text);
  return text.empty() || std::string_view("#%!").find(text[0]) != std::string_view::npos
             ? std::string()
             : plain_name(text);
}

// ColumnDef=X,Y,A,C: the columns X and Y are the point.
Columns columns_of(const ProfileText& text, std::size_t line, std::string_view value) {
  const auto names = words_of(value, " \t,;");
  const auto find = [&](const char* letter) {
    const auto at = std::find_if(names.begin(), names.end(),
                                 [&](std::string_view name) { return lower_case(name) == letter; });
    if (at == names.end())
      refuse_profile(text.path, line,
                     fmt::format("ColumnDef {} has no column {}; accepted: X and Y among them",
                                 in_quotes(value), letter[0] == 'x' ? 'X' : 'Y'));
    return static_cast<std::size_t>(at - names.begin());
  };
  return {find("x"), find("y"), names.size()};
}

struct Header {
  std::size_t lines = 0;  // where the points begin
  Columns columns;
  bool has_columns = false;
  std::string unit;
  double offset_y = 0.0;
  double offset_z = 0.0;
  std::vector<std::string> warnings{};
  std::optional<ProfileRole> role;
  std::optional<double> points;  // XYPoints
  std::size_t comma_line = 0;    // of an offset with a decimal comma; 0: none
  std::string comma_fault{};     // what it is, where the points have none
};

bool is_empty(std::string_view line) {
  return words_of(before_comment(line, kMiniProfComment), " \t,;").empty();
}

bool holds_numbers(std::string_view line) {
  const auto words = words_of(before_comment(line, kMiniProfComment), " \t,;");
  return words.size() > 1 && std::ranges::all_of(words, reads_as_number);
}

// The header of MINIPROF 101 ... and #MINIWHEELPROF ...: lines of any text up to an empty one or,
// without one, to the last line that is not numeric.
Header read_old_header(const ProfileText& text, std::size_t start) {
  Header header;
  const std::string first = lower_case(text.lines[start]);
  if (first.find("wheel") != std::string::npos) header.role = ProfileRole::wheel;
  if (first.find("rail") != std::string::npos) header.role = ProfileRole::rail;
  const std::size_t count = text.lines.size();
  for (std::size_t i = start + 1; i + 1 < count && header.lines == 0; ++i)
    if (without_blanks(text.lines[i]).empty() && holds_numbers(text.lines[i + 1]))
      header.lines = i + 1;
  if (header.lines > 0) return header;
  header.lines = start + 1;
  for (std::size_t i = start + 1; i < count; ++i)
    if (!is_empty(text.lines[i]) && !holds_numbers(text.lines[i])) header.lines = i + 1;
  return header;
}

// Refuses options of the header that would not be applied.
void refuse_undone(const ProfileText& text, std::size_t line, std::string_view key,
                   std::string_view value) {
  const std::string name = plain_name(key);
  const bool scale = name == "scale" || name == "xscale" || name == "yscale";
  const bool turn = name == "rotation" || name == "rotate";
  const auto number = number_of(value);
  if ((!scale && !turn) || value.empty() || (number && *number == (scale ? 1.0 : 0.0))) return;
  refuse_profile(text.path, line,
                 fmt::format("{} is {}, which is not done; accepted: {} here, and {}",
                             in_quotes(key), in_quotes(value), scale ? 1 : 0,
                             scale ? "scale in the case" : "points that are turned already"));
}

// "[Profile1Points]": the name of a section.
bool is_section(std::string_view line) {
  line = without_blanks(line);
  return line.size() > 2 && line.front() == '[' && line.back() == ']';
}

struct Section {
  std::size_t begin = 0;  // its name's line, from 0
  std::size_t end = 0;
  std::size_t rows = 0;  // lines of numbers
  std::size_t width = 0;
  bool has_columns = false;
};

std::vector<Section> sections_of(const ProfileText& text) {
  std::vector<Section> sections;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string& line = text.lines[i];
    if (is_section(line)) sections.push_back({i, i + 1, 0, 0, false});
    if (sections.empty()) continue;
    Section& section = sections.back();
    section.end = i + 1;
    const std::size_t equals = line.find('=');
    if (equals != std::string::npos) {
      section.has_columns |= key_of(std::string_view(line).substr(0, equals)) == "columndef";
    } else if (holds_numbers(line)) {
      if (section.rows++ == 0)
        section.width = words_of(before_comment(line, kMiniProfComment), " \t,;").size();
    }
  }
  return sections;
}

// Refuses a measurement with several profiles, such as those of a rail and its check rail. Removes
// the few numbers in sections next to that of a single profile.
ProfileText with_one_profile(const ProfileText& text, std::vector<std::string>& notes) {
  constexpr std::size_t kFewestRows = 5;
  const std::vector<Section> sections = sections_of(text);
  std::vector<Section> profiles;
  for (const Section& section : sections)
    if (section.rows >= kFewestRows &&
        (profiles.empty() || section.has_columns || section.width == profiles.front().width))
      profiles.push_back(section);
  const auto name_of = [&](const Section& section) {
    return fmt::format("{} in line {}", without_blanks(text.lines[section.begin]),
                       section.begin + 1);
  };
  if (profiles.size() > 1) {
    std::string found;
    for (const Section& section : profiles) found += (found.empty() ? "" : ", ") + name_of(section);
    refuse_profile(
        text.path, 0,
        fmt::format("holds {} profiles, {}; accepted: a file for each", profiles.size(), found));
  }
  ProfileText one = text;
  for (const Section& section : sections) {
    if (profiles.empty() || section.rows == 0 || section.rows >= kFewestRows) continue;
    for (std::size_t i = section.begin; i < section.end; ++i)
      if (one.lines[i].find('=') == std::string::npos) one.lines[i].clear();
    notes.push_back("the numbers of " + name_of(section) + " were left out");
  }
  return one;
}

// KEY=VALUE in each line; keys ignore case, blanks, _ and -.
Header read_key_header(const ProfileText& text) {
  Header header;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = text.lines[i];
    const std::size_t equals = line.find('=');
    header.lines = i;
    if (equals == std::string_view::npos) {
      if (!is_empty(line) && !is_section(line)) return header;
      continue;
    }
    const std::string key = key_of(line.substr(0, equals));
    const std::string_view value = without_quotes(line.substr(equals + 1));
    if (key == "columndef") {
      header.columns = columns_of(text, i + 1, value);
      header.has_columns = true;
    }
    if (key == "unit" || key == "units") header.unit = value;
    if (key == "xypoints") header.points = number_of(value);
    refuse_undone(text, i + 1, line.substr(0, equals), value);
    if ((key != "xoffset" && key != "yoffset") || value.empty()) continue;
    std::string plain(value);
    const std::string fault = fmt::format("{} is {}; accepted: a number, with a decimal point",
                                          without_quotes(line.substr(0, equals)), in_quotes(value));
    if (has_decimal_comma(value)) {
      std::ranges::replace(plain, ',', '.');
      header.comma_line = i + 1;
      header.comma_fault = fault;
    }
    const auto number = number_of(plain);
    if (!number) refuse_profile(text.path, i + 1, fault);
    double& offset = key == "xoffset" ? header.offset_y : header.offset_z;
    if (offset != 0.0 && offset != *number)
      header.warnings.push_back(
          fmt::format("line {} has {} again: {} is taken, and {} before it is not", i + 1,
                      without_quotes(line.substr(0, equals)), *number, offset));
    offset = *number;
  }
  header.lines = text.lines.size();
  return header;
}

// The first nonempty line, if a header of the old kind begins there.
std::optional<std::size_t> find_old_header(const ProfileText& text) {
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = without_blanks(text.lines[i]);
    if (line.empty()) continue;
    const bool comment = line[0] == '#';
    const auto words = words_of(line.substr(comment ? 1 : 0), " \t");
    const std::string name = words.empty() ? std::string() : lower_case(words.front());
    const bool old =
        name.starts_with("mini") && name.ends_with("prof") && (!comment || name != kOldHeader);
    return old ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

bool looks_like_miniprof(const ProfileText& text) {
  if (find_old_header(text)) return true;
  for (const std::string& line : text.lines) {
    if (holds_numbers(line)) return false;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = key_of(std::string_view(line).substr(0, equals));
    if (key == "columndef" || key == "xoffset" || key == "yoffset") return true;
  }
  return false;
}

ProfileFileContent read_miniprof(const ProfileText& whole) {
  ProfileFileContent content;
  content.needs_mirror_y = true;
  const ProfileText text = with_one_profile(whole, content.notes);
  const auto old = find_old_header(text);
  const Header header = old ? read_old_header(text, *old) : read_key_header(text);
  content.role = header.role;
  content.stated_unit = header.unit;
  content.warnings = header.warnings;
  std::size_t remarks = 0;
  std::size_t first_remark = 0;
  std::size_t commented = 0;  // points
  DecimalCommas commas;
  for (std::size_t i = header.lines; i < text.lines.size(); ++i) {
    const std::string_view line = before_comment(text.lines[i], kMiniProfComment);
    const auto all = words_of(line, " \t,;");
    if (all.empty()) {
      const auto left_out = words_of(text.lines[i], " \t,;!\"%#");
      commented += left_out.size() > 1 && std::ranges::all_of(left_out, reads_as_number) ? 1 : 0;
      continue;
    }
    const auto remark = std::ranges::find_if_not(all, reads_as_number);
    std::string row(remark == all.end()
                        ? line
                        : line.substr(0, static_cast<std::size_t>(remark->data() - line.data())));
    if (const auto fault = commas.take(i + 1, row))
      refuse_profile(text.path, i + 1,
                     fault->word + (fault->word.empty() ? "" : " ") + fault->problem);
    auto words = words_of(row, " \t,;");
    if (remark != all.end()) {
      if (words.size() < header.columns.count)
        words.push_back(*remark);  // in place of a number
      else if (remarks++ == 0)
        first_remark = i + 1;
    }
    const std::vector<double> numbers = numbers_of(text, i + 1, words, header.columns.count);
    if (header.has_columns && numbers.size() > header.columns.count &&
        content.warnings.size() == header.warnings.size())
      content.warnings.push_back(
          fmt::format("line {} has {} numbers, and ColumnDef names {}: the first of them are taken",
                      i + 1, numbers.size(), header.columns.count));
    content.points.push_back(
        {numbers[header.columns.y] + header.offset_y, numbers[header.columns.z] + header.offset_z});
  }
  if (header.comma_line > 0 && !commas.any())
    refuse_profile(text.path, header.comma_line, header.comma_fault);
  if (commas.any()) content.notes.emplace_back("its commas are decimal signs");
  const std::size_t written = content.points.size();
  if (header.points && *header.points != static_cast<double>(written) &&
      *header.points != static_cast<double>(written + commented))
    content.warnings.push_back(
        fmt::format("its header has XYPoints={:g}, and {} points follow: was it cut off?",
                    *header.points, written));
  if (commented > 0) content.notes.push_back(fmt::format("{} points are commented out", commented));
  if (remarks == 1)
    content.notes.push_back(
        fmt::format("the text behind the numbers of line {} was left out", first_remark));
  else if (remarks > 1)
    content.notes.push_back(
        fmt::format("the text behind the numbers of {} lines was left out, of line {} first",
                    remarks, first_remark));
  return content;
}

}  // namespace slipfield
