// SPDX-License-Identifier: Apache-2.0
// slipfield bench: how fast the parts are on this machine, each next to its floor.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/bench/batch.h"
#include "app/bench/battery.h"
#include "app/bench/cpu.h"
#include "app/bench/endurance.h"
#include "app/bench/families.h"
#include "app/bench/interior.h"
#include "app/bench/lu.h"
#include "app/bench/record.h"
#include "app/command/commands.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/report/step_table.h"
#include "app/run/chosen_solver.h"
#include "app/run/load_case.h"
#include "gpu/bench/cuda_bench.h"
#include "gpu/cuda_device.h"
#include "io/provenance.h"
#include "io/result/parts.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr int kLargestSize = 65536;

struct Arguments {
  std::string case_path;
  std::vector<std::string> sizes;
  std::vector<std::string> overrides;
  std::string backend = "auto";
  std::vector<int> gpus;
  int runs = 7;
  int cases = 300;
  int solves = 10000;
  int contacts = 2000;
  int compared = 20;
  int depths = 32;
  std::uint64_t seed = 1;
  std::string largest = "200x160";
  int rounds = 0;  // 0: not given
  std::string record;
  std::string compare;
  bool json = false;
};

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

BenchSizes grid_sizes(const std::vector<std::string>& words, const std::string& option = "--size") {
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

bool gpu_answers(const Arguments& arguments) {
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

BenchOutcome bench_matvec(const Arguments& arguments, bool) {
  const BenchSizes sizes = grid_sizes(arguments.sizes);
  std::vector<BenchLine> lines = cpu_bench_matvec(sizes);
  if (gpu_answers(arguments)) {
    const std::vector<BenchLine> more = cuda_bench_matvec(sizes);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  return outcome_of(lines);
}

BenchOutcome bench_reduction(const Arguments& arguments, bool) {
  const BenchSizes sizes = grid_sizes(arguments.sizes);
  return outcome_of(cuda_bench_reduction(sizes));
}

BenchOutcome bench_gauss_seidel(const Arguments& arguments, bool) {
  std::vector<int> elements;
  for (const auto& [mx, my] : grid_sizes(arguments.sizes)) elements.push_back(std::max(mx, my));
  return outcome_of(cuda_bench_gauss_seidel(elements));
}

BenchOutcome bench_lu_factors(const Arguments& arguments, bool) {
  constexpr int kLargestMatrix = 32768;
  std::vector<int> rows;
  for (const auto& [mx, my] : grid_sizes(arguments.sizes)) {
    if (mx != my || mx > kLargestMatrix)
      throw InputError(fmt::format(
          "--size {}x{}: a matrix has one size, at most {}; accepted: N as in --size 1024", mx, my,
          kLargestMatrix));
    rows.push_back(mx);
  }
  return outcome_of(bench_lu(rows, gpu_answers(arguments)));
}

BenchOutcome run_batch(const Arguments& arguments, bool) {
  BatchBenchOptions options;
  options.sizes = grid_sizes(arguments.sizes);
  options.contacts = arguments.contacts;
  options.compared = arguments.compared;
  options.seed = arguments.seed;
  std::vector<BenchLine> lines;
  if (backend_from_name(arguments.backend) != BackendChoice::cuda) lines = bench_batch(options);
  if (gpu_answers(arguments)) {
    options.gpu = true;
    const std::vector<BenchLine> more = bench_batch(options);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  return outcome_of(lines);
}

BenchOutcome run_interior(const Arguments& arguments, bool) {
  return outcome_of(bench_interior({grid_sizes(arguments.sizes), arguments.depths,
                                    backend_from_name(arguments.backend) != BackendChoice::cuda,
                                    gpu_answers(arguments)}));
}

// Each run makes a new solver; its time is that of the steps, without reading the case.
BenchOutcome bench_solve(const Arguments& arguments, bool silent) {
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
  BenchOutcome outcome;
  outcome.figures.resize(1);
  outcome.figures.front().products = products;
  BenchLine& line = outcome.figures.front().line;
  line.name = "solve on " + backend.name;
  if (!backend.gpus.empty()) line.name += fmt::format(", {} cards", backend.gpus.size());
  line.size = fmt::format("{}x{}", file.problem.grid.mx, file.problem.grid.my);
  line.milliseconds = milliseconds[milliseconds.size() / 2];
  if (!silent) {
    print_line(fmt::format("{}: {} runs, {:.4g} to {:.4g} ms, {} products, {} on coarser grids",
                           file.problem.title, milliseconds.size(), milliseconds.front(),
                           milliseconds.back(), products, coarse_products));
  }
  return outcome;
}

GridLimit largest_grid(const Arguments& arguments) {
  const auto [mx, my] = grid_sizes({arguments.largest}, "--largest").front();
  constexpr int kLeast = 8;
  if (mx < kLeast || my < kLeast) throw InputError("--largest: at least 8x8");
  return {mx, my};
}

BenchOutcome run_battery(const Arguments& arguments, bool silent) {
  return bench_battery({backend_from_name(arguments.backend), arguments.cases, arguments.seed,
                        largest_grid(arguments), silent});
}

BenchOutcome run_endurance(const Arguments& arguments, bool silent) {
  return bench_endurance({backend_from_name(arguments.backend), arguments.solves, arguments.seed,
                          largest_grid(arguments), silent});
}

BenchOutcome run_families(const Arguments& arguments, bool silent) {
  return bench_families(
      {backend_from_name(arguments.backend), grid_sizes(arguments.sizes), silent});
}

// Measures once; `silent`: prints nothing but warnings.
using Bench = BenchOutcome (*)(const Arguments& arguments, bool silent);

// Names the work that the options ask for: only figures of the same work are compared.
std::string subject_of(const std::string& kind, const Arguments& arguments) {
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

int rounds_of(const Arguments& arguments) {
  constexpr int kRecordedRounds = 5;
  const bool lasting = !arguments.record.empty() || !arguments.compare.empty();
  if (arguments.rounds == 0) return lasting ? kRecordedRounds : 1;
  if (lasting && arguments.rounds == 1)
    throw InputError(
        "--rounds 1: --record and --compare need the spread of several rounds; accepted: 2 or "
        "more");
  return arguments.rounds;
}

// Compares before it records: FILE may be the same.
std::vector<SpeedChange> keep_and_compare(const std::string& kind, const Arguments& arguments,
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

int measure(const std::string& kind, Bench function, const Arguments& arguments) {
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
  // A kind with more to say than its figures has said it.
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

CLI::App* add_kind(CLI::App& bench, const std::shared_ptr<Arguments>& arguments, Action& action,
                   const char* name, const char* text, Bench function) {
  CLI::App* kind = bench.add_subcommand(name, text);
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
  kind->callback([arguments, &action, name, function] {
    action = [arguments, name, function] { return measure(name, function, *arguments); };
  });
  return kind;
}

void add_sizes(CLI::App* kind, const std::shared_ptr<Arguments>& arguments) {
  kind->add_option("--size", arguments->sizes, "Sizes to measure instead of the usual ones")
      ->type_name("N | MXxMY")
      ->allow_extra_args(true);
}

void add_seed(CLI::App* kind, const std::shared_ptr<Arguments>& arguments,
              const std::string& description) {
  kind->add_option("--seed", arguments->seed, description)
      ->check(CLI::Validator(
          [](const std::string& text) {
            if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
              return std::string();
            return fmt::format("\"{}\" is not a seed; accepted: whole numbers from 0", text);
          },
          ""))
      ->capture_default_str();
}

void add_random_problems(CLI::App* kind, const std::shared_ptr<Arguments>& arguments) {
  add_seed(kind, arguments, "Another seed gives other cases");
  kind->add_option("--largest", arguments->largest, "Largest grid; the smallest is 8x8")
      ->type_name("MXxMY")
      ->capture_default_str();
}

void add_random_kinds(CLI::App& bench, const std::shared_ptr<Arguments>& arguments,
                      Action& action) {
  CLI::App* battery =
      add_kind(bench, arguments, action, "battery",
               "Random cases of every kind, each checked by direct summation", run_battery);
  battery->add_option("--cases", arguments->cases, "How many")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_random_problems(battery, arguments);
  CLI::App* endurance = add_kind(bench, arguments, action, "endurance",
                                 "The same random cases over and over in one process: memory that "
                                 "stays flat, results that stay the same",
                                 run_endurance);
  endurance->add_option("--solves", arguments->solves, "How many")
      ->check(CLI::Range(1, 100000000))
      ->capture_default_str();
  add_random_problems(endurance, arguments);
}

}  // namespace

void add_bench_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* bench = program.add_subcommand(
      "bench", "Measure the parts of the program on this machine, each next to its floor");
  bench->require_subcommand(1);
  add_sizes(
      add_kind(*bench, arguments, action, "matvec",
               "Products with the influence matrix: the CPU's, the GPU's, those of de Reus 2010",
               bench_matvec),
      arguments);
  add_sizes(add_kind(*bench, arguments, action, "reduction",
                     "Sums over a field on the GPU: the four ways of de Reus 2010 and ours",
                     bench_reduction),
            arguments);
  add_sizes(add_kind(*bench, arguments, action, "gauss-seidel",
                     "Sweeps over N elements in contact: the way of de Reus 2010, ours, the CPU's",
                     bench_gauss_seidel),
            arguments);
  add_sizes(add_kind(*bench, arguments, action, "lu",
                     "LU and Cholesky factors of a contact's influence matrix, with their errors",
                     bench_lu_factors),
            arguments);
  CLI::App* solve =
      add_kind(*bench, arguments, action, "solve",
               "The steps of a case, from making the solver to the last report", bench_solve);
  solve->add_option("case", arguments->case_path, "Case file (YAML)")
      ->required()
      ->type_name("CASE.yaml");
  add_set_option(*solve, arguments->overrides);
  add_devices_option(*solve, arguments->gpus);
  solve->add_option("--runs", arguments->runs, "Runs after the warm-up; their median is printed")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  CLI::App* batch = add_kind(*bench, arguments, action, "batch",
                             "Random small contacts, many at once: the time of one, on one core "
                             "and on the GPU, and its difference from the single solver",
                             run_batch);
  add_sizes(batch, arguments);
  batch->add_option("--contacts", arguments->contacts, "How many at once")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  batch->add_option("--compared", arguments->compared, "How many of them with the single solver")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  add_seed(batch, arguments, "Another seed gives other contacts");
  CLI::App* interior = add_kind(*bench, arguments, action, "interior",
                                "The stress tensor inside a body, depth by depth", run_interior);
  add_sizes(interior, arguments);
  interior->add_option("--depths", arguments->depths, "How many")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  add_random_kinds(*bench, arguments, action);
  add_sizes(add_kind(*bench, arguments, action, "families",
                     "Products of a solve by what it has besides: unlike bodies, falling friction, "
                     "second order",
                     run_families),
            arguments);
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
