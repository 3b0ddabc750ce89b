// SPDX-License-Identifier: Apache-2.0
#include "io/output_rule.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "io/heights/formats.h"
#include "io/plain_text.h"
#include "io/result/header.h"
#include "io/table/table_file.h"
#include "io/yaml/diagnostics.h"
#include "io/yaml/source.h"
#include "io/yaml/tree.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHdf5Signature = "\x89HDF\r\n\x1a\n";
constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

std::string beginning_of(const fs::path& path) {
  constexpr std::streamsize kEnough = 4096;
  std::string bytes(kEnough, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), kEnough);
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

std::string ending_of(const fs::path& path, std::size_t count) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(count), std::ios::end);
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  return file ? bytes : "";
}

bool is_picture(const fs::path& path) {
  const std::string bytes = beginning_of(path);
  return bytes.starts_with(kPngSignature) || bytes.starts_with("GIF8") ||
         (bytes.starts_with("%PDF-") && ending_of(path, kPdfMark.size()) == kPdfMark) ||
         bytes.find("ftyp") == 4 ||
         (bytes.starts_with('<') && bytes.find("<svg") != std::string::npos);
}

bool is_case(const fs::path& path) {
  try {
    const SourceText source = read_source(path);
    CaseDiagnostics diagnostics;
    const auto tree = parse_yaml(source.text(), source, diagnostics);
    return tree && tree->index_of("schema");
  } catch (const InputError&) {
    return false;
  }
}

bool is_table(const fs::path& path) {
  try {
    read_text_heights(path, {});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// Recognises the first line that `export` writes.
bool is_exported(const fs::path& path) {
  const std::string bytes = beginning_of(path);
  const std::string_view line = std::string_view(bytes).substr(0, bytes.find('\n'));
  constexpr std::size_t kFooter = 1 << 20;  // of Parquet, where slipfield.parquet names itself
  if (bytes.starts_with("PAR1")) {
    const std::size_t count = std::min<std::size_t>(fs::file_size(path), kFooter);
    return ending_of(path, count).find("slipfield export") != std::string::npos;
  }
  if (line == kLatexMark) return true;
  return line.starts_with("step,") || line.starts_with("point,") || line.starts_with("x [") ||
         line.starts_with("wheelset_y [");
}

// The name of a kind of file, and how it is recognised.
struct KnownKind {
  FileKind kind;
  std::string_view name;
  bool (*is)(const fs::path& path);
};
constexpr KnownKind kKinds[] = {
    {FileKind::result, "slipfield result", is_result_or_sweep},
    {FileKind::checkpoint, "checkpoint of slipfield",
     [](const fs::path& path) { return beginning_of(path).starts_with(kHdf5Signature); }},
    {FileKind::case_file, "case file of slipfield", is_case},
    {FileKind::table, "table of numbers", is_table},
    {FileKind::worn_profile, "worn profile of slipfield",
     [](const fs::path& path) { return beginning_of(path).starts_with(kWornProfileMark); }},
    {FileKind::picture, "figure (PNG, SVG, PDF, GIF or MP4)", is_picture},
    {FileKind::surface, "surface of slipfield",
     [](const fs::path& path) { return certain_file_type_of(path) == kSurfaceFileType; }},
    {FileKind::creep_table, "creep-force table of slipfield", is_creep_table},
    {FileKind::table_bytes, "creep-force table of slipfield", is_creep_table},
    {FileKind::exported, "table exported by slipfield", is_exported},
    {FileKind::page, "report of slipfield",
     [](const fs::path& path) { return beginning_of(path).find(kPageMark) != std::string::npos; }},
};

const KnownKind& known_kind(FileKind kind) {
  return *std::ranges::find(kKinds, kind, &KnownKind::kind);
}

// Compares device and inode, and so follows links.
bool is_one_of(const fs::path& path, const std::vector<fs::path>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const fs::path& input) {
    std::error_code not_there;
    return fs::equivalent(path, input, not_there);
  });
}

