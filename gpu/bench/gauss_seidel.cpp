// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>

#include "gpu/backend/cuda_backend.h"
#include "gpu/bench/measured.h"
#include "gpu/gauss_seidel/gauss_seidel.h"
#include "solver/cpu/cpu_backend.h"

namespace slipfield {

namespace {

// A round contact of exactly `elements` elements under Hertz's bound, slightly pushed and turned.
struct RoundContact {
  Grid grid;
  std::vector<double> bound, slip_x, slip_y;
  std::vector<unsigned char> state;
  std::vector<int> contact;  // ascending

  explicit RoundContact(int elements) {
    const int n = static_cast<int>(std::ceil(2.0 * std::sqrt(elements / std::numbers::pi))) + 3;
    grid = {.mx = n, .my = n, .dx = 2.0 / n, .dy = 2.0 / n, .x0 = -1.0, .y0 = -1.0};
    const auto distance = [this](int i) {
      return std::hypot(grid.x(i % grid.mx), grid.y(i / grid.mx));
    };
    contact.resize(grid.count());
    std::iota(contact.begin(), contact.end(), 0);
    std::stable_sort(contact.begin(), contact.end(),
                     [&](int a, int b) { return distance(a) < distance(b); });
    contact.resize(static_cast<std::size_t>(elements));
    const double radius = distance(contact.back()) + 0.5 * grid.dx;
    std::sort(contact.begin(), contact.end());
    bound.assign(grid.count(), 0.0);
    slip_x = slip_y = bound;
    state.assign(grid.count(), static_cast<unsigned char>(ElementState::exterior));
    for (const int i : contact) {
      const double r = distance(i) / radius;
      bound[i] = 0.01 * std::sqrt(1.0 - r * r);
      slip_x[i] = 0.008 + 0.002 * grid.y(i / grid.mx);
      slip_y[i] = 0.002 - 0.002 * grid.x(i % grid.mx);
      state[i] = static_cast<unsigned char>(ElementState::adhesion);
    }
  }
};

class DeviceProblem {
 public:
  DeviceProblem(const RoundContact& problem, cudaStream_t stream)
      : problem_(problem),
        stream_(stream),
        traction_x_(problem.grid.count()),
        traction_y_(problem.grid.count()),
        slip_x_(problem.grid.count()),
        slip_y_(problem.grid.count()),
        bound_(problem.bound),
        state_(problem.grid.count()) {
    restart();
  }
  void restart() {
    traction_x_.zero(stream_);
    traction_y_.zero(stream_);
    slip_x_.upload(problem_.slip_x, stream_);
    slip_y_.upload(problem_.slip_y, stream_);
    state_.upload(problem_.state, stream_);
  }
  TangentialFields fields() {
    return {.traction_x = traction_x_.data(),
            .traction_y = traction_y_.data(),
            .slip_x = slip_x_.data(),
            .slip_y = slip_y_.data(),
            .bound = bound_.data(),
            .state = state_.data()};
  }
  [[nodiscard]] double error(const std::vector<double>& x, const std::vector<double>& y) const {
    const std::vector<double> own_x = traction_x_.download(stream_);
    const std::vector<double> own_y = traction_y_.download(stream_);
    double difference2 = 0.0;
    double size2 = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      difference2 += std::pow(own_x[i] - x[i], 2) + std::pow(own_y[i] - y[i], 2);
      size2 += x[i] * x[i] + y[i] * y[i];
    }
    return std::sqrt(difference2 / size2);
  }

 private:
  const RoundContact& problem_;
  cudaStream_t stream_;
  DeviceArray<double> traction_x_, traction_y_, slip_x_, slip_y_, bound_;
  DeviceArray<unsigned char> state_;
};

constexpr double kRelaxation = 0.5;  // the solver's
constexpr int kSweeps = 40;
constexpr int kErrorSweeps = 3;

// The line of one method, from the times of its sweeps, including the first ones, which move and
// cost most.
BenchLine line(const std::string& name, int elements, std::vector<double> times, double floor_ms,
               double error) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  const double milliseconds = times[times.size() / 2];
  return {.name = name,
          .size = std::to_string(elements) + " elements",
          .milliseconds = milliseconds,
          .gflops = 8.0 * elements * elements / (1e6 * milliseconds),  // 8 flops per pair
          .floor_ms = floor_ms,
          .error = error};
}

