// SPDX-License-Identifier: Apache-2.0
// What a run keeps in the memory of its backend: operators, fields and sums, and how the fields of
// a step follow from one another (THEORY.md 5.2, 8.1, 9.4).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/influence/fading_memory.h"
#include "solver/influence/influence_operator.h"
#include "solver/number_text.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/creep_memory.h"
#include "solver/step/own_rows.h"
#include "solver/step/rolling_resistance.h"
#include "solver/step/rows_beside.h"
#include "solver/step/solver_backend.h"
#include "solver/step/step_ops.h"
#include "solver/step/step_state.h"
#include "solver/tangential/second_order/second_order.h"
#include "solver/tangential/slip_operator.h"
#include "solver/tangential/tangential_ops.h"
#include "solver/window/normal_window.h"
#include "solver/window/tangential_window.h"

namespace slipfield {

template <SolverBackend Backend>
struct StepModel {
  template <class T>
  using Array = typename Backend::template Array<T>;

  // parts: what the backend is made of.
  template <class... Parts>
  explicit StepModel(const ContactProblem& problem, Parts&&... parts)
      : backend(std::forward<Parts>(parts)...),
        whole(problem.grid),
        rows(own_rows(backend, whole)),
        grid(own_grid(backend, whole)),
        material(contact_material(problem)),
        upper(problem.upper),
        lower(problem.lower),
        couples_bodies(couples(problem)),
        count(grid.count()),
        influence(backend, whole, material, problem.solver.influence),
        slip_operator(backend, whole, material, problem.solver.influence, influence),
        second_order(backend, whole, material,
                     problem.solver.rolling == RollingScheme::second_order),
        tangential_window(backend, whole, material, problem.solver, problem.sensitivities),
        creep(backend, whole, upper, lower, problem.solver.influence),
        distance(count),
        state(count),
        compares_rounds(couples_bodies || problem.solver.rolling == RollingScheme::second_order),
        layer_yields(problem.layer.yields()),
        contact_count(1),
        totals(1),
        loss(1),
        tangential_sums(1) {
    const std::vector<double> h = form_undeformed(problem);
    if (problem.patches.exist())
      patches = std::make_shared<const PatchModes>(own_modes(problem.patches));
    if (problem.influence.exists())
      curved = std::make_shared<const CurvedInfluence>(problem.influence);
    if (problem.influence.tables) curved_checksum = checksum(*problem.influence.tables);
    if (periodic()) {
      const double sum = sum_over_sharers(backend, std::accumulate(h.begin(), h.end(), 0.0));
      full_approach = sum / static_cast<double>(whole.count());
    }
    backend.upload(h, distance);
    normal_window.emplace(backend, whole, material, problem.solver, influence, h);
    if (creep.exists())
      for (auto* field : {&creep_x, &creep_y, &creep_n, &creep_distance})
        *field = Array<double>(count);
    refer_to_fields();
    if (keeps_tangential_fields(problem)) make_tangential();
  }

  std::vector<double> form_undeformed(const ContactProblem& problem) {
    std::vector<double> h;
    if constexpr (kSharesRows<Backend>)
      h = backend.own_distance(problem.geometry, whole, material);
    else
      h = undeformed_distance(problem.geometry, grid, material);
    if (problem.patches.exist()) {
      std::vector<double> outside(whole.count(), 0.0);
      exclude_outside(problem.patches, whole, outside);
      const std::vector<double> own = own_values(backend, whole, std::move(outside));
      for (std::size_t i = 0; i < h.size(); ++i) h[i] += own[i];
    }
    return h;
  }
  PatchModes own_modes(const ContactPatches& all) const {
    PatchModes modes = patch_modes(all, whole);
    for (std::vector<double>& shape : modes.shape)
      shape = own_values(backend, whole, std::move(shape));
    return modes;
  }

