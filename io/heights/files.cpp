// SPDX-License-Identifier: Apache-2.0
#include "io/heights/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "io/output_rule.h"
#include "io/profiles/reader.h"
#include "solver/error.h"
#include "solver/wheel_rail/wheel_contacts.h"

namespace slipfield {

bool names_array(const std::filesystem::path& file) {
  return file.filename().string().starts_with(kArrayPrefix);
}

std::string shown_name(const std::filesystem::path& file) {
  if (!names_array(file)) return file.string();
  return "array " + file.filename().string().substr(kArrayPrefix.size());
}

HeightsFiles::HeightsFiles() : placed_rails_(std::make_shared<PlacedRails>()) {}

void HeightsFiles::give(const std::string& name, std::shared_ptr<const Heights> heights) {
  given_[name] = std::move(heights);
}

std::shared_ptr<const Heights> HeightsFiles::given(const std::filesystem::path& path,
                                                   const HeightsRequest& request) const {
  const std::string name = path.filename().string();
  const auto array = given_.find(name.substr(kArrayPrefix.size()));
  if (array == given_.end()) {
    std::string names;
    for (const auto& [known, values] : given_) names += (names.empty() ? "" : ", ") + known;
    throw InputError(shown_name(path) + ": no such array was given; given are " +
                     (names.empty() ? "none" : names));
  }
  check_heights(shown_name(path), request, *array->second);
  return array->second;
}

std::shared_ptr<const Profile> HeightsFiles::profile(const std::filesystem::path& path,
                                                     ProfileRole role,
                                                     const ProfileChanges& changes) {
  const auto said = [](const std::optional<bool>& value) { return value ? *value ? 1 : 0 : -1; };
  const std::string key = fmt::format(
      "{} {} {} {} {} {} {} {} {}", static_cast<int>(role), said(changes.mirror_y),
      said(changes.mirror_z), changes.unit ? static_cast<int>(*changes.unit) : -1, changes.scale,
      changes.shift_y, changes.shift_z, changes.smoothing, path.string());
  static std::mutex reading;  // points of a sweep share the profiles, and wait for them
  const std::lock_guard<std::mutex> guard(reading);
  const auto known = profiles_.find(key);
  if (known != profiles_.end()) return known->second;
  if (profiles_.size() >= kKept) profiles_.clear();
  return profiles_[key] = std::make_shared<const Profile>(read_profile(path, role, changes));
}

std::shared_ptr<const Heights> HeightsFiles::read(const std::filesystem::path& path,
                                                  const HeightsRequest& request) {
  if (names_array(path) && (!given_.empty() || !is_taken(path))) return given(path, request);
  std::string key = fmt::format("{} {} {} {} {} {} {}:{}:{}", request.mx, request.my,
                                request.infinity == Infinity::allowed, static_cast<int>(request.of),
                                static_cast<int>(request.form), request.metres, path.string(),
                                request.dataset.value_or(""), request.default_dataset);
  const auto known = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  Entry entry;
  if (known != entries_.end()) {
    entry = std::move(*known);
    entries_.erase(known);
  } else {
    entry = {std::move(key), std::make_shared<const Heights>(read_heights(path, request))};
  }
  entries_.push_front(std::move(entry));
  if (entries_.size() > kKept) entries_.pop_back();
  return entries_.front().heights;
}

}  // namespace slipfield
