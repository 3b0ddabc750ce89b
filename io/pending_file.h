// SPDX-License-Identifier: Apache-2.0
// A file that is written under a temporary name next to its place and moved there when complete.
//
// "out.h5" is written as "out.h5.partial-<process id>". output_rule.h decides which files it may
// replace, and decides again on files that appear during the writing.
#pragma once

#include <filesystem>
#include <ios>
#include <string_view>

#include "io/output_rule.h"

namespace slipfield {

class PendingFile {
 public:
  // Resolves a symbolic link; returns any other path unchanged.
  static std::filesystem::path target(const std::filesystem::path& path);

  // Throws InputError if the rule forbids the file. Chooses a temporary name if none is given (on
  // the same file system) but creates nothing yet.
  PendingFile(std::filesystem::path path, FileKind kind, OutputRule rule,
              std::filesystem::path temporary = {});
  // Removes the temporary file unless it was moved into place or kept.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::filesystem::path& temporary_path() const { return temporary_; }

  // Writes the whole content under the temporary name. Throws Error with the reason that `what`
  // ("figure") could not be written.
  void write(std::string_view content, std::string_view what) const;

  // Appends to the content. Throws like write().
  void append(std::string_view content, std::string_view what) const;

  // Moves the complete file into place. If that fails, the file keeps its temporary name, which the
  // Error gives.
  void commit();

  // Leaves the file under this name to another process, which moves or removes it.
  void leave_to_another() { owned_ = false; }

  // Keeps the temporary file next to its final place, under the name that temporary_path() then
  // returns.
  void keep();

 private:
  void write_to(std::ios::openmode mode, std::string_view content, std::string_view what) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  FileKind kind_;
  OutputRule rule_;
  bool owned_ = true;
};

}  // namespace slipfield
