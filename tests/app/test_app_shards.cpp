// SPDX-License-Identifier: Apache-2.0
// Parts of a sweep: what each holds, and what they are together.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/run/run_case.h"
#include "app/run/sweep/merge_sweeps.h"
#include "io/case/sweep.h"
#include "io/result/any_result.h"
#include "io/result/reader.h"
#include "io/result/writer.h"
#include "solver/error.h"
#include "tests/support/result_sample.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::TemporaryFolder;

// 2 x 4 points, with a key whose values are words.
const std::string kSharded = R"(schema: 1
title: shards
units: N-mm-s
bodies:
  upper: {shear_modulus: 1.0, poisson_ratio: 0.25}
  lower: {shear_modulus: 2.0, poisson_ratio: 0.3}
friction: {coefficient: 0.3}
grid: {elements: [14, 11], extent: {x: [-1.2, 1.2], y: [-1.3, 1.1]}}
geometry: {type: sphere, radius: 100.0}
normal: {force: 0.02}
tangential: {problem: shift, x: {force_ratio: -0.5}, y: {shift: 0.0}}
sweep:
  - {key: solver.tangential, values: [newton, gauss_seidel]}
  - {key: tangential.x.force_ratio, from: -0.2, to: -0.8, points: 4}
)";
const std::string kWithFields = "output: {fields: [pressure]}\n";

RunRecord run_shard(const TemporaryFolder& folder, const Shard& shard, const std::string& output,
                    const std::string& more = {}) {
  const CaseFile file = read_case_shard(folder.write("case.yaml", kSharded + more), {}, shard);
  RunOptions options{BackendChoice::cpu, folder / output};
  options.at_a_time = 1;
  return run_case(file, options, silent_observer());
}

ResultHeader sweep_header(const SweepLayout& layout) {
  ResultHeader header = test::sample_header();
  header.sweep = layout;
  return header;
}

// Apart from the time that the points took.
void check_same_tables(const SweepTable& a, const SweepTable& b) {
  CHECK(a.shape == b.shape);
  CHECK(a.first_point == b.first_point);
  CHECK(a.outcomes == b.outcomes);
  CHECK(a.messages == b.messages);
  CHECK(a.touches_edge == b.touches_edge);
  REQUIRE(a.worn.size() == b.worn.size());
  for (std::size_t row = 0; row < a.worn.size(); ++row) {
    CHECK(a.worn[row].y == b.worn[row].y);
    CHECK(a.worn[row].depth == b.worn[row].depth);
  }
  REQUIRE(a.inputs.size() == b.inputs.size());
  for (std::size_t i = 0; i < a.inputs.size(); ++i) {
    CHECK(a.inputs[i].key == b.inputs[i].key);
    CHECK(a.inputs[i].texts == b.inputs[i].texts);
    CHECK(a.inputs[i].numbers == b.inputs[i].numbers);
    CHECK(a.inputs[i].spacing == b.inputs[i].spacing);
  }
  REQUIRE(a.columns.size() == b.columns.size());
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    CAPTURE(a.columns[i].name);
    CHECK(a.columns[i].name == b.columns[i].name);
    if (a.columns[i].name == "seconds") continue;
    for (std::size_t row = 0; row < a.count(); ++row) {
      const double x = a.columns[i].values[row];
      const double y = b.columns[i].values[row];
      CHECK((x == y || (std::isnan(x) && std::isnan(y))));
    }
  }
}

// Seven points; one total appears in the last three only, one nowhere, messages become longer, and
// two points have worn rows.
SweepTable uneven_table() {
  SweepInput word{"solver.tangential", {}, {}, Spacing::linear};
  SweepInput number{"normal.force", {}, {}, Spacing::logarithmic};
  for (int i = 0; i < 7; ++i) {
    word.texts.push_back(std::string(static_cast<std::size_t>(1 + 3 * i), 'a'));
    number.numbers.push_back(1.0 / (3 + i));
    number.texts.push_back(number_as_text(number.numbers.back()));
  }
  SweepTable table = empty_sweep_block({word, number}, {7}, {1, 7});
  table.worn[4] = {{-0.5, 0.5, 1.5}, {0.0, 0.25, 0.125}};
  table.worn[5] = {{2.0}, {0.75}};
  for (std::size_t row = 0; row < 7; ++row) {
    table.outcomes[row] = row == 2 ? PointOutcome::failed : PointOutcome::converged;
    if (row % 3 == 2) table.messages[row] = std::string(5 * row, 'm');
    table.touches_edge[row] = row == 4 ? 1 : 0;
    for (SweepColumn& column : table.columns) {
      if (column.name == "force_x" && row != 2) column.values[row] = -1.0 / (2.0 + row);
      if (column.name == "force_y" && row >= 4) column.values[row] = std::sqrt(1.0 + row);
    }
  }
  return table;
}

