// SPDX-License-Identifier: Apache-2.0
#include "app/run/sweep/merge_sweeps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "app/console.h"
#include "app/failure.h"
#include "app/report/step_table.h"
#include "app/report/step_warnings.h"
#include "app/run/run_case.h"
#include "app/run/sweep/sweep_tally.h"
#include "io/case/sweep.h"
#include "io/checksum.h"
#include "io/output_rule.h"
#include "io/result/any_result.h"
#include "io/result/checkpoint.h"
#include "io/result/field_table.h"
#include "io/result/writer.h"
#include "io/yaml/diagnostics.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

struct Part {
  fs::path path;
  SweepOutline outline;

  [[nodiscard]] const PointRange& points() const { return outline.layout.points; }
};

fs::path checkpoint_of(const fs::path& result) { return result.string() + ".checkpoint"; }

Part read_part(const fs::path& path) {
  if (!is_taken(path) && is_taken(checkpoint_of(path)))
    throw InputError(
        fmt::format("{}: its shard has not ended, {} has what is finished; accepted: the file, "
                    "after `slipfield run CASE.yaml --shard I/N --resume`",
                    path.string(), checkpoint_of(path).string()));
  return {path, read_sweep_outline(path)};
}

// The files that the parts have read: each part names those of its points.
class FilesOfParts {
 public:
  // Throws InputError if the part read other contents than one before it.
  void add(const Part& part) {
    for (const std::string& line : part.outline.info.header.inputs) {
      const auto [found, is_new] =
          first_.try_emplace(std::string(name_in_cksum_line(line)), First{line, part.path});
      if (!is_new && found->second.line != line)
        throw InputError(fmt::format(
            "{}: read other contents of {} than {}; accepted: parts that read the same files",
            part.path.string(), found->first, found->second.path.string()));
    }
  }

 private:
  struct First {
    std::string line;
    fs::path path;  // of the part that read it first
  };
  std::map<std::string, First> first_;
};

void require_same_case(const Part& first, const Part& part) {
  const ResultHeader& a = first.outline.info.header;
  const ResultHeader& b = part.outline.info.header;
  if (a.case_yaml != b.case_yaml || first.outline.layout.shape != part.outline.layout.shape)
    throw InputError(
        fmt::format("{}: belongs to another sweep than {}; accepted: parts of one case",
                    part.path.string(), first.path.string()));
}

// Sorted by their first points.
std::vector<Part> read_parts(const std::vector<fs::path>& paths) {
  std::vector<Part> parts;
  FilesOfParts files;
  for (const fs::path& path : paths) {
    parts.push_back(read_part(path));
    files.add(parts.back());
    require_same_case(parts.front(), parts.back());
  }
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return a.points().first < b.points().first;
  });
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const PointRange both = common_points(parts[i - 1].points(), parts[i].points());
    if (both.count > 0)
      throw InputError(fmt::format("{} and {} both have {}; accepted: each point in one part",
                                   parts[i - 1].path.string(), parts[i].path.string(),
                                   points_text(both)));
  }
  return parts;
}

SweepLayout whole_of(const std::vector<Part>& parts) {
  SweepLayout layout{{}, parts.front().outline.layout.shape, {}};
  layout.points = layout.whole();
  return layout;
}

// The header of the whole: the parts' common data, and each device that ran one.
ResultHeader header_of(const std::vector<Part>& parts, const SweepLayout& whole) {
  ResultHeader header = parts.front().outline.info.header;
  header.sweep = whole;
  std::set<std::string> devices;
  std::set<std::string> backends;
  std::set<std::string> programs;
  std::set<std::string> inputs(header.inputs.begin(), header.inputs.end());
  for (const Part& part : parts) {
    const ResultInfo& info = part.outline.info;
    devices.insert(info.header.device);
    backends.insert(info.header.backend);
    programs.insert(fmt::format("{} ({})", info.program_version, info.git_commit));
    for (const std::string& line : info.header.inputs)  // each part names those of its points
      if (inputs.insert(line).second) header.inputs.push_back(line);
  }
  header.device = fmt::format("{}", fmt::join(devices, "; "));
  if (backends.size() > 1)
    log_warning("the parts ran on different backends, whose results are the same to rounding only");
  if (programs.size() > 1)
    log_warning(fmt::format("the parts were run by different versions of the program: {}",
                            fmt::join(programs, ", ")));
  return header;
}

