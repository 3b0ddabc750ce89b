// SPDX-License-Identifier: Apache-2.0
// From tractions to the slip of a step: the displacement now less that of the same particles one
// step ago, if that depends on the same tractions (steady rolling; THEORY.md 5.4).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/grid.h"
#include "solver/influence/block.h"
#include "solver/influence/influence_table.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/solution.h"

namespace slipfield {

// Elements that entered the contact at its leading edge during a rolling step longer than an
// element.
//
// Such an element was in contact over a part of the step only: it gets that fraction of the rigid
// slip, and its particle started from the displacement at the edge (THEORY.md 5.5).
struct LeadingEdge {
  std::vector<double>
      fraction;  // of the step that the element was in contact, 1 where it was all the time
  std::vector<int> edge;  // element behind the edge at which it entered; -1: was in contact before
};

// Finds them for rolling along x or y, forwards (direction 0 or 90) or backwards, over `step`
// [length]. first: added to the indices in `edge`, if the grid is a slab of rows of another.
inline LeadingEdge find_leading_edge(const Grid& grid, const std::vector<unsigned char>& state,
                                     bool along_y, bool forwards, double step,
                                     std::size_t first = 0) {
  LeadingEdge result{std::vector<double>(grid.count(), 1.0), std::vector<int>(grid.count(), -1)};
  const int lines = along_y ? grid.mx : grid.my;
  const int length = along_y ? grid.my : grid.mx;
  const double element = along_y ? grid.dy : grid.dx;
  const auto index = [&](int k, int line) {
    return along_y ? grid.index(line, k) : grid.index(k, line);
  };
  for (int line = 0; line < lines; ++line) {
    int edge = -1;
    for (int from_edge = 0; from_edge < length; ++from_edge) {
      const int k = forwards ? length - 1 - from_edge : from_edge;
      const std::size_t i = index(k, line);
      if (!in_contact(state[i])) {
        edge = -1;
        continue;
      }
      if (edge < 0) edge = k;
      const double behind = (std::abs(edge - k) + 1.0) * element;
      if (behind >= step) continue;
      result.fraction[i] = behind / step;
      result.edge[i] = static_cast<int>(first + index(edge, line));
    }
  }
  return result;
}

// Operators and particle displacements of the current step, reused while they stay the same.
template <class Backend>
class SlipOperator {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  // grid: the whole grid; current: gives the displacement now; the caller keeps it alive.
  SlipOperator(Backend& backend, const Grid& grid, const CombinedMaterial& material,
               InfluenceMethod method, Influence& current)
      : backend_(backend),
        grid_(grid),
        material_(material),
        method_(method),
        count_(own_grid(backend, grid).count()),
        current_(current),
        main_(&current) {}

  // Prepares a step; fields hold tractions and displacements of the step before.
  void prepare(const Tangential& tangential, const StepFields& fields) {
    const bool rolling = is_rolling(tangential.problem);
    const bool steady = tangential.problem == TangentialProblem::steady_rolling;
    along_y_ = rolls_along_y(tangential.direction);
    rule_ = enters_within_step(tangential, grid_);
    forwards_ = rolls_forwards(tangential.direction);
    step_ = tangential.step;
    main_ = &current_;
    if (previous_x_.size() == 0)
      for (Array<double>* array : {&previous_x_, &previous_y_}) *array = Array<double>(count_);
    if (!rolling) {
      run(CopyField{fields.displacement_x, previous_x_.data()});
      run(CopyField{fields.displacement_y, previous_y_.data()});
      return;
    }
    const double cosine = std::cos(tangential.direction);
    const double sine = std::sin(tangential.direction);
    if (rule_) {
      make_edge();
      InfluenceKind edge{Displacement::previous, along_y_ ? 0.0 : grid_.dx * cosine,
                         along_y_ ? grid_.dy * sine : 0.0};
      edge.layers = current_.kind().layers;
      edge.curved = current_.kind().curved;
      operator_of(at_edge_, edge);
    }
    InfluenceKind kind{Displacement::previous, step_ * cosine, step_ * sine};
    kind.layers = current_.kind().layers;
    kind.curved = current_.kind().curved;
    if (steady) {
      kind.memory = current_.kind().memory;
      kind.displacement = Displacement::change;
      main_ = &operator_of(change_, kind);
      run(FillField{0.0, previous_x_.data()});
      run(FillField{0.0, previous_y_.data()});
      return;
    }
    displacement_by(operator_of(previous_, kind), fields, previous_x_.data(), previous_y_.data());
    if (rule_) displace_edge(fields);
  }

