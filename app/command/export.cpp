// SPDX-License-Identifier: Apache-2.0
// slipfield export: numbers of a result for spreadsheets and papers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <set>

#include "app/command/commands.h"
#include "app/console.h"
#include "app/export/table.h"
#include "app/figures/python.h"
#include "app/report/incomplete.h"
#include "app/report/step_table.h"
#include "app/report/totals_table.h"
#include "io/pending_file.h"
#include "io/plain_text.h"
#include "io/result/any_result.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "io/result/wheel/table.h"
#include "io/yaml/suggestion.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr const char* kColumnsGroup = "Rows and columns";

struct ExportArguments {
  std::string path;
  std::string output;  // empty: standard output
  std::string format;  // empty: by the ending
  std::vector<std::string> quantities;
  std::vector<std::string> fields;
  std::string along;
  std::optional<std::array<double, 2>> at;
  Selection selection;
  bool long_format = false;
  bool overwrite = false;
};

std::string check_exported(const std::string& name, const std::vector<std::string>& names,
                           std::string_view what) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return "";
  return fmt::format("there is no {} \"{}\"; {}", what, name, near_words(name, names, kAllNames));
}

enum class TableFormat { csv, latex, parquet };

TableFormat format_of(const ExportArguments& arguments) {
  const std::string ending = file_ending(arguments.output);
  const std::string& format = arguments.format;
  for (const auto& [other, of] :
       {std::pair(".csv", "csv"), std::pair(".tex", "latex"), std::pair(".parquet", "parquet")})
    if (!format.empty() && ending == other && format != of)
      throw InputError(fmt::format("{}: the ending says {}, and --format {}; accepted: one of them",
                                   arguments.output, of, format));
  if (format == "latex" || (format.empty() && ending == ".tex")) return TableFormat::latex;
  if (format == "parquet" || (format.empty() && ending == ".parquet")) {
    if (arguments.output.empty())
      throw InputError("--format parquet: it is not text; accepted: with -o TABLE.parquet");
    return TableFormat::parquet;
  }
  if (!format.empty() || arguments.output.empty() || ending == ".csv") return TableFormat::csv;
  throw InputError(
      fmt::format("{}: the ending does not say a format; accepted: .csv, .tex, .parquet, or "
                  "--format csv|latex|parquet",
                  arguments.output));
}

bool is_latex(const ExportArguments& arguments) {
  return format_of(arguments) == TableFormat::latex;
}

// Converts the table's CSV to Parquet by Python; `texts`: the columns of texts. Returns its exit
// code.
int write_parquet(const std::set<std::size_t>& texts, const std::string& csv,
                  const PendingFile& file) {
  return run_python_module(
      kParquet, {file.temporary_path().string(), fmt::format("{}", fmt::join(texts, ","))}, csv);
}

void print_written(std::size_t rows, std::size_t columns, const ExportArguments& arguments) {
  print_line(fmt::format("{} of {} written to {}", counted(rows, "row"), counted(columns, "column"),
                         arguments.output));
}

// Points, steps, sides and contacts of the rows so far, for the message if a selection matches
// none.
class SeenParts {
 public:
  // chosen: contacts are those of the chosen point, step and side, if there are any. Without a side
  // those of both wheels are counted through, the left one's first.
  void add(const SweepTable& rows, const Selection& chosen) {
    RowKey before;
    int counted_through = 0;
    for (const RowKey& key : rows.keys) {
      if (key.point != before.point || key.step != before.step) counted_through = 0;
      before = key;
      points_.add(key.point);
      if (key.step > 0) steps_.add(key.step);
      if (!key.side.empty() && (chosen.contact == 0 || key.contact > 0)) sides_.insert(key.side);
      if (key.contact == 0) continue;
      const int contact = chosen.side.empty() ? ++counted_through : key.contact;
      contacts_.add(contact);
      if ((chosen.point == 0 || key.point == chosen.point) &&
          (chosen.step == 0 || key.step == chosen.step) &&
          (chosen.side.empty() || key.side == chosen.side))
        contacts_of_others_.add(contact);
    }
  }
  // "its table has no row of step 7; accepted: step 1 to 5".
  [[nodiscard]] std::string no_row_text(const Selection& chosen) const {
    std::vector<std::string> missing;
    std::vector<std::string> accepted;
    const auto add = [&](std::string_view what, auto number, const std::string& known) {
      missing.push_back(fmt::format("{} {}", what, number));
      accepted.push_back(fmt::format("{} {}", what, known));
    };
    if (chosen.point > 0) add("point", chosen.point, points_.text());
    if (chosen.step > 0) add("step", chosen.step, steps_.text());
    if (!chosen.side.empty())
      add("side", chosen.side, fmt::format("{}", fmt::join(sides_, " or ")));
    const Range& contacts = contacts_of_others_.last > 0 ? contacts_of_others_ : contacts_;
    if (chosen.contact > 0) add("contact", chosen.contact, contacts.text());
    return fmt::format("its table has no row of {}; accepted: {}", fmt::join(missing, ", "),
                       fmt::join(accepted, ", "));
  }

