// SPDX-License-Identifier: Apache-2.0
// Writes /sweep of a sweep file, the table of its points, in blocks of consecutive points.
//
// A table that comes in one block is written as it is; of more, each dataset is in chunks of
// kSweepBlock points. A total that no point has has no dataset. What no block holds reads as a
// point that did not run.
#pragma once

#include "io/hdf5/handle.h"
#include "io/result/sweep_table.h"
#include "solver/problem.h"

namespace slipfield {

inline constexpr std::string_view kTouchesEdgeName = "touches_edge";

class SweepRows {
 public:
  // Makes the group in the root of a file that will hold the points of `layout`.
  SweepRows(hid_t root, SweepLayout layout, Units units);

  // Every block has the same keys. Throws Hdf5Error.
  void write(const SweepTable& block);

 private:
  void write_inputs(const SweepTable& block);
  void write_numbers(hid_t group, const std::string& name, std::span<const double> values,
                     std::size_t start, const std::string& unit, const std::string& description);
  void write_bytes(const std::string& name, std::span<const std::uint8_t> values, std::size_t start,
                   std::uint8_t fill, std::string_view description);
  void write_texts(hid_t group, const std::string& name, std::span<const std::string> texts,
                   std::size_t start, const std::string& unit, const std::string& description);
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(layout_.points.count); }

  SweepLayout layout_;
  Units units_;
  hdf5::Handle group_;
  hdf5::Handle inputs_;
};

}  // namespace slipfield
