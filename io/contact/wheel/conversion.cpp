// SPDX-License-Identifier: Apache-2.0
#include "io/contact/wheel/conversion.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <utility>

#include "io/contact/lines.h"
#include "io/contact/support.h"
#include "io/contact/wheel/wheel_input.h"
#include "io/yaml/error.h"

namespace slipfield {
namespace {

constexpr double kWheelRailModule = 1.0;

class WheelConversion {
 public:
  WheelConversion(const SourceText& source, const std::optional<CaseRange>& range,
                  Unsupported unsupported)
      : source_(source),
        range_(range),
        skips_(unsupported == Unsupported::skip),
        lines_(source, found_) {}

  ConvertedInput convert(const std::string& name, const std::filesystem::path& folder) {
    read_all();
    if (!rest_) check_range(source_, static_cast<int>(cases_.size()), range_);
    ConvertedInput result;
    const WheelInput* before = nullptr;
    std::vector<std::vector<const WheelInput*>> groups;
    for (const WheelInput& input : cases_) {
      if (!is_wanted(input.base.number, range_) || !supports(input, before, result)) continue;
      before = &input;
      if (groups.empty() || !same_wheel_and_rail(*groups.back().front(), input))
        groups.emplace_back();
      groups.back().push_back(&input);
    }
    if (!skips_ || groups.empty()) throw_if_any();
    for (const auto& group : groups)
      result.cases.push_back(write_wheel_inputs(group, name, folder));
    if (rest_) result.skipped.push_back(std::move(*rest_));
    result.warnings = all_.warnings();
    return result;
  }

 private:
  // Up to the end of the file, or to the last case wanted.
  void read_all() {
    bool within = false;  // R = 0, 2: the next case follows without a module number
    int element = 1;
    try {
      while (!lines_.at_end()) {
        if (!within && !read_module(element)) return;
        const auto known = last_of_.find(element);
        WheelInput next =
            read_wheel_input(lines_, known == last_of_.end() ? nullptr : known->second,
                             static_cast<int>(cases_.size()) + 1, element, found_);
        found_.throw_if_any();
        cases_.push_back(std::move(next));
        last_of_[element] = &cases_.back();
        if (range_ && cases_.back().base.number >= range_->last) return;
        within = cases_.back().digit('R') % 2 == 0;
      }
    } catch (const CaseError&) {
      if (!skips_ || cases_.empty()) throw;
      const InputCase& last = cases_.back().base;
      rest_ = {last.number + 1, last.last_line + 1, source_.line_count(), true, found_.messages()};
    }
  }

  // True where another case follows.
  bool read_module(int& element) {
    constexpr std::array<InputField, 2> kModule{
        InputField{.label = "MODULE", .kind = InputKind::integer},
        InputField{
            .label = "result element", .kind = InputKind::integer, .presence = Presence::optional}};
    const auto numbers = lines_.read("MODULE", kModule);
    if (numbers[0].value == 0.0) return false;
    if (numbers[0].value != kWheelRailModule) {
      found_.add(numbers[0].place, "MODULE",
                 numbers[0].value == 3.0
                     ? "a case of the basic contact follows cases of a wheel on a rail"
                     : fmt::format("there is no {}", numbers[0].value),
                 "accepted: 1, as before, or 0 at the end; other cases in a file of their own");
      found_.throw_if_any();
    }
    element = numbers.size() > 1 ? numbers[1].integer() : 1;
    return true;
  }

  bool supports(const WheelInput& input, const WheelInput* before, ConvertedInput& result) {
    CaseDiagnostics found;
    if (!input.base.computed()) {
      warn_not_computed(input.base, found);
      all_.take(found);
      return false;
    }
    check_wheel_support(input, before, found);
    const bool supported = found.empty();
    if (!supported && skips_)
      result.skipped.push_back({input.base.number, input.base.first_line, input.base.last_line,
                                false, found.messages()});
    if (!supported) ++unsupported_;
    all_.take(found);
    return supported;
  }

  void throw_if_any() const {
    if (all_.empty()) return;
    std::string text = all_.text();
    const std::size_t supported = cases_.size() - unsupported_;
    if (supported > 0)
      text += fmt::format("\n{} of {} cases are supported: --skip-unsupported converts these",
                          supported, cases_.size());
    throw CaseError(text);
  }

  const SourceText& source_;
  const std::optional<CaseRange>& range_;
  bool skips_;
  CaseDiagnostics found_;  // while reading
  CaseDiagnostics all_;
  InputLines lines_;
  std::deque<WheelInput> cases_;
  std::map<int, const WheelInput*> last_of_;  // of each result element
  std::size_t unsupported_ = 0;
  std::optional<SkippedCase> rest_;
};

}  // namespace

bool is_wheel_rail_input(const SourceText& source) {
  CaseDiagnostics found;
  try {
    return InputLines(source, found).read_list("MODULE", 1, InputKind::integer)[0].value ==
           kWheelRailModule;
  } catch (const CaseError&) {
    return false;
  }
}

ConvertedInput convert_wheel_rail_input(const SourceText& source, const std::string& name,
                                        const std::filesystem::path& folder,
                                        const std::optional<CaseRange>& range,
                                        Unsupported unsupported) {
  return WheelConversion(source, range, unsupported).convert(name, folder);
}

}  // namespace slipfield
