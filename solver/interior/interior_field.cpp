// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/interior_field.h"

#include <algorithm>

#include "solver/interior/body_loads.h"
#include "solver/interior/stress_measures.h"

namespace slipfield {
namespace {

bool is_displacement(InteriorQuantity quantity) {
  return quantity >= InteriorQuantity::displacement_x &&
         quantity <= InteriorQuantity::displacement_z;
}

std::size_t measure_index(InteriorQuantity quantity) {
  return static_cast<std::size_t>(quantity) - kInteriorComponents;
}

}  // namespace

InteriorField::InteriorField(const Grid& grid, const std::array<ElasticBody, 2>& materials,
                             const InteriorRequest& request, const ContactSolution& solution)
    : grid_(grid),
      materials_(materials),
      request_(request),
      solution_(solution),
      window_(interior_window(request, grid, solution.element_division)) {
  for (std::vector<double>& measure : measures_) measure.resize(window_.count());
  if (!request.fatigue.dang_van) measures_[measure_index(InteriorQuantity::dang_van)].clear();
  if (!request.fatigue.crossland) measures_[measure_index(InteriorQuantity::crossland)].clear();
}

void InteriorField::compute(Body body, std::size_t depth) {
  if (summaries_.empty() || summaries_.back().body != body) {
    const bool displaced =
        std::any_of(request_.quantities.begin(), request_.quantities.end(), is_displacement);
    planes_ = std::make_unique<InteriorPlanes>(
        grid_, materials_[static_cast<std::size_t>(body)], body, solution_,
        displaced ? InteriorNeed::stress_and_displacement : InteriorNeed::stress);
    summaries_.push_back({body, {}, {}, {}, {}, {}});
    dang_van_along_y_.clear();
    crossland_along_y_.clear();
  }
  planes_->compute(request_.depths[depth]);
  update_measures();
  update_summary(body, request_.depths[depth]);
  if (request_.fatigue != FatigueSlopes{}) update_fatigue(body, request_.depths[depth]);
}

void InteriorField::compute_all() {
  for (const Body body : request_.bodies)
    for (std::size_t depth = 0; depth < request_.depths.size(); ++depth) compute(body, depth);
}

void InteriorField::update_measures() {
  const auto measure = [this](InteriorQuantity quantity) {
    return measures_[measure_index(quantity)].data();
  };
  double* const first = measure(InteriorQuantity::principal_1);
  double* const second = measure(InteriorQuantity::principal_2);
  double* const third = measure(InteriorQuantity::principal_3);
  double* const mises = measure(InteriorQuantity::von_mises);
  double* const tresca = measure(InteriorQuantity::tresca);
  double* const mean = measure(InteriorQuantity::hydrostatic);
#pragma omp parallel for schedule(static) if (window_.count() >= kLeastForThreads)
  for (int iy = 0; iy < window_.my; ++iy) {
    for (int ix = 0; ix < window_.mx; ++ix) {
      const std::size_t from = grid_.index(window_.ix0 + ix, window_.iy0 + iy);
      const std::size_t to = static_cast<std::size_t>(iy) * static_cast<std::size_t>(window_.mx) +
                             static_cast<std::size_t>(ix);
      StressState stress{};
      for (int c = 0; c < kStressComponents; ++c)
        stress[static_cast<std::size_t>(c)] = planes_->component(c)[from];
      const auto principal = principal_stresses(stress);
      first[to] = principal[0];
      second[to] = principal[1];
      third[to] = principal[2];
      mises[to] = von_mises_stress(stress);
      tresca[to] = principal[0] - principal[2];
      mean[to] = hydrostatic_stress(stress);
    }
  }
}

void InteriorField::update_summary(Body body, double depth) {
  InteriorSummary& summary = summaries_.back();
  const auto include = [&](InteriorQuantity quantity, InteriorGreatest& greatest) {
    const std::vector<double>& values = measures_[measure_index(quantity)];
    const auto found = std::max_element(values.begin(), values.end());
    greatest.by_depth.push_back(*found);
    if (greatest.by_depth.size() > 1 && *found <= greatest.value) return;
    const auto at = static_cast<int>(found - values.begin());
    greatest.value = *found;
    greatest.x = grid_.x(window_.ix0 + at % window_.mx);
    greatest.y = grid_.y(window_.iy0 + at / window_.mx);
    greatest.z = height_of(body, depth);
  };
  include(InteriorQuantity::von_mises, summary.von_mises);
  include(InteriorQuantity::tresca, summary.tresca);
  include(InteriorQuantity::principal_1, summary.principal_1);
}

StressHistory InteriorField::history_of_row(int iy) const {
  StressHistory history(static_cast<std::size_t>(grid_.mx));
  for (int ix = 0; ix < grid_.mx; ++ix)
    for (int c = 0; c < kStressComponents; ++c)
      history[static_cast<std::size_t>(ix)][static_cast<std::size_t>(c)] =
          planes_->component(c)[grid_.index(ix, iy)];
  return history;
}

void InteriorField::update_fatigue(Body body, double depth) {
  const auto rows = static_cast<std::size_t>(window_.my);
  std::vector<PassageStress> dang_van(rows);
  std::vector<PassageStress> crossland(rows);
  const FatigueSlopes& slopes = request_.fatigue;
#pragma omp parallel for schedule(dynamic, 1) if (grid_.count() >= kLeastForThreads)
  for (int iy = 0; iy < window_.my; ++iy) {
    const StressHistory history = history_of_row(window_.iy0 + iy);
    const Ball ball = deviator_ball(history);
    const auto row = static_cast<std::size_t>(iy);
    if (slopes.dang_van) dang_van[row] = dang_van_stress(history, ball, *slopes.dang_van);
    if (slopes.crossland) crossland[row] = crossland_stress(history, ball, *slopes.crossland);
  }
  const auto include = [&](InteriorQuantity quantity, const std::vector<PassageStress>& found,
                           InteriorGreatest& greatest, std::vector<double>& along_y) {
    std::vector<double>& values = measures_[measure_index(quantity)];
    const bool first = along_y.empty();
    along_y.resize(found.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      along_y[k] = first ? found[k].value : std::max(along_y[k], found[k].value);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = found[i / static_cast<std::size_t>(window_.mx)].value;
    const auto row = std::max_element(
        found.begin(), found.end(),
        [](const PassageStress& a, const PassageStress& b) { return a.value < b.value; });
    greatest.by_depth.push_back(row->value);
    if (greatest.by_depth.size() > 1 && row->value <= greatest.value) return;
    greatest.value = row->value;
    greatest.x = grid_.x(std::min(static_cast<int>(row->state), grid_.mx - 1));
    greatest.y = grid_.y(window_.iy0 + static_cast<int>(row - found.begin()));
    greatest.z = height_of(body, depth);
  };
  InteriorSummary& summary = summaries_.back();
  if (slopes.dang_van)
    include(InteriorQuantity::dang_van, dang_van, summary.dang_van, dang_van_along_y_);
  if (slopes.crossland)
    include(InteriorQuantity::crossland, crossland, summary.crossland, crossland_along_y_);
}

std::vector<double> InteriorField::values(InteriorQuantity quantity) const {
  const auto index = static_cast<int>(quantity);
  if (index >= kInteriorComponents) return measures_[measure_index(quantity)];
  const std::vector<double>& plane = planes_->component(index);
  std::vector<double> values;
  values.reserve(window_.count());
  for (int iy = 0; iy < window_.my; ++iy) {
    const auto begin =
        plane.begin() + static_cast<std::ptrdiff_t>(grid_.index(window_.ix0, window_.iy0 + iy));
    values.insert(values.end(), begin, begin + window_.mx);
  }
  return values;
}

}  // namespace slipfield
