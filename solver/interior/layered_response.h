// SPDX-License-Identifier: Apache-2.0
// Stresses and displacements inside a layered body under a uniformly loaded rectangle (THEORY.md
// 12.2): the closed forms for a half-space of the outermost material, plus images for the effect of
// the layers.
#pragma once

#include <vector>

#include "solver/influence/layered_bodies.h"
#include "solver/interior/interior_response.h"
#include "solver/material.h"

namespace slipfield {

class LayeredResponse {
 public:
  // depth: from 0 to depth_of_base(body) [length].
  LayeredResponse(const ElasticBody& body, double depth);

  // Like interior_response(); displacements are multiplied by the outermost shear modulus.
  [[nodiscard]] InteriorResponse at(double x, double y, double dx, double dy) const;

 private:
  double depth_;
  double nu_;  // of the outermost material
  std::vector<InsideImage> images_;
};

}  // namespace slipfield
