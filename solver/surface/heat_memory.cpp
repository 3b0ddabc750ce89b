// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/heat_memory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/error.h"
#include "solver/fields/gmres.h"
#include "solver/number_text.h"
#include "solver/rolling.h"
#include "solver/step/step_state.h"
#include "solver/surface/surface_fields.h"

namespace slipfield {
namespace {

constexpr std::array<std::size_t, 2> kBothBodies{0, 1};
constexpr const char* kHeatPulses = "heat_pulses";  // in a state: durations, ways, steps
constexpr std::array<const char*, 2> kHeatFlux{"heat_flux_upper", "heat_flux_lower"};
constexpr std::size_t kPulseNumbers = 6;
constexpr double kShareTolerance = 1.0e-10;  // of the rise of the temperatures
constexpr double kShareRounding = 1.0e-14;   // of the temperatures themselves
constexpr double kMostElementsPassed = 1.0e7;
constexpr std::size_t kMostPulses = 64;

bool roll_one_way(const std::vector<StepInput>& steps) {
  return std::all_of(steps.begin(), steps.end(), [&](const StepInput& step) {
    return is_rolling(step.tangential.problem) &&
           step.tangential.direction == steps.front().tangential.direction;
  });
}

// Whether the steps of both pulses move equally, to 1e-3 of the motion or of an element: a rigid
// shift found iteratively differs in its last digits.
bool move_alike(const HeatPulse& a, const HeatPulse& b, const Grid& grid) {
  constexpr double kAlike = 1.0e-3;
  const auto steps_a = static_cast<double>(a.steps);
  const auto steps_b = static_cast<double>(b.steps);
  const double time_a = a.duration / steps_a;
  const double time_b = b.duration / steps_b;
  if (std::fabs(time_a - time_b) > kAlike * std::max(time_a, time_b)) return false;
  return std::all_of(kBothBodies.begin(), kBothBodies.end(), [&](std::size_t body) {
    const double x_a = a.way_x[body] / steps_a;
    const double y_a = a.way_y[body] / steps_a;
    const double x_b = b.way_x[body] / steps_b;
    const double y_b = b.way_y[body] / steps_b;
    const double longest =
        std::max({std::hypot(x_a, y_a), std::hypot(x_b, y_b), std::min(grid.dx, grid.dy)});
    return std::hypot(x_a - x_b, y_a - y_b) <= kAlike * longest;
  });
}

// The greatest difference of the fluxes of two pulses, and the greatest flux of either.
struct FluxChange {
  double most = 0.0;
  double greatest = 0.0;
};
FluxChange flux_change(const HeatPulse& a, const HeatPulse& b) {
  FluxChange change;
  for (const std::size_t body : kBothBodies)
    for (std::size_t i = 0; i < a.flux[body].size(); ++i) {
      const double flux_a = a.flux[body][i];
      const double flux_b = b.flux[body][i];
      change.most = std::max(change.most, std::fabs(flux_a - flux_b));
      change.greatest = std::max({change.greatest, std::fabs(flux_a), std::fabs(flux_b)});
    }
  return change;
}

// Equal pulses that move equally are exactly one longer pulse.
bool are_alike(const HeatPulse& a, const HeatPulse& b, const Grid& grid) {
  constexpr double kFluxAlike = 0.01;
  if (!move_alike(a, b, grid)) return false;
  const FluxChange change = flux_change(a, b);
  return change.most <= kFluxAlike * change.greatest;
}

// The greatest difference of the fluxes of neighbouring elements, per length.
double steepest_flux(const HeatPulse& pulse, const Grid& grid) {
  double steepest = 0.0;
  for (const std::vector<double>& flux : pulse.flux)
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix) {
        const double here = flux[grid.index(ix, iy)];
        if (ix > 0)
          steepest = std::max(steepest, std::fabs(here - flux[grid.index(ix - 1, iy)]) / grid.dx);
        if (iy > 0)
          steepest = std::max(steepest, std::fabs(here - flux[grid.index(ix, iy - 1)]) / grid.dy);
      }
  return steepest;
}

// The greatest distance of the material from its path if two pulses are merged: that at their
// joint.
double off_path(const HeatPulse& a, const HeatPulse& b) {
  double most = 0.0;
  for (const std::size_t body : kBothBodies)
    most = std::max(most, std::hypot(a.way_x[body] * b.duration - b.way_x[body] * a.duration,
                                     a.way_y[body] * b.duration - b.way_y[body] * a.duration));
  return most / (a.duration + b.duration);
}

// Merges b into a; the heat is preserved in the mean.
void add_pulse(const HeatPulse& b, HeatPulse& a) {
  const double part = a.duration / (a.duration + b.duration);
  a.duration += b.duration;
  a.steps += b.steps;
  for (const std::size_t body : kBothBodies) {
    a.way_x[body] += b.way_x[body];
    a.way_y[body] += b.way_y[body];
    for (std::size_t i = 0; i < a.flux[body].size(); ++i)
      a.flux[body][i] = part * a.flux[body][i] + (1.0 - part) * b.flux[body][i];
  }
}

std::vector<std::size_t> elements_in_contact(const std::vector<ElementState>& division) {
  std::vector<std::size_t> contact;
  for (std::size_t i = 0; i < division.size(); ++i)
    if (division[i] != ElementState::exterior) contact.push_back(i);
  return contact;
}

// The differences of positions that have an influence, if they are few.
struct SparseInfluence {
  struct Entry {
    int kx = 0;
    int ky = 0;
    double value = 0.0;
  };
  static constexpr std::size_t kMostEntries = 64;
  std::vector<Entry> entries;  // at most one more than kMostEntries

