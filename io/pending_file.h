// SPDX-License-Identifier: Apache-2.0
// A file that is written under a temporary name next to its place and moved there when complete.
//
// "out.h5" is written as "out.h5.partial-<process id>". output_rule.h says which files it may
// replace; the rule is applied again to files that appear while this one is written.
#pragma once

#include <filesystem>
#include <ios>
#include <string_view>

#include "io/output_rule.h"

namespace slipfield {

class PendingFile {
 public:
  // The file that `path` stands for where it is a symbolic link.
  static std::filesystem::path target(const std::filesystem::path& path);

  // Throws InputError where the rule forbids the file. Chooses the temporary name where none is
  // given (on the same file system); creates nothing yet.
  PendingFile(std::filesystem::path path, FileKind kind, OutputRule rule,
              std::filesystem::path temporary = {});
  // Removes the temporary file unless it was moved into place or kept.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::filesystem::path& temporary_path() const { return temporary_; }

  // Writes the whole content under the temporary name. Throws Error that says why `what` ("figure")
  // could not be written.
  void write(std::string_view content, std::string_view what) const;

  // Writes more of it behind what is there. Throws as write().
  void append(std::string_view content, std::string_view what) const;

  // Moves the complete file into place. Where that fails the file stays under its temporary name,
  // which the Error names.
  void commit();

  // Another process writes the file under this name, and moves or removes it.
  void leave_to_another() { owned_ = false; }

  // The temporary file is not removed; it stays next to its place under the name that
  // temporary_path() then has.
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