SweepTable rows_of(const SweepTable& table, int first, int count) {
  const PointRange points{first, count};
  const auto begin = static_cast<std::size_t>(first - table.first_point);
  const auto size = static_cast<std::size_t>(count);
  const auto cut = [&](const auto& values) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::decay_t<decltype(values)>(from, from + static_cast<std::ptrdiff_t>(size));
  };
  std::vector<SweepInput> inputs = table.inputs;
  for (SweepInput& input : inputs) {
    input.texts = cut(input.texts);
    if (input.is_number()) input.numbers = cut(input.numbers);
  }
  SweepTable rows = empty_sweep_block(std::move(inputs), table.shape, points);
  for (int number = first; number < points.end(); ++number)
    put_points(rows, {rows_of_point(table, number)});
  return rows;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("shards: together they have every point once, and differ by one point at most") {
    for (const int count : {1, 5, 64, 65, 1000, 9'999'991})
      for (const int of : {1, 2, 3, 7, 64}) {
        CAPTURE(count);
        CAPTURE(of);
        int next = 1;
        for (int index = 1; index <= of; ++index) {
          const PointRange points = points_of_shard({index, of}, count);
          CHECK(points.first == next);
          CHECK(points.count >= count / of);
          CHECK(points.count <= count / of + 1);
          next = points.end();
        }
        CHECK(next == count + 1);
      }
  }

  TEST_CASE("shards: text is which one of how many, and nothing else") {
    REQUIRE(shard_from_text("3/64"));
    CHECK(shard_from_text("3/64")->index == 3);
    CHECK(shard_from_text("3/64")->of == 64);
    CHECK(shard_text({3, 64}) == "3/64");
    for (const char* text : {"", "3", "3/", "/64", "0/64", "65/64", "-1/2", "1/0", "1/2/3", "1 /2",
                             "1/2 ", "a/b", "1.5/2", "1/99999999999"}) {
      CAPTURE(text);
      CHECK_FALSE(shard_from_text(text));
    }
  }

  TEST_CASE("sweep file: written in blocks it reads as written in one") {
    const TemporaryFolder folder;
    const SweepTable table = uneven_table();
    const SweepLayout layout{{1, 7}, {7}, {}};
    ResultWriter whole(folder / "whole.h5", sweep_header(layout));
    SweepTable filled = table;
    drop_empty_columns(filled);
    whole.write_rows(filled);
    CHECK(whole.edge_warning() ==
          "contact reaches the edge of the grid: the grid may be too small, unless the body ends "
          "there (in "
          "point 5)");
    whole.finish(RunOutcome::incomplete);
    ResultWriter pieces(folder / "pieces.h5", sweep_header(layout));
    for (const auto& [first, count] : {std::pair{1, 3}, std::pair{4, 2}, std::pair{6, 2}})
      pieces.write_rows(rows_of(table, first, count));
    pieces.finish(RunOutcome::incomplete);
    const SweepTable expected = read_any_result(folder / "whole.h5").rows;
    CHECK(expected.find("force_y"));
    CHECK_FALSE(expected.find("moment_z"));
    CHECK(expected.worn[3].depth.empty());
    CHECK(expected.worn[4].depth == std::vector<double>{0.0, 0.25, 0.125});
    check_same_tables(read_any_result(folder / "pieces.h5").rows, expected);
    for (const char* name : {"whole.h5", "pieces.h5"}) {  // and a part of it from either
      // Also for a total that only later points have: blocks of one file have the same columns.
      const SweepTable first = read_sweep_rows(folder / name, {1, 3});
      REQUIRE(first.find("force_y"));
      CHECK(has_no_number(*first.find("force_y")));
      check_same_tables(read_sweep_rows(folder / name, {3, 3}), [&] {
        SweepTable rows = rows_of(expected, 3, 3);
        std::vector<SweepColumn> kept;
        for (const SweepColumn& column : rows.columns)
          if (expected.find(column.name) != nullptr) kept.push_back(column);
        rows.columns = kept;
        return rows;
      }());
    }
  }

  TEST_CASE("sweep table: points of several rows each, added in any order, end up sorted") {
    const SweepInput key{"normal.force", {"1", "2", "3"}, {1.0, 2.0, 3.0}, Spacing::linear};
    SweepTable table = empty_sweep_block({key}, {3}, {1, 3});
    const std::vector<TableRow> wheelset = {{"both", 0, {{"axle_z", 0.5}, {"track_force_y", 3.0}}},
                                            {"left", 0, {{"track_force_y", 1.0}}},
                                            {"left", 1, {{"force_x", -7.0}}},
                                            {"right", 0, {{"track_force_y", 2.0}}},
                                            {"right", 1, {{"force_x", -8.0}}}};
    put_points(table, {{3, 2, PointOutcome::not_converged, "no", "w", true, wheelset}});
    put_points(table, {{1, 2, PointOutcome::converged, "", "", false, wheelset}});
    put_points(table, {{1, 4, PointOutcome::converged, "", "", false, {wheelset[0], wheelset[1]}}});
    REQUIRE(table.count() == 2 + 1 + 5);
    CHECK(table.inputs[0].numbers == std::vector<double>{1, 1, 2, 3, 3, 3, 3, 3});
    CHECK(table.steps() == std::vector<std::size_t>{0, 2, 3});
    CHECK(table.keys[0] == RowKey{1, 4, "both", 0});
    CHECK(table.keys[2] == RowKey{2, 0, "", 0});
    CHECK(table.keys[7] == RowKey{3, 2, "right", 1});
    CHECK(table.messages[3] == "no");
    CHECK(table.messages[4].empty());
    CHECK(table.total(3, "left_track_force_y") == 1.0);
    CHECK(table.total(3, "track_force_y") == 3.0);
    CHECK(std::isnan(table.total(0, "right_track_force_y")));
    CHECK(rows_of_point(table, 3).rows.size() == 5);
    CHECK(rows_of_point(table, 3).rows[4].totals.at("force_x") == -8.0);
    const SweepTable points = one_row_a_step(table);
    REQUIRE(points.count() == 3);
    CHECK(points.find("right_track_force_y")->values[2] == 2.0);
    CHECK(std::isnan(points.find("right_track_force_y")->values[0]));
    CHECK(points.find("force_x") == nullptr);
    CHECK(rows_of(table, "", 2).keys == std::vector<RowKey>{{3, 2, "right", 1}});
  }

  TEST_CASE("sweep file: a table without the rows of every point is refused") {
    const TemporaryFolder folder;
    ResultWriter writer(folder / "out.h5", sweep_header({{1, 7}, {7}, {}}));
    writer.write_rows(rows_of(uneven_table(), 1, 2));
    writer.finish(RunOutcome::incomplete);
    CHECK(read_sweep_rows(folder / "out.h5", {1, 2}).count() == 2);
    CHECK_THROWS_WITH_AS(read_any_result(folder / "out.h5"),
                         doctest::Contains("/table does not have its points one after another"),
                         InputError);
  }

  TEST_CASE("shards: a shard alone reads its own points, and a file of it has their numbers") {
    const TemporaryFolder folder;
    const RunRecord record = run_shard(folder, {2, 3}, "2.h5", kWithFields);
    CHECK(record.layout.points == PointRange{4, 3});
    CHECK(record.counts.points() == 3);
    const SweepOutline outline = read_sweep_outline(folder / "2.h5");
    CHECK(outline.layout.points == PointRange{4, 3});
    CHECK(outline.layout.shape == std::vector<std::size_t>{2, 4});
    CHECK(shard_text(outline.layout.shard) == "2/3");
    CHECK(outline.with_fields == std::vector<int>{4, 5, 6});
    const AnyResult file = read_any_result(folder / "2.h5");
    CHECK(file.rows.shape == std::vector<std::size_t>{3});
    CHECK(file.rows.keys[0].point == 4);
    CHECK(file.rows.inputs[0].texts ==
          std::vector<std::string>{"newton", "gauss_seidel", "gauss_seidel"});
    CHECK(read_result(folder / "2.h5", {5})
              .field(read_result(folder / "2.h5", {5}).step(0), "pressure")
              .size() == 14 * 11);
    CHECK_THROWS_WITH_AS(run_shard(folder, {9, 9}, "9.h5"),
                         doctest::Contains("has none of the 8 points"), InputError);
  }

  TEST_CASE("merge: parts in any order have the bits of the whole, fields included") {
    const TemporaryFolder folder;
    run_shard(folder, {1, 1}, "whole.h5", kWithFields);
    for (int index = 1; index <= 3; ++index)
      run_shard(folder, {index, 3}, std::to_string(index) + ".h5", kWithFields);
    const MergeRecord record =
        merge_sweeps(folder / "merged.h5", {folder / "3.h5", folder / "1.h5", folder / "2.h5"},
                     Overwrite::refuse);
    CHECK(record.outcome == RunOutcome::converged);
    CHECK(record.missing.empty());
    CHECK(record.with_fields == 8);
    const AnyResult whole = read_any_result(folder / "whole.h5");
    const AnyResult merged = read_any_result(folder / "merged.h5");
    check_same_tables(merged.rows, whole.rows);
    CHECK(merged.info.outcome == "converged");
    CHECK(merged.info.header.case_yaml == whole.info.header.case_yaml);
    CHECK(merged.with_fields == whole.with_fields);
    for (const int point : {1, 4, 8}) {
      const ResultFile a = read_result(folder / "whole.h5", {point});
      const ResultFile b = read_result(folder / "merged.h5", {point});
      CHECK(a.field(a.step(0), "pressure") == b.field(b.step(0), "pressure"));
    }
  }

  TEST_CASE("merge: points that no part has are named with their shards, and keep their values") {
    const TemporaryFolder folder;
    for (const int index : {1, 4}) run_shard(folder, {index, 4}, std::to_string(index) + ".h5");
    const MergeRecord record =
        merge_sweeps(folder / "merged.h5", {folder / "1.h5", folder / "4.h5"}, Overwrite::refuse);
    CHECK(record.outcome == RunOutcome::incomplete);
    REQUIRE(record.missing.size() == 1);
    CHECK(record.missing[0].points == PointRange{3, 4});
    CHECK(record.missing[0].shards == "shards 2/4 to 3/4");
    const SweepTable table = read_any_result(folder / "merged.h5").rows;
    CHECK(table.shape == std::vector<std::size_t>{2, 4});
    CHECK(table.outcomes[4] == PointOutcome::not_run);
    CHECK(table.inputs[0].texts[4] == "gauss_seidel");
    CHECK(table.inputs[1].numbers[4] == -0.2);
    CHECK(table.has_totals(7));
  }

  TEST_CASE("merge: parts that overlap, of another case or no sweep are refused by name") {
    const TemporaryFolder folder;
    run_shard(folder, {1, 2}, "half.h5");
    run_shard(folder, {2, 3}, "third.h5");
    run_shard(folder, {2, 2}, "other.h5", kWithFields);
    const auto merged = [&](const std::vector<std::filesystem::path>& parts) {
      merge_sweeps(folder / "merged.h5", parts, Overwrite::refuse);
    };
    CHECK_THROWS_WITH_AS(merged({folder / "half.h5", folder / "third.h5"}),
                         doctest::Contains("both have point 4"), InputError);
    CHECK_THROWS_WITH_AS(merged({folder / "half.h5", folder / "other.h5"}),
                         doctest::Contains("belongs to another sweep"), InputError);
    CHECK_THROWS_WITH_AS(merged({folder / "half.h5", folder / "none.h5"}),
                         doctest::Contains("there is no such file"), InputError);
    CHECK_THROWS_AS(merged({folder / "case.yaml"}), InputError);
    CHECK_THROWS_AS(merge_sweeps(folder / "half.h5", {folder / "half.h5"}, Overwrite::allow),
                    InputError);
    CHECK_FALSE(std::filesystem::exists(folder / "merged.h5"));
  }
}

}  // namespace slipfield