  explicit SparseInfluence(const InfluenceTable& table) {
    const double* value = table.values.data();
    for (int ky = 1 - table.my; ky < table.my && is_sparse(); ++ky)
      for (int kx = 1 - table.mx; kx < table.mx && is_sparse(); ++kx, ++value)
        if (*value != 0.0) entries.push_back({kx, ky, *value});
  }
  [[nodiscard]] bool is_sparse() const { return entries.size() <= kMostEntries; }

  void add(const Grid& grid, const std::vector<double>& in, std::vector<double>& out) const {
    for (const Entry& entry : entries)
      for (int iy = std::max(0, entry.ky); iy < std::min(grid.my, grid.my + entry.ky); ++iy)
        for (int ix = std::max(0, entry.kx); ix < std::min(grid.mx, grid.mx + entry.kx); ++ix)
          out[grid.index(ix, iy)] += entry.value * in[grid.index(ix - entry.kx, iy - entry.ky)];
  }
};

ContactProblem heated_bodies(const ContactProblem& problem) {
  ContactProblem bodies = without_geometry(problem);
  bodies.surface = {};
  bodies.surface.heat = problem.surface.heat;
  return bodies;
}

}  // namespace

HeatConduction heat_conduction(const HeatRequest& request, const std::vector<StepInput>& steps) {
  if (request.conduction != HeatConduction::automatic) return request.conduction;
  bool shifts = false;
  for (const StepInput& step : steps) {
    if (step.tangential.problem == TangentialProblem::steady_rolling) return HeatConduction::depth;
    shifts = shifts || step.tangential.problem == TangentialProblem::shift;
  }
  return shifts ? HeatConduction::half_space : HeatConduction::depth;
}

std::size_t heat_memory_bytes(const ContactProblem& problem) {
  // The tables of both bodies and their sum, the table, spectrum and transform of one pulse.
  constexpr std::size_t kTables = 26;
  constexpr std::size_t kVectors = 8;  // of GMRES, and the fields that it multiplies
  constexpr std::size_t kCopies = 2;   // of each pulse: one in a state
  if (!problem.surface.heat) return 0;
  std::size_t steps = 0;   // that keep a pulse each
  std::size_t steady = 0;  // together one
  for (const StepInput& step : problem.steps)
    if (step.tangential.problem == TangentialProblem::steady_rolling)
      steady = 1;
    else
      steps += static_cast<std::size_t>(step.repeat);
  const std::size_t pulses =
      std::min(kMostPulses + 1, steps + steady);  // the newest before a merge
  const std::size_t fields =
      kCopies * kBothBodies.size() * pulses + (steps > 0 ? kTables + kVectors : 0);
  return fields * sizeof(double) * problem.grid.count();
}

