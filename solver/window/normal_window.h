// SPDX-License-Identifier: Apache-2.0
// The normal problem on a window of the grid, if the contact covers little of the grid (THEORY.md
// 8.3), on either backend. For few, scattered elements it uses dilute_normal.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/influence/influence_table.h"
#include "solver/normal/normal_solver.h"
#include "solver/problem.h"
#include "solver/window/dilute_normal.h"
#include "solver/window/grid_window.h"
#include "solver/window/window_ops.h"
#include "solver/window/window_rows.h"

namespace slipfield {

template <class Backend>
class NormalWindow {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;
  using Report = typename NormalSolver<Backend>::Report;

  // grid: the whole grid; influence: that of the grid, which the caller keeps alive. distance:
  // undeformed, for first guesses of the contact; infinite where none is possible. may_cut: it is
  // close enough to the distance of the problems to solve for a part of the grid to suffice.
  NormalWindow(Backend& backend, const Grid& grid, const CombinedMaterial& material,
               const SolverSettings& settings, Influence& influence,
               const std::vector<double>& distance, bool may_cut = true)
      : backend_(backend),
        grid_(grid),
        rows_(backend, grid, settings.influence),
        influence_(influence),
        material_(material),
        influence_method_(settings.influence),
        wanted_(may_cut && rows_.possible() && conjugate(settings.normal)),
        overlap_(1),
        outside_(1) {
    least_ = HUGE_VAL;
    double sum = 0.0;
    double finite = 0.0;
    for (const double h : distance) {
      if (!wanted_ || !std::isfinite(h)) continue;
      least_ = std::fmin(least_, h);
      sum += h;
      finite += 1.0;
    }
    if (wanted_) {
      least_ = -backend.greatest_of(-least_);
      sum = sum_over_owners(backend, sum);
      finite = sum_over_owners(backend, finite);
    }
    mean_ = finite > 0.0 ? sum / finite : HUGE_VAL;
    if constexpr (kInHostMemory<Backend>) {
      if (may_cut && conjugate(settings.normal) && settings.influence != InfluenceMethod::summation)
        dilute_.emplace(backend, grid, material, influence, distance);
    }
  }

  // Allocates for the whole grid, or for few touching elements; reserve_in() for the largest
  // windows.
  void reserve(NormalMethod method) {
    if (conjugate(method) && has_host_fields(backend_))
      count_held(backend_, &dilute_, DiluteNormal<Backend>::memory_bytes(grid_));
    whole().reserve(method);
  }

  // Allocates what solve() and follow_approach() need in the largest window of a form
  // (WindowRows::largest).
  void reserve_in(WindowForm form, NormalMethod method) {
    const GridWindow window = rows_.largest(form, kMostOfGrid);
    if (!solves_windows() || !take(window)) return;
    Part& part = *part_;
    part.solver.reserve(method);
    mark_ = Array<unsigned char>(rows_.own_count());
    const Array<unsigned char> mine(window.count());
    rows_.cut_out(window, part.distance.data(), part.distance, part.pressure.data(), part.pressure);
  }

  // Like NormalSolver::solve. The solvers of the grid and of a window never exist at the same time.
  NormalResult solve(const Array<double>& distance, const NormalLoad& load, NormalMethod method,
                     double tolerance, Array<double>& pressure, Array<double>& displacement,
                     const Report& report) {
    int done = 0;
    std::optional<NormalResult> found =
        solve_windows(distance, load, method, tolerance, pressure, displacement, report, done);
    if constexpr (kInHostMemory<Backend>) {
      if (!found && dilute_ && dilute_->possible() && conjugate(method)) {
        release();
        whole_.reset();
        found =
            dilute_->solve(distance, load, method, tolerance, pressure, displacement, report, done);
      }
    }
    if (found) return *found;
    NormalResult result =
        whole().solve(distance, load, method, tolerance, pressure, displacement,
                      [&](int iteration, double change) { report(done + iteration, change); });
    result.iterations += done;
    return result;
  }

  // Like NormalSolver::follow_approach for the last solution; the fields are on the grid.
  bool follow_approach(Array<unsigned char>& contact, double elements,
                       const Array<double>& displaced, double tolerance, Array<double>& q,
                       Array<double>& displacement) {
    if (part_) return follow_in_window(contact, elements, displaced, tolerance, q, displacement);
    return whole().follow_approach(contact.data(), elements, displaced, tolerance, q, displacement);
  }

