// SPDX-License-Identifier: Apache-2.0
#include "io/result/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "io/checksum.h"
#include "io/hdf5/child_reading.h"
#include "io/hdf5/handle.h"
#include "io/pending_file.h"
#include "io/provenance.h"
#include "io/result/field_table.h"
#include "io/result/interior/group.h"
#include "io/result/parts.h"
#include "io/result/step_attributes.h"
#include "io/result/warnings.h"
#include "io/result/wheel/step_group.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFileType = "slipfield-checkpoint";
constexpr std::int64_t kSchemaVersion = 3;
constexpr const char* kUnfinished = "unfinished.h5";
constexpr std::string_view kNumberedPart = "points";

struct Part {
  int first = 0;
  int last = 0;
  fs::path path;
};

// "steps-0001-0004.h5" and "state-0004.h5" as numbers; nothing for other names.
std::optional<std::vector<int>> numbers_of(std::string_view name, std::string_view prefix) {
  constexpr std::string_view kEnd = ".h5";
  if (name.substr(0, prefix.size()) != prefix || name.size() < prefix.size() + kEnd.size() ||
      name.substr(name.size() - kEnd.size()) != kEnd)
    return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(kEnd.size());
  std::vector<int> numbers;
  while (!name.empty()) {
    if (name.front() != '-') return std::nullopt;
    int number = 0;
    const char* end = name.data() + name.size();
    const auto [rest, failure] = std::from_chars(name.data() + 1, end, number);
    if (failure != std::errc()) return std::nullopt;
    numbers.push_back(number);
    name.remove_prefix(static_cast<std::size_t>(rest - name.data()));
  }
  return numbers;
}

struct Contents {
  std::vector<Part> parts;        // by their first step
  std::map<int, fs::path> state;  // by the step it follows
};

Contents contents_of(const fs::path& folder) {
  Contents contents;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (const auto steps = numbers_of(name, "steps"); steps && steps->size() == 2)
      contents.parts.push_back({(*steps)[0], (*steps)[1], entry.path()});
    if (const auto state = numbers_of(name, "state"); state && state->size() == 1)
      contents.state[(*state)[0]] = entry.path();
  }
  std::sort(contents.parts.begin(), contents.parts.end(),
            [](const Part& a, const Part& b) { return a.first < b.first; });
  return contents;
}

// Creates a file of the folder through `write`, all of it or nothing.
template <typename Write>
void write_file(const fs::path& path, const std::vector<fs::path>& inputs, Write write) {
  PendingFile pending(path, FileKind::checkpoint, {Overwrite::allow, inputs});
  {
    hdf5::Handle file = hdf5::create_file(pending.temporary_path());
    try {
      hdf5::write_attribute(file.id(), "file_type", kFileType);
      hdf5::write_attribute(file.id(), "schema_version", kSchemaVersion);
      write(pending.temporary_path(), file);
    } catch (...) {
      file.discard();
      throw;
    }
    file.close("H5Fclose", path.string());
  }
  pending.append(checksum_end(pending.temporary_path()), "checkpoint");
  pending.commit();
}

// Opens a file that has passed require_checksum().
hdf5::Handle open_checkpoint(const fs::path& path) {
  hdf5::Handle file = hdf5::open_file(path);
  if (hdf5::read_string_attribute(file.id(), "file_type") != kFileType ||
      hdf5::read_integer_attribute(file.id(), "schema_version") != kSchemaVersion)
    throw InputError(path.string() + ": this is not a checkpoint that this program reads");
  return file;
}

template <std::size_t N>
void write_numbers(hid_t group, std::string_view name,
                   const std::optional<std::array<double, N>>& numbers) {
  if (!numbers) return;
  hdf5::write_attribute(group, std::string(name), std::span<const double>(*numbers));
}

// Numbers of a step from which wear and warnings follow and that results do not hold.
constexpr const char* kGivenToBodies = "given_to_bodies";
constexpr const char* kStoredWork = "stored_work";

void write_report(hid_t reports, const ResultHeader& header, int number, const FinishedStep& step) {
  if (step.wheelset) {
    const FieldChoice none(std::in_place);
    write_wheel_step(reports, header, none, number, *step.wheelset, step.warnings, {});
    return;
  }
  const hdf5::Handle group = hdf5::create_group(reports, numbered_name(number));
  write_step_attributes(group.id(), step.input, step.report);
  if (step.report.given_to_bodies)
    hdf5::write_attribute(group.id(), kGivenToBodies, *step.report.given_to_bodies);
  hdf5::write_attribute(group.id(), kStoredWork, step.report.stored_work);
  write_numbers(group.id(), kSensitivitiesName, step.report.sensitivities);
  write_numbers(group.id(), kApproachSensitivitiesName, step.report.approach_sensitivities);
}

