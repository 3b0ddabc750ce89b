// SPDX-License-Identifier: Apache-2.0
// The C library: values, steps, results, files.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <deque>
#include <functional>

#include "app/library/c_call.h"
#include "app/library/step_gradient.h"
#include "app/library/wheel_derivatives.h"
#include "app/library/wheel_gradient.h"
#include "gpu/cuda_device.h"
#include "io/yaml/number.h"
#include "solver/error.h"

namespace slipfield::c_library {
namespace {

// Refuses a file that exists in the words of C, not of the command line.
Overwrite overwrite_of(int flags, const char* path) {
  if (flags != 0 && flags != SLIPFIELD_OVERWRITE_RESULT)
    throw InputError(
        fmt::format("flags: {} is not known; accepted: 0 or SLIPFIELD_OVERWRITE_RESULT", flags));
  if (flags == 0 && is_taken(path))
    throw InputError(
        fmt::format("{}: the file exists already; accepted: another name, or flags "
                    "SLIPFIELD_OVERWRITE_RESULT, which replaces a result",
                    path));
  return flags == 0 ? Overwrite::refuse : Overwrite::allow;
}

slipfield_status give_text(slipfield_solver* solver, const char** text,
                           const std::function<std::string(CaseSolver&)>& make) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(text, "text");
    std::string made = make(inner);
    solver->text = std::move(made);
    *text = solver->text.c_str();
  });
}

ResultPart part_of(slipfield_side side, int contact) {
  const auto number = static_cast<int>(side);
  if (number < SLIPFIELD_WHOLE || number > SLIPFIELD_RIGHT)
    throw InputError(
        fmt::format("side: {} is not known; accepted: SLIPFIELD_WHOLE, SLIPFIELD_LEFT or "
                    "SLIPFIELD_RIGHT",
                    number));
  if (contact < 0)
    throw InputError(fmt::format(
        "contact: {} is out of range; accepted: 0 for all, or the number of a contact", contact));
  return {static_cast<StepSide>(number), contact};
}

template <std::size_t n>
void give_derivatives(const std::optional<std::array<double, n>>& derivatives, double* values) {
  require(values, "values");
  if (!derivatives)
    throw InputError(
        "the last step has no derivatives; accepted: output.sensitivities: true, set before the "
        "first step, and a step that converged");
  std::ranges::copy(*derivatives, values);
}

void require_one_each(const std::vector<std::string>& names, std::size_t count,
                      std::string_view what) {
  if (names.size() != count)
    throw InputError(fmt::format("{}: {} of them for {} values; accepted: one for each", what,
                                 names.size(), count));
}

std::size_t product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result > SIZE_MAX / sizeof(double))
    throw InputError("count: too many contacts for the memory's addresses; accepted: fewer");
  return result;
}

// The caller's arguments for gradients, of one step or several.
struct GradientCall {
  const char* seed_names;
  const double* const* seeds;  // of the last step
  const char* names;
  double* const* values;  // of each step for each name
};

// Checks all names before anything is solved. size_of_output, size_of_input: the number of values
// by step and name. find: computes the gradients of each step from its seeds.
template <class SizeOfOutput, class SizeOfInput, class Find>
void find_gradients(const GradientCall& call, std::size_t steps, const SizeOfOutput& size_of_output,
                    const SizeOfInput& size_of_input, const Find& find) {
  require(call.seeds, "seeds");
  require(call.values, "values");
  const std::vector<std::string> wanted = names_of(call.names, "names");
  for (std::size_t i = 0; i < steps * wanted.size(); ++i) {
    static_cast<void>(size_of_input(i / wanted.size(), wanted[i % wanted.size()]));
    require(call.values[i], "a pointer of values");
  }
  std::vector<NamedValues> given(steps);
  for (const std::string& name : names_of(call.seed_names, "seed_names")) {
    const double* const first = call.seeds[given.back().size()];
    require(first, "a pointer of seeds");
    given.back().push_back({name, {first, first + size_of_output(steps - 1, name)}});
  }
  const std::vector<NamedValues> found = find(given);
  for (std::size_t i = 0; i < steps * wanted.size(); ++i) {
    const NamedValues& of_step = found[i / wanted.size()];
    const std::string& name = wanted[i % wanted.size()];
    std::ranges::copy(std::ranges::find(of_step, name, &NamedValue::name)->values, call.values[i]);
  }
}

