// SPDX-License-Identifier: Apache-2.0
#include "io/case/change/open_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "io/case/check/faults.h"
#include "io/case/doubts.h"
#include "io/case/reader.h"
#include "io/case/sections.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/yaml/number.h"
#include "io/yaml/tree.h"
#include "solver/error.h"
#include "solver/geometry.h"
#include "solver/problem_check.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr std::array<std::string_view, 3> kLoads{"friction", "normal", "tangential"};
constexpr std::array<std::string_view, 6> kWheelLoads{"friction",
                                                      "wheel_rail.side",
                                                      "wheel_rail.track",
                                                      "wheel_rail.wheelset",
                                                      "wheel_rail.vertical_force",
                                                      "wheel_rail.longitudinal_force"};
constexpr std::string_view kAcceptedPath = "the path of a key, for example normal.force";

// The control that a key of `tangential.x` sets; all others are rigid motions.
TangentialControl tangential_control(std::string_view name) {
  if (name == "force") return TangentialControl::force;
  if (name == "force_ratio") return TangentialControl::force_ratio;
  return name == "traction_coefficient" ? TangentialControl::traction_coefficient
                                        : TangentialControl::rigid;
}

// The source of values without a text: messages show only their keys.
const SourceText& set_source() {
  static const SourceText source("", "", SourceText::Kind::argument);
  return source;
}

std::span<const std::string_view> loads_of(bool wheel) {
  if (wheel) return kWheelLoads;
  return kLoads;
}

bool is_one_of(std::string_view key, std::span<const std::string_view> keys) {
  return std::ranges::find(keys, key) != keys.end();
}

