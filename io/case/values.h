// Single values of a case file, and what is accepted for them.
//
// Readers return nothing where the value is wrong; the error, with the value's place, is then in
// the diagnostics.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "io/yaml/diagnostics.h"
#include "io/yaml/tree.h"

namespace slipfield {

enum class Bound { open, closed };

struct NumberRange {
  double least = -std::numeric_limits<double>::infinity();
  Bound lower = Bound::open;
  double greatest = std::numeric_limits<double>::infinity();
  Bound upper = Bound::open;

  [[nodiscard]] bool contains(double value) const {
    return (value > least || (lower == Bound::closed && value == least)) &&
           (value < greatest || (upper == Bound::closed && value == greatest));
  }
  [[nodiscard]] std::string describe() const;      // "number > 0 and <= 0.1"
  [[nodiscard]] std::string describe_one() const;  // with its article
  // "a list [dx, dy] of two, each a number > 0"
  [[nodiscard]] std::string describe_pair(std::string_view names) const;
};

inline constexpr NumberRange kAnyNumber{};
inline constexpr NumberRange kPositive{.least = 0.0};
inline constexpr NumberRange kNotNegative{.least = 0.0, .lower = Bound::closed};
inline constexpr NumberRange kPoissonRatio{
    .least = 0.0, .lower = Bound::closed, .greatest = 0.5, .upper = Bound::closed};

struct IntegerRange {
  std::int64_t least = 0;
  std::int64_t greatest = 0;
  [[nodiscard]] std::string describe() const;  // "integer from 1 to 65536"
  [[nodiscard]] std::string describe_one() const;
};

// A scalar as a number within the range.
std::optional<double> read_number(const YamlNode& node, std::string_view path,
                                  const NumberRange& range, CaseDiagnostics& diagnostics);
std::optional<std::int64_t> read_integer(const YamlNode& node, std::string_view path,
                                         const IntegerRange& range, CaseDiagnostics& diagnostics);
// A list of exactly two values.
bool is_pair(const YamlNode& node, std::string_view path, std::string_view accepted,
             CaseDiagnostics& diagnostics);
// A list of exactly two numbers; `names`: "[dx, dy]".
std::optional<std::array<double, 2>> read_number_pair(const YamlNode& node, std::string_view path,
                                                      const NumberRange& range,
                                                      std::string_view names,
                                                      CaseDiagnostics& diagnostics);
// A scalar as one line of text.
std::optional<std::string> read_text(const YamlNode& node, std::string_view path,
                                     std::string_view accepted, CaseDiagnostics& diagnostics);

// "has no value", "is a list", "is a map", or the quoted scalar.
std::string describe_node(const YamlNode& node);

}  // namespace slipfield
