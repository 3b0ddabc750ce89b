// SPDX-License-Identifier: Apache-2.0
// slipfield info: describes this program and this machine.
#include <fmt/format.h>
#include <spdlog/version.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/machine.h"
#include "app/report/step_table.h"
#include "gpu/cuda_device.h"
#include "io/hdf5/handle.h"
#include "io/provenance.h"
#include "io/result/field_table.h"
#include "io/result/wheel/table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

struct InfoArguments {
  bool json = false;
  bool fields = false;
};

struct Library {
  const char* name;
  std::string version;
};

std::vector<Library> libraries() {
  return {{"HDF5", hdf5::library_version()},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                              FMT_VERSION % 100)},
          {"spdlog", fmt::format("{}.{}.{}", SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH)},
          {"CLI11", CLI11_VERSION},
          {"JSON for Modern C++",
           fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                       NLOHMANN_JSON_VERSION_PATCH)}};
}

double gibibytes(std::size_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024 * 1024); }

std::string capability_text(int capability) {
  return fmt::format("{}.{}", capability / 10, capability % 10);
}

void print_info() {
  const BuildInfo& build = build_info();
  const Machine machine = describe_machine();
  const CudaStatus cuda = cuda_status();
  print_line(fmt::format("slipfield  {} ({})", build.version, build.git_commit));
  print_line(fmt::format("build      {}, {}", build.compiler, build.build_type));
  print_line(fmt::format("backends   cpu{}", cuda.built ? ", cuda" : ""));
  print_line(fmt::format("cpu        {}, {} {}, {:.1f} GiB of memory", machine.processor,
                         machine.threads, machine.threads == 1 ? "thread" : "threads",
                         gibibytes(machine.memory_bytes)));
  if (!cuda.runtime_version.empty())
    print_line(
        fmt::format("cuda       runtime {}, built with {}", cuda.runtime_version, build.cuda));
  if (cuda.devices.empty()) print_line(fmt::format("gpu        none: {}", cuda.reason));
  for (std::size_t i = 0; i < cuda.devices.size(); ++i) {
    const CudaDevice& device = cuda.devices[i];
    if (!device.unusable.empty()) {
      print_line(fmt::format("gpu {}      not used: {}", i, device.unusable));
      continue;
    }
    print_line(fmt::format(
        "gpu {}      {}, compute capability {}, {} multiprocessors, {:.1f} GiB of "
        "memory, {:.1f} free",
        i, device.name, capability_text(device.capability), device.multiprocessors,
        gibibytes(device.memory_bytes), gibibytes(cuda_free_bytes(static_cast<int>(i)))));
  }
  std::string versions;
  for (const Library& library : libraries())
    versions += fmt::format("{}{} {}", versions.empty() ? "" : ", ", library.name, library.version);
  print_line(fmt::format("libraries  {}", versions));
}

void print_info_json() {
  const BuildInfo& build = build_info();
  const Machine machine = describe_machine();
  const CudaStatus cuda = cuda_status();
  nlohmann::ordered_json document;
  document["version"] = build.version;
  document["git_commit"] = build.git_commit;
  document["compiler"] = build.compiler;
  document["build_type"] = build.build_type;
  document["backends"] = nlohmann::ordered_json::array({"cpu"});
  if (cuda.built) document["backends"].push_back("cuda");
  document["cpu"] = {{"name", machine.processor},
                     {"threads", machine.threads},
                     {"memory_bytes", machine.memory_bytes}};
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const CudaDevice& device : cuda.devices)
    devices.push_back({{"name", device.name},
                       {"compute_capability", capability_text(device.capability)},
                       {"unusable", device.unusable},
                       {"multiprocessors", device.multiprocessors},
                       {"memory_bytes", device.memory_bytes},
                       {"free_bytes", cuda_free_bytes(static_cast<int>(devices.size()))}});
  document["cuda"] = {{"built", cuda.built},
                      {"built_with", build.cuda},
                      {"runtime_version", cuda.runtime_version},
                      {"reason", cuda.reason},
                      {"devices", std::move(devices)}};
  for (const Library& library : libraries()) document["libraries"][library.name] = library.version;
  print_json(document);
}

int info(const InfoArguments& arguments) {
  if (arguments.fields)
    print_line(field_table_markdown(Units::n_mm_s) + "\n" + wheel_table_markdown(Units::n_mm_s));
  else if (arguments.json)
    print_info_json();
  else
    print_info();
  return static_cast<int>(ExitCode::done);
}

}  // namespace

void add_info_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command = program.add_subcommand(
      "info", "Version, build, backends, devices and memory of program and machine");
  CLI::Option* json = command->add_flag("--json", arguments->json, "Print one JSON document");
  command
      ->add_flag("--fields", arguments->fields,
                 "List the fields and attributes of a result instead, as Markdown")
      ->excludes(json);
  command->footer(
      "Examples:\n"
      "  slipfield info\n"
      "  slipfield info --json | jq .cuda.devices\n"
      "  slipfield info --fields\n"
      "Exit codes: 0 done; 2 the command line is wrong.");
  command->callback([arguments, &action] { action = [arguments] { return info(*arguments); }; });
}

}  // namespace slipfield
