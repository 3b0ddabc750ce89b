// SPDX-License-Identifier: Apache-2.0
#include "app/plot/program/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>

#include "solver/error.h"

namespace slipfield {
namespace {

[[noreturn]] void fail_to_run(const std::string& program, const char* call, int error) {
  throw Error(fmt::format("{} could not be run: {}: {}", program, call,
                          std::generic_category().message(error)));
}

// A file without a name, in memory. Against a pipe: neither side waits for the other.
class MemoryFile {
 public:
  MemoryFile(const char* name, const std::string& program)
      : program_(program), descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail("memfd_create", errno);
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = write(descriptor_, text.data(), text.size());
      if (count < 0 && errno != EINTR) fail("write", errno);
      if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void rewind() const {
    if (lseek(descriptor_, 0, SEEK_SET) != 0) fail("lseek", errno);
  }

  [[nodiscard]] std::string read_all() const {
    rewind();
    std::string text;
    std::array<char, 1 << 16> buffer{};
    for (;;) {
      const ssize_t count = read(descriptor_, buffer.data(), buffer.size());
      if (count == 0) return text;
      if (count < 0 && errno != EINTR) fail("read", errno);
      if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  [[noreturn]] void fail(const char* call, int error) const { fail_to_run(program_, call, error); }

  const std::string& program_;
  int descriptor_;
};

// Nothing where the program is not installed.
std::optional<pid_t> spawn(std::vector<std::string> command, const MemoryFile& input,
                           const MemoryFile& output, const MemoryFile& messages) {
  posix_spawn_file_actions_t streams;
  if (const int error = posix_spawn_file_actions_init(&streams))
    fail_to_run(command.front(), "posix_spawn", error);
  posix_spawn_file_actions_adddup2(&streams, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, messages.descriptor(), STDERR_FILENO);
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, command.front().c_str(), &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (error == ENOENT) return std::nullopt;
  if (error != 0) fail_to_run(command.front(), "posix_spawnp", error);
  return child;
}

// The last line with a letter in it: gnuplot puts the sentence after the command and a caret.
std::string last_message(const std::string& messages) {
  std::string found;
  for (std::size_t begin = 0; begin < messages.size();) {
    const std::size_t end = std::min(messages.find('\n', begin), messages.size());
    const std::string line = messages.substr(begin, end - begin);
    const std::size_t text = line.find_first_not_of(" \t^");
    if (text != std::string::npos) found = line.substr(text);
    begin = end + 1;
  }
  return found.empty() ? "it gave no reason" : found;
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::vector<std::string>& input, const std::string& not_installed) {
  const std::string& program = command.front();
  const MemoryFile in("input", program);
  const MemoryFile out("output", program);
  const MemoryFile messages("messages", program);
  for (const std::string& part : input) in.write_all(part);
  in.rewind();
  const std::optional<pid_t> child = spawn(command, in, out, messages);
  if (!child) throw Error(not_installed);
  int status = 0;
  while (waitpid(*child, &status, 0) < 0)
    if (errno != EINTR) fail_to_run(program, "waitpid", errno);
  ProgramEnd end{out.read_all(), last_message(messages.read_all())};
  if (WIFSIGNALED(status))
    throw Error(fmt::format("{} was ended by signal {}", program, WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) throw Error(fmt::format("{} failed: {}", program, end.message));
  return end;
}

}  // namespace slipfield