  // The fields of the tangential problem, made for the first step that needs them.
  void make_tangential() {
    if (state.has_tangential()) return;
    state.make_tangential(compares_rounds, layer_yields);
    for (Array<double>* array : {&coupled_distance, &scratch_x, &scratch_y, &base_x, &base_y})
      *array = Array<double>(count);
    refer_to_fields();
  }
  // As before the first step that needs them.
  void drop_tangential() {
    state.drop_tangential();
    for (Array<double>* array : {&coupled_distance, &scratch_x, &scratch_y, &base_x, &base_y})
      *array = Array<double>();
    refer_to_fields();
  }
  void refer_to_fields() {
    const double coefficient = fields.coefficient;
    fields = {.pressure = state.pressure.data(),
              .traction_x = state.traction_x.data(),
              .traction_y = state.traction_y.data(),
              .displacement_x = state.displacement_x.data(),
              .displacement_y = state.displacement_y.data(),
              .displacement_n = state.displacement_n.data(),
              .slip_x = state.slip_x.data(),
              .slip_y = state.slip_y.data(),
              .bound = state.bound.data(),
              .distance = distance.data(),
              .state = state.division.data(),
              .coefficient = coefficient};
  }
  ~StepModel() = default;
  StepModel(const StepModel&) = delete;  // its parts refer to one another
  StepModel& operator=(const StepModel&) = delete;
  StepModel(StepModel&&) = delete;
  StepModel& operator=(StepModel&&) = delete;

  template <class Op>
  void run(const Op& op) {
    backend.run(count, op);
  }
  // What a step takes from those before; what the bodies remember of its way (THEORY.md 2.8).
  void begin(const Tangential& tangential) {
    InfluenceKind kind;
    remembers = creep.exists() && tangential.problem != TangentialProblem::steady_rolling;
    kind.memory = remembers ? creep.own(tangential) : memory_of(upper, lower, tangential);
    kind.patches = patches;
    kind.curved = curved;
    influence.take_up(kind);
    tangential_window.leave();
    if (!state.has_tangential()) return;
    slip_operator.prepare(tangential, fields);
    second_order.begin(tangential, slip_operator, fields);
    slip_operator.add_extra(tangential);
    if (remembers) remember(tangential);
  }
  // What the particles of a step that remembers are displaced by beforehand.
  void remember(const Tangential& tangential) {
    const auto remembered = creep.begin(tangential, tractions());
    backend.upload(remembered.now[0], creep_x);
    backend.upload(remembered.now[1], creep_y);
    backend.upload(remembered.now[2], creep_n);
    run(AddFields{distance.data(), creep_n.data(), creep_distance.data()});
    slip_operator.add_to_previous(remembered.particles[0], remembered.now[0],
                                  remembered.particles[1], remembered.now[1]);
  }
  // As if no step had been before.
  void clear() {
    state.clear(backend);
    state.creepage_x = state.creepage_y = 0.0;
    creep.clear();
    second_order.clear();
  }
  [[nodiscard]] SolverState saved() const {
    SolverState saved;
    const SaveArray<Backend> save{backend, saved};
    StepState<Backend>::visit(state, save);
    slip_operator.visit_state(save);
    save("undeformed_distance", distance);
    save_memory(saved);
    saved[kStateNumbers] = state.scalars();
    return saved;
  }
  // keeps_tangential: its fields are there whatever the steps are.
  void restore(const SolverState& saved, bool keeps_tangential) {
    if (saved_values(saved, "undeformed_distance") != backend.download(distance))
      throw InputError("the geometry is not the one that the saved state belongs to");
    if (saved.count("traction_x") != 0)
      make_tangential();
    else if (!keeps_tangential)
      drop_tangential();
    slip_operator.prepare_restore(saved.count("leading_edge") != 0);
    const LoadArray<Backend> load{backend, saved,
                                  has_no_tangential_fields(saved) && !keeps_tangential};
    StepState<Backend>::visit(state, load);
    slip_operator.visit_state(load);
    const std::vector<double>& scalars = saved_values(saved, kStateNumbers);
    if (scalars.size() != state.kScalars) refuse_state(kStateNumbers);
    state.set_scalars(scalars);
    restore_memory(saved);
  }
  void save_memory(SolverState& saved) const {
    if (creep.exists()) saved[kCreepMemory] = creep.saved();
    if (std::vector<double> values = second_order.saved(); !values.empty())
      saved[kRollingMemory] = std::move(values);
    if (curved_checksum) saved[kCoefficientsOfState] = {*curved_checksum};
  }
  void restore_memory(const SolverState& saved) {
    if (creep.exists() && !creep.restore(saved_values(saved, kCreepMemory)))
      refuse_state(kCreepMemory);
    const auto rolling = saved.find(kRollingMemory);
    if (!second_order.restore(rolling == saved.end() ? std::vector<double>{} : rolling->second))
      refuse_state(kRollingMemory);
    if (curved_checksum &&
        saved_values(saved, kCoefficientsOfState) != std::vector{*curved_checksum})
      throw InputError("the influence coefficients are not those that the saved state belongs to");
  }
  [[nodiscard]] VectorField tractions() const {
    return {backend.download(state.traction_x), backend.download(state.traction_y),
            backend.download(state.pressure)};
  }
  [[nodiscard]] bool coupled() const { return couples_bodies; }
  [[nodiscard]] bool periodic() const { return grid.boundary == Boundary::periodic; }
  [[nodiscard]] ElementCentres centres() const { return ElementCentres(grid); }
  [[nodiscard]] std::int64_t products() const {
    return influence.products() + slip_operator.products() + normal_window->products() +
           tangential_window.products();
  }

