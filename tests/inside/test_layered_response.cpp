// SPDX-License-Identifier: Apache-2.0
// Stresses inside bodies of layers. Equilibrium, Hooke's law in each layer, the load on the
// surface, bonded borders and rest far away have one solution: each is asserted.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/influence/influence_coefficients.h"
#include "solver/influence/layered_bodies.h"
#include "solver/interior/layered_response.h"
#include "solver/solution.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

ElasticBody stack_of(const std::vector<BodyLayer>& layers) {
  ElasticBody body{layers[0].shear_modulus, layers[0].poisson_ratio};
  body.thickness = layers[0].thickness;
  body.below.assign(layers.begin() + 1, layers.end());
  return body;
}

// Stiff, soft, of two layers, on a rigid base, of a body that keeps its volume.
const std::vector<ElasticBody> kStacks = {
    stack_of({{8.0, 0.2, 0.3}, {1.0, 0.3, 0.0}}), stack_of({{0.05, 0.45, 0.7}, {1.0, 0.3, 0.0}}),
    stack_of({{3.0, 0.25, 0.2}, {0.5, 0.5, 0.3}, {1.5, 0.1, 0.0}}), stack_of({{1.0, 0.35, 0.8}}),
    stack_of({{100.0, 0.3, 0.05}, {1.0, 0.3, 0.0}})};

BodyLayer layer_at(const ElasticBody& body, double depth) {
  double bottom = 0.0;
  for (const BodyLayer& layer : layers_of(body)) {
    bottom += layer.thickness;
    if (layer.thickness == 0.0 || depth <= bottom) return layer;
  }
  return {};
}

constexpr double kDx = 0.5;
constexpr double kDy = 0.4;

using Values = std::array<double, kInteriorComponents>;

// Displacements in lengths per load.
Values values_at(const ElasticBody& body, int load, double x, double y, double z) {
  const InteriorResponse response = LayeredResponse(body, z).at(x, y, kDx, kDy);
  Values values{};
  for (int c = 0; c < kInteriorComponents; ++c)
    values[static_cast<std::size_t>(c)] =
        response.of[load][c] / (c < kStressComponents ? 1.0 : body.shear_modulus);
  return values;
}

// Derivatives along x, y, z by differences of fourth order, the step h.
std::array<Values, 3> gradient_at(const ElasticBody& body, int load, double x, double y, double z,
                                  double h) {
  std::array<Values, 3> slopes{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto along = [&](double step) {
      return values_at(body, load, x + (axis == 0 ? step : 0.0), y + (axis == 1 ? step : 0.0),
                       z + (axis == 2 ? step : 0.0));
    };
    const Values far_below = along(-2.0 * h);
    const Values below = along(-h);
    const Values above = along(h);
    const Values far_above = along(2.0 * h);
    for (std::size_t c = 0; c < kInteriorComponents; ++c)
      slopes[static_cast<std::size_t>(axis)][c] =
          (8.0 * (above[c] - below[c]) - (far_above[c] - far_below[c])) / (12.0 * h);
  }
  return slopes;
}

