// SPDX-License-Identifier: Apache-2.0
#include "io/profiles/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "io/heights/formats.h"
#include "io/plain_text.h"
#include "io/profiles/formats.h"
#include "io/yaml/source.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::uintmax_t kMostBytes = 16U << 20U;

// Converts UTF-16 text with a byte-order mark to UTF-8; ? for characters beyond U+FFFF.
std::string plain_text_of(const std::string& bytes) {
  const bool little = bytes.rfind("\xff\xfe", 0) == 0;
  if (!little && bytes.rfind("\xfe\xff", 0) != 0) return bytes;
  std::string plain;
  const auto put = [&](unsigned bits) { plain.push_back(static_cast<char>(bits)); };
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    const unsigned high = static_cast<unsigned char>(bytes[little ? i + 1 : i]);
    const unsigned low = static_cast<unsigned char>(bytes[little ? i : i + 1]);
    const unsigned code = high << 8U | low;
    if (code < 0x80U) {
      put(code);
    } else if (code < 0x800U) {
      put(0xC0U | code >> 6U);
      put(0x80U | (code & 0x3FU));
    } else if (code >= 0xD800U && code < 0xE000U) {
      put('?');
    } else {
      put(0xE0U | code >> 12U);
      put(0x80U | (code >> 6U & 0x3FU));
      put(0x80U | (code & 0x3FU));
    }
  }
  return plain;
}

// Replaces typographic blanks and signs by plain ones and removes DOS's end-of-file mark.
void make_plain(std::string& line) {
  for (const auto& [letter, plain] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{{"\u2212", "-"},
                                                                            {"\u00a0", " "},
                                                                            {"\u2007", " "},
                                                                            {"\u2009", " "},
                                                                            {"\u202f", " "},
                                                                            {"\x1a", ""}})
    for (std::size_t at = line.find(letter); at != std::string::npos; at = line.find(letter, at))
      line.replace(at, letter.size(), plain);
}

std::string_view role_name(ProfileRole role) {
  return role == ProfileRole::rail ? "a rail" : "a wheel";
}

ProfileFileContent read_content(const ProfileText& text) {
  const std::string extension = file_ending(text.path);
  const bool simpack = extension == ".prr" || extension == ".prw";
  if (!simpack && looks_like_vampire(text)) return read_vampire(text);
  const bool miniprof = extension == ".ban" || extension == ".whl" || extension == ".mpt" ||
                        looks_like_miniprof(text);
  if (!simpack && !miniprof) return read_profile_table(text);
  ProfileFileContent content = simpack ? read_simpack(text) : read_miniprof(text);
  if (!content.role) content.role = role_of_name(text.path);
  return content;
}

// Refuses a unit in the header that the case does not confirm: it may be outdated.
void check_stated_unit(const ProfileText& text, const ProfileFileContent& content,
                       const ProfileChanges& changes, std::vector<std::string>& warnings) {
  const auto stated = millimetres_of(content.stated_unit);
  if (!stated || (!changes.unit && changes.scale != 1.0)) return;
  if (changes.unit && millimetres(*changes.unit) != *stated)
    warnings.push_back(
        fmt::format("says that its unit is {:.6g} mm; the case's unit of {:.6g} mm is taken",
                    *stated, millimetres(*changes.unit)));
  if (changes.unit || *stated == 1.0) return;
  const char* unit = *stated == 10.0     ? "unit: cm"
                     : *stated == 25.4   ? "unit: inch"
                     : *stated == 1000.0 ? "unit: m"
                                         : "scale: 0.001";
  refuse_profile(text.path, 0,
                 fmt::format("says that its points are in {}; accepted: {}, or unit: mm where they "
                             "are in mm",
                             in_quotes(content.stated_unit), unit));
}

}  // namespace

ProfileText read_profile_lines(const std::filesystem::path& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (status.type() == std::filesystem::file_type::not_found)
    refuse_profile(path, 0, "there is no such file; the path is relative to the case file");
  if (!std::filesystem::is_regular_file(status)) refuse_profile(path, 0, "is not a file");
  if (std::filesystem::file_size(path, failed) > kMostBytes)
    refuse_profile(path, 0, "is longer than 16 MiB, which no profile is");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    refuse_profile(path, 0,
                   fmt::format("cannot be read ({})", std::generic_category().message(errno)));
  ProfileText text{path, {}};
  std::string line;
  std::istringstream content(plain_text_of(bytes));
  while (std::getline(content, line)) {
    if (line.find('\0') != std::string::npos)
      refuse_profile(path, 0, "is not text; accepted: plain text, UTF-8 or UTF-16 with its mark");
    if (text.lines.empty()) line = without_byte_order_mark(line);
    while (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find('\r') != std::string::npos)
      refuse_profile(path, 0,
                     "has lines that end with a carriage return alone; accepted: line feeds");
    make_plain(line);
    text.lines.push_back(line);
  }
  return text;
}