 private:
  struct Range {
    int first = 0;
    int last = 0;
    void add(int number) {
      first = first == 0 ? number : std::min(first, number);
      last = std::max(last, number);
    }
    [[nodiscard]] std::string text() const {
      if (last == 0) return "none";
      return first == last ? std::to_string(first) : fmt::format("{} to {}", first, last);
    }
  };
  Range points_;
  Range steps_;
  Range contacts_;
  Range contacts_of_others_;  // of the rows of the chosen point, step and side
  std::set<std::string> sides_;
};

// Rows of the table with the requested totals.
ExportTable totals_of(const AnyResult& any, const ExportArguments& arguments) {
  if (!is_latex(arguments))
    return export_totals(any, selected_rows(any.rows, arguments.selection), ExportedRows::parts,
                         arguments.quantities, arguments.path);
  const SweepTable table = one_row_a_step(selected_rows(any.rows, arguments.selection));
  SweepTable shown = table;  // a paper has no rounding in it
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    for (std::size_t k = 0; k < table.count(); ++k)
      shown.columns[i].values[k] = shown_total(table, table.columns[i].name, k);
  return export_totals(any, shown, ExportedRows::steps,
                       arguments.quantities.empty() ? telling_totals(table) : arguments.quantities,
                       arguments.path);
}

void require_one_choice(const ExportArguments& arguments) {
  const bool elements = !arguments.fields.empty();
  if (!elements && (!arguments.along.empty() || arguments.at))
    throw InputError(arguments.path +
                     ": --along and --at choose elements of fields; accepted: with --fields");
  if (arguments.long_format && (elements || is_latex(arguments)))
    throw InputError(arguments.path + ": --long is of totals as CSV; accepted: without it");
  if (elements && !arguments.quantities.empty())
    throw InputError(arguments.path +
                     ": fields and totals have rows of their own; accepted: --fields or "
                     "--quantities");
  if (arguments.selection.contact > 0)
    for (const std::string& name : arguments.quantities)
      if (find_wheel_entry(name) != nullptr)
        throw InputError(
            fmt::format("{}: {} belongs to the wheel, and the rows of --contact to a contact; "
                        "accepted: without --contact",
                        arguments.path, name));
  if (arguments.at && arguments.along.empty())
    throw InputError(arguments.path + ": --at is the place of a cut; accepted: with --along x|y");
}

ExportTable fields_of(const ExportArguments& arguments) {
  const ResultFile result = read_result(arguments.path, arguments.selection);
  warn_of_incomplete(arguments.path, arguments.selection, result);
  return export_fields(
      result, result.step(arguments.selection.step),
      {arguments.fields, arguments.along.empty() ? ' ' : arguments.along[0], arguments.at});
}

using TakeTable = std::function<void(const ExportTable& table)>;

// Passes the rows in blocks if the format allows it, for sweeps of any length.
void gather_tables(const ExportArguments& arguments, SeenParts& seen, const TakeTable& take) {
  if (!arguments.fields.empty()) return take(fields_of(arguments));
  const bool of_point = point_in(arguments.path, arguments.selection.point) > 0 &&
                        !read_sweep_outline(arguments.path).with_fields.empty();
  if (of_point) {
    ExportArguments steps = arguments;
    steps.selection.point = 0;
    // The table has the last step of the point.
    AnyResult any = rows_of(read_steps(arguments.path, arguments.selection.point));
    for (RowKey& key : any.rows.keys) key.point = arguments.selection.point;
    seen.add(any.rows, arguments.selection);
    return take(totals_of(any, steps));
  }
  if (is_latex(arguments)) {
    const AnyResult any = read_any_result(arguments.path);
    warn_of_incomplete(arguments.path, any);
    seen.add(any.rows, arguments.selection);
    return take(totals_of(any, arguments));
  }
  OutcomeCounts counts;
  ResultInfo info;
  read_in_blocks(arguments.path, [&](const AnyResult& block) {
    seen.add(block.rows, arguments.selection);
    take(totals_of(block, arguments));
    if (block.kind != ResultKind::sweep) return warn_of_incomplete(arguments.path, block);
    counts.add(block.rows);
    info = block.info;
  });
  if (counts.points() > 0) warn_of_incomplete(arguments.path, info, counts);
}

// Each name once, in the order given: readers of tables refuse two columns of one name.
void drop_repeated(std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (std::string& name : names)
    if (std::ranges::find(once, name) == once.end()) once.push_back(std::move(name));
  names = std::move(once);
}