// The values of texts as the parts' tables have them, by their place in the sweep. The case in a
// result has absolute names of files, whereas the table has the names as they were given.
class GivenTexts {
 public:
  explicit GivenTexts(const CaseSweep& values)
      : values_(values), keys_(values.inputs({1, 1})), given_(keys_.size()) {}

  void add(const Part& part) {
    if (std::ranges::all_of(keys_, &SweepInput::is_number)) return;
    for (const PointRange& block : blocks_of(part.points())) {
      const SweepTable rows = read_sweep_rows(part.path, block);
      for (const std::size_t row : rows.steps())
        if (rows.outcomes[row] != PointOutcome::not_run)
          for_each_text(rows.keys[row].point, [&](std::size_t input, std::size_t value) {
            if (const SweepInput* const of_part = rows.find_input(keys_[input].key))
              given_[input].try_emplace(value, of_part->texts[row]);
          });
    }
  }

  // A value that no part has keeps the text of the case.
  [[nodiscard]] std::vector<SweepInput> inputs(const PointRange& points) const {
    std::vector<SweepInput> inputs = values_.inputs(points);
    for (int point = points.first; point < points.end(); ++point)
      for_each_text(point, [&](std::size_t input, std::size_t value) {
        if (const auto found = given_[input].find(value); found != given_[input].end())
          inputs[input].texts[static_cast<std::size_t>(point - points.first)] = found->second;
      });
    return inputs;
  }

 private:
  // Calls `use` with the indices of each input of texts and of its value in the point.
  template <class Use>
  void for_each_text(int point, const Use& use) const {
    const std::vector<std::size_t> values = values_.values_at(point);
    for (std::size_t input = 0; input < keys_.size(); ++input)
      if (!keys_[input].is_number()) use(input, values[input]);
  }

  const CaseSweep& values_;
  std::vector<SweepInput> keys_;                           // with their first values
  std::vector<std::map<std::size_t, std::string>> given_;  // of each by the value's index
};

// The warnings of a merged sweep as one run would have them: about the case, with the numbers of
// points in all parts; about single points and kinds of points; of the comparison with expected
// numbers. Others, about the course of a part's run, are kept once.
class MergedWarnings {
 public:
  explicit MergedWarnings(const CaseSweep& values) : values_(values) {}

  // Call in the order of the points. tally: of this part.
  void add(const Part& part, const SweepTally& tally) {
    const auto points = static_cast<std::size_t>(part.points().count);
    of_ += points;
    std::vector<std::string> of_case;
    for (const std::string& text : part.outline.info.warnings)
      if (is_about_case(text)) of_case.push_back(text);
    for (const std::string& text : of_case) add_about_case(text, part.points().first, points);
    std::set<std::string> computed;  // again for all points
    for (const auto& lines : {of_case, tally.failures(), tally.warnings(of_case)})
      computed.insert(lines.begin(), lines.end());
    for (const std::string& text : part.outline.info.warnings)
      if (text == kDiffersFromExpected)
        differs_ = true;
      else if (!computed.contains(text) && !text.starts_with(kEdgeWarning))
        others_.push_back(text);
  }

