// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/cpu_interior_planes.h"

#include <fftw3.h>

#include <algorithm>

#include "solver/cpu/fftw_planner.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/interior/interior_waves.h"
#include "solver/interior/layered_response.h"
#include "solver/interior/local_measures.h"
#include "solver/memory_estimate.h"

namespace slipfield {

// A table that is even in both directions or odd in both has a real transform; one that is odd in
// one direction an imaginary one. So one complex transform, of A + iB, serves two tables A and B of
// the same parity. Rows of negative ky equal those of positive ky up to a sign.

namespace {

constexpr int kColumnsAtOnce = 4;  // a cache line of each row

std::size_t numbers_in(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

}  // namespace

struct ParityTransform::Plans {
  FftwPlan<> row;
  FftwPlan<> columns;  // kColumnsAtOnce contiguous columns, in place

  Plans(int nx, int ny) {
    auto line = fftw_buffer<std::complex<double>>(static_cast<std::size_t>(nx));
    auto block = fftw_buffer<std::complex<double>>(numbers_in(ny, kColumnsAtOnce));
    const std::lock_guard<std::mutex> planning(fftw_planner());
    row.reset(fftw_plan_dft_1d(nx, as_fftw(line.get()), as_fftw(line.get()), FFTW_FORWARD,
                               FFTW_ESTIMATE));
    columns.reset(fftw_plan_many_dft(1, &ny, kColumnsAtOnce, as_fftw(block.get()), nullptr, 1, ny,
                                     as_fftw(block.get()), nullptr, 1, ny, FFTW_FORWARD,
                                     FFTW_ESTIMATE));
  }
};

ParityTransform::ParityTransform(const Grid& grid)
    : mx_(grid.mx),
      my_(grid.my),
      nx_(transform_sizes(grid).x),
      ny_(transform_sizes(grid).y),
      columns_(nx_ / 2 + 1),
      worth_threads_(grid.count() >= kLeastForThreads),
      plans_(std::make_unique<Plans>(nx_, ny_)),
      half_(fftw_buffer<std::complex<double>>(numbers_in(my_, columns_)).release()) {}

ParityTransform::~ParityTransform() { fftw_free(half_); }

std::size_t ParityTransform::memory_bytes(const Grid& grid) {
  return numbers_in(grid.my, transform_sizes(grid).x / 2 + 1) * sizeof(std::complex<double>);
}

void ParityTransform::rows(Parity parity, const double* first, const double* second) {
#pragma omp parallel if (worth_threads_)
  {
    auto line = fftw_buffer<std::complex<double>>(static_cast<std::size_t>(nx_));
#pragma omp for schedule(static)
    for (int ky = 0; ky < my_; ++ky) {
      std::fill_n(line.get(), nx_, 0.0);
      const bool zero_row = ky == 0 && parity.y < 0;
      for (int kx = parity.x < 0 ? 1 : 0; kx < mx_ && !zero_row; ++kx) {
        const std::size_t at = numbers_in(ky, mx_) + static_cast<std::size_t>(kx);
        const std::complex<double> value(first[at], second != nullptr ? second[at] : 0.0);
        line[static_cast<std::size_t>(kx)] = value;
        if (kx > 0) line[static_cast<std::size_t>(nx_ - kx)] = parity.x < 0 ? -value : value;
      }
      fftw_execute_dft(plans_->row.get(), as_fftw(line.get()), as_fftw(line.get()));
      std::copy_n(line.get(), columns_, half_ + numbers_in(ky, columns_));
    }
  }
}

void ParityTransform::transform(Parity parity, const double* first, const double* second,
                                Spectrum& spectrum, Spectrum* second_spectrum) {
  rows(parity, first, second);
  const bool is_real = parity.x == parity.y;
  const std::size_t count = numbers_in(columns_, ny_);
  const auto part_of = [&](Spectrum& of) {
    of.real.resize(is_real ? count : 0);
    of.imaginary.resize(is_real ? 0 : count);
    return is_real ? of.real.data() : of.imaginary.data();
  };
  double* const to = part_of(spectrum);
  double* const second_to = second_spectrum != nullptr ? part_of(*second_spectrum) : nullptr;
  const double scale = 1.0 / (static_cast<double>(nx_) * ny_);
#pragma omp parallel if (worth_threads_)
  {
    auto block = fftw_buffer<std::complex<double>>(numbers_in(ny_, kColumnsAtOnce));
#pragma omp for schedule(static)
    for (int begin = 0; begin < columns_; begin += kColumnsAtOnce) {
      const int width = std::min(kColumnsAtOnce, columns_ - begin);
      std::fill_n(block.get(), numbers_in(ny_, kColumnsAtOnce), 0.0);
      for (int ky = 0; ky < my_; ++ky) {
        const std::complex<double>* const from = half_ + numbers_in(ky, columns_) + begin;
        for (int c = 0; c < width; ++c) {
          std::complex<double>* const column = block.get() + numbers_in(c, ny_);
          column[ky] = from[c];
          if (ky > 0) column[ny_ - ky] = parity.y < 0 ? -from[c] : from[c];
        }
      }
      fftw_execute_dft(plans_->columns.get(), as_fftw(block.get()), as_fftw(block.get()));
      // The sum A + iB for real A and B; for imaginary ones, A = iA', it is -B' + iA'.
      const std::size_t offset = numbers_in(begin, ny_);
      for (std::size_t i = 0; i < numbers_in(width, ny_); ++i)
        to[offset + i] = scale * (is_real ? block[i].real() : block[i].imag());
      if (second_to == nullptr) continue;
      for (std::size_t i = 0; i < numbers_in(width, ny_); ++i)
        second_to[offset + i] = scale * (is_real ? block[i].imag() : -block[i].real());
    }
  }
}

HostInteriorPlanes::HostInteriorPlanes(const InteriorTask& task, std::size_t others) : task_(task) {
  const auto components = static_cast<std::size_t>(components_of(task.need));
  const std::size_t needed =
      others + sizeof(double) * (components * task.grid.count() +
                                 static_cast<std::size_t>(kStressMeasures) * task.window.count());
  const std::size_t available = available_host_bytes();
  if (needed > available)
    throw InputError("stresses inside need " + readable_bytes(needed) +
                     " on this grid, the machine has " + readable_bytes(available) +
                     " free; accepted: a coarser grid");
  for (std::size_t c = 0; c < components; ++c) planes_[c].resize(task.grid.count());
  for (std::vector<double>& measure : measures_) measure.resize(task.window.count());
}

void HostInteriorPlanes::clear() {
  for (std::vector<double>& plane : planes_) std::fill(plane.begin(), plane.end(), 0.0);
  for (std::vector<double>& measure : measures_) std::fill(measure.begin(), measure.end(), 0.0);
}

namespace {

// Bytes of the convolutions, without the planes.
std::size_t convolution_bytes(const Grid& grid, int components) {
  return CpuFftConvolution::memory_bytes(grid, components, components * kLoads) +
         ParityTransform::memory_bytes(grid) +
         sizeof(double) * static_cast<std::size_t>(components) * kLoads * grid.count();
}

}  // namespace

CpuInteriorPlanes::CpuInteriorPlanes(const InteriorTask& task, const ContactSolution& solution)
    : HostInteriorPlanes(task, convolution_bytes(task.grid, components_of(task.need))),
      components_(components_of(task.need)),
      convolution_(task.grid),
      transform_(task.grid),
      tractions_(solution) {
  const std::size_t count = task.grid.count();
  for (int load = 0; load < kLoads; ++load) {
    if (!tractions_.exists(load)) continue;
    loads_.push_back(tractions_.of(load));
    for (int c = 0; c < components_; ++c)
      tables_.push_back({load, c, std::vector<double>(count), {}});
  }
}

void CpuInteriorPlanes::tabulate(double depth) {
  const Grid& grid = task().grid;
  const LayeredResponse unit(task().material, depth);
#pragma omp parallel for schedule(dynamic, 4) if (grid.count() >= kLeastForThreads)
  for (int ky = 0; ky < grid.my; ++ky) {
    for (int kx = 0; kx < grid.mx; ++kx) {
      const InteriorResponse response = unit.at(kx * grid.dx, ky * grid.dy, grid.dx, grid.dy);
      for (Table& table : tables_)
        table.quarter[grid.index(kx, ky)] = response.of[table.load][table.component];
    }
  }
}

// Transforms two tables of the same parity at a time.
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
  if (loads_.empty()) return clear();
  tabulate(depth);
  transform_tables();
  std::vector<ConvolutionTerm> terms;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const auto& [load, component, quarter, spectrum] = tables_[i];
    const double scale = component >= kStressComponents ? 1.0 / task().material.shear_modulus : 1.0;
    terms.push_back(
        {component, static_cast<int>(i) / components_, &spectrum,
         load_sign(task().body, load) * component_sign(task().body, component) * scale});
  }
  std::vector<double*> out;
  for (int c = 0; c < components_; ++c) out.push_back(plane(static_cast<std::size_t>(c)).data());
  convolution_.apply(terms, loads_, out);
  update_measures();
}

void HostInteriorPlanes::update_measures() {
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

std::unique_ptr<InteriorPlanes> make_cpu_interior_planes(const InteriorTask& task,
                                                         const ContactSolution& solution) {
  if (task.grid.boundary == Boundary::periodic)
    return std::make_unique<CpuInteriorWaves>(task, solution);
  return std::make_unique<CpuInteriorPlanes>(task, solution);
}

}  // namespace slipfield