// The last `count` of the kept steps.
std::vector<const KeptStep*> kept_steps(const CaseSolver& solver, std::size_t count) {
  const std::deque<KeptStep>& all = solver.kept_steps();
  if (solver.is_wheel())
    throw InputError(
        "a wheel on a rail has no gradient through steps, which do not depend on each other; "
        "accepted: slipfield_get_gradient() of a contact of one step");
  if (count == 0 || count > all.size())
    throw InputError(fmt::format(
        "steps: {}, and {} were kept; accepted: 1 to the number of steps that were kept, which "
        "slipfield_keep_steps() sets before they are solved",
        count, all.size()));
  std::vector<const KeptStep*> kept;
  for (std::size_t k = all.size() - count; k < all.size(); ++k) kept.push_back(&all[k]);
  return kept;
}

struct BatchCall {
  std::size_t count = 0;
  const char* keys = nullptr;
  const double* inputs = nullptr;
  const char* names = nullptr;
  double* totals = nullptr;
  slipfield_status* statuses = nullptr;
  slipfield_progress progress = nullptr;
  void* user = nullptr;
  const char* gradient_of = nullptr;
  const char* gradient_to = nullptr;
  double* gradients = nullptr;
  std::size_t* near_change = nullptr;
};

slipfield_status batch(slipfield_solver* solver, const BatchCall& call) {
  BatchResult result;
  const slipfield_status status = guarded(solver, [&](CaseSolver& inner) {
    BatchRequest request;
    const std::vector<std::string> set = names_of(call.keys, "keys");
    request.outputs = names_of(call.names, "names");
    request.count = call.count;
    if (call.count > 0) {
      require(call.inputs, "inputs");
      require(call.totals, "totals");
    }
    if (call.gradients != nullptr) {
      request.gradient_of = names_of(call.gradient_of, "gradient_of");
      request.gradient_to = names_of(call.gradient_to, "gradient_to");
      static_cast<void>(
          product(product(call.count, request.gradient_of.size()), gradient_row(inner, request)));
    }
    static_cast<void>(product(call.count, request.outputs.size()));
    static_cast<void>(product(call.count, set.size()));
    request.inputs = [&](std::size_t i) {
      std::vector<KeyValue> changes;
      for (std::size_t k = 0; k < set.size(); ++k)
        changes.push_back({set[k], yaml_number(call.inputs[i * set.size() + k])});
      return changes;
    };
    if (call.statuses != nullptr) std::fill_n(call.statuses, call.count, SLIPFIELD_FAILED);
    std::function<bool(std::size_t)> follow;
    if (call.progress != nullptr)
      follow = [&](std::size_t done) {
        return call.progress(call.user, 0, "batch",
                             static_cast<int>(std::min<std::size_t>(done, INT_MAX)), 0.0) != 0;
      };
    result = solve_batch(inner, request, follow);
    std::ranges::copy(result.totals, call.totals);
    if (call.gradients != nullptr) std::ranges::copy(result.gradients, call.gradients);
    if (call.near_change != nullptr) std::ranges::copy(result.near_change, call.near_change);
  });
  if (status != SLIPFIELD_OK) return status;
  slipfield_status worst = SLIPFIELD_OK;
  std::size_t first = 0;
  for (std::size_t i = 0; i < call.count; ++i) {
    slipfield_status one = SLIPFIELD_OK;
    if (result.outcomes[i] != Outcome::converged) one = SLIPFIELD_NOT_CONVERGED;
    if (result.failed[i]) one = result.refused[i] ? SLIPFIELD_BAD_INPUT : SLIPFIELD_FAILED;
    if (call.statuses != nullptr) call.statuses[i] = one;
    if (one > worst) {
      worst = one;
      first = i;
    }
  }
  if (worst == SLIPFIELD_OK) return worst;
  return fail(worst, fmt::format("contact {}: {}", first, result.messages[first]));
}

}  // namespace
}  // namespace slipfield::c_library

