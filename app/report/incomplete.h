// SPDX-License-Identifier: Apache-2.0
// A result whose run an interrupt or an error ended is taken with a warning.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/console.h"
#include "io/result/reader.h"

namespace slipfield {

// With the steps that it has; nothing where the run ended by itself. `Step` has a `number`.
template <class Step>
void warn_of_incomplete(const std::filesystem::path& path, const ResultInfo& info,
                        const std::vector<Step>& steps) {
  if (info.outcome != "incomplete" || steps.empty()) return;
  const std::string held = steps.size() == 1
                               ? fmt::format("step {} alone", steps.front().number)
                               : fmt::format("{} steps, {} to {}", steps.size(),
                                             steps.front().number, steps.back().number);
  log_warning(fmt::format("{}: the run did not finish; the file has {}", path.string(), held));
}

}  // namespace slipfield
