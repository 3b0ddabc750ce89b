// SPDX-License-Identifier: Apache-2.0
// The C library in a program with threads of its own, and its states.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "tests/library/library_support.h"
#include "tests/support/temporary_folder.h"

using namespace slipfield_test;
namespace test = slipfield::test;

TEST_SUITE_BEGIN("unit");

TEST_CASE("C library: eight threads with solvers of their own give the bits of one after another") {
  constexpr std::size_t kThreads = 8;
  std::array<std::vector<double>, kThreads> side_by_side;
  std::array<std::vector<double>, kThreads> one_by_one;
  const auto solve = [](std::size_t i, std::vector<double>& traction) {
    const Solver solver = make(kRolling);
    slipfield_set_number(solver.get(), "tangential.x.creepage",
                         1.0e-4 * static_cast<double>(i + 1));
    for (int step = 0; step < 3; ++step) slipfield_advance(solver.get());
    traction = field(solver, "traction_x");
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] { solve(i, side_by_side[i]); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kThreads; ++i) {
    solve(i, one_by_one[i]);
    CHECK(same_bits(side_by_side[i], one_by_one[i]));
  }
  CHECK(!same_bits(one_by_one[0], one_by_one[1]));
}

TEST_CASE("C library: the sentence of an error belongs to the thread that met it") {
  CHECK(slipfield_advance(nullptr) == SLIPFIELD_BAD_INPUT);
  std::string of_other = "?";
  std::thread([&] { of_other = message(); }).join();
  CHECK(of_other.empty());
  CHECK(says("null pointer"));
}

TEST_CASE("C library: a state restored continues with the bits of the run without the break") {
  std::string yaml = kRolling;
  yaml.replace(yaml.find("steady_rolling"), 14, "transient_rolling");
  const auto run = [&](bool with_break) {
    const Solver solver = make(yaml);
    slipfield_state* kept = nullptr;
    for (int step = 0; step < 6; ++step) {
      if (with_break) {
        slipfield_state_save(solver.get(), &kept);
        slipfield_set_number(solver.get(), "tangential.x.creepage", 5.0e-3);
        REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
        REQUIRE(slipfield_state_restore(solver.get(), kept) == SLIPFIELD_OK);
        CHECK(slipfield_steps_done(solver.get()) == step);
      }
      slipfield_set_number(solver.get(), "tangential.x.creepage", 1.0e-3 * (step + 1));
      REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
    }
    slipfield_state_destroy(kept);
    return field(solver, "traction_x");
  };
  CHECK(same_bits(run(true), run(false)));
}

// The check of the file that is replaced forks, while other threads are inside HDF5.
TEST_CASE("C library: threads replace their results at the same time") {
  constexpr int kThreads = 3;
  constexpr int kTimes = 4;
  const test::TemporaryFolder folder;
  std::array<int, kThreads> written{};
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number)
    threads.emplace_back([&, number] {
      const Solver solver = make(kRolling);
      const std::string path = (folder / (std::to_string(number) + ".h5")).string();
      slipfield_advance(solver.get());
      for (int k = 0; k < kTimes; ++k)
        if (slipfield_write(solver.get(), path.c_str(), SLIPFIELD_OVERWRITE_RESULT) == SLIPFIELD_OK)
          ++written[static_cast<std::size_t>(number)];
    });
  for (std::thread& thread : threads) thread.join();
  for (const int times : written) CHECK(times == kTimes);
}

TEST_CASE("C library: a state of another case is refused, with the key that differs") {
  const Solver solver = make(kRolling);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  slipfield_state* state = nullptr;
  REQUIRE(slipfield_state_save(solver.get(), &state) == SLIPFIELD_OK);
  const State kept(state);
  std::string yaml = kRolling;
  yaml.replace(yaml.find("[16, 16]"), 8, "[18, 16]");
  const Solver other = make(yaml);
  CHECK(slipfield_state_restore(other.get(), state) == SLIPFIELD_BAD_INPUT);
  REQUIRE(slipfield_advance(other.get()) == SLIPFIELD_OK);
  yaml = kRolling;
  yaml.replace(yaml.find("steady_rolling"), 14, "transient_rolling");
  CHECK(slipfield_state_restore(make(yaml).get(), state) == SLIPFIELD_BAD_INPUT);
  CHECK(says("tangential.problem is steady_rolling there and transient_rolling here"));
}

TEST_SUITE_END();
