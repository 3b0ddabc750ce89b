// SPDX-License-Identifier: Apache-2.0
// What the reader asks for while it reads: each section with its keys, their types and their
// ranges, kept on request. The schema is made from it, so that it cannot differ from the reader.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/problem_limits.h"

namespace slipfield {

// What a value may be.
struct KeyForm {
  enum class Kind { number, integer, boolean, text, word, map, list };
  Kind kind = Kind::text;
  NumberRange numbers{};
  IntegerRange integers{};
  std::vector<std::string> words{};
  // list: what each member may be; empty: anything. A list holds `least` to `most` of them.
  std::vector<KeyForm> items{};
  std::size_t least = 0;
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

// A list of at least `least` members of that form.
inline KeyForm list_form(const KeyForm& item, std::size_t least) {
  return {.kind = KeyForm::Kind::list, .items = {item}, .least = least};
}
inline KeyForm number_form(const NumberRange& range) {
  return {.kind = KeyForm::Kind::number, .numbers = range};
}
inline KeyForm word_form(std::vector<std::string> words) {
  return {.kind = KeyForm::Kind::word, .words = std::move(words)};
}
inline KeyForm map_form() { return {.kind = KeyForm::Kind::map}; }

struct ObservedKey {
  std::string name;
  std::vector<KeyForm> forms{};  // each of them is accepted; empty: not known
  bool required = false;
  bool refused = false;  // known, but not here
};

// Keys that exclude each other.
struct ObservedGroup {
  std::vector<std::string> keys;
  bool required = false;  // one of them has to be there
};

struct ObservedSection {
  std::vector<ObservedKey> keys{};  // in the order in which they are asked for
  std::vector<ObservedGroup> groups{};
  bool closed = false;  // other keys are refused

  ObservedKey& key(std::string_view name);
  void add_group(const ObservedGroup& group);
};

// Sections by their paths, with * for the number of a list's member: "", "bodies.upper", "steps.*".
struct ObservedCase {
  std::map<std::string, ObservedSection> sections;
  ObservedSection& at(std::string_view path);
};

}  // namespace slipfield
