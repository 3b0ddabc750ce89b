// SPDX-License-Identifier: Apache-2.0
#include "app/plot/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "solver/error.h"

namespace slipfield {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail(const char* call, int error) {
  throw Error(fmt::format("gnuplot could not be run: {}: {}", call, reason(error)));
}

// A file without a name, in memory. Against a pipe: neither side waits for the other.
class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail("memfd_create", errno);
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = write(descriptor_, text.data(), text.size());
      if (count < 0 && errno != EINTR) fail("write", errno);
      if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    if (lseek(descriptor_, 0, SEEK_SET) != 0) fail("lseek", errno);
  }

  [[nodiscard]] std::string read_all() const {
    if (lseek(descriptor_, 0, SEEK_SET) != 0) fail("lseek", errno);
    std::string text;
    std::array<char, 1 << 16> buffer{};
    for (;;) {
      const ssize_t count = read(descriptor_, buffer.data(), buffer.size());
      if (count == 0) return text;
      if (count < 0 && errno != EINTR) fail("read", errno);
      if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  int descriptor_;
};

pid_t spawn(const MemoryFile& input, const MemoryFile& output, const MemoryFile& messages) {
  posix_spawn_file_actions_t streams;
  if (const int error = posix_spawn_file_actions_init(&streams)) fail("posix_spawn", error);
  posix_spawn_file_actions_adddup2(&streams, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, messages.descriptor(), STDERR_FILENO);
  std::string program = "gnuplot";
  std::string no_settings_of_the_user = "--default-settings";
  const std::array arguments = {program.data(), no_settings_of_the_user.data(),
                                static_cast<char*>(nullptr)};
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (error == ENOENT)
    throw Error(
        "gnuplot, which draws the figures, is not installed (on Debian or Ubuntu: apt-get install "
        "gnuplot-nox)");
  if (error != 0) fail("posix_spawnp", error);
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("waitpid", errno);
  return status;
}

// The last line with a letter in it: gnuplot puts the sentence after the command and a caret.
std::string last_message(const std::string& messages) {
  std::string found;
  for (std::size_t begin = 0; begin < messages.size();) {
    const std::size_t end = std::min(messages.find('\n', begin), messages.size());
    const std::string line = messages.substr(begin, end - begin);
    const std::size_t text = line.find_first_not_of(" \t^");
    if (text != std::string::npos) found = line.substr(text);
    begin = end + 1;
  }
  return found.empty() ? "it gave no reason" : found;
}

// Both formats say at their end that they are complete.
bool is_complete(std::string_view picture, PictureFormat format) {
  if (format == PictureFormat::png) {
    constexpr std::string_view kEnd("IEND\xae\x42\x60\x82", 8);
    return picture.starts_with("\x89PNG\r\n\x1a\n") && picture.ends_with(kEnd);
  }
  while (!picture.empty() && std::strchr(" \r\n", picture.back()) != nullptr)
    picture.remove_suffix(1);
  return picture.ends_with("</svg>");
}

// Bytes of the UTF-8 character that begins the text; 0 where it is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (length < 3) return length;
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const bool c1_control = length == 2 && character < "\xc2\xa0";
    const bool no_character = character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf";
    if (length == 0 || no_character)
      clean += "\xef\xbf\xbd";
    else if (c1_control || (length == 1 && (text[0] < ' ' || text[0] == '\x7f')))
      clean += ' ';
    else
      clean += character;
    text.remove_prefix(character.size());
  }
  return clean;
}

std::string gnuplot_text(std::string_view text) {
  std::string quoted = "'";
  for (const char byte : clean_text(text)) quoted.append(byte == '\'' ? 2 : 1, byte);
  return quoted + "'";
}

std::string gnuplot_floats(std::span<const double> values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(values[i]);
    std::memcpy(&bytes[i * sizeof(float)], &value, sizeof(float));
  }
  return bytes;
}

std::string run_gnuplot(const std::string& script, PictureFormat format) {
  const MemoryFile input("figure");
  const MemoryFile output("picture");
  const MemoryFile messages("messages");
  input.write_all(script);
  const int status = wait_for(spawn(input, output, messages));
  if (WIFSIGNALED(status))
    throw Error(fmt::format("gnuplot was ended by signal {}", WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    throw Error(fmt::format("gnuplot failed: {}", last_message(messages.read_all())));
  std::string picture = output.read_all();
  if (!is_complete(picture, format))
    throw Error(fmt::format("gnuplot delivered no complete picture: {}",
                            last_message(messages.read_all())));
  return picture;
}

}  // namespace slipfield
