// SPDX-License-Identifier: Apache-2.0
// What the reader asks for in one section, and what that depends on.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/case/schema/observed.h"
#include "io/case/schema/probe.h"

namespace slipfield {

// A case in which some values are decided, such as the type of a shape.
struct Branch {
  ProbeCase probe;
  std::vector<std::string> decided;  // paths of the values that hold for this branch
  std::string word;                  // the last one: "sphere"

  [[nodiscard]] bool has_decided(const std::string& path) const;
};

// One value, or the presence of one of several keys, and the branches that it leads to. Empty keys:
// what the section asks for depends on nothing.
struct Fork {
  enum class Kind { word, presence, one_of };
  Kind kind = Kind::word;
  std::vector<std::string> keys;
  struct Way {
    std::vector<std::string> words;  // word: these of keys[0]
    std::string key;                 // presence, one_of: this key is there
    bool absent = false;             // none of the keys is there
    Branch branch;
  };
  std::vector<Way> ways;
};

// "bodies" and "upper": "bodies.upper".
std::string joined(const std::string& section, const std::string& key);

// Asks the reader, and remembers the answers: most are wanted several times.
class Explorer {
 public:
  // All that is asked for in the section and below it, as far as nothing undecided matters. It stays
  // where it is as long as the explorer lives.
  const ObservedCase& explore(const Branch& branch, const std::string& section);

  // The first thing in the section, not yet decided, on which what is asked for depends.
  Fork find_fork(const Branch& branch, const std::string& section);

 private:
  bool matters(const Fork& fork, const std::string& section);

  std::map<std::pair<std::string, std::string>, ObservedCase> known_;  // by case and section
};

}  // namespace slipfield
