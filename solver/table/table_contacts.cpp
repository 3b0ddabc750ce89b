// SPDX-License-Identifier: Apache-2.0
// The contacts of a table: pure numbers, with the pressure solved once per ratio.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "solver/error.h"
#include "solver/geometry.h"
#include "solver/number_text.h"
#include "solver/table/creep_table.h"

namespace slipfield {
namespace {

// Relative changes of creepages that did not converge, tried in turn.
constexpr double kAgain[] = {1.0e-4, -1.0e-4, 3.0e-4, -3.0e-4, 1.0e-3, -1.0e-3};

BatchContact bare_contact(const CreepTableRequest& request, const Grid& grid, double tolerance) {
  BatchContact contact;
  contact.grid = grid;
  contact.material = {1.0, request.poisson_ratio, 0.0};
  contact.normal = {NormalControl::force, 1.0};
  contact.friction = 1.0;
  contact.tolerance = tolerance;
  return contact;
}

void roll(BatchContact& contact, const TablePoint& point, double factor) {
  Tangential& rolling = contact.tangential;
  rolling.problem = TangentialProblem::steady_rolling;
  rolling.step = contact.grid.dx;
  rolling.x = {TangentialControl::rigid, factor * point.creepage[0]};
  rolling.y = {TangentialControl::rigid, factor * point.creepage[1]};
  rolling.rotation = factor * point.creepage[2];
}

std::string place_of(const TablePoint& point) {
  return "a/b = " + number_text(point.ratio) + ", creepages " + number_text(point.creepage[0]) +
         ", " + number_text(point.creepage[1]) + ", spin " + number_text(point.creepage[2]);
}

}  // namespace

TableContacts::TableContacts(const CreepTableRequest& request, SolveBatch solve)
    : request_(request), solve_(std::move(solve)) {}

Grid TableContacts::grid_of(double ratio) const {
  const int m = request_.elements;
  const double a = std::sqrt(ratio);
  const double b = 1.0 / a;
  const double below = b * (1.0 - request_.asymmetry);
  const double dx = 2.0 * a / (m - 2);
  const double dy = 2.0 * b / (m - 2);
  return {m, m, dx, dy, -a - dx, -below - dy};
}

std::vector<double> TableContacts::half_ellipses(double ratio) const {
  const Grid grid = grid_of(ratio);
  const double a = std::sqrt(ratio);
  std::vector<double> pressure;
  double sum = 0.0;
  for (int iy = 0; iy < grid.my; ++iy) {
    const double y = grid.y(iy);
    const double b = (1.0 + (y > 0.0 ? request_.asymmetry : -request_.asymmetry)) / a;
    const double edge2 = a * a * (1.0 - y * y / (b * b));
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double x = grid.x(ix);
      pressure.push_back(edge2 > x * x ? std::sqrt(edge2 - x * x) / a : 0.0);
      sum += pressure.back();
    }
  }
  for (double& p : pressure) p /= sum * grid.element_area();
  return pressure;
}

void TableContacts::prepare(const std::vector<TablePoint>& points) {
  ContactBatch batch;
  for (const TablePoint& point : points) {
    const auto [place, added] = known_.try_emplace(point.ratio, pressures_.size());
    if (!added) continue;
    pressures_.emplace_back();
    if (request_.patch == TablePatch::double_half_ellipse) {
      pressures_.back() = half_ellipses(point.ratio);
      continue;
    }
    const Grid grid = grid_of(point.ratio);
    BatchContact contact = bare_contact(request_, grid, std::min(request_.tolerance, 1.0e-8));
    contact.shape = batch.shapes.size();
    const double a = std::sqrt(point.ratio);
    batch.shapes.push_back(
        undeformed_distance({HertzShape{a, 1.0 / a, 1.0}}, grid, contact.material));
    batch.contacts.push_back(contact);
  }
  if (batch.contacts.empty()) return;
  BatchSolution solution = solve_(batch, true);
  std::size_t next = pressures_.size() - batch.contacts.size();
  for (std::size_t i = 0; i < batch.contacts.size(); ++i, ++next) {
    if (solution.reports[i].outcome != Outcome::converged)
      throw Error("the normal contact of an ellipse of the table did not converge: " +
                  solution.reports[i].message);
    pressures_[next] = std::move(solution.fields[i].pressure);
  }
}

std::vector<StepReport> TableContacts::solve(const std::vector<TablePoint>& points,
                                             double tolerance) {
  const auto batch_of = [&](const std::vector<std::size_t>& numbers, double factor) {
    ContactBatch batch;
    batch.shapes = pressures_;
    for (const std::size_t i : numbers) {
      BatchContact contact = bare_contact(request_, grid_of(points[i].ratio), tolerance);
      contact.shape = known_.at(points[i].ratio);
      contact.pressure_given = true;
      roll(contact, points[i], factor);
      batch.contacts.push_back(contact);
    }
    return batch;
  };
  std::vector<std::size_t> all(points.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<StepReport> reports = solve_(batch_of(all, 1.0), false).reports;
  std::vector<std::size_t> left;
  for (const std::size_t i : all)
    if (reports[i].outcome != Outcome::converged) left.push_back(i);
  solved_again_ += left.size();
  for (const double change : kAgain) {
    if (left.empty()) break;
    const std::vector<StepReport> again = solve_(batch_of(left, 1.0 + change), false).reports;
    std::vector<std::size_t> still;
    for (std::size_t k = 0; k < left.size(); ++k) {
      reports[left[k]] = again[k];
      if (again[k].outcome != Outcome::converged) still.push_back(left[k]);
    }
    left = std::move(still);
  }
  if (!left.empty())
    throw Error("a contact of the table did not converge (" + place_of(points[left.front()]) +
                ", and " + std::to_string(left.size() - 1) +
                " more): " + reports[left.front()].message);
  return reports;
}

std::vector<TableForce> TableContacts::forces(const std::vector<TablePoint>& points,
                                              double tolerance) {
  prepare(points);
  const std::vector<StepReport> reports = solve(points, tolerance);
  std::vector<TableForce> forces;
  for (const StepReport& report : reports)
    forces.push_back({report.force_x, report.force_y, report.moment_z});
  return forces;
}

}  // namespace slipfield
