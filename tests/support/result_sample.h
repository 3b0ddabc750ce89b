// SPDX-License-Identifier: Apache-2.0
// A result of random, unsymmetric fields for the tests of the writer and the reader, and a folder
// that goes with the test.
#pragma once

#include <cstdint>
#include <limits>
#include <random>

#include "io/result/field_table.h"
#include "io/result/writer.h"
#include "tests/support/temporary_folder.h"

namespace slipfield::test {

inline ResultHeader sample_header() {
  ResultHeader header;
  header.title = "Zahnflanke, µ = 0.4";
  header.case_yaml = "schema: 1\ntitle: \"Zahnflanke, µ = 0.4\"\n";
  header.grid = {7, 5, 0.125, 0.25, -0.5, 0.75, Boundary::free};
  header.units = Units::n_mm_s;
  header.backend = "cpu";
  header.device = "a processor";
  return header;
}

inline ContactSolution sample_solution(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal(0.0, 1.0e3);
  ContactSolution solution;
  for (const FieldEntry& entry : field_table()) {
    auto& values = solution.*(entry.values);
    for (std::size_t i = 0; i < count; ++i) values.push_back(normal(generator));
  }
  solution.undeformed_distance[count / 2] = std::numeric_limits<double>::infinity();
  solution.gap[1] = -0.0;
  solution.slip_x[2] = std::numeric_limits<double>::denorm_min();
  for (std::size_t i = 0; i < count; ++i)
    solution.element_division.push_back(static_cast<ElementState>(generator() % 3));
  return solution;
}

// Every number of the table differs from every other.
inline StepReport sample_report(double offset) {
  StepReport report;
  double value = offset;
  for (const QuantityEntry& entry : quantity_table()) {
    value += 1.0;
    if (const auto* real = std::get_if<double StepReport::*>(&entry.value))
      report.*(*real) = value + 1.0 / 3.0;
    else if (const auto* count = std::get_if<int StepReport::*>(&entry.value))
      report.*(*count) = static_cast<int>(value);
    else
      report.*std::get<std::int64_t StepReport::*>(entry.value) =
          static_cast<std::int64_t>(value) + (std::int64_t{1} << 40);
  }
  report.history = {{Phase::normal, 1, 0.5}, {Phase::normal, 2, 1.0e-9}, {Phase::outer, 1, 0.25}};
  return report;
}

inline StepInput sample_input(TangentialProblem problem) {
  StepInput input;
  input.tangential.problem = problem;
  if (is_rolling(problem)) {
    input.tangential.direction = 0.1;
    input.tangential.step = 0.125;
    input.tangential.velocity = 30.0;
  }
  return input;
}

}  // namespace slipfield::test