  // Each once. tally: of all points; edge: ResultWriter::edge_warning().
  [[nodiscard]] std::vector<std::string> texts(const SweepTally& tally,
                                               const std::string& edge) const {
    std::vector<std::string> all;
    const auto add = [&](const std::vector<std::string>& texts) {
      for (const std::string& text : texts)
        if (std::ranges::find(all, text) == all.end()) all.push_back(text);
    };
    for (WarningOfPoints warning : about_case_) {
      warning.of = of_;
      add({warning.text()});
    }
    const std::vector<std::string> of_case = all;
    add(others_);
    add(tally.failures());
    add(tally.warnings(of_case));
    if (!edge.empty()) add({edge});
    if (differs_) add({std::string(kDiffersFromExpected)});
    return all;
  }

 private:
  // A warning about the case begins with a place in it, "case.yaml:8:18: ", or names its points.
  static bool is_about_case(const std::string& text) {
    if (WarningOfPoints::from_text(text, 0).message != text) return true;
    const std::size_t colon = text.find(": ");
    const std::string place = text.substr(0, colon);
    return colon != std::string::npos && without_numbers(place).ends_with("::");
  }

  // The place and the key, and the rest without numbers.
  static std::string kind_of(const std::string& text) {
    constexpr std::string_view kSeparator = ": ";
    std::size_t begin = text.find(kSeparator);
    if (begin != std::string::npos) begin = text.find(kSeparator, begin + kSeparator.size());
    if (begin == std::string::npos) return text;
    return text.substr(0, begin) + without_numbers(text.substr(begin));
  }

  void add_about_case(const std::string& text, int first, std::size_t points) {
    WarningOfPoints warning = WarningOfPoints::from_text(text, points);
    const auto [known, is_new] = by_kind_.try_emplace(kind_of(warning.message), about_case_.size());
    if (is_new) {
      if (warning.point.empty()) warning.point = values_.describe(first);
      about_case_.push_back(std::move(warning));
      return;
    }
    WarningOfPoints& before = about_case_[known->second];
    before.points += warning.points;
    before.differs = before.differs || warning.differs || before.message != warning.message;
  }

  const CaseSweep& values_;
  std::size_t of_ = 0;
  bool differs_ = false;
  std::vector<WarningOfPoints> about_case_;
  std::map<std::string, std::size_t> by_kind_;
  std::vector<std::string> others_;
};

class Merge {
 public:
  Merge(const fs::path& output, std::vector<Part> parts, const OutputRule& rule)
      : parts_(std::move(parts)),
        layout_(whole_of(parts_)),
        values_(read_sweep_values(parts_.front().outline.info.header.case_yaml,
                                  parts_.front().path.string() + ": /case")),
        given_(*values_),
        writer_(output, header_of(parts_, layout_), rule) {
    for (const Part& part : parts_) given_.add(part);
    if (values_->shape() != layout_.shape)
      throw InputError(parts_.front().path.string() +
                       ": its case does not have the points of its table");
  }

  MergeRecord run() {
    for (const PointRange& block : blocks_of(layout_.points)) {
      throw_if_interrupted();
      take_block(block);
    }
    for (const Part& part : parts_) {
      for (const int point : part.outline.with_fields) {
        throw_if_interrupted();
        writer_.import_point(part.path, point);
        ++record_.with_fields;
      }
    }
    const int of = shards();
    for (MissingPoints& missing : record_.missing) missing.shards = shards_text(missing.points, of);
    if (record_.counts.count(PointOutcome::not_converged) > 0)
      record_.outcome = RunOutcome::not_converged;
    if (record_.counts.with_totals() < record_.counts.points())
      record_.outcome = RunOutcome::incomplete;
    writer_.set_warnings(warnings());
    writer_.finish(record_.outcome);
    return std::move(record_);
  }

