// SPDX-License-Identifier: Apache-2.0
#include "app/console.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "io/yaml/source.h"

namespace slipfield {
namespace {

Verbosity current_verbosity = Verbosity::normal;
bool progress_shown = false;
bool write_failed = false;
std::mutex warnings_mutex;  // guards the records and their texts
std::vector<WarningRecord*> warning_records;
bool reader_gone = false;  // or nothing should be read

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    const char* no_color = std::getenv("NO_COLOR");
    const bool plain = no_color != nullptr && *no_color != '\0';
    auto made = spdlog::stderr_color_mt(
        "slipfield", plain ? spdlog::color_mode::never : spdlog::color_mode::automatic);
    made->set_pattern("%^%l%$: %v");
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *instance;
}

void log(spdlog::level::level_enum level, const std::string& message) {
  if (!logger().should_log(level)) return;
  clear_progress();
  logger().log(level, message);
}

}  // namespace

void set_verbosity(Verbosity verbosity) {
  if (reader_gone) return;
  current_verbosity = verbosity;
  switch (verbosity) {
    case Verbosity::quiet:
      return logger().set_level(spdlog::level::warn);
    case Verbosity::normal:
      return logger().set_level(spdlog::level::info);
    case Verbosity::verbose:
      return logger().set_level(spdlog::level::debug);
  }
}

void silence(Silence silence) {
  current_verbosity = Verbosity::quiet;
  reader_gone = true;
  // Libraries print to the standard output as well, a command's help for example: silence that too.
  if (std::freopen("/dev/null", "w", stdout) == nullptr) write_failed = true;
  logger().set_level(silence == Silence::all ? spdlog::level::off : spdlog::level::err);
}

void log_debug(const std::string& message) { log(spdlog::level::debug, message); }
void log_info(const std::string& message) { log(spdlog::level::info, message); }
void log_warning(const std::string& message) {
  {
    const std::lock_guard<std::mutex> guard(warnings_mutex);
    for (WarningRecord* const record : warning_records) record->add(message);
  }
  log_warning_of_part(message);
}
void log_warning_of_part(const std::string& message) { log(spdlog::level::warn, message); }

WarningRecord::WarningRecord(std::vector<std::string> before) : texts_(std::move(before)) {
  const std::lock_guard<std::mutex> guard(warnings_mutex);
  warning_records.push_back(this);
}
WarningRecord::~WarningRecord() {
  const std::lock_guard<std::mutex> guard(warnings_mutex);
  std::erase(warning_records, this);
}
void WarningRecord::add(const std::string& text) {
  if (std::ranges::find(texts_, text) == texts_.end()) texts_.push_back(text);
}
void WarningRecord::add_logged(const std::string& text) {
  const std::lock_guard<std::mutex> guard(warnings_mutex);
  add(text);
}
std::vector<std::string> WarningRecord::texts() const {
  const std::lock_guard<std::mutex> guard(warnings_mutex);
  return texts_;
}

void log_error(const std::string& message) { log(spdlog::level::err, message); }

void print_line(const std::string& line) {
  clear_progress();
  if (reader_gone) return;
  const std::string text = escaped_text(line);
  errno = 0;
  const bool done = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                    std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0;
  reader_gone = !done && errno == EPIPE;
  write_failed = write_failed || (!done && !reader_gone);
}

bool output_failed() { return write_failed; }

void show_progress(const std::string& line) {
  using Clock = std::chrono::steady_clock;
  static const bool terminal = isatty(STDERR_FILENO) == 1;
  static Clock::time_point last;
  if (!terminal || current_verbosity == Verbosity::quiet) return;
  const Clock::time_point now = Clock::now();
  if (now - last < std::chrono::milliseconds(100)) return;
  last = now;
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  progress_shown = true;
}

void clear_progress() {
  if (!progress_shown) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  progress_shown = false;
}

std::string time_left_text(std::chrono::steady_clock::time_point begin, int done, int left) {
  if (done < 1) return {};
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  const double seconds = spent.count() / done * left;
  if (seconds < 120.0) return fmt::format("  {:.0f} s left", seconds);
  if (seconds < 7200.0) return fmt::format("  {:.0f} min left", seconds / 60.0);
  return fmt::format("  {:.1f} h left", seconds / 3600.0);
}

int terminal_columns(int fallback) {
  int columns = 0;
  if (const char* text = std::getenv("COLUMNS"))
    std::from_chars(text, text + std::strlen(text), columns);
  if (columns > 0) return columns;
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1) return fallback;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return fallback;
  return size.ws_col;
}

int table_columns() { return terminal_columns(100); }

}  // namespace slipfield
