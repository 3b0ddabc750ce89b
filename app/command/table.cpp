// SPDX-License-Identifier: Apache-2.0
// slipfield table: tables of creep forces, made and evaluated.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/report/step_table.h"
#include "app/run/solver_factory.h"
#include "gpu/cuda_device.h"
#include "io/heights/reader.h"
#include "io/output_rule.h"
#include "io/table/table_file.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"
#include "solver/table/creep_table.h"

namespace slipfield {
namespace {

struct TableArguments {
  CreepTableRequest request;
  std::string patch = "ellipse";
  std::string ratios;
  std::vector<int> knots;
  std::string output;
  std::string backend = "auto";
  std::optional<int> gpu;
  int every = 1;
  bool overwrite = false;
  bool json = false;

  std::string file;  // of eval and export
  double ratio = 1.0;
  std::vector<double> creepages;
  double spin = 0.0;
  std::vector<double> semi_axes;
  double shear_modulus = 0.0;
  double friction = 0.0;
  double force = 0.0;
  std::string points;
};

// "0.1:10:25", or "1" for a single ratio.
void take_ratios(const std::string& text, CreepTableRequest& request) {
  if (text.empty()) return;
  std::vector<double> numbers = numbers_between(text, ':').value_or(std::vector<double>{});
  constexpr double kMostKnots = 1.0e6;
  if (numbers.size() == 1) numbers = {numbers[0], numbers[0], 1.0};
  if (numbers.size() != 3 || numbers[2] != std::floor(numbers[2]) ||
      std::fabs(numbers[2]) > kMostKnots)
    throw InputError(
        fmt::format("\"{}\" is not a range of ratios a/b; accepted: FROM:TO:KNOTS, such as "
                    "0.1:10:25, or one ratio",
                    text));
  request.first_ratio = numbers[0];
  request.last_ratio = numbers[1];
  request.ratios = static_cast<int>(numbers[2]);
}

struct TableRun {
  std::filesystem::path output;
  BackendRequest backend;
  OutputRule rule;
};

// The GPU if one answers; if the CPU is chosen automatically, logs the reason.
SettledBackend settle(const BackendRequest& request) {
  constexpr std::size_t kBytes = 0;  // batches adapt to the available memory
  SettledBackend backend = settle_backend(request, kBytes);
  if (backend.choice == BackendChoice::cpu && request.choice != BackendChoice::cpu)
    log_info("on the CPU: " + backend.reason);
  return backend;
}

SolveBatch solver_on(const SettledBackend& backend) {
  return [gpu = backend.gpu, on_gpu = backend.choice == BackendChoice::cuda](
             const ContactBatch& batch, bool fields) {
    BatchOptions options;
    options.fields = fields;
    options.progress = [](std::size_t) {
      throw_if_interrupted();
      return true;
    };
    return on_gpu ? solve_batch_on_cuda(batch, options, gpu) : solve_batch_on_cpu(batch, options);
  };
}

void require_room(const CreepTableRequest& request, std::size_t entries, std::size_t on_disk,
                  const std::filesystem::path& output) {
  const std::size_t needed = creep_table_bytes(request);
  if (const std::size_t free = available_host_bytes(); free > 0 && needed > free)
    throw InputError(
        fmt::format("a table of {} entries takes {} of memory, and {} are free; "
                    "accepted: fewer knots",
                    entries, readable_bytes(needed), readable_bytes(free)));
  std::error_code error;
  const std::filesystem::path folder =
      output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (!error && on_disk > space.available)
    throw InputError(fmt::format(
        "{}: a table of {} entries takes {}, and the disk has {} left; accepted: fewer knots, or a "
        "file on another disk",
        output.string(), entries, readable_bytes(on_disk), readable_bytes(space.available)));
}

// Both throw InputError before anything is computed if the request is meaningless, the table
// exceeds memory or disk, or the rule forbids the file.
CreepTable run_table(const CreepTableRequest& request, const TableRun& run, TableOrigin& origin) {
  check_creep_table(request);
  check_output(run.output, FileKind::creep_table, run.rule);
  constexpr std::size_t kBytesOfEntry = 64;  // forces, and coefficients with what surrounds them
  const std::size_t entries = creep_table_entries(request);
  require_room(request, entries, entries * kBytesOfEntry, run.output);
  const SettledBackend backend = settle(run.backend);
  origin.backend = backend.name;
  if (backend.choice == BackendChoice::cuda) origin.device = backend.device;
  const auto begin = std::chrono::steady_clock::now();
  CreepTable table = make_creep_table(request, solver_on(backend));
  origin.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return table;
}

UsetabTable run_usetab(const CreepTableRequest& request, int every, const TableRun& run) {
  check_creep_table(request);
  check_output(run.output, FileKind::table_bytes, run.rule);
  constexpr std::size_t kBytesOfLine = 40;
  const std::size_t entries = creep_table_entries(request);
  require_room(request, entries, entries * kBytesOfLine, run.output);
  return make_usetab(request, every, solver_on(settle(run.backend)));
}

TableRun table_run(const TableArguments& arguments) {
  return {arguments.output,
          {backend_from_name(arguments.backend), arguments.gpu},
          {overwrite_if(arguments.overwrite), {}}};
}

std::string command_of(const CreepTableRequest& r, const std::string& patch) {
  return fmt::format(
      "slipfield table make --patch {} --asymmetry {} --nu {} --ratios {}:{}:{} --knots {},{},{} "
      "--elements {} --tolerance {} --checks {} --seed {}",
      patch, r.asymmetry, r.poisson_ratio, r.first_ratio, r.last_ratio, r.ratios, r.radii, r.angles,
      r.elevations, r.elements, r.tolerance, r.checks, r.seed);
}

nlohmann::ordered_json error_json(const TableError& error) {
  return {{"greatest_force_error", error.greatest_force},
          {"mean_force_error", error.mean_force},
          {"greatest_moment_error", error.greatest_moment},
          {"mean_moment_error", error.mean_moment}};
}

std::string error_line(const TableError& error, int checks) {
  return fmt::format(
      "error at {} contacts off the knots: force {:.2g} % of mu F_n at most, {:.2g} % in the mean; "
      "moment {:.2g} % of mu F_n c, {:.2g} %; of interpolation alone, without that of the grid's "
      "elements",
      checks, 100.0 * error.greatest_force, 100.0 * error.mean_force, 100.0 * error.greatest_moment,
      100.0 * error.mean_moment);
}

int make_table(TableArguments arguments) {
  watch_interrupts();
  CreepTableRequest& request = arguments.request;
  if (arguments.patch != "ellipse") request.patch = TablePatch::double_half_ellipse;
  take_ratios(arguments.ratios, request);
  if (!arguments.knots.empty()) {
    request.radii = arguments.knots[0];
    request.angles = arguments.knots[1];
    request.elevations = arguments.knots[2];
  }
  const TableRun run = table_run(arguments);
  TableOrigin origin;
  origin.command = command_of(request, arguments.patch);
  const CreepTable table = run_table(request, run, origin);
  write_table(arguments.output, table, origin, run.rule);
  if (arguments.json) {
    nlohmann::ordered_json document{{"table", arguments.output},
                                    {"entries", creep_table_entries(request)},
                                    {"seconds", origin.seconds},
                                    {"backend", origin.backend},
                                    {"solved_again", table.solved_again}};
    document.update(error_json(table.error));
    print_json(document);
    return static_cast<int>(ExitCode::done);
  }
  print_line(fmt::format("{} entries in {:.1f} s on {}{}", creep_table_entries(request),
                         origin.seconds, origin.backend == "cuda" ? origin.device : "the CPU",
                         table.solved_again == 0
                             ? ""
                             : fmt::format(", {} of them at creepages that differ by 1e-4 or more",
                                           table.solved_again)));
  print_line(error_line(table.error, request.checks));
  print_line("table: " + arguments.output);
  return static_cast<int>(ExitCode::done);
}

int make_usetab_file(const TableArguments& arguments) {
  watch_interrupts();
  const TableRun run = table_run(arguments);
  const UsetabTable table = run_usetab(arguments.request, arguments.every, run);
  write_usetab(arguments.output, table, run.rule);
  print_line(fmt::format("{} entries, table: {}", table.forces.size(), arguments.output));
  return static_cast<int>(ExitCode::done);
}

int export_table(const TableArguments& arguments) {
  const TableFile table = read_table(arguments.file);
  write_table_image(arguments.output, table, {overwrite_if(arguments.overwrite), {arguments.file}});
  print_line(
      fmt::format("{} bytes for slipfield_table_open(): {}", table.image_bytes, arguments.output));
  return static_cast<int>(ExitCode::done);
}

// Warns once of ratios outside the table, and throws if the table has no force.
class Evaluator {
 public:
  explicit Evaluator(const TableFile& file)
      : file_(file), table_(file.image.data(), file.image_bytes) {}