HeatMemory::HeatMemory(const ContactProblem& problem)
    : problem_(heated_bodies(problem)), one_way_(roll_one_way(problem.steps)) {
  request_.conduction = heat_conduction(request_, problem.steps);
  for (const std::size_t body : kBothBodies) {
    const ThermalBody& of = request_.bodies[body];
    material_[body] = {thermal_penetration(of, problem_.units),
                       of.conductivity / (of.density * of.capacity), request_.conduction};
  }
}

HeatMemory::~HeatMemory() = default;

// The mean rigid slip of the elements in contact; the origin, about which the bodies rotate, may be
// far away.
std::array<double, 2> HeatMemory::slide_of(const StepInput& step, const ContactSolution& solution,
                                           const StepReport& report) const {
  const std::vector<std::size_t> contact = elements_in_contact(solution.element_division);
  std::array<double, 2> slide{};
  const ExtraSlip& extra = step.tangential.extra;
  for (const std::size_t i : contact) {
    const auto mx = static_cast<std::size_t>(grid_.mx);
    slide[0] -= report.rotation * grid_.y(static_cast<int>(i / mx));
    slide[1] += report.rotation * grid_.x(static_cast<int>(i % mx));
    if (extra.x) slide[0] += (*extra.x)[i];
    if (extra.y) slide[1] += (*extra.y)[i];
  }
  if (!contact.empty())
    for (double& value : slide) value /= static_cast<double>(contact.size());
  return {slide[0] + report.rigid_x, slide[1] + report.rigid_y};
}

// In rolling the material of each body moves with its own speed; in a shift the contact stays on one
// body.
HeatPulse HeatMemory::moved(const StepInput& step, const ContactSolution& solution,
                            const StepReport& report) const {
  const Tangential& tangential = step.tangential;
  HeatPulse pulse;
  if (is_rolling(tangential.problem)) {
    pulse.duration = tangential.step / tangential.velocity;
    const PassingSpeeds speeds = passing_speeds(tangential, report);
    for (const std::size_t body : kBothBodies) {
      const double way = -speeds[body] * tangential.step;
      pulse.way_x[body] = way * std::cos(tangential.direction);
      pulse.way_y[body] = way * std::sin(tangential.direction);
    }
    // Removes the rounding in the cosine of right angles, which no material follows.
    if (rolls_along_x(tangential.direction)) pulse.way_y.fill(0.0);
    if (rolls_along_y(tangential.direction)) pulse.way_x.fill(0.0);
    return pulse;
  }
  pulse.duration = tangential.duration;
  const bool on_upper = request_.contact_on == Body::upper;
  const std::size_t moves = on_upper ? 1 : 0;
  const std::array<double, 2> slide = slide_of(step, solution, report);
  pulse.way_x[moves] = on_upper ? -slide[0] : slide[0];
  pulse.way_y[moves] = on_upper ? -slide[1] : slide[1];
  const double way = std::hypot(slide[0], slide[1]);
  if (std::isfinite(way) && way > kMostElementsPassed * std::min(grid_.dx, grid_.dy))
    throw InputError("heat: the surfaces slide " + number_text(way) +
                     " over each other in a step, more than 1e7 elements; accepted: shorter steps, "
                     "larger elements, or no heat");
  return pulse;
}

std::vector<HeatWindow> HeatMemory::windows_of(std::size_t body, const HeatPulse& now) const {
  HeatWindow window{0.0, now.duration, now.way_x[body], now.way_y[body]};
  std::vector<HeatWindow> windows{window};
  for (std::size_t k = pulses_.size(); k-- > 0;) {
    const HeatPulse& pulse = pulses_[k];
    window.age += window.duration;
    window.since_x += window.way_x;
    window.since_y += window.way_y;
    window.duration = pulse.duration;
    window.way_x = pulse.way_x[body];
    window.way_y = pulse.way_y[body];
    windows.push_back(window);
  }
  return windows;
}

InfluenceTable HeatMemory::table_of(std::size_t body, const HeatWindow& window) const {
  InfluenceTable table{grid_.mx, grid_.my, {}};
  table.values.assign(table.width() * (2 * static_cast<std::size_t>(grid_.my) - 1), 0.0);
  add_conduction(material_[body], window, grid_, table);
  return table;
}

