// SPDX-License-Identifier: Apache-2.0
// Newton's equations F = 0 linearized at a solution, on the host: how F changes with small changes
// of the rigid motion and of the pressure (THEORY.md 11.5).
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "solver/fields/tangential_ops.h"

namespace slipfield {

// How fast the bound of an element, by its index, falls with its slip [pressure/length]; empty if
// bounds do not depend on slip.
using FallOfBound = std::function<double(std::size_t element, double slip)>;

// Fields have one value per element of the grid. The unknowns are those of the elements in contact:
// x of all of them, then y.
struct LinearizedFriction {
  std::vector<int> contact;
  double rho = 0.0;
  std::vector<double> dxx, dxy, dyx, dyy;  // D
  std::vector<double> fraction;            // of the rigid slip
  std::vector<double> yielding;  // change of the traction per change of the bound, in slip
  std::vector<double> traction_x, traction_y;
  std::vector<unsigned char> state;
};

// Moves a linearization from part of a grid to the whole grid of `count` elements: places[i] is the
// index of element i there. Elements outside the part are not in contact.
LinearizedFriction on_grid(const LinearizedFriction& part, const std::vector<std::size_t>& places,
                           std::size_t count);

// Returns -dF for unit rigid slip in x, in y, and for unit rotation: three columns.
Eigen::MatrixXd by_rigid_motion(const LinearizedFriction& at, const ElementCentres& centres,
                                const RigidSlip& rigid);

// Returns -dF for a change of the pressure, with each bound at a given slip in proportion to its
// pressure: one column.
Eigen::MatrixXd by_bound(const LinearizedFriction& at, const std::vector<double>& pressure,
                         const std::vector<double>& change);

// Adds -dF for slip that the tractions in contact do not cause.
void add_by_slip(const LinearizedFriction& at, const std::vector<double>& slip_x,
                 const std::vector<double>& slip_y, Eigen::MatrixXd& column);

// Sums of a column of tractions: p_x, p_y and x p_y - y p_x.
std::array<double, 3> traction_sums(const LinearizedFriction& at, const ElementCentres& centres,
                                    const Eigen::MatrixXd& columns, Eigen::Index column);

}  // namespace slipfield
