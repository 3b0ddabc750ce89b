// SPDX-License-Identifier: Apache-2.0
#include "io/result/header.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "io/file_identity.h"
#include "io/output_rule.h"
#include "io/result/checkpoint.h"
#include "io/result/field_table.h"
#include "io/result/parts.h"
#include "io/result/warnings.h"
#include "io/result/wheel/step_group.h"
#include "solver/cpu/recently_used.h"

namespace slipfield {

namespace fs = std::filesystem;

hdf5::Handle open_result(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const auto unreadable = [&](const std::string& why) {
    return InputError(path.string() + ": cannot be read (" + why + "); a result (.h5) is needed");
  };
  if (status.type() == fs::file_type::none) throw unreadable(error.message());
  if (!fs::exists(status)) throw no_such_result(path);
  if (!fs::is_regular_file(status))
    throw InputError(path.string() + ": this is not a regular file");
  if (access(path.c_str(), R_OK) != 0) throw unreadable(std::generic_category().message(errno));
  try {
    return hdf5::open_file(path);
  } catch (const Hdf5Error& failure) {
    const bool foreign = failure.stack().find("signature not found") != std::string::npos;
    throw InputError(
        path.string() +
        (foreign ? std::string(": this is not an HDF5 file, so not a slipfield result") +
                       (has_case_name(path) ? "; `slipfield run` makes the result of a case" : "")
                 : ": the file cannot be opened, it may be damaged (" + failure.reason() + ")"));
  }
}

namespace {

struct FileType {
  std::string name;      // empty: is read again
  bool settled = false;  // the file had not changed for a while when this was read
};

// Keeps the types of files and points that have not changed since they were read: a command asks
// several times, and each reading starts a process.
auto& known_types() {
  constexpr std::size_t kMostTypes = 64;
  using Key = std::pair<FileIdentity, int>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return key.first.inode + static_cast<std::size_t>(key.second);
    }
  };
  static RecentlyUsed<Key, FileType, Hash> known(kMostTypes);
  return known;
}

std::string read_file_type(const fs::path& path, int point) {
  try {
    return read_in_child(path, [&] {
      const hdf5::Handle file = open_result(path);
      const hdf5::Handle root = hdf5::open_group(file.id(), point_group(point));
      return optional_text(root.id(), "file_type");
    });
  } catch (const UnreadableFile&) {
    throw;
  } catch (const Error&) {
    return {};  // its reader reports the fault
  }
}

// certain: whether the type must be that of the file as it is now. A file that changed twice within
// one tick of the clock looks the same as after the first change. Its reader checks the type again,
// but what replaces the file does not.
std::string known_or_read_type(const fs::path& path, int point, bool certain) {
  // Taken before reading, so that a file that changes meanwhile is read again.
  const std::optional<FileIdentity> identity = identity_of(path);
  if (!identity) return read_file_type(path, point);
  const auto known = known_types().find({*identity, point});
  if (known && !known->name.empty() && (known->settled || !certain)) return known->name;
  const std::string name = read_file_type(path, point);
  known_types().replace({*identity, point}, {name, identity->is_settled()});
  return name;
}

}  // namespace

std::string file_type_of(const fs::path& path, int point) {
  return known_or_read_type(path, point, false);
}

std::string certain_file_type_of(const fs::path& path) { return known_or_read_type(path, 0, true); }

bool is_result_or_sweep(const fs::path& path) {
  const std::string type = certain_file_type_of(path);
  return type == kResultFileType || type == kSweepFileType || type == kWheelFileType;
}