void HeatMemory::add(const InfluenceTable& table, const std::vector<double>& flux,
                     std::vector<double>& sum) {
  const SparseInfluence sparse(table);
  if (sparse.is_sparse()) return sparse.add(grid_, flux, sum);
  if (!convolution_) {
    Grid free = grid_;
    free.boundary = Boundary::free;  // the tables have the images
    convolution_ = std::make_unique<CpuFftConvolution>(free);
  }
  const Spectrum spectrum = convolution_->transform(table);
  std::vector<double> product(sum.size());
  apply_each(*convolution_, {{&spectrum, flux.data(), product.data()}});
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += product[i];
}

// Moves flux from body 2 to body 1 until both temperatures agree in each element in contact.
void HeatMemory::share(const std::array<InfluenceTable, 2>& now,
                       const std::vector<std::size_t>& contact, const std::vector<double>& power,
                       HeatedStep& heated) {
  std::array<std::vector<double>, 2>& flux = heated.pulse.flux;
  std::array<std::vector<double>, 2>& temperature = heated.surface.temperature;
  const double part =
      material_[0].penetration / (material_[0].penetration + material_[1].penetration);
  for (const std::size_t body : kBothBodies) flux[body].assign(power.size(), 0.0);
  for (const std::size_t i : contact) {
    flux[0][i] = part * power[i];
    flux[1][i] = power[i] - flux[0][i];
  }
  for (const std::size_t body : kBothBodies) add(now[body], flux[body], temperature[body]);
  InfluenceTable both = now[0];
  for (std::size_t i = 0; i < both.values.size(); ++i) both.values[i] += now[1].values[i];
  double greatest = 0.0;
  double hottest = 0.0;
  for (const std::size_t i : contact)
    for (const std::size_t body : kBothBodies) {
      const double value = temperature[body][i];
      greatest = std::max(greatest, std::fabs(value - request_.bodies[1 - body].temperature));
      hottest = std::max(hottest, std::fabs(value));
    }
  const double enough = kShareTolerance * greatest + kShareRounding * hottest;
  // GMRES loses digits if many are requested at once, so a few are requested at a time.
  constexpr int kMostRounds = 20;
  CpuBackend::Array<double> apart(contact.size());
  for (int round = 0;; ++round) {
    double most = 0.0;
    for (std::size_t k = 0; k < contact.size(); ++k) {
      apart.data()[k] = temperature[1][contact[k]] - temperature[0][contact[k]];
      most = std::max(most, std::fabs(apart.data()[k]));
    }
    if (!(most > enough)) return;
    if (round == kMostRounds) {
      heated.apart = most;
      return;
    }
    std::vector<double> change = solve_share(both, contact, apart);
    for (const std::size_t body : kBothBodies) {
      for (std::size_t i = 0; i < change.size(); ++i) flux[body][i] += change[i];
      add(now[body], change, temperature[body]);
      for (double& value : change) value = -value;
    }
  }
}

// The flux per element, 0 outside the contact, that produces the given temperatures in the contact.
std::vector<double> HeatMemory::solve_share(const InfluenceTable& table,
                                            const std::vector<std::size_t>& contact,
                                            const CpuBackend::Array<double>& wanted) {
  constexpr double kTolerance = 1.0e-3;
  std::vector<double> in(grid_.count(), 0.0);
  std::vector<double> out(grid_.count());
  const auto copy = [&](const double* from, double* to) { std::copy_n(from, contact.size(), to); };
  const auto multiply = [&](const double* from, double* to) {
    for (std::size_t k = 0; k < contact.size(); ++k) in[contact[k]] = from[k];
    std::fill(out.begin(), out.end(), 0.0);
    add(table, in, out);
    for (std::size_t k = 0; k < contact.size(); ++k) to[k] = out[contact[k]];
  };
  CpuBackend backend;
  CpuBackend::Array<double> found(contact.size());
  Gmres<CpuBackend>(backend, contact.size()).solve(wanted, found, kTolerance, multiply, copy);
  for (std::size_t k = 0; k < contact.size(); ++k) in[contact[k]] = found.data()[k];
  return in;
}