double greatest(const InsideShares& of) {
  double most = 0.0;
  for (const double value : of) most = std::max(most, std::fabs(value));
  return most;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("layered interior: the images are what layers change in waves, at any depth") {
    for (const ElasticBody& body : kStacks)
      for (const double part : {0.0, 0.3, 0.95, 1.0, 1.05, 1.5, 4.0}) {
        const double depth = part * body.thickness;
        if (depth > depth_of_base(body)) continue;
        CAPTURE(body.shear_modulus);
        CAPTURE(part);
        const std::vector<InsideImage> images = inside_images(body, depth);
        double most = 0.0;
        double off = 0.0;
        for (double q = 1.0e-4 / body.thickness; q < 100.0 / body.thickness; q *= 1.17) {
          const InsideShares layered = inside_waves(body, depth, q);
          const InsideShares deep =
              inside_waves({body.shear_modulus, body.poisson_ratio}, depth, q);
          InsideShares left{};
          for (std::size_t c = 0; c < left.size(); ++c) {
            left[c] = layered[c] - deep[c];
            for (const InsideImage& image : images)
              left[c] -= image.share[c] * std::exp(-q * image.depth);
          }
          most = std::max(most, greatest(layered));
          off = std::max(off, greatest(left));
        }
        CHECK(off < 2.0e-7 * most);
      }
  }

  TEST_CASE("layered interior: layers of one material are a half-space, far images as near ones") {
    const ElasticBody body = stack_of({{2.0, 0.3, 0.4}, {2.0, 0.3, 0.5}, {2.0, 0.3, 0.0}});
    for (const double depth : {0.0, 0.1, 0.4, 0.9, 3.0}) {
      const LayeredResponse response(body, depth);
      for (const double x : {0.0, 0.7, 6.0}) {
        const InteriorResponse layered = response.at(x, -0.4 * x, kDx, kDy);
        const InteriorResponse deep = interior_response(x, -0.4 * x, depth, kDx, kDy, 0.3);
        for (int load = 0; load < kLoads; ++load)
          for (int c = 0; c < kInteriorComponents; ++c)
            CHECK(std::fabs(layered.of[load][c] - deep.of[load][c]) < 1e-12);
      }
    }
    // On both sides of where Gauss's rule takes over.
    const LayeredResponse response(kStacks[0], 0.1);
    const double edge = std::sqrt(64.0 * kDx * kDx - 0.36 * 0.36 - 0.3 * 0.3);
    for (int load = 0; load < kLoads; ++load) {
      const InteriorResponse near = response.at(edge - 1e-9, 0.3, kDx, kDy);
      const InteriorResponse far = response.at(edge + 1e-9, 0.3, kDx, kDy);
      for (int c = 0; c < kInteriorComponents; ++c)
        CHECK(near.of[load][c] == test::near(far.of[load][c], 1e-6));
    }
  }

  // Their weights cancel to a part of 1e-6, and far elements must not be less exact than that.
  TEST_CASE("layered interior: an element of stiff and soft layers is the sum of its quarters") {
    const ElasticBody body = stack_of(
        {{1.0, 0.3, 0.1}, {0.01, 0.3, 0.1}, {1.0, 0.3, 0.1}, {0.01, 0.3, 0.1}, {1.0, 0.3, 0.0}});
    const std::vector<LayerImage> images = layer_images(body, {1e30, 0.0});
    const LayeredResponse response(body, 0.05);
    constexpr double kSize = 0.3;
    for (const double x : {0.0, 1.2, 2.1, 2.7, 6.0}) {
      const InteriorResponse whole = response.at(x, 0.6, kSize, kSize);
      InteriorResponse parts{};
      double coefficient = -image_coefficient(Component::nn, x, 0.6, kSize, kSize, view_of(images));
      for (const double across : {-0.25, 0.25})
        for (const double along : {-0.25, 0.25}) {
          const double part_x = x + along * kSize;
          const double part_y = 0.6 + across * kSize;
          const InteriorResponse part = response.at(part_x, part_y, 0.5 * kSize, 0.5 * kSize);
          for (int load = 0; load < kLoads; ++load)
            for (int c = 0; c < kInteriorComponents; ++c) parts.of[load][c] += part.of[load][c];
          coefficient += image_coefficient(Component::nn, part_x, part_y, 0.5 * kSize, 0.5 * kSize,
                                           view_of(images));
        }
      CHECK(std::fabs(coefficient) < 1e-6);
      for (int load = 0; load < kLoads; ++load)
        for (int c = 0; c < kInteriorComponents; ++c)
          CHECK(std::fabs(parts.of[load][c] - whole.of[load][c]) < 1e-6);
    }
  }

  TEST_CASE("layered interior: equilibrium and Hooke's law hold in every layer") {
    for (const ElasticBody& body : kStacks)
      for (const double part : {0.4, 0.8, 1.3, 3.0}) {
        const double z = part * body.thickness;
        const double step = 0.06 * z;
        if (z + 2.0 * step > depth_of_base(body)) continue;
        const BodyLayer layer = layer_at(body, z);
        const double g = layer.shear_modulus;
        const double nu = layer.poisson_ratio;
        const double off = 3.0e-4 * std::max(1.0, g);  // each depth has a fit of its own
        CAPTURE(body.shear_modulus);
        CAPTURE(part);
        for (int load = 0; load < kLoads; ++load)
          for (const auto& [x, y] : {std::array{0.1, 0.05}, std::array{0.45, -0.35}}) {
            const Values at = values_at(body, load, x, y, z);
            const auto by = gradient_at(body, load, x, y, z, step);
            // The scale of stresses near the load is 1, that of their slopes 1 over a depth.
            const double slack = 2.0e-4 / std::min(z, 0.3);
            CHECK(std::fabs(by[0][0] + by[1][3] + by[2][4]) < slack);
            CHECK(std::fabs(by[0][3] + by[1][1] + by[2][5]) < slack);
            CHECK(std::fabs(by[0][4] + by[1][5] + by[2][2]) < slack);
            // E times the strains, which are finite also where nu = 1/2.
            const double sum = at[0] + at[1] + at[2];
            for (std::size_t axis = 0; axis < 3; ++axis)
              CHECK(std::fabs(2.0 * g * by[axis][6 + axis] - (at[axis] - nu / (1.0 + nu) * sum)) <
                    off);
            CHECK(std::fabs(g * (by[1][6] + by[0][7]) - at[3]) < off);
            CHECK(std::fabs(g * (by[2][6] + by[0][8]) - at[4]) < off);
            CHECK(std::fabs(g * (by[2][7] + by[1][8]) - at[5]) < off);
          }
      }
  }

  TEST_CASE(
      "layered interior: borders are bonded, the surface bears the load, a base holds still") {
    for (const ElasticBody& body : kStacks) {
      CAPTURE(body.shear_modulus);
      double border = 0.0;
      for (const BodyLayer& layer : layers_of(body)) {
        if (layer.thickness == 0.0) break;
        border += layer.thickness;
        for (int load = 0; load < kLoads; ++load) {
          const Values above = values_at(body, load, 0.2, -0.1, border);
          if (border == depth_of_base(body)) {
            for (std::size_t c = kStressComponents; c < above.size(); ++c)
              CHECK(std::fabs(above[c]) < 1e-6);
            continue;
          }
          const Values below = values_at(body, load, 0.2, -0.1, border * (1.0 + 1e-9));
          for (const std::size_t c : {2, 4, 5, 6, 7, 8})  // tractions and displacements
            CHECK(std::fabs(above[c] - below[c]) < 2e-6);
        }
      }
      for (int load = 0; load < kLoads; ++load)
        for (const double x : {0.0, 0.2, 0.4}) {
          const Values at = values_at(body, load, x, 0.1, 0.0);
          const double loaded = x < 0.5 * kDx ? -1.0 : 0.0;
          CHECK(std::fabs(at[4] - (load == 0 ? loaded : 0.0)) < 2e-6);
          CHECK(std::fabs(at[5] - (load == 1 ? loaded : 0.0)) < 2e-6);
          CHECK(std::fabs(at[2] - (load == 2 ? loaded : 0.0)) < 2e-6);
        }
    }
  }

  TEST_CASE("layered interior: at the surface it moves as the coefficients of contact have it") {
    const ElasticBody rigid{1e30, 0.0};
    for (const ElasticBody& body : kStacks) {
      const std::vector<LayerImage> images = layer_images(body, rigid);
      for (const auto& [x, y] :
           {std::array{0.0, 0.0}, std::array{0.5, 0.4}, std::array{2.0, -1.2}}) {
        const auto coefficient = [&](Component c) {
          return influence_coefficient(c, x, y, kDx, kDy, combine(body, rigid)) +
                 image_coefficient(c, x, y, kDx, kDy, view_of(images));
        };
        const double scale = std::fabs(coefficient(Component::nn)) + 1e-3 / body.shear_modulus;
        const auto near = [&](double a, double b) { return std::fabs(a - b) < 1e-5 * scale; };
        CHECK(near(values_at(body, 2, x, y, 0.0)[8], coefficient(Component::nn)));
        CHECK(near(values_at(body, 0, x, y, 0.0)[6], coefficient(Component::xx)));
        CHECK(near(values_at(body, 1, x, y, 0.0)[7], coefficient(Component::yy)));
        CHECK(near(values_at(body, 1, x, y, 0.0)[6], coefficient(Component::xy)));
        CHECK(near(values_at(body, 2, x, y, 0.0)[6], coefficient(Component::xn)));
        CHECK(near(values_at(body, 2, x, y, 0.0)[7], coefficient(Component::yn)));
      }
    }
  }
}

}  // namespace slipfield
