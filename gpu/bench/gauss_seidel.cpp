// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/measured.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "gpu/bench/studies.h"
#include "gpu/bench/timing.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/device_array.h"
#include "gpu/gauss_seidel/gauss_seidel.h"
#include "solver/cpu/cpu_backend.h"

namespace slipfield {

namespace {

// A round contact of exactly `elements` elements under Hertz's bound, pushed and turned a little.
struct RoundContact {
  Grid grid;
  std::vector<double> bound, slip_x, slip_y;
  std::vector<unsigned char> state;
  std::vector<int> contact;  // ascending

  explicit RoundContact(int elements) {
    const int n = static_cast<int>(std::ceil(2.0 * std::sqrt(elements / 3.14159265))) + 3;
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

class EventTimer {
 public:
  explicit EventTimer(cudaStream_t stream) : stream_(stream) {
    SLIPFIELD_CUDA_CHECK(cudaEventCreate(&start_));
    SLIPFIELD_CUDA_CHECK(cudaEventCreate(&stop_));
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;
  ~EventTimer() {
    SLIPFIELD_CUDA_REPORT(cudaEventDestroy(start_));
    SLIPFIELD_CUDA_REPORT(cudaEventDestroy(stop_));
  }
  template <class Work>
  double milliseconds(const Work& work) {
    SLIPFIELD_CUDA_CHECK(cudaEventRecord(start_, stream_));
    work();
    SLIPFIELD_CUDA_CHECK(cudaEventRecord(stop_, stream_));
    SLIPFIELD_CUDA_CHECK(cudaEventSynchronize(stop_));
    float elapsed = 0.0F;
    SLIPFIELD_CUDA_CHECK(cudaEventElapsedTime(&elapsed, start_, stop_));
    return elapsed;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

GaussSeidelBench line(const std::string& name, int elements, std::vector<double> times,
                      double floor_ms, double error) {
  GaussSeidelBench result;
  result.name = name;
  result.elements = elements;
  result.sweeps = static_cast<int>(times.size());
  std::sort(times.begin(), times.end());
  result.milliseconds = times[times.size() / 2];
  result.mean_milliseconds =
      std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  result.slowest_milliseconds = times.back();
  result.microseconds_per_element = 1e3 * result.milliseconds / elements;
  result.gflops = 8.0 * elements * elements / (1e6 * result.milliseconds);
  result.floor_ms = floor_ms;
  result.ratio = floor_ms > 0.0 ? result.milliseconds / floor_ms : 0.0;
  result.error = error;
  return result;
}

}  // namespace

std::vector<GaussSeidelBench> bench_gauss_seidel(const GaussSeidelBenchOptions& options,
                                                 cudaStream_t stream) {
  std::vector<GaussSeidelBench> lines;
  const double peak = measure_ceilings(stream).flops_per_second;
  const double chain = measure_chain_floor(stream);
  EventTimer timer(stream);
  for (const int elements : options.sizes) {
    const RoundContact problem(elements);
    const Grid& grid = problem.grid;
    const double pairs = static_cast<double>(elements) * elements;
    const double floor_ms = 1e3 * std::max(chain * elements, 8.0 * pairs / peak);
    CpuBackend cpu;
    CpuInfluence influence(cpu, grid, CombinedMaterial{1.0, 0.28, 0.0}, InfluenceMethod::summation);
    const DeviceArray<double> xx(influence.table(Component::xx).values);
    const DeviceArray<double> xy(influence.table(Component::xy).values);
    const DeviceArray<double> yy(influence.table(Component::yy).values);

    std::vector<double> cpu_x(grid.count(), 0.0);
    std::vector<double> cpu_y(grid.count(), 0.0);
    if (options.cpu) {
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
      for (int sweep = 0; sweep < options.error_sweeps; ++sweep) {
        const auto start = std::chrono::steady_clock::now();
        sweeper.sweep(fields, options.relaxation);
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count());
      }
      lines.push_back(line("cpu", elements, times, 0.0, -1.0));
    }

    DeviceProblem device(problem, stream);
    if (options.launch_per_element) {
      StudyGaussSeidel study(grid.mx, grid.my, problem.contact, xx.data(), xy.data(), yy.data());
      const auto sweep = [&] { study.sweep(device.fields(), options.relaxation, stream); };
      sweep();
      device.restart();
      std::vector<double> times;
      for (int k = 0; k < options.error_sweeps; ++k) times.push_back(timer.milliseconds(sweep));
      const double error = options.cpu ? device.error(cpu_x, cpu_y) : -1.0;
      lines.push_back(line("gpu, a launch each (de Reus 2010)", elements, times, floor_ms, error));
      device.restart();
    }

    GaussSeidelSweeper sweeper(grid, stream);
    sweeper.set_contact(xx.data(), xy.data(), yy.data(), device.fields().state, SweepOrder{});
    const auto sweep = [&] { sweeper.launch(device.fields(), options.relaxation, 1); };
    sweep();
    device.restart();
    for (int k = 0; k < options.error_sweeps; ++k) sweep();
    const double error = options.cpu ? device.error(cpu_x, cpu_y) : -1.0;
    device.restart();
    std::vector<double> times;
    for (int k = 0; k < options.sweeps; ++k) times.push_back(timer.milliseconds(sweep));
    lines.push_back(line("gpu", elements, times, floor_ms, error));

    device.restart();
    constexpr int kTogether = 10;
    times.clear();
    for (int k = 0; k < options.sweeps / kTogether; ++k) {
      const double ms = timer.milliseconds(
          [&] { sweeper.launch(device.fields(), options.relaxation, kTogether); });
      times.push_back(ms / kTogether);
    }
    lines.push_back(line("gpu, ten sweeps a launch", elements, times, floor_ms, -1.0));
  }
  return lines;
}

}  // namespace slipfield
