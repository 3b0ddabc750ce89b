// SPDX-License-Identifier: Apache-2.0
// slipfield bench: measures the speed of the parts on this machine, with lower bounds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/bench/cpu.h"
#include "app/bench/kinds.h"
#include "app/bench/lu.h"
#include "app/command/commands.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/step_table.h"
#include "app/run/load_case.h"
#include "app/run/solver_factory.h"
#include "gpu/bench/cuda_bench.h"
#include "gpu/cuda_device.h"
#include "io/provenance.h"
#include "io/result/parts.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr int kLargestSize = 65536;

int positive_number(std::string_view text, const std::string& option, const std::string& whole) {
  int value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || value < 1 ||
      value > kLargestSize) {
    throw InputError(fmt::format(
        "{} {}: not a size; accepted: N or MXxMY with numbers from 1 to {}, as 512 or 128x64",
        option, whole, kLargestSize));
  }
  return value;
}

BenchSizes grid_sizes(const std::vector<std::string>& words, const std::string& option) {
  BenchSizes sizes;
  for (const std::string& word : words) {
    const std::string_view text = word;
    const std::size_t cross = text.find('x');
    const int mx = positive_number(text.substr(0, cross), option, word);
    const int my = cross == std::string_view::npos
                       ? mx
                       : positive_number(text.substr(cross + 1), option, word);
    sizes.push_back({mx, my});
  }
  return sizes;
}

}  // namespace

BenchSizes sizes_of(const BenchArguments& arguments, BenchSizes usual) {
  return arguments.sizes.empty() ? std::move(usual) : grid_sizes(arguments.sizes, "--size");
}

GridLimit largest_grid(const BenchArguments& arguments) {
  const auto [mx, my] = grid_sizes({arguments.largest}, "--largest").front();
  constexpr int kLeast = 8;
  if (mx < kLeast || my < kLeast) throw InputError("--largest: at least 8x8");
  return {mx, my};
}

bool gpu_answers(const BenchArguments& arguments) {
  const BackendChoice choice = backend_from_name(arguments.backend);
  if (choice == BackendChoice::cpu) return false;
  const CudaStatus status = cuda_status();
  const std::string message =
      status.devices.empty() ? "no GPU answers: " + status.reason : status.devices.front().unusable;
  if (message.empty()) return true;
  if (choice == BackendChoice::cuda) throw Error("backend cuda: " + message);
  log_info(message + "; the CPU alone is measured");
  return false;
}

bool measures_cpu(const BenchArguments& arguments) {
  return backend_from_name(arguments.backend) != BackendChoice::cuda;
}

namespace {

nlohmann::ordered_json figures_json(const std::vector<BenchFigure>& figures) {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const BenchFigure& figure : figures) {
    const BenchLine& line = figure.line;
    nlohmann::ordered_json entry = {{"name", line.name},
                                    {"size", line.size},
                                    {"milliseconds", line.milliseconds},
                                    {"gflops", line.gflops},
                                    {"gbytes_per_second", line.gbytes_per_second},
                                    {"floor_ms", line.floor_ms}};
    if (line.error >= 0.0) entry["error"] = line.error;
    if (figure.products > 0) entry["products"] = figure.products;
    if (figure.rounds > 1) {
      entry["least_ms"] = figure.least_ms;
      entry["greatest_ms"] = figure.greatest_ms;
      entry["rounds"] = figure.rounds;
    }
    lines.push_back(entry);
  }
  return lines;
}

void print_figures(const std::vector<BenchFigure>& figures) {
  const bool several = figures.front().rounds > 1;
  print_line(fmt::format("{:<34} {:>16} {:>11}{} {:>9} {:>9} {:>10} {:>8} {:>9}", "name", "size",
                         "ms", several ? fmt::format(" {:>11} {:>11}", "least", "greatest") : "",
                         "GFLOP/s", "GB/s", "floor ms", "ratio", "error"));
  const auto optional = [](double value, const char* format) {
    return value > 0.0 ? fmt::format(fmt::runtime(format), value) : std::string("-");
  };
  for (const BenchFigure& figure : figures) {
    const BenchLine& line = figure.line;
    const double ratio = line.floor_ms > 0.0 ? line.milliseconds / line.floor_ms : 0.0;
    print_line(fmt::format(
        "{:<34} {:>16} {:>11.5g}{} {:>9} {:>9} {:>10} {:>8} {:>9}", line.name, line.size,
        line.milliseconds,
        several ? fmt::format(" {:>11.5g} {:>11.5g}", figure.least_ms, figure.greatest_ms) : "",
        optional(line.gflops, "{:.0f}"), optional(line.gbytes_per_second, "{:.0f}"),
        optional(line.floor_ms, "{:.4g}"), optional(ratio, "{:.2f}"),
        line.error >= 0.0 ? fmt::format("{:.1e}", line.error) : "-"));
  }
}