// Stands in for what a place holds until it is kept; otherwise the place has its own value again.
template <class T>
class Trial {
 public:
  Trial(T& place, T value) : place_(place), other_(std::move(value)) { std::swap(place_, other_); }
  ~Trial() {
    if (!kept_) std::swap(place_, other_);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  void keep() { kept_ = true; }

 private:
  T& place_;
  T other_;
  bool kept_ = false;
};

std::shared_ptr<const YamlNode> shared_tree(YamlNode tree) {
  return std::make_shared<const YamlNode>(std::move(tree));
}

YamlNode no_changes() { return YamlNode::empty_map({&set_source(), 0, 0}); }

YamlNode a_mark() {
  YamlNode mark;
  mark.kind = YamlNode::Kind::scalar;
  mark.text = "a mark\n";  // no value of a case
  return mark;
}

// Whether the first of the steps has the mark that the tree has at the key.
bool is_in_force(const YamlNode& marked, const std::string& key) {
  const YamlNode in_force = loads_in_force(marked, 0);
  const YamlNode* const found = find_path(&in_force, key_path(key));
  return found != nullptr && found->text == a_mark().text;
}

// Plain numbers skip the YAML parser.
std::optional<YamlNode> value_node(const KeyValue& change, CaseDiagnostics& diagnostics) {
  constexpr std::string_view kPlain = "0123456789+-.einfa";
  if (change.value.find_first_not_of(" \t\r\n") == std::string::npos) {
    diagnostics.add({&set_source(), 0, 0}, change.key, "has no value", "a value in YAML");
    return std::nullopt;
  }
  if (!is_utf8(change.value)) {
    diagnostics.add({&set_source(), 0, 0}, change.key, "has bytes that are not UTF-8",
                    "text in UTF-8");
    return std::nullopt;
  }
  if (change.value.find_first_not_of(kPlain) != std::string::npos)
    return parse_yaml(change.value, set_source(), diagnostics);
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = change.value;
  node.place = {&set_source(), 0, 0};
  return node;
}

// The number of a step that a key sets; null for other kinds of loads.
double* number_at(StepInput& step, std::string_view key) {
  Tangential& tangential = step.tangential;
  const bool rolling = is_rolling(tangential.problem);
  const auto load = [&](TangentialLoad& along, std::string_view name) -> double* {
    const std::string_view rigid = rolling ? "creepage" : "shift";
    const TangentialControl control = tangential_control(name);
    const bool fits =
        control == along.control && (control != TangentialControl::rigid || name == rigid);
    return fits ? &along.value : nullptr;
  };
  constexpr std::string_view kX = "tangential.x.";
  constexpr std::string_view kY = "tangential.y.";
  constexpr std::array kNormal{"normal.force", "normal.approach", "normal.pull_off"};
  if (key == kNormal.at(static_cast<std::size_t>(step.normal.control))) return &step.normal.value;
  if (key == "friction.coefficient" && !step.friction.kinetic && !step.friction.varies())
    return &step.friction.coefficient;
  if (tangential.problem == TangentialProblem::none) return nullptr;
  if (key.starts_with(kX)) return load(tangential.x, key.substr(kX.size()));
  if (key.starts_with(kY)) return load(tangential.y, key.substr(kY.size()));
  if (tangential.moment) return key == "tangential.moment" ? &*tangential.moment : nullptr;
  if (key == (rolling ? "tangential.spin" : "tangential.rotation")) return &tangential.rotation;
  return nullptr;
}

// Whether a change of this key in a case of one contact without `steps` is the same as one over its
// steps. That of a `problem` is not: only the case keeps the section's other keys.
bool is_single_load_of_contact(std::string_view key) {
  constexpr std::string_view kTangential = "tangential.";
  if (key.starts_with("friction.") || key.starts_with("normal."))
    return std::ranges::count(key, '.') == 1;
  if (!key.starts_with(kTangential) || key == "tangential.problem") return false;
  key.remove_prefix(kTangential.size());
  const auto dots = std::ranges::count(key, '.');
  return dots == 0 || (dots == 1 && (key.starts_with("x.") || key.starts_with("y.")));
}

// Whether heat flows in the same way in problems with these steps (HeatMemory).
bool move_alike(const std::vector<StepInput>& a, const std::vector<StepInput>& b) {
  return std::ranges::equal(a, b, [](const StepInput& one, const StepInput& other) {
    return one.tangential.problem == other.tangential.problem &&
           one.tangential.direction == other.tangential.direction;
  });
}

std::vector<StepInput> steps_of_contact(const std::vector<StepTask>& tasks) {
  std::vector<StepInput> steps;
  for (const StepTask& task : tasks) steps.push_back(std::get<StepInput>(task));
  return steps;
}

std::string case_with_steps(CaseFile file, const std::vector<StepTask>& steps) {
  file.expected.clear();
  if (!file.wheel_rail) {
    file.problem.steps = steps_of_contact(steps);
    return write_case(file);
  }
  auto wheel_rail = std::make_shared<WheelRailCase>(*file.wheel_rail);
  wheel_rail->steps.clear();
  for (const StepTask& step : steps) wheel_rail->steps.push_back(std::get<WheelsetStep>(step));
  file.wheel_rail = std::move(wheel_rail);
  return write_case(file);
}

// Writes down what the file's problem took from its steps where these would give another.
void keep_what_followed(CaseFile& file, const std::vector<StepInput>& steps) {
  ContactProblem& problem = file.problem;
  const NormalLoad& load = steps.front().normal;
  const double modulus = combine(problem.upper, problem.lower).contact_modulus();
  for (Shape& shape : problem.geometry) {
    const auto* const hertz = std::get_if<HertzShape>(&shape);
    if (hertz == nullptr || (load.control == NormalControl::force && load.value == hertz->force))
      continue;
    const HertzContact contact =
        hertz_contact(hertz->semi_axis_x, hertz->semi_axis_y, hertz->force, modulus);
    shape = QuadraticShape{.xx = contact.curvature_x, .yy = contact.curvature_y};
  }
  if (auto& heat = problem.surface.heat) {
    const HeatConduction was = heat_conduction(*heat, problem.steps);
    // Steady rolling, which has no memory of heat, is refused with half_space.
    const bool steady = std::ranges::any_of(steps, [](const StepInput& step) {
      return step.tangential.problem == TangentialProblem::steady_rolling;
    });
    if (heat_conduction(*heat, steps) != was && !steady) heat->conduction = was;
  }
}

[[noreturn]] void refuse_fixed(const std::string& key, bool wheel) {
  throw InputError(
      fmt::format("{}: is fixed once a step has run; accepted: keys of {}, or a new solver", key,
                  fmt::join(loads_of(wheel), ", ")));
}

// The messages about unknown keys among the faults of a reading.
std::string unknown_keys(const CaseError& error) {
  std::string text;
  for (const CaseFault& fault : error.faults())
    if (fault.unknown_key)
      text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", fault.key, fault.text());
  return text;
}

}  // namespace

