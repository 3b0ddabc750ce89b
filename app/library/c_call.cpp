// SPDX-License-Identifier: Apache-2.0
#include "app/library/c_call.h"

#include <algorithm>
#include <exception>
#include <string>

#include "app/failure.h"
#include "io/yaml/error.h"
#include "solver/error.h"

namespace slipfield::c_library {
namespace {

struct ThreadError {
  std::string message;
  std::vector<CaseFault> faults;
  std::vector<slipfield_fault> views;  // of the faults
};

ThreadError& thread_error() {
  thread_local ThreadError error;
  return error;
}

// One line for each fault, without the "error: " that a terminal has before each.
std::string message_of(const CaseError& error) {
  constexpr std::string_view kBefore = "error: ";
  std::string message = error.what();
  for (std::size_t at = message.find('\n'); at != std::string::npos;
       at = message.find('\n', at + 1))
    if (message.compare(at + 1, kBefore.size(), kBefore) == 0)
      message.erase(at + 1, kBefore.size());
  return message;
}

void set_error(std::string message, std::vector<CaseFault> faults) {
  ThreadError& error = thread_error();
  error.message = std::move(message);
  error.faults = std::move(faults);
  error.views.clear();
  for (const CaseFault& fault : error.faults)
    error.views.push_back(
        {fault.place.c_str(), fault.key.c_str(), fault.reason.c_str(), fault.remedy.c_str()});
}

}  // namespace

slipfield_status fail() noexcept {
  try {
    try {
      throw;
    } catch (const CaseError& error) {
      set_error(message_of(error), error.faults());
      return SLIPFIELD_BAD_INPUT;
    } catch (const Cancelled& error) {
      set_error(error.what(), {});
      return SLIPFIELD_CANCELLED;
    } catch (const InputError& error) {
      set_error(error.what(), {});
      return SLIPFIELD_BAD_INPUT;
    } catch (...) {
      set_error(failure_of(std::current_exception()).message, {});
      return SLIPFIELD_FAILED;
    }
  } catch (...) {  // no memory for the sentence
    thread_error().message.clear();
    return SLIPFIELD_FAILED;
  }
}

slipfield_status fail(slipfield_status status, const std::string& message) noexcept {
  try {
    set_error(message, {});
  } catch (...) {
    thread_error().message.clear();
  }
  return status;
}

void require(const void* pointer, std::string_view name) {
  if (pointer == nullptr)
    throw InputError(std::string(name) + ": is a null pointer; accepted: a pointer");
}

std::vector<std::string> names_of(const char* list, std::string_view what) {
  require(list, what);
  std::vector<std::string> names;
  std::string_view rest(list);
  while (true) {
    const std::size_t comma = rest.find(',');
    std::string_view name = rest.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (name.empty())
      throw InputError(std::string(what) + ": '" + list +
                       "' has an empty name; accepted: names separated by commas");
    if (std::ranges::find(names, name) != names.end())
      throw InputError(std::string(what) + ": " + std::string(name) +
                       " is there twice; accepted: each name once");
    names.emplace_back(name);
    if (comma == std::string_view::npos) return names;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace slipfield::c_library

using slipfield::c_library::thread_error;

const char* slipfield_error_message(void) { return thread_error().message.c_str(); }

size_t slipfield_error_fault_count(void) { return thread_error().views.size(); }

const slipfield_fault* slipfield_error_fault(size_t index) {
  const auto& views = thread_error().views;
  return index < views.size() ? &views[index] : nullptr;
}
