// SPDX-License-Identifier: Apache-2.0
// The tables of several sweeps, or of several sequences, as one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/plot/pair/fields.h"
#include "app/plot/pair/figure.h"
#include "app/plot/pair/sides.h"
#include "app/plot/sweep_curves.h"
#include "solver/error.h"

namespace slipfield {
namespace {

std::vector<std::string> keys_of(const SweepTable& table) {
  std::vector<std::string> keys;
  for (const SweepInput& input : table.inputs) keys.push_back(input.key);
  return keys;
}

void require_same_keys(const std::vector<SweepFile>& sweeps,
                       const std::vector<std::string>& names) {
  std::vector<std::string> first = keys_of(sweeps.front().table);
  for (std::size_t i = 1; i < sweeps.size(); ++i) {
    std::vector<std::string> other = keys_of(sweeps[i].table);
    if (std::is_permutation(first.begin(), first.end(), other.begin(), other.end())) continue;
    throw InputError(fmt::format(
        "{} has the key{} {} and {} has {}; accepted: sweeps of the same keys", names.front(),
        first.size() == 1 ? "" : "s", fmt::join(first, ", "), names[i], fmt::join(other, ", ")));
  }
}

}  // namespace

SweepFile united_curves(const std::vector<SweepFile>& sweeps,
                        const std::vector<std::string>& names) {
  require_same_keys(sweeps, names);
  std::vector<ResultHeader> headers;
  for (const SweepFile& sweep : sweeps) headers.push_back(sweep.info.header);
  require_same_units(names, headers);
  SweepFile united{sweeps.front().info, sweeps.front().table, {}};
  SweepInput file{std::string(kFileKey),
                  std::vector<std::string>(united.table.count(), names.front()),
                  {},
                  Spacing::linear};
  for (std::size_t i = 1; i < sweeps.size(); ++i) {
    append_rows(united.table, sweeps[i].table);
    file.texts.resize(united.table.count(), names[i]);
  }
  united.table.inputs.push_back(std::move(file));
  united.table.shape = {united.table.count()};
  united.info.header.title = common_title(headers, names);
  return united;
}

}  // namespace slipfield
