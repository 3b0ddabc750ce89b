// SPDX-License-Identifier: Apache-2.0
// Figures of several results, of shapes and surfaces, and animations: what gnuplot is given.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/plot/figure.h"
#include "app/plot/gnuplot.h"
#include "app/plot/page.h"
#include "app/plot/pair/figure.h"
#include "app/plot/pair/sides.h"
#include "app/plot/reduce.h"
#include "app/plot/row.h"
#include "app/plot/sweep_curves.h"
#include "io/result/writer.h"
#include "solver/error.h"
#include "tests/support/temporary_folder.h"

using namespace slipfield;

namespace {

constexpr Grid kPairGrid{400, 3, 0.25, 0.5, -50.0, -0.75, Boundary::free};  // pixels as elements

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Pressure scale * (1 + ix), the upper row out of contact; gap 0.5 + ix, undeformed 2 + ix;
// traction in x a tenth of the pressure.
ContactSolution ramp(const Grid& grid, double scale) {
  ContactSolution solution;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const bool contact = iy < 2;
      solution.pressure.push_back(contact ? scale * (1.0 + ix) : 0.0);
      solution.traction_x.push_back(0.1 * solution.pressure.back());
      solution.gap.push_back(0.5 + ix);
      solution.undeformed_distance.push_back(2.0 + ix);
      solution.element_division.push_back(contact ? ElementState::slip : ElementState::exterior);
    }
  const std::vector<double> zeros(grid.count(), 0.0);
  solution.traction_y = solution.traction_bound = solution.displacement_x = zeros;
  solution.displacement_y = solution.displacement_n = solution.slip_x = solution.slip_y = zeros;
  return solution;
}

struct RampCase {
  std::string text = "friction: {coefficient: 0.3}\n";
  Grid grid = kPairGrid;
  Units units = Units::n_mm_s;
  double scale = 1.0;
  int steps = 1;
};

