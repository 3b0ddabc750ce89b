// SPDX-License-Identifier: Apache-2.0
// Viscoelastic bodies. In steady rolling the influence coefficients include the creep (THEORY.md
// 2.8). In shifts and transient rolling the bodies remember earlier steps (5.13): for each creep
// time the faded tractions of the surface particles,
//   P = integral of exp(-s/tau)/tau p(t - s) ds,
// which displace the surfaces as tractions p do, by the compliance that creep adds. Within a step a
// held quantity stays constant, whatever happened before, and a given one changes linearly.
//
// In rolling, particles leave the grid with their memory: P is kept behind the grid as far as it
// matters, at most ten times the grid's length.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/influence/block.h"
#include "solver/influence/fading_memory.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/fading_step.h"
#include "solver/step/step_part.h"

namespace slipfield {

// How far, and on which side, the fields extend beyond the grid.
struct MemoryReach {
  bool along_y = false;
  bool backwards = false;  // the extension is on the side of greater x or y
  int elements = 0;
  bool operator==(const MemoryReach&) const = default;
};

template <SolverBackend Backend>
class CreepMemory final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  CreepMemory(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model),
        backend_(model.backend),
        grid_(model.whole),
        upper_(problem.upper),
        lower_(problem.lower),
        method_(problem.solver.influence),
        relaxation_{relaxation_of(upper_, lower_, true), relaxation_of(upper_, lower_)},
        x_(model.count),
        y_(model.count),
        n_(model.count),
        distance_(model.count) {
    for (const auto& [material, time] : creep_of(upper_, lower_))
      terms_.push_back({material, time, {}, {}, nullptr});
    clear();
  }

  void add_to_influence(const StepInput& step, InfluenceKind& kind) override {
    const Tangential& tangential = step.tangential;
    plan(step);
    remembers_ = tangential.problem != TangentialProblem::steady_rolling;
    kind.memory = remembers_ ? own() : memory_of(upper_, lower_, tangential);
  }
  void reserve(const StepInput& step) override {
    if (step.tangential.problem == TangentialProblem::none) return;
    constexpr std::size_t kOfTerm = 9;  // memory before and now, and of the particles
    constexpr std::size_t kPassing = 18;
    take_reach(reach_of(step.tangential));
    const Grid grid = wide_grid(reach_);
    if (remembers_) {
      WideFields fields(own_count(grid));
      for (Term& term : terms_) displace(term, grid, fields, [](Block) {});
    }
    count_held(backend_, this,
               (kOfTerm * terms_.size() + kPassing) * sizeof(double) * grid.count());
  }
  void begin(const StepInput& step) override {
    if (!remembers_) return;
    const Remembered remembered = recall(step.tangential, model_.tractions());
    backend_.upload(remembered.now[0], x_);
    backend_.upload(remembered.now[1], y_);
    backend_.upload(remembered.now[2], n_);
    model_.run(AddFields{model_.distance.data(), n_.data(), distance_.data()});
    model_.slip_operator.add_to_previous(remembered.particles[0], remembered.now[0],
                                         remembered.particles[1], remembered.now[1]);
  }
  const Array<double>& add_to_distance(const Array<double>& h) override {
    return remembers_ ? distance_ : h;
  }
  void add_to_displacements() override {
    if (!remembers_) return;
    auto& state = model_.state;
    model_.run(AddFields{state.displacement_x.data(), x_.data(), state.displacement_x.data()});
    model_.run(AddFields{state.displacement_y.data(), y_.data(), state.displacement_y.data()});
    model_.run(AddFields{state.displacement_n.data(), n_.data(), state.displacement_n.data()});
  }
  void finish(const StepInput& step, StepReport& /*report*/) override {
    keep(step.tangential, model_.tractions());
    last_ = loads_of(step);
  }
  // Saves all that recall() uses from earlier steps, as values on the whole wide grid.
  void save(SolverState& state) const override {
    std::vector<double>& out = state[kCreepMemory];
    out = {reach_.along_y ? 1.0 : 0.0, reach_.backwards ? 1.0 : 0.0,
           static_cast<double>(reach_.elements)};
    for (const Term& term : terms_) {
      for (const std::vector<double>& field : term.faded) {
        const std::vector<double> all = backend_.gather(field);
        out.insert(out.end(), all.begin(), all.end());
      }
    }
  }
  void restore(const SolverState& state, const StepInput& last) override {
    if (!restore(saved_values(state, kCreepMemory))) refuse_state(kCreepMemory);
    last_ = loads_of(last);
  }

