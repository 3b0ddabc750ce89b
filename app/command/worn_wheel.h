// SPDX-License-Identifier: Apache-2.0
// slipfield wear of a result with wheel_rail: the worn profile of a wheel or of a rail.
#pragma once

#include <string>

namespace slipfield {

struct WornWheelArguments {
  std::string path;
  std::string output;
  std::string side;  // left, right; empty: the only one
  bool rail = true;  // its profile, or the wheel's
  int step = 0;      // 0: the sum of all
  bool overwrite = false;
  int point = 0;  // of a sweep with fields; 0: the file is one result
};

// The exit code. InputError where the result has no wear, or no contact on that side.
int wear_of_wheel(const WornWheelArguments& arguments);

}  // namespace slipfield
