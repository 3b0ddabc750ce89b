// SPDX-License-Identifier: Apache-2.0
// Tables of creep forces over the ratio of the semi-axes, creepages and spin (THEORY.md 6.9).
//
// The contacts use pure numbers: G = mu = F_n = c = 1, c = sqrt(a b), steady rolling in x, solved
// in batches (solver/batch/batch.h). The pressure of a ratio is solved once and shared by its
// entries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "solver/batch/batch.h"
#include "solver/table/slipfield_table.h"

namespace slipfield {

enum class TablePatch {
  ellipse,             // pressure from the normal problem of Hertz's undeformed distance
  double_half_ellipse  // p = p_max sqrt(x_l^2 - x^2)/a over two half ellipses joined at y = 0
};

struct CreepTableRequest {
  TablePatch patch = TablePatch::ellipse;
  // (b_1 - b_2)/(b_1 + b_2) of the half ellipses over y > 0, y < 0; their mean is b.
  double asymmetry = 0.0;
  double poisson_ratio = 0.28;
  double first_ratio = 0.1;  // a/b, a in the rolling direction; evenly in the logarithm
  double last_ratio = 10.0;
  int ratios = 25;      // knots; 1: a single ratio
  int radii = 16;       // from no creepage to full sliding
  int angles = 32;      // between the creepages; twice as many if the patch is not symmetric
  int elevations = 16;  // from no spin to pure spin
  int elements = 32;    // in each direction, including one row around the patch
  double tolerance = 1.0e-6;
  int checks = 2000;  // random contacts off the knots for measuring the error
  std::uint64_t seed = 1;
};

// Throws InputError with one sentence if a number makes no sense.
void check_creep_table(const CreepTableRequest& request);
// Number of contacts to solve, without the checks; memory needed while making the table [bytes].
std::size_t creep_table_entries(const CreepTableRequest& request);
std::size_t creep_table_bytes(const CreepTableRequest& request);

// Creepages (G c^2 xi, G c^2 eta, G c^3 phi)/(mu F_n); forces are (F_x, F_y, M_z/c)/(mu F_n).
struct TablePoint {
  double ratio = 1.0;
  std::array<double, 3> creepage{};
};
using TableForce = std::array<double, 3>;

// fields: whether to return the pressures.
using SolveBatch = std::function<BatchSolution(const ContactBatch&, bool fields)>;

// Solves the contacts of a table.
class TableContacts {
 public:
  TableContacts(const CreepTableRequest& request, SolveBatch solve);
  // Forces in the order of the points. A contact that does not converge is solved again with
  // creepages changed by 1e-4 to 1e-3 of themselves. Throws Error if that fails, too.
  std::vector<TableForce> forces(const std::vector<TablePoint>& points, double tolerance);
  std::vector<TableForce> forces(const std::vector<TablePoint>& points) {
    return forces(points, request_.tolerance);
  }
  [[nodiscard]] std::size_t solved_again() const { return solved_again_; }

 private:
  [[nodiscard]] Grid grid_of(double ratio) const;
  std::vector<double> half_ellipses(double ratio) const;
  void prepare(const std::vector<TablePoint>& points);  // solves for the pressures of new ratios
  std::vector<StepReport> solve(const std::vector<TablePoint>& points, double tolerance);

  CreepTableRequest request_;
  SolveBatch solve_;
  std::map<double, std::size_t> known_;         // index of the pressure for each ratio
  std::vector<std::vector<double>> pressures_;  // in pure numbers
  std::size_t solved_again_ = 0;
};

struct TableError {
  double greatest_force = 0.0;  // |F - F of the full solution|/(mu F_n)
  double mean_force = 0.0;
  double greatest_moment = 0.0;  // over mu F_n c
  double mean_moment = 0.0;
  TablePoint worst;  // where the force error is greatest
};

struct CreepTable {
  CreepTableRequest request;
  std::vector<double> ratios;
  std::vector<double> radii;         // r of the knots; the last is infinite
  std::vector<double> angles;        // [rad]
  std::vector<double> elevations;    // [rad]
  std::vector<double> linear;        // (ratios, 3): C_11, C_22, C_23 for these contacts
  std::vector<double> forces;        // (ratios, radii, angles, elevations, 3)
  std::vector<unsigned char> image;  // input of slipfield_table_open() of slipfield_table.h
  TableError error;
  std::size_t solved_again = 0;
};

// Throws InputError like check_creep_table, and Error if a contact has no solution.
CreepTable make_creep_table(const CreepTableRequest& request, const SolveBatch& solve);

// The B-spline coefficients of a table's forces and everything else that an evaluation needs, as
// bytes.
std::vector<unsigned char> table_image(const CreepTable& table);

// Creep forces from a table's bytes: slipfield_table.h, compiled once for the program and Python.
struct TableForces {
  std::array<double, 3> force{};       // F_x, F_y, M_z/c over mu F_n, or with units
  std::array<double, 9> derivative{};  // [3 i + k]: of force i by creepage k
  int status = SLIPFIELD_TABLE_OK;     // or _CLAMPED, or _NOT_FINITE with forces of 0
};

// Refers to the bytes, which must be aligned for doubles and outlive it. Throws Error if they are
// not a table.
class TableEvaluator {
 public:
  TableEvaluator(const void* bytes, std::size_t size);

  // At a/b and creepages as pure numbers, all finite, a/b > 0.
  [[nodiscard]] TableForces at(double ratio, const std::array<double, 3>& creepage) const;
  // In the units of the contact.
  [[nodiscard]] TableForces at(const slipfield_table_rolling& contact) const;

 private:
  slipfield_table table_{};
};

}  // namespace slipfield
