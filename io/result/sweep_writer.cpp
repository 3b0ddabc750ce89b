// SPDX-License-Identifier: Apache-2.0
#include "io/result/sweep_writer.h"

#include <optional>
#include <set>
#include <utility>

#include "io/result/axes/axes.h"
#include "io/result/header.h"
#include "io/result/parts.h"
#include "io/result/table_writer.h"
#include "io/result/warnings.h"

namespace slipfield {
namespace {

void attach_axes(hid_t point) {
  write_axes(point, hdf5::link_names(hdf5::open_group(point, std::string(kStepsGroup)).id()));
}

}  // namespace

struct SweepWriter::State {
  PendingFile pending;
  ResultHeader header;
  hdf5::Handle file{};                      // closed before `pending` removes or moves the file
  hdf5::Handle points{};                    // made with the first point
  std::optional<TableWriter> rows{};        // made with the first block
  std::set<std::filesystem::path> tried{};  // parts whose points can be read

  void need_points() {
    if (!points) points = hdf5::create_group(file.id(), std::string(kPointsGroup));
  }

  template <typename Write>
  void guarded(Write write) {
    guarded_write(pending.path(), write);
  }
};

SweepWriter::SweepWriter(const std::filesystem::path& path, const ResultHeader& header,
                         const OutputRule& rule, const std::filesystem::path& temporary)
    : state_(new State{PendingFile(path, FileKind::result, rule, temporary), header}) {
  state_->guarded([&] {
    state_->file = hdf5::create_file(state_->pending.temporary_path());
    write_result_header(state_->file.id(), header, kSweepFileType);
    hdf5::flush(state_->file);
  });
}

SweepWriter::~SweepWriter() {
  state_->rows.reset();
  state_->points.discard();
  state_->file.discard();
}

const std::filesystem::path& SweepWriter::path() const { return state_->pending.path(); }

void SweepWriter::write_step(int point, const ResultHeader& header, const FieldChoice& fields,
                             int number, const StepInput& input, const StepReport& report,
                             const ContactSolution& solution) {
  state_->guarded([&] {
    state_->need_points();
    const std::string name = numbered_name(point);
    const std::string steps = name + "/" + std::string(kStepsGroup);
    if (!hdf5::has_link(state_->points.id(), name)) {
      const hdf5::Handle group = hdf5::create_group(state_->points.id(), name);
      write_result_header(group.id(), header, kResultFileType);
      write_grid(group.id(), header.grid, header.units);
      hdf5::create_group(state_->points.id(), steps);
    }
    const hdf5::Handle group = hdf5::open_group(state_->points.id(), steps);
    write_step_group(group.id(), header, fields, number, input, report, solution);
  });
}

void SweepWriter::finish_point(int point, RunOutcome outcome,
                               const std::vector<std::string>& warnings) {
  state_->guarded([&] {
    const hdf5::Handle group = hdf5::open_group(state_->points.id(), numbered_name(point));
    write_warnings(group.id(), warnings);
    attach_axes(group.id());
    replace_outcome(group.id(), outcome);
  });
}

void SweepWriter::drop_point(int point) noexcept {
  if (state_->points) hdf5::remove_link(state_->points.id(), numbered_name(point));
}

void SweepWriter::write_part(const std::filesystem::path& part, const SweepTable& table,
                             const SweepLayout& layout, const std::vector<int>& points) {
  SweepWriter copy(part, state_->header, Overwrite::allow);
  copy.state_->guarded([&] {
    for (const int point : points) {
      const std::string name = numbered_name(point);
      if (!state_->points || !hdf5::has_link(state_->points.id(), name)) continue;
      copy.state_->need_points();
      hdf5::copy_group(state_->points.id(), name, copy.state_->points.id(), name);
    }
  });
  copy.write_rows(table, {table.points(), layout.shape, layout.shard});
  copy.finish(RunOutcome::incomplete, {});
}

void SweepWriter::import_point(const std::filesystem::path& part, int point) {
  if (!state_->tried.contains(part)) {
    try_in_child(part, [&] {
      read_guarded(
          part, [&] { hdf5::read_group(hdf5::open_file(part).id(), std::string(kPointsGroup)); });
    });
    state_->tried.insert(part);
  }
  const hdf5::Handle file = hdf5::open_file(part);
  const hdf5::Handle points = hdf5::open_group(file.id(), std::string(kPointsGroup));
  state_->guarded([&] {
    state_->need_points();
    const std::string name = numbered_name(point);
    hdf5::copy_group(points.id(), name, state_->points.id(), name);
    attach_axes(hdf5::open_group(state_->points.id(), name).id());
  });
}

void SweepWriter::write_rows(const SweepTable& block, const SweepLayout& layout) {
  state_->guarded([&] {
    if (!state_->rows) {
      state_->rows.emplace(state_->file.id(), state_->header.units);
      state_->rows->describe(layout);
    }
    state_->rows->write(block, block.points() == layout.points);
  });
}

void SweepWriter::finish(const SweepTable& table, RunOutcome outcome, const std::string& warning) {
  write_rows(table, {table.points(), table.shape, {}});
  finish(outcome, warning);
}

void SweepWriter::finish(RunOutcome outcome, const std::string& warning,
                         const std::vector<std::string>& warnings) {
  state_->guarded([&] {
    write_warnings(state_->file.id(), warnings);
    if (!warning.empty()) hdf5::write_attribute(state_->file.id(), "warning", warning);
    if (state_->rows) state_->rows->finish();
    state_->rows.reset();
    hdf5::flush(state_->file);
    if (outcome != RunOutcome::incomplete) replace_outcome(state_->file.id(), outcome);
    if (state_->points) state_->points.close("H5Gclose", "/points");
    state_->file.close("H5Fclose", state_->pending.temporary_path().string());
  });
  state_->pending.commit();
}

}  // namespace slipfield
