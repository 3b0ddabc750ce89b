// SPDX-License-Identifier: Apache-2.0
#include "app/library/batch_gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include "app/library/gradient_names.h"
#include "gpu/cuda_device.h"
#include "solver/error.h"
#include "solver/gradient/batch_fields.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

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

// Memory and spectra on the GPU, for the next gradients. A simultaneous call makes its own.
struct BatchesOnCard {
  std::optional<CudaBatches> take() {
    const std::lock_guard lock(mutex);
    return std::exchange(kept, std::nullopt);
  }
  void put_back(CudaBatches batches) {
    const std::lock_guard lock(mutex);
    kept = std::move(batches);
  }
  std::mutex mutex;
  std::optional<CudaBatches> kept;
};

BatchGradient::BatchGradient(std::vector<std::shared_ptr<const KeptContact>> contacts, int threads,
                             std::optional<int> gpu)
    : contacts_(std::move(contacts)), threads_(threads), gpu_(gpu) {
  if (gpu_) on_card_ = std::make_shared<BatchesOnCard>();
}

const NamedValue& value_of(const NamedValues& found, const std::string& name) {
  const auto at = std::ranges::find(found, name, &NamedValue::name);
  if (at != found.end()) return *at;
  by_name::refuse_name(name, by_name::names_in(found));
}

AdjointOptions fields_among(const std::vector<std::string>& inputs) {
  AdjointOptions options;
  options.heights = std::ranges::count(inputs, "undeformed_distance") > 0;
  options.friction = std::ranges::count(inputs, "friction") > 0;
  options.of_tolerance = kGradientOfTolerance;
  return options;
}

std::unique_ptr<StepDerivatives> derivatives_of(const KeptContact& contact) {
  const bool small = std::holds_alternative<BatchFields>(contact.fields);
  ContactProblem problem = contact.problem;
  // Uses FFT, like the batch itself: direct sums, which a solver would choose for so few elements,
  // take a fifth longer.
  if (small && problem.solver.influence == InfluenceMethod::automatic)
    problem.solver.influence = InfluenceMethod::fft;
  return std::make_unique<StepDerivatives>(
      problem, contact.input, solution_of(contact), contact.report, nullptr,
      small ? kGradientOfTolerance * problem.solver.tolerance : 0.0);
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

void BatchGradient::require_sizes(const NamedValues& given) const {
  for (const auto& [name, values, kind] : given)
    if (values.size() % std::max<std::size_t>(count(), 1) != 0)
      throw InputError(fmt::format("{}: {} values for {} contacts; accepted: as many for each",
                                   name, values.size(), count()));
}

NamedValues BatchGradient::of_contact(const NamedValues& given, std::size_t i) const {
  NamedValues own;
  for (const auto& [name, values, kind] : given) {
    const auto size = static_cast<std::ptrdiff_t>(values.size() / count());
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i) * size;
    own.push_back({name, {begin, begin + size}, kind});
  }
  return own;
}

template <class Find>
NamedValues BatchGradient::of_each(const std::vector<std::string>& names, const Watch& watch,
                                   const Find& find) const {
  std::vector<NamedValues> parts(count());
  for_each_contact(count(), threads_, watch, [&](std::size_t i) {
    const NamedValues found = find(i);
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

// Contacts that are not small, or whose seeds are at fault, get no scalars here.
std::vector<AdjointSolution> BatchGradient::solve_together(const NamedValues& seeds,
                                                           const std::vector<std::string>& inputs,
                                                           const Watch& watch) const {
  ContactBatch batch;
  std::vector<BatchFields> fields(count());
  std::vector<StepReport> reports(count());
  std::vector<std::vector<StepOutputs>> scalars(count());
  batch.shapes.resize(count());
  batch.contacts.resize(count());
  for_each_contact(count(), threads_, {}, [&](std::size_t i) {
    const KeptContact& contact = *contacts_[i];
    scalars[i] = {seed_by_names(contact.input, contact.problem.grid.count(), of_contact(seeds, i))};
    ContactBatch one;
    add_to_batch(one, contact.problem);
    batch.contacts[i] = one.contacts[0];
    batch.contacts[i].shape = i;
    batch.shapes[i] = std::move(one.shapes[0]);
    fields[i] = std::get<BatchFields>(contact.fields);
    reports[i] = contact.report;
  });
  AdjointOptions options = fields_among(inputs);
  options.threads = threads_;
  const auto caller = std::this_thread::get_id();
  options.progress = [&](std::size_t /*done*/) {
    if (watch && std::this_thread::get_id() == caller) watch();
    return true;
  };
  const AdjointBatch all{&batch, &fields, &reports, &scalars};
  if (!gpu_) return solve_adjoints_on_cpu(all, options);
  std::optional<CudaBatches> on_card = on_card_->take();
  if (!on_card) on_card = make_cuda_batches(*gpu_);
  std::vector<AdjointSolution> found = on_card->differentiate(all, options);
  on_card_->put_back(std::move(*on_card));
  return found;
}

NamedValues BatchGradient::gradient(const NamedValues& seeds,
                                    const std::vector<std::string>& inputs,
                                    const Watch& watch) const {
  require_sizes(seeds);
  const bool small = std::ranges::all_of(contacts_, [](const auto& contact) {
    return std::holds_alternative<BatchFields>(contact->fields);
  });
  const bool finite = std::ranges::all_of(seeds, [](const NamedValue& one) {
    return std::ranges::all_of(one.values, [](double value) { return std::isfinite(value); });
  });
  std::vector<AdjointSolution> found;
  if (small && finite) found = solve_together(seeds, inputs, watch);
  return of_each(inputs, found.empty() ? watch : Watch(), [&](std::size_t i) {
    const KeptContact& contact = *contacts_[i];
    if (!found.empty() && !found[i].gradients.empty())
      return names_of(contact.input, found[i].gradients.front());
    return gradient_by_names(*derivatives_of(contact), contact.input, contact.problem.grid.count(),
                             of_contact(seeds, i));
  });
}
NamedValues BatchGradient::derivative(const NamedValues& directions,
                                      const std::vector<std::string>& outputs,
                                      const Watch& watch) const {
  require_sizes(directions);
  return of_each(outputs, watch, [&](std::size_t i) {
    const KeptContact& contact = *contacts_[i];
    return derivative_by_names(*derivatives_of(contact), contact.input,
                               contact.problem.grid.count(), of_contact(directions, i));
  });
}

}  // namespace slipfield
