// SPDX-License-Identifier: Apache-2.0
#include "io/yaml/diagnostics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <tuple>
#include <utility>

namespace slipfield {
namespace {

constexpr std::size_t kMaxKept = 10000;
constexpr std::size_t kMaxShown = 100;
constexpr std::string_view kBeforeRemedy = "accepted: ";
// What precedes the first point that has a warning, and the number of points that have it.
constexpr std::string_view kFirstInPoint = " (first in ";
constexpr std::string_view kInPoint = " (in ";
constexpr std::string_view kInPoints = "; in ";
constexpr std::string_view kOfSweep = " of the sweep";  // in each name of a point

// Places in the file first; those of arguments keep the order in which they were found.
bool comes_before(const SourcePlace& a, const SourcePlace& b) {
  const auto key = [](const SourcePlace& place) {
    const bool argument =
        place.source != nullptr && place.source->kind() == SourceText::Kind::argument;
    return argument ? std::make_tuple(1, 0, 0) : std::make_tuple(0, place.line, place.column);
  };
  return key(a) < key(b);
}

// A value set by a program has no place except its path.
std::string beginning(const std::string& place, std::string_view path) {
  std::string text;
  if (!place.empty()) text += place + ": ";
  if (!path.empty()) text.append(path).append(": ");
  return text;
}

std::string_view joint(std::string_view before) { return before.ends_with('?') ? " " : "; "; }

// The question whether another word was meant belongs to the reason.
CaseFault fault_of(std::string_view problem, std::string_view accepted) {
  constexpr std::string_view kEnd = "'? ";
  CaseFault fault;
  fault.reason = problem;
  if (accepted.starts_with("did you mean")) {
    const std::size_t end = accepted.find(kEnd);
    fault.reason.append(joint(problem)).append(accepted.substr(0, end + kEnd.size() - 1));
    accepted.remove_prefix(end + kEnd.size());
  }
  if (accepted.starts_with(kBeforeRemedy)) accepted.remove_prefix(kBeforeRemedy.size());
  fault.remedy = accepted;
  return fault;
}

}  // namespace

std::string CaseFault::text() const {
  std::string result = reason;
  if (!remedy.empty()) result.append(joint(reason)).append(kBeforeRemedy).append(remedy);
  return result;
}

bool CaseDiagnostics::is_full() const { return entries_.size() >= kMaxKept; }

void CaseDiagnostics::add(const SourcePlace& place, std::string_view path, std::string_view problem,
                          std::string_view accepted) {
  ++reported_;
  if (is_full()) {
    ++count_;
    return;
  }
  CaseFault fault = fault_of(problem, accepted);
  const std::string message = fault.text();
  const std::string where = describe_place(place);
  fault.place = where;
  fault.key = path;
  if (!seen_.insert(where + ": " + message).second) return;
  ++count_;
  const std::string prefix = beginning(where, path);
  entries_.push_back({place, prefix + message, excerpt(place), std::move(fault)});
}

void CaseDiagnostics::add_unknown_key(const SourcePlace& place, std::string_view path, bool digits,
                                      std::string_view accepted) {
  const std::size_t before = entries_.size();
  add(place, path, digits ? "unknown key (a decimal comma? Write a point)" : "unknown key",
      accepted);
  if (entries_.size() > before) entries_.back().fault.unknown_key = true;
}

void CaseDiagnostics::add_missing(const SourcePlace& place, const std::string& path,
                                  std::string_view accepted) {
  const std::size_t before = entries_.size();
  add(place, path, "missing", accepted);
  if (entries_.size() > before) entries_.back().missing = path;
}

// A key misspelt for all steps would also be reported as missing in each step.
bool CaseDiagnostics::is_explained(const Entry& entry) const {
  if (entry.missing.empty()) return false;
  if (misspelt_.contains(entry.missing)) return true;
  const std::size_t number = std::string_view("steps.").size();
  if (!entry.missing.starts_with("steps.")) return false;
  const std::size_t dot = entry.missing.find('.', number);
  return dot != std::string::npos && misspelt_.contains(entry.missing.substr(dot + 1));
}

void CaseDiagnostics::take_all_but_warnings(const CaseDiagnostics& other,
                                            std::string_view context) {
  for (Entry entry : other.entries_) {
    if (is_full() || !seen_.insert(entry.message).second) continue;
    ++count_;
    if (!context.empty()) entry.message.append(" (").append(context).append(")");
    entries_.push_back(std::move(entry));
  }
  files_.insert(other.files_.begin(), other.files_.end());
  misspelt_.insert(other.misspelt_.begin(), other.misspelt_.end());
}

void CaseDiagnostics::take(const CaseDiagnostics& other) {
  take_all_but_warnings(other, {});
  for (const Warning& warning : other.warnings_) known(warning);
}

void CaseDiagnostics::take_point(const CaseDiagnostics& other, std::string_view point, bool first) {
  take_all_but_warnings(other, first ? std::string_view() : point);
  ++points_;
  for (const Warning& warning : other.warnings_) {
    Warning* const found = known(warning);
    if (found == nullptr) continue;
    if (++found->points == 1) found->point = point;
    found->differs = found->differs || found->message != warning.message;
  }
}

CaseDiagnostics::Warning* CaseDiagnostics::known(const Warning& warning) {
  const std::string& key = warning.topic.empty() ? warning.message : warning.topic;
  const auto found = numbers_.find(key);
  if (found != numbers_.end()) return &warnings_[found->second];
  if (warnings_.size() >= kMaxShown) return nullptr;
  numbers_.emplace(key, warnings_.size());
  return &warnings_.emplace_back(warning);
}

void CaseDiagnostics::warn(const SourcePlace& place, std::string_view path, std::string_view what,
                           std::string_view topic) {
  known({beginning(describe_place(place), path) + std::string(what), std::string(topic)});
}

std::string CaseDiagnostics::text_of(const Warning& warning) const {
  if (warning.points == 0) return warning.message;
  return WarningOfPoints{warning.message, warning.point, warning.points, points_, warning.differs}
      .text();
}

std::string WarningOfPoints::text() const {
  if (points == of && !differs) return message;
  if (points == 1) return fmt::format("{}{}{})", message, kInPoint, point);
  return fmt::format("{}{}{}{}{} {} points)", message, kFirstInPoint, point, kInPoints,
                     points == of ? "all" : fmt::format("{} of", points), of);
}

WarningOfPoints WarningOfPoints::from_text(std::string_view text, std::size_t of) {
  // What follows the mark, if it names a point of a sweep.
  const auto after = [text](std::string_view mark) {
    const std::size_t at = text.rfind(mark);
    const std::string_view rest =
        at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
    return rest.find(kOfSweep) == std::string_view::npos ? std::string_view() : rest;
  };
  const auto before = [text](std::string_view mark) {
    return std::string(text.substr(0, text.rfind(mark)));
  };
  if (const std::string_view rest = after(kFirstInPoint); rest.find(kInPoints) < rest.size()) {
    const std::size_t end = rest.rfind(kInPoints);
    const std::string_view number = rest.substr(end + kInPoints.size());
    std::size_t points = of;  // "all"
    std::from_chars(number.data(), number.data() + number.size(), points);
    return {before(kFirstInPoint), std::string(rest.substr(0, end)), points, of, points == of};
  }
  if (const std::string_view rest = after(kInPoint); rest.ends_with(')'))
    return {before(kInPoint), std::string(rest.substr(0, rest.size() - 1)), 1, of};
  return {std::string(text), {}, of, of};
}

std::vector<std::string> CaseDiagnostics::warnings() const {
  std::vector<std::string> messages;
  messages.reserve(warnings_.size());
  for (const Warning& warning : warnings_) messages.push_back(text_of(warning));
  return messages;
}

std::vector<CaseDiagnostics::Entry> CaseDiagnostics::shown_entries() const {
  std::vector<Entry> entries;
  std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(entries),
               [this](const Entry& entry) { return !is_explained(entry); });
  std::ranges::stable_sort(
      entries, [](const Entry& a, const Entry& b) { return comes_before(a.place, b.place); });
  return entries;
}

std::vector<std::string> CaseDiagnostics::messages() const {
  std::vector<std::string> messages;
  for (const Entry& entry : shown_entries()) messages.push_back(entry.message);
  return messages;
}

std::vector<CaseFault> CaseDiagnostics::faults() const {
  std::vector<CaseFault> faults;
  for (const Entry& entry : shown_entries()) faults.push_back(entry.fault);
  return faults;
}

std::string CaseDiagnostics::text() const {
  const std::vector<Entry> entries = shown_entries();
  std::string result;
  const std::size_t shown = std::min(entries.size(), kMaxShown);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) result += "\nerror: ";  // which the first has from whoever prints it
    result += entries[i].message;
    if (!entries[i].excerpt.empty()) result += "\n" + entries[i].excerpt;
  }
  const std::size_t told = count_ - (entries_.size() - entries.size());
  if (told > shown) result += fmt::format("\nand {} more errors", told - shown);
  return result;
}

void CaseDiagnostics::throw_if_any() const {
  if (!empty()) throw CaseError(text(), faults());
}

void CaseDiagnostics::throw_messages_if_any() const {
  if (!empty()) throw CaseError(fmt::format("{}", fmt::join(messages(), "\n")), faults());
}

}  // namespace slipfield
