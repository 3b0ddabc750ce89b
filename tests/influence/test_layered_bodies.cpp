// SPDX-License-Identifier: Apache-2.0
// Bodies of layers: compliances of waves, their sum of images, and coefficients, each against
// another way to compute it.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "solver/influence/influence_table.h"
#include "solver/influence/layered_bodies.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

constexpr Component kAllComponents[] = {Component::nn, Component::xx, Component::yy,
                                        Component::xy, Component::xn, Component::yn};

ElasticBody coated(const BodyLayer& layer, double modulus, double nu) {
  ElasticBody body{layer.shear_modulus, layer.poisson_ratio};
  body.thickness = layer.thickness;
  body.below = {{modulus, nu, 0.0}};
  return body;
}

// u_n q G1/p of a layer on a half-space, [O'Sullivan and King 1988] as solved for the wave p.
double wave_of_one_layer(const BodyLayer& layer, double modulus, double nu, double q) {
  const double ratio = layer.shear_modulus / modulus;
  const double at = q * layer.thickness;
  const double decay = std::exp(-2.0 * at);
  const double own = layer.poisson_ratio;
  const double lambda = 1.0 - 4.0 * (1.0 - own) / (1.0 + ratio * (3.0 - 4.0 * nu));
  const double kappa = (ratio - 1.0) / (ratio + 3.0 - 4.0 * own);
  return (1.0 - own) * (1.0 + 4.0 * at * kappa * decay - lambda * kappa * decay * decay) /
         (1.0 - (lambda + kappa + 4.0 * kappa * at * at) * decay + lambda * kappa * decay * decay);
}

// What layers change in the compliances of both bodies, by their definition.
WaveCompliance change_of(const ElasticBody& upper, const ElasticBody& lower, double q) {
  WaveCompliance sum;
  for (const ElasticBody* body : {&upper, &lower}) {
    const WaveCompliance now = wave_compliance(*body, q);
    const WaveCompliance deep = wave_compliance({body->shear_modulus, body->poisson_ratio}, q);
    sum.along += now.along - deep.along;
    sum.across += now.across - deep.across;
    sum.normal += now.normal - deep.normal;
    sum.skew += (body == &upper ? 1.0 : -1.0) * (now.skew - deep.skew);
  }
  return sum;
}

double greatest(const WaveCompliance& of) {
  return std::fmax(std::fmax(std::fabs(of.along), std::fabs(of.across)),
                   std::fmax(std::fabs(of.normal), std::fabs(of.skew)));
}

