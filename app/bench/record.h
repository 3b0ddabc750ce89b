// SPDX-License-Identifier: Apache-2.0
// Records the figures of `slipfield bench` in a file and compares them with earlier ones.
//
// The file has one JSON object per line: other tools read it (pandas.read_json(FILE, lines=True),
// jq), names may contain commas, and a later version can add members without changing a header.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "gpu/bench/cuda_bench.h"

namespace slipfield {

// A line of a benchmark. One round measures all lines of a kind; each time is for one round.
struct BenchFigure {
  BenchLine line;  // its milliseconds: the median over the rounds
  std::int64_t products =
      0;                  // with the influence matrix, coarser grids not counted; 0: not counted
  double least_ms = 0.0;  // the fastest round
  double greatest_ms = 0.0;
  int rounds = 1;
};

// Returns the median of each figure over the rounds; all rounds have the same lines.
std::vector<BenchFigure> combine_rounds(const std::vector<std::vector<BenchFigure>>& rounds);

// The result of one round of a kind.
struct BenchOutcome {
  std::vector<BenchFigure> figures;
  // Anything a kind prints besides its figures; null if nothing.
  std::shared_ptr<nlohmann::ordered_json> document = {};
  int exit_code = 0;
};
BenchOutcome outcome_of(const std::vector<BenchLine>& lines);

struct BenchMachine {
  std::string cpu;
  int threads = 0;  // threads that computed
  std::string gpu;  // the first usable GPU; empty if none
  bool operator==(const BenchMachine&) const = default;
};
BenchMachine bench_machine();

struct BenchRecord {
  std::string date;     // UTC, ISO 8601
  std::string version;  // of the program
  std::string commit;
  BenchMachine machine;
  std::string kind;  // "solve"
  // "cases/steady_spin.yaml grid.elements=[128,128]"; "" for a kind that makes its own problems.
  std::string subject;
  BenchFigure figure;
};

// One line of JSON, without its end.
std::string to_line(const BenchRecord& record);

// Throws InputError for a file that cannot be read, or with the number of a line that is not a
// record.
std::vector<BenchRecord> read_bench_records(const std::string& path);

// Throws if append_bench_records() would: a file with anything but records is not touched.
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
  BenchRecord before;  // the last one with the same machine, kind, subject, name and size
  Speed speed = Speed::unknown;
};
std::vector<SpeedChange> compare_speed(const std::vector<BenchRecord>& now,
                                       const std::vector<BenchRecord>& before);

// Returns a line for each change and the number of changes.
std::vector<std::string> speed_table(const std::vector<SpeedChange>& changes,
                                     const std::string& path);
nlohmann::ordered_json changes_json(const std::vector<SpeedChange>& changes);
bool is_slower(const std::vector<SpeedChange>& changes);

}  // namespace slipfield
