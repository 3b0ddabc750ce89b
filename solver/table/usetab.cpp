// SPDX-License-Identifier: Apache-2.0
#include "solver/table/usetab.h"

#include <algorithm>

#include "solver/simplified/kalker_coefficients.h"

namespace slipfield {
namespace {

constexpr double kInfinite = 7.0e5;  // as usetab_table.f90
constexpr double kPoisson = 0.28;

std::vector<double> usetab_ratios() {
  std::vector<double> ratios;
  for (int i = 1; i <= kUsetabSteps; ++i) ratios.push_back(static_cast<double>(i) / kUsetabSteps);
  for (const double ratio : {200.0, 130.0, 90.0, 65.0, 45.0, 32.0, 22.4, 16.0, 11.2, 8.0, 5.6, 4.0,
                             2.8, 2.0, 1.7, 1.4, 1.2, 1.0})
    ratios.push_back(ratio);
  return ratios;
}

std::vector<double> usetab_creepages() {
  std::vector<double> creepages;
  for (int i = 0; i <= kUsetabSteps; ++i)
    creepages.push_back(static_cast<double>(i) / kUsetabSteps);
  creepages.push_back(kInfinite);
  for (int i = 1; i <= kUsetabSteps; ++i)
    creepages.push_back(static_cast<double>(kUsetabSteps) / i);
  return creepages;
}

}  // namespace

UsetabTable make_usetab(CreepTableRequest request, int every, const SolveBatch& solve) {
  request.patch = TablePatch::ellipse;
  request.asymmetry = 0.0;
  request.poisson_ratio = kPoisson;
  UsetabTable table;
  table.elements = request.elements;
  const std::vector<double> ratios = usetab_ratios();
  for (std::size_t i = 0; i < ratios.size(); i += static_cast<std::size_t>(std::max(every, 1)))
    table.ratios.push_back(ratios[i]);
  table.creepages = usetab_creepages();
  table.spins = table.creepages;
  for (const double spin : table.creepages) table.spins.push_back(-spin);
  std::vector<TablePoint> points;
  for (const double ratio : table.ratios) {
    const KalkerCoefficients c = kalker_coefficients(ratio, kPoisson);
    for (const double x : table.creepages)
      for (const double y : table.creepages)
        for (const double s : table.spins)
          points.push_back({ratio, {-3.0 * x / c.c11, -3.0 * y / c.c22, -s / c.c23}});
  }
  TableContacts contacts(request, solve);
  table.forces = contacts.forces(points);
  return table;
}

}  // namespace slipfield
