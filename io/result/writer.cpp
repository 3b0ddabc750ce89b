#include "io/result/writer.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "io/hdf5/handle.h"
#include "io/result/field_table.h"
#include "io/result/header.h"
#include "io/result/parts.h"
#include "io/result/vtk.h"

namespace slipfield {

namespace {

constexpr std::size_t kMostHeld = 256;  // steps

// Steps are written at most a few times a second, and less often where writing takes long.
class WritePace {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool due() const { return Clock::now() >= next_; }
  template <typename Write>
  void time(Write write) {
    constexpr auto kPause = std::chrono::milliseconds(250);
    const Clock::time_point begin = Clock::now();
    write();
    const Clock::time_point end = Clock::now();
    next_ = end + std::max<Clock::duration>(kPause, 4 * (end - begin));
  }

 private:
  Clock::time_point next_ = Clock::now();  // the first step is written at once
};

}  // namespace

std::string_view run_outcome_name(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::converged:
      return "converged";
    case RunOutcome::not_converged:
      return "not_converged";
    case RunOutcome::incomplete:
      return "incomplete";
  }
  return "";
}

// A step that is not in the file yet.
struct HeldStep {
  int number = 0;
  StepInput input;
  StepReport report;
  ContactSolution solution;
};

struct ResultWriter::State {
  PendingFile pending;
  ResultHeader header;
  FieldChoice fields;
  hdf5::Handle file{};  // closed before `pending` removes or moves the file
  std::vector<WrittenStep> written{};
  std::vector<int> edge_steps{};
  std::vector<HeldStep> held{};
  WritePace pace{};

  void write(const HeldStep& step);
  void write_held();
  void write_held_or_drop();
  void note_written(const HeldStep& step);
  void complete(RunOutcome outcome);

  template <typename Write>
  void guarded(Write write) {
    guarded_write(pending.path(), write);
  }
};

void ResultWriter::State::write(const HeldStep& step) {
  const hdf5::Handle steps = hdf5::open_group(file.id(), std::string(kStepsGroup));
  write_step_group(steps.id(), header, fields, step.number, step.input, step.report, step.solution);
}

// A flush that fails leaves the library unable to write what comes after it. Where that may happen
// each step is written by itself, so that at most one is lost.
bool has_room(const std::filesystem::path& file) {
  constexpr std::uintmax_t kPlenty = std::uintmax_t{1} << 30U;
  std::error_code error;
  struct rlimit file_size {};
  return std::filesystem::space(file, error).available >= kPlenty && !error &&
         getrlimit(RLIMIT_FSIZE, &file_size) == 0 && file_size.rlim_cur == RLIM_INFINITY;
}

// All steps and one flush, which looks at all that the library holds in memory.
void ResultWriter::State::write_held() {
  if (held.empty()) return;
  const std::vector<HeldStep> batch = std::exchange(held, {});
  const auto write_range = [&](std::size_t first, std::size_t last) {
    try {
      for (std::size_t i = first; i < last; ++i) write(batch[i]);
      hdf5::flush(file);
    } catch (const Hdf5Error&) {
      const hdf5::Handle steps = hdf5::open_group(file.id(), std::string(kStepsGroup));
      for (std::size_t i = first; i < last; ++i)
        hdf5::remove_link(steps.id(), numbered_name(batch[i].number));
      throw;
    }
    for (std::size_t i = first; i < last; ++i) note_written(batch[i]);
  };
  pace.time([&] {
    try {
      write_range(0, batch.size());
    } catch (const Hdf5Error&) {
      if (batch.size() > 1) held = batch;  // whoever writes next is told again
      throw;
    }
  });
}

// A run that ends early may do so because the disk is full: the steps before are kept.
void ResultWriter::State::write_held_or_drop() {
  try {
    write_held();
  } catch (const Hdf5Error&) {
    held.clear();
  }
}

void ResultWriter::State::note_written(const HeldStep& step) {
  std::vector<std::string> names;
  for (const std::string& name : field_names(step.input))
    if (writes_field(fields, name)) names.push_back(name);
  written.push_back({numbered_name(step.number), step.number, std::move(names)});
  if (step.report.touches_edge) edge_steps.push_back(step.number);
}

