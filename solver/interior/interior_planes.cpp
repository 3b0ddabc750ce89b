// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/interior_planes.h"

#include <algorithm>
#include <span>

#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/interior/body_loads.h"
#include "solver/memory_estimate.h"

namespace slipfield {
namespace {

int components_of(InteriorNeed need) {
  return need == InteriorNeed::stress ? kStressComponents : kInteriorComponents;
}

bool is_loaded(const double* traction, std::size_t count) {
  return std::any_of(traction, traction + count, [](double value) { return value != 0.0; });
}

}  // namespace

std::size_t InteriorPlanes::memory_bytes(const Grid& grid, InteriorNeed need) {
  const int components = components_of(need);
  const std::size_t table = 4 * grid.count() * sizeof(double);
  return CpuFftConvolution::memory_bytes(grid, components, components * kLoads) + 4 * table +
         grid.count() *
             (sizeof(InteriorResponse) + static_cast<std::size_t>(components) * sizeof(double));
}

InteriorPlanes::InteriorPlanes(const Grid& grid, const ElasticBody& material, Body body,
                               const ContactSolution& solution, InteriorNeed need)
    : grid_(grid),
      material_(material),
      body_(body),
      components_(components_of(need)),
      tractions_(tractions_of(solution)),
      convolution_(grid) {
  const std::size_t needed = memory_bytes(grid, need);
  const std::size_t available = available_host_bytes();
  if (needed > available)
    throw InputError("stresses inside need " + readable_bytes(needed) +
                     " on this grid, the machine has " + readable_bytes(available) +
                     " free; accepted: a coarser grid");
  for (int load = 0; load < kLoads; ++load)
    if (is_loaded(tractions_[static_cast<std::size_t>(load)], grid.count())) loads_.push_back(load);
  quarter_.resize(grid.count());
  for (int c = 0; c < components_; ++c) planes_[static_cast<std::size_t>(c)].resize(grid.count());
}

void InteriorPlanes::tabulate(double depth) {
#pragma omp parallel for schedule(dynamic, 4) if (grid_.count() >= kLeastForThreads)
  for (int ky = 0; ky < grid_.my; ++ky) {
    for (int kx = 0; kx < grid_.mx; ++kx)
      quarter_[grid_.index(kx, ky)] = interior_response(
          kx * grid_.dx, ky * grid_.dy, depth, grid_.dx, grid_.dy, material_.poisson_ratio);
  }
}

// All differences of positions, from those of the quarter by parity.
InfluenceTable InteriorPlanes::table(int load, int component) const {
  InfluenceTable table{grid_.mx, grid_.my, {}};
  table.values.resize(table.width() * (2 * static_cast<std::size_t>(grid_.my) - 1));
  const Parity sign = interior_parity(load, component);
  double* const origin =
      table.values.data() + static_cast<std::size_t>(grid_.my - 1) * table.width() + (grid_.mx - 1);
  const auto width = static_cast<std::ptrdiff_t>(table.width());
  for (int ky = 0; ky < grid_.my; ++ky) {
    for (int kx = 0; kx < grid_.mx; ++kx) {
      const double value = quarter_[grid_.index(kx, ky)].of[load][component];
      origin[ky * width + kx] = value;
      origin[ky * width - kx] = kx > 0 ? sign.x * value : value;
      origin[-ky * width + kx] = ky > 0 ? sign.y * value : value;
      origin[-ky * width - kx] = (kx > 0 ? sign.x : 1) * (ky > 0 ? sign.y : 1) * value;
    }
  }
  return table;
}

void InteriorPlanes::compute(double depth) {
  if (loads_.empty()) {
    for (std::vector<double>& plane : planes_) std::fill(plane.begin(), plane.end(), 0.0);
    return;
  }
  tabulate(depth);
  std::vector<Spectrum> spectra;
  spectra.reserve(loads_.size() * static_cast<std::size_t>(components_));
  std::vector<ConvolutionTerm> terms;
  std::vector<const double*> in;
  for (std::size_t source = 0; source < loads_.size(); ++source) {
    const int load = loads_[source];
    in.push_back(tractions_[static_cast<std::size_t>(load)]);
    for (int c = 0; c < components_; ++c) {
      spectra.push_back(convolution_.transform(table(load, c)));
      const bool displacement = c >= kStressComponents;
      terms.push_back({c, static_cast<int>(source), &spectra.back(),
                       load_sign(body_, load) * component_sign(body_, c) *
                           (displacement ? 1.0 / material_.shear_modulus : 1.0)});
    }
  }
  std::vector<double*> out;
  for (int c = 0; c < components_; ++c) out.push_back(planes_[static_cast<std::size_t>(c)].data());
  convolution_.apply(terms, in, out);
}

}  // namespace slipfield
