// SPDX-License-Identifier: Apache-2.0
// slipfield convert: input files of CONTACT as case files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/report/step_table.h"
#include "io/case/reader.h"
#include "io/contact/contact_input.h"
#include "io/output_rule.h"
#include "io/pending_file.h"
#include "io/plain_text.h"
#include "io/yaml/tree.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
  std::string path;
  std::string output;
  std::string cases;
  bool overwrite = false;
  bool skip_unsupported = false;
};

// "4", "4-12".
std::optional<CaseRange> case_range(const std::string& text) {
  CaseRange range;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.first);
  if (first.ec != std::errc()) return std::nullopt;
  range.last = range.first;
  if (first.ptr != end) {
    if (*first.ptr != '-') return std::nullopt;
    const auto last = std::from_chars(first.ptr + 1, end, range.last);
    if (last.ec != std::errc() || last.ptr != end) return std::nullopt;
  }
  if (range.first < 1 || range.last < range.first) return std::nullopt;
  return range;
}

std::string check_cases(const std::string& text) {
  if (case_range(text)) return "";
  return fmt::format("\"{}\" is neither a case, such as 4, nor a range of cases, such as 4-12",
                     text);
}

// A case file and its file of heights, both under temporary names until they are committed.
class PendingCase {
 public:
  PendingCase(const ConvertedCase& converted, const fs::path& path, const OutputRule& rule)
      : converted_(&converted), case_(path, FileKind::case_file, rule) {
    if (!converted.heights.empty())
      heights_.emplace(path.parent_path() / (path.stem().string() + "_heights.txt"),
                       FileKind::table, rule);
    if (heights_) heights_->write(converted.heights, "table of heights");
    case_.write(text(Name::temporary), "case");
    check();
    case_.write(text(Name::lasting), "case");
  }

  void commit() {
    if (heights_) heights_->commit();
    case_.commit();
    const std::string cases =
        converted_->first_case == converted_->last_case
            ? fmt::format("case {}", converted_->first_case)
            : fmt::format("cases {} to {}", converted_->first_case, converted_->last_case);
    print_line(fmt::format("{} written to {}{}", cases, case_.path().string(),
                           heights_ ? " and " + heights_->path().string() : ""));
  }

 private:
  enum class Name { temporary, lasting };  // of the file of heights
  [[nodiscard]] std::string text(Name name) const {
    if (!heights_) return converted_->text("");
    const fs::path& path = name == Name::temporary ? heights_->temporary_path() : heights_->path();
    return converted_->text(double_quoted(path.filename().string()));
  }
  // Checks that the written case can run.
  void check() const {
    try {
      const std::string written = case_.temporary_path().string();
      for (std::string warning : read_case(written).warnings) {
        if (warning.starts_with(written)) warning.replace(0, written.size(), case_.path().string());
        log_warning(warning);
      }
    } catch (const InputError& error) {
      // Replaces the temporary file in the message's places by the final one.
      std::string reason = error.what();
      const std::string from = case_.temporary_path().string();
      const std::string to = case_.path().string();
      for (std::size_t at = reason.find(from); at != std::string::npos;
           at = reason.find(from, at + to.size()))
        reason.replace(at, from.size(), to);
      throw InputError(fmt::format(
          "{} not become a case that can be run:\n{}",
          converted_->first_case == converted_->last_case
              ? fmt::format("case {} does", converted_->first_case)
              : fmt::format("the cases {} to {} do", converted_->first_case, converted_->last_case),
          reason));
    }
  }

  const ConvertedCase* converted_;
  PendingFile case_;
  std::optional<PendingFile> heights_;
};

// The name of the case file; with several, numbered: case-1.yaml.
fs::path numbered(const fs::path& path, std::size_t number, std::size_t count) {
  if (count == 1) return path;
  return path.parent_path() /
         fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string());
}

