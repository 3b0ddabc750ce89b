// SPDX-License-Identifier: Apache-2.0
// What may be written to: one rule for every command that writes files.
//
// A free name may be taken. An existing file is replaced only where that was asked for, and only
// by its like: a result by a result, a figure by a figure. A file that the command reads is never
// replaced, by whatever name, link or symbolic link it is reached. An empty file has nothing to
// lose and may be replaced by anything.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slipfield {

enum class Overwrite { refuse, allow };
inline Overwrite overwrite_if(bool asked) { return asked ? Overwrite::allow : Overwrite::refuse; }

enum class FileKind {
  result,        // of a run or of a sweep; its name ends in .h5 or .hdf5
  checkpoint,    // HDF5, in the folder of checkpoints next to a result
  case_file,     // YAML with a `schema`
  table,         // text of numbers in rows
  worn_profile,  // what `wear` writes
  picture,       // PNG, SVG, GIF, MP4; PDF with the mark
  surface,       // heights that `surface` writes, in HDF5; its name ends in .h5 or .hdf5
  creep_table,   // of creep forces, in HDF5; its name ends in .h5 or .hdf5
  table_bytes,   // the same for C programs, or as USETAB's text
  exported,      // numbers of a result as CSV, LaTeX or Parquet
  page,          // a report in HTML
};

// By which worn profiles (their first line), exported LaTeX (its first line), reports and figures
// in PDF (their last line) are known again.
inline constexpr std::string_view kWornProfileMark = "# profile worn, written by slipfield";
inline constexpr std::string_view kPdfMark = "% figure of slipfield\n";
inline constexpr std::string_view kLatexMark = "% exported by slipfield";
inline constexpr std::string_view kSurfaceFileType = "slipfield-surface";  // the root's file_type
inline constexpr std::string_view kPageMark = "<meta name=\"generator\" content=\"slipfield";

struct OutputRule {
  OutputRule(Overwrite existing = Overwrite::refuse, std::vector<std::filesystem::path> read = {})
      : overwrite(existing), inputs(std::move(read)) {}

  Overwrite overwrite;
  std::vector<std::filesystem::path> inputs;  // files that the command reads
};

// Throws InputError with one sentence where `path` may not become a file of that kind.
void check_output(const std::filesystem::path& path, FileKind kind, const OutputRule& rule);

// A file has that name. One that cannot be looked up counts as free; check_output() says why it may
// not be written to.
bool is_taken(const std::filesystem::path& path);

// By its ending.
bool has_case_name(const std::filesystem::path& path);

// The existing file is of that kind, or empty, and no file that the command reads.
bool is_replaceable(const std::filesystem::path& path, FileKind kind,
                    const std::vector<std::filesystem::path>& inputs);

std::string exists_message(const std::filesystem::path& path);

}  // namespace slipfield
