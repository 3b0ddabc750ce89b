// SPDX-License-Identifier: Apache-2.0
#include "app/figures/python.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

#include "app/console.h"
#include "io/pending_file.h"
#include "io/plain_text.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

constexpr int kPackagesMissing = 69;  // of the modules' __main__.py
constexpr int kNoSuchModule = 1;      // of Python itself

volatile std::sig_atomic_t running_python = 0;  // its process, 0: none

[[noreturn]] void fail_to_start(const char* call, int error) {
  throw Error(
      fmt::format("Python could not be run: {}: {}", call, std::generic_category().message(error)));
}

// An anonymous file in memory; unlike with a pipe, neither side waits for the other.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail_to_start("memfd_create", errno);
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = write(descriptor_, text.data(), text.size());
      if (count < 0 && errno != EINTR) fail_to_start("write", errno);
      if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    if (lseek(descriptor_, 0, SEEK_SET) != 0) fail_to_start("lseek", errno);
  }

  [[nodiscard]] std::string read_all() const {
    if (lseek(descriptor_, 0, SEEK_SET) != 0) fail_to_start("lseek", errno);
    std::string text;
    std::array<char, 1 << 12> buffer{};
    for (;;) {
      const ssize_t count = read(descriptor_, buffer.data(), buffer.size());
      if (count == 0) return text;
      if (count < 0 && errno != EINTR) fail_to_start("read", errno);
      if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  int descriptor_;
};

// The folder next to the program that holds the package `slipfield`; empty: there is none.
fs::path package_next_to_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = program.parent_path();
  for (const fs::path& candidate :
       {folder / "python", folder / "../python", folder / "../lib/python3/dist-packages"}) {
    if (!fs::exists(candidate / "slipfield/figures/__main__.py", error)) continue;
    return fs::weakly_canonical(candidate, error);
  }
  return {};
}

// The folder for PYTHONPATH; empty: Python finds the package itself.
fs::path package_folder() {
  const fs::path found = package_next_to_program();
  // Debian's Python looks there anyway; another Python would find Debian's packages there.
  return found == "/usr/lib/python3/dist-packages" ? fs::path() : found;
}

std::vector<std::string> environment_with(const fs::path& package) {
  std::vector<std::string> variables;
  std::string path = package.string();
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable(*each);
    constexpr std::string_view kPath = "PYTHONPATH=";
    if (variable.substr(0, kPath.size()) != kPath)
      variables.emplace_back(variable);
    else if (variable.size() > kPath.size())
      path += (path.empty() ? "" : ":") + std::string(variable.substr(kPath.size()));
  }
  if (!path.empty()) variables.push_back("PYTHONPATH=" + path);
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct PythonEnd {
  int exit_code = 0;
  std::string messages;
};

// Nothing if there is no such program.
std::optional<PythonEnd> run_python(const std::string& python, const PythonModule& module,
                                    const std::vector<std::string>& arguments,
                                    const std::string& input) {
  const MemoryFile in("input");
  const MemoryFile messages("messages");
  in.write_all(input);
  std::vector<std::string> command{python, "-X", "utf8", "-m", module.name};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_with(package_folder());
  posix_spawn_file_actions_t streams;
  if (const int error = posix_spawn_file_actions_init(&streams))
    fail_to_start("posix_spawn", error);
  posix_spawn_file_actions_adddup2(&streams, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, messages.descriptor(), STDERR_FILENO);
  // Blocks Ctrl-C until the new Python's process number is stored, so that it can be passed on.
  sigset_t interrupts;
  sigset_t mask;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupts, &mask);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &mask);
  pid_t child = 0;
  const int error = posix_spawnp(&child, python.c_str(), &streams, &attributes,
                                 pointers_to(command).data(), pointers_to(variables).data());
  if (error == 0) running_python = child;
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&streams);
  if (error == ENOENT || error == EACCES) return std::nullopt;
  if (error != 0) fail_to_start("posix_spawnp", error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail_to_start("waitpid", errno);
  running_python = 0;
  if (WIFSIGNALED(status))
    throw Error(fmt::format("{} was ended by signal {}", python, WTERMSIG(status)));
  return PythonEnd{WEXITSTATUS(status), messages.read_all()};
}

