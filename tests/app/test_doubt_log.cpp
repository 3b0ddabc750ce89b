// SPDX-License-Identifier: Apache-2.0
// What is suspicious in the steps of a run, each doubt once.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/report/doubt_log.h"
#include "app/report/run_warnings.h"
#include "app/report/step_warnings.h"
#include "app/report/wheel_warnings.h"

namespace slipfield {
namespace {

std::string edge_line(const std::vector<int>& steps) {
  DoubtLog log;
  StepReport report;
  report.touches_edge = true;
  report.approach = std::nan("");  // or it would be doubted that nothing is in contact
  for (const int step : steps) log.add(step, {}, {}, report);
  const std::vector<std::string> lines = log.of_steps(100);
  REQUIRE(lines.size() == 1);
  return lines[0].substr(0, lines[0].find(": "));
}

// A converged step of a wheel with one contact for each, which reaches its edge or does not.
std::vector<std::string> warnings_of(const std::vector<bool>& reaches) {
  SolvedWheelset wheelset;
  wheelset.wheels.resize(1);
  for (const bool edge : reaches) {
    SolvedPatch patch;
    patch.report.touches_edge = edge;
    patch.report.elements_contact = 1000;
    wheelset.wheels[0].patches.push_back(std::move(patch));
  }
  return wheel_warnings(ContactProblem(), wheelset);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("doubt log: contact at the edge of the grid is one line that says in which steps") {
    CHECK(DoubtLog().of_steps(3).empty());
    CHECK(edge_line({4}) == "step 4");
    CHECK(edge_line({1, 2, 3}) == "3 steps, 1 to 3");
    CHECK(edge_line({2, 3, 4, 4, 7, 9}) == "5 steps, 2 to 4, 7 and 9");
    std::vector<int> odd;
    for (int k = 1; k < 100; k += 2) odd.push_back(k);
    CHECK(edge_line(odd) == "50 steps, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and others up to 99");
    odd.resize(10);
    odd.push_back(20);
    CHECK(edge_line(odd) == "11 steps, 1, 3, 5, 7, 9, 11, 13, 15, 17 and 19 to 20");
    odd.push_back(22);
    odd.push_back(23);
    CHECK(edge_line(odd) ==
          "13 steps, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 to 20 and others up to 23");
  }

  TEST_CASE("warnings of a run: a list that is full ends with how many are not in it") {
    RunWarnings run({"of the case"});
    for (int step = 1; step <= 1003; ++step)
      run.add_unsaid(step, {"doubt " + std::to_string(step)});
    const std::vector<std::string> lines = run.lines();
    REQUIRE(lines.size() == 1002);
    CHECK(lines[1000] == "doubt 1000");
    CHECK(lines.back() == "3 more warnings of steps, not listed here");
  }

  TEST_CASE("run warnings: copies share lines, and each has those that it adds itself") {
    const auto address = [](const SharedLines& lines, const std::string& text) {
      const std::string* found = nullptr;
      static_cast<void>(lines.any_of([&](const std::string& line) {
        if (line == text) found = &line;
        return line == text;
      }));
      return found;
    };
    SharedLines lines;
    lines.add("first");
    SharedLines other = lines;
    lines.add("second");
    other.add("another");
    CHECK(lines.count() == 2);
    CHECK(address(lines, "first") == address(other, "first"));
    CHECK(address(lines, "another") == nullptr);
    std::vector<std::string> all{"before"};
    other.append_to(all);
    CHECK(all == std::vector<std::string>{"before", "first", "another"});

    RunWarnings run({"lasting", "of another step"});
    CHECK(run.lines() == std::vector<std::string>{"lasting", "of another step"});
    run.add_set(1, {"friction.coefficient: doubted"}, {"lasting"});
    const RunWarnings kept = run;
    run.add_set(2, {"friction.coefficient: doubted", "normal.force: doubted"}, {"lasting"});
    run.add_line("the disk is slow");
    CHECK(kept.lines() == std::vector<std::string>{"lasting", "friction.coefficient: doubted"});
    CHECK(run.lines() == std::vector<std::string>{"lasting", "friction.coefficient: doubted",
                                                  "normal.force: doubted", "the disk is slow"});
  }

  TEST_CASE("wheel warnings: a lateral force of more than 10 times the vertical one is doubted") {
    SolvedWheelset wheelset;
    wheelset.wheels.resize(2);
    wheelset.wheels[0].track_force = {0.0, -99000.0, 10000.0};
    CHECK(wheel_warnings(ContactProblem(), wheelset).empty());
    wheelset.wheels[1].track_force = {500.0, 7.6e6, 35000.0};
    const std::vector<std::string> warnings = wheel_warnings(ContactProblem(), wheelset);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0] ==
          "the right wheel is wedged: its lateral force of 7.6e+06 N is 217 times its vertical "
          "force of 35000 N. Are wheelset.y, wheelset.yaw and the friction right?");
  }

  TEST_CASE("doubt log: contacts of a wheel that reach an edge are one line each of all steps") {
    DoubtLog log;
    for (const int step : {1, 2, 4}) {
      const std::vector<std::string> warnings = warnings_of({false, true});
      REQUIRE(warnings.size() == 1);
      CHECK(lines_of_wheel(step, warnings).empty());
      log.add(step, warnings);
    }
    log.add(3, warnings_of({true}));
    const std::vector<std::string> others{"contact 1: another", "of the wheel"};
    log.add(5, others);
    CHECK(lines_of_wheel(5, others) ==
          std::vector<std::string>{"step 5, contact 1: another", "step 5: of the wheel"});
    const std::string says =
        "contact reaches the edge of the region in which the undeformed bodies overlap";
    CHECK(log.of_steps(5) == std::vector<std::string>{"step 3, contact 1: " + says,
                                                      "3 steps, 1 to 2 and 4, contact 2: " + says});
  }
}

}  // namespace slipfield
