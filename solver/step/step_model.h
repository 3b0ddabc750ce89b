// SPDX-License-Identifier: Apache-2.0
// What a run keeps in the memory of its backend: operators, fields and sums (THEORY.md 5.2, 9.4).
// Fields of a single effect are in its part (step_part.h).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/solver_backend.h"
#include "solver/fields/step_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/friction.h"
#include "solver/influence/block.h"
#include "solver/influence/fading_memory.h"
#include "solver/influence/influence_table.h"
#include "solver/problem.h"
#include "solver/step/step_state.h"
#include "solver/tangential/slip_operator.h"
#include "solver/window/normal_window.h"
#include "solver/window/tangential_window.h"

namespace slipfield {

// A field in x, y and n, elements with x fastest.
using VectorField = std::array<std::vector<double>, 3>;

template <SolverBackend Backend>
struct StepModel {
  template <class T>
  using Array = typename Backend::template Array<T>;

  // parts: constructor arguments of the backend.
  template <class... Parts>
  explicit StepModel(const ContactProblem& problem, Parts&&... parts)
      : backend(std::forward<Parts>(parts)...),
        whole(problem.grid),
        rows(backend.own_rows(whole.my)),
        grid(own_grid(backend, whole)),
        material(contact_material(problem)),
        couples_bodies(couples(problem)),
        count(grid.count()),
        influence(backend, whole, material, problem.solver.influence),
        slip_operator(backend, whole, material, problem.solver.influence, influence),
        tangential_window(backend, whole, material, problem.solver, problem.sensitivities),
        distance(count),
        state(count),
        bounds_are_static(!problem.layer.yields() && !problem.adhesion.exists()),
        contact_count(1),
        totals(1),
        tangential_sums(1) {
    std::optional<std::vector<double>> h = std::vector<double>();
    if constexpr (!kCountsOnly<Backend>) h = form_undeformed(problem);
    if (problem.patches.exist())
      kind.patches = std::make_shared<const PatchModes>(own_modes(problem.patches));
    kind.layers = layer_images(problem.upper, problem.lower);
    if (problem.influence.exists())
      kind.curved = std::make_shared<const CurvedInfluence>(problem.influence);
    if (problem.influence.tables) curved_checksum = checksum(*problem.influence.tables);
    // A surface that yields may come closer than full contact.
    if (periodic() && contact_hardness(problem) == 0.0)
      full_approach = sum_of_distances(h) / static_cast<double>(whole.count());
    if (!h)
      h = whole.boundary == Boundary::free ? backend.download(distance) : std::vector<double>();
    normal_window.emplace(backend, whole, material, problem.solver, influence, *h,
                          !problem.adhesion.exists());
    refer_to_fields();
    if (keeps_tangential_fields(problem)) set_tangential(true);
  }

  // Writes the distance, and returns it unless only the backend's memory holds it.
  std::optional<std::vector<double>> form_undeformed(const ContactProblem& problem) {
    auto h = form_distance(backend, problem.geometry, whole, material, distance);
    if (!problem.patches.exist()) return h;
    if (!h) h = backend.download(distance);
    std::vector<double> outside(whole.count(), 0.0);
    exclude_outside(problem.patches, whole, outside);
    const std::vector<double> own = own_values(backend, whole, std::move(outside));
    for (std::size_t i = 0; i < own.size(); ++i) (*h)[i] += own[i];
    backend.upload(*h, distance);
    return h;
  }
  double sum_of_distances(const std::optional<std::vector<double>>& h) {
    if (h) return sum_over_owners(backend, std::accumulate(h->begin(), h->end(), 0.0));
    run(SumField{distance.data(), contact_count.data()});
    return backend.read(contact_count);
  }
  PatchModes own_modes(const ContactPatches& all) {
    if constexpr (kCountsOnly<Backend>) {
      count_held(backend, &kind, (1 + all.rectangles.size()) * sizeof(double) * count);
      return {};
    }
    PatchModes modes = patch_modes(all, whole);
    for (std::vector<double>& shape : modes.shape)
      shape = own_values(backend, whole, std::move(shape));
    return modes;
  }