HeatedStep HeatMemory::after(const StepInput& step, const ContactSolution& solution,
                             const StepReport& report) {
  HeatedStep heated;
  heated.pulse = moved(step, solution, report);
  const std::vector<double> power = heating_power(problem_, step, report, solution);
  if (step.tangential.problem == TangentialProblem::steady_rolling) {
    const PassingSpeeds speeds = passing_speeds(step.tangential, report);
    heated.surface = surface_temperatures(request_, problem_.units, grid_, step.tangential, power,
                                          solution.element_division, speeds);
    heated.pulse.flux = surface_fluxes(request_, problem_.units, grid_, step.tangential, power,
                                       solution.element_division, speeds);
    return heated;
  }
  std::array<std::vector<HeatWindow>, 2> windows;
  double work = 0.0;
  for (const std::size_t body : kBothBodies) {
    windows[body] = windows_of(body, heated.pulse);
    for (const HeatWindow& window : windows[body])
      work += conduction_work(material_[body], window, grid_);
  }
  refuse_long_conduction(work);
  std::array<InfluenceTable, 2> now;
  for (const std::size_t body : kBothBodies) {
    std::vector<double>& temperature = heated.surface.temperature[body];
    temperature.assign(grid_.count(), request_.bodies[body].temperature);
    now[body] = table_of(body, windows[body].front());
    for (std::size_t k = 1; k < windows[body].size(); ++k)
      add(table_of(body, windows[body][k]), pulses_[pulses_.size() - k].flux[body], temperature);
  }
  share(now, elements_in_contact(solution.element_division), power, heated);
  for (const std::size_t body : kBothBodies) {
    const std::vector<double>& flux = heated.pulse.flux[body];
    heated.surface.heat[body] =
        grid_.element_area() * std::accumulate(flux.begin(), flux.end(), 0.0);
  }
  return heated;
}

void HeatMemory::forget() { pulses_.clear(); }

void HeatMemory::keep(const StepInput& step, HeatPulse pulse) {
  if (step.tangential.problem == TangentialProblem::steady_rolling) {
    pulses_.clear();
    double slowest = step.tangential.step;
    for (const std::size_t body : kBothBodies)
      slowest = std::min(slowest, std::hypot(pulse.way_x[body], pulse.way_y[body]));
    const double steps = 1.0 + (grid_.mx * grid_.dx + grid_.my * grid_.dy) / slowest;
    pulse.duration *= steps;  // long enough for both bodies to pass the grid
    for (const std::size_t body : kBothBodies) {
      pulse.way_x[body] *= steps;
      pulse.way_y[body] *= steps;
    }
  }
  pulses_.push_back(std::move(pulse));
  merge_old();
}

// Drops heat that has left the grid for good. Where heat stays, steps with equal motion and equal
// flux are merged in groups of two, four, ..., larger the older they are, so that their number
// grows as the logarithm of the steps; heat and distances are preserved. Steps that differ are
// merged above kMostPulses only.
void HeatMemory::merge_old() {
  if (one_way_) {
    std::array<HeatWindow, 2> window;
    std::size_t first = pulses_.size();
    for (bool left = false; first > 0 && !left;) {
      const HeatPulse& pulse = pulses_[--first];
      left = true;
      for (const std::size_t body : kBothBodies) {
        HeatWindow& of = window[body];
        of = {of.age + of.duration, pulse.duration,        pulse.way_x[body],
              pulse.way_y[body],    of.since_x + of.way_x, of.since_y + of.way_y};
        left = left && has_left(material_[body], of, grid_);
      }
      if (left) ++first;
    }
    pulses_.erase(pulses_.begin(), pulses_.begin() + static_cast<std::ptrdiff_t>(first));
  }
  if (!one_way_ || request_.conduction != HeatConduction::depth) merge_equal();
  while (pulses_.size() > kMostPulses) merge_least();
}

void HeatMemory::merge_equal() {
  constexpr std::int64_t kMostAlike = 8;
  std::int64_t largest = 1;
  for (const HeatPulse& pulse : pulses_) largest = std::max(largest, pulse.steps);
  for (std::int64_t size = 1; size <= largest; size *= 2) {
    const auto is_of_size = [&](const HeatPulse& pulse) {
      return size <= pulse.steps && pulse.steps < 2 * size;
    };
    if (std::count_if(pulses_.begin(), pulses_.end(), is_of_size) <= kMostAlike) continue;
    const auto pair = std::adjacent_find(
        pulses_.begin(), pulses_.end(), [&](const HeatPulse& a, const HeatPulse& b) {
          return is_of_size(a) && is_of_size(b) && are_alike(a, b, grid_);
        });
    if (pair != pulses_.end()) merge(pair);
  }
}

