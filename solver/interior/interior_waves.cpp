// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/interior_waves.h"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>

#include "solver/cpu/fftw_planner.h"
#include "solver/memory_estimate.h"

namespace slipfield {
namespace {

using Complex = std::complex<double>;

// Beyond, exp(-qz) is nothing.
constexpr double kFadedWave = 60.0;

// On a border of two layers the outer one.
BodyLayer layer_at(const ElasticBody& body, double depth) {
  double bottom = 0.0;
  for (const BodyLayer& layer : layers_of(body)) {
    bottom += layer.thickness;
    if (layer.thickness == 0.0 || depth <= bottom * kOnBorder) return layer;
  }
  return layers_of(body).back();
}

// The mean tractions go down unchanged, and the body cannot widen.
WaveResponse mean_response(const ElasticBody& body, double depth) {
  WaveResponse response{};
  const double nu = layer_at(body, depth).poisson_ratio;
  response[0][4] = response[1][5] = response[2][2] = -1.0;
  response[2][0] = response[2][1] = -nu / (1.0 - nu);
  double top = 0.0;
  for (const BodyLayer& layer : layers_of(body)) {
    const bool ends = layer.thickness > 0.0 && top + layer.thickness < depth;
    const double part = ends ? layer.thickness : depth - top;
    response[0][6] -= part / layer.shear_modulus;
    response[1][7] -= part / layer.shear_modulus;
    response[2][8] -= part * (1.0 - 2.0 * layer.poisson_ratio) /
                      (2.0 * layer.shear_modulus * (1.0 - layer.poisson_ratio));
    if (!ends) break;
    top += layer.thickness;
  }
  return response;
}

double share_of(const InsideShares& shares, InsideWave which) {
  return shares[static_cast<std::size_t>(which)];
}

// In the axes of the wave: l along it, t across, z into the body.
struct WaveState {
  Complex ll, tt, zz, lt, lz, tz, l, t, z;
};

WaveState under_pressure(const InsideShares& s) {
  constexpr Complex kLag(0.0, 1.0);
  WaveState state{};
  state.ll = share_of(s, InsideWave::pressure_ll);
  state.tt = share_of(s, InsideWave::pressure_tt);
  state.zz = share_of(s, InsideWave::pressure_zz);
  state.lz = kLag * share_of(s, InsideWave::pressure_lz);
  state.l = kLag * share_of(s, InsideWave::pressure_l);
  state.z = share_of(s, InsideWave::pressure_z);
  return state;
}

WaveState under_traction(const InsideShares& s, double along, double across) {
  constexpr Complex kLag(0.0, 1.0);
  WaveState state{};
  state.ll = kLag * along * share_of(s, InsideWave::along_ll);
  state.tt = kLag * along * share_of(s, InsideWave::along_tt);
  state.zz = kLag * along * share_of(s, InsideWave::along_zz);
  state.lz = along * share_of(s, InsideWave::along_lz);
  state.l = along * share_of(s, InsideWave::along_l);
  state.z = kLag * along * share_of(s, InsideWave::along_z);
  state.lt = kLag * across * share_of(s, InsideWave::across_lt);
  state.tz = across * share_of(s, InsideWave::across_tz);
  state.t = across * share_of(s, InsideWave::across_t);
  return state;
}

// unit: of the displacements. (c, s): direction of the wave.
std::array<Complex, kInteriorComponents> turned(const WaveState& w, double c, double s,
                                                double unit) {
  return {c * c * w.ll + s * s * w.tt - 2.0 * c * s * w.lt,
          s * s * w.ll + c * c * w.tt + 2.0 * c * s * w.lt,
          w.zz,
          c * s * (w.ll - w.tt) + (c * c - s * s) * w.lt,
          c * w.lz - s * w.tz,
          s * w.lz + c * w.tz,
          unit * (c * w.l - s * w.t),
          unit * (s * w.l + c * w.t),
          unit * w.z};
}

}  // namespace

InsideShares half_space_waves(double poisson_ratio, double qz) {
  const double nu = poisson_ratio;
  const double rest = 1.0 - 2.0 * nu;
  const double e = std::exp(-qz);
  return {-(1.0 - qz) * e,              // pressure_ll
          -2.0 * nu * e,                // pressure_tt
          -(1.0 + qz) * e,              // pressure_zz
          qz * e,                       // pressure_lz
          0.5 * (rest - qz) * e,        // pressure_l
          0.5 * (rest + 1.0 + qz) * e,  // pressure_z
          (2.0 - qz) * e,               // along_ll
          2.0 * nu * e,                 // along_tt
          qz * e,                       // along_zz
          -(1.0 - qz) * e,              // along_lz
          0.5 * (rest + 1.0 - qz) * e,  // along_l
          -0.5 * (rest + qz) * e,       // along_z
          e,                            // across_lt
          -e,                           // across_tz
          e};                           // across_t
}

WaveResponse wave_response(const ElasticBody& body, double depth, double qx, double qy) {
  const double q = std::hypot(qx, qy);
  if (q == 0.0) return mean_response(body, depth);
  if (q * depth > kFadedWave) return {};
  const double c = qx / q;
  const double s = qy / q;
  const InsideShares shares = is_layered(body) ? inside_waves(body, depth, q)
                                               : half_space_waves(body.poisson_ratio, q * depth);
  const double unit = 1.0 / (q * body.shear_modulus);
  return {turned(under_traction(shares, c, -s), c, s, unit),
          turned(under_traction(shares, s, c), c, s, unit),
          turned(under_pressure(shares), c, s, unit)};
}

std::size_t InteriorWaves::memory_bytes(const Grid& grid, int components) {
  const std::size_t waves = static_cast<std::size_t>(grid.mx / 2 + 1) * grid.my;
  return static_cast<std::size_t>(components + kLoads) * waves * sizeof(Complex);
}

double InteriorWaves::unit_x() const { return 2.0 * std::numbers::pi / (grid_.mx * grid_.dx); }
double InteriorWaves::unit_y() const { return 2.0 * std::numbers::pi / (grid_.my * grid_.dy); }

InteriorWaves::InteriorWaves(const Grid& grid, const ElasticBody& material, Body body,
                             const ContactSolution& solution)
    : grid_(grid), material_(material), body_(body) {
  const InteriorLoads all(solution);
  const std::size_t count = grid.count();
  const double scale = 1.0 / static_cast<double>(count);
  for (int load = 0; load < kLoads; ++load) {
    if (!all.exists(load)) continue;
    std::vector<double> field(all.of(load), all.of(load) + count);
    for (double& value : field) value *= scale * load_sign(body, load);
    Load now{load, std::vector<Complex>(static_cast<std::size_t>(columns()) * grid.my)};
    FftwPlan<> plan;
    {
      const std::lock_guard<std::mutex> planning(fftw_planner());
      plan.reset(fftw_plan_dft_r2c_2d(grid.my, grid.mx, field.data(), as_fftw(now.waves.data()),
                                      FFTW_ESTIMATE));
    }
    fftw_execute(plan.get());
    loads_.push_back(std::move(now));
  }
}

// At the highest of an even number of waves +q and -q are one: what is odd is 0 there.
InteriorWaves::Amplitudes InteriorWaves::at(double depth, int components) const {
  const int nx = columns();
  Amplitudes found(static_cast<std::size_t>(components),
                   std::vector<Complex>(static_cast<std::size_t>(nx) * grid_.my));
#pragma omp parallel for schedule(dynamic, 1)
  for (int row = 0; row < grid_.my; ++row) {
    const int ky = number_of_row(row);
    for (int kx = 0; kx < nx; ++kx) {
      const WaveResponse response = wave_response(material_, depth, kx * unit_x(), ky * unit_y());
      const std::size_t at = static_cast<std::size_t>(row) * nx + kx;
      for (int component = 0; component < components; ++component) {
        Complex sum = 0.0;
        for (const Load& load : loads_) {
          const Parity parity = interior_parity(load.load, component);
          if ((parity.x < 0 && 2 * kx == grid_.mx) ||
              (parity.y < 0 && 2 * std::abs(ky) == grid_.my))
            continue;
          sum += load.waves[at] *
                 response[static_cast<std::size_t>(load.load)][static_cast<std::size_t>(component)];
        }
        found[static_cast<std::size_t>(component)][at] = sum * component_sign(body_, component);
      }
    }
  }
  return found;
}

InteriorValues InteriorWaves::sum_at(const Amplitudes& amplitudes, double x, double y) const {
  InteriorValues sum{};
  const double from_x = x - grid_.x(0);
  const double from_y = y - grid_.y(0);
  const int nx = columns();
  const auto wave = [](double phase, bool highest) {
    return highest ? Complex(std::cos(phase)) : std::polar(1.0, phase);
  };
  for (int row = 0; row < grid_.my; ++row) {
    const int ky = number_of_row(row);
    const Complex along_y = wave(ky * unit_y() * from_y, 2 * std::abs(ky) == grid_.my);
    for (int kx = 0; kx < nx; ++kx) {
      // A wave stands for its conjugate too, unless it is its own.
      const double weight = kx == 0 || 2 * kx == grid_.mx ? 1.0 : 2.0;
      const Complex here = weight * along_y * wave(kx * unit_x() * from_x, 2 * kx == grid_.mx);
      const std::size_t at = static_cast<std::size_t>(row) * nx + kx;
      for (std::size_t component = 0; component < amplitudes.size(); ++component)
        sum[component] += (amplitudes[component][at] * here).real();
    }
  }
  return sum;
}

void InteriorWaves::sum(std::vector<Complex>& amplitudes, std::vector<double>& values) const {
  FftwPlan<> plan;
  {
    const std::lock_guard<std::mutex> planning(fftw_planner());
    plan.reset(fftw_plan_dft_c2r_2d(grid_.my, grid_.mx, as_fftw(amplitudes.data()), values.data(),
                                    FFTW_ESTIMATE));
  }
  fftw_execute(plan.get());
}

CpuInteriorWaves::CpuInteriorWaves(const InteriorTask& task, const ContactSolution& solution)
    : HostInteriorPlanes(task, InteriorWaves::memory_bytes(task.grid, components_of(task.need))),
      waves_(task.grid, task.material, task.body, solution) {}

void CpuInteriorWaves::compute(double depth) {
  if (!waves_.loaded()) return clear();
  InteriorWaves::Amplitudes amplitudes = waves_.at(depth, components_of(task().need));
  for (std::size_t component = 0; component < amplitudes.size(); ++component)
    waves_.sum(amplitudes[component], plane(component));
  update_measures();
}

}  // namespace slipfield