ResultFile ramp_result(const test::TemporaryFolder& folder, const std::string& name,
                       const RampCase& made) {
  const auto path = folder.path() / name;
  ResultHeader header;
  header.title = "ramp";
  header.case_yaml = made.text;
  header.grid = made.grid;
  header.units = made.units;
  ResultWriter writer(path, header);
  for (int step = 1; step <= made.steps; ++step) {
    StepInput input;
    input.tangential.problem = TangentialProblem::shift;
    StepReport report;
    report.outcome = Outcome::converged;
    report.approach = 1.25;
    report.normal_force = 10.0 * step;
    report.elements_contact = 800;
    writer.write_step(step, input, report, ramp(made.grid, made.scale * step));
  }
  writer.finish(RunOutcome::converged);
  return read_result(path);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("plot pair: the difference is the first less the second, white where neither touches") {
    const test::TemporaryFolder folder;
    const ResultFile first = ramp_result(folder, "a.h5", {});
    const ResultFile second =
        ramp_result(folder, "b.h5", {"friction: {coefficient: 0.4}\n", kPairGrid, {}, 1.5, 1});
    PairRequest request;
    request.fields = {"pressure"};
    request.whole_grid = true;
    const std::string script =
        difference_script(first, second, {"a.h5", "b.h5"}, request, PictureFormat::svg);
    std::vector<double> expected;  // -0.5 (1 + ix), in 10^0 N/mm^2
    for (int iy = 0; iy < 3; ++iy)
      for (int ix = 0; ix < 400; ++ix)
        expected.push_back(iy < 2 ? -0.5 * (1.0 + ix) : std::nan(""));
    CHECK(holds(script, gnuplot_floats(expected)));
    CHECK(holds(script, "set cbrange [-200:200]"));  // both signs: 0 in the middle
    CHECK(holds(script, "difference of pressure [N/mm²]"));
    CHECK(holds(script, "a.h5 less b.h5. The cases differ in friction.coefficient: 0.3, 0.4."));
    CHECK(
        holds(script, "The pressure differs by 200 N/mm² at most, 50 % of its greatest value in"));
    request.fields = {"element_division"};
    CHECK_THROWS_WITH_AS(
        difference_script(first, second, {"a.h5", "b.h5"}, request, PictureFormat::svg),
        doctest::Contains("element_division has no numbers"), InputError);
  }

  TEST_CASE("plot pair: different grids have no difference, but cuts over each other") {
    const test::TemporaryFolder folder;
    const ResultFile first = ramp_result(folder, "a.h5", {});
    Grid coarse{4, 3, 1.0, 0.5, -2.0, -0.75, Boundary::free};
    const ResultFile second = ramp_result(folder, "b.h5", {"grid: {}\n", coarse, {}, 2.0, 1});
    CHECK_THROWS_WITH_AS(
        difference_script(first, second, {"a.h5", "b.h5"}, {}, PictureFormat::svg),
        doctest::Contains("accepted: two results on the same grid, or cuts over each other"),
        InputError);
    std::vector<ResultFile> both;
    both.push_back(read_result(first.path()));
    both.push_back(read_result(second.path()));
    PairRequest request;
    request.at = {0.3, 0.0};
    request.whole_grid = true;
    request.fields = {"pressure"};
    const std::string script =
        pair_cuts_script(both, {"a.h5", "b.h5"}, request, PictureFormat::svg);
    // Rows of elements at y = 0, columns of those that hold x = 0.3: numbers 201 and 2.
    CHECK(holds(script, "$side1 << END\n-1.5 2\n-0.5 4\n0.5 6\n1.5 8\nEND\n"));
    CHECK(holds(script, "$side0 << END\n-0.5 202\n0 202\n0.5 0\nEND\n"));
    CHECK(holds(script, "$side1 << END\n-0.5 6\n0 6\n0.5 0\nEND\n"));
    CHECK(holds(script, "pressure along x at y = 0 mm"));
    request.at = {3.0, 0.0};
    CHECK_THROWS_WITH_AS(pair_cuts_script(both, {"a.h5", "b.h5"}, request, PictureFormat::svg),
                         doctest::Contains("b.h5: --at 3,0 is not on the grid"), InputError);
  }

  TEST_CASE("plot pair: without a choice the pressure and the tractions that are not zero") {
    const test::TemporaryFolder folder;
    std::vector<ResultFile> both;
    both.push_back(ramp_result(folder, "a.h5", {}));
    both.push_back(ramp_result(folder, "b.h5", {"", kPairGrid, {}, 3.0, 1}));
    const std::string script = pair_cuts_script(both, {"a", "b"}, {}, PictureFormat::svg);
    CHECK(holds(script, "traction x along x"));
    CHECK(holds(script, "traction x along y"));
    CHECK_FALSE(holds(script, "traction y"));
  }

  TEST_CASE("plot pair: files are called by their names, or by the one key in which they differ") {
    CHECK(side_names({"x/a.h5", "y/b.h5"}) == std::vector<std::string>{"a.h5", "b.h5"});
    CHECK(side_names({"x/a.h5", "y/a.h5"}) == std::vector<std::string>{"x/a.h5", "y/a.h5"});
    const std::vector<DifferingKey> keys =
        differing_keys({"title: a\nsteps: [{mu: 3, force: 1}, {mu: 3, force: 5}, {mu: 3}]\n",
                        "title: b\nsteps: [{mu: 4, force: 2}, {mu: 4, force: 5}, {mu: 4}]\n"});
    REQUIRE(keys.size() == 2);
    CHECK(keys[0].key == "steps[1].force");  // not in the second one
    CHECK(keys[0].values == std::vector<std::string>{"1", "2"});
    CHECK(keys[1].key == "mu");  // in all of them
    CHECK(keys[1].values == std::vector<std::string>{"3", "4"});
    ResultHeader first;
    ResultHeader second;
    first.case_yaml = "friction: {coefficient: 0.3}\n";
    second.case_yaml = "friction: {coefficient: 0.4}\n";
    CHECK(side_labels({"a", "b"}, {first, second})[1] == "coefficient of friction = 0.4 (b)");
    CHECK(difference_text({first, first}) == "The cases are the same.");
    second.case_yaml = "grid: {elements: [3, 4]}\n";
    CHECK(side_labels({"a", "b"}, {first, second})[1] == "b");  // two keys differ
    CHECK(difference_text({first, second}) ==
          "The cases differ in friction.coefficient: 0.3, -; grid.elements: -, [3, 4].");
    second.units = Units::si;
    CHECK_THROWS_WITH_AS(require_same_units({"a", "b"}, {first, second}),
                         "a is in N-mm-s and b in SI; accepted: results in the same units",
                         InputError);
  }

  TEST_CASE(
      "plot pair: curves of several sweeps have the colours of their values and a line style") {
    SweepFile one;
    const SweepInput x{"x", {"1", "2", "1", "2"}, {1, 2, 1, 2}, Spacing::linear};
    const SweepInput mu{"mu", {"3", "3", "4", "4"}, {3, 3, 4, 4}, Spacing::linear};
    one.table = empty_sweep_table({x, mu}, {4});
    one.table.columns = {{"force_x", {10, 20, 30, 40}}};
    SweepFile other = one;
    other.table.columns = {{"force_y", {1, 2, 3, 4}}};
    const SweepFile united = united_curves({one, other}, {"a.h5", "b.h5"});
    CHECK(united.table.count() == 8);
    CHECK(united.table.find("force_x")->values[3] == 40.0);
    CHECK(std::isnan(united.table.find("force_x")->values[4]));
    CHECK(united.table.find("force_y")->values[7] == 4.0);
    const SweepInput* over = united.table.find_input("x");
    CHECK(facet_of(united.table, over, 12) == nullptr);  // files are no panels
    const SweepCurves curves = curves_of(united.table, over);
    REQUIRE(curves.curves.size() == 4);
    CHECK(curves.curves[3].label == "4, b.h5");
    CHECK(curves.curves[1].colour == curves.curves[3].colour);
    CHECK(curves.curves[0].colour != curves.curves[1].colour);
    CHECK(curves.curves[1].dashes == 0);
    CHECK(curves.curves[3].dashes == 1);
    other.table.inputs.pop_back();
    CHECK_THROWS_WITH_AS(
        united_curves({one, other}, {"a.h5", "b.h5"}),
        "a.h5 has the keys x, mu and b.h5 has x; accepted: sweeps of the same keys", InputError);
  }

  TEST_CASE("curves: a key gets panels where it is asked for") {
    const SweepInput x{"x", {"1", "2", "1", "2"}, {1, 2, 1, 2}, Spacing::linear};
    const SweepInput mu{"mu", {"3", "3", "4", "4"}, {3, 3, 4, 4}, Spacing::linear};
    const SweepTable table = empty_sweep_table({x, mu}, {4});
    CHECK(panel_key(table, "a.h5", "mu", table.find_input("x"), 12)->key == "mu");
    CHECK_THROWS_WITH_AS(panel_key(table, "a.h5", "x", table.find_input("x"), 12),
                         doctest::Contains("the key of the horizontal axis"), InputError);
    CHECK_THROWS_WITH_AS(panel_key(table, "a.h5", "mu", table.find_input("x"), 1),
                         doctest::Contains("has 2 values; accepted: a key with at most 1"),
                         InputError);
  }

  TEST_CASE("plot shape: the gap over the distance that undeformed bodies would have") {
    const test::TemporaryFolder folder;
    const Grid grid{3, 3, 1.0, 1.0, -1.5, -1.5, Boundary::free};
    FigureRequest request;
    request.shape = true;
    request.whole_grid = true;
    const std::string script = figure_script(ramp_result(folder, "a.h5", {"", grid, {}, 1.0, 1}),
                                             request, PictureFormat::svg);
    // gap 0.5 + ix, undeformed 2 + ix less the approach of 1.25
    CHECK(holds(script, "$curves << END\n-1 0.5 0.75\n0 1.5 1.75\n1 2.5 2.75\nEND\n"));
    CHECK(holds(script, "distance of the surfaces [mm]"));
    CHECK(holds(script, "undeformed, after the same approach"));
  }

  TEST_CASE("plot surface: the values upwards, 0 beyond the contact, every unit once") {
    const test::TemporaryFolder folder;
    const Grid grid{3, 3, 1.0, 1.0, -1.5, -1.5, Boundary::free};
    FigureRequest request;
    request.surfaces = {"pressure"};
    const ResultFile result = ramp_result(folder, "a.h5", {"", grid, {}, 2.0, 1});
    const std::string script = figure_script(result, request, PictureFormat::svg);
    CHECK(holds(script, gnuplot_floats(std::vector<double>{2, 4, 6, 2, 4, 6, 0, 0, 0})));
    CHECK(holds(script, "set zrange [0:6]"));
    CHECK(holds(script, "with pm3d"));
    CHECK(holds(script, "pressure [N/mm²]"));
  }

  TEST_CASE("plot animation: a frame for each step, all of one size and with the same scale") {
    const test::TemporaryFolder folder;
    const ResultFile result = ramp_result(folder, "a.h5", {"", kPairGrid, {}, 1.0, 3});
    FigureRequest request;
    request.fields = {"pressure"};
    request.frame_rate = 2.0;
    const Movie movie = figure_movie(result, request, PictureFormat::gif);
    CHECK(holds(movie.terminal,
                "set terminal gif truecolor noenhanced animate delay 50 loop 0 size"));
    REQUIRE(movie.frames.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(holds(movie.frames[i], "step " + std::to_string(i + 1) + " of 3: normal force"));
      CHECK(holds(movie.frames[i], "set cbrange [0:1200]"));  // of the last step
      CHECK(movie.frames[i].ends_with("unset multiplot\n"));
    }
    request.steps = {1, 0};
    CHECK(figure_movie(result, request, PictureFormat::gif).frames.size() == 2);
    request.steps = {2};
    CHECK_THROWS_WITH_AS(figure_movie(result, request, PictureFormat::gif),
                         doctest::Contains("an animation is of the steps of a sequence"),
                         InputError);
    CHECK_THROWS_WITH_AS(still_format("a/b.gif", "the steps of one result"),
                         "a/b.gif: an animation is of the steps of one result; accepted here: "
                         ".png, .svg, .pdf",
                         InputError);
  }

  TEST_CASE("plot blocks: elements at the plastic limit are in contact") {
    const Grid grid{2, 2, 1.0, 1.0, 0.0, 0.0, Boundary::free};
    const Blocks one{whole_window(grid), 0, 0, 2, 2, {1, 1, 2.0, 2.0, 0.0, 0.0, {}}};
    using enum ElementState;
    CHECK(block_states({plastic, exterior, exterior, exterior}, grid, one) == std::vector{plastic});
    CHECK(block_states({plastic, slip, adhesion, exterior}, grid, one) == std::vector{slip});
    CHECK(block_states({plastic, plastic, adhesion, exterior}, grid, one) == std::vector{plastic});
    ShownStates shown;
    shown.include({plastic}, true);
    REQUIRE(state_legend(shown).size() == 1);
    CHECK(state_legend(shown).front().text == "plastic");
  }
}
