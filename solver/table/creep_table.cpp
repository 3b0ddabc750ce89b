// SPDX-License-Identifier: Apache-2.0
#include "solver/table/creep_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "solver/error.h"
#include "solver/number_text.h"

namespace slipfield {

namespace {

constexpr double kSmall = 1.0e-5;       // creepages with linear force: the error is 1e-5 of it
constexpr double kFullSliding = 1.0e5;  // r that represents infinity: error 1e-5 of the force
constexpr int kLeastKnots = 4;          // of a cubic spline
constexpr int kMostKnots = 512;

void require_knots(const char* name, int knots, bool may_be_one) {
  if ((knots >= kLeastKnots && knots <= kMostKnots) || (may_be_one && knots == 1)) return;
  throw InputError(std::string("a table cannot have ") + std::to_string(knots) + " knots for the " +
                   name + "; accepted: " + (may_be_one ? "1, or " : "") + "4 to 512");
}

// Kalker's scale: (x, y, s) = -(C11 xi/3, C22 eta/3, C23 phi).
std::array<double, 3> creepage_of(const std::array<double, 3>& scaled, const double* linear) {
  return {-3.0 * scaled[0] / linear[0], -3.0 * scaled[1] / linear[1], -scaled[2] / linear[2]};
}

// A unit direction; angle and elevation are those of the stretched direction.
std::array<double, 3> direction(double angle, double elevation,
                                const std::array<double, 3>& stretch = {1.0, 1.0, 1.0}) {
  const double x = std::cos(elevation) * std::cos(angle) / stretch[0];
  const double y = std::cos(elevation) * std::sin(angle) / stretch[1];
  const double s = std::sin(elevation) / stretch[2];
  const double size = std::hypot(x, y, s);
  return {x / size, y / size, s / size};
}

void lay_knots(CreepTable& table) {
  const CreepTableRequest& request = table.request;
  const auto place = [](int i, int cells) { return static_cast<double>(i) / std::max(cells, 1); };
  const double span = std::log(request.last_ratio / request.first_ratio);
  for (int i = 0; i < request.ratios; ++i)
    table.ratios.push_back(request.first_ratio * std::exp(span * place(i, request.ratios - 1)));
  for (int i = 0; i < request.radii; ++i) {
    const double t = place(i, request.radii - 1);
    table.radii.push_back(i == request.radii - 1 ? HUGE_VAL : t / (1.0 - t));
  }
  const bool symmetric = request.patch == TablePatch::ellipse;
  for (int i = 0; i < request.angles; ++i)
    table.angles.push_back(std::numbers::pi * (symmetric ? place(i, request.angles - 1) - 0.5
                                                         : 2.0 * place(i, request.angles) - 1.0));
  for (int i = 0; i < request.elevations; ++i)
    table.elevations.push_back(0.5 * std::numbers::pi * place(i, request.elevations - 1));
}

// Forces due to creepage_x, creepage_y and spin alone, each per unit: three rows of forces.
using LinearLaw = std::array<TableForce, 3>;

std::vector<LinearLaw> linear_laws(TableContacts& contacts, const std::vector<double>& ratios) {
  // tighter than usual, as the force is small against the bound
  constexpr double kTolerance = 1.0e-10;
  std::vector<TablePoint> points;
  for (const double ratio : ratios) {
    points.push_back({ratio, {kSmall, 0.0, 0.0}});
    points.push_back({ratio, {0.0, kSmall, 0.0}});
    points.push_back({ratio, {0.0, 0.0, kSmall}});
  }
  const std::vector<TableForce> forces = contacts.forces(points, kTolerance);
  std::vector<LinearLaw> laws(ratios.size());
  for (std::size_t i = 0; i < forces.size(); ++i)
    for (std::size_t part = 0; part < 3; ++part)
      laws[i / 3][i % 3][part] = forces[i][part] / kSmall;
  return laws;
}

// Sets the forces at all knots: for r = 0 from the linear law, for others by solving.
void fill_forces(CreepTable& table, const std::vector<LinearLaw>& laws, TableContacts& contacts) {
  std::vector<TablePoint> points;
  const auto for_each_knot = [&](const auto& visit) {
    for (std::size_t q = 0; q < table.ratios.size(); ++q) {
      std::array<double, 3> stretch{};
      slipfield_table_stretch(std::log(table.ratios[q]), table.linear.data() + 3 * q,
                              stretch.data());
      for (std::size_t k = 0; k < table.radii.size(); ++k)
        for (const double angle : table.angles)
          for (const double elevation : table.elevations)
            visit(q, k, direction(angle, elevation, stretch));
    }
  };
  for_each_knot([&](std::size_t q, std::size_t k, std::array<double, 3> scaled) {
    if (k == 0) return;
    const double r = std::min(table.radii[k], kFullSliding);
    for (double& part : scaled) part *= r;
    points.push_back({table.ratios[q], creepage_of(scaled, table.linear.data() + 3 * q)});
  });
  const std::vector<TableForce> solved = contacts.forces(points);
  auto next = solved.begin();
  for_each_knot([&](std::size_t q, std::size_t k, const std::array<double, 3>& scaled) {
    TableForce force{};
    if (k > 0) {
      force = *next++;
    } else {
      const std::array<double, 3> creepage = creepage_of(scaled, table.linear.data() + 3 * q);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t part = 0; part < 3; ++part)
          force[part] += creepage[i] * laws[q][i][part] / 3.0;
    }
    table.forces.insert(table.forces.end(), force.begin(), force.end());
  });
}

// Random points off the knots: ratios uniform in the logarithm, r/(1 + r) uniform from creep to
// nearly full sliding, all directions equally likely.
std::vector<TablePoint> random_places(const CreepTable& table, const slipfield_table& evaluator) {
  constexpr double kMostShare = 0.985;
  const CreepTableRequest& request = table.request;
  std::mt19937_64 engine(request.seed);
  const auto share = [&engine] { return static_cast<double>(engine() >> 11U) * 0x1.0p-53; };
  // contacts of a group share a ratio
  const int groups = std::min(request.checks, 4 * request.ratios);
  std::vector<double> ratios;
  for (int i = 0; i < groups; ++i)
    ratios.push_back(request.first_ratio *
                     std::pow(request.last_ratio / request.first_ratio, share()));
  std::vector<TablePoint> points;
  for (int i = 0; i < request.checks; ++i) {
    const double ratio = ratios[static_cast<std::size_t>(i % groups)];
    const double t = kMostShare * share();
    const double elevation = std::asin(2.0 * share() - 1.0);
    std::array<double, 3> scaled = direction(std::numbers::pi * (2.0 * share() - 1.0), elevation);
    for (double& part : scaled) part *= t / (1.0 - t);
    std::array<double, 3> linear{};
    std::array<double, 4> weights{};
    std::array<double, 4> slopes{};
    int cell = 0;
    int status = 0;
    std::array<double, 3> stretch{};
    slipfield_table_linear(&evaluator, ratio, &cell, weights.data(), slopes.data(), linear.data(),
                           stretch.data(), &status);
    points.push_back({ratio, creepage_of(scaled, linear.data())});
  }
  return points;
}

TableError measure(const CreepTable& table, TableContacts& contacts) {
  slipfield_table evaluator;
  if (slipfield_table_open(&evaluator, table.image.data(), table.image.size()) !=
      SLIPFIELD_TABLE_OK)
    throw Error("a table that was just made does not open");
  const std::vector<TablePoint> points = random_places(table, evaluator);
  const std::vector<TableForce> exact = contacts.forces(points);
  TableError error;
  for (std::size_t i = 0; i < points.size(); ++i) {
    TableForce force{};
    slipfield_table_force(&evaluator, points[i].ratio, points[i].creepage.data(), force.data(),
                          nullptr);
    const double off = std::hypot(force[0] - exact[i][0], force[1] - exact[i][1]);
    const double moment = std::fabs(force[2] - exact[i][2]);
    if (off >= error.greatest_force) error.worst = points[i];
    error.greatest_force = std::max(error.greatest_force, off);
    error.greatest_moment = std::max(error.greatest_moment, moment);
    error.mean_force += off / static_cast<double>(points.size());
    error.mean_moment += moment / static_cast<double>(points.size());
  }
  return error;
}

}  // namespace

