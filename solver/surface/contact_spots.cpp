// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/contact_spots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace slipfield {
namespace {

// A group of elements that share sides and are all in contact, or all not.
struct SpotRegion {
  std::size_t elements = 0;
  bool through_x = false;
  bool through_y = false;
};

class SpotSearch {
 public:
  SpotSearch(const Grid& grid, const std::vector<ElementState>& division)
      : grid_(grid),
        division_(division),
        repeats_x_(repeats_in_x(grid.boundary)),
        repeats_y_(repeats_in_y(grid.boundary)),
        place_(grid.count()),
        seen_(grid.count(), 0) {}

  [[nodiscard]] bool touches(std::size_t i) const { return division_[i] != ElementState::exterior; }
  [[nodiscard]] bool seen(std::size_t i) const { return seen_[i] != 0; }
  // The elements of the last region.
  [[nodiscard]] const std::vector<std::size_t>& elements() const { return queue_; }

  // The region of an element. Positions are counted without jumps at the edges: a region of a
  // periodic grid that returns to an element with another position goes all around.
  SpotRegion region_of(std::size_t first) {
    SpotRegion region;
    bool left = false, right = false, lower = false, upper = false;
    const auto at = [&](std::size_t i, int x, int y) {
      place_[i] = {x, y};
      seen_[i] = 1;
      queue_.push_back(i);
    };
    queue_.clear();
    at(first, static_cast<int>(first % static_cast<std::size_t>(grid_.mx)),
       static_cast<int>(first / static_cast<std::size_t>(grid_.mx)));
    std::size_t done = 0;
    while (done < queue_.size()) {  // the queue grows in the loop
      const std::size_t i = queue_[done++];
      const auto [x, y] = place_[i];
      const int ix = wrapped(x, grid_.mx);
      const int iy = wrapped(y, grid_.my);
      left = left || ix == 0;
      right = right || ix == grid_.mx - 1;
      lower = lower || iy == 0;
      upper = upper || iy == grid_.my - 1;
      for (const auto& [step_x, step_y] : kSides) {
        const int nx = ix + step_x;
        const int ny = iy + step_y;
        if (!repeats_x_ && (nx < 0 || nx >= grid_.mx)) continue;
        if (!repeats_y_ && (ny < 0 || ny >= grid_.my)) continue;
        const std::size_t next = grid_.index(wrapped(nx, grid_.mx), wrapped(ny, grid_.my));
        if (touches(next) != touches(i)) continue;
        if (seen_[next] == 0) {
          at(next, x + step_x, y + step_y);
        } else {
          region.through_x = region.through_x || place_[next][0] != x + step_x;
          region.through_y = region.through_y || place_[next][1] != y + step_y;
        }
      }
    }
    region.elements = queue_.size();
    if (!repeats_x_) region.through_x = left && right;
    if (!repeats_y_) region.through_y = lower && upper;
    return region;
  }

 private:
  static constexpr std::array<std::array<int, 2>, 4> kSides{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
  static int wrapped(int i, int count) { return ((i % count) + count) % count; }

  const Grid& grid_;
  const std::vector<ElementState>& division_;
  bool repeats_x_;
  bool repeats_y_;
  std::vector<std::array<int, 2>> place_;
  std::vector<unsigned char> seen_;
  std::vector<std::size_t> queue_;
};

}  // namespace

ContactSpots contact_spots(const Grid& grid, const std::vector<ElementState>& division,
                           const std::vector<double>& gap) {
  ContactSpots spots;
  SpotSearch search(grid, division);
  const bool repeats_x = repeats_in_x(grid.boundary);
  const bool repeats_y = repeats_in_y(grid.boundary);
  std::size_t touching = 0;
  std::size_t across_x = 0;  // number of sides between elements in contact and others
  std::size_t across_y = 0;
  std::size_t largest = 0;
  double gaps = 0.0;
  double finite = 0.0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      const bool touches = search.touches(i);
      touching += touches ? 1 : 0;
      if (std::isfinite(gap[i])) {
        gaps += gap[i];
        finite += 1.0;
      }
      if (ix + 1 < grid.mx || repeats_x)
        across_x += touches != search.touches(grid.index((ix + 1) % grid.mx, iy)) ? 1 : 0;
      if (iy + 1 < grid.my || repeats_y)
        across_y += touches != search.touches(grid.index(ix, (iy + 1) % grid.my)) ? 1 : 0;
      if (search.seen(i)) continue;
      const SpotRegion region = search.region_of(i);
      if (touches) {
        ++spots.count;
        largest = std::max(largest, region.elements);
      } else {
        spots.open_along_x = spots.open_along_x || region.through_x;
        spots.open_along_y = spots.open_along_y || region.through_y;
      }
    }
  }
  // [YastrebovAnciauxMolinari2017]: this part of an element is subtracted per side of the outline.
  constexpr double kOfSide = (std::numbers::pi - 1.0 + std::numbers::ln2) / 24.0;
  spots.area = static_cast<double>(touching) * grid.element_area();
  spots.area_corrected =
      spots.area - kOfSide * static_cast<double>(across_x + across_y) * grid.element_area();
  spots.perimeter =
      static_cast<double>(across_x) * grid.dy + static_cast<double>(across_y) * grid.dx;
  spots.largest_area = static_cast<double>(largest) * grid.element_area();
  spots.mean_gap = finite > 0.0 ? std::max(gaps / finite, 0.0) : 0.0;  // rounding, in full contact
  return spots;
}

std::vector<int> spot_numbers(const Grid& grid, const std::vector<ElementState>& division) {
  SpotSearch search(grid, division);
  std::vector<int> numbers(grid.count(), -1);
  int count = 0;
  for (std::size_t first = 0; first < numbers.size(); ++first) {
    if (!search.touches(first) || search.seen(first)) continue;
    search.region_of(first);
    for (const std::size_t i : search.elements()) numbers[i] = count;
    ++count;
  }
  return numbers;
}

}  // namespace slipfield
