// SPDX-License-Identifier: Apache-2.0
#include "io/case/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "io/case/change/open_case.h"
#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/reader.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/yaml/number.h"
#include "io/yaml/suggestion.h"
#include "io/yaml/tree.h"
#include "solver/memory_estimate.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostErrors = 100;  // then no more points are read
constexpr std::string_view kAcceptedEntry =
    "a list of maps {key, values}, {key, from, to, points, spacing}, or {together}";
constexpr std::string_view kAcceptedTogether =
    "a list of maps {key, values} or {key, from, to, points, spacing}, of as many values each";
constexpr std::string_view kAcceptedKey = "the path of a value, for example friction.coefficient";

struct SweptKeys {
  std::optional<std::string> key;
  std::optional<std::vector<YamlNode>> values;
  std::optional<double> from;
  std::optional<double> to;
  std::optional<int> points;
  Spacing spacing = Spacing::linear;
};

void read_swept_values(CaseSection& section, const KeyRow& row, SweptKeys& keys) {
  const auto list = section.at(row.name, row.accepted, Presence::optional);
  const auto values = list ? list->items(row.accepted, 1) : std::nullopt;
  if (!values) return;
  for (const CaseValue& value : *values)
    if (value.node.kind == YamlNode::Kind::null)
      return value.refuse("has no value", "a value for the key");
  keys.values = list->node.items;
}

std::vector<KeyRow> swept_rows() {
  using S = SweptKeys;
  return {
      text("key", &S::key, kAcceptedKey, "required",
           "the path of a value, such as `tangential.x.creepage`, in `bodies`, `layer`, "
           "`adhesion`, `patches`, `influence`, `friction`, `grid`, `geometry`, `normal`, "
           "`tangential`, `steps`, `solver`, `wheel_rail`, `wear`, `heat` or `fatigue`"),
      value("values", {KeyForm{.kind = KeyForm::Kind::list, .least = 1}},
            "a list of values for the key", "this or `from`", "a list of any values")
          .by(read_swept_values),
      number("from", &S::from, kAnyNumber, "this or `values`", "the first number of a range"),
      number("to", &S::to, kAnyNumber, "required with `from`", "the last one").with("from").need(),
      integer("points", &S::points, IntegerRange{2, kMaxSweepPoints}, "required with `from`",
              "how many, 2 or more")
          .with("from")
          .need(),
      word("spacing", &S::spacing, kSpacings, "linear", "`linear`, `logarithmic`").with("from")};
}

// One key; an entry of `sweep` is one, or several that change together.
const KeyTable kSweptTable{
    "sweep.together", swept_rows(), {one_of({"values", "from"}, Presence::optional)}};
const KeyTable kSweepTable{
    "sweep",
    joined_rows(swept_rows(),
                {value("together", {list_form(map_form(), 1)}, kAcceptedTogether, "one key",
                       "a list of entries like this one, all of one length, that change together")
                     .of(kSweptTable)}),
    {one_of({"values", "from"}, Presence::optional),
     {{{"together"}, {"key", "values", "from", "to", "points", "spacing"}},
      Presence::required,
      "key with values or a range, or together"}}};

std::optional<double> plain_number_of(const YamlNode& value) {
  const bool bare = value.kind == YamlNode::Kind::scalar && value.quotes == YamlNode::Quotes::none;
  return bare ? parse_number(value.text).value : std::nullopt;
}

// The i-th of n values; both ends are exactly as given.
double value_between(double from, double to, int i, int n, Spacing spacing) {
  if (i == 0) return from;
  if (i == n - 1) return to;
  if (spacing == Spacing::logarithmic)
    return from * std::pow(to / from, static_cast<double>(i) / (n - 1));
  // 0 or 0.355 where only rounding separates it from the value, such as 0.35500000000000004.
  const double value = ((n - 1 - i) * from + i * to) / (n - 1);
  const double rounding =
      4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(from), std::abs(to));
  return std::abs(value) <= rounding ? 0.0 : as_decimal(value, 15, rounding);
}