using namespace slipfield;             // NOLINT(google-build-using-namespace)
using namespace slipfield::c_library;  // NOLINT(google-build-using-namespace)

slipfield_status slipfield_set_number(slipfield_solver* solver, const char* key, double value) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(key, "key");
    inner.set({{key, yaml_number(value)}});
  });
}

slipfield_status slipfield_set_text(slipfield_solver* solver, const char* key, const char* yaml) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(key, "key");
    require(yaml, "yaml");
    inner.set({{key, yaml}});
  });
}

slipfield_status slipfield_set_numbers(slipfield_solver* solver, const char* keys,
                                       const double* values, size_t count) {
  return guarded(solver, [&](CaseSolver& inner) {
    const std::vector<std::string> names = names_of(keys, "keys");
    require(values, "values");
    require_one_each(names, count, "keys");
    std::vector<KeyValue> changes;
    for (std::size_t i = 0; i < count; ++i) changes.push_back({names[i], yaml_number(values[i])});
    inner.set(changes);
  });
}

slipfield_status slipfield_set_array(slipfield_solver* solver, const slipfield_array* array) {
  return guarded(solver, [&](CaseSolver& inner) { inner.set({}, {array_of(array)}); });
}

slipfield_status slipfield_set_array_device(slipfield_solver* solver,
                                            const slipfield_array* array) {
  return guarded(solver, [&](CaseSolver& inner) { inner.set({}, {array_of(array, cuda_copy)}); });
}

slipfield_status slipfield_get_number(slipfield_solver* solver, const char* key, double* value) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(key, "key");
    require(value, "value");
    const std::string text = inner.value(key);
    const auto number = parse_number(text).value;
    if (!number)
      throw InputError(fmt::format("{}: is {}; accepted: the key of a number", key, text));
    *value = *number;
  });
}

slipfield_status slipfield_get_text(slipfield_solver* solver, const char* key, const char** text) {
  return give_text(solver, text, [&](CaseSolver& inner) {
    require(key, "key");
    return inner.value(key);
  });
}

slipfield_status slipfield_advance(slipfield_solver* solver) {
  bool converged = true;
  std::string message;
  const slipfield_status status = guarded(solver, [&](CaseSolver& inner) {
    const StepReport& report = inner.advance().report;
    converged = report.outcome == Outcome::converged;
    if (!converged) message = report.message;
  });
  if (status != SLIPFIELD_OK || converged) return status;
  return fail(SLIPFIELD_NOT_CONVERGED, message);
}

int slipfield_steps_done(const slipfield_solver* solver) {
  return solver == nullptr ? 0 : solver->solver->steps_done();
}

int slipfield_steps_in_case(const slipfield_solver* solver) {
  return solver == nullptr ? 0 : solver->solver->steps_in_case();
}

slipfield_status slipfield_get_contacts(slipfield_solver* solver, slipfield_side side, int* count) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(count, "count");
    *count = inner.contacts(part_of(side, 0).side);
  });
}

slipfield_status slipfield_get_totals(slipfield_solver* solver, slipfield_side side, int contact,
                                      const char* names, double* values, size_t count) {
  return guarded(solver, [&](CaseSolver& inner) {
    const std::vector<std::string> wanted = names_of(names, "names");
    require(values, "values");
    require_one_each(wanted, count, "names");
    std::ranges::copy(inner.totals(wanted, part_of(side, contact)), values);
  });
}

slipfield_status slipfield_get_grid(const slipfield_solver* solver, slipfield_side side,
                                    int contact, int elements[2], double spacing[2],
                                    double first[2]) {
  return guarded([&] {
    require(solver, "solver");
    const Grid& grid = solver->solver->grid(part_of(side, contact));
    if (elements != nullptr) {
      elements[0] = grid.mx;
      elements[1] = grid.my;
    }
    if (spacing != nullptr) {
      spacing[0] = grid.dx;
      spacing[1] = grid.dy;
    }
    if (first != nullptr) {
      first[0] = grid.x(0);
      first[1] = grid.y(0);
    }
  });
}