// A case file must not have the ending of CONTACT's input files, which would hide its kind.
void refuse_input_name(const fs::path& output) {
  if (file_ending(output) == ".inp")
    throw InputError(output.string() +
                     ": --output names an input file of CONTACT; accepted: a case file, such as " +
                     fs::path(output).replace_extension(".yaml").string());
}

void print_summary(const ConvertedInput& input) {
  std::size_t steps = 0;
  for (const ConvertedCase& converted : input.cases)
    steps += static_cast<std::size_t>(converted.steps);
  for (const SkippedCase& skipped : input.skipped) {
    print_line(fmt::format("{} skipped, lines {} to {}:",
                           skipped.rest_of_file
                               ? fmt::format("case {} and all that follows", skipped.number)
                               : fmt::format("case {}", skipped.number),
                           skipped.first_line, skipped.last_line));
    for (const std::string& reason : skipped.reasons) print_line("  " + reason);
  }
  print_line(fmt::format("{} converted, {} skipped", counted(steps, "case"),
                         input.skipped.empty() ? "none" : std::to_string(input.skipped.size())));
}

int convert(const ConvertArguments& arguments) {
  if (has_case_name(arguments.path))
    throw InputError(arguments.path +
                     ": its name says a case of slipfield, which `slipfield run` takes as it is; "
                     "accepted: an input file of CONTACT (.inp)");
  fs::path output = arguments.output;
  if (output.empty()) output = fs::path(arguments.path).stem().string() + ".yaml";
  refuse_input_name(output);
  const OutputRule rule(overwrite_if(arguments.overwrite), {arguments.path});
  const ConvertedInput input = convert_contact_input(
      arguments.path, arguments.cases.empty() ? std::nullopt : case_range(arguments.cases),
      arguments.skip_unsupported ? Unsupported::skip : Unsupported::refuse,
      output.has_parent_path() ? output.parent_path() : fs::path("."));
  for (const std::string& warning : input.warnings) log_warning(warning);
  std::vector<std::unique_ptr<PendingCase>> files;
  for (const ConvertedCase& converted : input.cases)
    files.push_back(std::make_unique<PendingCase>(
        converted, numbered(output, files.size() + 1, input.cases.size()), rule));
  for (const auto& file : files) file->commit();
  if (arguments.skip_unsupported) print_summary(input);
  return static_cast<int>(ExitCode::done);
}

}  // namespace

void add_convert_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command =
      program.add_subcommand("convert", "Make case files of an input file of CONTACT (.inp)");
  command->add_option("file", arguments->path, "Input file of CONTACT")
      ->required()
      ->type_name("FILE.inp");
  command
      ->add_option("-o,--output", arguments->output,
                   "Case file to write (default: FILE.yaml in the current directory)")
      ->type_name("CASE.yaml");
  command->add_option("--cases", arguments->cases, "Convert these cases only, numbered from 1")
      ->type_name("N[-M]")
      ->check(CLI::Validator(check_cases, ""));
  command->add_flag(
      "--overwrite", arguments->overwrite,
      "Replace existing case files of slipfield, and their heights; never anything else");
  command->add_flag(
      "--skip-unsupported", arguments->skip_unsupported,
      "Convert the cases that are supported, and say which are not, with their lines");
  command->footer(
      "Examples:\n"
      "  slipfield convert carter2d.inp\n"
      "  slipfield convert tractcurv.inp --cases 1-29 -o curve.yaml\n"
      "Converts the cases of the basic contact module (3), or of the wheel-rail module (1), whose\n"
      "profiles are named from the case file. Cases that follow one another become the\n"
      "steps of one case file; where grid, geometry, bodies or method change, or tractions start\n"
      "again, the next file begins: CASE-1.yaml, CASE-2.yaml. What a case cannot state is "
      "refused,\n"
      "with its line, and with it the file; --skip-unsupported leaves out that case, and those "
      "that\n"
      "continue from its tractions.\n"
      "Exit codes: 0 done; 2 the input file is wrong, or has what is not supported.");
  command->callback([arguments, &action] { action = [arguments] { return convert(*arguments); }; });
}

}  // namespace slipfield
