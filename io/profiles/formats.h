// SPDX-License-Identifier: Apache-2.0
// The formats of profile files, each read in a source file of its own (io/profiles/reader.h).
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

// What a file holds, with its own conventions applied: points in mm in the file's order.
struct ProfileFileContent {
  std::vector<ProfilePoint> points;
  std::optional<ProfileRole> role;  // as the file says it
  std::optional<double> unit;       // [mm] of the file's own numbers, as it says; applied
  std::string stated_unit;      // the same by its name, where it is not applied: the case says it
  bool knows_upwards = false;   // the format says where z points to: nothing is to be found out
  bool needs_mirror_y = false;  // the format leaves open on which side the track's centre is
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

// The lines of a text file, without marks and ends of lines; throws InputError where it is none.
ProfileText read_profile_lines(const std::filesystem::path& path);

// "rail.prr: line 7: ..." as InputError; line 0: of the whole file.
[[noreturn]] void refuse_profile(const std::filesystem::path& path, std::size_t line,
                                 const std::string& problem);

// The words of a line, from which comments have been cut (io/plain_text.h).
std::vector<std::string_view> words_of(std::string_view line, std::string_view separators);
// Plain decimal; nothing where the word is not a finite number.
std::optional<double> number_of(std::string_view word);
inline bool reads_as_number(std::string_view word) { return number_of(word).has_value(); }
// The numbers of a line of a table, at least `least`; refuses it otherwise.
std::vector<double> numbers_of(const ProfileText& text, std::size_t line,
                               const std::vector<std::string_view>& words, std::size_t least);

// [mm] Of "m", "mm", 'inch' and other names of units; nothing where it is none that is known.
std::optional<double> millimetres_of(std::string_view unit);

ProfileFileContent read_simpack(const ProfileText& text);
ProfileFileContent read_miniprof(const ProfileText& whole);
bool looks_like_miniprof(const ProfileText& text);  // whatever the file's name
ProfileFileContent read_vampire(const ProfileText& text);
bool looks_like_vampire(const ProfileText& text);  // whatever the file's name
ProfileFileContent read_profile_table(const ProfileText& text);

}  // namespace slipfield
