// SPDX-License-Identifier: Apache-2.0
// sweep: solves a case for each value, or each combination of values, of any keys.
//
//   sweep:
//     - {key: tangential.x.creepage, from: 0.0, to: 0.02, points: 201}  # or spacing: logarithmic
//     - {key: friction.coefficient, values: [0.2, 0.3]}
//     - together:                                                       # in step with one another
//         - {key: ..., values: [...]}
//         - {key: ..., values: [...]}
//
// Entries form a grid, the last one fastest. A point is the case without `sweep`, with its values
// set like --set, and read just as strictly.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/case/reader.h"
#include "io/case/text.h"
#include "io/heights/files.h"
#include "io/result/sweep_table.h"
#include "io/yaml/source.h"
#include "io/yaml/tree.h"

namespace slipfield {

struct KeyTable;

const KeyTable& sweep_table();  // of an entry

// A key of the sweep with its value in each point of its entry.
struct SweptKey {
  std::string key;
  std::vector<PathSegment> path;
  std::vector<YamlNode> values;  // of a range: only the first, from which the others are made
  double from = 0.0;             // of a range
  double to = 0.0;
  int points = 0;  // of a range; 0: a list
  Spacing spacing = Spacing::linear;
  bool is_number = false;  // every value is one

  [[nodiscard]] std::size_t count() const {
    return points > 0 ? static_cast<std::size_t>(points) : values.size();
  }
  [[nodiscard]] YamlNode value(std::size_t index) const;  // index from 0
};
// Keys that change together.
struct SweepEntry {
  std::vector<SweptKey> keys;
  [[nodiscard]] std::size_t count() const { return keys.front().count(); }
};

// Called now and then while points are read with the number done and the total. May throw.
using WatchPoints = std::function<void(int done, int count)>;

// in_sweep: a point in its sweep has no fields unless they are requested; alone: it has all.
// to_run: it has been checked, so that a wheel is not placed again to find faults, and the case has
// no text.
enum class PointUse { in_sweep, to_run, alone };

class CaseSweep {
 public:
  CaseSweep(std::unique_ptr<CaseText> text, std::vector<SweepEntry> entries);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] std::vector<SweepInput> inputs() const { return inputs({1, count_}); }
  [[nodiscard]] std::vector<SweepInput> inputs(const PointRange& points) const;
  [[nodiscard]] std::vector<std::size_t> shape() const;
  // For each of inputs() the index of the value that the point has.
  [[nodiscard]] std::vector<std::size_t> values_at(int point) const;
  // The points to run, all checked.
  [[nodiscard]] const Shard& shard() const { return shard_; }
  [[nodiscard]] PointRange points() const { return points_of_shard(shard_, count_); }
  // The expectations of these points, in order.
  [[nodiscard]] const std::vector<Expectation>& expected() const { return expected_; }

  // The memory of the largest point.
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

  // "point 2 of the sweep, normal.force = 5".
  [[nodiscard]] std::string describe(int number) const;

  // Makes the case of a point, from 1, on request: it takes some 40 us, whereas 10^6 stored points
  // would fill gigabytes. May read files of heights; HDF5 allows one thread at a time. Throws
  // InputError if there is no such point, CaseError if such a file has changed.
  [[nodiscard]] CaseFile point(int number, PointUse use, HeightsFiles& files) const;
  [[nodiscard]] CaseFile point(int number, PointUse use = PointUse::in_sweep) const;

  // Reads every point of the shard. Returns false if there are errors, which are in `diagnostics`.
  bool check_points(const Shard& shard, CaseDiagnostics& diagnostics, const WatchPoints& watch);

 private:
  [[nodiscard]] YamlNode tree_of(int number, CaseDiagnostics& diagnostics) const;
  // Collects errors in separate diagnostics; returns nothing if there are any.
  [[nodiscard]] std::optional<CaseFile> read_point(int number, PointUse use, HeightsFiles& files,
                                                   CaseDiagnostics& diagnostics) const;

  std::unique_ptr<CaseText> text_;  // its tree without `sweep`
  std::vector<SweepEntry> entries_;
  int count_ = 1;
  Shard shard_;
  std::vector<Expectation> expected_;
  std::size_t memory_bytes_ = 0;
  std::vector<std::filesystem::path> input_files_;  // of all points
};

// Quotes values of keys that hold texts, so that "1" stays a text.
void quote_swept_texts(YamlNode& root);

// Reads a case whose tree has a `sweep`. Throws CaseError for errors of the sweep or of any point
// of the shard, InputError if the shard has no point.
CaseFile read_sweep(std::unique_ptr<CaseText> text, const Shard& shard,
                    CaseDiagnostics& diagnostics, const WatchPoints& watch);
// Like read_case(), but reads only a shard's points of a sweep. Throws InputError if a shard is
// given for a case without a sweep.
CaseFile read_case_shard(const std::filesystem::path& path,
                         const std::vector<std::string>& overrides, const Shard& shard,
                         const WatchPoints& watch = {});
// Reads keys and values of a sweep from the case text in a result, without its points. `name`:
// stands for the text in messages.
std::shared_ptr<const CaseSweep> read_sweep_values(const std::string& yaml,
                                                   const std::string& name);

}  // namespace slipfield