// Merges the two neighbours whose merging changes the temperatures least. With the difference d of
// their fluxes it moves the heat d t_1 t_2/(t_1 + t_2) by the time (t_1 + t_2)/2, and the
// temperature due to heat of the age t changes as t^(-3/2)/2. Where their motions differ, it moves
// all their heat by up to the distance e, by e/2 in the mean, and the temperature itself falls as
// t^(-1/2) (THEORY.md 15.6).
void HeatMemory::merge_least() {
  auto best = pulses_.begin();
  double least = std::numeric_limits<double>::infinity();
  double age = 0.0;
  for (auto after = pulses_.end() - 1; after != pulses_.begin(); --after) {
    const auto before = after - 1;
    const double both = before->duration + after->duration;
    const double then = age + 0.5 * both;
    const FluxChange flux = flux_change(*before, *after);
    double change = 0.25 * flux.most * before->duration * after->duration / std::pow(then, 1.5);
    if (!move_alike(*before, *after, grid_)) {
      const double steepest = std::max(steepest_flux(*before, grid_), steepest_flux(*after, grid_));
      change += std::min(flux.greatest, 0.5 * off_path(*before, *after) * steepest) * both /
                std::sqrt(then);
    }
    if (change <= least) {  // of equals the oldest
      least = change;
      best = before;
    }
    age += after->duration;
  }
  merge(best);
}

void HeatMemory::merge(std::vector<HeatPulse>::iterator pair) {
  add_pulse(*(pair + 1), *pair);
  pulses_.erase(pair + 1);
}

void HeatMemory::save(SolverState& state) const {
  std::vector<double>& numbers = state[kHeatPulses];
  for (const char* name : kHeatFlux) state[name].reserve(pulses_.size() * grid_.count());
  for (const HeatPulse& pulse : pulses_) {
    numbers.insert(numbers.end(), {pulse.duration, pulse.way_x[0], pulse.way_x[1], pulse.way_y[0],
                                   pulse.way_y[1], static_cast<double>(pulse.steps)});
    for (const std::size_t body : kBothBodies)
      state[kHeatFlux[body]].insert(state[kHeatFlux[body]].end(), pulse.flux[body].begin(),
                                    pulse.flux[body].end());
  }
}

bool HeatMemory::saves(const std::string& name) {
  return name == kHeatPulses ||
         std::find(kHeatFlux.begin(), kHeatFlux.end(), name) != kHeatFlux.end();
}

void HeatMemory::restore(const SolverState& state) {
  const std::vector<double>& numbers = saved_values(state, kHeatPulses);
  const std::size_t count = numbers.size() / kPulseNumbers;
  if (numbers.size() != count * kPulseNumbers) refuse_state(kHeatPulses);
  for (const char* name : kHeatFlux)
    if (count > 0 && saved_values(state, name).size() != count * grid_.count()) refuse_state(name);
  pulses_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    const double* number = numbers.data() + k * kPulseNumbers;
    HeatPulse pulse;
    pulse.duration = number[0];
    pulse.way_x = {number[1], number[2]};
    pulse.way_y = {number[3], number[4]};
    pulse.steps = static_cast<std::int64_t>(number[5]);
    for (const std::size_t body : kBothBodies) {
      const double* flux = saved_values(state, kHeatFlux[body]).data() + k * grid_.count();
      pulse.flux[body].assign(flux, flux + grid_.count());
    }
    pulses_.push_back(std::move(pulse));
  }
}

double HeatMemory::peclet_number(const StepInput& step, const ContactSolution& solution,
                                 const StepReport& report) const {
  Tangential moving = step.tangential;
  if (!is_rolling(moving.problem)) {
    const std::array<double, 2> slide = slide_of(step, solution, report);
    moving.velocity = std::hypot(slide[0], slide[1]) / moving.duration;
    moving.direction = std::atan2(slide[1], slide[0]);
  }
  const std::span<const ThermalBody> both = request_.bodies;
  const std::size_t passes = request_.contact_on == Body::upper ? 1 : 0;
  if (!is_rolling(moving.problem))
    return least_peclet_number(both.subspan(passes, 1), grid_, moving, solution.element_division);
  return least_peclet_number(both, grid_, moving, solution.element_division,
                             passing_speeds(moving, report));
}

}  // namespace slipfield
