// SPDX-License-Identifier: Apache-2.0
#include "app/library/batch_gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <string_view>
#include <thread>

#include "app/library/gradient_names.h"
#include "solver/error.h"
#include "solver/gradient/batch_fields.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

// Linear systems of gradients end at this fraction of the solution's own tolerance.
constexpr double kOfTolerance = 0.1;

ContactSolution solution_of(const KeptContact& contact) {
  if (const auto* whole = std::get_if<ContactSolution>(&contact.fields)) return *whole;
  return solution_of_batch(contact.problem, std::get<BatchFields>(contact.fields), contact.report);
}

// Calls work(i) for each i < count, side by side. Rethrows exceptions of `watch`, or those of the
// first failing contact with its number.
template <class Work>
void for_each_contact(std::size_t count, int threads, const BatchGradient::Watch& watch,
                      const Work& work) {
  std::vector<std::exception_ptr> errors(count);
  std::exception_ptr ended;  // by the calling thread alone
  std::atomic<bool> stop = false;
  const auto caller = std::this_thread::get_id();
  const auto n = static_cast<std::ptrdiff_t>(count);
  const ThreadCount side_by_side(threads_to_use(threads));
#pragma omp parallel for schedule(dynamic)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    if (stop) continue;
    const auto place = static_cast<std::size_t>(i);
    const ThreadCount one(1);
    if (watch && std::this_thread::get_id() == caller) {
      try {
        watch();
      } catch (...) {
        ended = std::current_exception();
        stop = true;
        continue;
      }
    }
    try {
      work(place);
    } catch (...) {
      errors[place] = std::current_exception();
    }
  }
  if (ended) std::rethrow_exception(ended);
  for (std::size_t i = 0; i < count; ++i) {
    if (!errors[i]) continue;
    try {
      std::rethrow_exception(errors[i]);
    } catch (const InputError& error) {
      throw InputError(fmt::format("contact {}: {}", i, error.what()));
    } catch (const Error& error) {
      throw Error(fmt::format("contact {}: {}", i, error.what()));
    }
  }
}

// fields: BatchFields or ContactSolution.
template <class Fields>
const std::vector<double>& field_of(const Fields& fields, std::string_view name) {
  if (name == "pressure") return fields.pressure;
  if (name == "traction_x") return fields.traction_x;
  if (name == "traction_y") return fields.traction_y;
  if (name == "slip_x") return fields.slip_x;
  if (name == "slip_y") return fields.slip_y;
  throw InputError(fmt::format(
      "{}: is not a field with derivatives; accepted: pressure, traction_x, traction_y, slip_x, "
      "slip_y",
      name));
}

}  // namespace

const NamedValue& value_of(const NamedValues& found, const std::string& name) {
  const auto at = std::ranges::find(found, name, &NamedValue::name);
  if (at != found.end()) return *at;
  by_name::refuse_name(name, by_name::names_in(found));
}

std::unique_ptr<StepDerivatives> derivatives_of(const KeptContact& contact) {
  const bool small = std::holds_alternative<BatchFields>(contact.fields);
  ContactProblem problem = contact.problem;
  // Uses FFT, like the batch itself: direct sums, which a solver would choose for so few elements,
  // take a fifth longer.
  if (small && problem.solver.influence == InfluenceMethod::automatic)
    problem.solver.influence = InfluenceMethod::fft;
  return std::make_unique<StepDerivatives>(problem, contact.input, solution_of(contact),
                                           contact.report, nullptr,
                                           small ? kOfTolerance * problem.solver.tolerance : 0.0);
}

std::vector<double> BatchGradient::field(const std::string& name) const {
  std::vector<double> values;
  std::size_t size = 0;  // of the first contact
  for (const auto& contact : contacts_) {
    const std::vector<double>& part = std::visit(
        [&](const auto& fields) -> const std::vector<double>& { return field_of(fields, name); },
        contact->fields);
    if (values.empty()) size = part.size();
    if (part.size() != size)
      throw InputError(name +
                       ": the contacts have different grids; accepted: contacts of one grid");
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

std::vector<std::string> BatchGradient::inputs() const {
  if (contacts_.empty()) return {};
  return by_name::names_in(by_name::inputs_of(contacts_.front()->input));
}

template <class Find>
NamedValues BatchGradient::of_each(const NamedValues& given, const std::vector<std::string>& names,
                                   const Watch& watch, const Find& find) const {
  for (const auto& [name, values, kind] : given)
    if (values.size() % std::max<std::size_t>(count(), 1) != 0)
      throw InputError(fmt::format("{}: {} values for {} contacts; accepted: as many for each",
                                   name, values.size(), count()));
  std::vector<NamedValues> parts(count());
  for_each_contact(count(), threads_, watch, [&](std::size_t i) {
    NamedValues own;
    for (const auto& [name, values, kind] : given) {
      const auto size = static_cast<std::ptrdiff_t>(values.size() / count());
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i) * size;
      own.push_back({name, {begin, begin + size}, kind});
    }
    const KeptContact& contact = *contacts_[i];
    const NamedValues found =
        find(*derivatives_of(contact), contact.input, contact.problem.grid.count(), own);
    for (const std::string& name : names) parts[i].push_back(value_of(found, name));
  });
  NamedValues sum;
  for (std::size_t k = 0; k < names.size(); ++k) {
    NamedValue& one = sum.emplace_back(NamedValue{names[k], {}});
    for (const NamedValues& part : parts) {
      one.kind = part[k].kind;
      one.values.insert(one.values.end(), part[k].values.begin(), part[k].values.end());
    }
  }
  return sum;
}

NamedValues BatchGradient::gradient(const NamedValues& seeds,
                                    const std::vector<std::string>& inputs,
                                    const Watch& watch) const {
  return of_each(seeds, inputs, watch, gradient_by_names);
}
NamedValues BatchGradient::derivative(const NamedValues& directions,
                                      const std::vector<std::string>& outputs,
                                      const Watch& watch) const {
  return of_each(directions, outputs, watch, derivative_by_names);
}

}  // namespace slipfield
