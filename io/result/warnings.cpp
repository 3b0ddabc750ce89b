// SPDX-License-Identifier: Apache-2.0
#include "io/result/warnings.h"

#include "io/hdf5/scales.h"
#include "io/result/parts.h"

namespace slipfield {

void write_warnings(hid_t group, std::span<const std::string> warnings) {
  if (warnings.empty()) return;
  const std::string name(kWarningsName);
  if (hdf5::has_link(group, name)) hdf5::remove_link(group, name);
  describe_dataset(hdf5::write_texts(group, name, warnings), "-", "what the run warned of");
  hdf5::Scale(group, name, name).finish();  // else netCDF's readers miss a name of its dimension
}

std::vector<std::string> read_warnings(hid_t group) {
  const std::string name(kWarningsName);
  if (!hdf5::has_link(group, name)) return {};
  return hdf5::read_texts(group, name);
}

std::string joined_lines(std::span<const std::string> warnings) {
  std::string text;
  for (const std::string& warning : warnings) text += (text.empty() ? "" : "\n") + warning;
  return text;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string warning_of_contact(int contact, std::string_view text) {
  return "contact " + std::to_string(contact) + ": " + std::string(text);
}

std::vector<std::string> warnings_of_contact(const std::vector<std::string>& warnings,
                                             int contact) {
  const std::string start = warning_of_contact(contact, {});
  std::vector<std::string> own;
  for (const std::string& warning : warnings)
    if (warning.starts_with(start)) own.push_back(warning.substr(start.size()));
  return own;
}

}  // namespace slipfield
