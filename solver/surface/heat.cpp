// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/heat.h"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/cpu/fftw_planner.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

std::size_t index_of(Body body) { return static_cast<std::size_t>(body); }

// Convolves rows of real numbers with one kernel: sum over j <= i of kernel[i - j] row[j].
class RowFolding {
 public:
  explicit RowFolding(const std::vector<double>& kernel)
      : count_(kernel.size()),
        size_(fast_transform_size(2 * static_cast<int>(kernel.size()) - 1)),
        row_(fftw_buffer<double>(static_cast<std::size_t>(size_))),
        spectrum_(fftw_buffer<std::complex<double>>(static_cast<std::size_t>(size_) / 2 + 1)) {
    auto* const complex_row = as_fftw(spectrum_.get());
    {
      const std::lock_guard<std::mutex> planning(fftw_planner());
      forward_.reset(fftw_plan_dft_r2c_1d(size_, row_.get(), complex_row, FFTW_ESTIMATE));
      backward_.reset(fftw_plan_dft_c2r_1d(size_, complex_row, row_.get(), FFTW_ESTIMATE));
    }
    transform(kernel.begin());
    kernel_.assign(spectrum_.get(), spectrum_.get() + size_ / 2 + 1);
    for (std::complex<double>& value : kernel_) value /= size_;
  }

  // In place; both iterators run over one row in the order in which its material enters.
  template <class In, class Out>
  void fold(In in, Out out) {
    transform(in);
    for (std::size_t k = 0; k < kernel_.size(); ++k) spectrum_[k] *= kernel_[k];
    fftw_execute(backward_.get());
    std::copy_n(row_.get(), count_, out);
  }

 private:
  template <class In>
  void transform(In in) {
    std::fill_n(row_.get(), size_, 0.0);
    std::copy_n(in, count_, row_.get());
    fftw_execute(forward_.get());
  }

  std::size_t count_;
  int size_;
  FftwBuffer<double> row_;
  FftwBuffer<std::complex<double>> spectrum_;
  std::vector<std::complex<double>> kernel_;  // over the transform's length
  FftwPlan<> forward_, backward_;
};

// sqrt(m + 1/2) - sqrt(m - 1/2); for the element itself sqrt(1/2), as half of its heat has entered.
std::vector<double> memory_weights(int count) {
  std::vector<double> weights{std::sqrt(0.5)};
  for (int m = 1; m < count; ++m)
    weights.push_back(1.0 / (std::sqrt(m + 0.5) + std::sqrt(m - 0.5)));
  return weights;
}

// Ahead of the first heat the memory is exactly 0, but the transforms leave rounding errors there.
template <class In, class Out>
void fold_row(RowFolding& folding, In flux, Out out, int count) {
  const auto end = flux + count;
  const auto first = std::find_if(flux, end, [](double value) { return value != 0.0; });
  if (first == end) return;
  folding.fold(flux, out);
  std::fill_n(out, first - flux, 0.0);
}

// The contact with x and y exchanged, so that rolling along y becomes rolling along x.
Grid exchanged(const Grid& grid) {
  return {grid.my, grid.mx, grid.dy, grid.dx, grid.y0, grid.x0, grid.boundary};
}
template <class T>
std::vector<T> exchanged(const Grid& grid, const std::vector<T>& field) {
  std::vector<T> result;
  result.reserve(field.size());
  for (int ix = 0; ix < grid.mx; ++ix)
    for (int iy = 0; iy < grid.my; ++iy) result.push_back(field[grid.index(ix, iy)]);
  return result;
}
Tangential along_x(const Tangential& step) {
  Tangential result = step;
  result.direction = std::sin(step.direction) > 0.0 ? 0.0 : std::numbers::pi;
  return result;
}

// The range of a row from its first to its last element in contact; empty: last < first.
struct RowContact {
  int first = 0;
  int last = -1;
};

RowContact contact_of_row(const Grid& grid, int iy, const std::vector<ElementState>& division) {
  RowContact row{grid.mx, -1};
  for (int ix = 0; ix < grid.mx; ++ix) {
    if (division[grid.index(ix, iy)] == ElementState::exterior) continue;
    row.first = std::min(row.first, ix);
    row.last = ix;
  }
  return row;
}

// Distance from the first to the last place; with a period, the period less the longest gap.
// period: 0 if there is none.
double extent(std::vector<double> places, double period) {
  if (places.empty()) return 0.0;
  std::sort(places.begin(), places.end());
  if (period == 0.0) return places.back() - places.front();
  double gap = period - (places.back() - places.front());
  for (std::size_t k = 1; k < places.size(); ++k) gap = std::max(gap, places[k] - places[k - 1]);
  return period - gap;
}

