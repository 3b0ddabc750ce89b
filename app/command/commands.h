// SPDX-License-Identifier: Apache-2.0
// The commands of the program: each adds its options to the command line and, if the user names it,
// sets the action that main() runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace slipfield {

// Headings of options in the help.
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kSelectionGroup = "Which part of the file";
inline constexpr const char* kCaseGroup = "The case";
inline constexpr const char* kComputingGroup = "Where it is computed";

using Action = std::function<int()>;  // returns the exit code; errors leave as exceptions

// Options shared by several commands. --point: a point of a sweep, from 1; 0: not given.
// --point, --step, --side and --contact.
struct Selection;
// Throws InputError if a file has no such part: a result of one contact has no side or contact, and
// --point needs a sweep among the files.
void require_selection(const std::vector<std::string>& paths, const Selection& selection);
// --step N or last; settle_step() gives the last one its number before the step is used. Throws
// InputError if the files have different ones.
void add_step_option(CLI::App& command, int& step, const std::string& description);
void settle_step(const std::vector<std::string>& paths, int point, int& step);
void add_selection_options(CLI::App& command, Selection& selection, const std::string& step_text);
CLI::Option& add_point_option(CLI::App& command, int& point, const std::string& description);
// --side; or_both: for a wheelset also accepts both wheels together.
CLI::Option& add_side_option(CLI::App& command, std::string& side, const std::string& description,
                             bool or_both);
// more: text added to the option's description.
CLI::Option& add_contact_option(CLI::App& command, int& contact, const std::string& more);
void add_backend_option(CLI::App& command, std::string& backend, const std::string& description);
void add_device_option(CLI::App& command, std::optional<int>& gpu);
// Adds --devices 0,1, which excludes --device if the command already has that.
void add_devices_option(CLI::App& command, std::vector<int>& gpus);
void add_set_option(CLI::App& command, std::vector<std::string>& overrides);

// Parses "0:8:33" or "0,1" into its numbers; nothing for any other text.
std::optional<std::vector<double>> numbers_between(std::string_view text, char separator);

// Checks a file named on the command line that is neither a case nor a result. Throws InputError if
// it does not exist; the readers' own messages would explain where a case looks for it.
void require_file(const std::string& path);

void add_new_command(CLI::App& program, Action& action);
void add_run_command(CLI::App& program, Action& action);
void add_life_command(CLI::App& program, Action& action);
void add_check_command(CLI::App& program, Action& action);
void add_convert_command(CLI::App& program, Action& action);
void add_geometry_command(CLI::App& program, Action& action);
void add_inspect_command(CLI::App& program, Action& action);
void add_interior_command(CLI::App& program, Action& action);
void add_surface_command(CLI::App& program, Action& action);
void add_table_command(CLI::App& program, Action& action);
void add_wear_command(CLI::App& program, Action& action);
void add_plot_command(CLI::App& program, Action& action);
void add_export_command(CLI::App& program, Action& action);
void add_report_command(CLI::App& program, Action& action);
void add_merge_command(CLI::App& program, Action& action);
void add_compare_command(CLI::App& program, Action& action);
void add_bench_command(CLI::App& program, Action& action);
void add_info_command(CLI::App& program, Action& action);
void add_schema_command(CLI::App& program, Action& action);
void add_completion_command(CLI::App& program, Action& action);
void add_manual_command(CLI::App& program, Action& action);
void add_help_command(CLI::App& program, Action& action);

}  // namespace slipfield