  // Subtracts an extra rigid slip from the displacement before the step; call it after prepare().
  void add_extra(const Tangential& tangential) {
    const double distance = is_rolling(tangential.problem) ? tangential.step : 1.0;
    subtract_extra(tangential.extra.x.get(), distance, previous_x_);
    subtract_extra(tangential.extra.y.get(), distance, previous_y_);
  }

  // Adds displacements that the tractions of this step do not change: before, of the particles one
  // step ago (in rolling; in a shift they are already included), and now.
  void add_to_previous(const std::vector<double>& before_x, const std::vector<double>& now_x,
                       const std::vector<double>& before_y, const std::vector<double>& now_y) {
    const auto add = [&](const std::vector<double>& before, const std::vector<double>& now,
                         Array<double>& previous) {
      std::vector<double> values = backend_.download(previous);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += before[i] - now[i];
      backend_.upload(values, previous);
    };
    add(before_x, now_x, previous_x_);
    add(before_y, now_y, previous_y_);
  }

  // Displacement of the particles one step ago, as far as it is known in advance.
  [[nodiscard]] const double* previous_x() const { return previous_x_.data(); }
  [[nodiscard]] const double* previous_y() const { return previous_y_.data(); }

  // Switches to the operator of a step without particle history and without the leading-edge rule.
  void take_up(const InfluenceKind& kind) {
    rule_ = false;
    main_ = kind == current_.kind() ? &current_ : &operator_of(change_, kind);
  }
  [[nodiscard]] const InfluenceKind& kind() const { return main_->kind(); }
  // Another operator of the same bodies and grid, for take_up(). Report its number of products to
  // add_products().
  [[nodiscard]] SlipOperator beside() const {
    return SlipOperator(backend_, grid_, material_, method_, current_);
  }
  void add_products(std::int64_t others) { products_of_replaced_ += others; }

  // Finds the elements that entered the contact in this step. After many outer iterations the last
  // edge is kept: an element that alternates there would prevent settling.
  void enter_contact(const Array<unsigned char>& state, int outer_iteration) {
    constexpr int kLastUpdate = 10;
    if (!rule_ || outer_iteration > kLastUpdate) return;
    const RowRange rows = rows_before_edge();
    const LeadingEdge found =
        find_leading_edge(slab_of(grid_, rows), states_before_edge(state), along_y_, forwards_,
                          step_, grid_.index(0, rows.first));
    upload_own(found.edge, edge_);
    upload_own(found.fraction, fraction_);
  }

  // The leading edge found last; a step that finds no contact uses it again.
  template <class Visit>
  void visit_state(const Visit& visit) {
    visit("leading_edge", edge_);
    visit("leading_edge_fraction", fraction_);
  }
  template <class Visit>
  void visit_state(const Visit& visit) const {
    visit("leading_edge", edge_);
    visit("leading_edge_fraction", fraction_);
  }
  void prepare_restore(bool with_edge) {
    if (with_edge) make_edge();
  }

  // Fraction of the rigid slip that each element gets; null: all get the whole slip.
  [[nodiscard]] const double* fraction() const { return rule_ ? fraction_.data() : nullptr; }

  // Slip due to tractions (Block::tangential) or to pressure (Block::tangential_from_normal).
  void apply(Block block, const TractionField& traction, const DisplacementField& slip) {
    main_->apply(block, traction, slip);
  }