// The first value of the range; nothing if it is invalid, which is reported.
std::optional<std::vector<YamlNode>> range_of(CaseSection& section, const SweptKeys& keys,
                                              SweptKey& key) {
  if (!keys.from || !keys.to || !keys.points) return std::nullopt;
  key.spacing = keys.spacing;
  if (*keys.from == *keys.to) {
    section.error_at_value("to", "is the same as 'from'", "another number, or a list of values");
    return std::nullopt;
  }
  if (key.spacing == Spacing::logarithmic && !(*keys.from > 0.0 && *keys.to > 0.0)) {
    section.error_at_value("spacing", "'logarithmic' leads from 0 or less, or to it",
                           "numbers > 0, or spacing: linear");
    return std::nullopt;
  }
  key.from = *keys.from;
  key.to = *keys.to;
  key.points = *keys.points;
  return std::vector<YamlNode>{*section.value("from", "a number", Presence::required)};
}

bool starts_with(const std::vector<PathSegment>& path, const std::vector<PathSegment>& beginning) {
  return path.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), path.begin(),
                    [](const PathSegment& a, const PathSegment& b) { return a.name == b.name; });
}

class SweepReader {
 public:
  SweepReader(const YamlNode& root, CaseDiagnostics& diagnostics)
      : root_(root), diagnostics_(diagnostics) {}

  // Nothing if there are errors.
  std::vector<SweepEntry> read(CaseSection& root) {
    std::vector<SweepEntry> entries;
    const std::size_t errors_before = diagnostics_.reported();
    for (CaseSection& section :
         root.maps("sweep", kAcceptedEntry, Presence::required, CaseSection::Maps::list)) {
      SweepEntry entry = section.has("together") ? read_together(section) : read_single(section);
      if (!entry.keys.empty()) entries.push_back(std::move(entry));
    }
    if (diagnostics_.reported() != errors_before) return {};
    double count = 1.0;
    for (const SweepEntry& entry : entries) count *= static_cast<double>(entry.count());
    if (count > kMaxSweepPoints) {
      root.error_at_key("sweep", fmt::format("has {} points", count),
                        fmt::format("at most {}", kMaxSweepPoints));
      return {};
    }
    return entries;
  }

 private:
  SweepEntry read_single(CaseSection& section) {
    SweepEntry entry;
    if (auto key = read_key(section)) entry.keys.push_back(std::move(*key));
    return entry;
  }

  SweepEntry read_together(CaseSection& section) {
    SweptKeys none;
    if (!kSweepTable.read_into(section, &none)) return {};
    SweepEntry entry;
    for (CaseSection& part :
         section.maps("together", kAcceptedTogether, Presence::required, CaseSection::Maps::list)) {
      auto key = read_key(part);
      if (!key) continue;
      if (!entry.keys.empty() && key->count() != entry.count())
        part.error_here(fmt::format("has {} values, and {} has {}", key->count(),
                                    in_quotes(entry.keys.front().key), entry.count()),
                        "as many values for each key");
      else
        entry.keys.push_back(std::move(*key));
    }
    return entry;
  }

  std::optional<SweptKey> read_key(CaseSection& section) {
    SweptKey key;
    SweptKeys keys;
    const KeyTable& table =
        section.path().find("together") != std::string::npos ? kSweptTable : kSweepTable;
    const std::size_t before = diagnostics_.reported();
    table.read_into(section, &keys);
    if (!section.has("values") && !section.has("from"))
      section.error_here("none of values, from is given", "exactly one of values, from");
    auto values = keys.values ? keys.values : range_of(section, keys, key);
    if (diagnostics_.reported() != before || !keys.key || !values) return std::nullopt;
    const YamlNode& node = *section.value("key", kAcceptedKey, Presence::required);
    const auto path = split_path(*keys.key, node.place, kAcceptedKey, diagnostics_);
    if (!path || !may_be_swept(section, *path) || !fits_kind(root_, *path, diagnostics_))
      return std::nullopt;
    key.key = *keys.key;
    key.path = *path;
    if (is_overridden_by_steps(root_, *path, key.key))
      section.warn_at_value("key", fmt::format("{0} changes nothing, because the first of the "
                                               "`steps` replaces it: sweep over steps.0.{0}",
                                               key.key));
    key.values = std::move(*values);
    // Once: each point asks for it.
    key.is_number = key.points > 0 || std::ranges::all_of(key.values, [](const YamlNode& value) {
                      return plain_number_of(value).has_value();
                    });
    return key;
  }