std::optional<double> millimetres_of(std::string_view unit) {
  while (!unit.empty() && std::string_view("'\" \t").find(unit.front()) != std::string_view::npos)
    unit.remove_prefix(1);
  while (!unit.empty() && std::string_view("'\" \t").find(unit.back()) != std::string_view::npos)
    unit.remove_suffix(1);
  const auto metres = metres_of(lower_case(unit));
  // Smaller units are not tried: their names also occur as words in titles and columns.
  constexpr double kLeast = 1.0e-6;
  if (metres && *metres >= kLeast) return 1000.0 * *metres;
  return std::nullopt;
}

void refuse_profile(const std::filesystem::path& path, std::size_t line,
                    const std::string& problem) {
  if (line == 0) throw InputError(path.string() + ": " + problem);
  throw InputError(fmt::format("{}:{}: {}", path.string(), line, problem));
}

std::vector<std::string_view> words_of(std::string_view line, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(separators, end);
  }
  return words;
}

std::optional<double> number_of(std::string_view word) {
  const std::string text = plain_number(word);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::vector<double> numbers_of(const ProfileText& text, std::size_t line,
                               const std::vector<std::string_view>& words, std::size_t least) {
  std::vector<double> numbers;
  for (const std::string_view word : words) {
    const auto number = number_of(word);
    if (!number)
      refuse_profile(text.path, line, in_quotes(word) + " is not a number; accepted: y and z");
    numbers.push_back(*number);
  }
  if (numbers.size() < least)
    refuse_profile(
        text.path, line,
        fmt::format("has {} of the {} numbers of a point; accepted: {} or more in each line "
                    "of points, or the file without this line, if it was cut off",
                    numbers.size(), least, least));
  return numbers;
}

std::optional<ProfileRole> role_of_name(const std::filesystem::path& path) {
  const std::string extension = file_ending(path);
  for (const char* rail : {".prr", ".ban", ".rai", ".rail"})
    if (extension == rail) return ProfileRole::rail;
  for (const char* wheel : {".prw", ".whl", ".whe", ".wheel"})
    if (extension == wheel) return ProfileRole::wheel;
  return std::nullopt;
}

namespace {

// A roller measured like a wheel takes the place of a rail, or vice versa: the user must then say
// which side of the curve is steel.
void check_role(const ProfileText& text, ProfileFileContent& content, ProfileRole role,
                const ProfileChanges& changes) {
  const auto said = content.role;
  if (!said || *said == role) return;
  if (!changes.mirror_z)
    refuse_profile(
        text.path, 0,
        fmt::format("is the profile of {}, where {}'s is needed; accepted: another file, or "
                    "mirror_z: true or false for a roller measured like {}",
                    role_name(*said), role_name(role), role_name(*said)));
  content.notes.push_back(fmt::format("its file says that it is {}'s profile", role_name(*said)));
}

// GENSYS's files are plain tables whose y points to the track's centre.
void doubt_gensys(const ProfileText& text, ProfileRole role, const ProfileChanges& changes,
                  std::vector<std::string>& warnings) {
  if (role != ProfileRole::rail || changes.mirror_y || file_ending(text.path) != ".rail") return;
  warnings.emplace_back(
      "y is taken to point to the field side, where that of GENSYS's files (.rail) points to the "
      "track's centre; mirror_y: true turns it, mirror_y: false leaves it");
}

}  // namespace

Profile read_profile(const std::filesystem::path& path, ProfileRole role,
                     const ProfileChanges& changes) {
  const ProfileText text = read_profile_lines(path);
  ProfileFileContent content = read_content(text);
  check_role(text, content, role, changes);
  if (content.points.empty()) refuse_profile(path, 0, "holds no points");
  if (content.needs_mirror_y && !changes.mirror_y)
    refuse_profile(
        path, 0,
        "does not say on which side the track's centre is; accepted: mirror_y: true "
        "(`slipfield plot`: --mirror-y true) where it is at positive values of the file, "
        "as in MiniProf's rails, or false, as in its wheels");
  ProfileChanges all = changes;
  if (content.knows_upwards && !all.mirror_z) all.mirror_z = false;
  std::vector<std::string> warnings = std::move(content.warnings);
  doubt_gensys(text, role, changes, warnings);
  check_stated_unit(text, content, all, warnings);
  if (all.unit && content.unit) {  // that has been applied
    for (ProfilePoint& point : content.points)
      point = {point.y / *content.unit, point.z / *content.unit};
    if (*content.unit != millimetres(*all.unit))
      warnings.push_back(
          fmt::format("says that its unit is {:.6g} mm; the case's unit of {:.6g} mm is taken",
                      *content.unit, millimetres(*all.unit)));
  }
  try {
    Profile profile = canonical_profile(role, std::move(content.points), all);
    for (std::string& note : content.notes) profile.notes.push_back(std::move(note));
    for (std::string& warning : warnings) profile.warnings.push_back(std::move(warning));
    return profile;
  } catch (const InputError& error) {
    refuse_profile(path, 0, error.what());
  }
}

}  // namespace slipfield