std::string yaml_number(double value) { return fmt::format("{}", value); }

bool is_load_key(std::string_view key, bool wheel) {
  return std::ranges::any_of(loads_of(wheel), [&](std::string_view load) {
    return key == load || (key.starts_with(load) && key[load.size()] == '.');
  });
}

bool is_overridden_by_steps(const YamlNode& root, const std::vector<PathSegment>& path,
                            const std::string& key) {
  const bool wheel = root.index_of("wheel_rail").has_value();
  if (path.size() == 1 || !root.index_of("steps") || !is_load_key(key, wheel)) return false;
  CaseDiagnostics ignored;
  YamlNode marked = root;
  replace_value(marked, path, a_mark(), ignored);
  return !is_in_force(marked, key);
}

OpenCase::OpenCase(std::unique_ptr<CaseText> text, HeightsFiles files, CaseDiagnostics& diagnostics)
    : text_(std::move(text)),
      tree_(text_, &text_->tree),
      files_(std::move(files)),
      set_(no_changes()) {
  read(diagnostics);
}

void OpenCase::read() {
  CaseDiagnostics diagnostics;
  read(diagnostics);
}

void OpenCase::read(CaseDiagnostics& diagnostics) {
  file_ = read_case(*text_, *tree_, files_, diagnostics);
  file_.source = source_of(*text_);
  entries_ = file_.problem.steps;
  count_ = count_steps(entries_);
  forget_step();
}

void OpenCase::forget_step() {
  come_to(std::nullopt);
  step_warnings_.emplace();
  entry_doubts_.reset();
}

void OpenCase::come_to(std::optional<std::size_t> entry) {
  if (entry_ != entry) entry_doubts_.reset();
  entry_ = entry;
  resolved_.reset();
}

bool OpenCase::take_back(Values values) {
  set_ = std::move(values.set);
  numbers_ = std::move(values.numbers);
  forget_step();
  if (values.trees == trees_) return false;
  tree_ = std::move(values.tree);
  ++trees_;
  read();
  return true;
}

std::vector<Finding> OpenCase::doubts_of(const StepInput& step) const {
  return doubts_of_steps(file_.problem, {&step, 1});
}

const std::vector<std::string>& OpenCase::step_warnings() {
  if (step_warnings_) return *step_warnings_;
  if (!entry_doubts_) entry_doubts_ = doubts_of(entries_[*entry_]);
  step_warnings_.emplace();
  for (const Finding& finding : doubts_of(std::get<StepInput>(step_)))
    if (std::ranges::find(*entry_doubts_, finding) == entry_doubts_->end())
      step_warnings_->push_back(doubt_text(finding, file_.problem.units));
  return *step_warnings_;
}

StepTask OpenCase::task_of(std::size_t entry) const {
  if (file_.wheel_rail) return file_.wheel_rail->steps[entry];
  return entries_[entry];
}

// Reads the whole case with this single step, and so makes all its checks and doubts.
StepTask OpenCase::read_wheel_over(const YamlNode& change, std::size_t entry,
                                   StepWarnings& warnings) {
  CaseDiagnostics diagnostics;
  const Trial tried(tree_, shared_tree(wheel_step_tree(*tree_, entry, change)));
  std::optional<CaseFile> file;
  try {
    file = read_case(*text_, *tree_, files_, diagnostics);
  } catch (const Error&) {
    diagnostics.throw_messages_if_any();
    throw;
  }
  for (std::string& warning : file->warnings) {
    const bool known = std::ranges::find(file_.warnings, warning) != file_.warnings.end();
    (known ? warnings.lasting : warnings.own).push_back(std::move(warning));
  }
  return file->wheel_rail->steps.front();
}

// For a case of one contact.
std::optional<StepInput> OpenCase::read_entry_over(const YamlNode& change, std::size_t entry,
                                                   CaseDiagnostics& diagnostics) const {
  const CaseContext context{
      file_.problem.grid, text_->path.parent_path(), files_, false, file_.problem.adhesion.exists(),
      file_.problem.units};
  return read_loads(loads_in_force(*tree_, entry), change, context, diagnostics, &entries_[entry]);
}

