// SPDX-License-Identifier: Apache-2.0
// Files of heights, coefficients or profiles that a case names. Each is read once and shared by
// steps and points of a sweep while it is kept.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "io/heights/reader.h"

namespace slipfield {

// solver/wheel_rail/profile.h
struct Profile;
struct ProfileChanges;
enum class ProfileRole;
class PlacedRails;  // solver/wheel_rail/wheel_contacts.h

// Prefix for an array that a program supplies instead of a file: `file: array:NAME`.
inline constexpr std::string_view kArrayPrefix = "array:";
bool names_array(const std::filesystem::path& file);
// For messages: "array NAME", or the file's name unchanged.
std::string shown_name(const std::filesystem::path& file);

// A table that a program supplies as `file: array:NAME`.
struct NamedArray {
  std::string name;
  std::shared_ptr<const Heights> values;
};

// Keeps the most recently used files, so that a sweep over many does not fill the memory.
class HeightsFiles {
 public:
  HeightsFiles();

  // Sets the meaning of `array:NAME` from now on.
  void give(const std::string& name, std::shared_ptr<const Heights> heights);

  // Like read_profile; callable from any thread.
  std::shared_ptr<const Profile> profile(const std::filesystem::path& path, ProfileRole role,
                                         const ProfileChanges& changes);
  // The rails of these profiles placed in the track, shared by all points of a sweep.
  [[nodiscard]] const std::shared_ptr<PlacedRails>& placed_rails() const { return placed_rails_; }
  // Like read_heights.
  std::shared_ptr<const Heights> read(const std::filesystem::path& path,
                                      const HeightsRequest& request);

 private:
  static constexpr std::size_t kKept = 4;
  struct Entry {
    std::string key;  // the file and the options of its reading
    std::shared_ptr<const Heights> heights;
  };
  std::map<std::string, std::shared_ptr<const Profile>> profiles_;
  std::shared_ptr<PlacedRails> placed_rails_;
  [[nodiscard]] std::shared_ptr<const Heights> given(const std::filesystem::path& path,
                                                     const HeightsRequest& request) const;

  std::map<std::string, std::shared_ptr<const Heights>> given_;
  std::deque<Entry> entries_;  // the most recently used first
};

}  // namespace slipfield