// The coefficient as the inverse transform of its symbol: exp(-q d)/q as definition has it, times
// the transform of the element, by the trapezoidal rule over angles and Simpson's over q.
double transformed(Component component, double x, double y, double dx, double dy,
                   const ElasticBody& upper, const ElasticBody& lower, double last) {
  constexpr int kAngles = 96;
  constexpr int kWaves = 1200;
  const auto of_element = [](double half) { return half == 0.0 ? 1.0 : std::sin(half) / half; };
  double sum = 0.0;
  for (int k = 0; k <= kWaves; ++k) {
    // Waves are closer together where they are long.
    const double part = static_cast<double>(k) / kWaves;
    const double q = last * part * part + 1e-12;
    const double weight =
        (k == 0 || k == kWaves ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0)) / 3.0 / kWaves * 2.0 * last * part;
    const WaveCompliance c = change_of(upper, lower, q);
    for (int j = 0; j < kAngles; ++j) {
      const double angle = 2.0 * std::numbers::pi * (j + 0.5) / kAngles;
      const double cosine = std::cos(angle);
      const double sine = std::sin(angle);
      const double phase = q * (x * cosine + y * sine);
      const double area =
          dx * dy * of_element(0.5 * q * dx * cosine) * of_element(0.5 * q * dy * sine);
      double value = 0.0;
      switch (component) {
        case Component::nn:
          value = c.normal * std::cos(phase);
          break;
        case Component::xx:
          value = (c.along * cosine * cosine + c.across * sine * sine) * std::cos(phase);
          break;
        case Component::yy:
          value = (c.along * sine * sine + c.across * cosine * cosine) * std::cos(phase);
          break;
        case Component::xy:
          value = (c.along - c.across) * cosine * sine * std::cos(phase);
          break;
        case Component::xn:
          value = -c.skew * cosine * std::sin(phase);
          break;
        case Component::yn:
          value = -c.skew * sine * std::sin(phase);
          break;
      }
      sum += weight * area * value * 2.0 * std::numbers::pi / kAngles;
    }
  }
  return sum / (4.0 * std::numbers::pi * std::numbers::pi);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("layers: a wave of pressure has the compliance of the closed form for one layer") {
    for (const double ratio : {0.05, 1.0, 3.0, 100.0})
      for (const double own : {0.0, 0.25, 0.5})
        for (const double q : {1e-3, 0.1, 1.0, 4.0, 30.0, 1e4}) {
          const BodyLayer layer{ratio, own, 0.7};
          const WaveCompliance found = wave_compliance(coated(layer, 1.0, 0.35), q);
          const double expected = wave_of_one_layer(layer, 1.0, 0.35, q) / ratio;
          CHECK(found.normal == test::near(expected, 1e-12));
        }
  }

  TEST_CASE("layers: of one material they are the half-space, however they are cut") {
    ElasticBody body{2.0, 0.3};
    body.thickness = 0.1;
    body.below = {{2.0, 0.3, 0.05}, {2.0, 0.3, 2.5}, {2.0, 0.3, 0.0}};
    for (const double q : {1e-4, 0.3, 2.0, 50.0}) {
      const WaveCompliance found = wave_compliance(body, q);
      CHECK(found.along == test::near(0.7 / 2.0, 1e-12));
      CHECK(found.across == test::near(1.0 / 2.0, 1e-12));
      CHECK(found.normal == test::near(0.7 / 2.0, 1e-12));
      CHECK(found.skew == test::near(0.4 / 4.0, 1e-12));
    }
  }

  TEST_CASE("layers: a thin one on a rigid base is a bed of springs, or squeezed out sideways") {
    ElasticBody body{1.5, 0.3};
    body.thickness = 0.2;
    const double q = 1e-4;
    const WaveCompliance found = wave_compliance(body, q);
    // p t (1 - 2 nu)/(2 G (1 - nu)), and t/G of a shear.
    CHECK(found.normal == test::near(q * 0.2 * 0.4 / (2.0 * 1.5 * 0.7), 1e-6));
    CHECK(found.along == test::near(q * 0.2 / 1.5, 1e-6));
    CHECK(found.across == test::near(q * 0.2 / 1.5, 1e-6));
    // Incompressible: lubrication's q^2 t^3/(3 G), over 1/q.
    body.poisson_ratio = 0.5;
    const double squeezed = std::pow(1e-2 * 0.2, 3) / (3.0 * 1.5);
    CHECK(wave_compliance(body, 1e-2).normal == test::near(squeezed, 1e-4));
  }

  TEST_CASE("layers: the images are the compliances at every wave") {
    ElasticBody two{5.0, 0.2};
    two.thickness = 0.01;
    two.below = {{0.3, 0.45, 1.0}, {1.0, 0.3, 0.0}};
    ElasticBody based{1.0, 0.5};
    based.thickness = 3.0;
    const ElasticBody plain{0.8, 0.3};
    for (const auto& [upper, lower] :
         {std::pair(plain, coated({3.0, 0.25, 1.0}, 1.0, 0.4)),
          std::pair(coated({1e4, 0.2, 1.0}, 1.0, 0.3), plain), std::pair(two, based),
          std::pair(plain, based), std::pair(coated({0.02, 0.49, 0.3}, 1.0, 0.3), two)}) {
      const std::vector<LayerImage> images = layer_images(upper, lower);
      double scale = 0.0;
      double worst = 0.0;
      for (double q = 1e-7; q < 1e4; q *= 1.07) {
        WaveCompliance left = change_of(upper, lower, q);
        scale = std::fmax(scale, greatest(left));
        for (const LayerImage& image : images) {
          const double decay = std::exp(-q * image.depth);
          left.along -= decay * image.share.along;
          left.across -= decay * image.share.across;
          left.normal -= decay * image.share.normal;
          left.skew -= decay * image.share.skew;
        }
        worst = std::fmax(worst, greatest(left));
      }
      CHECK(worst < 5e-8 * scale);
    }
    CHECK(layer_images(plain, plain).empty());
  }

  TEST_CASE("layers: coefficients are the inverse transform of the compliances") {
    const ElasticBody upper = coated({0.6, 0.4, 0.5}, 1.0, 0.25);
    const ElasticBody lower = coated({3.0, 0.25, 0.3}, 1.0, 0.4);
    const std::vector<LayerImage> images = layer_images(upper, lower);
    const double dx = 0.31;
    const double dy = 0.22;
    for (const auto& [x, y] : {std::pair(0.0, 0.0), std::pair(0.31, -0.22), std::pair(-0.93, 0.5),
                               std::pair(1.5, 1.9)})  // near and, of shallow images, far
      for (const Component component : kAllComponents) {
        const double found = image_coefficient(component, x, y, dx, dy, view_of(images));
        const double expected = transformed(component, x, y, dx, dy, upper, lower, 40.0);
        CHECK(std::fabs(found - expected) < 2e-8);
      }
  }

  TEST_CASE("influences: bodies may couple wherever pressure has a coefficient along the surface") {
    const Grid grid{.mx = 4, .my = 4, .dx = 0.5, .dy = 0.4};
    const auto coefficient = [&](const CombinedMaterial& material, const InfluenceKind& kind) {
      return std::abs(influence_coefficient(Component::xn, 0.7, 0.2, grid, material, kind));
    };
    const ElasticBody steel{1.0, 0.3};
    const CombinedMaterial like = combine(steel, steel);
    CHECK_FALSE(may_couple(like, {}));
    CHECK(coefficient(like, {}) == 0.0);
    const CombinedMaterial unlike = combine(steel, {3.0, 0.2});
    CHECK(may_couple(unlike, {}));
    CHECK(coefficient(unlike, {}) > 0.0);
    const ElasticBody bonded = coated({1.0, 0.3, 0.6}, 5.0, 0.2);  // like steel at its surface
    InfluenceKind layers;
    layers.layers = layer_images(bonded, steel);
    CHECK(combine(bonded, steel).coupling == 0.0);
    CHECK(may_couple(combine(bonded, steel), layers));
    CHECK(coefficient(combine(bonded, steel), layers) > 1e-3 * coefficient(unlike, {}));
    InfluenceKind curved;
    curved.curved = std::make_shared<const CurvedInfluence>();
    CHECK(may_couple(like, curved));
    InfluenceKind remembers;
    remembers.memory.resize(1);
    CHECK(may_couple(like, remembers));
  }
}

}  // namespace slipfield