// Puts the changes over an entry's step and makes the result current.
void OpenCase::read_over(const YamlNode& change, std::size_t entry) {
  StepWarnings warnings;
  if (is_wheel()) {
    step_ = read_wheel_over(change, entry, warnings);
  } else {
    CaseDiagnostics diagnostics;
    auto step = read_entry_over(change, entry, diagnostics);
    diagnostics.throw_messages_if_any();
    step->repeat = 1;
    step_ = std::move(*step);
    warnings.lasting = file_.warnings;
  }
  step_warnings_.reset();
  if (is_wheel()) step_warnings_ = std::move(warnings.own);
  lasting_warnings_ = std::move(warnings.lasting);
  come_to(entry);
}

YamlNode OpenCase::over_set(const YamlNode& change, std::size_t entry) const {
  return is_wheel() ? wheel_loads_over(*tree_, entry, set_, change) : loads_over(set_, change);
}

const StepTask& OpenCase::step(int number) {
  const std::size_t entry = entry_of_step(entries_, number);
  if (entry_ == entry) return step_;
  take_numbers();
  if (!set_.keys.empty()) {
    read_over(set_, entry);
    return step_;
  }
  step_ = task_of(entry);
  step_warnings_.emplace();
  lasting_warnings_.reset();
  come_to(entry);
  return step_;
}

// A fast path for values that a program sets at every step. Returns false if the slow one is
// needed.
bool OpenCase::set_numbers(const std::vector<KeyValue>& changes, int step) {
  if (is_wheel() || entry_ != entry_of_step(entries_, step)) return false;
  StepInput changed = std::get<StepInput>(step_);
  for (const KeyValue& change : changes) {
    double* number = number_at(changed, change.key);
    const auto value = parse_number(change.value).value;
    if (number == nullptr || !value) return false;
    *number = *value;
  }
  if (!check_step(file_.problem, changed, &std::get<StepInput>(step_).friction).empty())
    return false;
  step_ = std::move(changed);
  step_warnings_.reset();
  for (const KeyValue& change : changes) numbers_[change.key] = change.value;
  resolved_.reset();
  return true;
}

void OpenCase::take_numbers() {
  if (numbers_.empty()) return;
  CaseDiagnostics diagnostics;
  YamlNode change = no_changes();
  for (const auto& [key, value] : numbers_)
    replace_value(change, *split_path(key, {&set_source(), 0, 0}, kAcceptedPath, diagnostics),
                  *value_node({key, value}, diagnostics), diagnostics);
  set_ = loads_over(set_, change);  // a wheel has none
  numbers_.clear();
}

void OpenCase::set_loads(const YamlNode& change, int step) {
  const std::size_t entry = entry_of_step(entries_, step);
  YamlNode all = over_set(change, entry);
  read_over(all, entry);
  const auto is_hertz = [](const Shape& shape) {
    return std::holds_alternative<HertzShape>(shape);
  };
  const auto* const own = std::get_if<StepInput>(&step_);
  if (step == 1 && own != nullptr && own->normal.control != NormalControl::force &&
      std::ranges::any_of(file_.problem.geometry, is_hertz)) {
    forget_step();
    throw InputError(
        "normal: hertz takes its curvatures from the normal force of the first step, which "
        "prescribes the approach; accepted: normal.force, or a shape with given curvatures");
  }
  set_ = std::move(all);
}

bool OpenCase::follow_steps() {
  if (is_wheel()) return false;
  std::vector<StepInput> steps = entries_;
  for (std::size_t k = 0; k < steps.size() && (!set_.keys.empty() || !numbers_.empty()); ++k) {
    std::optional<StepInput> step;
    if (entry_ == k) {
      step = std::get<StepInput>(step_);
    } else {
      take_numbers();
      CaseDiagnostics refused;  // at its own step
      try {
        step = read_entry_over(set_, k, refused);
      } catch (const Error&) {
        step.reset();
      }
    }
    const int repeat = steps[k].repeat;
    if (step) steps[k] = std::move(*step);
    steps[k].repeat = repeat;
  }
  return follow_steps(std::move(steps));
}

bool OpenCase::follow_steps(std::vector<StepInput> steps) {
  ContactProblem& problem = file_.problem;
  const NormalLoad& load = steps.front().normal;
  bool changed = problem.surface.heat && !move_alike(problem.steps, steps);
  for (Shape& shape : problem.geometry) {
    auto* const hertz = std::get_if<HertzShape>(&shape);
    if (hertz == nullptr || load.control != NormalControl::force || hertz->force == load.value)
      continue;
    hertz->force = load.value;
    changed = true;
  }
  problem.steps = std::move(steps);
  if (changed) resolved_.reset();
  return changed;
}

