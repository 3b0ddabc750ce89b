// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/stress_measures.h"

#include "solver/interior/local_measures.h"

namespace slipfield {
namespace {

LocalMeasures measures_of(const StressState& stress) {
  const auto& [xx, yy, zz, xy, xz, yz] = stress;
  return local_measures(xx, yy, zz, xy, xz, yz);
}

}  // namespace

std::array<double, 3> principal_stresses(const StressState& stress) {
  const LocalMeasures measures = measures_of(stress);
  return {measures.principal_1, measures.principal_2, measures.principal_3};
}

double von_mises_stress(const StressState& stress) { return measures_of(stress).von_mises; }

double hydrostatic_stress(const StressState& stress) { return measures_of(stress).hydrostatic; }

}  // namespace slipfield
