// SPDX-License-Identifier: Apache-2.0
#include "io/case/schema/observed.h"

#include <algorithm>

namespace slipfield {
namespace {

bool is_index(std::string_view segment) {
  return !segment.empty() && segment.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string without_indices(std::string_view path) {
  std::string result;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view segment = path.substr(0, dot);
    if (!result.empty()) result += '.';
    result += is_index(segment) ? std::string_view("*") : segment;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return result;
}

}  // namespace

ObservedKey& ObservedSection::key(std::string_view name) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const ObservedKey& key) { return key.name == name; });
  if (found != keys.end()) return *found;
  keys.push_back({std::string(name)});
  return keys.back();
}

void ObservedSection::add_group(const ObservedGroup& group) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const ObservedGroup& other) {
    return other.keys == group.keys;
  });
  if (found == groups.end())
    groups.push_back(group);
  else
    found->required = found->required || group.required;
}

ObservedSection& ObservedCase::at(std::string_view path) { return sections[without_indices(path)]; }

}  // namespace slipfield