OpenCase::Followed OpenCase::followed() const {
  Followed found{file_.problem.steps, {}};
  for (const Shape& shape : file_.problem.geometry)
    if (const auto* const hertz = std::get_if<HertzShape>(&shape))
      found.hertz_forces.push_back(hertz->force);
  return found;
}

void OpenCase::take_back(Followed before) {
  file_.problem.steps = std::move(before.steps);
  auto force = before.hertz_forces.begin();
  for (Shape& shape : file_.problem.geometry)
    if (auto* const hertz = std::get_if<HertzShape>(&shape)) hertz->force = *force++;
  resolved_.reset();
}

// Whether the change sets a load; for a wheel on a rail also a whole section that has only loads.
bool OpenCase::is_load(const KeyValue& change, const std::vector<PathSegment>& path) const {
  const std::string& first = path.front().name;
  if (!is_wheel() || first == "friction") return is_one_of(first, loads_of(is_wheel()));
  if (first != "wheel_rail") return false;
  if (path.size() > 1) return is_one_of(first + "." + path[1].name, loads_of(true));
  CaseDiagnostics diagnostics;
  const auto value = value_node(change, diagnostics);
  return value && value->kind == YamlNode::Kind::map && !value->keys.empty() &&
         std::ranges::all_of(value->keys, [&](const YamlKey& key) {
           return is_one_of(first + "." + key.name, loads_of(true));
         });
}

// Reads the case with the value to find out whether the key exists, or which one is nearest.
void OpenCase::refuse_late(const KeyValue& change, const std::vector<PathSegment>& path) {
  CaseDiagnostics diagnostics;
  std::string unknown;
  if (auto node = value_node(change, diagnostics)) {
    YamlNode tree = *tree_;
    replace_value(tree, path, std::move(*node), diagnostics);
    HeightsFiles files = files_;
    const Trial tried(tree_, shared_tree(std::move(tree)));
    try {
      static_cast<void>(read_case(*text_, *tree_, files, diagnostics));
    } catch (const CaseError& error) {
      unknown = unknown_keys(error);
    } catch (const Error&) {  // the key exists, as far as known, but is refused anyway
    }
  }
  if (!unknown.empty()) throw InputError(unknown);
  refuse_fixed(change.key, is_wheel());
}

HeightsFiles OpenCase::files_with(const std::vector<NamedArray>& arrays, int step) const {
  HeightsFiles files = files_;
  for (const NamedArray& array : arrays) {
    files.give(array.name, array.values);
    if (step == 1) continue;
    for (const HeightsFile& file : file_.heights_files)
      if (file.path.filename() == std::string(kArrayPrefix) + array.name)
        refuse_fixed(shown_name(file.path), is_wheel());
  }
  return files;
}

bool OpenCase::set(const std::vector<KeyValue>& changes, const std::vector<NamedArray>& arrays,
                   int step, Loads loads) {
  const bool changed = apply(changes, arrays, step, loads);
  return (step == 1 && follow_steps()) || changed;
}

// Whether the loads, changed in the case, are those of each of its steps.
bool OpenCase::hold_in_every_step(const std::vector<KeyValue>& changes) const {
  return !tree_->index_of("steps") && std::ranges::all_of(changes, [this](const KeyValue& change) {
    return is_wheel() ? change.key.starts_with("wheel_rail.")
                      : is_single_load_of_contact(change.key);
  });
}

// Whether a load of its section was set over the steps.
bool OpenCase::is_set_over(const std::vector<PathSegment>& path) const {
  return set_.index_of(path.front().name).has_value();
}

void OpenCase::put_load(YamlNode& tree, const std::vector<PathSegment>& path, const YamlNode& value,
                        CaseDiagnostics& diagnostics) const {
  YamlNode change = no_changes();
  replace_value(change, path, value, diagnostics);
  if (path.front().name == "wheel_rail") return put_wheel_state(tree, change);
  if (path.size() > 1) drop_excluded_loads(tree, change, is_wheel());
  replace_value(tree, path, value, diagnostics);
}

