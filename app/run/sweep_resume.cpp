#include "app/run/sweep_resume.h"

#include <cmath>
#include <utility>
#include <vector>

#include "app/run/resume.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

SweepFile read_sweep_of(const CaseFile& case_file, const fs::path& path) {
  SweepFile file = read_sweep_file(path);
  require_same_case(path, case_file.resolved_yaml, file.info.header.case_yaml);
  return file;
}

}  // namespace

std::optional<FinishedPoints> find_finished_points(const CaseFile& case_file,
                                                   const fs::path& result,
                                                   const CheckpointFolder& folder) {
  std::vector<fs::path> paths;  // from the oldest on
  if (fs::exists(result)) paths.push_back(result);
  for (const auto& [number, part] : folder.sweep_parts()) paths.push_back(part);
  std::optional<FinishedPoints> found;
  for (const fs::path& path : paths) {
    SweepFile file = read_sweep_of(case_file, path);
    if (!found) found.emplace();
    found->begun = std::move(file.info);
    found->table = std::move(file.table);
    for (const int point : file.with_fields) found->fields.emplace(point, path);
  }
  return found;
}

std::optional<SweepRecord> find_complete_sweep(const CaseFile& case_file, const fs::path& result) {
  if (!fs::exists(result)) return std::nullopt;
  SweepFile file = read_sweep_of(case_file, result);
  if (file.info.outcome == run_outcome_name(RunOutcome::incomplete)) return std::nullopt;
  SweepRecord record;
  record.results = result;
  record.backend = file.info.header.backend;
  record.device = file.info.header.device;
  if (file.info.outcome != run_outcome_name(RunOutcome::converged))
    record.outcome = RunOutcome::not_converged;
  record.table = std::move(file.table);
  return record;
}

void take_row(SweepTable& table, std::size_t point, const SweepTable& from) {
  table.outcomes[point] = from.outcomes[point];
  table.messages[point] = from.messages[point];
  table.touches_edge[point] = from.touches_edge[point];
  for (SweepColumn& column : table.columns) {
    const SweepColumn* other = from.find(column.name);
    column.values[point] = other != nullptr ? other->values[point] : NAN;
  }
}

}  // namespace slipfield