  [[nodiscard]] TangentialFields tangential_fields() {
    return {.traction_x = state.traction_x.data(),
            .traction_y = state.traction_y.data(),
            .slip_x = state.slip_x.data(),
            .slip_y = state.slip_y.data(),
            .bound = state.bound.data(),
            .state = state.division.data(),
            .fraction = slip_operator.fraction()};
  }

  // h with the normal displacement by the tangential tractions.
  const Array<double>& form_distance() {
    const Array<double>& h = remembers ? creep_distance : distance;
    if (!coupled()) return h;
    influence.apply(Block::normal_from_tangential,
                    {state.traction_x.data(), state.traction_y.data(), nullptr},
                    {nullptr, nullptr, coupled_distance.data()});
    run(AddFields{h.data(), coupled_distance.data(), coupled_distance.data()});
    return coupled_distance;
  }

  // Contact, bound and division from the pressure.
  void enter_contact() {
    if (!state.has_tangential()) return run(EnterFrictionless{fields, contact_count.data()});
    run(EnterContact{state.pressure.data(), state.friction.data(), state.bound.data(),
                     state.traction_x.data(), state.traction_y.data(), state.division.data(),
                     contact_count.data()});
  }

  // Of tractions or pressure; 0 outside the window where one holds the contact.
  void multiply_slip(Block block, const TractionField& traction, const DisplacementField& slip) {
    if (tangential_window.active()) return tangential_window.apply(block, traction, slip);
    slip_operator.apply(block, traction, slip);
  }

  // The slip that pressure makes, less the displacement one step ago, and what second order adds.
  void form_base() {
    if (coupled()) {
      multiply_slip(Block::tangential_from_normal, {nullptr, nullptr, state.pressure.data()},
                    {base_x.data(), base_y.data(), nullptr});
    } else {
      run(FillField{0.0, base_x.data()});
      run(FillField{0.0, base_y.data()});
    }
    slip_operator.subtract_previous(base_x.data(), base_y.data());
    second_order.add_to(base_x.data(), base_y.data());
  }

  // The tractions that a round starts from, in scratch_x and scratch_y.
  void keep_tractions() {
    run(CopyField{state.traction_x.data(), scratch_x.data()});
    run(CopyField{state.traction_y.data(), scratch_y.data()});
  }
  void put_back_tractions() {
    run(CopyField{scratch_x.data(), state.traction_x.data()});
    run(CopyField{scratch_y.data(), state.traction_y.data()});
  }

  void sum_step() { run(SumStep{centres(), fields, totals.data()}); }
  void sum_tractions() {
    run(SumTractions{state.traction_x.data(), state.traction_y.data(), state.bound.data(),
                     tangential_sums.data()});
  }

  // The greatest moment about the origin that friction carries, over dx dy.
  [[nodiscard]] double greatest_moment(const Array<double>& bounds) {
    const std::vector<double> bound = backend.download(bounds);
    const ElementCentres centre = centres();
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) sum += bound[i] * std::hypot(centre.x(i), centre.y(i));
    return sum_over_sharers(backend, sum);
  }