void check_creep_table(const CreepTableRequest& request) {
  constexpr double kLeastRatio = 1.0e-2;
  constexpr double kMostRatio = 1.0e2;
  if (!(request.first_ratio >= kLeastRatio) || !(request.last_ratio <= kMostRatio) ||
      !(request.first_ratio <= request.last_ratio))
    throw InputError("a table cannot have ratios a/b from " + number_text(request.first_ratio) +
                     " to " + number_text(request.last_ratio) +
                     "; accepted: from 0.01 to 100, the smaller one first");
  if ((request.ratios == 1) != (request.first_ratio == request.last_ratio))
    throw InputError("ratios a/b from " + number_text(request.first_ratio) + " to " +
                     number_text(request.last_ratio) + " do not go with " +
                     std::to_string(request.ratios) +
                     " knots; accepted: 1 knot for a single ratio, 4 or more for a range");
  require_knots("ratios", request.ratios, true);
  require_knots("radii", request.radii, false);
  require_knots("angles", request.angles, false);
  require_knots("elevations", request.elevations, false);
  if (request.patch == TablePatch::double_half_ellipse && request.angles % 2 != 0)
    throw InputError("a double half-ellipse has angles all around, and " +
                     std::to_string(request.angles) + " is odd; accepted: an even number");
  if (request.patch == TablePatch::ellipse && request.asymmetry != 0.0)
    throw InputError("an ellipse has no asymmetry; accepted: it with a double half-ellipse");
  if (!(std::fabs(request.asymmetry) <= 0.9))
    throw InputError("an asymmetry of " + number_text(request.asymmetry) +
                     " makes no double half-ellipse; accepted: -0.9 to 0.9");
  if (!(request.poisson_ratio >= 0.0 && request.poisson_ratio <= 0.5))
    throw InputError("Poisson's ratio cannot be " + number_text(request.poisson_ratio) +
                     "; accepted: 0 to 0.5");
  if (request.elements < 6 || request.elements > kBatchElements)
    throw InputError("a table's contacts cannot have " + std::to_string(request.elements) +
                     " elements in a direction; accepted: 6 to 48");
  if (!(request.tolerance >= 1.0e-10 && request.tolerance <= 1.0e-3))
    throw InputError("a table cannot be solved to " + number_text(request.tolerance) +
                     "; accepted: a tolerance from 1e-10 to 1e-3");
  if (request.checks < 1 || request.checks > 1000000)
    throw InputError("a table's error cannot be measured at " + std::to_string(request.checks) +
                     " contacts; accepted: 1 to 1000000");
}

