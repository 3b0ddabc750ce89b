// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::error_of;
using test::kPlainCase;
using test::messages_of;
using test::read_text;

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("--set: replaces values, makes maps, reaches into lists, the last one wins") {
    const CaseFile file =
        read_text(kPlainCase + "steps:\n  - {repeat: 2}\n  - {normal: {force: 5}}\n",
                  {"normal.force=1", "normal.force=3", "solver.tolerance=1e-4", "title=a = b",
                   "steps.1.normal.force=7", "geometry={type: sphere, radius: 12}",
                   "grid.elements=[5, 6]", "tangential.x={shift: 0.5}"});
    CHECK(file.problem.title == "a = b");
    CHECK(file.problem.steps.at(0).normal.value == 3.0);
    CHECK(file.problem.steps.at(1).normal.value == 7.0);
    CHECK(file.problem.solver.tolerance == 1e-4);
    CHECK(std::get<SphereShape>(file.problem.geometry.at(0)).radius == 12.0);
    CHECK(file.problem.grid.my == 6);
    CHECK(file.problem.steps.at(0).tangential.x.value == 0.5);
  }

  TEST_CASE("--set: a value after @ is that of a file, with its own places in errors") {
    const test::TemporaryFolder folder;
    const std::string right = folder.write("right.yaml", "type: sphere\nradius: 12\n").string();
    const CaseFile file = read_text(kPlainCase, {"geometry=@" + right});
    CHECK(std::get<SphereShape>(file.problem.geometry.at(0)).radius == 12.0);
    const std::string wrong = folder.write("wrong.yaml", "type: sphere\nradius: x\n").string();
    const std::string error = error_of(kPlainCase, {"geometry=@" + wrong});
    CHECK(error.find("wrong.yaml:2:9: geometry.radius: 'x' is not a number") != std::string::npos);
    const std::string missing = error_of(kPlainCase, {"geometry=@" + (folder / "none").string()});
    CHECK(missing.find("none: ") != std::string::npos);
    CHECK(missing.find("a file with a value of the case (YAML)") != std::string::npos);
  }

  TEST_CASE("--set: a file of values counts as named by the case, and its faults join the others") {
    const test::TemporaryFolder folder;
    const auto path = folder.write("shape.yaml", "type: sphere\nradius: 12\n");
    const CaseFile file = read_text(kPlainCase, {"geometry=@" + path.string()});
    CHECK(std::count(file.input_files.begin(), file.input_files.end(), path) == 1);
    const std::string missing = (folder / "none").string();
    const auto messages =
        messages_of(kPlainCase, {"geometry=@" + missing, "normal=@", "friction.coefficient=x"});
    REQUIRE(messages.size() == 3);
    CHECK(messages[0].ends_with(
        ": geometry: " + missing +
        ": there is no such file; a file with a value of the case (YAML) is needed"));
    CHECK(
        messages[1] ==
        "--set normal=@: normal: '@' has no file behind it; accepted: --set key.path=@FILE, a file "
        "with the value (YAML)");
    CHECK(messages[2].starts_with("--set friction.coefficient=x: "));
  }

  TEST_CASE("--set: a value comes through a pipe, which is not read again") {
    const test::TemporaryFolder folder;
    const auto path = folder / "pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    std::thread writer([&] { std::ofstream(path) << "type: sphere\nradius: 12\n"; });
    const CaseFile file = read_text(kPlainCase, {"geometry=@" + path.string()});
    writer.join();
    CHECK(std::get<SphereShape>(file.problem.geometry.at(0)).radius == 12.0);
    CHECK(std::count(file.input_files.begin(), file.input_files.end(), path) == 0);
  }

  TEST_CASE("--set: an error shows the argument and a caret in place of the line") {
    CHECK(error_of(kPlainCase, {"friction.coefficient=abc"}) ==
          "--set friction.coefficient=abc: friction.coefficient: 'abc' is not a number; accepted: "
          "a number "
          ">= 0\n"
          "      | friction.coefficient=abc\n"
          "      |                      ^");
  }

  TEST_CASE("--set: a long argument is cut in the place of an error, between letters") {
    std::string list = "title=";
    for (int i = 0; i < 300; ++i) list += "µ";
    const std::string error = error_of(kPlainCase, {list + "\n"});
    const std::string place = error.substr(0, error.find("..."));
    REQUIRE(place.size() < 70);
    CHECK(place.substr(0, 14) == "--set title=µ");
    CHECK(place.substr(place.size() - 2) == "µ");
  }

  TEST_CASE("--set: errors of the file come before those of the arguments") {
    const auto messages =
        messages_of(test::edited(kPlainCase, "units: N-mm-s", "units: cgs"), {"normal.force=-1"});
    REQUIRE(messages.size() == 2);
    CHECK(messages[0] == "case.yaml:3:8: units: 'cgs' is not known; accepted: N-mm-s, SI");
    CHECK(messages[1] ==
          "--set normal.force=-1: normal.force: -1 is out of range; accepted: a number > 0");
  }

  TEST_CASE("--set: a path without its first key names the whole one") {
    const auto meant = [](const std::string& argument) {
      const auto messages = messages_of(kPlainCase, {argument});
      REQUIRE(messages.size() == 1);
      const std::size_t at = messages[0].find("did you mean '");
      return at == std::string::npos
                 ? ""
                 : messages[0].substr(at + 14, messages[0].find("'?") - at - 14);
    };
    CHECK(meant("wheelset.y=2") == "wheel_rail.wheelset.y");
    CHECK(meant("conduction=depth") == "heat.conduction");
    CHECK(meant("wheelset.velocity.x=2") == "wheel_rail.wheelset.velocity.x");
    CHECK(meant("coefficient=3").empty());        // of several sections
    CHECK(meant("solver.wheelset.y=2").empty());  // and of another one
  }

  TEST_CASE("--set: what cannot be applied is an error") {
    const std::string form = "accepted: --set key.path=value, for example --set normal.force=10";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"normal.force", "has no '='; " + form},
        {"=3", "a key of the path '' is empty; " + form},
        {"normal..force=3", "a key of the path 'normal..force' is empty; " + form},
        {"normal.=3", "a key of the path 'normal.' is empty; " + form},
        {"normal.force=", "normal.force: has no value; " + form},
        {"title=a\nb", "has a line break or a control character; " + form},
        {"units.x=3",
         "units: is the value 'N-mm-s', which has no key 'x'; accepted: the path of a value"},
        {"grid.elements.2=3",
         "grid.elements: the list has no entry '2'; accepted: a number from 0 to 1"},
        {"grid.elements.-1=3",
         "grid.elements: the list has no entry '-1'; accepted: a number from 0 to 1"},
        {"grid.elements.01=4",
         "grid.elements: the list has no entry '01'; accepted: a number from 0 to 1"},
        {"steps.0.normal.force=3",
         "steps: the case has no such list, and so no entry 0; accepted: a list in the case, or a "
         "path without the number"},
        {"solver.tolerance=null",
         "solver.tolerance: has no value; accepted: a number > 0 and <= 0.1"},
        {"normal.forse=3",
         "normal.forse: unknown key; did you mean 'force'? accepted: force, approach, pull_off"},
        {"grid.spacing=[1",
         "not valid YAML: end of sequence flow not found; accepted: a ']' for every '[', and "
         "commas between its values"},
        {"normal.approach=1",
         "normal.approach: given together with 'force'; accepted: exactly one of force, approach, "
         "pull_off"},
        {"steps.0.repeat=2",
         "steps: the case has no such list, and so no entry 0; accepted: a list in the case, or a "
         "path without the number"},
    };
    for (const auto& example : cases) {
      CAPTURE(example.first);
      const auto& [argument, message] = example;
      const std::string error = error_of(kPlainCase, {argument});
      const std::string first = error.substr(0, error.find("\n      |"));
      CHECK(first == std::string("--set ").append(argument).append(": ").append(message));
    }
  }
}

}  // namespace slipfield
