// SPDX-License-Identifier: Apache-2.0
// Handles, error stack, files, groups and links. Attributes and datasets are in io/hdf5/values.cpp.
#include "io/hdf5/internal.h"

#include <cstdio>
#include <exception>
#include <utility>

namespace slipfield {

namespace {

// The operating system's text if the stack has one, else the innermost message.
std::string short_reason(const std::string& stack) {
  constexpr std::string_view kSystemText = "error message = '";
  const std::size_t found = stack.find(kSystemText);
  if (found == std::string::npos) return stack.substr(0, stack.find("; "));
  const std::size_t begin = found + kSystemText.size();
  return stack.substr(begin, stack.find('\'', begin) - begin);
}

}  // namespace

Hdf5Error::Hdf5Error(std::string_view call, std::string_view path, const std::string& stack)
    : Error("HDF5: " + std::string(call) + " failed on " + std::string(path) +
            (stack.empty() ? "" : ": " + short_reason(stack))),
      stack_(stack),
      reason_(short_reason(stack)) {}

namespace hdf5 {

// Printing by the library is a setting of the thread's error stack. Its work at exit is disabled:
// every handle closes itself, and after a failed write the library would crash.
void prepare() {
  static const bool before_the_library_starts = H5dont_atexit() >= 0;
  static_cast<void>(before_the_library_starts);
  thread_local const bool silent = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(silent);
}

namespace {

extern "C" herr_t slipfield_append_error(unsigned /*depth*/, const H5E_error2_t* error,
                                         void* collected) {
  if (error->desc == nullptr || *error->desc == '\0') return 0;
  auto& text = *static_cast<std::string*>(collected);
  if (!text.empty()) text += "; ";
  for (const char* character = error->desc; *character != '\0'; ++character)
    text += *character == '\n' ? ' ' : *character;
  return 0;
}

// The innermost reason first.
std::string take_error_stack() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, slipfield_append_error, &text);
  H5Eclear2(H5E_DEFAULT);
  return text;
}

extern "C" herr_t slipfield_append_name(hid_t /*group*/, const char* name,
                                        const H5L_info_t* /*info*/, void* collected) {
  static_cast<std::vector<std::string>*>(collected)->emplace_back(name);
  return 0;
}

}  // namespace

void check(std::int64_t result, std::string_view call, std::string_view path) {
  if (result < 0) throw Hdf5Error(call, path, take_error_stack());
}

namespace {

// What destructors of this thread could not close; empty if nothing.
std::string& failed_close() {
  thread_local std::string stack;
  return stack;
}

void throw_failed_close(std::string_view path) {
  if (!failed_close().empty())
    throw Hdf5Error("H5Dclose", path, std::exchange(failed_close(), std::string()));
}

}  // namespace

Handle::Handle(hid_t id, Close closer, std::string_view call, std::string_view path)
    : id_(id), close_(closer) {
  check(id, call, path);
}

// While an exception propagates, failures here follow from it. Otherwise a delayed write may have
// failed: the file's flush() or close() throws for it.
Handle::~Handle() {
  if (id_ < 0) return;
  const OneThread alone;
  if (close_(id_) < 0 && std::uncaught_exceptions() == 0) failed_close() = take_error_stack();
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

void Handle::close(std::string_view call, std::string_view path) {
  const OneThread alone;
  if (id_ >= 0) check(close_(std::exchange(id_, -1)), call, path);
  throw_failed_close(path);
}

void Handle::discard() noexcept {
  const OneThread alone;
  if (id_ >= 0) close_(std::exchange(id_, -1));
}

// Querying names would clear the stack of the error that is about to be reported.
std::string describe(hid_t location, std::string_view name) {
  const hid_t pending_errors = H5Eget_current_stack();
  const auto text = [location](ssize_t (*get)(hid_t, char*, size_t)) {
    const ssize_t length = get(location, nullptr, 0);
    if (length <= 0) return std::string();
    std::string result(static_cast<std::size_t>(length) + 1, '\0');
    if (get(location, result.data(), result.size()) < 0) return std::string();
    result.resize(static_cast<std::size_t>(length));
    return result;
  };
  std::string object = text(&H5Iget_name);
  if (!name.empty()) {
    if (object.empty() || object.back() != '/') object += '/';
    object += name;
  }
  std::string path = text(&H5Fget_name) + ":" + object;
  H5Eset_current_stack(pending_errors);
  return path;
}

// Each flush scans the cache: a large one makes a file of many steps slow to write.
Handle small_cache(const std::filesystem::path& path) {
  constexpr std::size_t kBytes = std::size_t{1} << 18U;
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate", path.string());
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  check(H5Pget_mdc_config(access.id(), &cache), "H5Pget_mdc_config", path.string());
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = kBytes;
  check(H5Pset_mdc_config(access.id(), &cache), "H5Pset_mdc_config", path.string());
  return access;
}

Handle create_file(const std::filesystem::path& path) {
  failed_close().clear();  // of files before
  prepare();
  return {H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, small_cache(path).id()), H5Fclose,
          "H5Fcreate", path.string()};
}

Handle open_file(const std::filesystem::path& path) {
  prepare();
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "H5Fopen", path.string()};
}

Handle change_file(const std::filesystem::path& path) {
  prepare();
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "H5Fopen", path.string()};
}

void flush(const Handle& file) {
  check(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), "H5Fflush", describe(file.id()));
  throw_failed_close(describe(file.id()));
}

Handle create_group(hid_t location, const std::string& name) {
  return {checked(H5Gcreate2(location, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                  "H5Gcreate2", location, name),
          H5Gclose, "H5Gcreate2", name};
}

Handle open_group(hid_t location, const std::string& name) {
  return {checked(H5Gopen2(location, name.c_str(), H5P_DEFAULT), "H5Gopen2", location, name),
          H5Gclose, "H5Gopen2", name};
}

bool has_link(hid_t location, const std::string& name) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (part.empty() || part == "/") continue;
    const htri_t exists = H5Lexists(location, part.c_str(), H5P_DEFAULT);
    checked(exists, "H5Lexists", location, part);
    if (exists == 0) return false;
  }
  return true;
}

std::vector<std::string> link_names(hid_t group) {
  std::vector<std::string> names;
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, slipfield_append_name, &names),
        "H5Literate", describe(group));
  return names;
}

void remove_link(hid_t location, const std::string& name) noexcept {
  H5Ldelete(location, name.c_str(), H5P_DEFAULT);
}

void link_hard(hid_t from, const std::string& name, hid_t to, const std::string& new_name) {
  check(H5Lcreate_hard(from, name.c_str(), to, new_name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
        "H5Lcreate_hard", describe(to, new_name));
}

std::string library_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  check(H5get_libversion(&major, &minor, &release), "H5get_libversion", "the library");
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace hdf5
}  // namespace slipfield
