// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "app/command/commands.h"
#include "app/command/python_options.h"
#include "io/case/of_result.h"
#include "io/plain_text.h"
#include "io/result/any_result.h"
#include "io/result/checkpoint.h"
#include "io/result/header.h"
#include "io/result/reader.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr int kLastStep = -1;  // of an option, until settle_step()

bool counts_from_one(const std::string& text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  return failure == std::errc() && rest == end && value > 0;
}

CLI::Option& counted_from_one(CLI::Option& option, const std::string& what) {
  return *option.type_name("N")
              ->group(kSelectionGroup)
              ->check(CLI::Validator(
                  [what](const std::string& text) {
                    if (counts_from_one(text)) return std::string();
                    return fmt::format("\"{}\" is not a {}; accepted: 1 or more", text, what);
                  },
                  ""));
}

}  // namespace

CLI::Option& add_point_option(CLI::App& command, int& point, const std::string& description) {
  return counted_from_one(*command.add_option("--point", point, description), "point");
}

void require_selection(const std::vector<std::string>& paths, const Selection& selection) {
  const bool names_contact = selection.contact > 0 || !selection.side.empty();
  const auto is_sweep = [](const std::string& path) { return kind_of(path) == ResultKind::sweep; };
  const bool sweep = std::any_of(paths.begin(), paths.end(), is_sweep);
  if (selection.side == "both" && selection.contact > 0)
    throw InputError("--side both: contacts belong to one wheel; accepted: left or right");
  for (const std::string& path : paths) {
    if (file_type_of(path).empty()) continue;  // no result, which its reader says
    if (selection.point > 0 && !sweep)
      throw InputError(path + ": this is not a sweep, and has no points; accepted: no --point");
    if (!names_contact || kind_of(path) == ResultKind::wheel) continue;
    if (is_sweep(path) && has_section(read_sweep_outline(path).info.header, "wheel_rail")) continue;
    throw InputError(fmt::format(
        "{}: this is {}, not a wheel on a rail; accepted: no --side and no --contact", path,
        is_sweep(path) ? "a sweep over one contact" : "the result of one contact"));
  }
}

CLI::Option& add_side_option(CLI::App& command, std::string& side, const std::string& description,
                             bool or_both) {
  return *command.add_option("--side", side, description)
              ->type_name(or_both ? "left|right|both" : "left|right")
              ->group(kSelectionGroup)
              ->check(CLI::Validator(
                  [or_both](const std::string& text) {
                    if (text == "left" || text == "right" || (or_both && text == "both"))
                      return std::string();
                    return fmt::format("there is no side \"{}\"; accepted: left{}", text,
                                       or_both ? ", right or both" : " or right");
                  },
                  ""));
}

CLI::Option& add_contact_option(CLI::App& command, int& contact, const std::string& more) {
  return counted_from_one(
      *command.add_option("--contact", contact,
                          "The contact of a wheel on a rail; without --side counted through both "
                          "wheels" +
                              more),
      "contact");
}

void add_step_option(CLI::App& command, int& step, const std::string& description) {
  command.add_option("--step", step, description)
      ->type_name("N|last")
      ->group(kSelectionGroup)
      ->transform(CLI::Validator(
          [](std::string& text) {
            if (text == "last") {
              text = std::to_string(kLastStep);
              return std::string();
            }
            if (counts_from_one(text)) return std::string();
            return fmt::format("\"{}\" is not a step; accepted: 1 or more, or last", text);
          },
          ""));
}

void settle_step(const std::vector<std::string>& paths, int point, int& step) {
  if (step != kLastStep) return;
  step = 0;
  for (const std::string& path : paths) {
    if (file_type_of(path).empty()) continue;  // no result, which its reader says
    const int of = point_in(path, point);
    if (kind_of(path, of) == ResultKind::sweep) continue;  // its rows are of last steps
    const int last = read_steps(path, of).steps.back().number;
    if (step != 0 && step != last)
      throw InputError(fmt::format(
          "--step last: the last step of {} is {}, of {} {}; accepted: the number of a step",
          paths.front(), step, path, last));
    step = last;
  }
}