void check_file_type(hid_t root, const fs::path& path, std::string_view wanted) {
  if (!hdf5::has_attribute(root, "file_type"))
    throw InputError(path.string() +
                     ": this HDF5 file is not a slipfield result (it has no attribute "
                     "file_type)");
  const std::string type = hdf5::read_string_attribute(root, "file_type");
  if (type == kWheelFileType && type != wanted)
    throw InputError(
        path.string() +
        ": this is a wheel on a rail, whose contacts have fields of their own; accepted: "
        "one of them, named by --step, --side and --contact");
  if (wanted == kWheelFileType && type == kResultFileType)
    throw InputError(path.string() + ": this is not a wheel on a rail, and has no contacts");
  const bool one_of_ours = type == kResultFileType || type == kSweepFileType;
  if (type != wanted && one_of_ours)
    throw InputError(path.string() +
                     (type == kSweepFileType
                          ? ": this is a sweep of many points, not one result; accepted: one "
                            "point, named by --point N, in Python point=N, if the sweep keeps "
                            "fields, else the result of `slipfield run CASE.yaml --point N`"
                          : ": this is one result, not a sweep"));
  if (type != wanted)
    throw InputError(
        path.string() + ": this is not a slipfield result but a file of the type \"" + type +
        "\"; accepted: " +
        (type == kLifeFileType
             ? "a result of `slipfield run`; a life is drawn by `slipfield plot LIFE.h5 -o "
               "FIG.png`, and h5py and pandas read its groups rounds, wheels and contacts"
             : "a result of `slipfield run`"));
  const std::int64_t schema = hdf5::read_integer_attribute(root, "schema_version");
  if (schema != kResultSchemaVersion)
    throw InputError(path.string() + ": the result has the schema version " +
                     std::to_string(schema) + "; this program reads version " +
                     std::to_string(kResultSchemaVersion));
}

int step_number(const std::string& name, const fs::path& path) {
  int number = 0;
  const char* end = name.data() + name.size();
  const auto [rest, failure] = std::from_chars(name.data(), end, number);
  if (failure != std::errc() || rest != end)
    throw InputError(path.string() + ": /steps/" + name + " is not a step's number");
  return number;
}

std::string optional_text(hid_t object, const std::string& name) {
  return hdf5::has_attribute(object, name) ? hdf5::read_string_attribute(object, name) : "";
}

namespace {

// Null if the result is older, or the case came from a program.
std::shared_ptr<const CaseSource> read_case_source(hid_t root) {
  const std::string name(kSourceName);
  if (!hdf5::has_link(root, name)) return nullptr;
  const hdf5::Handle dataset = hdf5::open_dataset(root, name);
  CaseSource source{optional_text(dataset.id(), "file"), hdf5::read_text(root, name), {}};
  std::istringstream lines(optional_text(dataset.id(), "set"));
  for (std::string line; std::getline(lines, line);) source.overrides.push_back(line);
  return std::make_shared<const CaseSource>(std::move(source));
}

}  // namespace

ResultInfo read_result_info(hid_t root, const fs::path& path) {
  ResultInfo info;
  const auto text = [&](const char* name) { return hdf5::read_string_attribute(root, name); };
  info.schema_version = static_cast<int>(hdf5::read_integer_attribute(root, "schema_version"));
  info.program_version = text("program_version");
  info.git_commit = text("git_commit");
  info.created = text("created");
  info.outcome = text("outcome");
  info.warning = optional_text(root, "warning");
  info.warnings = read_warnings(root);
  if (info.warnings.empty() && !info.warning.empty()) info.warnings = {info.warning};
  info.header.title = optional_text(root, "title");
  info.header.backend = text("backend");
  info.header.device = text("device");
  const std::string units = text("units");
  const std::optional<Units> known = units_from_name(units);
  if (!known) throw InputError(path.string() + ": the result has unknown units \"" + units + "\"");
  info.header.units = *known;
  info.header.case_yaml = hdf5::read_text(root, "case");
  info.header.source = read_case_source(root);
  if (hdf5::has_link(root, std::string(kFilesName)))
    info.header.inputs = split_lines(hdf5::read_text(root, std::string(kFilesName)));
  return info;
}

ResultInfo read_result_info(const fs::path& path) {
  return read_untrusted(path, [&] {
    const hdf5::Handle file = open_result(path);
    const std::string type = optional_text(file.id(), "file_type");
    const bool several = type == kSweepFileType || type == kWheelFileType;
    check_file_type(file.id(), path, several ? type : kResultFileType);
    return read_result_info(file.id(), path);
  });
}

}  // namespace slipfield
