// SPDX-License-Identifier: Apache-2.0
#include "app/bench/record.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/machine.h"
#include "gpu/cuda_device.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kLeastChange = 0.02;  // of the median: moving code in memory changes as much

using Json = nlohmann::ordered_json;

// Explains an invalid line to a reader of the file.
[[noreturn]] void refuse_line(const std::string& path, int number, const std::string& problem) {
  throw InputError(
      fmt::format("{}: line {} {}; accepted: a file that `slipfield bench --record` wrote", path,
                  number, problem));
}

BenchRecord record_of(const Json& json, const std::string& path, int number) {
  const auto member = [&](const char* name, bool fits) {
    if (!fits) refuse_line(path, number, fmt::format("has no `{}` of a record", name));
  };
  const auto text = [&](const char* name) {
    member(name, json.contains(name) && json[name].is_string());
    return json[name].get<std::string>();
  };
  const auto count = [&](const char* name) {
    member(name, json.contains(name) && json[name].is_number_integer());
    return json[name].get<std::int64_t>();
  };
  const auto time = [&](const char* name) {
    member(name, json.contains(name) && json[name].is_number() && json[name].get<double>() >= 0.0);
    return json[name].get<double>();
  };
  BenchRecord record;
  record.date = text("date");
  record.version = text("version");
  record.commit = text("commit");
  record.machine = {text("cpu"), static_cast<int>(count("threads")), text("gpu")};
  record.kind = text("kind");
  record.subject = text("case");
  record.figure.line.name = text("name");
  record.figure.line.size = text("size");
  record.figure.line.milliseconds = time("median_ms");
  record.figure.least_ms = time("least_ms");
  record.figure.greatest_ms = time("greatest_ms");
  record.figure.rounds = static_cast<int>(count("rounds"));
  if (json.contains("products")) record.figure.products = count("products");
  return record;
}

bool is_same_figure(const BenchRecord& a, const BenchRecord& b) {
  return a.machine == b.machine && a.kind == b.kind && a.subject == b.subject &&
         a.figure.line.name == b.figure.line.name && a.figure.line.size == b.figure.line.size;
}

Speed judge(const BenchFigure& now, const BenchFigure& before) {
  const double change = now.line.milliseconds - before.line.milliseconds;
  if (std::fabs(change) <= kLeastChange * before.line.milliseconds) return Speed::same;
  if (now.least_ms > before.greatest_ms) return Speed::slower;
  return now.greatest_ms < before.least_ms ? Speed::faster : Speed::same;
}

std::string change_line(const SpeedChange& change) {
  const BenchFigure& now = change.now.figure;
  const BenchFigure& before = change.before.figure;
  std::string products;
  if (now.products != before.products)
    products = fmt::format(", products {} -> {}", before.products, now.products);
  return fmt::format(
      "{:<6} {:+7.1f} %  {}: {:.4g} ms ({:.4g} to {:.4g}), was {:.4g} ({:.4g} to {:.4g}) at {}, "
      "{}{}",
      change.speed == Speed::slower ? "slower" : "faster",
      100.0 * (now.line.milliseconds / before.line.milliseconds - 1.0),
      fmt::format("{}{}{}, {}", change.now.subject, change.now.subject.empty() ? "" : ", ",
                  now.line.name, now.line.size),
      now.line.milliseconds, now.least_ms, now.greatest_ms, before.line.milliseconds,
      before.least_ms, before.greatest_ms, change.before.commit, change.before.date, products);
}

}  // namespace

std::vector<BenchFigure> combine_rounds(const std::vector<std::vector<BenchFigure>>& rounds) {
  std::vector<BenchFigure> combined;
  for (std::size_t i = 0; i < rounds.front().size(); ++i) {
    std::vector<BenchFigure> times;
    for (const std::vector<BenchFigure>& round : rounds) times.push_back(round.at(i));
    std::sort(times.begin(), times.end(), [](const BenchFigure& a, const BenchFigure& b) {
      return a.line.milliseconds < b.line.milliseconds;
    });
    BenchFigure figure = times[times.size() / 2];
    figure.least_ms = times.front().line.milliseconds;
    figure.greatest_ms = times.back().line.milliseconds;
    figure.rounds = static_cast<int>(times.size());
    combined.push_back(std::move(figure));
  }
  return combined;
}