BenchOutcome bench_matvec(const BenchArguments& arguments, bool) {
  const BenchSizes sizes = sizes_of(arguments);
  std::vector<BenchLine> lines = cpu_bench_matvec(sizes);
  if (gpu_answers(arguments)) {
    const std::vector<BenchLine> more = cuda_bench_matvec(sizes);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  return outcome_of(lines);
}

BenchOutcome bench_reduction(const BenchArguments& arguments, bool) {
  return outcome_of(cuda_bench_reduction(sizes_of(arguments)));
}

BenchOutcome bench_gauss_seidel(const BenchArguments& arguments, bool) {
  std::vector<int> elements;
  for (const auto& [mx, my] : sizes_of(arguments)) elements.push_back(std::max(mx, my));
  return outcome_of(cuda_bench_gauss_seidel(elements));
}

BenchOutcome bench_lu_factors(const BenchArguments& arguments, bool) {
  constexpr int kLargestMatrix = 32768;
  std::vector<int> rows;
  for (const auto& [mx, my] : sizes_of(arguments)) {
    if (mx != my || mx > kLargestMatrix)
      throw InputError(fmt::format(
          "--size {}x{}: a matrix has one size, at most {}; accepted: N as in --size 1024", mx, my,
          kLargestMatrix));
    rows.push_back(mx);
  }
  return outcome_of(bench_lu(rows, gpu_answers(arguments)));
}

// Each run makes a new solver; its time includes the steps but not reading the case.
BenchOutcome bench_solve(const BenchArguments& arguments, bool silent) {
  const CaseFile file = load_case(arguments.case_path, arguments.overrides);
  if (file.wheel_rail)
    throw InputError(
        arguments.case_path +
        ": `bench solve` times the steps of one contact, and this is a wheel on a rail; accepted: "
        "a case without 'wheel_rail', or `slipfield run`, whose result has wheel_seconds for each "
        "step");
  const SettledBackend backend =
      settle_backend({backend_from_name(arguments.backend), {}, arguments.gpus}, file.problem);
  log_backend(backend, file.problem);
  std::vector<double> milliseconds;
  std::int64_t products = 0;
  std::int64_t coarse_products = 0;
  for (int run = 0; run <= arguments.runs; ++run) {
    const auto solver =
        make_solver(backend, file.problem, [](const Progress&) { throw_if_interrupted(); });
    double seconds = 0.0;
    products = coarse_products = 0;
    for (const StepInput& step : file.problem.steps) {
      for (int i = 0; i < step.repeat; ++i) {
        const StepReport report = solver->advance(step);
        if (report.outcome != Outcome::converged) log_warning(report.message);
        seconds += report.seconds;
        products += report.matrix_products;
        coarse_products += report.matrix_products_coarse;
      }
    }
    if (run > 0) milliseconds.push_back(1.0e3 * seconds);  // the first is the warm-up
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const std::string cards =
      backend.gpus.empty() ? "" : fmt::format(", {} cards", backend.gpus.size());
  BenchOutcome outcome =
      outcome_of({{"solve on " + backend.name + cards,
                   fmt::format("{}x{}", file.problem.grid.mx, file.problem.grid.my),
                   milliseconds[milliseconds.size() / 2]}});
  outcome.figures.front().products = products;
  if (!silent) {
    print_line(fmt::format("{}: {} runs, {:.4g} to {:.4g} ms, {} products, {} on coarser grids",
                           file.problem.title, milliseconds.size(), milliseconds.front(),
                           milliseconds.back(), products, coarse_products));
  }
  return outcome;
}

// Measures once; `silent`: prints nothing but warnings.
using Bench = BenchOutcome (*)(const BenchArguments& arguments, bool silent);

// Names the work that the options request: only figures of the same work are compared.
std::string subject_of(const std::string& kind, const BenchArguments& arguments) {
  if (kind == "solve") {
    std::string subject = std::filesystem::path(arguments.case_path).lexically_normal();
    for (const std::string& change : arguments.overrides) subject += " " + change;
    return subject;
  }
  if (kind == "batch")
    return fmt::format("{} contacts, seed {}", arguments.contacts, arguments.seed);
  if (kind == "battery") return fmt::format("up to {}, seed {}", arguments.largest, arguments.seed);
  if (kind == "endurance")
    return fmt::format("{} solves up to {}, seed {}", arguments.solves, arguments.largest,
                       arguments.seed);
  return {};
}

int rounds_of(const BenchArguments& arguments) {
  constexpr int kRecordedRounds = 5;
  const bool lasting = !arguments.record.empty() || !arguments.compare.empty();
  if (arguments.rounds == 0) return lasting ? kRecordedRounds : 1;
  if (lasting && arguments.rounds == 1)
    throw InputError(
        "--rounds 1: --record and --compare need the spread of several rounds; accepted: 2 or "
        "more");
  return arguments.rounds;
}

// Compares before it records, because FILE may be the same.
std::vector<SpeedChange> keep_and_compare(const std::string& kind, const BenchArguments& arguments,
                                          const std::vector<BenchFigure>& figures) {
  std::vector<BenchRecord> records;
  for (const BenchFigure& figure : figures)
    records.push_back({utc_now(), build_info().version, build_info().git_commit, bench_machine(),
                       kind, subject_of(kind, arguments), figure});
  std::vector<SpeedChange> changes;
  if (!arguments.compare.empty())
    changes = compare_speed(records, read_bench_records(arguments.compare));
  if (!arguments.record.empty()) append_bench_records(arguments.record, records);
  return changes;
}

int measure(const std::string& kind, Bench function, const BenchArguments& arguments) {
  const int rounds = rounds_of(arguments);
  // Before the measurement, which may take hours.
  if (!arguments.compare.empty()) read_bench_records(arguments.compare);
  if (!arguments.record.empty()) require_bench_records(arguments.record);
  std::vector<std::vector<BenchFigure>> measured;
  BenchOutcome outcome;
  for (int round = 0; round < rounds; ++round) {
    BenchOutcome next = function(arguments, arguments.json || round > 0);
    measured.push_back(next.figures);
    next.exit_code = std::max(next.exit_code, outcome.exit_code);
    outcome = std::move(next);
  }
  outcome.figures = combine_rounds(measured);
  const std::vector<SpeedChange> changes = keep_and_compare(kind, arguments, outcome.figures);
  // A kind with its own document has already printed everything.
  const bool shows_figures = outcome.document == nullptr || rounds > 1;
  if (arguments.json) {
    nlohmann::ordered_json document;
    if (outcome.document) document = *outcome.document;
    if (shows_figures) document["lines"] = figures_json(outcome.figures);
    if (!arguments.compare.empty()) document["changes"] = changes_json(changes);
    print_json(document);
  } else {
    if (shows_figures) print_figures(outcome.figures);
    if (!arguments.compare.empty())
      for (const std::string& line : speed_table(changes, arguments.compare)) print_line(line);
  }
  return is_slower(changes) ? std::max(outcome.exit_code, static_cast<int>(ExitCode::not_converged))
                            : outcome.exit_code;
}

struct BenchKind {
  const char* name = "";
  const char* text = "";
  Bench function = nullptr;
  bool has_sizes = true;
};
constexpr std::array kKinds = {
    BenchKind{"matvec",
              "Products with the influence matrix: the CPU's, the GPU's, those of de Reus 2010",
              bench_matvec},
    BenchKind{"reduction", "Sums over a field on the GPU: the four ways of de Reus 2010 and ours",
              bench_reduction},
    BenchKind{"gauss-seidel",
              "Sweeps over N elements in contact: the way of de Reus 2010, ours, the CPU's",
              bench_gauss_seidel},
    BenchKind{"lu", "LU and Cholesky factors of a contact's influence matrix, with their errors",
              bench_lu_factors},
    BenchKind{"solve", "The steps of a case, from making the solver to the last report",
              bench_solve, false},
    BenchKind{
        "batch",
        "Random small contacts, many at once: the time of one, on one core and on the GPU, and "
        "its difference from the single solver",
        bench_batch},
    BenchKind{"interior", "The stress tensor inside a body, depth by depth", bench_interior},
    BenchKind{"battery", "Random cases of every kind, each checked by direct summation",
              bench_battery, false},
    BenchKind{"endurance",
              "The same random cases over and over in one process: memory that stays flat, results "
              "that stay the same",
              bench_endurance, false},
    BenchKind{"families",
              "Products of a solve by what it has besides: unlike bodies, laws of friction, second "
              "order, layers",
              bench_families},
};

using SharedArguments = std::shared_ptr<BenchArguments>;

void add_kind(CLI::App& bench, const SharedArguments& arguments, Action& action,
              const BenchKind& of_kind) {
  CLI::App* kind = bench.add_subcommand(of_kind.name, of_kind.text);
  add_backend_option(*kind, arguments->backend, "What to measure");
  kind->add_option(
          "--rounds", arguments->rounds,
          "Number of measurements, of which the median and the spread are printed. Default: 1, "
          "with --record or --compare 5")
      ->check(CLI::Range(1, 1000));
  kind->add_option("--record", arguments->record,
                   "Append a line of JSON for each figure, with machine and version, to FILE")
      ->type_name("FILE");
  kind->add_option("--compare", arguments->compare,
                   "Print what changed beyond the spread against this machine's last records in "
                   "FILE; exit code 1 if anything is slower by more than 2 % besides")
      ->type_name("FILE");
  kind->add_flag("--json", arguments->json, "Print one JSON document");
  kind->callback([arguments, &action, &of_kind] {
    action = [arguments, &of_kind] { return measure(of_kind.name, of_kind.function, *arguments); };
  });
  if (of_kind.has_sizes)
    kind->add_option("--size", arguments->sizes, "Sizes to measure instead of the usual ones")
        ->type_name("N | MXxMY")
        ->allow_extra_args(true);
}

void add_count(CLI::App& kind, const char* option, int& count, int least, int most,
               const char* description = "How many") {
  kind.add_option(option, count, description)
      ->check(CLI::Range(least, most))
      ->capture_default_str();
}

void add_seed(CLI::App& kind, const SharedArguments& arguments, const std::string& description) {
  kind.add_option("--seed", arguments->seed, description)
      ->check(CLI::Validator(
          [](const std::string& text) {
            if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
              return std::string();
            return fmt::format("\"{}\" is not a seed; accepted: whole numbers from 0", text);
          },
          ""))
      ->capture_default_str();
}

void add_random_problems(CLI::App& kind, const SharedArguments& arguments) {
  add_seed(kind, arguments, "Another seed gives other cases");
  kind.add_option("--largest", arguments->largest, "Largest grid; the smallest is 8x8")
      ->type_name("MXxMY")
      ->capture_default_str();
}

}  // namespace

void add_bench_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<BenchArguments>();
  CLI::App* bench = program.add_subcommand(
      "bench", "Measure the parts of the program on this machine, each next to its floor");
  bench->require_subcommand(1);
  for (const BenchKind& kind : kKinds) add_kind(*bench, arguments, action, kind);
  CLI::App& solve = *bench->get_subcommand("solve");
  solve.add_option("case", arguments->case_path, "Case file (YAML)")
      ->required()
      ->type_name("CASE.yaml");
  add_set_option(solve, arguments->overrides);
  add_devices_option(solve, arguments->gpus);
  add_count(solve, "--runs", arguments->runs, 1, 1000,
            "Runs after the warm-up; their median is printed");
  CLI::App& batch = *bench->get_subcommand("batch");
  add_count(batch, "--contacts", arguments->contacts, 1, 1000000, "How many at once");
  add_count(batch, "--compared", arguments->compared, 0, 1000000,
            "How many of them with the single solver");
  add_seed(batch, arguments, "Another seed gives other contacts");
  add_count(*bench->get_subcommand("interior"), "--depths", arguments->depths, 1, 100000);
  CLI::App& battery = *bench->get_subcommand("battery");
  add_count(battery, "--cases", arguments->cases, 1, 1000000);
  add_random_problems(battery, arguments);
  CLI::App& endurance = *bench->get_subcommand("endurance");
  add_count(endurance, "--solves", arguments->solves, 1, 100000000);
  add_random_problems(endurance, arguments);
  bench->footer(
      "Examples:\n"
      "  slipfield bench matvec --size 256 512 --json\n"
      "  slipfield bench lu --size 1024 4096\n"
      "  slipfield bench solve cases/cattaneo_shift.yaml --set grid.elements=[128,128]\n"
      "  slipfield bench batch --size 32 48 --contacts 20000\n"
      "  slipfield bench interior --size 512 --depths 64\n"
      "  slipfield bench battery --cases 1000 --seed 7\n"
      "  slipfield bench endurance --solves 10000 --largest 40x36\n"
      "  slipfield bench solve cases/steady_spin.yaml --record speed.jsonl\n"
      "  slipfield bench solve cases/steady_spin.yaml --compare speed.jsonl\n"
      "The floor is the method's flops or bytes over the rates measured on this machine.\n"
      "Exit codes: 0 done; 1 slower than recorded, or battery, endurance or families found a "
      "failure;\n2 the command line or the case is wrong; 3 anything else that failed.");
}

}  // namespace slipfield
