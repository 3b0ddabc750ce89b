// SPDX-License-Identifier: Apache-2.0
// Output of the program: results on stdout, log and progress on stderr.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace slipfield {

enum class Verbosity { quiet, normal, verbose };
void set_verbosity(Verbosity verbosity);  // quiet: warnings and errors only; verbose: debug too

void log_debug(const std::string& message);
void log_info(const std::string& message);
void log_warning(const std::string& message);
// Logs a warning that is stored with a part of the result, such as a point of a sweep.
void log_warning_of_part(const std::string& message);
// Collects the warnings that a result file stores: `before`, then all that log_warning() is given
// while this object lives, each text once.
class WarningRecord {
 public:
  explicit WarningRecord(std::vector<std::string> before = {});
  ~WarningRecord();
  WarningRecord(const WarningRecord&) = delete;
  WarningRecord& operator=(const WarningRecord&) = delete;
  // Adds what log_warning_of_part() has logged.
  void add_logged(const std::string& text);
  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  friend void log_warning(const std::string& message);
  void add(const std::string& text);
  std::vector<std::string> texts_;
};
void log_error(const std::string& message);

// Writes one line of results at once. A failure does not end the computation but is remembered: see
// output_failed(). A reader that closes the pipe, such as `head`, is not a failure.
void print_line(const std::string& line);
bool output_failed();

// Silences this process because another one prints the same. errors_told: still prints its errors.
enum class Silence { all, errors_told };
void silence(Silence silence);

// Shows a line that the next one replaces, on a terminal only and at most a few times a second.
void show_progress(const std::string& line);
void clear_progress();
// Estimates "  40 s left" from the time since `begin` for `done` parts, if the `left` ones take
// equally long; empty until one is done.
std::string time_left_text(std::chrono::steady_clock::time_point begin, int done, int left);

// Returns COLUMNS, or the width of the terminal on stdout; `fallback` if neither is known. Log
// lines are coloured on a terminal only, unless NO_COLOR is set.
int terminal_columns(int fallback);
// The width for tables: as above, 100 columns in a pipe or a file.
int table_columns();

}  // namespace slipfield
