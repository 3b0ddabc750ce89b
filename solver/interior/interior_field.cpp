// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/interior_field.h"

#include <algorithm>
#include <utility>

#include "solver/interior/interior_points.h"

namespace slipfield {
namespace {

bool is_displacement(InteriorQuantity quantity) {
  return quantity >= InteriorQuantity::displacement_x &&
         quantity <= InteriorQuantity::displacement_z;
}

}  // namespace

InteriorField::InteriorField(const Grid& grid, const std::array<ElasticBody, 2>& materials,
                             const InteriorRequest& request, const ContactSolution& solution,
                             MakeInteriorPlanes make)
    : grid_(grid),
      materials_(materials),
      request_(request),
      solution_(solution),
      window_(interior_window(request, grid, solution.element_division)),
      make_(std::move(make)),
      dang_van_(request.fatigue.dang_van ? window_.count() : 0),
      crossland_(request.fatigue.crossland ? window_.count() : 0) {}

void InteriorField::compute(Body body, std::size_t depth) {
  if (summaries_.empty() || summaries_.back().body != body) {
    const bool displaced =
        std::any_of(request_.quantities.begin(), request_.quantities.end(), is_displacement);
    planes_.reset();  // free its memory first
    const ElasticBody& material = materials_[static_cast<std::size_t>(body)];
    const InteriorTask task{
        grid_, material, body,
        displaced ? InteriorNeed::stress_and_displacement : InteriorNeed::stress, window_};
    // The host tabulates the effect of layers and sums the waves of periodic grids.
    const bool on_host = is_layered(material) || grid_.boundary == Boundary::periodic;
    planes_ = on_host ? make_cpu_interior_planes(task, solution_) : make_(task, solution_);
    summaries_.push_back({body, {}, {}, {}, {}, {}});
    dang_van_along_y_.clear();
    crossland_along_y_.clear();
  }
  planes_->compute(request_.depths[depth]);
  update_summary(body, request_.depths[depth]);
  if (request_.fatigue != FatigueSlopes{}) update_fatigue(body, request_.depths[depth]);
}

void InteriorField::compute_all() {
  for (const Body body : request_.bodies)
    for (std::size_t depth = 0; depth < request_.depths.size(); ++depth) compute(body, depth);
}

void InteriorField::update_summary(Body body, double depth) {
  InteriorSummary& summary = summaries_.back();
  const auto include = [&](InteriorQuantity quantity, InteriorGreatest& greatest) {
    const std::vector<double>& values = planes_->measure(quantity);
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

StressHistory InteriorField::history_of_row(
    const std::array<const double*, kStressComponents>& stress, int iy) const {
  StressHistory history(static_cast<std::size_t>(grid_.mx));
  for (int ix = 0; ix < grid_.mx; ++ix)
    for (std::size_t c = 0; c < stress.size(); ++c)
      history[static_cast<std::size_t>(ix)][c] = stress[c][grid_.index(ix, iy)];
  return history;
}

void InteriorField::update_fatigue(Body body, double depth) {
  const auto rows = static_cast<std::size_t>(window_.my);
  std::vector<PassageStress> dang_van(rows);
  std::vector<PassageStress> crossland(rows);
  const FatigueSlopes& slopes = request_.fatigue;
  std::array<const double*, kStressComponents> stress{};
  for (int c = 0; c < kStressComponents; ++c)
    stress[static_cast<std::size_t>(c)] = planes_->component(c).data();
#pragma omp parallel for schedule(dynamic, 1) if (grid_.count() >= kLeastForThreads)
  for (int iy = 0; iy < window_.my; ++iy) {
    const StressHistory history = history_of_row(stress, window_.iy0 + iy);
    const Ball ball = deviator_ball(history);
    const auto row = static_cast<std::size_t>(iy);
    if (slopes.dang_van) dang_van[row] = dang_van_stress(history, ball, *slopes.dang_van);
    if (slopes.crossland) crossland[row] = crossland_stress(history, ball, *slopes.crossland);
  }
  const auto include = [&](std::vector<double>& values, const std::vector<PassageStress>& found,
                           InteriorGreatest& greatest, std::vector<double>& along_y) {
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
  if (slopes.dang_van) include(dang_van_, dang_van, summary.dang_van, dang_van_along_y_);
  if (slopes.crossland) include(crossland_, crossland, summary.crossland, crossland_along_y_);
}

std::vector<double> InteriorField::values(InteriorQuantity quantity) {
  if (quantity == InteriorQuantity::dang_van) return dang_van_;
  if (quantity == InteriorQuantity::crossland) return crossland_;
  const auto index = static_cast<int>(quantity);
  if (index >= kInteriorComponents) return planes_->measure(quantity);
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