int export_numbers(ExportArguments arguments) {
  drop_repeated(arguments.quantities);
  drop_repeated(arguments.fields);
  const TableFormat format = format_of(arguments);
  require_one_choice(arguments);
  require_selection({arguments.path}, arguments.selection);
  std::optional<PendingFile> file;
  std::size_t rows = 0;
  std::size_t columns = 0;
  const Selection& chosen = arguments.selection;
  const bool selects =
      chosen.point > 0 || chosen.step > 0 || chosen.contact > 0 || !chosen.side.empty();
  const auto put = [&](std::string text) {
    if (file) return file->append(text, "table");
    text.pop_back();
    print_line(text);
  };
  SeenParts seen;
  std::string whole;  // of Parquet, as CSV
  std::set<std::size_t> texts;
  gather_tables(arguments, seen, [&](const ExportTable& gathered) {
    ExportTable table = arguments.long_format ? long_table(gathered) : gathered;
    if (selects && table.rows() == 0) return;
    if (!file && !arguments.output.empty())
      file.emplace(arguments.output, FileKind::exported,
                   OutputRule(overwrite_if(arguments.overwrite), {arguments.path}));
    std::string text = format == TableFormat::latex ? latex_text(table)
                       : columns == 0               ? csv_text(table)
                                                    : csv_rows(table);
    rows += table.rows();
    columns = table.columns.size();
    if (format == TableFormat::parquet)
      whole += text;
    else if (!text.empty())
      put(std::move(text));
    for (std::size_t i = 0; i < columns; ++i)
      if (!table.columns[i].texts.empty()) texts.insert(i);
  });
  if (selects && rows == 0)
    throw InputError(arguments.path + ": " + seen.no_row_text(arguments.selection));
  if (!file) return static_cast<int>(ExitCode::done);
  if (format == TableFormat::parquet)
    if (const int exit_code = write_parquet(texts, whole, *file); exit_code != 0) return exit_code;
  file->commit();
  print_written(rows, columns, arguments);
  return static_cast<int>(ExitCode::done);
}

void add_choice_options(CLI::App& command, const std::shared_ptr<ExportArguments>& arguments) {
  command
      .add_option("--quantities", arguments->quantities,
                  "Totals to write; default: all, and in LaTeX forces, motions and pressure")
      ->type_name("NAME[,NAME...]")
      ->group(kColumnsGroup)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& name) { return check_exported(name, total_names(), "quantity"); },
          ""));
  command.add_option("--fields", arguments->fields, "Fields, with the coordinates of the elements")
      ->type_name("FIELD[,FIELD...]")
      ->group(kColumnsGroup)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(
          [](const std::string& name) {
            std::vector<std::string> names = stored_field_names();
            std::ranges::move(row_field_names(), std::back_inserter(names));
            return check_exported(name, names, "field");
          },
          ""));
  command
      .add_option("--along", arguments->along,
                  "Fields along one row of elements, through the middle of the pressure or --at")
      ->check(CLI::IsMember({"x", "y"}))
      ->group(kColumnsGroup);
  command
      .add_option_function<std::vector<double>>(
          "--at",
          [arguments](const std::vector<double>& place) {
            arguments->at = {place[0], place[1]};
          },
          "Place of the row, in the units of the case")
      ->type_name("x,y")
      ->group(kColumnsGroup)
      ->delimiter(',')
      ->expected(2);
}

}  // namespace

void add_export_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = program.add_subcommand(
      "export", "Write totals or fields of a result as CSV, LaTeX or Parquet");
  command->add_option("file", arguments->path, "Result file (HDF5)")
      ->required()
      ->type_name("OUT.h5");
  command
      ->add_option("-o,--output", arguments->output,
                   "The table; its ending says the format. Default: CSV on standard output")
      ->type_name("TABLE.csv|tex|parquet")
      ->group(kOutputGroup);
  command->add_option("--format", arguments->format, "Format where the ending does not say it")
      ->check(CLI::IsMember({"csv", "latex", "parquet"}))
      ->group(kOutputGroup);
  add_choice_options(*command, arguments);
  add_selection_options(*command, arguments->selection,
                        "Number of the step; default: all, of fields the last");
  command
      ->add_flag("--long", arguments->long_format,
                 "A row for each number: its name, value and unit")
      ->group(kOutputGroup);
  command->add_flag("--overwrite", arguments->overwrite, "Replace an existing table")
      ->group(kOutputGroup);
  command->footer(
      "Examples:\n"
      "  slipfield export out.h5                     # totals of all steps\n"
      "  slipfield export wheels.h5 -o wheels.csv    # also of contacts\n"
      "  slipfield export wheels.h5 -o left.csv --side left --contact 1\n"
      "  slipfield export sweep.h5 -o sweep.csv\n"
      "  slipfield export sweep.h5 -o curve.tex --quantities force_x,max_pressure\n"
      "  slipfield export out.h5 -o fields.csv --fields pressure,traction_x,traction_y\n"
      "  slipfield export out.h5 -o cut.csv --fields pressure --along x --at 0,1.5\n"
      "The header of a CSV file holds names and units; numbers read back as they are in the "
      "result.\n"
      "With wheels on rails, a row of contact 0 has the numbers of the wheel, or with side both "
      "those\n"
      "of the wheelset; the other rows have those of one contact.\n"
      "LaTeX needs the package booktabs. Parquet has the units in the metadata of its columns, and "
      "is\n"
      "written by Python with pyarrow.\n"
      "Exit codes: 0 done; 2 the file or the command line is wrong; 3 it could not be written.");
  command->callback([arguments, &action] {
    action = [arguments] {
      Selection& chosen = arguments->selection;
      settle_step({arguments->path}, chosen.point, chosen.step);
      return export_numbers(*arguments);
    };
  });
}

}  // namespace slipfield