// The longest strip of contact along the direction; strips are as wide as an element across it. 0
// without contact. On a periodic grid strips run along the axis nearest to the direction, since an
// oblique strip has no end there.
double contact_length(const Grid& grid, double direction,
                      const std::vector<ElementState>& division) {
  double cosine = std::cos(direction);
  double sine = std::sin(direction);
  const bool nearer_to_x = std::abs(cosine) >= std::abs(sine);
  if (grid.boundary != Boundary::free || rolls_along_x(direction) || rolls_along_y(direction)) {
    cosine = nearer_to_x ? 1.0 : 0.0;
    sine = nearer_to_x ? 0.0 : 1.0;
  }
  const double period = nearer_to_x && repeats_in_x(grid.boundary)    ? grid.mx * grid.dx
                        : !nearer_to_x && repeats_in_y(grid.boundary) ? grid.my * grid.dy
                                                                      : 0.0;
  const double width = std::abs(sine) * grid.dx + std::abs(cosine) * grid.dy;
  const double corner_x = -sine * grid.mx * grid.dx;  // corner relative to (x0, y0), across
  const double corner_y = cosine * grid.my * grid.dy;
  const double lowest = std::min(0.0, corner_x) + std::min(0.0, corner_y);
  const double highest = std::max(0.0, corner_x) + std::max(0.0, corner_y);
  // Strips are counted from either side, so that a mirrored contact has the same length; centres on
  // the border of two strips belong to the one nearer to that side, whatever the rounding.
  constexpr double kRounding = 1.0e-9;
  std::array<std::map<long, std::vector<double>>, 2> strips;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      if (division[grid.index(ix, iy)] == ElementState::exterior) continue;
      const double x = (ix + 0.5) * grid.dx;
      const double y = (iy + 0.5) * grid.dy;
      const double across = cosine * y - sine * x;
      const double along = cosine * x + sine * y;
      strips[0][std::lround(std::floor((across - lowest) / width - kRounding))].push_back(along);
      strips[1][std::lround(std::floor((highest - across) / width - kRounding))].push_back(along);
    }
  const double element = element_length(std::atan2(sine, cosine), grid);
  double longest = 0.0;
  for (const auto& from_one_side : strips)
    for (const auto& [strip, places] : from_one_side)
      longest = std::max(longest, extent(places, period) + element);
  return longest;
}

// The fraction by which a surface has adopted the other body's temperature at a distance behind the
// edge where a contact of the given length starts.
double conducted_part(double length, double distance) {
  if (distance <= 0.0) return 0.0;
  if (distance <= length) return 1.0;
  return std::asin(std::sqrt(length / distance)) * 2.0 / std::numbers::pi;
}

// A body that passes faster is heated for a shorter time: along the way it takes in heat as one of
// a greater penetration that passes at V.
std::array<double, 2> passing_penetrations(const HeatRequest& request, Units units,
                                           const PassingSpeeds& speeds) {
  return {thermal_penetration(request.bodies[0], units) * std::sqrt(speeds[0]),
          thermal_penetration(request.bodies[1], units) * std::sqrt(speeds[1])};
}

}  // namespace

double thermal_penetration(const ThermalBody& body, Units units) {
  // W/mm, J and kg of N-mm-s: 1 W = 1000 N mm/s
  const double factor = units == Units::si ? 1.0 : 1000.0;
  return factor * std::sqrt(body.conductivity * body.density * body.capacity);
}

PassingSpeeds passing_speeds(const Tangential& step, const StepReport& report) {
  const double creepage =
      report.rigid_x * std::cos(step.direction) + report.rigid_y * std::sin(step.direction);
  if (!std::isfinite(creepage)) return {1.0, 1.0};
  return {std::max(1.0 - 0.5 * creepage, kSlowestPassage),
          std::max(1.0 + 0.5 * creepage, kSlowestPassage)};
}

double least_peclet_number(std::span<const ThermalBody> bodies, const Grid& grid,
                           const Tangential& step, const std::vector<ElementState>& division,
                           const PassingSpeeds& speeds) {
  const double length = contact_length(grid, step.direction, division);
  double least = std::numeric_limits<double>::infinity();
  if (length == 0.0) return least;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const ThermalBody& body = bodies[k];
    const double diffusivity = body.conductivity / (body.density * body.capacity);
    least = std::min(least, 0.25 * speeds[k] * step.velocity * length / diffusivity);
  }
  return least;
}

