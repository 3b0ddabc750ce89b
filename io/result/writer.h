// SPDX-License-Identifier: Apache-2.0
// Writes a run as one HDF5 file: /case, /grid, /steps/0001 ..., /table of all totals, /series of
// the fields over all steps, and /VTKHDF for ParaView. Of a wheel on a rail the steps have contacts
// (wheel/step_group.h), each with a grid of its own, and the file neither grid, series nor VTKHDF.
//
// A plain run is one point, in the root of its file. Those points of a sweep whose fields were
// asked for are in /points/0001, ..., each laid out as the root of a plain run, without table,
// series and VTKHDF; the table is that of all points, and has the attributes of table_writer.h.
//
// Names, units and descriptions are those of field_table.h. The file has a temporary name until
// finish(); see pending_file.h. One thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/pending_file.h"
#include "io/result/sweep_table.h"
#include "solver/interior/interior_field.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

struct SolvedPatch;
struct SolvedWheelset;

inline constexpr std::string_view kResultFileType = "slipfield-result";
inline constexpr std::string_view kWheelFileType = "slipfield-wheel-rail";
inline constexpr std::string_view kSweepFileType = "slipfield-sweep";
inline constexpr int kResultSchemaVersion = 1;

// How a run ended, as the root's attribute `outcome` says it.
enum class RunOutcome {
  converged,
  not_converged,  // at least one step did not
  incomplete      // ended by an error or an interrupt; the finished steps are there
};
std::string_view run_outcome_name(RunOutcome outcome);

// A case as it was written, before defaults, --set and the values of a program.
struct CaseSource {
  std::string file;                    // its name, without folders
  std::string text;                    // comments and all
  std::vector<std::string> overrides;  // arguments of --set, in order
};

// What a result says of its run apart from the steps.
struct ResultHeader {
  std::string title;
  std::string case_yaml;  // the resolved case
  Grid grid;
  Units units = Units::n_mm_s;
  std::string backend;
  std::string device;
  std::optional<int>
      compression{};  // level of the fields, 0 to 9; nothing: not packed, in one piece
  std::shared_ptr<const CaseSource> source{};  // null: not known
  std::vector<std::string> inputs{};  // of each file that the case names: cksum_line (checksum.h)
  // This rank's, where ranks share the grid out: a solution has them, or all. Nothing: all rows.
  std::optional<RowRange> rows{};
  // The points of a sweep that the file has, whose grids may differ. Nothing: a plain run.
  std::optional<SweepLayout> sweep{};
};

// Where a step belongs.
struct StepPlace {
  // NOLINTNEXTLINE(google-explicit-constructor): the step of a plain run is its number
  StepPlace(int step_number, int point_number = 0) : step(step_number), point(point_number) {}
  int step;   // counts the steps that ran, from 1
  int point;  // of a sweep, from 1; 0: of a plain run
};

// The names of the fields to write, in any order; nothing: all.
using FieldChoice = std::optional<std::vector<std::string>>;

// The chosen fields that a step has, as the solver names them; velocities follow from slip
// distances.
ChosenFields fields_of(const FieldChoice& choice, const StepInput& input);

// Where fields of a step come from, some at a time: at least those asked for. Called by another
// thread, for the next field while one is written.
using FieldSource = std::function<ContactSolution(const ChosenFields&)>;

// Makes the interior of a wheel's contact while it is written; its summary stays in the contact's
// report.
using InteriorMaker = std::function<std::optional<InteriorField>(const SolvedPatch&)>;

// On several ranks all ranks make every call together, except copies of steps, which one rank
// makes; the first rank makes the file, and each writes its rows of the fields.
class ResultWriter {
 public:
  // Throws InputError where the file exists and may not be replaced, or cannot be written, or a
  // field's name is unknown. A header without a grid is of steps of wheels, or of a sweep.
  // `temporary`: the name until finish(); empty: next to `path`.
  ResultWriter(const std::filesystem::path& path, const ResultHeader& header,
               const OutputRule& rule = {}, FieldChoice fields = {},
               const std::filesystem::path& temporary = {});
  // Without finish() nothing stays behind.
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  // Numbers of steps increase in each point. Written to the disk on return; a step that could not
  // be written leaves the steps before it as they were. `interior`: computed while it is written;
  // null: none.
  void write_step(StepPlace place, const StepInput& input, const StepReport& report,
                  const ContactSolution& solution, InteriorField* interior = nullptr);
  // The same of fields that come one at a time, so that two of them are in memory at most. On one
  // rank, without fields of the surfaces.
  void write_step(StepPlace place, const StepInput& input, const StepReport& report,
                  const FieldSource& source);

  // A step of a wheel, or of both wheels of a wheelset. `warnings`: as in a WheelRecord; each
  // contact also gets its own.
  void write_step(StepPlace place, SolvedWheelset& wheelset,
                  const std::vector<std::string>& warnings = {},
                  const InteriorMaker& interior = {});

  // Copies those of the steps `first` to `last` that were written into the group /steps of `part`,
  // a closed HDF5 file.
  void export_steps(int first, int last, const std::filesystem::path& part) const;
  // Takes over the steps of `part` with numbers up to `last`; as write_step for each step.
  void import_steps(const std::filesystem::path& part, int last);

  // --- Of a sweep. A point begins with its header, which has its grid, and its steps; then it is
  // finished, or dropped: quietly, where there is nothing.
  void begin_point(int point, const ResultHeader& header, FieldChoice fields);
  void finish_point(int point, RunOutcome outcome, const std::vector<std::string>& warnings = {});
  void drop_point(int point) noexcept;
  // Another sweep file, whole or not at all: this table, of points of ours, and the groups of these
  // finished points that have one.
  void write_part(const std::filesystem::path& part, const SweepTable& table,
                  const std::vector<int>& points);
  // Takes the group of a finished point from another sweep file.
  void import_point(const std::filesystem::path& part, int point);
  // The next block of the table.
  void write_rows(const SweepTable& block);

  // What is suspicious in a step, also in one that is not written or not yet, and all that the run
  // warns of, in the order of its log. Before finish(), which writes them.
  void warn(StepPlace place, const std::string& text);
  void set_warnings(std::vector<std::string> warnings);
  // Warns of contact that reaches the edge of the grid in rows so far; empty: none does.
  [[nodiscard]] std::string edge_warning() const;
  // Completes the file and moves it into place.
  void finish(RunOutcome outcome);

  [[nodiscard]] const std::filesystem::path& path() const;
  [[nodiscard]] int steps_written() const;  // of a plain run

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace slipfield
