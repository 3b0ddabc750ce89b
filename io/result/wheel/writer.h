// SPDX-License-Identifier: Apache-2.0
// Writes the steps of a wheel on a rail, or of both wheels of a wheelset, as one HDF5 file:
//   /                     attributes as of a result, file_type "slipfield-wheel-rail"
//   /case                 the case as text
//   /steps/0001             attributes: outcome, message, the numbers of table.h
//   /steps/0001/contacts/1  of both wheels those of the left one first: attributes of table.h, and as
//                           of a step of a result; `grid`; `side`, and `contact`: its number there
//   /table                  table_writer.h
// The file has a temporary name until finish(); see pending_file.h.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/wheel/table.h"
#include "io/result/writer.h"
#include "solver/interior/interior_field.h"

namespace slipfield {

inline constexpr std::string_view kWheelFileType = "slipfield-wheel-rail";
std::string contact_path(int contact);  // "contacts/1"

class WheelWriter {
 public:
  // `header`: its grid does not matter. `temporary`: the name until finish(), or empty. Throws
  // InputError where the file exists and may not be replaced, or cannot be written.
  WheelWriter(const std::filesystem::path& path, const ResultHeader& header, const OutputRule& rule,
              FieldChoice fields, const std::filesystem::path& temporary = {});
  // Without finish() nothing stays behind.
  ~WheelWriter();
  WheelWriter(const WheelWriter&) = delete;
  WheelWriter& operator=(const WheelWriter&) = delete;

  // `interior`: of a patch, computed while it is written; what it finds stays in the patch's report.
  using InteriorMaker = std::function<std::optional<InteriorField>(const SolvedPatch&)>;
  // `warnings`: as in a WheelRecord; each contact also gets its own.
  void write_step(int number, SolvedWheelset& wheelset,
                  const std::vector<std::string>& warnings = {},
                  const InteriorMaker& interior = {});
  // Copies the step from a file that a WheelWriter has finished. record: as the reader gave it.
  void import_step(const std::filesystem::path& from, const WheelRecord& record);
  // Completes the file and moves it into place.
  // warnings: all of the run's.
  void finish(RunOutcome outcome, const std::vector<std::string>& warnings = {});
  [[nodiscard]] const std::filesystem::path& path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace slipfield