// `steps`: the fields and interiors of the steps that have any.
Checkpoint::Step read_report(hid_t reports, hid_t steps, int number, const fs::path& path) {
  const std::string name = numbered_name(number);
  const bool written = hdf5::has_link(steps, name);
  const hdf5::Handle group = hdf5::open_group(reports, name);
  Checkpoint::Step step;
  if (is_wheel_step(group.id())) {
    WheelRecord wheel = read_wheel_step(written ? steps : reports, name, path);
    step.report.outcome = wheel.outcome;
    step.report.message = wheel.message;
    step.wheel = std::make_shared<const WheelRecord>(std::move(wheel));
    return step;
  }
  StepInput input;
  read_step_attributes(group.id(), path, input, step.report);
  if (hdf5::has_attribute(group.id(), kGivenToBodies))
    step.report.given_to_bodies = hdf5::read_double_attribute(group.id(), kGivenToBodies);
  if (hdf5::has_attribute(group.id(), kStoredWork))
    step.report.stored_work = hdf5::read_double_attribute(group.id(), kStoredWork);
  if (!written) return step;
  for (InteriorBody& body : read_interior(hdf5::open_group(steps, name).id(), path))
    step.report.interior.push_back(std::move(body.summary));
  return step;
}

void read_state(const fs::path& path, Checkpoint& checkpoint) {
  const hdf5::Handle file = open_checkpoint(path);
  checkpoint.program = hdf5::read_string_attribute(file.id(), "program");
  checkpoint.backend = hdf5::read_string_attribute(file.id(), "backend");
  checkpoint.device = hdf5::read_string_attribute(file.id(), "device");
  checkpoint.case_yaml = hdf5::read_text(file.id(), "case");
  if (hdf5::has_link(file.id(), std::string(kFilesName)))
    checkpoint.inputs = split_lines(hdf5::read_text(file.id(), std::string(kFilesName)));
  const hdf5::Handle state = hdf5::open_group(file.id(), "state");
  for (const std::string& name : hdf5::link_names(state.id()))
    checkpoint.state[name] = hdf5::read_doubles(state.id(), name);
}

void read_reports(const Part& part, Checkpoint& checkpoint) {
  const hdf5::Handle file = open_checkpoint(part.path);
  const hdf5::Handle reports = hdf5::open_group(file.id(), "reports");
  const hdf5::Handle steps = hdf5::open_group(file.id(), std::string(kStepsGroup));
  for (int number = part.first; number <= part.last; ++number)
    checkpoint.steps.push_back(read_report(reports.id(), steps.id(), number, part.path));
}

}  // namespace

std::string checkpoint_program() {
  return fmt::format("{} ({})", build_info().version, build_info().git_commit);
}

InputError no_such_result(const fs::path& path) {
  const CheckpointFolder folder(path);
  if (!folder.holds_anything()) return InputError(path.string() + ": there is no such file");
  return InputError(fmt::format(
      "{}: there is no such file, its run has not ended; `slipfield run CASE.yaml -o {} --resume` "
      "continues from {}",
      path.string(), path.string(), folder.path().string()));
}

CheckpointFolder::CheckpointFolder(const fs::path& result, std::vector<fs::path> inputs)
    : path_(PendingFile::target(result).string() + ".checkpoint"), inputs_(std::move(inputs)) {}

CheckpointFolder::~CheckpointFolder() {
  if (descriptor_ < 0) return;
  std::error_code not_empty;
  fs::remove(path_, not_empty);
  close(descriptor_);
}

fs::path CheckpointFolder::unfinished_result() const { return path_ / kUnfinished; }

bool CheckpointFolder::holds_anything() const {
  return !contents_of(path_).state.empty() || !numbered_parts().empty();
}

std::optional<int> CheckpointFolder::continues_after() const {
  const Contents contents = contents_of(path_);
  if (contents.state.empty()) return 0;
  int last = 0;
  for (const Part& part : contents.parts)
    if (part.first == last + 1) last = part.last;
  if (last < contents.state.rbegin()->first) return std::nullopt;
  return contents.state.rbegin()->first;
}

std::map<int, fs::path> CheckpointFolder::numbered_parts() const {
  std::map<int, fs::path> parts;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const auto number = numbers_of(entry.path().filename().string(), kNumberedPart);
    if (number && number->size() == 1) parts[number->front()] = entry.path();
  }
  return parts;
}

void CheckpointFolder::require_sound(const fs::path& part) const {
  try {
    require_checksum(part);
  } catch (const InputError& error) {
    throw damaged(error);
  }
}

InputError CheckpointFolder::damaged(const Error& error) const {
  return InputError(path_.string() + ": the checkpoint is damaged (" + error.what() +
                    "); --overwrite starts again");
}

fs::path CheckpointFolder::numbered_part(int number) const {
  return path_ / fmt::format("{}-{:04}.h5", kNumberedPart, number);
}