std::vector<double> flux_memory(const Grid& grid, const std::vector<double>& flux, bool forwards) {
  std::vector<double> result(flux.size(), 0.0);
  RowFolding folding(memory_weights(grid.mx));
  for (int iy = 0; iy < grid.my; ++iy) {
    const auto begin = static_cast<std::ptrdiff_t>(grid.index(0, iy));
    const auto end = static_cast<std::ptrdiff_t>(flux.size()) - begin - grid.mx;
    if (forwards)
      fold_row(folding, flux.rbegin() + end, result.rbegin() + end, grid.mx);
    else
      fold_row(folding, flux.begin() + begin, result.begin() + begin, grid.mx);
  }
  const double root = std::sqrt(grid.dx);
  for (double& value : result) value *= root;
  return result;
}

SurfaceTemperatures surface_temperatures(const HeatRequest& request, Units units, const Grid& grid,
                                         const Tangential& step, const std::vector<double>& flux,
                                         const std::vector<ElementState>& division,
                                         const PassingSpeeds& speeds) {
  if (rolls_along_y(step.direction)) {
    const Grid turned = exchanged(grid);
    SurfaceTemperatures found =
        surface_temperatures(request, units, turned, along_x(step), exchanged(grid, flux),
                             exchanged(grid, division), speeds);
    for (std::vector<double>& temperature : found.temperature)
      temperature = exchanged(turned, temperature);
    return found;
  }
  const bool forwards = std::cos(step.direction) > 0.0;
  const std::array beta = passing_penetrations(request, units, speeds);
  const double both = beta[0] + beta[1];
  const double factor = 2.0 / (both * std::sqrt(std::numbers::pi * step.velocity));
  SurfaceTemperatures result;
  const std::vector<double> memory = flux_memory(grid, flux, forwards);
  double power = 0.0;
  for (const double value : flux) power += value * grid.element_area();
  double conducted = 0.0;  // per temperature difference, from one body to the other
  std::vector<double> part(grid.count(), 0.0);
  for (int iy = 0; iy < grid.my; ++iy) {
    const RowContact row = contact_of_row(grid, iy, division);
    if (row.last < row.first) continue;
    const double length = (row.last - row.first + 1) * grid.dx;
    for (int ix = 0; ix < grid.mx; ++ix) {
      const int behind = forwards ? row.last - ix : ix - row.first;
      part[grid.index(ix, iy)] = conducted_part(length, (behind + 0.5) * grid.dx);
    }
    conducted += 2.0 * beta[0] * beta[1] / both * grid.dy *
                 std::sqrt(step.velocity * length / std::numbers::pi);
  }
  for (const Body body : {Body::upper, Body::lower}) {
    const std::size_t a = index_of(body);
    const double own = request.bodies[a].temperature;
    const double difference = request.bodies[1 - a].temperature - own;
    std::vector<double>& temperature = result.temperature[a];
    temperature.resize(grid.count());
    for (std::size_t i = 0; i < temperature.size(); ++i)
      temperature[i] = own + difference * beta[1 - a] / both * part[i] + factor * memory[i];
    result.heat[a] = power * beta[a] / both + conducted * difference;
  }
  return result;
}

std::array<std::vector<double>, 2> surface_fluxes(const HeatRequest& request, Units units,
                                                  const Grid& grid, const Tangential& step,
                                                  const std::vector<double>& flux,
                                                  const std::vector<ElementState>& division,
                                                  const PassingSpeeds& speeds) {
  if (rolls_along_y(step.direction)) {
    const Grid turned = exchanged(grid);
    auto fluxes = surface_fluxes(request, units, turned, along_x(step), exchanged(grid, flux),
                                 exchanged(grid, division), speeds);
    for (std::vector<double>& values : fluxes) values = exchanged(turned, values);
    return fluxes;
  }
  const bool forwards = std::cos(step.direction) > 0.0;
  const std::array beta = passing_penetrations(request, units, speeds);
  const double both = beta[0] + beta[1];
  const double into_upper = (request.bodies[1].temperature - request.bodies[0].temperature) *
                            beta[0] * beta[1] / both *
                            std::sqrt(step.velocity / (std::numbers::pi * grid.dx));
  std::array<std::vector<double>, 2> fluxes{flux, flux};
  for (std::size_t a = 0; a < 2; ++a)
    for (double& value : fluxes[a]) value *= beta[a] / both;
  for (int iy = 0; iy < grid.my; ++iy) {
    const RowContact row = contact_of_row(grid, iy, division);
    for (int ix = row.first; ix <= row.last; ++ix) {
      const int behind = forwards ? row.last - ix : ix - row.first;
      const double mean = into_upper * 2.0 / (std::sqrt(behind + 1.0) + std::sqrt(behind));
      fluxes[0][grid.index(ix, iy)] += mean;
      fluxes[1][grid.index(ix, iy)] -= mean;
    }
  }
  return fluxes;
}

}  // namespace slipfield
