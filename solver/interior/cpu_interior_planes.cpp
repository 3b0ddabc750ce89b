// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/cpu_interior_planes.h"

#include <algorithm>

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
  const std::size_t fields = static_cast<std::size_t>(components) * (kLoads + 1) + kStressMeasures;
  return CpuFftConvolution::memory_bytes(grid, components, components * kLoads) +
         ParityTransform::memory_bytes(grid) + fields * grid.count() * sizeof(double);
}

CpuInteriorPlanes::CpuInteriorPlanes(const InteriorTask& task, const ContactSolution& solution)
    : task_(task),
      components_(components_of(task.need)),
      convolution_(task.grid),
      transform_(task.grid) {
  const std::size_t count = task_.grid.count();
  const std::size_t needed = memory_bytes(task_.grid, task_.need);
  const std::size_t available = available_host_bytes();
  if (needed > available)
    throw InputError("stresses inside need " + readable_bytes(needed) +
                     " on this grid, the machine has " + readable_bytes(available) +
                     " free; accepted: a coarser grid");
  const auto tractions = tractions_of(solution);
  for (int load = 0; load < kLoads; ++load) {
    const double* const values = tractions[static_cast<std::size_t>(load)];
    if (!is_loaded(values, count)) continue;
    loads_.push_back(values);
    for (int c = 0; c < components_; ++c)
      tables_.push_back({load, c, std::vector<double>(count), {}});
  }
  for (int c = 0; c < components_; ++c) planes_[static_cast<std::size_t>(c)].resize(count);
  for (std::vector<double>& measure : measures_) measure.resize(task_.window.count());
}

void CpuInteriorPlanes::tabulate(double depth) {
  const Grid& grid = task_.grid;
#pragma omp parallel for schedule(dynamic, 4) if (grid.count() >= kLeastForThreads)
  for (int ky = 0; ky < grid.my; ++ky) {
    for (int kx = 0; kx < grid.mx; ++kx) {
      const InteriorResponse response = interior_response(
          kx * grid.dx, ky * grid.dy, depth, grid.dx, grid.dy, task_.material.poisson_ratio);
      for (Table& table : tables_)
        table.quarter[grid.index(kx, ky)] = response.of[table.load][table.component];
    }
  }
}

// Two of one parity at a time.
void CpuInteriorPlanes::transform_tables() {
  for (const Parity parity : {Parity{1, 1}, Parity{-1, -1}, Parity{-1, 1}, Parity{1, -1}}) {
    Table* waits = nullptr;
    for (Table& table : tables_) {
      const Parity own = interior_parity(table.load, table.component);
      if (own.x != parity.x || own.y != parity.y) continue;
      if (waits == nullptr) {
        waits = &table;
        continue;
      }
      transform_.transform(parity, waits->quarter.data(), table.quarter.data(), waits->spectrum,
                           &table.spectrum);
      waits = nullptr;
    }
    if (waits != nullptr)
      transform_.transform(parity, waits->quarter.data(), nullptr, waits->spectrum, nullptr);
  }
}

void CpuInteriorPlanes::compute(double depth) {
  if (loads_.empty()) {
    for (std::vector<double>& plane : planes_) std::fill(plane.begin(), plane.end(), 0.0);
    for (std::vector<double>& measure : measures_) std::fill(measure.begin(), measure.end(), 0.0);
    return;
  }
  tabulate(depth);
  transform_tables();
  std::vector<ConvolutionTerm> terms;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const auto& [load, component, quarter, spectrum] = tables_[i];
    const double scale = component >= kStressComponents ? 1.0 / task_.material.shear_modulus : 1.0;
    terms.push_back({component, static_cast<int>(i) / components_, &spectrum,
                     load_sign(task_.body, load) * component_sign(task_.body, component) * scale});
  }
  std::vector<double*> out;
  for (int c = 0; c < components_; ++c) out.push_back(planes_[static_cast<std::size_t>(c)].data());
  convolution_.apply(terms, loads_, out);
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
