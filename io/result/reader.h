// SPDX-License-Identifier: Apache-2.0
// Reads a result file: header and numbers of the steps at once, fields on request. For tables of
// any result, including sweeps, see any_result.h.
//
// Throws InputError that names the file if it is damaged, incomplete or not a result.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/result/interior/group.h"
#include "io/result/writer.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// Everything in a file except its steps.
struct ResultInfo {
  ResultHeader header;
  int schema_version = 0;
  std::string program_version;
  std::string git_commit;
  std::string created;  // ISO 8601, UTC
  std::string outcome;  // "converged" | "not_converged" | "incomplete"
  std::string warning;  // empty if there is none
  // All warnings of the run in the order of its log; older files only have `warning`.
  std::vector<std::string> warnings;
};

struct WheelRecord;  // wheel/table.h

struct ResultStep {
  int number = 0;
  std::string group;  // in the file: "steps/0001", "steps/0009/contacts/1"
  // The part of the step's input stored in the file: the tangential problem and its rolling data.
  // The report has all other numbers: loads, friction, results.
  StepInput input;
  StepReport report;
  std::vector<std::string> fields;    // names of the fields stored for this step
  std::vector<std::string> warnings;  // warnings about this step
  // Set for a wheel on a rail, whose report has only outcome and message; null: one contact.
  std::shared_ptr<const WheelRecord> wheel{};
};

// A result with its steps, for one contact or a wheel.
struct ResultSteps {
  std::filesystem::path path;
  ResultInfo info;
  std::vector<ResultStep> steps;  // at least one; increasing numbers

  // The step of that number; 0: the last. Throws InputError if there is none.
  [[nodiscard]] const ResultStep& step(int number) const;
};

// The part of a file to read; all numbers count from 1.
struct Selection {
  int point = 0;       // of a sweep; 0: the file is one result
  int step = 0;        // 0: the last
  std::string side{};  // "left" or "right" wheel
  int contact = 0;     // of that side; without a side counted through both wheels, like the groups
};

class ResultFile {
 public:
  // Opens a result, a point of a sweep with fields, or a contact of a wheel as a result of one
  // step.
  explicit ResultFile(const std::filesystem::path& path, const Selection& selection = {});
  ~ResultFile();
  ResultFile(ResultFile&&) noexcept;
  ResultFile& operator=(ResultFile&&) noexcept;
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  [[nodiscard]] const ResultSteps& all() const;
  [[nodiscard]] const std::filesystem::path& path() const { return all().path; }
  [[nodiscard]] const ResultInfo& info() const { return all().info; }
  [[nodiscard]] const std::vector<ResultStep>& steps() const { return all().steps; }
  [[nodiscard]] const ResultStep& step(int number) const { return all().step(number); }

  // One value per element, x fastest; element_division as numbers.
  [[nodiscard]] std::vector<double> field(const ResultStep& step, std::string_view name) const;
  [[nodiscard]] std::vector<ElementState> element_division(const ResultStep& step) const;
  // One value per row of elements, for fields of row_field_table() (surface/table.h); empty if
  // absent.
  [[nodiscard]] std::vector<double> row_field(const ResultStep& step, std::string_view name) const;
  // The step's interior of the bodies; empty: none.
  [[nodiscard]] std::vector<InteriorBody> interior(const ResultStep& step) const;
  // One of its quantities in a body, with the shape (depths, y, x).
  [[nodiscard]] std::vector<double> interior_values(const ResultStep& step,
                                                    const InteriorBody& body,
                                                    const std::string& quantity) const;
  // Every field in the file, including those of rows; all others stay empty.
  [[nodiscard]] ContactSolution solution(const ResultStep& step) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

ResultFile read_result(const std::filesystem::path& path, const Selection& selection = {});

// Only the numbers, of a result or of a point of a sweep with fields.
ResultSteps read_steps(const std::filesystem::path& path, int point = 0);

}  // namespace slipfield
