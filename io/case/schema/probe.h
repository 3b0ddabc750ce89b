// SPDX-License-Identifier: Apache-2.0
// Cases put together to see what the reader asks for in them.
#pragma once

#include <string>
#include <string_view>

#include "io/case/schema/observed.h"
#include "io/yaml/tree.h"

namespace slipfield {

// A case that grows value by value. Paths are those of ObservedCase: "steps.*.friction" is in the
// first member of the list `steps`. Values may be wrong: the reader reads on.
class ProbeCase {
 public:
  ProbeCase();

  enum class Value { nothing, map, maps };  // maps: a list of one empty map
  // Sets a value; maps and lists on its way are made.
  void put(std::string_view path, Value value);
  void put(std::string_view path, const std::string& scalar);
  [[nodiscard]] bool has(std::string_view path) const;
  [[nodiscard]] bool has_value(std::string_view path) const;  // other than nothing

  // The case on one line; where two have the same, they are the same case.
  [[nodiscard]] std::string text() const;

  // Reads the case and adds what was asked for. No file is opened as long as none is named.
  void read(ObservedCase& observed) const;

 private:
  YamlNode& reach(std::string_view path);
  [[nodiscard]] const YamlNode* find(std::string_view path) const;

  YamlNode root_;
};

}  // namespace slipfield
