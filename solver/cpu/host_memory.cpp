// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/host_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace slipfield {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

// The number after `key` in a file of lines "key number"; without a key the file's first word.
// Nothing if that word is not a number ("max").
std::optional<std::size_t> number_in(const fs::path& file, std::string_view key = {}) {
  std::ifstream stream(file);
  std::string word;
  std::string line;
  while (std::getline(stream, line)) {
    std::istringstream words(line);
    if (!key.empty() && (!(words >> word) || word != key)) continue;
    std::size_t number = 0;
    if (words >> number) return number;
    return std::nullopt;
  }
  return std::nullopt;
}

struct GroupFiles {
  const char* most;
  const char* used;
  const char* cache;  // key of memory.stat: pages that can be released on demand
};
constexpr GroupFiles kVersion1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "total_inactive_file"};
constexpr GroupFiles kVersion2 = {"memory.max", "memory.current", "inactive_file"};

// Memory left in a group and those above it. A container may see neither the upper groups nor its
// own path.
std::size_t available_in_group(const fs::path& root, fs::path group, const GroupFiles& files) {
  std::size_t least = kUnlimited;
  while (true) {
    const fs::path folder = root / group;
    const std::optional<std::size_t> most = number_in(folder / files.most);
    const std::optional<std::size_t> used = number_in(folder / files.used);
    if (most && used) {
      const std::size_t cache = number_in(folder / "memory.stat", files.cache).value_or(0);
      const std::size_t taken = *used - std::min(*used, cache);
      least = std::min(least, *most - std::min(*most, taken));
    }
    if (group.empty()) return least;
    group = group.parent_path();
  }
}

std::size_t left_of_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const std::size_t pages = number_in("/proc/self/statm").value_or(0);
  const std::size_t used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::size_t>(limit.rlim_cur, used);
}

}  // namespace

std::size_t available_in_groups(std::string_view groups, const fs::path& root) {
  std::istringstream lines{std::string(groups)};
  std::string line;
  std::size_t least = kUnlimited;
  while (std::getline(lines, line)) {  // "4:memory:/path", or "0::/path" of version 2
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::istringstream controllers(line.substr(first + 1, second - first - 1));
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    if (first + 1 == second) least = std::min(least, available_in_group(root, group, kVersion2));
    std::string name;
    while (std::getline(controllers, name, ','))
      if (name == "memory")
        least = std::min(least, available_in_group(root / "memory", group, kVersion1));
  }
  return least;
}

std::size_t available_host_bytes() {
  std::size_t least = left_of_address_space();
  if (const auto kibibytes = number_in("/proc/meminfo", "MemAvailable:"))
    least = std::min(least, *kibibytes * 1024);
  std::ifstream groups("/proc/self/cgroup");
  const std::string text(std::istreambuf_iterator<char>(groups), {});
  return std::min(least, available_in_groups(text, "/sys/fs/cgroup"));
}

namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

std::atomic<std::size_t> pages_in_use{0};  // bytes

std::size_t mapped_bytes(std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  return (bytes + kPage - 1) / kPage * kPage;
}

}  // namespace

void* zero_pages(std::size_t bytes) {
  const std::size_t wanted = mapped_bytes(bytes);
  const std::size_t whole = wanted / kLargePage * kLargePage;
  // To start at a large page, maps more and returns what lies around it.
  const std::size_t around = whole > 0 ? kLargePage : 0;
  void* const mapping =
      mmap(nullptr, wanted + around, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  pages_in_use += wanted;
  auto* const begin = static_cast<char*>(mapping);
  if (whole == 0) return begin;
  const std::size_t before =
      (kLargePage - reinterpret_cast<std::uintptr_t>(begin) % kLargePage) % kLargePage;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + wanted, around - before);
  // Only whole large pages: one for the rest would take memory that nobody requested.
  madvise(begin + before, whole, MADV_HUGEPAGE);  // refused, the pages are small
  return begin + before;
}

void free_pages(void* pages, std::size_t bytes) {
  munmap(pages, mapped_bytes(bytes));
  pages_in_use -= mapped_bytes(bytes);
}

std::size_t zero_pages_in_use() { return pages_in_use; }

}  // namespace slipfield
