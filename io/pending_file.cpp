// SPDX-License-Identifier: Apache-2.0
#include "io/pending_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

// Moves without replacing; returns an error number, or 0. Some file systems do not support such a
// rename; a hard link also refuses an existing name.
int move_without_replacing(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (link(from.c_str(), to.c_str()) != 0) return errno;
  return unlink(from.c_str()) == 0 ? 0 : errno;
}

// Ensures that a name never refers to contents lost in a power failure. On file systems without
// this function only that guarantee is lost.
void sync_to_disk(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

// The target of a symbolic link, whether or not it exists.
fs::path follow_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as the kernel
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i)
    path = path.parent_path() / fs::read_symlink(path, error);
  return path;
}

// A new name in the folder of `path`; files of this process or of another machine may exist.
fs::path temporary_name(const fs::path& path) {
  const std::string stem = path.string() + ".partial-" + std::to_string(getpid());
  fs::path name = stem;
  std::error_code error;
  for (int number = 1; fs::exists(fs::symlink_status(name, error)); ++number)
    name = stem + "." + std::to_string(number);
  return name;
}

}  // namespace

fs::path PendingFile::target(const fs::path& path) { return follow_links(path); }

PendingFile::PendingFile(fs::path path, FileKind kind, OutputRule rule, fs::path temporary)
    : path_(follow_links(std::move(path))),
      temporary_(std::move(temporary)),
      kind_(kind),
      rule_(std::move(rule)) {
  check_output(path_, kind_, rule_);
  if (temporary_.empty()) temporary_ = temporary_name(path_);
}

void PendingFile::keep() {
  owned_ = false;
  if (temporary_.parent_path() == path_.parent_path()) return;
  const fs::path beside = temporary_name(path_);
  if (rename(temporary_.c_str(), beside.c_str()) == 0) temporary_ = beside;
}

PendingFile::~PendingFile() {
  if (!owned_ || unlink(temporary_.c_str()) == 0 || errno == ENOENT) return;
  std::fprintf(stderr, "warning: the temporary file %s could not be removed: %s\n",
               temporary_.c_str(), std::generic_category().message(errno).c_str());
}

void PendingFile::write(std::string_view content, std::string_view what) const {
  write_to(std::ios::trunc, content, what);
}

void PendingFile::append(std::string_view content, std::string_view what) const {
  write_to(std::ios::app, content, what);
}

void PendingFile::write_to(std::ios::openmode mode, std::string_view content,
                           std::string_view what) const {
  std::ofstream stream(temporary_, std::ios::binary | mode);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  if (!stream)
    throw Error(path_.string() + ": the " + std::string(what) +
                " could not be written: " + std::generic_category().message(errno));
}

void PendingFile::commit() {
  const bool replace = rule_.overwrite == Overwrite::allow;
  const auto kept = [this] {
    keep();
    return "; the new one stays under the name " + temporary_.string();
  };
  sync_to_disk(temporary_);
  try {
    if (replace) check_output(path_, kind_, rule_);  // again: another file may have come there
  } catch (const InputError& error) {
    throw InputError(error.what() + kept());
  } catch (const Error& error) {
    throw Error(error.what() + kept(), error.exit_code());
  }
  const int failure = replace ? (rename(temporary_.c_str(), path_.c_str()) == 0 ? 0 : errno)
                              : move_without_replacing(temporary_, path_);
  if (failure == 0) {
    owned_ = false;
    sync_to_disk(path_.has_parent_path() ? path_.parent_path() : fs::path("."));
    return;
  }
  if (failure == EEXIST) throw InputError(exists_message(path_, rule_.of) + kept());
  throw Error(path_.string() + ": the finished file could not be moved into place: " +
              std::generic_category().message(failure) + kept());
}

}  // namespace slipfield