std::size_t creep_table_entries(const CreepTableRequest& request) {
  return static_cast<std::size_t>(request.ratios) * static_cast<std::size_t>(request.radii) *
         static_cast<std::size_t>(request.angles) * static_cast<std::size_t>(request.elevations);
}

std::size_t creep_table_bytes(const CreepTableRequest& request) {
  // Per entry: the contact twice, its point, its report and forces, and the coefficients.
  constexpr std::size_t kEach = 2 * sizeof(BatchContact) + sizeof(TablePoint) +
                                2 * sizeof(StepReport) + 12 * sizeof(TableForce);
  return kEach * (creep_table_entries(request) + static_cast<std::size_t>(request.checks));
}

CreepTable make_creep_table(const CreepTableRequest& request, const SolveBatch& solve) {
  check_creep_table(request);
  CreepTable table;
  table.request = request;
  lay_knots(table);
  TableContacts contacts(request, solve);
  const std::vector<LinearLaw> laws = linear_laws(contacts, table.ratios);
  for (const LinearLaw& law : laws)
    for (const double coefficient : {-law[0][0], -law[1][1], -law[2][1]})
      table.linear.push_back(coefficient);
  fill_forces(table, laws, contacts);
  table.image = table_image(table);
  table.error = measure(table, contacts);
  table.solved_again = contacts.solved_again();
  return table;
}

TableEvaluator::TableEvaluator(const void* bytes, std::size_t size) {
  if (slipfield_table_open(&table_, bytes, size) != SLIPFIELD_TABLE_OK)
    throw Error("these bytes are not a creep-force table");
}

TableForces TableEvaluator::at(double ratio, const std::array<double, 3>& creepage) const {
  TableForces out;
  out.status = slipfield_table_force(&table_, ratio, creepage.data(), out.force.data(),
                                     out.derivative.data());
  return out;
}

TableForces TableEvaluator::at(const slipfield_table_rolling& contact) const {
  TableForces out;
  out.status = slipfield_table_contact(&table_, &contact, out.force.data(), out.derivative.data());
  return out;
}

}  // namespace slipfield