  // Products in windows since construction.
  [[nodiscard]] std::int64_t products() const {
    return products_ + (part_ ? part_->influence.products() : 0);
  }

 private:
  using Alone = typename WindowRows<Backend>::Alone;

  static bool conjugate(NormalMethod method) {
    return method == NormalMethod::automatic || method == NormalMethod::bound_cg ||
           method == NormalMethod::active_set_cg;
  }

  [[nodiscard]] bool solves_windows() const {
    return wanted_ && influence_.kind().patches == nullptr &&
           has_symmetric_normal(influence_.kind());
  }

  // The solver on the grid; frees that of the window.
  NormalSolver<Backend>& whole() {
    release();
    mark_ = Array<unsigned char>();
    if (!whole_) whole_.emplace(backend_, own_grid(backend_, grid_), influence_);
    return *whole_;
  }
  // Frees the memory of the window but keeps its count of products.
  void release() {
    if (part_) products_ += part_->influence.products();
    part_.reset();
  }

  // A solver and its fields on the window's grid.
  struct Part {
    Part(Alone& backend, const Grid& window, const CombinedMaterial& material,
         InfluenceMethod method, const InfluenceKind& kind)
        : grid(window),
          influence(backend, grid, material, method, kind),
          solver(backend, grid, influence),
          distance(grid.count()),
          pressure(grid.count()),
          displacement(grid.count()) {}

    Grid grid;
    typename Alone::Influence influence;
    NormalSolver<Alone> solver;
    Array<double> distance, pressure, displacement;
  };

  // A quarter: the grid's own remaining fields take no less.
  static constexpr double kMostOfGrid = 0.25;

  // Returns nothing if a window does not pay, or four windows do not hold the contact; the
  // pressures are then as good a start as those given. done: counts iterations in windows.
  std::optional<NormalResult> solve_windows(const Array<double>& distance, const NormalLoad& load,
                                            NormalMethod method, double tolerance,
                                            Array<double>& pressure, Array<double>& displacement,
                                            const Report& report, int& done) {
    constexpr int kMostWindows = 4;
    if (!solves_windows()) return std::nullopt;
    GridWindow window = first_window(distance, load, pressure);
    for (int attempt = 0; attempt < kMostWindows && take(window); ++attempt) {
      Part& part = *part_;
      rows_.cut_out(window, distance.data(), part.distance, pressure.data(), part.pressure);
      NormalResult result = part.solver.solve(
          part.distance, load, method, tolerance, part.pressure, part.displacement,
          [&](int iteration, double change) { report(done + iteration, change); });
      agree_with_first(backend_, result.approach, result.converged, result.iterations);
      done += result.iterations;
      result.iterations = done;
      const WindowPlace place = rows_.place(window);
      backend_.run(rows_.own_count(), PutBack{place, part.pressure.data(), pressure.data()});
      influence_.apply(Block::normal, {.n = pressure.data()}, {.n = displacement.data()});
      if (!result.converged) return result;
      mark(place, distance, displacement.data(), result.approach);
      if (backend_.read(outside_) == 0.0) return result;
      const GridWindow overlap = rows_.around(mark_);
      window = rounded_outwards(window_around(window, overlap), grid_);
    }
    return std::nullopt;
  }

  bool follow_in_window(const Array<unsigned char>& contact, double elements,
                        const Array<double>& displaced, double tolerance, Array<double>& q,
                        Array<double>& displacement) {
    Part& part = *part_;
    Array<unsigned char> mine = rows_.cut_out(window_, contact);
    rows_.cut_out(window_, q.data(), part.pressure, displacement.data(), part.displacement);
    rows_.cut_out(window_, displaced.data(), part.distance, nullptr, part.distance);
    bool found = part.solver.follow_approach(mine.data(), elements, part.distance, tolerance,
                                             part.pressure, part.displacement);
    agree_with_first(backend_, found);
    backend_.run(rows_.own_count(), PutBack{rows_.place(window_), part.pressure.data(), q.data(),
                                            part.displacement.data(), displacement.data()});
    return found;
  }

