// SPDX-License-Identifier: Apache-2.0
// Figures of `slipfield bench` in a file: what is written is read again, and what counts as a
// change.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/bench/record.h"
#include "solver/error.h"
#include "tests/support/temporary_folder.h"

namespace slipfield {
namespace {

// Rounds of a figure, their median in the middle.
BenchRecord solve_record(double least, double median, double greatest) {
  BenchRecord record;
  record.date = "2026-11-27T12:00:00Z";
  record.version = "0.2.0";
  record.commit = "1a2b3c4d";
  record.machine = {"A CPU, of \"two\" cores", 2, "H200"};
  record.kind = "solve";
  record.subject = "cases/steady_spin.yaml grid.elements=[128,128]";
  record.figure.line.name = "solve on cpu";
  record.figure.line.size = "128x128";
  record.figure.line.milliseconds = median;
  record.figure.least_ms = least;
  record.figure.greatest_ms = greatest;
  record.figure.rounds = 5;
  record.figure.products = 116;
  return record;
}

Speed speed_of(const BenchRecord& now, const std::vector<BenchRecord>& before) {
  return compare_speed({now}, before).front().speed;
}

std::string refusal_of(const std::string& path) {
  try {
    read_bench_records(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("bench record: a file has what was appended, and keeps what was there") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() / "speed.jsonl";
    append_bench_records(path, {solve_record(9.0, 10.0, 11.0)});
    append_bench_records(path, {solve_record(19.0, 20.0, 21.0), solve_record(1.0, 2.0, 3.0)});
    const std::vector<BenchRecord> records = read_bench_records(path);
    REQUIRE(records.size() == 3);
    const BenchRecord& first = records[0];
    const BenchRecord expected = solve_record(9.0, 10.0, 11.0);
    CHECK(first.date == expected.date);
    CHECK(first.version == expected.version);
    CHECK(first.commit == expected.commit);
    CHECK(first.machine == expected.machine);
    CHECK(first.kind == expected.kind);
    CHECK(first.subject == expected.subject);
    CHECK(first.figure.line.name == expected.figure.line.name);
    CHECK(first.figure.line.size == expected.figure.line.size);
    CHECK(first.figure.line.milliseconds == 10.0);
    CHECK(first.figure.least_ms == 9.0);
    CHECK(first.figure.greatest_ms == 11.0);
    CHECK(first.figure.rounds == 5);
    CHECK(first.figure.products == 116);
    CHECK(records[2].figure.line.milliseconds == 2.0);
  }

  TEST_CASE("bench record: a line that was written by hand without its end is kept whole") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() / "speed.jsonl";
    std::ofstream(path) << to_line(solve_record(9.0, 10.0, 11.0));
    append_bench_records(path, {solve_record(19.0, 20.0, 21.0)});
    CHECK(read_bench_records(path).size() == 2);
  }

  TEST_CASE("bench record: a file of anything else is refused with the line, and left as it is") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path() / "notes.txt";
    const std::string good = to_line(solve_record(9.0, 10.0, 11.0));
    const std::string accepted = "; accepted: a file that `slipfield bench --record` wrote";
    std::ofstream(path) << good << "\n\nmy notes\n";
    CHECK(refusal_of(path) == path + ": line 3 is not a JSON object" + accepted);
    CHECK_THROWS_AS(require_bench_records(path), InputError);
    CHECK(std::filesystem::file_size(path) == good.size() + 11);
    std::string without = good;
    without.replace(without.find("median_ms"), 9, "middle_ms");
    std::ofstream(path) << without << "\n";
    CHECK(refusal_of(path) == path + ": line 1 has no `median_ms` of a record" + accepted);
    CHECK(refusal_of(folder.path() / "none") ==
          (folder.path() / "none").string() + ": it cannot be read" + accepted);
  }

  TEST_CASE("bench record: slower and faster are beyond the rounds of both, and 2 %") {
    const std::vector<BenchRecord> before{solve_record(9.0, 10.0, 11.0)};
    CHECK(speed_of(solve_record(11.5, 12.0, 13.0), before) == Speed::slower);
    CHECK(speed_of(solve_record(10.5, 12.0, 13.0), before) == Speed::same);  // rounds overlap
    CHECK(speed_of(solve_record(7.0, 8.0, 8.5), before) == Speed::faster);
    CHECK(speed_of(solve_record(7.0, 8.0, 9.5), before) == Speed::same);
    const std::vector<BenchRecord> exact{solve_record(10.0, 10.0, 10.0)};
    CHECK(speed_of(solve_record(10.15, 10.15, 10.15), exact) == Speed::same);  // 1.5 %
    CHECK(speed_of(solve_record(10.25, 10.25, 10.25), exact) == Speed::slower);
  }