void CheckpointFolder::hold() {
  constexpr int kAttempts = 10;  // the previous run may be removing it
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (mkdir(path_.c_str(), 0777) != 0 && errno != EEXIST)
      throw InputError(path_.string() + ": the folder for checkpoints cannot be made: " +
                       std::generic_category().message(errno));
    const int descriptor = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
      if (errno == ENOENT) continue;
      throw InputError(path_.string() + ": cannot be opened as a folder for checkpoints: " +
                       std::generic_category().message(errno));
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(descriptor);
      throw InputError(path_.string() +
                       ": another run is writing this result; wait for it, or name another file "
                       "with -o");
    }
    struct stat held {};
    struct stat named {};
    if (fstat(descriptor, &held) == 0 && stat(path_.c_str(), &named) == 0 &&
        held.st_ino == named.st_ino) {
      descriptor_ = descriptor;
      remove_unfinished();
      return;
    }
    close(descriptor);
  }
  throw InputError(path_.string() + ": the folder for checkpoints disappears while it is opened");
}

// Removes the unfinished result of a run that was killed.
void CheckpointFolder::remove_unfinished() const {
  const fs::path file = unfinished_result();
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return;
  if (!may_remove(file))
    throw InputError(file.string() +
                     ": the file is where the unfinished result belongs, and is not one; move it "
                     "elsewhere, or name another result with -o");
  unlink(file.c_str());
}

bool CheckpointFolder::may_remove(const fs::path& file) const {
  return is_replaceable(file, FileKind::checkpoint, inputs_);
}

Checkpoint CheckpointFolder::read() {
  Checkpoint checkpoint;
  const Contents contents = contents_of(path_);
  if (contents.state.empty()) {
    clear();
    return checkpoint;
  }
  const int last = contents.state.rbegin()->first;
  const fs::path& state = contents.state.rbegin()->second;
  std::set<fs::path> used = {state};
  try {
    require_checksum(state);
    try_in_child(state, [&] { read_state(state, checkpoint); });
    read_state(state, checkpoint);
    for (const Part& part : contents.parts) {
      if (part.last > last) break;
      const bool follows = part.first == static_cast<int>(checkpoint.steps.size()) + 1;
      if (!follows) throw InputError(part.path.string() + ": the steps before it are missing");
      require_checksum(part.path);
      try_in_child(part.path, [&] { read_reports(part, checkpoint); });
      read_reports(part, checkpoint);
      checkpoint.parts.push_back(part.path);
      used.insert(part.path);
    }
  } catch (const Error& error) {
    throw damaged(error);
  }
  if (static_cast<int>(checkpoint.steps.size()) != last)
    throw InputError(path_.string() +
                     ": finished steps are missing in the checkpoint; --overwrite starts again");
  checkpoint.last_step = last_written_ = last;
  remove_except(used);
  return checkpoint;
}

void CheckpointFolder::add(FinishedStep step) { added_.push_back(std::move(step)); }

void CheckpointFolder::write(const ResultHeader& header, const ResultWriter& writer,
                             const SolverState& state) {
  const int first = last_written_ + 1;
  const int last = last_written_ + static_cast<int>(added_.size());
  if (last < first) return;
  write_file(path_ / fmt::format("steps-{:04}-{:04}.h5", first, last), inputs_,
             [&](const fs::path& name, hdf5::Handle& file) {
               hdf5::create_group(file.id(), std::string(kStepsGroup));
               {
                 const hdf5::Handle reports = hdf5::create_group(file.id(), "reports");
                 int number = first;
                 for (const FinishedStep& step : added_)
                   write_report(reports.id(), header, number++, step);
               }
               file.close("H5Fclose", name.string());
               writer.export_steps(first, last, name);
             });
  write_file(path_ / fmt::format("state-{:04}.h5", last), inputs_,
             [&](const fs::path&, hdf5::Handle& file) {
               hdf5::write_attribute(file.id(), "program", checkpoint_program());
               hdf5::write_attribute(file.id(), "backend", header.backend);
               hdf5::write_attribute(file.id(), "device", header.device);
               hdf5::write_text(file.id(), "case", header.case_yaml);
               if (!header.inputs.empty())
                 hdf5::write_text(file.id(), std::string(kFilesName), joined_lines(header.inputs));
               const hdf5::Handle group = hdf5::create_group(file.id(), "state");
               for (const auto& [name, values] : state) {
                 const std::array shape = {values.size()};
                 hdf5::write_dataset(group.id(), name, std::span<const double>(values), shape);
               }
             });
  std::error_code ignored;
  if (last_written_ > 0) fs::remove(path_ / fmt::format("state-{:04}.h5", last_written_), ignored);
  last_written_ = last;
  added_.clear();
}

void CheckpointFolder::clear() {
  remove_except({});
  last_written_ = 0;
  added_.clear();
}

// Files with other names are not ours and stay.
void CheckpointFolder::remove_except(const std::set<fs::path>& kept) const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string whole = name.substr(0, name.find(".partial-"));
    const bool ours = numbers_of(whole, "steps") || numbers_of(whole, "state") ||
                      numbers_of(whole, kNumberedPart);
    std::error_code failed;
    if (ours && kept.count(entry.path()) == 0 && may_remove(entry.path()))
      fs::remove(entry.path(), failed);
  }
}

}  // namespace slipfield
