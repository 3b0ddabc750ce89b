// SPDX-License-Identifier: Apache-2.0
// sweep: a case for every value, or for the grid of the values, of any keys.
//
//   sweep:
//     - {key: tangential.x.creepage, from: 0.0, to: 0.02, points: 201}  # or spacing: logarithmic
//     - {key: friction.coefficient, values: [0.2, 0.3]}
//     - together:                                                       # in step with one another
//         - {key: ..., values: [...]}
//         - {key: ..., values: [...]}
//
// Entries make a grid, the last one fastest. A point is the case without `sweep`, with the values
// of its keys put in as --set does it, and read as strictly.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/case/change/override.h"
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
  std::vector<YamlNode> values;  // of a range: its first, of which the others are made
  double from = 0.0;             // of a range
  double to = 0.0;
  int points = 0;  // of a range; 0: a list
  Spacing spacing = Spacing::linear;

  [[nodiscard]] std::size_t count() const {
    return points > 0 ? static_cast<std::size_t>(points) : values.size();
  }
  [[nodiscard]] YamlNode value(std::size_t index) const;  // from 0
  [[nodiscard]] bool is_number() const;                   // every value
};
// Keys that change together.
struct SweepEntry {
  std::vector<SweptKey> keys;
  [[nodiscard]] std::size_t count() const { return keys.front().count(); }
};

// Called now and then while points are read: how many are done, of how many. It may throw.
using WatchPoints = std::function<void(int done, int count)>;

// A point as a part of its sweep has no fields unless they are asked for; alone it has all. One
// that is to run has been checked: a wheel is not placed again to find faults, and the case has no
// text.
enum class PointUse { in_sweep, to_run, alone };

class CaseSweep {
 public:
  CaseSweep(std::unique_ptr<CaseText> text, std::vector<SweepEntry> entries);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] std::vector<SweepInput> inputs() const { return inputs({1, count_}); }
  [[nodiscard]] std::vector<SweepInput> inputs(const PointRange& points) const;
  [[nodiscard]] std::vector<std::size_t> shape() const;
  // The points that are to run, and have been checked.
  [[nodiscard]] const Shard& shard() const { return shard_; }
  [[nodiscard]] PointRange points() const { return points_of_shard(shard_, count_); }
  // The expectations of these points, point by point.
  [[nodiscard]] const std::vector<Expectation>& expected() const { return expected_; }

  // The memory of the point that needs most.
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

  // The case of a point, from 1, made from its values when it is asked for: some 40 us, where 10^6
  // points kept would fill gigabytes. May read files of heights, and HDF5 allows one thread at a
  // time. Throws InputError where there is no such point, CaseError where such a file has changed.
  [[nodiscard]] CaseFile point(int number, PointUse use, HeightsFiles& files) const;
  [[nodiscard]] CaseFile point(int number, PointUse use = PointUse::in_sweep) const;

  // Reads every point of the shard. False: something is wrong, which is in `diagnostics`.
  bool check_points(const Shard& shard, CaseDiagnostics& diagnostics, const WatchPoints& watch);

 private:
  [[nodiscard]] std::string describe(int number) const;
  [[nodiscard]] YamlNode tree_of(int number, CaseDiagnostics& diagnostics) const;
  // Into diagnostics of its own; nothing where something is wrong.
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

// Puts values of keys that hold texts in quotes, so that "1" stays a text.
void quote_swept_texts(YamlNode& root);

// A case whose tree has a `sweep`. Throws CaseError with what is wrong with it, or with any point
// of the shard, InputError where the shard has no point.
CaseFile read_sweep(std::unique_ptr<CaseText> text, const Shard& shard,
                    CaseDiagnostics& diagnostics, const WatchPoints& watch);
// As read_case(); reads only a shard's points of a sweep. Throws InputError for a shard of a case
// without a sweep.
CaseFile read_case_shard(const std::filesystem::path& path,
                         const std::vector<std::string>& overrides, const Shard& shard,
                         const WatchPoints& watch = {});
// The keys and values of a sweep, from the text of the case that a result keeps; its points are not
// read. `name`: stands for the text in messages.
std::shared_ptr<const CaseSweep> read_sweep_values(const std::string& yaml,
                                                   const std::string& name);
// The root's `sweep`; nothing where something is wrong with it, which is in the diagnostics.

}  // namespace slipfield