  // Allocates the fields of the tangential problem, or frees them, as before the first step that
  // needs them.
  void set_tangential(bool wanted) {
    if (wanted == state.has_tangential()) return;
    state.set_tangential(wanted);
    refer_to_fields();
  }
  void refer_to_fields() {
    for (Array<double>* array : {&scratch_x, &scratch_y, &scratch_n, &base_x, &base_y})
      if ((array->size() != 0) != state.has_tangential())
        *array = state.has_tangential() ? Array<double>(count) : Array<double>();
    const StepFields before = fields;
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
              .coefficient = before.coefficient,
              .strength = before.strength};
  }
  void take(const Friction& friction) {
    fields.coefficient = friction.coefficient;
    fields.strength = friction.shear_strength;
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
  // Prepares the operators for a step. of_step: `kind` with the additions of the parts.
  void begin(const Tangential& tangential, const InfluenceKind& of_step) {
    influence.take_up(of_step);
    tangential_window.leave();
    if (state.has_tangential()) slip_operator.prepare(tangential, fields);
  }
  // Resets to an unloaded contact.
  void clear() {
    state.clear(backend);
    state.creepage_x = state.creepage_y = 0.0;
  }
  [[nodiscard]] SolverState saved() const {
    SolverState saved;
    const SaveArray<Backend> save{backend, saved};
    state.visit(save);
    slip_operator.visit_state(save);
    save("undeformed_distance", *undeformed);
    saved[kStateNumbers] = state.scalars();
    if (curved_checksum) saved[kCoefficientsOfState] = {*curved_checksum};
    return saved;
  }
  // keeps_tangential: the tangential fields exist whatever the steps are.
  void restore(const SolverState& saved, bool keeps_tangential) {
    require_distance_of(saved, backend.download(*undeformed));
    if (undeformed == &distance && saved.count("permanent_deformation") != 0)
      throw InputError(
          "the saved state has a permanent deformation, and no body of the case has a hardness; "
          "accepted: a state of the same case");
    set_tangential(keeps_tangential || saved.count("traction_x") != 0);
    state.allocate_saved(saved);
    slip_operator.prepare_restore(saved.count("leading_edge") != 0);
    const LoadArray<Backend> load{backend, saved};
    // Contacts of a wheel carry over tractions alone.
    const LoadArray<Backend> load_tangential{backend, saved,
                                             has_no_tangential_fields(saved) && !keeps_tangential};
    for (const auto& field : state.fields())
      (field.allocated == Allocated::with_tangential ? load_tangential : load)(field.name,
                                                                               *field.array);
    load("element_division", state.division);
    slip_operator.visit_state(load_tangential);
    const std::vector<double>& scalars = saved_values(saved, kStateNumbers);
    if (scalars.size() != state.kScalars) refuse_state(kStateNumbers);
    state.set_scalars(scalars);
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

  // Determines contact, bound and division from the pressure.
  void enter_contact() {
    if (!state.has_tangential()) return run(EnterFrictionless{fields, contact_count.data()});
    run(EnterContact{state.pressure.data(), state.friction.data(), state.bound.data(),
                     state.traction_x.data(), state.traction_y.data(), state.division.data(),
                     contact_count.data(), fields.strength, full_strength_pressure});
  }

  // Slip due to tractions or pressure; 0 outside the window if one holds the contact.
  void multiply_slip(Block block, const TractionField& traction, const DisplacementField& slip) {
    if (tangential_window.active()) return tangential_window.apply(block, traction, slip);
    slip_operator.apply(block, traction, slip);
  }

  void sum_step() { run(SumStep{centres(), fields, totals.data()}); }
  void sum_tractions() {
    run(SumTractions{state.traction_x.data(), state.traction_y.data(), state.bound.data(),
                     tangential_sums.data()});
  }

  // Forms the tractions of a contact without friction per unit of its coefficient, against the slip
  // and as great as the pressure, in scratch_x, scratch_y: a multiple of -s that is far beyond p_n,
  // and then fitted into p_n.
  void form_tractions_per_friction() {
    constexpr double kFarBeyond = 1.0e60;
    run(CopyField{fields.slip_x, scratch_x.data(), -kFarBeyond});
    run(CopyField{fields.slip_y, scratch_y.data(), -kFarBeyond});
    run(FitTractions{{.traction_x = scratch_x.data(),
                      .traction_y = scratch_y.data(),
                      .bound = fields.pressure}});
  }

  // Displacements by the tractions in the same direction; the parts add the others. sliding: the
  // tangential tractions may be nonzero.
  void form_displacements(bool sliding) {
    if (!std::exchange(has_displacement_n, false))
      influence.apply(Block::normal, {.n = state.pressure.data()},
                      {.n = state.displacement_n.data()});
    if (!state.has_tangential()) return;
    if (sliding || coupled()) {
      influence.apply(Block::tangential, {state.traction_x.data(), state.traction_y.data()},
                      {state.displacement_x.data(), state.displacement_y.data()});
    } else {
      run(FillField{0.0, state.displacement_x.data()});
      run(FillField{0.0, state.displacement_y.data()});
    }
  }

  TangentialSystem<Backend> tangential_system() {
    return {slip_operator, tangential_fields(), base_x.data(), base_y.data()};
  }

  // The slip due to all tractions, `rigid` and base_x, base_y.
  void form_slip() {
    multiply_slip(Block::tangential, {state.traction_x.data(), state.traction_y.data()},
                  {scratch_x.data(), scratch_y.data()});
    run(FormSlip{centres(), rigid, base_x.data(), base_y.data(), scratch_x.data(), scratch_y.data(),
                 tangential_fields()});
  }

  Backend backend;
  Grid whole;
  RowRange rows;  // rows of the grid that the backend holds
  Grid grid;      // these rows alone
  CombinedMaterial material;
  InfluenceKind kind;                     // without the parts' additions
  std::optional<double> curved_checksum;  // of given tables
  bool couples_bodies;
  std::size_t count;
  typename Backend::Influence influence;
  SlipOperator<Backend> slip_operator;
  TangentialWindow<Backend> tangential_window;
  std::optional<NormalWindow<Backend>> normal_window;  // made once the distances are known
  Array<double> distance;
  const Array<double>* undeformed = &distance;  // before any step; another one if surfaces yield
  StepState<Backend> state;
  bool bounds_are_static;  // neither a layer nor adhesion changes the bounds of friction
  StepFields fields;
  // displacement_n is that of the pressure as it is, by a product that can measure its residual.
  bool has_displacement_n = false;
  RigidSlip rigid;  // rigid slip of the step, prescribed or found so far
  Array<double> scratch_x, scratch_y, scratch_n, base_x, base_y;
  Array<double> contact_count;
  Array<StepTotals> totals;
  Array<TangentialSums> tangential_sums;
  // Periodic: displacements have the mean 0, so gaps have the mean of h less the approach.
  double full_approach = std::numeric_limits<double>::infinity();

  // Written by one part, read by others.
  double full_strength_pressure = 0.0;  // EnterContact::full_pressure of the step's rounds
  std::vector<double> warm_friction;    // by temperature, in the last step; on the backend's rows
};

}  // namespace slipfield
