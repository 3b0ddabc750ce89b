// SPDX-License-Identifier: Apache-2.0
// Writes a run as one HDF5 file: /case, /grid, /steps/0001 ..., /table of all totals, /series of
// the fields over all steps, and /VTKHDF for ParaView. For a wheel on a rail the steps have
// contacts (wheel/step_group.h) with their own grids, and the file has no grid, series or VTKHDF.
//
// A plain run is one point in the root of its file. A sweep's points whose fields were requested
// are in /points/0001, ..., each laid out like the root of a plain run but without table, series
// and VTKHDF; the table covers all points and has the attributes of table_writer.h.
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

// How a run ended: the root's attribute `outcome`.
enum class RunOutcome {
  converged,
  not_converged,  // at least one step did not
  incomplete      // ended by an error or an interrupt; the finished steps are stored
};
std::string_view run_outcome_name(RunOutcome outcome);

// A case as written, before defaults, --set and values set by a program.
struct CaseSource {
  std::string file;                    // its name, without folders
  std::string text;                    // comments and all
  std::vector<std::string> overrides;  // arguments of --set, in order
};

// Everything a result stores of its run except the steps.
struct ResultHeader {
  std::string title;
  std::string case_yaml;  // the resolved case
  Grid grid;
  Units units = Units::n_mm_s;
  std::string backend;
  std::string device;
  std::optional<int> compression{};  // level of the fields, 0 to 9; nothing: unpacked, in one piece
  std::shared_ptr<const CaseSource> source{};  // null: not known
  std::vector<std::string> inputs{};  // cksum_line (checksum.h) of each file that the case names
  // The rows of this rank if ranks share the grid: a solution has these rows, or all. Nothing: all.
  std::optional<RowRange> rows{};
  // The points of a sweep in the file, whose grids may differ. Nothing: a plain run.
  std::optional<SweepLayout> sweep{};
};

// The place of a step in the file.
struct StepPlace {
  // NOLINTNEXTLINE(google-explicit-constructor): the step of a plain run is its number
  StepPlace(int step_number, int point_number = 0) : step(step_number), point(point_number) {}
  int step;   // counts the steps that ran, from 1
  int point;  // of a sweep, from 1; 0: a plain run
};

// The names of the fields to write, in any order; nothing: all.
using FieldChoice = std::optional<std::vector<std::string>>;

// The chosen fields of a step by the solver's names; velocities are computed from slip distances.
ChosenFields fields_of(const FieldChoice& choice, const StepInput& input);

// Supplies fields of a step, at least those requested. Another thread calls it for the next field
// while one is written.
using FieldSource = std::function<ContactSolution(const ChosenFields&)>;

// Makes the interior of a wheel's contact while it is written; its summary is stored in the
// contact's report.
using InteriorMaker = std::function<std::optional<InteriorField>(const SolvedPatch&)>;

// On several ranks all ranks make every call together, except for copies of steps, which one rank
// makes. The first rank makes the file, and each writes its rows of the fields.
class ResultWriter {
 public:
  // Throws InputError if the file exists and may not be replaced, cannot be written, or if a
  // field's name is unknown. A header without a grid is for steps of wheels or a sweep.
  // `temporary`: the name until finish(); empty: next to `path`.
  ResultWriter(const std::filesystem::path& path, const ResultHeader& header,
               const OutputRule& rule = {}, FieldChoice fields = {},
               const std::filesystem::path& temporary = {});
  // Without finish() no file is left.
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  // Writes a step to the disk before it returns; numbers must increase in each point. If it fails,
  // the earlier steps are unchanged. `interior`: computed while it is written; null: none.
  void write_step(StepPlace place, const StepInput& input, const StepReport& report,
                  const ContactSolution& solution, InteriorField* interior = nullptr);
  // The same for fields that come one at a time, so that at most two are in memory. Only on one
  // rank and without fields of the surfaces.
  void write_step(StepPlace place, const StepInput& input, const StepReport& report,
                  const FieldSource& source);

  // Writes a step of a wheel or of both wheels of a wheelset. `warnings`: as in a WheelRecord; each
  // contact also gets its own.
  void write_step(StepPlace place, SolvedWheelset& wheelset,
                  const std::vector<std::string>& warnings = {},
                  const InteriorMaker& interior = {});

  // Copies the written steps among `first` to `last` into the group /steps of `part`, a closed HDF5
  // file.
  void export_steps(int first, int last, const std::filesystem::path& part) const;
  // Adds the steps of `part` with numbers up to `last`, like write_step for each.
  void import_steps(const std::filesystem::path& part, int last);

  // --- For a sweep. A point begins with its header, which has its grid, and its steps; then it is
  // finished or dropped. Dropping a point without steps is harmless.
  void begin_point(int point, const ResultHeader& header, FieldChoice fields);
  void finish_point(int point, RunOutcome outcome, const std::vector<std::string>& warnings = {});
  void drop_point(int point) noexcept;
  // Writes another sweep file, all of it or nothing: this table, with points of ours, and the
  // groups of those finished points that have one.
  void write_part(const std::filesystem::path& part, const SweepTable& table,
                  const std::vector<int>& points);
  // Moves the group of a finished point here from another sweep file.
  void import_point(const std::filesystem::path& part, int point);
  // Appends the next block of the table.
  void write_rows(const SweepTable& block);

  // Stores a warning about a step, even if it is not or not yet written, or of the run, in the
  // order of the log. Call before finish(), which writes them.
  void warn(StepPlace place, const std::string& text);
  void set_warnings(std::vector<std::string> warnings);
  // A warning if contact reaches the edge of the grid in rows so far, else empty.
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
