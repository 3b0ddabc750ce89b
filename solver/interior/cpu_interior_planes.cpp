// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/cpu_interior_planes.h"

#include <algorithm>
#include <span>

#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/interior/body_loads.h"
#include "solver/interior/local_measures.h"
#include "solver/memory_estimate.h"

namespace slipfield {
namespace {

bool is_loaded(const double* traction, std::size_t count) {
  return std::any_of(traction, traction + count, [](double value) { return value != 0.0; });
}

}  // namespace

std::size_t CpuInteriorPlanes::memory_bytes(const Grid& grid, InteriorNeed need) {
  const int components = components_of(need);
  const std::size_t table = 4 * grid.count() * sizeof(double);
  return CpuFftConvolution::memory_bytes(grid, components, components * kLoads) + 4 * table +
         grid.count() *
             (sizeof(InteriorResponse) + static_cast<std::size_t>(components) * sizeof(double));
}

CpuInteriorPlanes::CpuInteriorPlanes(const InteriorTask& task, const ContactSolution& solution)
    : task_(task),
      components_(components_of(task.need)),
      tractions_(tractions_of(solution)),
      convolution_(task.grid) {
  const Grid& grid = task_.grid;
  const std::size_t needed = memory_bytes(grid, task_.need);
  const std::size_t available = available_host_bytes();
  if (needed > available)
    throw InputError("stresses inside need " + readable_bytes(needed) +
                     " on this grid, the machine has " + readable_bytes(available) +
                     " free; accepted: a coarser grid");
  for (int load = 0; load < kLoads; ++load)
    if (is_loaded(tractions_[static_cast<std::size_t>(load)], grid.count())) loads_.push_back(load);
  quarter_.resize(grid.count());
  for (int c = 0; c < components_; ++c) planes_[static_cast<std::size_t>(c)].resize(grid.count());
  for (std::vector<double>& measure : measures_) measure.resize(task_.window.count());
}

void CpuInteriorPlanes::tabulate(double depth) {
#pragma omp parallel for schedule(dynamic, 4) if (task_.grid.count() >= kLeastForThreads)
  for (int ky = 0; ky < task_.grid.my; ++ky) {
    for (int kx = 0; kx < task_.grid.mx; ++kx)
      quarter_[task_.grid.index(kx, ky)] =
          interior_response(kx * task_.grid.dx, ky * task_.grid.dy, depth, task_.grid.dx,
                            task_.grid.dy, task_.material.poisson_ratio);
  }
}

// All differences of positions, from those of the quarter by parity.
InfluenceTable CpuInteriorPlanes::table(int load, int component) const {
  InfluenceTable table{task_.grid.mx, task_.grid.my, {}};
  table.values.resize(table.width() * (2 * static_cast<std::size_t>(task_.grid.my) - 1));
  const Parity sign = interior_parity(load, component);
  double* const origin = table.values.data() +
                         static_cast<std::size_t>(task_.grid.my - 1) * table.width() +
                         (task_.grid.mx - 1);
  const auto width = static_cast<std::ptrdiff_t>(table.width());
  for (int ky = 0; ky < task_.grid.my; ++ky) {
    for (int kx = 0; kx < task_.grid.mx; ++kx) {
      const double value = quarter_[task_.grid.index(kx, ky)].of[load][component];
      origin[ky * width + kx] = value;
      origin[ky * width - kx] = kx > 0 ? sign.x * value : value;
      origin[-ky * width + kx] = ky > 0 ? sign.y * value : value;
      origin[-ky * width - kx] = (kx > 0 ? sign.x : 1) * (ky > 0 ? sign.y : 1) * value;
    }
  }
  return table;
}

void CpuInteriorPlanes::compute(double depth) {
  if (loads_.empty()) {
    for (std::vector<double>& plane : planes_) std::fill(plane.begin(), plane.end(), 0.0);
    for (std::vector<double>& measure : measures_) std::fill(measure.begin(), measure.end(), 0.0);
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
                       load_sign(task_.body, load) * component_sign(task_.body, c) *
                           (displacement ? 1.0 / task_.material.shear_modulus : 1.0)});
    }
  }
  std::vector<double*> out;
  for (int c = 0; c < components_; ++c) out.push_back(planes_[static_cast<std::size_t>(c)].data());
  convolution_.apply(terms, in, out);
  update_measures();
}

void CpuInteriorPlanes::update_measures() {
  const InteriorWindow& window = task_.window;
  const auto width = static_cast<std::size_t>(window.mx);
#pragma omp parallel for schedule(static) if (window.count() >= kLeastForThreads)
  for (int iy = 0; iy < window.my; ++iy) {
    const std::size_t from = task_.grid.index(window.ix0, window.iy0 + iy);
    const std::size_t to = static_cast<std::size_t>(iy) * width;
    const double* const xx = planes_[0].data() + from;
    const double* const yy = planes_[1].data() + from;
    const double* const zz = planes_[2].data() + from;
    const double* const xy = planes_[3].data() + from;
    const double* const xz = planes_[4].data() + from;
    const double* const yz = planes_[5].data() + from;
    double* const first = measures_[0].data() + to;
    double* const second = measures_[1].data() + to;
    double* const third = measures_[2].data() + to;
    double* const mises = measures_[3].data() + to;
    double* const tresca = measures_[4].data() + to;
    double* const mean = measures_[5].data() + to;
#pragma omp simd
    for (std::size_t i = 0; i < width; ++i) {
      const LocalMeasures here = local_measures(xx[i], yy[i], zz[i], xy[i], xz[i], yz[i]);
      first[i] = here.principal_1;
      second[i] = here.principal_2;
      third[i] = here.principal_3;
      mises[i] = here.von_mises;
      tresca[i] = here.tresca;
      mean[i] = here.hydrostatic;
    }
  }
}

const std::vector<double>& CpuInteriorPlanes::measure(InteriorQuantity quantity) {
  return measures_[static_cast<std::size_t>(quantity) - kInteriorComponents];
}

std::unique_ptr<InteriorPlanes> make_cpu_interior_planes(const InteriorTask& task,
                                                         const ContactSolution& solution) {
  return std::make_unique<CpuInteriorPlanes>(task, solution);
}

}  // namespace slipfield
