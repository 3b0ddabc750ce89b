// SPDX-License-Identifier: Apache-2.0
// Stresses and displacements inside a body of layers under a uniformly loaded rectangle (THEORY.md
// 12.2): the closed forms of a half-space of the outermost material, and images for what the layers
// change in them.
#pragma once

#include <vector>

#include "solver/influence/layered_bodies.h"
#include "solver/interior/interior_response.h"
#include "solver/material.h"

namespace slipfield {

class LayeredResponse {
 public:
  // At a depth from 0 to depth_of_base(body) [length].
  LayeredResponse(const ElasticBody& body, double depth);

  // As interior_response(); displacements times the outermost shear modulus.
  [[nodiscard]] InteriorResponse at(double x, double y, double dx, double dy) const;

 private:
  double depth_;
  double nu_;  // of the outermost material
  std::vector<InsideImage> images_;
};

}  // namespace slipfield