// Throws InputError if the first of the steps overrides what the tree has at the path.
void OpenCase::require_in_force(const YamlNode& tree, const std::vector<PathSegment>& path,
                                const std::string& key) const {
  if (path.size() == 1 || !tree.index_of("steps")) return;
  CaseDiagnostics ignored;
  YamlNode marked = tree;
  put_load(marked, path, a_mark(), ignored);
  if (!is_in_force(marked, key))
    throw InputError(fmt::format(
        "{0}: changes nothing, because the first of the case's `steps` gives another; accepted: "
        "steps.0.{0}, or the key of another step",
        key));
}

bool OpenCase::apply(const std::vector<KeyValue>& changes, const std::vector<NamedArray>& arrays,
                     int step, Loads how) {
  const bool in_case = how == Loads::in_case && !hold_in_every_step(changes);
  if (!in_case && arrays.empty() && set_numbers(changes, step)) return false;
  take_numbers();
  CaseDiagnostics diagnostics;
  YamlNode loads = no_changes();
  std::optional<YamlNode> tree;  // changed
  for (const KeyValue& change : changes) {
    const auto path = split_path(change.key, {&set_source(), 0, 0}, kAcceptedPath, diagnostics);
    if (!path || !fits_kind(*tree_, *path, diagnostics)) continue;
    const bool load = is_load(change, *path);
    if (!load && step > 1) refuse_late(change, *path);
    auto node = value_node(change, diagnostics);
    if (!node) continue;
    const bool over = load && (!in_case || is_set_over(*path));
    if (!over && !tree) tree = *tree_;
    if (load && !over) {
      put_load(*tree, *path, *node, diagnostics);
      if (diagnostics.empty()) require_in_force(*tree, *path, change.key);
    } else {
      replace_value(over ? loads : *tree, *path, std::move(*node), diagnostics);
    }
  }
  diagnostics.throw_messages_if_any();
  if (!tree && arrays.empty()) {
    if (!loads.keys.empty()) set_loads(loads, step);
    return false;
  }
  Trial tried_files(files_, files_with(arrays, step));
  Trial tried(tree_, tree ? shared_tree(std::move(*tree)) : tree_);
  read_anew(step, loads);
  tried_files.keep();
  tried.keep();
  if (tree) ++trees_;
  return tree.has_value();
}

// The case as its text and arrays now are, with these loads over it; or all as it was.
void OpenCase::read_anew(int step, const YamlNode& loads) {
  CaseFile file = file_;
  std::vector<StepInput> entries = entries_;
  YamlNode set = set_;
  try {
    read();
    if (step > 1 && !is_wheel()) follow_steps(file.problem.steps);
    if (!loads.keys.empty())
      set_loads(loads, step);
    else
      static_cast<void>(this->step(step));
  } catch (...) {
    file_ = std::move(file);
    entries_ = std::move(entries);
    set_ = std::move(set);
    count_ = count_steps(entries_);
    forget_step();
    throw;
  }
}

std::string OpenCase::value(std::string_view key, int step) {
  const StepTask& task = this->step(step);
  if (!resolved_) {
    CaseDiagnostics diagnostics;
    resolved_ = parse_yaml(case_with_steps(file_, {task}), set_source(), diagnostics);
    diagnostics.throw_messages_if_any();
  }
  CaseDiagnostics diagnostics;
  static_cast<void>(split_path(key, {&set_source(), 0, 0}, kAcceptedPath, diagnostics));
  diagnostics.throw_messages_if_any();
  const auto path = key_path(std::string(key));
  const YamlNode* node = find_path(&*resolved_, path);
  // Another notation, such as geometry.radius or young_modulus, is there as it was read or set.
  if (node == nullptr && !key.starts_with("steps") && !is_load_key(key, is_wheel()))
    node = find_path(tree_.get(), path);
  if (node == nullptr)
    throw InputError(fmt::format("{}: the case has no such key; accepted: {}", key, kAcceptedPath));
  return node->kind == YamlNode::Kind::scalar ? node->text : flow_yaml(*node);
}

std::string resolved_case(CaseFile file, const std::vector<StepTask>& steps) {
  if (!file.wheel_rail) keep_what_followed(file, steps_of_contact(steps));
  return case_with_steps(std::move(file), steps);
}

}  // namespace slipfield