 private:
  void take_block(const PointRange& block) {
    SweepTable table = empty_sweep_block(given_.inputs(block), layout_.shape, block);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      const PointRange common = common_points(part.points(), block);
      if (common.count == 0) continue;
      const SweepTable rows = read_sweep_rows(part.path, common);
      tallies_[i].add(rows);
      std::vector<StepRows> taken;
      for (int number = common.first; number < common.end(); ++number)
        taken.push_back(rows_of_point(rows, number));
      put_points(table, std::move(taken));
    }
    for (const std::size_t row : table.steps())
      if (table.outcomes[row] == PointOutcome::not_run) note_missing(table.keys[row].point);
    record_.counts.add(table);
    tally_.add(table);
    drop_empty_columns(table);
    writer_.write_rows(table);
  }

  void note_missing(int number) {
    std::vector<MissingPoints>& missing = record_.missing;
    if (!missing.empty() && missing.back().points.end() == number)
      ++missing.back().points.count;
    else
      missing.push_back({{number, 1}, {}});
  }

  // The number of shards, 1 unless all parts are shards of the same number.
  [[nodiscard]] int shards() const {
    const int of = parts_.front().outline.layout.shard.of;
    const bool same = std::ranges::all_of(
        parts_, [of](const Part& part) { return part.outline.layout.shard.of == of; });
    return same ? of : 1;
  }
  [[nodiscard]] std::string shards_text(const PointRange& points, int of) const {
    if (of == 1) return {};
    const auto shard_of = [&](int point) {
      const auto indices = std::views::iota(1, of + 1);
      return Shard{*std::ranges::partition_point(
                       indices,
                       [&](int index) {
                         return points_of_shard({index, of}, layout_.points.count).end() <= point;
                       }),
                   of};
    };
    const Shard first = shard_of(points.first);
    const Shard last = shard_of(points.end() - 1);
    if (first.index == last.index) return "shard " + shard_text(first);
    return fmt::format("shards {} to {}", shard_text(first), shard_text(last));
  }

  // The warnings of the parts, then those of the merged sweep.
  [[nodiscard]] std::vector<std::string> warnings() const {
    MergedWarnings merged(*values_);
    for (std::size_t i = 0; i < parts_.size(); ++i) merged.add(parts_[i], tallies_[i]);
    std::vector<std::string> all = merged.texts(tally_, writer_.edge_warning());
    for (const std::string& text : logged_.texts())
      if (std::ranges::find(all, text) == all.end()) all.push_back(text);
    return all;
  }

  WarningRecord logged_;
  std::vector<Part> parts_;
  SweepLayout layout_;
  std::shared_ptr<const CaseSweep> values_;
  GivenTexts given_;
  ResultWriter writer_;
  std::vector<SweepTally> tallies_ = std::vector<SweepTally>(parts_.size());  // of each part
  SweepTally tally_;                                                          // of all points
  MergeRecord record_;
};

// Unfinished checkpoints of the same sweep next to the parts.
std::vector<fs::path> unfinished_near(const std::vector<Part>& parts) {
  std::set<fs::path> folders;
  for (const Part& part : parts) folders.insert(fs::absolute(part.path).parent_path());
  std::vector<fs::path> found;
  for (const fs::path& folder : folders) {
    std::error_code unreadable;
    for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
      fs::path name = entry.path();
      if (name.extension() != ".checkpoint") continue;
      name.replace_extension();
      const std::map<int, fs::path> kept = CheckpointFolder(name).numbered_parts();
      if (kept.empty()) continue;
      try {
        const Part part{name, read_sweep_outline(kept.rbegin()->second)};
        FilesOfParts files;
        files.add(parts.front());
        files.add(part);
        require_same_case(parts.front(), part);
        found.push_back(entry.path());
      } catch (const InputError&) {  // of another sweep
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

MergeRecord merge_sweeps(const fs::path& output, const std::vector<fs::path>& paths,
                         Overwrite overwrite) {
  const OutputRule rule(overwrite, paths);
  check_output(output, FileKind::result, rule);
  std::vector<Part> parts = read_parts(paths);
  std::vector<fs::path> unfinished = unfinished_near(parts);
  MergeRecord record = Merge(output, std::move(parts), rule).run();
  record.unfinished = std::move(unfinished);
  return record;
}

}  // namespace slipfield
