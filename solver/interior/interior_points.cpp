// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/interior_points.h"

#include <map>

#include "solver/error.h"
#include "solver/interior/interior_waves.h"
#include "solver/interior/layered_response.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

struct ElementWithLoads {
  double x = 0.0;
  double y = 0.0;
  std::array<double, kLoads> load{};
};

std::vector<ElementWithLoads> loaded_elements(const Grid& grid, Body body,
                                              const ContactSolution& solution) {
  const InteriorLoads tractions(solution);
  std::vector<ElementWithLoads> elements;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      ElementWithLoads element{grid.x(ix), grid.y(iy), {}};
      bool any = false;
      for (int load = 0; load < kLoads; ++load) {
        const auto at = static_cast<std::size_t>(load);
        element.load[at] = load_sign(body, load) * tractions.of(load)[grid.index(ix, iy)];
        any = any || element.load[at] != 0.0;
      }
      if (any) elements.push_back(element);
    }
  }
  return elements;
}

std::vector<InteriorValues> sums_of_waves(const std::vector<InteriorPoint>& points,
                                          const InteriorWaves& waves) {
  std::map<double, std::vector<std::size_t>> by_depth;
  for (std::size_t i = 0; i < points.size(); ++i) by_depth[points[i].depth].push_back(i);
  std::vector<InteriorValues> values(points.size());
  for (const auto& [depth, there] : by_depth) {
    const InteriorWaves::Amplitudes amplitudes = waves.at(depth, kInteriorComponents);
    for (const std::size_t i : there)
      values[i] = waves.sum_at(amplitudes, points[i].x, points[i].y);
  }
  return values;
}

}  // namespace

std::vector<InteriorValues> interior_at(const std::vector<InteriorPoint>& points, const Grid& grid,
                                        const ElasticBody& material, Body body,
                                        const ContactSolution& solution) {
  if (is_viscoelastic(material))
    throw InputError(
        "displacements inside viscoelastic bodies are not computed, and a point has them; "
        "accepted: stresses in a volume, or elastic bodies");
  for (const InteriorPoint& point : points)
    if (in_base(material, point.depth))
      throw InputError("a point at depth " + number_text(point.depth) +
                       " is inside the rigid base of its body, which begins at " +
                       number_text(depth_of_base(material)) + "; accepted: points above it");
  if (grid.boundary == Boundary::periodic)
    return sums_of_waves(points, InteriorWaves(grid, material, body, solution));
  std::map<double, LayeredResponse> by_depth;
  for (const InteriorPoint& point : points)
    if (!by_depth.contains(point.depth))
      by_depth.emplace(point.depth, LayeredResponse(material, point.depth));
  const std::vector<ElementWithLoads> elements = loaded_elements(grid, body, solution);
  std::vector<InteriorValues> values(points.size());
#pragma omp parallel for schedule(dynamic, \
                                  1) if (points.size() * elements.size() >= kLeastForThreads)
  for (std::size_t i = 0; i < points.size(); ++i) {
    InteriorValues sum{};
    const LayeredResponse& unit = by_depth.at(points[i].depth);
    for (const ElementWithLoads& element : elements) {
      const InteriorResponse response =
          unit.at(points[i].x - element.x, points[i].y - element.y, grid.dx, grid.dy);
      for (int load = 0; load < kLoads; ++load)
        for (std::size_t c = 0; c < sum.size(); ++c)
          sum[c] += element.load[static_cast<std::size_t>(load)] * response.of[load][c];
    }
    for (std::size_t c = 0; c < sum.size(); ++c) {
      sum[c] *= component_sign(body, static_cast<int>(c));
      if (static_cast<int>(c) >= kStressComponents) sum[c] /= material.shear_modulus;
    }
    values[i] = sum;
  }
  return values;
}

}  // namespace slipfield