void add_selection_options(CLI::App& command, Selection& selection, const std::string& step_text) {
  add_point_option(command, selection.point, "This point of a sweep");
  add_step_option(command, selection.step, step_text);
  add_side_option(command, selection.side,
                  "The wheel of a wheelset, or the numbers of both together; default: all", true);
  add_contact_option(command, selection.contact, "");
}

void add_backend_option(CLI::App& command, std::string& backend, const std::string& description) {
  command.add_option("--backend", backend, description)
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->group(kComputingGroup)
      ->capture_default_str();
}

namespace {

const CLI::Validator& gpu_number() {
  static const CLI::Validator validator(
      [](const std::string& text) {
        if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
          return std::string();
        return fmt::format("\"{}\" is not a GPU; GPUs are numbered from 0", text);
      },
      "");
  return validator;
}

}  // namespace

void add_device_option(CLI::App& command, std::optional<int>& gpu) {
  command
      .add_option("--device", gpu,
                  "Run on this GPU of several, as `slipfield info` numbers them; default: 0")
      ->type_name("N")
      ->group(kComputingGroup)
      ->check(gpu_number());
}

void add_devices_option(CLI::App& command, std::vector<int>& gpus) {
  CLI::Option* devices = command
                             .add_option("--devices", gpus,
                                         "GPUs that share the rows of the grid, or the points of a "
                                         "sweep; for a trial the same one several times: 0,0")
                             ->type_name("N,N,...")
                             ->group(kComputingGroup)
                             ->delimiter(',')
                             ->allow_extra_args(false)
                             ->check(gpu_number());
  if (CLI::Option* device = command.get_option_no_throw("--device")) devices->excludes(device);
}

void add_set_option(CLI::App& command, std::vector<std::string>& overrides) {
  command
      .add_option(
          "--set", overrides,
          "Replace a value of the case, by one in a file after @; may be given several times")
      ->type_name("key.path=value")
      ->group(kCaseGroup)
      ->allow_extra_args(false);
}

std::optional<std::vector<double>> numbers_between(std::string_view text, char separator) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    double number = 0.0;
    const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, number);
    if (error != std::errc() || rest != text.data() + end || !std::isfinite(number))
      return std::nullopt;
    numbers.push_back(number);
    begin = end + 1;
  }
  return numbers;
}

void require_file(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::status(path, failed).type() == std::filesystem::file_type::not_found)
    throw no_such_result(path);
}

void add_python_options(CLI::App& command, std::span<const PythonOption> options,
                        GivenOptions& values) {
  for (const PythonOption& option : options)
    command.add_option(option.name, values[option.name], option.help)
        ->type_name(option.type)
        ->group(option.group);
}

std::vector<std::string> passed_options(const GivenOptions& values) {
  std::vector<std::string> passed;
  for (const auto& [option, value] : values)
    if (!value.empty()) passed.push_back(fmt::format("{}={}", option, value));
  return passed;
}

void require_png(const std::string& plot) {
  if (!plot.empty() && file_ending(plot) != ".png")
    throw InputError(plot +
                     ": the figure is a PNG, and its name says so; accepted: names that end in "
                     ".png");
}

std::unique_ptr<PendingFile> pass_output(std::vector<std::string>& passed, const std::string& path,
                                         FileKind kind, const OutputRule& rule,
                                         const std::string& option) {
  if (path.empty()) return nullptr;
  auto file = std::make_unique<PendingFile>(path, kind, rule);
  passed.push_back(fmt::format("{}={}", option, file->temporary_path().string()));
  return file;
}

void commit_output(PendingFile& file) {
  if (!std::filesystem::exists(file.temporary_path()))
    throw Error(fmt::format("{}: Python wrote no such file", file.path().string()));
  file.commit();
}

}  // namespace slipfield
