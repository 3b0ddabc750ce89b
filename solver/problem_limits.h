// SPDX-License-Identifier: Apache-2.0
// The accepted ranges of a contact problem's numbers, which describe themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>

namespace slipfield {

enum class Bound { open, closed };

struct NumberRange {
  double least = -std::numeric_limits<double>::infinity();
  Bound lower = Bound::open;
  double greatest = std::numeric_limits<double>::infinity();
  Bound upper = Bound::open;
  const char* besides = "";  // what else holds, for a text

  [[nodiscard]] bool contains(double value) const {
    return (value > least || (lower == Bound::closed && value == least)) &&
           (value < greatest || (upper == Bound::closed && value == greatest));
  }
  [[nodiscard]] std::string describe() const;      // "number > 0 and <= 0.1"
  [[nodiscard]] std::string describe_one() const;  // with its article
};

struct IntegerRange {
  std::int64_t least = 0;
  std::int64_t greatest = 0;
  [[nodiscard]] std::string describe() const;  // "integer from 1 to 65536"
  [[nodiscard]] std::string describe_one() const;
};

inline constexpr NumberRange kAnyNumber{};
inline constexpr NumberRange kPositive{.least = 0.0};
inline constexpr NumberRange kNormalForce{.besides = ", > 0 without adhesion"};
inline constexpr NumberRange kNotNegative{.least = 0.0, .lower = Bound::closed};
inline constexpr NumberRange kShare{
    .least = 0.0, .lower = Bound::closed, .greatest = 1.0, .upper = Bound::closed};
// Compliance that creep adds over the instantaneous one, and its time: limits beyond any material,
// for which products stay finite.
inline constexpr NumberRange kCreepRatio{
    .least = 0.0, .lower = Bound::closed, .greatest = 1.0e9, .upper = Bound::closed};
inline constexpr NumberRange kCreepTime{
    .least = 0.0, .lower = Bound::closed, .greatest = 1.0e30, .upper = Bound::closed};
inline constexpr NumberRange kPoissonRatio{
    .least = 0.0, .lower = Bound::closed, .greatest = 0.5, .upper = Bound::closed};
inline constexpr NumberRange kForceRatio{.least = -1.0, .greatest = 1.0};
inline constexpr NumberRange kTolerance{.least = 0.0, .greatest = 0.1, .upper = Bound::closed};
inline constexpr NumberRange kHurst{
    .least = 0.0, .lower = Bound::closed, .greatest = 1.0, .upper = Bound::closed};
// Ratio of a rough surface's wavelengths along its lay to those across it.
inline constexpr NumberRange kElongation{
    .least = 1.0, .lower = Bound::closed, .greatest = 1000.0, .upper = Bound::closed};

// Inclination of the surface across a conformal contact [rad]: -180 to 180 degrees.
inline constexpr NumberRange kInclination{.least = -std::numbers::pi,
                                          .lower = Bound::closed,
                                          .greatest = std::numbers::pi,
                                          .upper = Bound::closed};
inline constexpr IntegerRange kConformalVariant{1, 4};

inline constexpr int kMaxElements = 65536;    // of the grid, in each direction
inline constexpr int kMaxRepeat = 1'000'000;  // also of the whole sequence
inline constexpr IntegerRange kElements{1, kMaxElements};
inline constexpr IntegerRange kRepeats{1, kMaxRepeat};

inline constexpr std::size_t kLeastPoints = 2;  // of a profile
inline constexpr std::size_t kLeastVertices = 3;
inline constexpr std::size_t kMostVertices = 10000;  // every pair of edges is checked

}  // namespace slipfield
