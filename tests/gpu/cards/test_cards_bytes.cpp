// SPDX-License-Identifier: Apache-2.0
// Memory estimates for several cards, without a card.
#include <doctest/doctest.h>

#include <cstddef>
#include <numbers>

#include "app/run/solver_factory.h"
#include "gpu/cuda_device.h"
#include "solver/fields/krylov_ops.h"
#include "solver/memory_estimate.h"
#include "solver/problem.h"

namespace slipfield {
namespace {

ContactProblem square_of(int elements, Boundary boundary, TangentialProblem tangential) {
  ContactProblem problem;
  problem.upper = problem.lower = {1.0, 0.28};
  problem.grid = {elements, elements, 1.0, 1.0};
  problem.grid.boundary = boundary;
  problem.steps.resize(1);
  problem.steps[0].tangential.problem = tangential;
  problem.steps[0].tangential.step = 1.0;
  return problem;
}

std::size_t said(int elements, Boundary boundary, TangentialProblem tangential, int cards = 2) {
  return cards_bytes(square_of(elements, boundary, tangential), cards);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE(
      "cards: 65536 x 65536 periodic elements without friction fit two H200, free ones four") {
    constexpr std::size_t kH200 = std::size_t{139} << 30;
    CHECK(said(65536, Boundary::periodic, TangentialProblem::none) < kH200);
    CHECK(said(65536, Boundary::free, TangentialProblem::none) > kH200);
    CHECK(said(65536, Boundary::free, TangentialProblem::none, 4) < kH200);
  }

  TEST_CASE("cards: twice as many need half of the memory each, apart from a constant part") {
    constexpr double kRest = 1.0e10;  // panels, and coarse grids that each card solves whole
    for (const auto problem :
         {TangentialProblem::none, TangentialProblem::shift, TangentialProblem::steady_rolling}) {
      const auto two = static_cast<double>(said(16384, Boundary::free, problem));
      const auto four = static_cast<double>(said(16384, Boundary::free, problem, 4));
      CHECK(four < two);
      CHECK(2.0 * four - two < kRest);
    }
  }

  TEST_CASE("cards: what takes vectors of GMRES of its own takes memory for them") {
    constexpr std::size_t kField = sizeof(double) * 4096 * 2048;  // of each of two cards
    ContactProblem problem = square_of(4096, Boundary::free, TangentialProblem::steady_rolling);
    const std::size_t plain = cards_bytes(problem, 2);
    problem.solver.normal = NormalMethod::newton;
    CHECK(cards_bytes(problem, 2) > plain + kMostKrylovChunks * kKrylovFused / 2 * kField);
    problem.solver.normal = NormalMethod::automatic;
    problem.steps.push_back(problem.steps[0]);
    problem.steps[1].tangential.moment = 1.0;
    CHECK(cards_bytes(problem, 2) > plain + kMostKrylovChunks * kKrylovFused * kField);
  }

  TEST_CASE("cards: second order takes fields of each card's rows, and copies with halo rows") {
    constexpr std::size_t kField = sizeof(double) * 4096 * 2048;
    ContactProblem problem = square_of(4096, Boundary::free, TangentialProblem::steady_rolling);
    const std::size_t first_order = cards_bytes(problem, 2);
    problem.solver.rolling = RollingScheme::second_order;
    CHECK(cards_bytes(problem, 2) > first_order + (17 + 11) * kField);
    problem.lower.shear_modulus = 2.0;  // pressure also displaces along the surface
    const std::size_t unlike = cards_bytes(problem, 2);
    problem.solver.rolling = RollingScheme::first_order;
    CHECK(unlike > cards_bytes(problem, 2) + (22 + 11) * kField);
  }

  TEST_CASE(
      "cards: a window that each card solves alone counts, however many cards share the rows") {
    constexpr int kCards = 64;
    constexpr double kWindow = 0.4 * 1024 * 1024;  // of the grid, see TangentialWindow
    constexpr double kVectors = kMostKrylovChunks * kKrylovFused;
    ContactProblem problem = square_of(1024, Boundary::free, TangentialProblem::shift);
    const std::size_t windows = cards_bytes(problem, kCards);
    CHECK(static_cast<double>(windows) > kVectors * sizeof(double) * kWindow);
    problem.grid.boundary = Boundary::periodic;  // has none
    CHECK(cards_bytes(problem, kCards) < windows);
  }

  TEST_CASE("cards: a shift of 16384 x 16384 elements fits two H200 with fewer vectors of GMRES") {
    constexpr std::size_t kH200 = std::size_t{143771} << 20;
    const ContactProblem shift = square_of(16384, Boundary::free, TangentialProblem::shift);
    const auto bytes_of = [&](int chunks) { return cards_bytes(shift, 2, chunks); };
    const int chunks = krylov_chunks_for(usable_bytes(kH200), bytes_of);
    CHECK(chunks < kMostKrylovChunks);
    CHECK(bytes_of(chunks) <= usable_bytes(kH200));
    CHECK(bytes_of(chunks + 1) > usable_bytes(kH200));
    CHECK(cards_bytes(shift, 4) < kH200);  // four keep all of them
  }

  TEST_CASE(
      "automatic choice: a card that holds fewer vectors of GMRES is taken, as a run takes it") {
    constexpr std::size_t kGiB = std::size_t{1} << 30;
    const ContactProblem shift = square_of(8192, Boundary::free, TangentialProblem::shift);
    const std::size_t all = cuda_bytes(shift);
    const std::size_t fewest = cuda_bytes(shift, kFewestKrylovChunks);
    const std::size_t card = (all + fewest) / 2;  // holds some of them
    const std::size_t kept = cuda_bytes_on(shift, card);
    CHECK(kept <= usable_bytes(card));
    CHECK(kept > fewest);
    CHECK(reason_against_card(shift, card, card).empty());
    // Memory used by other programs does not change how many vectors a run keeps on the card.
    CHECK(reason_against_card(shift, card, kept).empty());
    CHECK_FALSE(reason_against_card(shift, card, kept - kGiB).empty());
    CHECK(cuda_bytes_on(shift, 2 * all) == all);
    CHECK_FALSE(reason_against_card(shift, fewest / 2, fewest / 2).empty());
    const ContactProblem none = square_of(8192, Boundary::free, TangentialProblem::none);
    CHECK(cuda_bytes_on(none, card) == cuda_bytes(none));
  }

  TEST_CASE("cards: friction takes more than the normal problem, and rolling along y the most") {
    const std::size_t none = said(4096, Boundary::free, TangentialProblem::none);
    const std::size_t shift = said(4096, Boundary::free, TangentialProblem::shift);
    const std::size_t along_x = said(4096, Boundary::free, TangentialProblem::steady_rolling);
    ContactProblem turned = square_of(4096, Boundary::free, TangentialProblem::steady_rolling);
    turned.steps[0].tangential.direction = 0.5 * std::numbers::pi;
    CHECK(none < shift);
    CHECK(shift < along_x);
    CHECK(along_x < cards_bytes(turned, 2));
  }
}

}  // namespace slipfield
