// SPDX-License-Identifier: Apache-2.0
// Arrays and steps in Python's types.
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/library/case_solver.h"
#include "io/file_identity.h"
#include "io/result/reader.h"

namespace slipfield {

// Where a file holds a step; the selection names it.
struct StepOfFile {
  std::filesystem::path path;
  Selection selection;
  std::optional<FileIdentity> identity{};  // of the file that was opened
};

// A contact of a step, with the fields that were kept of it: a step of one contact, or of a wheel.
struct Step {
  KeptStep kept;
  Grid grid;
  std::vector<std::string> warnings;
  std::shared_ptr<const ResultOrigin> origin{};  // null: of a file, or a wheel's contact
  std::shared_ptr<const ResultOrigin>
      inside{};  // whose case may ask for the interior; null: of a file
  std::optional<StepOfFile> stored_inside{};  // where a file holds the interior
  // --- Of a wheel's contact.
  NamedNumbers place{};                             // the numbers of contact_table()
  std::vector<double> centres{};                    // of the elements; none: of a file
  std::shared_ptr<const ContactSolution> shared{};  // the fields, where the wheelset has them

  [[nodiscard]] const ContactSolution& fields() const { return shared ? *shared : kept.solution; }
};

// A step of a wheel on a rail.
struct WheelsetResult {
  struct OneSide {
    std::string name;  // "left", "right"
    NamedNumbers totals;
    int contacts = 0;
  };
  KeptStep kept;  // of a file without its wheelset
  NamedNumbers totals;
  std::vector<OneSide> sides;
  std::vector<std::shared_ptr<Step>> contacts;  // of both wheels those of the left one first
  std::vector<std::string> warnings;
  std::shared_ptr<const ResultOrigin> origin{};  // null: of a file
  bool has_fields = true;
};
// The last step of a solver of a wheel on a rail.
std::shared_ptr<WheelsetResult> wheel_step_of(CaseSolver& solver, bool fields);

using AnyStep = std::variant<std::shared_ptr<Step>, std::shared_ptr<WheelsetResult>>;

// my rows of mx: a NumPy array or what becomes one, or an array of a GPU. Throws InputError.
std::shared_ptr<const Heights> heights_of(const std::string& name, const pybind11::object& given);

pybind11::dict grid_of(const Grid& grid);

}  // namespace slipfield