  // Whether apply_ahead() is available: steady rolling of elastic bodies on a free grid.
  [[nodiscard]] bool reaches_ahead() const {
    return main_->kind().displacement == Displacement::change && main_->kind().memory.empty() &&
           main_->kind().curved == nullptr && main_->kind().own_compliance == 0.0 &&
           grid_.boundary == Boundary::free;
  }
  // The slip one step ahead of each element, also beyond the grid's end.
  void apply_ahead(Block block, const TractionField& traction, const DisplacementField& slip) {
    InfluenceKind kind{Displacement::previous, main_->kind().offset_x, main_->kind().offset_y};
    kind.layers = main_->kind().layers;
    operator_of(ahead_, kind).apply(block, traction, slip);
    kind.offset_x *= 2.0;
    kind.offset_y *= 2.0;
    for (Array<double>* array : {&ahead_x_, &ahead_y_})
      if (array->size() == 0) *array = Array<double>(count_);
    operator_of(two_ahead_, kind).apply(block, traction, {ahead_x_.data(), ahead_y_.data()});
    run(SubtractPrevious{.previous_x = ahead_x_.data(),
                         .previous_y = ahead_y_.data(),
                         .base_x = slip.x,
                         .base_y = slip.y});
  }

  // base -= displacement of the particles one step ago, as far as it is known in advance
  void subtract_previous(double* base_x, double* base_y) {
    const RowRange rows = rows_before_edge();
    const auto first = static_cast<int>(grid_.index(0, rows.first));
    const auto end = static_cast<int>(grid_.index(0, rows.first + rows.count));
    run(SubtractPrevious{previous_x_.data(), previous_y_.data(), rule_ ? edge_.data() : nullptr,
                         at_edge_x_.data(), at_edge_y_.data(), base_x, base_y, first, end});
  }

  [[nodiscard]] bool made_of_launches() const { return slipfield::made_of_launches(*main_); }

  // Forwards to BackendInfluence.
  void set_across(const AcrossSymbol& symbol) { main_->set_across(symbol); }
  void precondition_tangential(const double* in_x, const double* in_y, const double* in_across,
                               double* out_x, double* out_y, double* out_across) {
    main_->precondition_tangential(in_x, in_y, in_across, out_x, out_y, out_across);
  }
  // Newton's products (newton_ops.h): out = M in, and out = J M in with joined = M in, if the
  // backend fuses them for this operator; otherwise returns false and does nothing.
  template <class Fields>
  bool precondition_newton(const Fields& f, const double* in, double* out) {
    if constexpr (requires { main_->precondition_newton(f, in, out); })
      return main_->precondition_newton(f, in, out);
    else
      return false;
  }
  template <class Fields>
  bool multiply_newton(const Fields& f, const double* in, double* joined, double* out) {
    if constexpr (requires { main_->multiply_newton(f, in, joined, out); })
      return main_->multiply_newton(f, in, joined, out);
    else
      return false;
  }
  // Solves J x = b as Gmres does, in at most `most` products, if the backend can; leaves their
  // number in f.scalars->products for the caller to count. Otherwise returns false.
  template <class Fields>
  bool solve_newton(const Fields& f, const double* b, double* x, double tolerance, int most) {
    if constexpr (requires { main_->solve_newton(f, b, x, tolerance, most); })
      return main_->solve_newton(f, b, x, tolerance, most);
    else
      return false;
  }
  [[nodiscard]] double self(Component component) const { return main_->self(component); }

  // The operator as one table of coefficients; null on a grid that is periodic in both directions,
  // for curved surfaces and if the rows are shared out.
  [[nodiscard]] Influence* table_operator() {
    const bool none = !Backend::kOneOwner || grid_.boundary == Boundary::periodic;
    return none || main_->kind().curved ? nullptr : main_;
  }

  [[nodiscard]] std::int64_t products() const {
    std::int64_t sum = products_of_replaced_;
    for (const auto* slot : {&previous_, &change_, &at_edge_, &ahead_, &two_ahead_})
      sum += *slot ? (*slot)->products() : 0;
    return sum;
  }

 private:
  template <class Op>
  void run(const Op& op) {
    backend_.run(count_, op);
  }

