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

// A key of the sweep with its value in each point of its entry.
struct SweptKey {
  std::string key;
  std::vector<PathSegment> path;
  std::vector<YamlNode> values;
  Spacing spacing = Spacing::linear;
};
// Keys that change together.
struct SweepEntry {
  std::vector<SweptKey> keys;
  [[nodiscard]] std::size_t count() const { return keys.front().values.size(); }
};

// A point as a part of its sweep has no fields unless they are asked for; alone it has all.
enum class PointUse { in_sweep, alone };

class CaseSweep {
 public:
  CaseSweep(std::unique_ptr<CaseText> text, std::vector<SweepEntry> entries);

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const std::vector<SweepInput>& inputs() const { return inputs_; }
  [[nodiscard]] std::vector<std::size_t> shape() const;
  // Those of all points, point by point.
  [[nodiscard]] const std::vector<Expectation>& expected() const { return expected_; }

  // Of the point that needs most.
  [[nodiscard]] std::size_t memory_bytes() const { return memory_bytes_; }

  // The case of a point, from 1, made from its values when it is asked for: some 40 us, where 10^6
  // points kept would fill gigabytes. May read files of heights, and HDF5 allows one thread at a
  // time. Throws InputError where there is no such point, CaseError where such a file has changed.
  [[nodiscard]] CaseFile point(int number, PointUse use, HeightsFiles& files) const;
  [[nodiscard]] CaseFile point(int number, PointUse use = PointUse::in_sweep) const;

  // Reads every point. False: something is wrong, which is in `diagnostics`.
  bool check_points(CaseDiagnostics& diagnostics);

 private:
  [[nodiscard]] std::string describe(int number) const;
  [[nodiscard]] YamlNode tree_of(int number, CaseDiagnostics& diagnostics) const;
  // Into diagnostics of its own; nothing where something is wrong.
  [[nodiscard]] std::optional<CaseFile> read_point(int number, PointUse use, HeightsFiles& files,
                                                   CaseDiagnostics& diagnostics) const;

  std::unique_ptr<CaseText> text_;  // its tree without `sweep`
  std::vector<SweepEntry> entries_;
  int count_ = 1;
  std::vector<SweepInput> inputs_;
  std::vector<Expectation> expected_;
  std::size_t memory_bytes_ = 0;
  std::vector<std::filesystem::path> input_files_;  // of all points
};

// A case whose tree has a `sweep`. Throws CaseError with what is wrong with it, or with any point.
CaseFile read_sweep(std::unique_ptr<CaseText> text, CaseDiagnostics& diagnostics);

}  // namespace slipfield
