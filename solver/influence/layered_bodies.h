// SPDX-License-Identifier: Apache-2.0
// Bodies of layers that are bonded to each other: how their surfaces yield, and what that adds to
// the coefficients of half-spaces of their outermost materials (THEORY.md 2.10).
//
// A wave of traction exp(i q x) on the surface displaces it along the wave, across it and normally
// to it by 1/q times the compliances of material.h. For a half-space they are numbers,
// (1 - nu)/G, 1/G, (1 - nu)/G and (1 - 2 nu)/(2 G) for the skew one; for layers they are functions of q that go to
// the outermost material's at short waves and to the deepest one's at long ones.
#pragma once

#include <vector>

#include "solver/influence/layer_image.h"
#include "solver/material.h"

namespace slipfield {

// q > 0 [1/length]. Integrates the plane problem's state (displacements and tractions) from the
// deepest material up to the surface, by pieces of at most a wavelength over 2 pi, so that nothing
// grows.
WaveCompliance wave_compliance(const ElasticBody& body, double q);

inline LayerImages view_of(const std::vector<LayerImage>& images) {
  return {images.data(), static_cast<int>(images.size())};
}

// The sum, to some 1e-8 of the greatest compliance at every q; empty where both bodies are
// half-spaces.
std::vector<LayerImage> layer_images(const ElasticBody& upper, const ElasticBody& lower);

}  // namespace slipfield