  void subtract_extra(const std::vector<double>* extra, double distance, Array<double>& previous) {
    if (extra == nullptr) return;
    std::vector<double> values = backend_.download(previous);
    const std::size_t first = grid_.index(0, backend_.own_rows(grid_.my).first);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= distance * (*extra)[first + i];
    backend_.upload(values, previous);
  }

  void make_edge() {
    if (edge_.size() == 0) {
      edge_ = Array<int>(count_);
      fraction_ = Array<double>(count_);
    }
    const std::size_t reach = grid_.index(0, rows_before_edge().count);
    if (at_edge_x_.size() == reach) return;
    at_edge_x_ = Array<double>(reach);
    at_edge_y_ = Array<double>(reach);
  }

  // The rows that contain the edges of the own elements: all rows if the step crosses rows.
  [[nodiscard]] RowRange rows_before_edge() const {
    return along_y_ ? RowRange{0, grid_.my} : backend_.own_rows(grid_.my);
  }
  [[nodiscard]] std::vector<unsigned char> states_before_edge(
      const Array<unsigned char>& state) const {
    std::vector<unsigned char> own = backend_.download(state);
    return along_y_ ? backend_.gather(std::move(own)) : own;
  }
  // Uploads values given on rows_before_edge().
  template <class T>
  void upload_own(const std::vector<T>& values, Array<T>& own) {
    backend_.upload(along_y_ ? own_values(backend_, grid_, values) : values, own);
  }
  void displace_edge(const StepFields& fields) {
    const RowRange rows = rows_before_edge();
    const std::size_t own = grid_.index(0, backend_.own_rows(grid_.my).first - rows.first);
    double* const x = at_edge_x_.data();
    double* const y = at_edge_y_.data();
    displacement_by(*at_edge_, fields, x + own, y + own);
    if (!along_y_) return;
    const std::array<RowsOfField, 2> all{RowsOfField{x + own, x}, RowsOfField{y + own, y}};
    backend_.fetch_rows(grid_, rows, all);
  }

  Influence& operator_of(std::optional<Influence>& slot, const InfluenceKind& kind) {
    if (!slot || slot->kind() != kind) {
      if (slot) products_of_replaced_ += slot->products();
      slot.emplace(backend_, grid_, material_, method_, kind);
    }
    return *slot;
  }

  void displacement_by(Influence& influence, const StepFields& fields, double* x, double* y) {
    influence.apply(Block::tangential, {fields.traction_x, fields.traction_y}, {x, y});
    if (!may_couple(material_, influence.kind())) return;
    // slip_x and slip_y of the step before serve as scratch
    influence.apply(Block::tangential_from_normal, {.n = fields.pressure},
                    {fields.slip_x, fields.slip_y});
    run(AddFields{x, fields.slip_x, x});
    run(AddFields{y, fields.slip_y, y});
  }

  Backend& backend_;
  Grid grid_;
  CombinedMaterial material_;
  InfluenceMethod method_;
  std::size_t count_;
  Influence& current_;
  Influence* main_;
  // at x + dq; difference; one element ahead
  std::optional<Influence> previous_, change_, at_edge_;
  std::optional<Influence> ahead_, two_ahead_;  // at x + dq, at x + 2 dq
  Array<double> ahead_x_, ahead_y_;
  Array<double> previous_x_, previous_y_;  // displacement of the particles one step ago
  std::int64_t products_of_replaced_ = 0;
  bool rule_ = false;  // the step is longer than an element
  bool along_y_ = false;
  bool forwards_ = true;
  double step_ = 0.0;
  Array<int> edge_;
  Array<double> fraction_, at_edge_x_, at_edge_y_;
};

// The tangential problem on the fields of a grid.
template <class Backend>
struct TangentialSystem {
  SlipOperator<Backend>& influence;  // maps tractions to slip
  // In: contact, bound and starting tractions. Out: tractions, slip and state.
  TangentialFields fields;
  // The part of the slip due to neither tractions nor rigid slip.
  const double* base_x = nullptr;
  const double* base_y = nullptr;
};

}  // namespace slipfield