  bool may_be_swept(CaseSection& section, const std::vector<PathSegment>& path) {
    if (const auto refused = not_swept(path.front().name)) {
      section.error_at_value(
          "key", fmt::format("{} is nothing to sweep over", in_quotes(refused->section)),
          refused->accepted);
      return false;
    }
    for (const auto& other : paths_) {
      if (!starts_with(path, other) && !starts_with(other, path)) continue;
      section.error_at_value("key", "sets a value that another key of the sweep sets",
                             "each value once");
      return false;
    }
    paths_.push_back(path);
    return true;
  }

  const YamlNode& root_;
  CaseDiagnostics& diagnostics_;
  std::vector<std::vector<PathSegment>> paths_;  // of the keys so far
};

// The result of reading a point.
constexpr int kReadTogether = 256;  // points

struct CheckedPoint {
  int number = 0;
  CaseDiagnostics found;
  // Set for a point without faults.
  std::vector<Expectation> expected;
  std::size_t memory_bytes = 0;
};

// read(number, files, diagnostics): the case of a point, or nothing. together: on all threads, for
// positions of a wheel, which are placed while they are read, 0.3 ms each, and name no files except
// profiles. If a file may be HDF5, one thread reads.
template <class Read>
std::vector<CheckedPoint> check_each(const PointRange& points, [[maybe_unused]] bool together,
                                     HeightsFiles& files, const Read& read) {
  std::vector<CheckedPoint> checked(static_cast<std::size_t>(points.count));
  std::exception_ptr error;  // of the first point that has one
  std::size_t error_at = checked.size();
#pragma omp parallel for schedule(dynamic, 8) if (together)
  for (std::size_t k = 0; k < checked.size(); ++k) {
    try {
      CheckedPoint& point = checked[k];
      point.number = points.first + static_cast<int>(k);
      const auto file = read(point.number, files, point.found);
      if (!file) continue;
      point.expected = file->expected;
      point.memory_bytes = estimated_bytes(file->problem);
    } catch (...) {
#pragma omp critical(slipfield_check_each)
      if (k < error_at) {
        error_at = k;
        error = std::current_exception();
      }
    }
  }
  if (error) std::rethrow_exception(error);
  return checked;
}

// `repeats`: consecutive points with the same value.
SweepInput input_of(const SweptKey& key, std::size_t repeats, const PointRange& points) {
  SweepInput input{key.key, {}, {}, key.spacing};
  for (int point = points.first; point < points.end(); ++point) {
    const YamlNode value = key.value(static_cast<std::size_t>(point - 1) / repeats % key.count());
    input.texts.push_back(flow_yaml(value));
    if (key.is_number) input.numbers.push_back(plain_number_of(value).value_or(0.0));
  }
  return input;
}

// A name, or a list of them: the slices of a rail.
void make_absolute(YamlNode& name, const std::filesystem::path& folder) {
  if (name.kind == YamlNode::Kind::scalar && !name.text.empty())
    name.text = absolute_path(folder / name.text).string();
  if (name.kind == YamlNode::Kind::sequence)
    for (YamlNode& each : name.items) make_absolute(each, folder);
}

// Makes names of files (heights, coefficients) absolute, so that the case can be read from any
// folder.
void make_files_absolute(YamlNode& node, const std::filesystem::path& folder) {
  const YamlNode* key = node.find("key");
  const bool swept =
      key != nullptr && (key->text.ends_with(".file") || key->text.ends_with(".profile"));
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const bool is_map = node.kind == YamlNode::Kind::map;
    if (is_map && (node.keys[i].name == "file" || node.keys[i].name == "profile"))
      make_absolute(node.items[i], folder);
    if (is_map && swept && node.keys[i].name == "values") make_absolute(node.items[i], folder);
    make_files_absolute(node.items[i], folder);
  }
}

