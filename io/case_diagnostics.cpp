#include "io/case_diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "io/case_error.h"

namespace slipfield {
namespace {

constexpr std::size_t kMaxKept = 10000;
constexpr std::size_t kMaxShown = 100;

// Places in the file first; those of arguments stay in the order in which they were found.
bool comes_before(const SourcePlace& a, const SourcePlace& b) {
  const auto key = [](const SourcePlace& place) {
    const bool argument =
        place.source != nullptr && place.source->kind() == SourceText::Kind::argument;
    return argument ? std::make_tuple(1, 0, 0) : std::make_tuple(0, place.line, place.column);
  };
  return key(a) < key(b);
}

}  // namespace

void CaseDiagnostics::add(const SourcePlace& place, std::string_view path, std::string_view problem,
                          std::string_view accepted) {
  if (entries_.size() >= kMaxKept) {
    ++count_;
    return;
  }
  const std::string where = describe_place(place);
  std::string message(problem);
  if (!accepted.empty()) message.append("; ").append(accepted);
  if (!seen_.insert(where + ": " + message).second) return;
  ++count_;
  const std::string prefix = path.empty() ? where + ": " : fmt::format("{}: {}: ", where, path);
  entries_.push_back({place, prefix + message, excerpt(place)});
}

void CaseDiagnostics::take(const CaseDiagnostics& other, std::string_view context) {
  for (Entry entry : other.entries_) {
    if (entries_.size() >= kMaxKept || !seen_.insert(entry.message).second) continue;
    ++count_;
    if (!context.empty()) entry.message.append(" (").append(context).append(")");
    entries_.push_back(std::move(entry));
  }
  files_.insert(other.files_.begin(), other.files_.end());
  for (const std::string& warning : other.warnings_)
    if (warnings_.size() < kMaxShown && seen_.insert(warning).second) warnings_.push_back(warning);
}

void CaseDiagnostics::warn(const SourcePlace& place, std::string_view path, std::string_view what) {
  const std::string message = fmt::format("{}: {}: {}", describe_place(place), path, what);
  if (warnings_.size() < kMaxShown && seen_.insert(message).second) warnings_.push_back(message);
}

std::vector<CaseDiagnostics::Entry> CaseDiagnostics::sorted() const {
  std::vector<Entry> entries = entries_;
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return comes_before(a.place, b.place); });
  return entries;
}

std::vector<std::string> CaseDiagnostics::messages() const {
  std::vector<std::string> messages;
  for (const Entry& entry : sorted()) messages.push_back(entry.message);
  return messages;
}

std::string CaseDiagnostics::text() const {
  const std::vector<Entry> entries = sorted();
  std::string result;
  const std::size_t shown = std::min(entries.size(), kMaxShown);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) result += '\n';
    result += entries[i].message + "\n" + entries[i].excerpt;
  }
  if (count_ > shown) result += fmt::format("\nand {} more errors", count_ - shown);
  return result;
}

void CaseDiagnostics::throw_if_any() const {
  if (!empty()) throw CaseError(text());
}

}  // namespace slipfield
