// SPDX-License-Identifier: Apache-2.0
// Reads a result file: header and numbers of the steps at once, fields when asked for. Tables of
// any result, of a sweep too: any_result.h.
//
// Refuses a file that is not a result, is damaged, or is incomplete with an InputError of one
// sentence that names the file.
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

// Everything that a file says apart from its steps.
struct ResultInfo {
  ResultHeader header;
  int schema_version = 0;
  std::string program_version;
  std::string git_commit;
  std::string created;  // ISO 8601, UTC
  std::string outcome;  // "converged" | "not_converged" | "incomplete"
  std::string warning;  // empty where there is none
  // All that the run warned of, in the order of its log; of older files `warning` alone.
  std::vector<std::string> warnings;
};

struct WheelRecord;  // wheel/table.h

struct ResultStep {
  int number = 0;
  std::string group;  // in the file: "steps/0001", "steps/0009/contacts/1"
  // What the file says of the step's input: the tangential problem, its rolling data and the
  // friction coefficient; loads are what the report says.
  StepInput input;
  StepReport report;
  std::vector<std::string> fields;    // names of the fields that the file holds of this step
  std::vector<std::string> warnings;  // what is suspicious in it
  // A wheel on a rail, whose report is outcome and message alone; null: one contact.
  std::shared_ptr<const WheelRecord> wheel{};
};

// A result with its steps, of one contact or of a wheel.
struct ResultSteps {
  std::filesystem::path path;
  ResultInfo info;
  std::vector<ResultStep> steps;  // at least one; increasing numbers

  // The step of that number; 0: the last. Throws InputError where there is none.
  [[nodiscard]] const ResultStep& step(int number) const;
};

// The part of a file to be read; all numbers from 1.
struct Selection {
  int point = 0;       // of a sweep; 0: the file is one result
  int step = 0;        // 0: the last
  std::string side{};  // "left" or "right" wheel
  int contact = 0;     // of that side; without one counted through both wheels, as the groups are
};

class ResultFile {
 public:
  // A result, a point of a sweep with fields, or a contact of a wheel, a result of this one step.
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

  // One value per element, x fastest; also element_division, as numbers.
  [[nodiscard]] std::vector<double> field(const ResultStep& step, std::string_view name) const;
  [[nodiscard]] std::vector<ElementState> element_division(const ResultStep& step) const;
  // One value per row of elements: of row_field_table() (surface/table.h); empty: the step has none.
  [[nodiscard]] std::vector<double> row_field(const ResultStep& step, std::string_view name) const;
  // The step's interior of the bodies; empty: none.
  [[nodiscard]] std::vector<InteriorBody> interior(const ResultStep& step) const;
  // One of its quantities in a body, of the shape (depths, y, x).
  [[nodiscard]] std::vector<double> interior_values(const ResultStep& step,
                                                    const InteriorBody& body,
                                                    const std::string& quantity) const;
  // Every field that the file holds; those of rows too; the others stay empty.
  [[nodiscard]] ContactSolution solution(const ResultStep& step) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

ResultFile read_result(const std::filesystem::path& path, const Selection& selection = {});

// The numbers alone, of a result or of a point of a sweep with fields.
ResultSteps read_steps(const std::filesystem::path& path, int point = 0);

}  // namespace slipfield