  TableForces at(double ratio, const std::array<double, 3>& creepage) {
    return usable(ratio, table_.at(ratio, creepage));
  }
  TableForces at(const slipfield_table_rolling& contact) {
    return usable(contact.a / contact.b, table_.at(contact));
  }

 private:
  TableForces usable(double ratio, const TableForces& forces) {
    if (forces.status == SLIPFIELD_TABLE_NOT_FINITE)
      throw InputError(
          fmt::format("the table has no force at a/b = {} and these creepages; "
                      "accepted: a/b above 0, finite numbers",
                      ratio));
    if (forces.status == SLIPFIELD_TABLE_CLAMPED && !warned_) {
      warned_ = true;
      log_warning(fmt::format("a/b = {} is outside the table's {} to {}; the nearest was taken",
                              ratio, file_.ratios.front(), file_.ratios.back()));
    }
    return forces;
  }

  const TableFile& file_;
  TableEvaluator table_;
  bool warned_ = false;
};

// With units: all four, each above 0.
std::optional<slipfield_table_rolling> contact_of(const TableArguments& arguments) {
  const bool some = !arguments.semi_axes.empty() || arguments.shear_modulus != 0.0 ||
                    arguments.friction != 0.0 || arguments.force != 0.0;
  if (!some) return std::nullopt;
  const auto positive = [](double value) { return std::isfinite(value) && value > 0.0; };
  if (arguments.semi_axes.size() != 2 || !positive(arguments.semi_axes[0]) ||
      !positive(arguments.semi_axes[1]) || !positive(arguments.shear_modulus) ||
      !positive(arguments.friction) || !positive(arguments.force))
    throw InputError(
        "a contact with units needs --semi-axes A,B, --shear-modulus, --friction and --force; "
        "accepted: all of them above 0, or none");
  return slipfield_table_rolling{
      arguments.semi_axes[0], arguments.semi_axes[1], arguments.shear_modulus, arguments.friction,
      arguments.force,        arguments.creepages[0], arguments.creepages[1],  arguments.spin};
}

int evaluate_points(const TableArguments& arguments, Evaluator& evaluator) {
  HeightsRequest request;
  request.mx = 4;
  request.default_dataset = "/points";
  request.columns = {{"ratio", "a/b", "a_over_b"},
                     {"creepage_x", "longitudinal_creepage", "xi"},
                     {"creepage_y", "lateral_creepage", "eta"},
                     {"spin", "phi"}};
  require_file(arguments.points);
  const Heights rows = read_heights(arguments.points, request);
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i + 3 < rows.values.size(); i += 4) {
    const TableForces one =
        evaluator.at(rows.values[i], {rows.values[i + 1], rows.values[i + 2], rows.values[i + 3]});
    if (arguments.json)
      document.push_back({{"force", one.force}, {"derivative", one.derivative}});
    else
      print_line(fmt::format("{:.9g} {:.9g} {:.9g}", one.force[0], one.force[1], one.force[2]));
  }
  if (arguments.json) print_json(document);
  return static_cast<int>(ExitCode::done);
}

int evaluate_table(TableArguments arguments) {
  const TableFile file = read_table(arguments.file);
  Evaluator evaluator(file);
  if (!arguments.points.empty()) return evaluate_points(arguments, evaluator);
  if (arguments.creepages.empty()) arguments.creepages = {0.0, 0.0};
  const auto contact = contact_of(arguments);
  const TableForces one =
      contact ? evaluator.at(*contact)
              : evaluator.at(arguments.ratio,
                             {arguments.creepages[0], arguments.creepages[1], arguments.spin});
  if (arguments.json) {
    print_json({{"force_x", one.force[0]},
                {"force_y", one.force[1]},
                {"moment_z", one.force[2]},
                {"derivative", one.derivative},
                {"table", error_json(file.error)}});
    return static_cast<int>(ExitCode::done);
  }
  const std::array<const char*, 3> names{"force_x", "force_y", contact ? "moment_z" : "moment_z/c"};
  print_line(fmt::format("{:10}{:>14}   d/d creepage_x, creepage_y, spin", "",
                         contact ? "" : "over mu F_n"));
  for (std::size_t i = 0; i < 3; ++i)
    print_line(fmt::format("{:10}{:14.6g}   {:.5g}, {:.5g}, {:.5g}", names.at(i), one.force[i],
                           one.derivative[3 * i], one.derivative[3 * i + 1],
                           one.derivative[3 * i + 2]));
  print_line(error_line(file.error, file.request.checks));
  return static_cast<int>(ExitCode::done);
}

void add_making_options(CLI::App& command, TableArguments& arguments, const char* output) {
  command.add_option("-o,--output", arguments.output, "The table")->required()->type_name(output);
  command
      .add_option("--elements", arguments.request.elements,
                  "Elements of each contact in each direction; default: 32")
      ->type_name("N");
  command
      .add_option("--tolerance", arguments.request.tolerance,
                  "To which each contact is solved; default: 1e-6")
      ->type_name("T");
  add_backend_option(command, arguments.backend, "Where the contacts are solved");
  add_device_option(command, arguments.gpu);
  command.add_flag("--overwrite", arguments.overwrite, "Replace an existing table");
}

void add_make(CLI::App& table, Action& action) {
  const auto arguments = std::make_shared<TableArguments>();
  CLI::App* command = table.add_subcommand("make", "Make a table of creep forces");
  add_making_options(*command, *arguments, "TABLE.h5");
  command->add_option("--patch", arguments->patch, "Shape of the contact")
      ->check(CLI::IsMember({"ellipse", "double_half_ellipse"}))
      ->capture_default_str();
  command
      ->add_option("--asymmetry", arguments->request.asymmetry,
                   "Asymmetry of a double half-ellipse: (b1 - b2)/(b1 + b2), b1 over y > 0")
      ->type_name("S");
  command->add_option("--nu", arguments->request.poisson_ratio, "Poisson's ratio; default: 0.28")
      ->type_name("NU");
  command
      ->add_option("--ratios", arguments->ratios,
                   "Ratios a/b, a in the rolling direction, evenly in the logarithm, or one ratio; "
                   "default: 0.1:10:25")
      ->type_name("FROM:TO:KNOTS");
  command
      ->add_option("--knots", arguments->knots,
                   "From creep to full sliding, between the creepages, from them to the spin; "
                   "default: 16,32,16")
      ->type_name("R,A,E")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->expected(3);
  command
      ->add_option("--checks", arguments->request.checks,
                   "Random contacts off the knots that the error is measured at; default: 2000")
      ->type_name("N");
  command->add_option("--seed", arguments->request.seed, "Seed of the random contacts; default: 1")
      ->type_name("N");
  command->add_flag("--json", arguments->json, "Print one JSON document");
  command->callback(
      [arguments, &action] { action = [arguments] { return make_table(*arguments); }; });
}

void add_usetab(CLI::App& table, Action& action) {
  const auto arguments = std::make_shared<TableArguments>();
  CLI::App* command = table.add_subcommand(
      "usetab", "Make USETAB's text table: 25 ratios, 16 x 16 x 32 creepages, nu = 0.28");
  add_making_options(*command, *arguments, "TABLE");
  command->add_option("--every", arguments->every, "Each N-th of the ratios only; default: 1")
      ->type_name("N")
      ->check(CLI::Range(1, 25).description(""));
  command->callback(
      [arguments, &action] { action = [arguments] { return make_usetab_file(*arguments); }; });
}

void add_export(CLI::App& table, Action& action) {
  const auto arguments = std::make_shared<TableArguments>();
  CLI::App* command = table.add_subcommand(
      "export", "Write the bytes that slipfield_table.h evaluates in C programs");
  command->add_option("table", arguments->file, "A table")->required()->type_name("TABLE.h5");
  command->add_option("-o,--output", arguments->output, "The bytes")
      ->required()
      ->type_name("TABLE.bin");
  command->add_flag("--overwrite", arguments->overwrite, "Replace an existing file");
  command->callback(
      [arguments, &action] { action = [arguments] { return export_table(*arguments); }; });
}

void add_eval(CLI::App& table, Action& action) {
  const auto arguments = std::make_shared<TableArguments>();
  CLI::App* command = table.add_subcommand("eval", "Forces and their derivatives, from a table");
  command->add_option("table", arguments->file, "A table")->required()->type_name("TABLE.h5");
  command->add_option("--ratio", arguments->ratio, "a/b; default: 1")->type_name("Q");
  command
      ->add_option("--creepages", arguments->creepages,
                   "creepage_x and creepage_y; without units G c^2/(mu F_n) times them, c^2 = a b")
      ->type_name("X,Y")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->expected(2);
  command->add_option("--spin", arguments->spin, "Spin; without units G c^3/(mu F_n) times it")
      ->type_name("S");
  command->add_option("--semi-axes", arguments->semi_axes, "With units: a and b")
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->expected(2);
  command->add_option("--shear-modulus", arguments->shear_modulus, "With units: G")->type_name("G");
  command->add_option("--friction", arguments->friction, "With units: mu")->type_name("MU");
  command->add_option("--force", arguments->force, "With units: normal force")->type_name("F");
  command
      ->add_option("--points", arguments->points,
                   "Forces at each row of a file: ratio, creepages and spin without units")
      ->type_name("FILE");
  command->add_flag("--json", arguments->json, "Print one JSON document");
  command->callback(
      [arguments, &action] { action = [arguments] { return evaluate_table(*arguments); }; });
}

}  // namespace

void add_table_command(CLI::App& program, Action& action) {
  CLI::App* command =
      program.add_subcommand("table", "Tables of creep forces for vehicle simulations");
  command->require_subcommand(1);
  add_make(*command, action);
  add_eval(*command, action);
  add_export(*command, action);
  add_usetab(*command, action);
  command->footer(
      "Examples:\n"
      "  slipfield table make -o creep.h5\n"
      "  slipfield table make -o round.h5 --ratios 1 --knots 10,16,10 --elements 20\n"
      "  slipfield table eval creep.h5 --ratio 1.5 --creepages -0.4,0.1 --spin 0.2\n"
      "  slipfield table eval creep.h5 --semi-axes 6,4 \\\n"
      "      --shear-modulus 82000 --friction 0.3 --force 80000 --creepages -1e-3,0\n"
      "  slipfield table export creep.h5 -o creep.bin\n"
      "  slipfield table usetab -o tabcon --elements 24\n"
      "Exit codes: 0 done; 2 the file or the command line is wrong; 3 anything else that failed.");
}

}  // namespace slipfield