  bool take(const GridWindow& window) {
    if (!rows_.pays(window, kMostOfGrid)) return false;
    if (!part_ || !(window == window_)) {
      release();
      whole_.reset();
      part_ = std::make_unique<Part>(rows_.alone(), grid_of(window, grid_), material_,
                                     influence_method_, influence_.kind());
    }
    part_->influence.take_up(influence_.kind());
    window_ = window;
    return true;
  }

  // Where the undeformed bodies overlap: at a prescribed approach this contains the contact; at a
  // force, with the approach that Hertz's theory gives for it, it mostly does.
  GridWindow first_window(const Array<double>& distance, const NormalLoad& load,
                          const Array<double>& pressure) {
    const bool force = load.control == NormalControl::force;
    const bool small = grid_.count() < kLeastForWindows;
    if (force && small) return {};
    const double approach = force ? approach_for(distance, load.value) : load.value;
    if (!(approach > least_) || !std::isfinite(approach)) return {};
    if (small) return touching_window(distance, approach, pressure);
    if (measure(distance, approach).count > kMostOfGrid * static_cast<double>(grid_.count()))
      return {};
    mark({}, distance, nullptr, approach);
    return rounded_outwards(rows_.around(mark_), grid_);
  }

  // Where the contact is likely to be: around the starting pressures or, if there are none, where
  // the undeformed bodies overlap by a quarter of the greatest overlap. By Hertz's theory circles
  // touch to half of it, ellipses of 5 : 1 to a quarter at their ends.
  GridWindow touching_window(const Array<double>& distance, double approach,
                             const Array<double>& pressure) {
    constexpr double kTouchingDepth = 0.75;
    if (mark_.size() == 0) mark_ = Array<unsigned char>(rows_.own_count());
    backend_.run(rows_.own_count(), MarkLoaded{pressure.data(), mark_.data()});
    const GridWindow loaded = widened(rows_.around(mark_), grid_, 1);
    if (!loaded.empty()) return loaded;
    mark({}, distance, nullptr, least_ + kTouchingDepth * (approach - least_));
    return rows_.around(mark_);
  }

  // The approach at which a sphere with the same volume and area of overlap would carry the force,
  // F = (4/3) sqrt(2/pi) E* V/sqrt(A); not finite if that takes a great part of the grid.
  double approach_for(const Array<double>& distance, double force) {
    constexpr double kForceOfOverlap = 1.06384608107048;
    constexpr int kMostSteps = 12;
    constexpr double kNear = 0.05;
    double depth = mean_ - least_;
    for (int step = 0; step < kMostSteps; ++step) {
      if (!(depth > 0.0) || !std::isfinite(depth)) break;
      const Overlap found = measure(distance, least_ + depth);
      if (!(found.count > 0.0)) return HUGE_VAL;
      const double carried = kForceOfOverlap * material_.contact_modulus() * found.depth *
                             std::sqrt(grid_.element_area() / found.count);
      if (step == 0 && carried < force) return HUGE_VAL;
      const double ratio = std::pow(force / carried, 2.0 / 3.0);
      depth *= ratio;
      if (std::abs(ratio - 1.0) < kNear) return least_ + depth;
    }
    return HUGE_VAL;
  }

  Overlap measure(const Array<double>& distance, double approach) {
    backend_.run(rows_.own_count(), MeasureOverlap{distance.data(), approach, overlap_.data()});
    return backend_.read(overlap_);
  }
  void mark(const WindowPlace& place, const Array<double>& distance, const double* displacement,
            double approach) {
    if (mark_.size() == 0) mark_ = Array<unsigned char>(rows_.own_count());
    backend_.run(rows_.own_count(), MarkOverlap{place, distance.data(), displacement, approach,
                                                mark_.data(), outside_.data()});
  }

  Backend& backend_;
  Grid grid_;
  WindowRows<Backend> rows_;
  Influence& influence_;
  CombinedMaterial material_;
  InfluenceMethod influence_method_;
  bool wanted_;
  double least_, mean_;  // undeformed distances
  GridWindow window_;
  std::unique_ptr<Part> part_;
  std::optional<NormalSolver<Backend>> whole_;
  std::optional<DiluteNormal<Backend>> dilute_;  // in host memory only
  Array<unsigned char> mark_;
  Array<Overlap> overlap_;
  Array<double> outside_;
  std::int64_t products_ = 0;  // in earlier windows
};

}  // namespace slipfield
