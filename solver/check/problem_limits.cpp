// SPDX-License-Identifier: Apache-2.0
#include "solver/problem_limits.h"

#include "solver/number_text.h"

namespace slipfield {

std::string NumberRange::describe() const {
  std::string result = "number";
  if (least > -std::numeric_limits<double>::infinity())
    result += (lower == Bound::closed ? " >= " : " > ") + number_text(least);
  if (greatest < std::numeric_limits<double>::infinity()) {
    result += result == "number" ? "" : " and";
    result += (upper == Bound::closed ? " <= " : " < ") + number_text(greatest);
  }
  return result + besides;
}

std::string NumberRange::describe_one() const { return "a " + describe(); }

std::string IntegerRange::describe_one() const {
  return (least == greatest ? "the " : "an ") + describe();
}

std::string IntegerRange::describe() const {
  if (least == greatest) return "integer " + std::to_string(least);
  return "integer from " + std::to_string(least) + " to " + std::to_string(greatest);
}

}  // namespace slipfield