// Leaves room in the name for the suffixes of temporary files next to it: NAME.checkpoint,
// NAME.partial-12345.1.
void require_room_in_name(const fs::path& path, const fs::path& folder) {
  constexpr long kBeside = 24;
  const long longest = pathconf(folder.c_str(), _PC_NAME_MAX);
  const auto length = static_cast<long>(path.filename().string().size());
  if (longest > kBeside && length > longest - kBeside)
    throw InputError(
        fmt::format("{}: the name is too long, {} bytes; accepted: names of at most {} bytes there",
                    path.string(), length, longest - kBeside));
}

}  // namespace

std::string exists_message(const fs::path& path, OutputOf of) {
  return path.string() + ": the file exists already and is not overwritten unasked" +
         (of == OutputOf::program ? " (use --overwrite, or name another file with -o)"
                                  : "; accepted: another name");
}

bool is_taken(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool has_case_name(const fs::path& path) {
  const std::string ending = file_ending(path);
  return ending == ".yaml" || ending == ".yml";
}

bool is_replaceable(const fs::path& path, FileKind kind, const std::vector<fs::path>& inputs) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || is_one_of(path, inputs)) return false;
  return fs::file_size(path, error) == 0 || known_kind(kind).is(path);
}

void check_output(const fs::path& path, FileKind kind, const OutputRule& rule) {
  if (path.filename().empty())
    throw InputError("\"" + path.string() + "\" names no file to write to");
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const auto fail = [&](const std::string& reason) {
    throw Error(path.string() + ": " + reason, ExitCode::bad_input);
  };
  if (!fs::is_directory(folder, error))
    fail("there is no folder " + folder.string() + " to write to");
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) fail("cannot be written to (" + error.message() + ")");
  require_room_in_name(path, folder);
  const bool exists = fs::exists(status);
  const bool of_program = rule.of == OutputOf::program;
  if (exists && !fs::is_regular_file(status))
    fail("this is not a regular file and cannot be written to");
  if (exists && is_one_of(path, rule.inputs))
    throw InputError(path.string() + (of_program ? ": the command reads this file, so it is never "
                                                   "overwritten; name another file with -o"
                                                 : ": the case names this file, so it is never "
                                                   "overwritten; accepted: another name"));
  const std::string ending = file_ending(path);
  const bool named_hdf5 = ending == ".h5" || ending == ".hdf5";
  const bool is_hdf5 =
      kind == FileKind::result || kind == FileKind::creep_table || kind == FileKind::surface;
  if (is_hdf5 && !named_hdf5)
    throw InputError(fmt::format(
        "{}: a {} is an HDF5 file, and its name says so; accepted: names that end in .h5 "
        "or .hdf5",
        path.string(),
        kind == FileKind::result    ? "result"
        : kind == FileKind::surface ? "surface"
                                    : "table of creep forces"));
  if (kind == FileKind::worn_profile && named_hdf5)
    throw InputError(path.string() +
                     ": a worn profile is text, and its name says HDF5; accepted: other names, "
                     "for example worn.txt");
  if (kind == FileKind::table_bytes && named_hdf5)
    throw InputError(path.string() +
                     ": these are not HDF5, and the name says so; accepted: other names, for "
                     "example creep.bin for C programs, tabcon for USETAB");
  if (exists && rule.overwrite == Overwrite::refuse)
    throw InputError(exists_message(path, rule.of));
  if (exists && !is_replaceable(path, kind, rule.inputs))
    throw InputError(fmt::format(
        "{}: the file is not a {} and is not overwritten; {}", path.string(), known_kind(kind).name,
        of_program ? "name another file with -o, or remove this one yourself"
                   : "accepted: another name"));
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    fail("cannot write into the folder " + folder.string() + ": " +
         std::generic_category().message(errno));
}

}  // namespace slipfield
