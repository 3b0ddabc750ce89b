// SPDX-License-Identifier: Apache-2.0
// What the reading of a sweep's points finds, point by point (io/case/sweep.h).
#pragma once

#include <cstddef>
#include <exception>
#include <vector>

#include "io/case/reader.h"
#include "io/heights/files.h"
#include "io/result/sweep_table.h"
#include "io/yaml/diagnostics.h"
#include "solver/memory_estimate.h"

namespace slipfield {

inline constexpr int kReadTogether = 256;  // points

struct CheckedPoint {
  int number = 0;
  CaseDiagnostics found;
  // Set for a point without faults.
  std::vector<Expectation> expected;
  std::size_t memory_bytes = 0;
};

// read(number, files, diagnostics): the case of a point, or nothing. together: by all threads.
// Positions of a wheel are placed while they are read, 0.3 ms each, and name no files but profiles;
// where a file may be of HDF5, one thread reads.
template <class Read>
std::vector<CheckedPoint> check_each(const PointRange& points, [[maybe_unused]] bool together,
                                     HeightsFiles& files, const Read& read) {
  std::vector<CheckedPoint> checked(static_cast<std::size_t>(points.count));
  std::exception_ptr error;  // of the first point that has one
  std::size_t error_at = checked.size();
#pragma omp parallel for schedule(dynamic, 8) if (together)
  for (std::size_t k = 0; k < checked.size(); ++k) {
    try {
      CheckedPoint& point = checked[k];
      point.number = points.first + static_cast<int>(k);
      const auto file = read(point.number, files, point.found);
      if (!file) continue;
      point.expected = file->expected;
      point.memory_bytes = estimated_bytes(file->problem);
    } catch (...) {
#pragma omp critical(slipfield_check_each)
      if (k < error_at) {
        error_at = k;
        error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
  return checked;
}

}  // namespace slipfield