BenchOutcome outcome_of(const std::vector<BenchLine>& lines) {
  BenchOutcome outcome;
  for (const BenchLine& line : lines) outcome.figures.push_back({line});
  return outcome;
}

BenchMachine bench_machine() {
  BenchMachine machine{describe_machine().processor, omp_get_max_threads(), {}};
  for (const CudaDevice& device : cuda_status().devices)
    if (machine.gpu.empty() && device.unusable.empty()) machine.gpu = device.name;
  return machine;
}

std::string to_line(const BenchRecord& record) {
  const BenchFigure& figure = record.figure;
  Json json = {{"date", record.date},
               {"version", record.version},
               {"commit", record.commit},
               {"cpu", record.machine.cpu},
               {"threads", record.machine.threads},
               {"gpu", record.machine.gpu},
               {"kind", record.kind},
               {"case", record.subject},
               {"name", figure.line.name},
               {"size", figure.line.size},
               {"median_ms", figure.line.milliseconds},
               {"least_ms", figure.least_ms},
               {"greatest_ms", figure.greatest_ms},
               {"rounds", figure.rounds}};
  if (figure.products > 0) json["products"] = figure.products;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<BenchRecord> read_bench_records(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    throw InputError(fmt::format(
        "{}: it cannot be read; accepted: a file that `slipfield bench --record` wrote", path));
  std::vector<BenchRecord> records;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) refuse_line(path, number, "is not a JSON object");
    records.push_back(record_of(json, path, number));
  }
  return records;
}

void require_bench_records(const std::string& path) {
  if (std::filesystem::exists(path)) read_bench_records(path);
  append_bench_records(path, {});
}

void append_bench_records(const std::string& path, const std::vector<BenchRecord>& records) {
  std::ifstream present(path, std::ios::binary | std::ios::ate);
  std::string lines;  // the last line may have been written by hand, without its end
  if (!records.empty() && present && present.tellg() > 0 && present.seekg(-1, std::ios::end) &&
      present.get() != '\n')
    lines = "\n";
  for (const BenchRecord& record : records) lines += to_line(record) + "\n";
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << lines;
  file.close();
  if (!file)
    throw Error(fmt::format("{}: the records could not be written: {}", path,
                            std::generic_category().message(errno)));
}

std::vector<SpeedChange> compare_speed(const std::vector<BenchRecord>& now,
                                       const std::vector<BenchRecord>& before) {
  std::vector<SpeedChange> changes;
  for (const BenchRecord& record : now) {
    SpeedChange change;
    change.now = record;
    for (const BenchRecord& earlier : before) {
      if (!is_same_figure(record, earlier)) continue;
      change.before = earlier;
      change.speed = judge(record.figure, earlier.figure);
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<std::string> speed_table(const std::vector<SpeedChange>& changes,
                                     const std::string& path) {
  std::vector<std::string> lines;
  const auto count = [&changes](Speed speed) {
    return std::count_if(changes.begin(), changes.end(),
                         [speed](const SpeedChange& change) { return change.speed == speed; });
  };
  for (const Speed speed : {Speed::slower, Speed::faster})
    for (const SpeedChange& change : changes)
      if (change.speed == speed) lines.push_back(change_line(change));
  lines.push_back(fmt::format(
      "compared with {}: {} slower, {} faster, {} within the spread or 2 %, {} without an earlier "
      "record of this machine",
      path, count(Speed::slower), count(Speed::faster), count(Speed::same), count(Speed::unknown)));
  return lines;
}

nlohmann::ordered_json changes_json(const std::vector<SpeedChange>& changes) {
  Json list = Json::array();
  for (const SpeedChange& change : changes) {
    const BenchFigure& now = change.now.figure;
    const BenchFigure& before = change.before.figure;
    Json entry = {{"name", now.line.name}, {"size", now.line.size}};
    entry["speed"] =
        std::array{"unknown", "same", "faster", "slower"}[static_cast<std::size_t>(change.speed)];
    if (change.speed != Speed::unknown) {
      entry["milliseconds_before"] = before.line.milliseconds;
      entry["commit_before"] = change.before.commit;
      entry["date_before"] = change.before.date;
    }
    list.push_back(entry);
  }
  return list;
}

bool is_slower(const std::vector<SpeedChange>& changes) {
  return std::any_of(changes.begin(), changes.end(),
                     [](const SpeedChange& change) { return change.speed == Speed::slower; });
}

}  // namespace slipfield
