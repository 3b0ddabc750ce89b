// SPDX-License-Identifier: Apache-2.0
// Decides which files may be written: one rule for all commands.
//
// A new name is always allowed. An existing file is replaced only on request and only by the same
// kind: a result by a result, a figure by a figure. A file that the command reads is never
// replaced, under whatever name, link or symbolic link. An empty file may be replaced by anything.
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
  worn_profile,  // written by `wear`
  picture,       // PNG, SVG, GIF, MP4; PDF with the mark
  surface,       // heights written by `surface`, HDF5; its name ends in .h5 or .hdf5
  creep_table,   // of creep forces, in HDF5; its name ends in .h5 or .hdf5
  table_bytes,   // a creep table for C programs, or as USETAB's text
  exported,      // numbers of a result as CSV, LaTeX or Parquet
  page,          // a report in HTML
};

// Marks that identify worn profiles (first line), exported LaTeX (first line), reports and figures
// in PDF (last line).
inline constexpr std::string_view kWornProfileMark = "# profile worn, written by slipfield";
inline constexpr std::string_view kPdfMark = "% figure of slipfield\n";
inline constexpr std::string_view kLatexMark = "% exported by slipfield";
inline constexpr std::string_view kSurfaceFileType = "slipfield-surface";  // the root's file_type
inline constexpr std::string_view kPageMark = "<meta name=\"generator\" content=\"slipfield";

enum class OutputOf { program, library };  // whose options a message names

struct OutputRule {
  OutputRule(Overwrite existing = Overwrite::refuse, std::vector<std::filesystem::path> read = {},
             OutputOf caller = OutputOf::program)
      : overwrite(existing), inputs(std::move(read)), of(caller) {}

  Overwrite overwrite;
  std::vector<std::filesystem::path> inputs;  // files that the command reads
  OutputOf of;
};

// Throws InputError if `path` may not become a file of that kind, and an Error that is no
// InputError, but has its exit code, if the system lets no file be written there.
void check_output(const std::filesystem::path& path, FileKind kind, const OutputRule& rule);

// Returns whether a file has that name. A name that cannot be looked up counts as free;
// check_output() reports why it cannot be written.
bool is_taken(const std::filesystem::path& path);

// Judges by the ending.
bool has_case_name(const std::filesystem::path& path);

// The existing file is of that kind or empty, and is not read by the command.
bool is_replaceable(const std::filesystem::path& path, FileKind kind,
                    const std::vector<std::filesystem::path>& inputs);

std::string exists_message(const std::filesystem::path& path, OutputOf of);

}  // namespace slipfield