  TEST_CASE("bench record: the last record of the same machine, case and figure counts") {
    const BenchRecord now = solve_record(10.0, 10.0, 10.0);
    const BenchRecord earlier = solve_record(5.0, 5.0, 5.0);
    const auto other = [&](auto change) {
      BenchRecord record = earlier;
      change(record);
      return speed_of(now, {record});
    };
    CHECK(speed_of(now, {}) == Speed::unknown);
    CHECK(speed_of(now, {earlier}) == Speed::slower);
    CHECK(speed_of(now, {earlier, now}) == Speed::same);
    CHECK(other([](BenchRecord& r) { r.machine.cpu = "another"; }) == Speed::unknown);
    CHECK(other([](BenchRecord& r) { r.machine.threads = 16; }) == Speed::unknown);
    CHECK(other([](BenchRecord& r) { r.machine.gpu = ""; }) == Speed::unknown);
    CHECK(other([](BenchRecord& r) { r.kind = "batch"; }) == Speed::unknown);
    CHECK(other([](BenchRecord& r) { r.subject = "steady_spin"; }) == Speed::unknown);
    CHECK(other([](BenchRecord& r) { r.figure.line.name = "solve on cuda"; }) == Speed::unknown);
    CHECK(other([](BenchRecord& r) { r.figure.line.size = "64x64"; }) == Speed::unknown);
    CHECK(other([](BenchRecord& r) { r.commit = "another"; }) == Speed::slower);
  }

  TEST_CASE("bench record: what changed is printed, the slower ones first, and how many") {
    BenchRecord slower = solve_record(19.0, 20.0, 21.0);
    slower.figure.line.size = "64x64";
    slower.figure.products = 130;
    BenchRecord faster = solve_record(4.0, 5.0, 6.0);
    faster.subject = "";
    BenchRecord fresh = solve_record(1.0, 1.0, 1.0);
    fresh.kind = "batch";
    BenchRecord before = solve_record(9.0, 10.0, 11.0);
    std::vector<BenchRecord> file{before, before};
    file[0].figure.line.size = "64x64";
    file[1].subject = "";
    const auto changes = compare_speed({faster, fresh, slower}, file);
    CHECK(is_slower(changes));
    CHECK(!is_slower(compare_speed({faster, fresh}, file)));
    const std::vector<std::string> lines = speed_table(changes, "speed.jsonl");
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] ==
          "slower  +100.0 %  cases/steady_spin.yaml grid.elements=[128,128], solve on cpu, 64x64: "
          "20 ms (19 to 21), was 10 (9 to 11) at 1a2b3c4d, 2026-11-27T12:00:00Z, products 116 -> "
          "130");
    CHECK(lines[1] ==
          "faster   -50.0 %  solve on cpu, 128x128: 5 ms (4 to 6), was 10 (9 to 11) at 1a2b3c4d, "
          "2026-11-27T12:00:00Z");
    CHECK(lines[2] ==
          "compared with speed.jsonl: 1 slower, 1 faster, 0 within the spread or 2 %, 1 without an "
          "earlier record of this machine");
  }

  TEST_CASE("bench record: a figure is the median round, between the least and the greatest") {
    const auto round = [](double a, double b) {
      std::vector<BenchFigure> figures(2);
      figures[0].line.milliseconds = a;
      figures[0].line.gflops = 1.0 / a;
      figures[1].line.milliseconds = b;
      return figures;
    };
    const auto figures = combine_rounds({round(3.0, 1.0), round(1.0, 7.0), round(2.0, 4.0)});
    REQUIRE(figures.size() == 2);
    CHECK(figures[0].line.milliseconds == 2.0);
    CHECK(figures[0].line.gflops == 0.5);  // of the same round
    CHECK(figures[0].least_ms == 1.0);
    CHECK(figures[0].greatest_ms == 3.0);
    CHECK(figures[0].rounds == 3);
    CHECK(figures[1].line.milliseconds == 4.0);
    CHECK(figures[1].least_ms == 1.0);
    CHECK(figures[1].greatest_ms == 7.0);
  }
}

}  // namespace slipfield
