// SPDX-License-Identifier: Apache-2.0
// The formats of profile files, each with its own source file (io/profiles/reader.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/plain_text.h"
#include "solver/wheel_rail/profile.h"

namespace slipfield {

struct ProfileText {
  std::filesystem::path path;
  std::vector<std::string> lines;
};

// The contents of a file after its own conventions are applied: points in mm in the file's order.
struct ProfileFileContent {
  std::vector<ProfilePoint> points;
  std::optional<ProfileRole> role;  // stated by the file
  std::optional<double> unit;       // [mm] of the file's own numbers, if stated; already applied
  std::string stated_unit;          // its name, if stated but not applied: the case decides
  bool knows_upwards = false;       // the format defines the direction of z: no search is needed
  bool needs_mirror_y = false;      // the format does not say on which side the track's centre is
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

// Reads a text file into lines without byte order mark and line ends; throws InputError if it is
// not text.
ProfileText read_profile_lines(const std::filesystem::path& path);

// "rail.prr: line 7: ..." as InputError; line 0: of the whole file.
[[noreturn]] void refuse_profile(const std::filesystem::path& path, std::size_t line,
                                 const std::string& problem);

// Words of a line whose comments have been cut (io/plain_text.h).
std::vector<std::string_view> words_of(std::string_view line, std::string_view separators);
// Plain decimal; nothing if the word is not a finite number.
std::optional<double> number_of(std::string_view word);
inline bool reads_as_number(std::string_view word) { return number_of(word).has_value(); }
// Numbers of a table line; refuses the line if there are fewer than `least`.
std::vector<double> numbers_of(const ProfileText& text, std::size_t line,
                               const std::vector<std::string_view>& words, std::size_t least);

// [mm] of "m", "mm", 'inch' and other units; nothing for unknown names.
std::optional<double> millimetres_of(std::string_view unit);

ProfileFileContent read_simpack(const ProfileText& text);
ProfileFileContent read_miniprof(const ProfileText& whole);
bool looks_like_miniprof(const ProfileText& text);  // whatever the file's name
ProfileFileContent read_vampire(const ProfileText& text);
bool looks_like_vampire(const ProfileText& text);  // whatever the file's name
ProfileFileContent read_profile_table(const ProfileText& text);

}  // namespace slipfield
