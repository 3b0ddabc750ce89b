// SPDX-License-Identifier: Apache-2.0
// Influence coefficients of a grid that is periodic in one direction and free in the other:
// half-space coefficients summed over all images of an element (THEORY.md 2.5).
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "solver/grid.h"
#include "solver/influence/influence_coefficients.h"

namespace slipfield {

// Each element has an image at every whole number of periods. The sums of 1/r are determined up to
// a constant, chosen so that a load that is constant along the period causes no displacement in its
// own direction at `distance` across.
struct PeriodicImages {
  double period = 0.0;    // [length]; 0: no images
  double distance = 0.0;  // [length]
  bool along_y = false;   // the period; otherwise along x

  [[nodiscard]] bool exist() const { return period > 0.0; }
  friend bool operator==(const PeriodicImages&, const PeriodicImages&) = default;
};

// Images of a grid that is periodic in one direction; `distance` is its extent in the other
// direction.
PeriodicImages images_of(const Grid& grid);

// An element whose images are summed, including a layer's compliance. `along`: in the direction of
// the period.
class ElementWithImages {
 public:
  ElementWithImages(Component component, double dx, double dy, const CombinedMaterial& material,
                    const PeriodicImages& images);

  // The sum at the difference of positions (x, y) [length^3/force].
  [[nodiscard]] double at(double x, double y) const;

 private:
  friend class LineOfImages;
  friend class RowOfImages;
  [[nodiscard]] bool is_far(double across) const;
  [[nodiscard]] double of_strip(double across) const;
  [[nodiscard]] double one(double along, double across) const;
  [[nodiscard]] double near(double along, double across) const;
  [[nodiscard]] double far(double along, double across) const;
  [[nodiscard]] double beyond(double along, double across) const;
  [[nodiscard]] double folded(double along) const;

  Component component_;  // for a period along x
  double length_;        // of the element along the period
  double width_;
  CombinedMaterial material_;
  PeriodicImages images_;
};

// The sum at a fixed position across the period, for many positions along it: the far images become
// a short series.
class LineOfImages {
 public:
  LineOfImages(const ElementWithImages& element, double across);
  [[nodiscard]] double at(double along) const;

 private:
  static constexpr std::size_t kTerms = 12;
  const ElementWithImages& element_;
  double across_;
  bool odd_;
  std::array<double, kTerms> far_{};  // Chebyshev's coefficients in (2 along/period)^2
};

// The sum at a fixed position along the period, for many positions across it: the far images become
// short series over stretches of one period, each formed on first use. Not thread-safe.
class RowOfImages {
 public:
  // reach: how far across series are used; beyond it each position is summed by itself.
  RowOfImages(const ElementWithImages& element, double along, double reach);
  [[nodiscard]] double at(double across);

 private:
  static constexpr std::size_t kTerms =
      16;  // 6.2^-16 = 2e-13: the nearest far image is 1.5 periods away

  ElementWithImages element_;
  double along_;
  double reach_;
  std::map<std::int64_t, std::array<double, kTerms>> far_;  // by the number of the stretch
};

}  // namespace slipfield