DeviceArray<double> table_on_device(Component component, const Grid& grid) {
  return DeviceArray<double>(
      influence_table(component, grid, CombinedMaterial{1.0, 0.28, 0.0}).values);
}

}  // namespace

// Times sweeps on round contacts that start to slip from rest. Floor: the larger of the chain's and
// the flops', as measured here; error: |p - p_cpu|/|p_cpu| after kErrorSweeps sweeps.
std::vector<BenchLine> cuda_bench_gauss_seidel(const std::vector<int>& sizes) {
  const CudaBackend backend;
  cudaStream_t const stream = backend.stream();
  const std::vector<int> usual{1024, 4096, 16384, 65536};
  std::vector<BenchLine> lines;
  const double peak = measure_ceilings(stream).flops_per_second;
  const double chain = measure_chain_floor(stream);
  for (const int elements : sizes.empty() ? usual : sizes) {
    const RoundContact problem(elements);
    const Grid& grid = problem.grid;
    const double pairs = static_cast<double>(elements) * elements;
    const double floor_ms = 1e3 * std::max(chain * elements, 8.0 * pairs / peak);
    CpuBackend cpu;
    CpuInfluence influence(cpu, grid, CombinedMaterial{1.0, 0.28, 0.0}, InfluenceMethod::summation);
    const DeviceArray<double> xx = table_on_device(Component::xx, grid);
    const DeviceArray<double> xy = table_on_device(Component::xy, grid);
    const DeviceArray<double> yy = table_on_device(Component::yy, grid);

    std::vector<double> cpu_x(grid.count(), 0.0);
    std::vector<double> cpu_y(grid.count(), 0.0);
    {
      RoundContact host = problem;
      CpuGaussSeidel sweeper(cpu, grid);
      sweeper.set_contact(influence, host.state.data(), SweepOrder{});
      const TangentialFields fields{.traction_x = cpu_x.data(),
                                    .traction_y = cpu_y.data(),
                                    .slip_x = host.slip_x.data(),
                                    .slip_y = host.slip_y.data(),
                                    .bound = host.bound.data(),
                                    .state = host.state.data()};
      std::vector<double> times;
      for (int sweep = 0; sweep < kErrorSweeps; ++sweep) {
        const auto start = std::chrono::steady_clock::now();
        sweeper.sweep(fields, kRelaxation);
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count());
      }
      lines.push_back(line("cpu", elements, times, 0.0, -1.0));
    }

    DeviceProblem device(problem, stream);
    {
      StudyGaussSeidel study(grid.mx, grid.my, problem.contact, xx.data(), xy.data(), yy.data());
      const auto sweep = [&] { study.sweep(device.fields(), kRelaxation, stream); };
      sweep();
      device.restart();
      std::vector<double> times;
      for (int k = 0; k < kErrorSweeps; ++k) times.push_back(timed_milliseconds(sweep, stream));
      const double error = device.error(cpu_x, cpu_y);
      lines.push_back(line("gpu, a launch each (de Reus 2010)", elements, times, floor_ms, error));
      device.restart();
    }

    GaussSeidelSweeper sweeper(grid, stream);
    sweeper.set_contact(xx.data(), xy.data(), yy.data(), device.fields().state, SweepOrder{});
    const auto sweep = [&] { sweeper.launch(device.fields(), kRelaxation, 1); };
    sweep();
    device.restart();
    for (int k = 0; k < kErrorSweeps; ++k) sweep();
    const double error = device.error(cpu_x, cpu_y);
    device.restart();
    std::vector<double> times;
    for (int k = 0; k < kSweeps; ++k) times.push_back(timed_milliseconds(sweep, stream));
    lines.push_back(line("gpu", elements, times, floor_ms, error));

    device.restart();
    constexpr int kTogether = 10;
    times.clear();
    for (int k = 0; k < kSweeps / kTogether; ++k) {
      const double ms = timed_milliseconds(
          [&] { sweeper.launch(device.fields(), kRelaxation, kTogether); }, stream);
      times.push_back(ms / kTogether);
    }
    lines.push_back(line("gpu, ten sweeps a launch", elements, times, floor_ms, -1.0));
  }
  return lines;
}

}  // namespace slipfield
