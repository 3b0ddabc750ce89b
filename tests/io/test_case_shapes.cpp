// SPDX-License-Identifier: Apache-2.0
// Profiles, planforms and heights with a spacing of their own in a case file: what arrives, and
// every message.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kPlainCase;
using test::kPlainGeometry;
using test::messages_of;
using test::TemporaryFolder;

// The plain case with another geometry: 19 x 17 elements of 0.125 x 0.25, their centres at
// x = -1.1875 to 1.0625, y = -1.875 to 2.125.
std::string case_with(const std::string& geometry) {
  return edited(kPlainCase, kPlainGeometry, geometry);
}

// Each shape in place of the plain case's, and the only message that it gives.
void check_messages(const std::vector<std::pair<std::string, std::string>>& examples) {
  for (const auto& example : examples) {
    CAPTURE(example.first);
    CHECK(messages_of(case_with(example.first)) ==
          std::vector<std::string>{"case.yaml:" + example.second});
  }
}

// As above for cases that find a file points.txt or samples.txt of that content next to them.
void check_file_messages(const std::string& name, const std::string& geometry,
                         const std::vector<std::pair<std::string, std::string>>& examples) {
  for (const auto& example : examples) {
    CAPTURE(example.first);
    const auto& [content, message] = example;
    const TemporaryFolder folder;
    folder.write(name, content);
    const auto path = folder.write("case.yaml", case_with(geometry));
    std::string found;
    try {
      read_case(path);
    } catch (const CaseError& error) {
      found = error.what();
    }
    const std::string prefix = folder.path().string() + "/";
    for (std::size_t at = 0; (at = found.find(prefix)) != std::string::npos;)
      found.erase(at, prefix.size());
    CHECK(found.substr(0, found.find('\n')) == (message.empty() ? "" : "case.yaml:" + message));
  }
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("case reader: a profile's points arrive from lists and from a file, and are written") {
    const TemporaryFolder folder;
    folder.write("points.txt", "# y z\n-2, 0.5\n0, 0\n1 0.125\n\n2.5 0.75\n");
    const CaseFile by_file = read_case(folder.write(
        "case.yaml", case_with("{type: profile, file: points.txt, curvature_x: 0.25, of: lower}")));
    const CaseFile by_lists =
        test::read_text(case_with("{type: profile, y: [-2, 0, 1, 2.5], z: [0.5, 0, 0.125, 0.75], "
                                  "curvature_x: 0.25, of: lower}"));
    CHECK(by_file.resolved_yaml == by_lists.resolved_yaml);
    const CaseFile again = test::read_text(by_file.resolved_yaml);  // in a folder without the file
    CHECK(again.resolved_yaml == by_file.resolved_yaml);
    const auto& profile = std::get<ProfileShape>(again.problem.geometry.at(0));
    CHECK(profile.y == std::vector<double>{-2, 0, 1, 2.5});
    CHECK(profile.z == std::vector<double>{0.5, 0, 0.125, 0.75});
    CHECK(profile.curvature_x == 0.25);
    CHECK(profile.of == HeightsOf::lower);
  }

  TEST_CASE("messages: profiles") {
    const std::string start = "{type: profile, ";
    check_messages(
        {{start + "curvature_x: 1}",
          "12:1: geometry: none of y, file is given; accepted: file, or y and z"},
         {start + "y: [-3, 3], z: [0, 0], file: points.txt}",
          "12:50: geometry.file: given together with 'y'; accepted: file, or y and z"},
         {start + "y: [-3, 3]}",
          "12:1: geometry.z: missing; accepted: a list of at least 2, each a number"},
         {start + "y: [-3, 3], z: [0, 1, 2]}",
          "12:42: geometry.z: has 3 numbers, y has 2; accepted: one z for each y"},
         {start + "y: [3], z: [0, 1, 2]}",
          "12:30: geometry.y: is a list of 1; accepted: a list of at least 2, each a number"},
         {start + "y: 3, z: [0, 1, 2]}",
          "12:30: geometry.y: is '3'; accepted: a list of at least 2, each a number"},
         {start + "y: [-3, .inf], z: [0, 1]}",
          "12:35: geometry.y.1: '.inf' is not finite; accepted: a number"},
         {start + "y: [-3, 1, 1, 3], z: [0, 1, 1, 0]}",
          "12:30: geometry.y: y = 1 of point 3 is not above y = 1 of the point before; accepted: y "
          "that increases from point to point"},
         {start + "y: [-1.8, 3], z: [0, 1]}",
          "12:30: geometry.y: the points lie at y = -1.8 to 3, the element centres at y = -1.875 "
          "to 2.125; accepted: points that reach over the whole grid, or a smaller grid"},
         {start + "y: [-3, 2.1], z: [0, 1]}",
          "12:30: geometry.y: the points lie at y = -3 to 2.1, the element centres at y = -1.875 "
          "to 2.125; accepted: points that reach over the whole grid, or a smaller grid"},
         {start + "y: [-3, 3], z: [0, 1], dataset: /a}",
          "12:50: geometry.dataset: given without a file; accepted: no such key, or a file"},
         {start + "y: [-3, 3], z: [0, 1], of: both}",
          "12:54: geometry.of: 'both' is not known; accepted: distance, lower, upper"},
         {start + "y: [-3, 3], z: [0, 1], radius: 3}",
          "12:50: geometry.radius: unknown key; accepted: type, y, z, file, dataset, curvature_x, "
          "interpolation, of"}});
    CHECK(
        messages_of(case_with(start + "file: points.txt, z: [0, 1]}")) ==
        std::vector<std::string>{
            "case.yaml:12:33: geometry.file: points.txt: there is no such file; the path is "
            "relative to the case file",
            "case.yaml:12:45: geometry.z: given together with 'file'; accepted: file, or y and z"});
  }

  TEST_CASE("messages: a profile's file") {
    check_file_messages(
        "points.txt", "{type: profile, file: points.txt}",
        {{"-3 0\n3 0\n", ""},
         {"-3 0\n", "12:33: geometry.file: points.txt has 1 point; accepted: at least 2 points"},
         {"-3 0 1\n3 0 1\n",
          "12:33: geometry.file: points.txt: has the shape (2, 3); a table of 2 columns"},
         {"-3 0\n3 inf\n",
          "12:33: geometry.file: points.txt: the value in row 2, column 2 is inf; a finite number "
          "is needed"},
         {"3 0\n-3 0\n",
          "12:33: geometry.file: y = -3 of point 2 is not above y = 3 of the point before; "
          "accepted: y that increases from point to point"}});
  }

  TEST_CASE("messages: planforms") {
    const std::string start = "{type: planform, ";
    check_messages(
        {{start + "radius: 1}",
          "12:1: geometry.shape: missing; accepted: circle, rectangle, ellipse, polygon"},
         {start + "shape: ellipse}",
          "12:1: geometry.semi_axes: missing; accepted: a list [a, b] of two, each a number > 0"},
         {start + "shape: ellipse, semi_axes: [1, 0]}",
          "12:59: geometry.semi_axes.1: 0 is out of range; accepted: a number > 0"},
         {start + "shape: ellipse, semi_axes: [1, 1], radius: 2}",
          "12:63: geometry.radius: given although shape is ellipse; accepted: no such key, or "
          "shape: circle"},
         {start + "shape: circle, radius: 1, centre: 2}",
          "12:62: geometry.centre: is '2'; accepted: a list [x, y] of two, each a number"},
         {start + "shape: circle, radius: 0.01, centre: [9, 9]}",
          "12:51: geometry.radius: no element's centre is inside the outline; accepted: an outline "
          "around at least one element of the grid"},
         {start + "shape: polygon, vertices: [[0, 0], [1, 0]]}",
          "12:54: geometry.vertices: is a list of 2; accepted: a list of 3 to 10000 vertices, each "
          "a list [x, y]"},
         {start + "shape: polygon, vertices: [[0, 0], [1, 0], 3]}",
          "12:71: geometry.vertices.2: is '3'; accepted: a list [x, y] of two, each a number"},
         {start + "shape: polygon, vertices: [[0, 0], [1, 0], [3, x]]}",
          "12:75: geometry.vertices.2.1: 'x' is not a number; accepted: a number"},
         {start + "shape: polygon, vertices: [[0, 0], [1, 1], [1, 0], [0, 1]]}",
          "12:54: geometry.vertices: the edges from [0, 0] to [1, 1] and from [1, 0] to [0, 1] "
          "cross or touch; accepted: a polygon whose edges meet at its vertices only"},
         {start + "shape: polygon, vertices: [[8, 0], [9, 0], [9, 1]]}",
          "12:54: geometry.vertices: no element's centre is inside the outline; accepted: an "
          "outline around at least one element of the grid"}});
  }

  TEST_CASE("case reader: heights with a spacing of their own arrive at the element centres") {
    const TemporaryFolder folder;
    std::string content;  // h = x + 10 y at x = -2, 0, 2, y = -3, 0, 3
    for (const int y : {-3, 0, 3}) {
      for (const int x : {-2, 0, 2}) content += std::to_string(x + 10 * y) + " ";
      content += "\n";
    }
    folder.write("samples.txt", content);
    for (const std::string keys : {"", ", interpolation: bicubic", ", origin: [-3, -4.5]"}) {
      const CaseFile file = read_case(folder.write(
          "case.yaml",
          case_with("{type: heights, file: samples.txt, spacing: [2, 3]" + keys + "}")));
      const auto& values = std::get<HeightsShape>(file.problem.geometry.at(0)).values;
      const Grid& grid = file.problem.grid;
      REQUIRE(values.size() == grid.count());
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix)
          CHECK(std::abs(values[grid.index(ix, iy)] - grid.x(ix) - 10.0 * grid.y(iy)) <=
                1e-14 * 32.0);  // rounding
      }
      const CaseFile again = test::read_text(file.resolved_yaml);
      CHECK(again.resolved_yaml == file.resolved_yaml);
      CHECK(std::get<HeightsShape>(again.problem.geometry.at(0)).values == values);
    }
  }

  TEST_CASE("messages: heights with a spacing of their own") {
    const std::string start = "{type: heights, file: samples.txt, ";
    check_messages(
        {{start + "spacing: [1, 0]}",
          "12:59: geometry.spacing.1: 0 is out of range; accepted: a number > 0"},
         {start + "origin: [1, 0]}",
          "12:46: geometry.origin: given without 'spacing', which makes the file a grid of its "
          "own; accepted: no such key, or spacing with it"},
         {start + "interpolation: bicubic}",
          "12:46: geometry.interpolation: given without 'spacing', which makes the file a grid of "
          "its own; accepted: no such key, or spacing with it"},
         {start + "spacing: [1, 1], interpolation: cubic}",
          "12:78: geometry.interpolation: 'cubic' is not known; did you mean 'bicubic'? accepted: "
          "bilinear, bicubic"}});
    const std::string samples = "0 0 0\n0 0 0\n0 0 0\n";
    check_file_messages(
        "samples.txt", start + "spacing: [2, 3]}",
        {{samples, ""},
         {"0 0 0\n",
          "12:33: geometry.file: its samples lie at x = -2 to 2, y = 0 to 0, the element centres "
          "at x = -1.1875 to 1.0625, y = -1.875 to 2.125; accepted: samples that reach over the "
          "whole grid, or a smaller grid"},
         {"# nothing\n",
          "12:33: geometry.file: samples.txt: has the shape (0, 0); a table of at most 65536 rows "
          "and 65536 columns"},
         {"0 0\n0 nan\n",
          "12:33: geometry.file: samples.txt: the value in row 2, column 2 is nan; a finite "
          "number, or inf where no contact is possible"}});
    check_file_messages(
        "samples.txt", start + "spacing: [2, 3], interpolation: bicubic}",
        {{"0 0 0\n0 inf 0\n0 0 0\n",
          "12:33: geometry.file: samples.txt: the value in row 2, column 2 is inf; a finite number "
          "is needed"}});
    check_file_messages(
        "samples.txt", start + "spacing: [2, 3], origin: [1e20, 0]}",
        {{samples,
          "12:55: geometry.spacing: gives samples whose coordinates do not differ in a double; "
          "accepted: samples that are not tiny against their distance from (0, 0)"}});
    check_file_messages(
        "samples.txt", start + "spacing: [2, 3], of: lower}",
        {{"0 0 0\n0 inf 0\n0 0 0\n",
          "12:33: geometry.file: samples.txt: the value in row 2, column 2 is inf; a "
          "finite number is needed"}});
    check_file_messages(
        "samples.txt", start + "spacing: [2, 3], origin: [-2, -4.5]}",
        {{samples,
          "12:33: geometry.file: its samples lie at x = -1 to 3, y = -3 to 3, the "
          "element centres at x = -1.1875 to 1.0625, y = -1.875 to 2.125; accepted: samples "
          "that reach over the whole grid, or a smaller grid"}});
  }
}

}  // namespace slipfield
