// SPDX-License-Identifier: Apache-2.0
#include "app/machine.h"

#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <thread>

namespace slipfield {
namespace {

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "unknown";
}

unsigned usable_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(CPU_COUNT(&set));
  return std::thread::hardware_concurrency();
}

}  // namespace

Machine describe_machine() {
  Machine machine;
  machine.processor = processor_name();
  machine.threads = usable_threads();
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_bytes > 0)
    machine.memory_bytes = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes);
  return machine;
}

}  // namespace slipfield
