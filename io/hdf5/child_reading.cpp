// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/child_reading.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>

#include "io/hdf5/handle.h"
#include "io/hdf5/one_thread.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

// The first byte of the answer.
constexpr char kText = 't';
constexpr char kInputError = 'i';
constexpr char kError = 'e';

// Limits memory in addition to that already mapped.
rlim_t memory_limit(std::uintmax_t file_bytes) {
  constexpr rlim_t kRoom = rlim_t{1} << 30U;
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + kRoom + 4 * file_bytes;
}

void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
  struct rlimit now {};
  if (getrlimit(resource, &now) != 0) return;
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
  now.rlim_cur = most;
  setrlimit(resource, &now);
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Hides output of a crash or a sanitizer from the user.
void silence() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

// If the parent is killed, the lock of a folder would last as long as a child has it open.
void leave_folders() {
  constexpr int kFirstFree = STDERR_FILENO + 1;
  constexpr std::size_t kMost = 1024;
  std::array<pollfd, kMost> looked_at{};
  for (std::size_t k = 0; k < kMost; ++k) looked_at[k].fd = kFirstFree + static_cast<int>(k);
  // One call names those that are not open. It fails where the system allows fewer: all are then
  // looked at.
  poll(looked_at.data(), kMost, 0);
  for (const pollfd& each : looked_at) {
    struct stat status {};
    if ((each.revents & POLLNVAL) == 0 && fstat(each.fd, &status) == 0 && S_ISDIR(status.st_mode))
      close(each.fd);
  }
}

void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent was killed before
}

[[noreturn]] void answer(int descriptor, const fs::path& path, std::uintmax_t file_bytes,
                         const std::function<std::string()>& read) {
  silence();
  leave_folders();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(most_seconds_to_read(file_bytes)));
  limit(RLIMIT_AS, memory_limit(file_bytes));
  const auto say = [descriptor](char kind, std::string_view text) {
    write_all(descriptor, {&kind, 1});
    write_all(descriptor, text);
  };
  try {
    say(kText, read());
  } catch (const InputError& error) {
    say(kInputError, error.what());
  } catch (const std::bad_alloc&) {
    say(kInputError,
        path.string() + ": the file is damaged (it claims more than the memory holds)");
  } catch (const std::exception& error) {
    say(kError, error.what());
  }
  _exit(0);  // neither flushes the parent's buffers nor closes its files
}

struct Fork {
  pid_t child = -1;
  int reason = 0;  // errno
};

// Forks while this thread is the only one inside the HDF5 library: the child has no other thread
// that would leave it. OneThread keeps out those of this program; HDF5's own lock, which a function
// that it calls back holds, keeps out those of others, such as h5py.
Fork fork_alone() {
  const hdf5::OneThread alone;
  hdf5::prepare();
  const hdf5::Handle stack(H5Ecreate_stack(), H5Eclose_stack, "H5Ecreate_stack", "a child process");
  hdf5::check(
      H5Epush2(stack.id(), __FILE__, "fork", __LINE__, H5E_ERR_CLS, H5E_ARGS, H5E_BADVALUE, "fork"),
      "H5Epush2", "a child process");
  const auto fork_now = [](unsigned /*depth*/, const H5E_error2_t* /*error*/, void* result) {
    // A thread that comes to HDF5's lock looks at it under another one, before it waits.
    constexpr useconds_t kUntilOthersWait = 100;
    usleep(kUntilOthersWait);
    auto& made = *static_cast<Fork*>(result);
    made.child = fork();
    made.reason = errno;
    return herr_t{0};
  };
  Fork made;
  hdf5::check(H5Ewalk2(stack.id(), H5E_WALK_UPWARD, fork_now, &made), "H5Ewalk2",
              "a child process");
  return made;
}

// Returns whether there is something to read, or an end, before the deadline.
bool waits_for(int descriptor, std::chrono::steady_clock::time_point deadline) {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    constexpr std::chrono::milliseconds kMost(1000 * 1000);  // fits into an int
    pollfd end{descriptor, POLLIN, 0};
    const auto wait = std::clamp(left, std::chrono::milliseconds(0), kMost);
    const int found = poll(&end, 1, static_cast<int>(wait.count()));
    if (found > 0 || (found < 0 && errno != EINTR)) return true;
    if (left.count() <= 0) return false;
  }
}

// Nothing if the end does not come in time.
std::optional<std::string> read_to_end(int descriptor, std::chrono::milliseconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    if (!waits_for(descriptor, deadline)) return {};
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

[[noreturn]] void refuse(const fs::path& path, int status, std::uintmax_t file_bytes) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    throw UnreadableFile(
        fmt::format("{}: the file is damaged (reading it takes more than {} s of processor time)",
                    path.string(), most_seconds_to_read(file_bytes)));
  throw UnreadableFile(
      fmt::format("{}: the file is damaged (the HDF5 library crashes on it{})", path.string(),
                  WIFSIGNALED(status) ? fmt::format(", signal {}", WTERMSIG(status)) : ""));
}

}  // namespace

int most_seconds_to_read(std::uintmax_t bytes) {
  constexpr int kLeast = 5;
  constexpr std::uintmax_t kBytesEachSecond = 1U << 20U;
  constexpr std::uintmax_t kMost = 24 * 3600;
  return kLeast + static_cast<int>(std::min(bytes / kBytesEachSecond, kMost));
}

std::chrono::milliseconds longest_wait_to_read(std::uintmax_t bytes) {
  constexpr std::chrono::seconds kLeast(60);
  return kLeast + 2 * std::chrono::seconds(most_seconds_to_read(bytes));
}

std::string read_in_child(const fs::path& path, const std::function<std::string()>& read,
                          std::optional<std::chrono::milliseconds> wait) {
  std::error_code error;
  std::uintmax_t bytes = fs::file_size(path, error);
  if (error) bytes = 0;
  const std::chrono::milliseconds most = wait.value_or(longest_wait_to_read(bytes));
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(fmt::format("{}: no pipe to a process that reads it: {}", path.string(),
                            std::generic_category().message(errno)));
  const pid_t parent = getpid();
  // As long as the child lives, it has the files that other threads had open then, with the locks
  // that HDF5 puts on them: once closed here they would still be locked.
  const hdf5::OneThread alone;
  const auto [child, reason] = fork_alone();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    throw Error(fmt::format("{}: no process can be started to read it: {}", path.string(),
                            std::generic_category().message(reason)));
  }
  if (child == 0) {
    end_with(parent);
    answer(ends[1], path, bytes, read);
  }
  close(ends[1]);
  const std::optional<std::string> text = read_to_end(ends[0], most);
  close(ends[0]);
  int status = 0;
  if (text) {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  } else {  // a child that waits for a dead disk does not end at once
    constexpr int kLooks = 100;
    kill(child, SIGKILL);
    for (int k = 0; k < kLooks && waitpid(child, &status, WNOHANG) == 0; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (!text)
    throw Error(fmt::format(
        "{}: the process that reads it did not end within {:.3g} s, though it computed less: the "
        "disk does not answer, or another library held HDF5's lock; accepted: another attempt",
        path.string(), std::chrono::duration<double>(most).count()));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || text->empty()) refuse(path, status, bytes);
  if (text->front() == kInputError) throw InputError(text->substr(1));
  if (text->front() == kError) throw Error(text->substr(1));
  return text->substr(1);
}

void try_in_child(const fs::path& path, const std::function<void()>& read) {
  read_in_child(path, [&read] {
    read();
    return std::string();
  });
}

}  // namespace slipfield
