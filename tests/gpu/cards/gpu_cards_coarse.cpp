// SPDX-License-Identifier: Apache-2.0
// The coarse start of newton over several cards, whole on each card or shared out, and rows that a
// card fetches from others; GMRES with the vectors that a card has memory for.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "gpu/backend/cuda_backend.h"
#include "gpu/backend/cuda_instances.h"
#include "gpu/cards/card_team.h"
#include "gpu/cards/slab_shape.h"
#include "gpu/cuda_device.h"
#include "solver/step/contact_step.h"
#include "tests/gpu/cards/cards_support.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield {

using test::check_on_all_teams;
using test::check_same_solution;
using test::Devices;
using test::filling;
using test::in_window;
using test::kAlongX;
using test::rolling_problem;
using test::sliding_problem;

namespace {

// Rows of a field on the whole grid, each element its own number, as each card asks for them.
void check_fetched_rows(int my) {
  constexpr int kCards = 3;
  const Grid grid{5, my, 1.0, 1.0};
  CardTeam team(Devices(kCards, 0));
  team.each([&](int card) {
    const RowRange own = slab_rows(card, kCards, my);
    const std::size_t first = grid.index(0, own.first);
    std::vector<double> values(grid.index(0, own.count));
    std::vector<unsigned char> marks(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<double>(first + i);
      marks[i] = static_cast<unsigned char>((first + i) % 251);
    }
    CudaBackend backend;
    CudaBackend::Array<double> here(values.size());
    CudaBackend::Array<unsigned char> marked(values.size());
    backend.upload(values, here);
    backend.upload(marks, marked);
    const std::array<RowRange, 4> wishes{
        RowRange{0, my}, {std::max(0, own.first - 1), std::min(2, my)}, {my - 1, 1}, {0, 0}};
    for (const RowRange& wanted : wishes) {
      const int count = std::min(wanted.count, my - wanted.first);
      CudaBackend::Array<double> fetched(grid.index(0, count));
      CudaBackend::Array<unsigned char> fetched_marks(fetched.size());
      const std::array<RowsOfField, 2> fields{
          RowsOfField{here.data(), fetched.data()},
          RowsOfField{marked.data(), fetched_marks.data(), sizeof(unsigned char)}};
      team.fetch_rows(card, grid, {wanted.first, count}, fields, backend.stream());
      const std::vector<double> got = backend.download(fetched);
      const std::vector<unsigned char> got_marks = backend.download(fetched_marks);
      bool right = true;
      for (std::size_t i = 0; i < got.size(); ++i) {
        const std::size_t element = grid.index(0, wanted.first) + i;
        right = right && got[i] == static_cast<double>(element) && got_marks[i] == element % 251;
      }
      CHECK(right);
    }
    // Into an array of all rows, at the place of the own rows.
    CudaBackend::Array<double> all(grid.count());
    backend.run(values.size(), CopyField{here.data(), all.data() + first});
    const RowsOfField in_place{all.data() + first, all.data()};
    team.fetch_rows(card, grid, {0, my}, {&in_place, 1}, backend.stream());
    const std::vector<double> got = backend.download(all);
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i) right = right && got[i] == static_cast<double>(i);
    CHECK(right);
  });
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gpu cards: each card gets the rows that it asks for, with fewer rows than cards too") {
    for (const int my : {1, 2, 3, 7, 61}) {
      CAPTURE(my);
      check_fetched_rows(my);
    }
  }

  // Rows that pair off within the cards, and rows that do not.
  TEST_CASE("gpu cards: a coarse grid that each card solves alone starts newton as on one card") {
    for (const auto& [mx, my] : {std::pair{128, 120}, {131, 121}, {50, 203}}) {
      check_on_all_teams(filling(sliding_problem(mx, my, false)));
      check_on_all_teams(filling(rolling_problem(mx, my, false, kAlongX, 1.0)));
    }
  }

  TEST_CASE("gpu cards: a coarse grid that the cards share starts newton as on one card") {
    constexpr double kTolerance = 1e-7;
    const ContactProblem problem = filling(sliding_problem(2059, 2061, false, kTolerance));
    REQUIRE(coarsen(problem.grid).count() > kMostAlone);
    const test::Solved one = test::solve(problem, *make_cuda_solver(problem));
    for (const Devices& devices : {Devices{0, 0}, Devices{0, 0, 0}}) {
      CAPTURE(devices.size());
      const test::Solved several = test::solve(problem, *make_cards_solver(problem, devices));
      CHECK(several.report.outcome == Outcome::converged);
      constexpr double kOfBoth = 100.0 * kTolerance;  // the change of a step bounds no error
      CHECK(test::relative_difference(several.fields.traction_x, one.fields.traction_x) < kOfBoth);
      CHECK(test::relative_difference(several.fields.traction_y, one.fields.traction_y) < kOfBoth);
    }
  }

  TEST_CASE("gpu cards: a shift and rolling with a coarse start give the same bits again") {
    for (const bool rolls : {false, true}) {
      const ContactProblem problem = filling(rolls ? rolling_problem(131, 121, false, kAlongX, 1.0)
                                                   : sliding_problem(131, 121, false));
      const test::Solved first = test::solve(problem, *make_cards_solver(problem, {0, 0, 0}));
      const test::Solved second = test::solve(problem, *make_cards_solver(problem, {0, 0, 0}));
      CHECK(first.fields.traction_x == second.fields.traction_x);
      CHECK(first.fields.traction_y == second.fields.traction_y);
      CHECK(first.report.matrix_products == second.report.matrix_products);
    }
  }

  // The cards that share a grid solve a small contact as one does, each for itself: with its bits.
  // Sums over the whole grid, of which the approach to begin with is made, choose the window alone.
  TEST_CASE("gpu cards: a small contact is solved in its window, in the steps of one card") {
    for (const bool rolls : {false, true}) {
      CAPTURE(rolls);
      const ContactProblem problem =
          in_window(rolls ? rolling_problem(131, 121, false, kAlongX, 1.0)
                          : sliding_problem(131, 121, false));
      const test::Solved one = test::solve(problem, *make_cuda_solver(problem));
      for (const Devices& devices : {Devices{0, 0}, Devices{0, 0, 0}}) {
        CAPTURE(devices.size());
        const test::Solved several = test::solve(problem, *make_cards_solver(problem, devices));
        check_same_solution(one, several);
        CHECK(several.fields.pressure == one.fields.pressure);
        CHECK(several.report.iterations_tangential == one.report.iterations_tangential);
      }
    }
  }

  TEST_CASE("gpu cards: a contact that moves over the rows of several cards keeps to its window") {
    ContactProblem problem = in_window(rolling_problem(120, 110, true, kAlongX, 1.0));
    problem.grid.y0 += 30.0 * problem.grid.dy;
    check_on_all_teams(problem);
    problem.grid.y0 -= 60.0 * problem.grid.dy;
    check_on_all_teams(problem);
  }

  TEST_CASE("gpu: newton with the fewest vectors of GMRES finds the tractions of one with all") {
    for (const bool rolls : {false, true}) {
      CAPTURE(rolls);
      const ContactProblem problem =
          rolls ? rolling_problem(90, 83, false, kAlongX, 1.0) : sliding_problem(90, 83, false);
      ContactRun<CudaBackend> few(problem, {}, krylov_products(kFewestKrylovChunks));
      check_same_solution(test::solve(problem, *make_cuda_solver(problem)),
                          test::solve(problem, few));
    }
  }
}

}  // namespace slipfield
