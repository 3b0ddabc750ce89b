// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "solver/host_device.h"
#include "solver/tangential/tangential_ops.h"

namespace slipfield {

// Rolling along an axis of the grid: which elements lie ahead of and behind another one. A line is
// a row of elements along the rolling direction, a place is one in it.
struct RollingLine {
  int mx = 1;
  int my = 1;
  bool along_y = false;
  int ahead = 1;  // 1: towards greater coordinates, -1
  SLIPFIELD_HD int place(std::size_t i) const {
    const auto width = static_cast<std::size_t>(mx);
    return static_cast<int>(along_y ? i / width : i % width);
  }
  SLIPFIELD_HD int across(std::size_t i) const {
    const auto width = static_cast<std::size_t>(mx);
    return static_cast<int>(along_y ? i % width : i / width);
  }
  [[nodiscard]] SLIPFIELD_HD int length() const { return along_y ? my : mx; }
  [[nodiscard]] SLIPFIELD_HD int lines() const { return along_y ? mx : my; }
  [[nodiscard]] SLIPFIELD_HD bool holds(int place, int row) const {
    return place >= 0 && place < length() && row >= 0 && row < lines();
  }
  SLIPFIELD_HD std::size_t index(int place, int row) const {
    const auto width = static_cast<std::size_t>(mx);
    return along_y ? static_cast<std::size_t>(place) * width + static_cast<std::size_t>(row)
                   : static_cast<std::size_t>(row) * width + static_cast<std::size_t>(place);
  }
  // The parts along x and y of a vector.
  [[nodiscard]] SLIPFIELD_HD double to_x(double along, double across_it) const {
    return along_y ? across_it : ahead * along;
  }
  [[nodiscard]] SLIPFIELD_HD double to_y(double along, double across_it) const {
    return along_y ? ahead * along : across_it;
  }
  // Whether there is an element, and it is in contact.
  SLIPFIELD_HD bool touches(const unsigned char* state, int place, int row) const {
    return holds(place, row) && in_contact(state[index(place, row)]);
  }
  // take(j, i) for the second and third element of the run that the one at `place` leads, or for
  // the only one: j = 0 is the leading one, i the element's place in a field.
  template <class Take>
  SLIPFIELD_HD void behind_leading(const unsigned char* state, int place, int row,
                                   const Take& take) const {
    const int from = touches(state, place - ahead, row) ? 1 : 0;
    for (int j = from; j <= 2 * from; ++j) {
      const int at = place - j * ahead;
      if (!touches(state, at, row)) return;
      take(j, index(at, row));
    }
  }
};

}  // namespace slipfield