// Throws CaseError with the faults of `sweep`.
std::vector<SweepEntry> read_entries(CaseText& text, CaseDiagnostics& diagnostics) {
  quote_swept_texts(text.tree);
  CaseSection root(text.tree, {&text.source, kWholeSource, 0}, "", diagnostics);
  std::vector<SweepEntry> entries = SweepReader(text.tree, diagnostics).read(root);
  diagnostics.throw_if_any();
  return entries;
}

// Whether the value at a key is a text, whatever it looks like.
bool is_text_at(const YamlNode& root, const std::string& key, const YamlNode& value) {
  CaseDiagnostics ignored;
  const auto path = split_path(key, {}, kAcceptedKey, ignored);
  if (!path) return false;
  YamlNode tree = root;
  replace_value(tree, *path, value, ignored);
  case_table(root.index_of("wheel_rail").has_value(), true).quote_texts(tree);
  const YamlNode* const found = find_path(&tree, key_path(key));
  return found != nullptr && found->quotes == YamlNode::Quotes::given;
}

bool reads_as_another_type(const std::string& text) {
  return parse_number(text).value.has_value() || text == "true" || text == "false" ||
         text == "null";
}

void quote_texts_of_entry(const YamlNode& root, YamlNode& entry) {
  const YamlNode* const key = entry.find("key");
  const auto together = entry.index_of("together");
  const auto values = entry.index_of("values");
  if (together)
    for (YamlNode& one : entry.items[*together].items) quote_texts_of_entry(root, one);
  if (key == nullptr || !values) return;
  std::vector<YamlNode>& items = entry.items[*values].items;
  if (items.empty() || !is_text_at(root, key->text, items.front())) return;
  for (YamlNode& value : items)
    if (value.kind == YamlNode::Kind::scalar && reads_as_another_type(value.text))
      value.quotes = YamlNode::Quotes::given;
}

}  // namespace

const KeyTable& sweep_table() { return kSweepTable; }

void quote_swept_texts(YamlNode& root) {
  const auto sweep = root.index_of("sweep");
  if (!sweep) return;
  YamlNode entries = std::exchange(root.items[*sweep], {});  // may be many
  for (YamlNode& entry : entries.items) quote_texts_of_entry(root, entry);
  root.items[*sweep] = std::move(entries);
}

CaseSweep::CaseSweep(std::unique_ptr<CaseText> text, std::vector<SweepEntry> entries)
    : text_(std::move(text)), entries_(std::move(entries)) {
  for (const std::size_t extent : shape()) count_ *= static_cast<int>(extent);
}

YamlNode SweptKey::value(std::size_t index) const {
  if (points == 0) return values[index];
  YamlNode node = values.front();
  node.text = fmt::format("{}", value_between(from, to, static_cast<int>(index), points, spacing));
  return node;
}

std::vector<SweepInput> CaseSweep::inputs(const PointRange& points) const {
  std::vector<SweepInput> inputs;
  auto repeats = static_cast<std::size_t>(count_);
  for (const SweepEntry& entry : entries_) {
    repeats /= entry.count();
    for (const SweptKey& key : entry.keys) inputs.push_back(input_of(key, repeats, points));
  }
  return inputs;
}

std::vector<std::size_t> CaseSweep::values_at(int point) const {
  std::vector<std::size_t> indices;
  auto repeats = static_cast<std::size_t>(count_);
  for (const SweepEntry& entry : entries_) {
    repeats /= entry.count();
    indices.insert(indices.end(), entry.keys.size(),
                   static_cast<std::size_t>(point - 1) / repeats % entry.count());
  }
  return indices;
}

std::vector<std::size_t> CaseSweep::shape() const {
  std::vector<std::size_t> shape;
  for (const SweepEntry& entry : entries_) shape.push_back(entry.count());
  return shape;
}

YamlNode CaseSweep::tree_of(int number, CaseDiagnostics& diagnostics) const {
  YamlNode tree = text_->tree;
  const std::vector<std::size_t> indices = values_at(number);
  auto index = indices.begin();
  for (const SweepEntry& entry : entries_)
    for (const SweptKey& key : entry.keys)
      replace_value(tree, key.path, key.value(*index++), diagnostics);
  return tree;
}