  // Resets to bodies that have never touched.
  void clear() override {
    last_.reset();
    take_reach({});
    if constexpr (kCountsOnly<Backend>) return;
    for (Term& term : terms_)
      for (std::vector<double>& field : term.faded) field.assign(own_count(grid_), 0.0);
  }

 private:
  using StepPart<Backend>::model_;

  // What the bodies remember in a step of shift or transient rolling: `now`, the displacement at
  // this step; `particles`, that of the same particles one step ago. before: the tractions of the
  // last step.
  struct Remembered {
    VectorField now;
    VectorField particles;  // x and y, in rolling only
  };
  Remembered recall(const Tangential& tangential, const VectorField& before) {
    reach_for(tangential);
    const bool rolls = is_rolling(tangential.problem);
    Remembered sum;
    for (auto* field : {&sum.now, &sum.particles})
      for (std::vector<double>& values : *field) values.assign(own_count(grid_), 0.0);
    const auto at_particles = [&](const std::vector<double>& wide) {
      return rolls ? carried(wide) : wide;
    };
    std::vector<VectorField> old(terms_.size());
    VectorField p;
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t k = 0; k < terms_.size(); ++k) old[k][d] = at_particles(terms_[k].faded[d]);
      p[d] = at_particles(moved(before[d], {}, reach_));
    }
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      Term& term = terms_[k];
      for (std::size_t d = 0; d < 3; ++d) {
        term.known[d].resize(p[d].size());
        for (std::size_t i = 0; i < p[d].size(); ++i) {
          // Outside the contact the traction stays zero.
          const CreepStep& step = p[2][i] != 0.0 ? inside_[d] : outside_;
          double known = step.before[k] * p[d][i];
          for (std::size_t l = 0; l < terms_.size(); ++l)
            known += step.kept[k * terms_.size() + l] * old[l][d][i];
          term.known[d][i] = known;
        }
      }
      add_displacement(term, term.known, sum.now);
      if (rolls) add_displacement(term, old[k], sum.particles);
    }
    return sum;
  }

  // The creep within the step, as an addition to the influence coefficients of its own tractions.
  [[nodiscard]] std::vector<MemoryTerm> own() const {
    std::vector<MemoryTerm> out;
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const double share = outside_.now[k];
      if (!(share > 0.0)) continue;
      CombinedMaterial material = terms_[k].material;
      material.shear_modulus /= share;
      out.push_back({material, 0.0, 0.0});
    }
    return out;
  }

  // Updates the memory after a step with the tractions `now`. After steady rolling: the memory that
  // endless steps of one element would leave.
  void keep(const Tangential& tangential, const VectorField& now) {
    if (tangential.problem == TangentialProblem::none) return;
    const bool steady = tangential.problem == TangentialProblem::steady_rolling;
    if (steady) reach_for(tangential);
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      Term& term = terms_[k];
      for (std::size_t d = 0; d < 3; ++d) {
        std::vector<double> p = moved(now[d], {}, reach_);
        std::vector<double>& faded = term.faded[d];
        if (steady) {
          faded = own_part(reach_, steady_memory(backend_.gather(std::move(p)),
                                                 fading_step(duration(tangential) / term.time)));
          continue;
        }
        for (std::size_t i = 0; i < p.size(); ++i)
          faded[i] = term.known[d][i] + outside_.now[k] * p[i];
      }
    }
  }

  // Returns false if the values do not fit this problem.
  bool restore(const std::vector<double>& values) {
    if (values.size() < 3 || !(values[2] >= 0.0 && values[2] <= kMostElements)) return false;
    const MemoryReach reach{values[0] != 0.0, values[1] != 0.0, static_cast<int>(values[2])};
    const std::size_t count = wide_grid(reach).count();
    if (values.size() != 3 + 3 * terms_.size() * count) return false;
    take_reach(reach);
    auto next = values.begin() + 3;
    for (Term& term : terms_) {
      for (std::vector<double>& field : term.faded) {
        const auto begin = next;
        next += static_cast<std::ptrdiff_t>(count);
        field = own_part(reach, std::vector<double>(begin, next));
      }
    }
    return true;
  }

  static constexpr double kMostElements = 1.0e7;
  struct Term {
    CombinedMaterial material;
    double time = 0.0;
    VectorField faded;  // P of the step before, on the wide grid
    VectorField known;  // P of this step without its own tractions
    std::unique_ptr<Influence> influence;
  };

  [[nodiscard]] static double duration(const Tangential& tangential) {
    return is_rolling(tangential.problem) ? tangential.step / tangential.velocity
                                          : tangential.duration;
  }

  // One share of the step's own tractions enters the coefficients for all directions: that of the
  // pressure's relaxation, or of the tangential one if only tangential motion occurs.
  void plan(const StepInput& step) {
    const bool shifts = step.tangential.problem == TangentialProblem::shift;
    const CreepPlan plan = shifts ? creep_plan(step, last_) : CreepPlan{};
    const double time = duration(step.tangential);
    const bool pressed = !last_ || step.normal != last_->normal;
    const std::size_t moving = plan.changes == Changes::displacements && !pressed ? 0 : 2;
    outside_ = relaxation_at(moving).step(time, Rests::traction,
                                          relaxation_at(moving).now_of(time, plan.changes));
    for (std::size_t d = 0; d < 3; ++d)
      inside_[d] = shifts ? relaxation_at(d).step(time, plan.rests[d], outside_.now) : outside_;
  }
  [[nodiscard]] const Relaxation& relaxation_at(std::size_t direction) const {
    return relaxation_[direction == 2 ? 1 : 0];
  }

  [[nodiscard]] std::size_t own_count(const Grid& grid) const {
    return own_grid(backend_, grid).count();
  }
  // Own rows of a field on the wide grid.
  [[nodiscard]] std::vector<double> own_part(const MemoryReach& reach,
                                             std::vector<double> all) const {
    return own_values(backend_, wide_grid(reach), std::move(all));
  }
  // The whole grid, extended by a reach.
  [[nodiscard]] Grid wide_grid(const MemoryReach& reach) const {
    Grid out = grid_;
    (reach.along_y ? out.my : out.mx) += reach.elements;
    if (reach.backwards) return out;
    (reach.along_y ? out.y0 : out.x0) -= reach.elements * (reach.along_y ? grid_.dy : grid_.dx);
    return out;
  }
  // Index (x, y) in the wide grid of the grid's element (0, 0).
  [[nodiscard]] static std::array<int, 2> corner(const MemoryReach& reach) {
    if (reach.backwards) return {0, 0};
    return reach.along_y ? std::array{0, reach.elements} : std::array{reach.elements, 0};
  }
  // Moves own rows from one reach to another; values outside either are dropped. ahead: elements
  // that the particles move; each place takes the value `ahead` elements ahead of it.
  [[nodiscard]] std::vector<double> moved(const std::vector<double>& own, const MemoryReach& from,
                                          const MemoryReach& to, int ahead = 0) const {
    const std::vector<double> values = backend_.gather(own);
    const Grid source = wide_grid(from);
    const Grid target = wide_grid(to);
    const auto [from_x, from_y] = corner(from);
    const auto [to_x, to_y] = corner(to);
    const int step = to.backwards ? -ahead : ahead;
    const int shift_x = from_x - to_x + (to.along_y ? 0 : step);
    const int shift_y = from_y - to_y + (to.along_y ? step : 0);
    std::vector<double> out(target.count(), 0.0);
    for (int iy = 0; iy < target.my && !values.empty(); ++iy) {
      for (int ix = 0; ix < target.mx; ++ix) {
        const int jx = ix + shift_x;
        const int jy = iy + shift_y;
        if (jx < 0 || jy < 0 || jx >= source.mx || jy >= source.my) continue;
        out[target.index(ix, iy)] = values[source.index(jx, jy)];
      }
    }
    return own_part(to, std::move(out));
  }
  [[nodiscard]] std::vector<double> carried(const std::vector<double>& values) const {
    return moved(values, reach_, reach_, 1);
  }

  [[nodiscard]] MemoryReach reach_of(const Tangential& tangential) const {
    MemoryReach reach;
    if (is_rolling(tangential.problem)) {
      const double chi = tangential.direction;
      reach.along_y = rolls_along_y(chi);
      reach.backwards = (reach.along_y ? std::sin(chi) : std::cos(chi)) < 0.0;
      double longest = 0.0;
      for (const Term& term : terms_) longest = std::max(longest, term.time);
      constexpr double kFaded = 14.0;  // exp(-14) = 8e-7
      constexpr double kMostLengths = 10.0;
      const double most = kMostLengths * (reach.along_y ? grid_.my : grid_.mx);
      const double element = reach.along_y ? grid_.dy : grid_.dx;
      reach.elements = static_cast<int>(
          std::min(most, std::ceil(kFaded * longest * tangential.velocity / element)));
    }
    return reach;
  }
  void reach_for(const Tangential& tangential) {
    const MemoryReach reach = reach_of(tangential);
    if (reach == reach_) return;
    for (Term& term : terms_)
      for (std::vector<double>& field : term.faded) field = moved(field, reach_, reach);
    take_reach(reach);
  }
  // Sets the reach; the coefficients of the old wide grid are dropped.
  void take_reach(const MemoryReach& reach) {
    if (reach == reach_) return;
    for (Term& term : terms_) term.influence.reset();
    reach_ = reach;
  }

  // Adds A P at the grid's elements.
  void add_displacement(Term& term, const VectorField& wide, VectorField& sum) {
    const auto is_zero = [](const std::vector<double>& values) {
      return std::all_of(values.begin(), values.end(), [](double v) { return v == 0.0; });
    };
    const bool none = std::all_of(wide.begin(), wide.end(), is_zero);
    if (backend_.greatest_of(none ? 0.0 : 1.0) == 0.0) return;
    const Grid grid = wide_grid(reach_);
    WideFields fields(own_count(grid));
    for (std::size_t d = 0; d < 3; ++d) backend_.upload(wide[d], fields.in[d]);
    displace(term, grid, fields, [&](Block block) {
      for (int d = 0; d < 3; ++d)
        if (block_gives(block, d))
          add_cut(backend_.download(fields.out[static_cast<std::size_t>(d)]),
                  sum[static_cast<std::size_t>(d)]);
    });
  }
  // Fields on the own rows of the wide grid.
  struct WideFields {
    explicit WideFields(std::size_t count) {
      for (auto* fields : {&in, &out})
        for (Array<double>& field : *fields) field = Array<double>(count);
    }
    std::array<Array<double>, 3> in, out;
  };
  // A P, block by block; calls take(block) after each.
  template <class Take>
  void displace(Term& term, const Grid& grid, WideFields& fields, const Take& take) {
    if (!term.influence)
      term.influence = std::make_unique<Influence>(backend_, grid, term.material, method_);
    const auto& [in_x, in_y, in_n] = fields.in;
    auto& [out_x, out_y, out_n] = fields.out;
    for (const Block block : {Block::normal, Block::tangential, Block::normal_from_tangential,
                              Block::tangential_from_normal}) {
      if (block == Block::normal_from_tangential && term.material.coupling == 0.0) return;
      term.influence->apply(block, {in_x.data(), in_y.data(), in_n.data()},
                            {out_x.data(), out_y.data(), out_n.data()});
      take(block);
    }
  }
  void add_cut(const std::vector<double>& wide, std::vector<double>& sum) const {
    const std::vector<double> cut = moved(wide, reach_, {});
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += cut[i];
  }

  // The P that carrying and fading leave unchanged, from the leading end, on the whole wide grid.
  [[nodiscard]] std::vector<double> steady_memory(const std::vector<double>& p,
                                                  const FadingStep& step) const {
    const Grid grid = wide_grid(reach_);
    std::vector<double> out(p.size());
    const int lines = reach_.along_y ? grid.mx : grid.my;
    const int length = reach_.along_y ? grid.my : grid.mx;
    for (int line = 0; line < lines; ++line) {
      double faded = 0.0;
      double before = 0.0;
      for (int k = 0; k < length; ++k) {
        const int place = reach_.backwards ? k : length - 1 - k;
        const std::size_t i = reach_.along_y ? grid.index(line, place) : grid.index(place, line);
        faded = step.kept * faded + step.before * before + step.now * p[i];
        out[i] = faded;
        before = p[i];
      }
    }
    return out;
  }

  Backend& backend_;
  Grid grid_;  // the whole grid; fields hold the own rows, also on the wide grid
  ElasticBody upper_, lower_;
  InfluenceMethod method_;
  std::array<Relaxation, 2> relaxation_;  // tangential, pressure
  MemoryReach reach_;
  std::vector<Term> terms_;
  std::optional<StepLoads> last_;    // loads of the step before
  std::array<CreepStep, 3> inside_;  // coefficients of this step within the contact
  CreepStep outside_;
  bool remembers_ = false;   // the step continues with the memory
  Array<double> x_, y_, n_;  // displacement by the memory
  Array<double> distance_;   // undeformed distance plus n_
};

}  // namespace slipfield