slipfield_status slipfield_get_centres(const slipfield_solver* solver, slipfield_side side,
                                       int contact, double* values, size_t count) {
  return guarded([&] {
    require(solver, "solver");
    require(values, "values");
    const std::vector<double> centres = solver->solver->centres(part_of(side, contact));
    if (count != centres.size())
      throw InputError(
          fmt::format("centres: room for {} values was given; accepted: {}, three for each element",
                      count, centres.size()));
    std::ranges::copy(centres, values);
  });
}

slipfield_status slipfield_get_field(slipfield_solver* solver, slipfield_side side, int contact,
                                     const char* name, double* values, size_t count) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(name, "name");
    require(values, "values");
    inner.field(name, part_of(side, contact), {values, count});
  });
}

slipfield_status slipfield_get_field_device(slipfield_solver* solver, slipfield_side side,
                                            int contact, const char* name, double* values,
                                            size_t count) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(name, "name");
    require(values, "values");
    inner.field_to_cuda(name, part_of(side, contact), {values, count});
  });
}

slipfield_status slipfield_get_jacobian(slipfield_solver* solver, slipfield_side side, int contact,
                                        double values[9]) {
  return guarded(solver, [&](CaseSolver& inner) {
    give_derivatives(inner.report(part_of(side, contact)).sensitivities, values);
  });
}

slipfield_status slipfield_get_approach_derivatives(slipfield_solver* solver, slipfield_side side,
                                                    int contact, double values[4]) {
  return guarded(solver, [&](CaseSolver& inner) {
    give_derivatives(inner.report(part_of(side, contact)).approach_sensitivities, values);
  });
}

slipfield_status slipfield_get_wheel_derivatives(slipfield_solver* solver, slipfield_side side,
                                                 const char* names, const char* keys,
                                                 double* values, double* errors) {
  return guarded(solver, [&](CaseSolver& inner) {
    const std::vector<std::string> totals = names_of(names, "names");
    const std::vector<std::string> to = names_of(keys, "keys");
    require(values, "values");
    const WheelDerivatives found =
        wheel_derivatives(inner, totals, to, part_of(side, 0), errors != nullptr);
    std::ranges::copy(found.values, values);
    if (errors != nullptr) std::ranges::copy(found.errors, errors);
  });
}

slipfield_status slipfield_get_gradient(slipfield_solver* solver, slipfield_side side, int contact,
                                        const char* seed_names, const double* const* seeds,
                                        const char* names, double* const* values,
                                        size_t* near_change) {
  return guarded(solver, [&](CaseSolver& inner) {
    const GradientCall call{seed_names, seeds, names, values};
    const ResultPart part = part_of(side, contact);
    const auto give = [&](auto& gradient) {
      find_gradients(
          call, 1,
          [&](std::size_t, const std::string& name) { return gradient.size_of_output(name); },
          [&](std::size_t, const std::string& name) { return gradient.size_of_input(name); },
          [&](const std::vector<NamedValues>& given) {
            return std::vector<NamedValues>{gradient.gradient(given.front())};
          });
      if (near_change != nullptr) *near_change = static_cast<std::size_t>(gradient.near_change());
    };
    if (inner.is_wheel() && part.contact == 0) {
      require(names, "names");
      const auto asks_for = [&](std::string_view body) {
        return std::string_view(names).find(body) != std::string_view::npos;
      };
      const bool by_wheel = asks_for("wheel_rail.wheel.");
      const bool by_rail = asks_for("wheel_rail.rail.");
      const ProfilePoints of_one = by_wheel ? ProfilePoints::wheel : ProfilePoints::rail;
      const ProfilePoints points = by_wheel && by_rail   ? ProfilePoints::all
                                   : by_wheel || by_rail ? of_one
                                                         : ProfilePoints::none;
      give(inner.wheel_gradient(part.side, points));
    } else {
      give(inner.gradient(part));
    }
  });
}