// Returns why a Python that has the packages cannot import one, in its own words; empty if some are
// missing.
std::string import_fault(const std::string& messages) {
  constexpr std::string_view kError = "error: ";
  const std::size_t packages = messages.rfind("; ");
  if (!messages.starts_with(kError) || packages == std::string::npos ||
      messages.find(" cannot import ") > packages)
    return {};
  return messages.substr(kError.size(), packages - kError.size());
}

// Python misses the package slipfield itself, not one that it needs.
bool names_own_package(const std::string& messages) {
  return messages.find("No module named 'slipfield") != std::string::npos ||
         messages.find("No module named slipfield") != std::string::npos;
}

std::vector<std::string> pythons() {
  const char* chosen = std::getenv("SLIPFIELD_PYTHON");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  return {"python3", "/usr/bin/python3"};
}

}  // namespace

int run_python_module(const PythonModule& module, const std::vector<std::string>& arguments,
                      const std::string& input) {
  std::string faults;
  bool finds_package = false;
  bool finds_python = false;
  for (const std::string& python : pythons()) {
    const std::optional<PythonEnd> end = run_python(python, module, arguments, input);
    if (end && end->exit_code == kPackagesMissing) {
      const std::string fault = import_fault(end->messages);
      if (faults.find(fault) == std::string::npos) faults += (faults.empty() ? ": " : "; ") + fault;
    }
    finds_python = finds_python || end;
    // Python's own message if it finds no package; messages of defects are passed on.
    const bool no_module = end && end->exit_code == kNoSuchModule &&
                           end->messages.find("No module named") != std::string::npos;
    finds_package = finds_package || (end && !(no_module && names_own_package(end->messages)));
    if (!end || end->exit_code == kPackagesMissing || no_module) continue;
    std::fputs(end->messages.c_str(), stderr);
    if (end->exit_code != 0 && end->messages.empty())
      throw Error(
          fmt::format("{} ended with exit code {} and no word; accepted: a python3 with "
                      "{}, which SLIPFIELD_PYTHON may name",
                      python, end->exit_code, module.packages));
    return end->exit_code;
  }
  if (finds_python && !finds_package && package_next_to_program().empty())
    throw Error(fmt::format(
        "{} by the Python package slipfield, and no python3 here finds it, neither next to this "
        "program nor by itself; accepted: the program with its package, as a build, an "
        "installation and the Debian packages have it (python3-slipfield), or PYTHONPATH=FOLDER "
        "that holds it",
        module.work));
  throw Error(fmt::format(
      "{} by Python with {}, and no python3 here has what it takes{}; accepted: {} (and "
      "python3-slipfield, where the program is a package), or SLIPFIELD_PYTHON=/path/of/another/"
      "python3",
      module.work, module.packages, faults, module.install));
}

void pass_on_to_python(int signal_number) {
  if (running_python != 0) kill(running_python, signal_number);
}

int write_by_figures(std::vector<std::string> arguments, const std::string& input,
                     const FigureOutput& output) {
  PendingFile file(output.path, output.kind, output.rule);
  const std::string ending = file_ending(output.path);
  const auto first_file = arguments.begin() + 1;  // behind the command
  std::vector<std::string> options{"--output=" + file.temporary_path().string()};
  if (output.kind == FileKind::picture) options.push_back("--format=" + ending.substr(1));
  if (!input.empty()) options.emplace_back("--profiles=-");
  arguments.insert(first_file, options.begin(), options.end());
  const int exit_code = run_python_module(kFigures, arguments, input);
  if (exit_code != 0) return exit_code;
  if (!fs::exists(file.temporary_path()))
    throw Error(fmt::format("{}: Python wrote no {}", output.path.string(), output.what));
  if (ending == ".pdf") file.append(kPdfMark, output.what);
  file.commit();
  if (!output.quiet) print_line(fmt::format("{} written to {}", output.what, output.path.string()));
  return exit_code;
}

}  // namespace slipfield
