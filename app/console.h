// SPDX-License-Identifier: Apache-2.0
// What the program says: results on stdout, log and progress on stderr.
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
// A warning that the result has elsewhere, such as that of a point of a sweep.
void log_warning_of_part(const std::string& message);
// What a result says that its run warned of: `before`, and what log_warning() is given while this
// lives, each text once.
class WarningRecord {
 public:
  explicit WarningRecord(std::vector<std::string> before = {});
  ~WarningRecord();
  WarningRecord(const WarningRecord&) = delete;
  WarningRecord& operator=(const WarningRecord&) = delete;
  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  friend void log_warning(const std::string& message);
  std::vector<std::string> texts_;
};
void log_error(const std::string& message);

// One line of results, written through at once. Failing is remembered and does not end a
// computation: see output_failed(). A reader that has closed the pipe, as `head` does, is not a
// failure.
void print_line(const std::string& line);
bool output_failed();

// Nothing more of this process is seen: another one says the same. `errors`: but its errors.
enum class Silence { all, errors_told };
void silence(Silence silence);

// A line that is replaced by the next one, on a terminal only, some times a second at most.
void show_progress(const std::string& line);
void clear_progress();
// "  40 s left" where `done` parts have taken the time since `begin` and `left` are still to come,
// each as long as those; empty where none is done yet.
std::string time_left_text(std::chrono::steady_clock::time_point begin, int done, int left);

// COLUMNS, or the columns of the terminal that stdout is; `fallback` where there is neither. Log
// lines are coloured on a terminal only, and not where NO_COLOR is set.
int terminal_columns(int fallback);
// The same for tables, which take 100 columns in a pipe or a file.
int table_columns();

}  // namespace slipfield
