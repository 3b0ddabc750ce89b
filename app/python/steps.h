// SPDX-License-Identifier: Apache-2.0
// Arrays and steps as Python types.
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/library/case_solver.h"
#include "app/report/run_warnings.h"
#include "io/file_identity.h"
#include "io/result/reader.h"
#include "io/result/wheel/table.h"

namespace slipfield {

// Where a file holds a step; the selection names it.
struct StepOfFile {
  std::filesystem::path path;
  Selection selection;
  std::optional<FileIdentity> identity{};  // of the file that was opened
};

// The numbers of an interior, computed at their first use, by any thread.
struct LaterInterior {
  ContactSolution loads{};  // of a step without fields, until they have served
  std::once_flag once{};
  NamedNumbers numbers{};
};

// A contact of a step with the fields that were kept: a single contact or one of a wheel.
struct Step {
  KeptStep kept;
  Grid grid;
  // From the case and all steps up to this one, or from a file's whole run.
  std::shared_ptr<const RunWarnings> run_warnings{};
  std::shared_ptr<const ResultOrigin> origin{};  // null: from a file, or a wheel's contact
  std::shared_ptr<const ResultOrigin>
      inside{};  // its case may ask for the interior; null: from a file
  std::shared_ptr<LaterInterior> later_inside{};  // null: without `interior`, or from a file
  std::optional<StepOfFile> stored_inside{};      // if a file stores the interior
  // --- Only for a wheel's contact.
  NamedNumbers place{};                             // the numbers of contact_table()
  std::vector<double> centres{};                    // of the elements; empty: from a file
  std::shared_ptr<const ContactSolution> shared{};  // the fields, if the wheelset has them

  [[nodiscard]] const ContactSolution& fields() const { return shared ? *shared : kept.solution; }
};

// A step of a wheel on a rail.
struct WheelsetResult {
  KeptStep kept;                                // from a file: without its wheelset
  WheelRecord numbers;                          // except those of an interior that are computed
  std::vector<std::shared_ptr<Step>> contacts;  // for both wheels the left one's first
  // From the case and all steps up to this one, or from a file's whole run.
  std::shared_ptr<const RunWarnings> run_warnings{};
  std::shared_ptr<const ResultOrigin> origin{};  // null: from a file
  bool has_fields = true;
};

using AnyStep = std::variant<std::shared_ptr<Step>, std::shared_ptr<WheelsetResult>>;
// Returns the last step of a solver. fields: whether it keeps them.
AnyStep last_step_of(CaseSolver& solver, bool fields);

// Heights in my rows of mx, from a NumPy array or anything that becomes one. Throws InputError.
std::shared_ptr<const Heights> heights_of(const std::string& name, const pybind11::object& given);

pybind11::dict grid_of(const Grid& grid);

}  // namespace slipfield
