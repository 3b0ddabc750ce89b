// SPDX-License-Identifier: Apache-2.0
// Patches of a contact that act on each other in part only (THEORY.md 4.7): between two of them the
// normal displacement by pressure is multiplied by a weight.
#pragma once

#include <cstddef>
#include <vector>

namespace slipfield {

// An element belongs to the first rectangle that has its centre; elsewhere nothing touches.
struct ContactPatches {
  struct Rectangle {
    double x_from = 0.0;
    double x_to = 0.0;
    double y_from = 0.0;
    double y_to = 0.0;
    bool operator==(const Rectangle&) const = default;
  };
  std::vector<Rectangle> rectangles;  // none: the contact is one patch
  // For patches 1 and 2, 1 and 3, .., 2 and 3, ..: from 0 (each as if alone) to 1 (one half-space).
  std::vector<double> weights;

  [[nodiscard]] bool exist() const { return !rectangles.empty(); }
  bool operator==(const ContactPatches&) const = default;
};

inline std::size_t pairs_of(std::size_t patches) {
  return patches * (patches - (patches == 0 ? 0 : 1)) / 2;
}

}  // namespace slipfield