slipfield_status slipfield_get_profile(slipfield_solver* solver, slipfield_side side,
                                       const char* body, double* points, size_t room,
                                       size_t* count) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(body, "body");
    const std::string_view which = body;
    if (which != "wheel" && which != "rail")
      throw InputError(fmt::format("body: {} is not known; accepted: wheel or rail", which));
    const std::vector<double> values = profile_points(
        inner, which == "wheel" ? ProfileRole::wheel : ProfileRole::rail, part_of(side, 0).side);
    if (count != nullptr) *count = values.size() / 2;
    if (points == nullptr) return;
    if (room != values.size())
      throw InputError(
          fmt::format("points: room for {} values was given; accepted: {}, two for each point",
                      room, values.size()));
    std::ranges::copy(values, points);
  });
}

slipfield_status slipfield_keep_steps(slipfield_solver* solver, size_t count) {
  return guarded(solver, [&](CaseSolver& inner) { inner.keep_steps(count); });
}

slipfield_status slipfield_get_gradients(slipfield_solver* solver, size_t steps,
                                         const char* seed_names, const double* const* seeds,
                                         const char* names, double* const* values,
                                         size_t* near_change) {
  return guarded(solver, [&](CaseSolver& inner) {
    const std::vector<const KeptStep*> kept = kept_steps(inner, steps);
    SequenceGradient gradient(inner.problem(), kept, inner.step_systems());
    find_gradients(
        {seed_names, seeds, names, values}, steps,
        [&](std::size_t k, const std::string& name) { return gradient.size_of_output(k, name); },
        [&](std::size_t k, const std::string& name) { return gradient.size_of_input(k, name); },
        [&](const std::vector<NamedValues>& given) { return gradient.gradient(given); });
    if (near_change != nullptr) std::ranges::copy(gradient.near_change(), near_change);
  });
}

slipfield_status slipfield_get_warnings(slipfield_solver* solver, const char** text) {
  return give_text(solver, text, [](CaseSolver& inner) {
    std::string lines;
    for (const std::string& warning : inner.warnings())
      lines += (lines.empty() ? "" : "\n") + warning;
    return lines;
  });
}

slipfield_status slipfield_get_backend(slipfield_solver* solver, const char** name) {
  return give_text(solver, name, [](CaseSolver& inner) { return inner.backend_name(); });
}

slipfield_status slipfield_state_save(const slipfield_solver* solver, slipfield_state** state) {
  return guarded([&] {
    require(solver, "solver");
    require(state, "state");
    auto saved = std::make_unique<slipfield_state>();
    saved->saved = solver->solver->save();
    if (*state != nullptr)
      **state = std::move(*saved);
    else
      *state = saved.release();
  });
}

slipfield_status slipfield_state_restore(slipfield_solver* solver, const slipfield_state* state) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(state, "state");
    inner.restore(state->saved);
  });
}

void slipfield_state_destroy(slipfield_state* state) {
  guarded([&] { delete state; });
}

slipfield_status slipfield_write(slipfield_solver* solver, const char* path, int flags) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(path, "path");
    inner.write(path, overwrite_of(flags, path));
  });
}

slipfield_status slipfield_record_begin(slipfield_solver* solver, const char* path, int flags) {
  return guarded(solver, [&](CaseSolver& inner) {
    require(path, "path");
    inner.record(path, overwrite_of(flags, path));
  });
}

slipfield_status slipfield_record_end(slipfield_solver* solver) {
  return guarded(solver, [&](CaseSolver& inner) { inner.end_recording(); });
}

slipfield_status slipfield_batch(slipfield_solver* solver, size_t count, const char* keys,
                                 const double* inputs, const char* names, double* totals,
                                 slipfield_status* statuses, slipfield_progress progress,
                                 void* user) {
  try {
    return batch(solver, {count, keys, inputs, names, totals, statuses, progress, user});
  } catch (...) {
    return fail();
  }
}

slipfield_status slipfield_batch_gradients(slipfield_solver* solver, size_t count, const char* keys,
                                           const double* inputs, const char* names, double* totals,
                                           const char* gradient_of, const char* gradient_to,
                                           double* gradients, size_t* near_change,
                                           slipfield_status* statuses, slipfield_progress progress,
                                           void* user) {
  try {
    if (count > 0) require(gradients, "gradients");
    return batch(solver, {count, keys, inputs, names, totals, statuses, progress, user, gradient_of,
                          gradient_to, gradients, near_change});
  } catch (...) {
    return fail();
  }
}