void ResultWriter::State::complete(RunOutcome outcome) {
  const hid_t root = file.id();
  if (!edge_steps.empty())
    hdf5::write_attribute(root, "warning",
                          fmt::format("{} ({} of the steps, first in step {})", kEdgeWarning,
                                      edge_steps.size(), edge_steps.front()));
  if (!written.empty()) {
    // A run that ended early may have done so on a full disk: links take next to no space.
    const bool whole = outcome != RunOutcome::incomplete;
    write_vtk(file, std::string(kStepsGroup), header.grid,
              whole ? written : std::vector{written.back()});
  }
  hdf5::flush(file);
  if (outcome != RunOutcome::incomplete) {  // which it is from its beginning on
    replace_outcome(root, outcome);
    hdf5::flush(file);
  }
  file.close("H5Fclose", pending.temporary_path().string());
}

ResultWriter::ResultWriter(const std::filesystem::path& path, const ResultHeader& header,
                           const OutputRule& rule, FieldChoice fields,
                           const std::filesystem::path& temporary)
    : state_(new State{PendingFile(path, FileKind::result, rule, temporary), header,
                       std::move(fields)}) {
  const std::vector<std::string> known = field_names();
  for (const std::string& name : state_->fields.value_or(std::vector<std::string>()))
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("there is no field \"" + name + "\" to write");
  state_->guarded([&] {
    state_->file = hdf5::create_file(state_->pending.temporary_path());
    const hid_t root = state_->file.id();
    write_result_header(root, header, kResultFileType);
    write_grid(root, header.grid, header.units);
    hdf5::create_group(root, std::string(kStepsGroup));
    hdf5::flush(state_->file);
  });
}

ResultWriter::~ResultWriter() {
  if (state_) state_->file.discard();
}

const std::filesystem::path& ResultWriter::path() const { return state_->pending.path(); }
int ResultWriter::steps_written() const {
  return static_cast<int>(state_->written.size() + state_->held.size());
}

void ResultWriter::write_step(int number, const StepInput& input, const StepReport& report,
                              const ContactSolution& solution) {
  state_->held.push_back({number, input, report, solution});
  if (state_->held.size() >= kMostHeld || state_->pace.due()) write_held();
}

void ResultWriter::write_held() {
  state_->guarded([&] { state_->write_held(); });
}

void ResultWriter::export_steps(int first, int last, const std::filesystem::path& part) {
  write_held();
  const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kStepsGroup));
  hdf5::Handle file = hdf5::change_file(part);
  {
    const hdf5::Handle copies = hdf5::open_group(file.id(), std::string(kStepsGroup));
    for (int number = first; number <= last; ++number) {
      const std::string name = numbered_name(number);
      if (hdf5::has_link(steps.id(), name)) hdf5::copy_group(steps.id(), name, copies.id(), name);
    }
  }
  file.close("H5Fclose", part.string());
}

void ResultWriter::import_steps(const std::filesystem::path& part, int last) {
  try_in_child(part, [&] {
    read_guarded(part,
                 [&] { hdf5::read_group(hdf5::open_file(part).id(), std::string(kStepsGroup)); });
  });
  const hdf5::Handle file = hdf5::open_file(part);
  const hdf5::Handle copies = hdf5::open_group(file.id(), std::string(kStepsGroup));
  std::vector<int> numbers;
  for (const std::string& name : hdf5::link_names(copies.id()))
    numbers.push_back(step_number(name, part));
  std::sort(numbers.begin(), numbers.end());
  state_->guarded([&] {
    const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kStepsGroup));
    for (const int number : numbers) {
      if (number > last) break;
      const std::string name = numbered_name(number);
      hdf5::copy_group(copies.id(), name, steps.id(), name);
      const hdf5::Handle step = hdf5::open_group(copies.id(), name);
      WrittenStep written{name, number, {}};
      for (const std::string& field : field_names())
        if (hdf5::has_link(step.id(), field)) written.fields.push_back(field);
      state_->written.push_back(std::move(written));
      if (hdf5::has_attribute(step.id(), "warning")) state_->edge_steps.push_back(number);
    }
    hdf5::flush(state_->file);
  });
}

void ResultWriter::finish(RunOutcome outcome) {
  try {
    if (outcome == RunOutcome::incomplete)
      state_->write_held_or_drop();
    else
      write_held();
    state_->guarded([&] { state_->complete(outcome); });
  } catch (const Error& error) {
    if (state_->written.empty()) throw;
    state_->pending.keep();
    throw Error(fmt::format("{}; what could be written is in {}", error.what(),
                            state_->pending.temporary_path().string()));
  }
  state_->pending.commit();
}

}  // namespace slipfield
