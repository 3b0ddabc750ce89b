// SPDX-License-Identifier: Apache-2.0
// Figures of `slipfield bench` in a file, and what changed since.
//
// The file has one JSON object a line: other tools read it (pandas.read_json(FILE, lines=True),
// jq), names may have commas, and a later version may add members without a new head of the table.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "gpu/bench/cuda_bench.h"

namespace slipfield {

// A line of a benchmark. One round measures all lines of a kind; each time is that of a round.
struct BenchFigure {
  BenchLine line;  // its milliseconds: the median of the rounds
  std::int64_t products =
      0;                  // with the influence matrix, coarser grids not counted; 0: not counted
  double least_ms = 0.0;  // of the rounds
  double greatest_ms = 0.0;
  int rounds = 1;
};

// Returns the median of each figure over the rounds, all of which have the same lines.
std::vector<BenchFigure> combine_rounds(const std::vector<std::vector<BenchFigure>>& rounds);

// What a kind of benchmark gives after a round.
struct BenchOutcome {
  std::vector<BenchFigure> figures;
  // What a kind prints besides its figures; null where that is nothing.
  std::shared_ptr<nlohmann::ordered_json> document = {};
  int exit_code = 0;
};
BenchOutcome outcome_of(const std::vector<BenchLine>& lines);

struct BenchMachine {
  std::string cpu;
  int threads = 0;  // that computed
  std::string gpu;  // the first one that can be used; empty without one
  bool operator==(const BenchMachine&) const = default;
};
BenchMachine bench_machine();

struct BenchRecord {
  std::string date;     // UTC, ISO 8601
  std::string version;  // of the program
  std::string commit;
  BenchMachine machine;
  std::string kind;  // "solve"
  // "cases/steady_spin.yaml grid.elements=[128,128]"; what the kind measures by itself: "".
  std::string subject;
  BenchFigure figure;
};

// One line of JSON, without its end.
std::string to_line(const BenchRecord& record);

// Throws InputError for a file that cannot be read or has a line that is not a record, with its
// number.
std::vector<BenchRecord> read_bench_records(const std::string& path);

// Throws where append_bench_records() would: a file that holds anything but records is not touched.
void require_bench_records(const std::string& path);
void append_bench_records(const std::string& path, const std::vector<BenchRecord>& records);

enum class Speed {
  unknown,  // no earlier record of this machine
  same,     // the times of the rounds overlap, or the medians differ by less than 2 %
  faster,
  slower
};

struct SpeedChange {
  BenchRecord now;
  BenchRecord before;  // the last one of the same machine, kind, subject, name and size
  Speed speed = Speed::unknown;
};
std::vector<SpeedChange> compare_speed(const std::vector<BenchRecord>& now,
                                       const std::vector<BenchRecord>& before);

// What changed, a line each, and how many did.
std::vector<std::string> speed_table(const std::vector<SpeedChange>& changes,
                                     const std::string& path);
nlohmann::ordered_json changes_json(const std::vector<SpeedChange>& changes);
bool is_slower(const std::vector<SpeedChange>& changes);

}  // namespace slipfield