std::optional<CaseFile> CaseSweep::read_point(int number, PointUse use, HeightsFiles& files,
                                              CaseDiagnostics& diagnostics) const {
  const YamlNode tree = tree_of(number, diagnostics);
  CaseSection root(tree, {&text_->source, kWholeSource, 0}, "", diagnostics);
  auto file = read_sections(
      root, text_->path, {number, count_, use == PointUse::alone, use == PointUse::to_run}, files);
  if (!diagnostics.empty()) return std::nullopt;
  return file;
}

CaseFile CaseSweep::point(int number, PointUse use) const {
  HeightsFiles files;
  return point(number, use, files);
}

CaseFile CaseSweep::point(int number, PointUse use, HeightsFiles& files) const {
  if (number < 1 || number > count_)
    throw InputError(fmt::format("{}: the sweep has no point {}; accepted: 1 to {}",
                                 text_->path.string(), number, count_));
  CaseDiagnostics diagnostics;
  auto file = read_point(number, use, files, diagnostics);
  diagnostics.throw_if_any();
  if (use != PointUse::to_run) file->resolved_yaml = write_case(*file);
  file->input_files = input_files_;
  return std::move(*file);
}

bool CaseSweep::check_points(const Shard& shard, CaseDiagnostics& diagnostics,
                             const WatchPoints& watch) {
  shard_ = shard;
  const PointRange range = points();
  if (range.count == 0)
    throw InputError(
        fmt::format("{}: shard {} has none of the {} points; accepted: at most {} "
                    "shards",
                    text_->path.string(), shard_text(shard), count_, count_));
  HeightsFiles files;
  const auto read = [this](int number, HeightsFiles& from, CaseDiagnostics& found) {
    return read_point(number, PointUse::in_sweep, from, found);
  };
  const bool together = text_->tree.index_of("wheel_rail").has_value();
  for (int first = range.first; first < range.end() && diagnostics.count() <= kMostErrors;) {
    const int count = std::min(kReadTogether, range.end() - first);
    for (const CheckedPoint& point : check_each({first, count}, together, files, read)) {
      if (diagnostics.count() > kMostErrors) break;
      diagnostics.take_point(point.found, describe(point.number), point.number == 1);
      expected_.insert(expected_.end(), point.expected.begin(), point.expected.end());
      memory_bytes_ = std::max(memory_bytes_, point.memory_bytes);
    }
    first += count;
    if (watch) watch(first - range.first, range.count);
  }
  input_files_ = input_files(text_->path, diagnostics);
  return diagnostics.empty();
}

std::string CaseSweep::describe(int number) const {
  std::string text = fmt::format("point {} of the sweep", number);
  for (const SweepInput& input : inputs({number, 1}))
    text += fmt::format(", {} = {}", input.key, input.texts.front());
  return text;
}

CaseFile read_sweep(std::unique_ptr<CaseText> text, const Shard& shard,
                    CaseDiagnostics& diagnostics, const WatchPoints& watch) {
  std::vector<SweepEntry> entries = read_entries(*text, diagnostics);
  YamlNode whole = text->tree;
  make_files_absolute(whole, text->path.parent_path());
  text->tree.erase("sweep");
  auto sweep = std::make_shared<CaseSweep>(std::move(text), std::move(entries));
  if (!sweep->check_points(shard, diagnostics, watch)) diagnostics.throw_if_any();
  CaseFile file = sweep->point(sweep->points().first);
  file.expected.clear();
  file.warnings = diagnostics.warnings();
  file.resolved_yaml = block_yaml(whole);
  file.sweep = std::move(sweep);
  return file;
}

std::shared_ptr<const CaseSweep> read_sweep_values(const std::string& yaml,
                                                   const std::string& name) {
  CaseDiagnostics diagnostics;
  auto text = make_case_text(yaml, name, {}, diagnostics);
  std::vector<SweepEntry> entries = read_entries(*text, diagnostics);
  return std::make_shared<CaseSweep>(std::move(text), std::move(entries));
}

}  // namespace slipfield