  // Of viscoelastic bodies, from pressure and displacement [force].
  [[nodiscard]] std::optional<double> rolling_resistance(const Tangential& tangential) {
    if (remembers || influence.kind().memory.empty()) return std::nullopt;
    const bool along_y = rolls_along_y(tangential.direction);
    const double towards =
        along_y ? std::sin(tangential.direction) : std::cos(tangential.direction);
    const RowsBeside<Backend> beside(backend, whole, 1);
    const Grid with_beside = beside.grid();
    Array<double> room_p;
    Array<double> room_u;
    backend.run(with_beside.count(),
                SumRollingLoss{grid.mx, with_beside.my, along_y,
                               std::copysign(1.0 / (along_y ? grid.dy : grid.dx), towards),
                               beside.with_zeros(state.pressure.data(), room_p),
                               beside.with(state.displacement_n.data(), room_u), loss.data()});
    return -grid.element_area() * backend.read(loss);
  }

  // Displacements by all tractions; base_x and base_y are scratch. sliding: tractions may be there.
  void form_displacements(bool sliding) {
    influence.apply(Block::normal, {nullptr, nullptr, state.pressure.data()},
                    {nullptr, nullptr, state.displacement_n.data()});
    if (!state.has_tangential()) return;
    if (sliding || coupled()) {
      influence.apply(Block::tangential,
                      {state.traction_x.data(), state.traction_y.data(), nullptr},
                      {state.displacement_x.data(), state.displacement_y.data(), nullptr});
    } else {
      run(FillField{0.0, state.displacement_x.data()});
      run(FillField{0.0, state.displacement_y.data()});
    }
    if (remembers) {
      run(AddFields{state.displacement_x.data(), creep_x.data(), state.displacement_x.data()});
      run(AddFields{state.displacement_y.data(), creep_y.data(), state.displacement_y.data()});
      run(AddFields{state.displacement_n.data(), creep_n.data(), state.displacement_n.data()});
    }
    if (!coupled()) return;
    influence.apply(Block::normal_from_tangential,
                    {state.traction_x.data(), state.traction_y.data(), nullptr},
                    {nullptr, nullptr, base_x.data()});
    run(AddFields{state.displacement_n.data(), base_x.data(), state.displacement_n.data()});
    influence.apply(Block::tangential_from_normal, {nullptr, nullptr, state.pressure.data()},
                    {base_x.data(), base_y.data(), nullptr});
    run(AddFields{state.displacement_x.data(), base_x.data(), state.displacement_x.data()});
    run(AddFields{state.displacement_y.data(), base_y.data(), state.displacement_y.data()});
  }

  // The slip again from all tractions; leaves the step's base_x and base_y.
  void form_slip(const RigidSlip& rigid) {
    multiply_slip(Block::tangential, {state.traction_x.data(), state.traction_y.data(), nullptr},
                  {scratch_x.data(), scratch_y.data(), nullptr});
    form_base();
    run(FormSlip{centres(), rigid, base_x.data(), base_y.data(), scratch_x.data(), scratch_y.data(),
                 tangential_fields()});
  }

  Backend backend;
  Grid whole;
  RowRange rows;  // that the backend holds
  Grid grid;      // these alone
  CombinedMaterial material;
  ElasticBody upper, lower;
  std::shared_ptr<const PatchModes> patches;
  std::shared_ptr<const CurvedInfluence> curved;
  std::optional<double> curved_checksum;  // of tables that were given
  bool couples_bodies;
  std::size_t count;
  typename Backend::Influence influence;
  SlipOperator<Backend> slip_operator;
  SecondOrder<Backend> second_order;
  TangentialWindow<Backend> tangential_window;
  std::optional<NormalWindow<Backend>> normal_window;  // once the distances are known
  CreepMemory<Backend> creep;
  bool remembers = false;  // this step takes up what the bodies remember of those before
  Array<double> creep_x, creep_y, creep_n;  // displacement by it
  Array<double> creep_distance;             // undeformed distance and creep_n
  Array<double> distance, coupled_distance;
  StepState<Backend> state;
  bool compares_rounds;  // the outer iteration does
  bool layer_yields;
  StepFields fields;
  Array<double> scratch_x, scratch_y, base_x, base_y;
  Array<double> contact_count;
  Array<StepTotals> totals;
  Array<double> loss;
  Array<TangentialSums> tangential_sums;
  // Periodic: displacements have the mean 0, so gaps have the mean of h less the approach.
  double full_approach = std::numeric_limits<double>::infinity();
};

}  // namespace slipfield
