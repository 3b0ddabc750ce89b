// SPDX-License-Identifier: Apache-2.0
// The groups and numbers of an interior in a result file.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/result/field_table.h"
#include "io/result/interior/group.h"
#include "io/result/reader.h"
#include "solver/interior/interior_field.h"
#include "tests/support/result_sample.h"

namespace slipfield {
namespace {

// A volume of the first step, (depth, y, x).
std::vector<double> volume_of(const std::filesystem::path& path, Body body,
                              const std::string& quantity) {
  const hdf5::Handle file = hdf5::open_file(path);
  const hdf5::Handle group = hdf5::open_group(file.id(), "steps/0001/" + interior_path(body));
  return hdf5::read_doubles(group.id(), quantity);
}

// Page faults of the processes that this one started and that have ended: each adds some.
long faults_of_children() {
  struct rusage used {};
  getrusage(RUSAGE_CHILDREN, &used);
  return used.ru_minflt;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("result file: an interior is written depth by depth and read back") {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder / "out.h5";
    ResultHeader header = test::sample_header();
    const Grid& grid = header.grid;
    const ContactSolution solution = test::sample_solution(grid.count(), 5);
    InteriorRequest request;
    request.depths = {0.0, 0.1, 0.7};
    request.region = InteriorRegion::grid;
    request.quantities = {InteriorQuantity::stress_xz, InteriorQuantity::von_mises};
    StepReport report = test::sample_report(1);
    const StepInput input = test::sample_input(TangentialProblem::shift);
    {
      ResultWriter writer(path, header);
      InteriorField field(grid, {ElasticBody{1.0, 0.3}, ElasticBody{2.0, 0.2}}, request, solution);
      writer.write_step(1, input, report, solution, &field);
      report.interior = field.summaries();
      writer.finish(RunOutcome::converged);
    }
    const ResultFile result = read_result(path);
    const ResultStep& step = result.step(1);
    REQUIRE(step.report.interior.size() == 2);
    const auto bodies = result.interior(step);
    REQUIRE(bodies.size() == 2);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const InteriorBody& body = bodies[b];
      CHECK(body.depths == request.depths);
      CHECK(body.x.size() == static_cast<std::size_t>(grid.mx));
      CHECK(body.y.front() == grid.y(0));
      CHECK(body.quantities == std::vector<std::string>{"stress_xz", "von_mises"});
      const InteriorGreatest& written = report.interior[b].von_mises;
      CHECK(step.report.interior[b].von_mises.value == written.value);
      CHECK(step.report.interior[b].von_mises.z == written.z);
      CHECK(step.report.interior[b].von_mises.by_depth == written.by_depth);
      const std::vector<double> surface = volume_of(path, body.body, "stress_xz");
      CHECK(surface.size() == request.depths.size() * grid.count());
      for (std::size_t i = 0; i < grid.count(); ++i)
        // The surface carries the traction, to the rounding of transforms of values to 4e3.
        CHECK(std::abs(surface[i] + solution.traction_x[i]) < 1.0e-9);
      const std::vector<double> volume = volume_of(path, body.body, "von_mises");
      for (std::size_t depth = 0; depth < request.depths.size(); ++depth) {
        const double* plane = volume.data() + depth * grid.count();
        CHECK(*std::max_element(plane, plane + grid.count()) == written.by_depth[depth]);
      }
    }
    CHECK(quantity(step.report, input, "max_von_mises") ==
          std::max(report.interior[0].von_mises.value, report.interior[1].von_mises.value));

    // One process tried the whole of the small file when it was opened, and no other follows.
    const long before = faults_of_children();
    CHECK(before > 0);
    CHECK(result.solution(step).pressure == solution.pressure);
    CHECK(result.interior(step).size() == 2);
    CHECK(result.interior_values(step, bodies[0], "von_mises") ==
          volume_of(path, bodies[0].body, "von_mises"));
    CHECK(faults_of_children() == before);
  }

  TEST_CASE("result file: fatigue along y is the greatest of the depths in each row") {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder / "out.h5";
    const ResultHeader header = test::sample_header();
    const Grid& grid = header.grid;
    const ContactSolution solution = test::sample_solution(grid.count(), 9);
    InteriorRequest request;
    request.depths = {0.1, 0.4, 0.9};
    request.region = InteriorRegion::grid;
    request.bodies = {Body::lower};
    request.quantities = {InteriorQuantity::dang_van};
    request.fatigue = {0.3, 0.1};
    InteriorField field(grid, {ElasticBody{1.0, 0.3}, ElasticBody{2.0, 0.2}}, request, solution);
    {
      ResultWriter writer(path, header);
      writer.write_step(1, test::sample_input(TangentialProblem::shift), test::sample_report(1),
                        solution, &field);
      writer.finish(RunOutcome::converged);
    }
    const ResultFile result = read_result(path);
    const InteriorBody body = result.interior(result.step(1)).at(0);
    const auto rows = static_cast<std::size_t>(grid.my);
    const auto columns = static_cast<std::size_t>(grid.mx);
    const std::vector<double> all = volume_of(path, Body::lower, "dang_van");
    REQUIRE(body.dang_van_along_y.size() == rows);
    REQUIRE(body.crossland_along_y.size() == rows);
    double greatest = body.crossland_along_y.front();
    for (std::size_t row = 0; row < rows; ++row) {
      double most = all[row * columns];
      for (std::size_t depth = 1; depth < 3; ++depth)
        most = std::max(most, all[(depth * rows + row) * columns]);
      CHECK(body.dang_van_along_y[row] == most);
      greatest = std::max(greatest, body.crossland_along_y[row]);
    }
    CHECK(body.summary.crossland.value == greatest);
  }
}

}  // namespace slipfield
