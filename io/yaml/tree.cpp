// SPDX-License-Identifier: Apache-2.0
#include "io/yaml/tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "io/plain_text.h"
#include "io/yaml/number.h"

namespace slipfield {
namespace {

// --- Checks and explanations of the text itself, which the parser does not make.

constexpr int kMaxOpenBrackets = 1000;
constexpr std::string_view kBlanksBetweenWords = " \t\n";

SourcePlace end_of(const SourceText& source) {
  int line = source.line_count() - 1;
  while (line > 0 && source.line(line).empty()) --line;
  return {&source, line, static_cast<int>(source.line(line).size())};
}

bool is_indented_by_tab(std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(0, first).find('\t') != std::string_view::npos;
}

void drop(std::string_view& text, std::size_t count) {
  text.remove_prefix(std::min(count, text.size()));
}

// The place with too many open brackets: the parser's scanner, which looks ahead over all of them,
// would take minutes and gigabytes. Brackets in quotes and comments count as well, so the limit is
// far above the nesting of any case.
std::optional<SourcePlace> find_bracket_flood(const std::string& text, const SourceText& source) {
  int depth = 0;
  SourcePlace place{&source, 0, 0};
  for (const char letter : text) {
    if (letter == '[' || letter == '{') ++depth;
    if (letter == ']' || letter == '}') depth = std::max(depth - 1, 0);
    if (depth > kMaxOpenBrackets) return place;
    ++place.column;
    if (letter == '\n') {
      ++place.line;
      place.column = 0;
    }
  }
  return std::nullopt;
}

// Returns false if the quoted text that starts at the place (after an anchor or a tag) never ends,
// which the parser accepts at the end of a file. True for text without quotes.
bool is_quote_closed(const SourcePlace& place) {
  std::string_view text = place.source->text();
  const std::string_view line = place.source->line(place.line);
  drop(text, static_cast<std::size_t>(line.data() - text.data()) +
                 static_cast<std::size_t>(place.column));
  while (!text.empty() && (text[0] == '&' || text[0] == '!')) {
    drop(text, text.find_first_of(kBlanksBetweenWords));
    drop(text, text.find_first_not_of(kBlanksBetweenWords));
  }
  if (text.empty() || (text[0] != '"' && text[0] != '\'')) return true;
  const char quote = text[0];
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!doubled) return true;
      ++i;
    }
  }
  return false;
}

struct SyntaxError {
  SourcePlace place;
  std::string problem;
  std::string accepted;  // may be empty
};

// Explains the parser's error by its likely cause.
SyntaxError describe_syntax_error(const YAML::Exception& error, const SourceText& source) {
  SyntaxError result;
  result.place = end_of(source);
  // At the end of the text the parser no longer knows the column.
  const bool at_end = error.mark.line == result.place.line && error.mark.column == 0;
  if (!error.mark.is_null() && error.mark.line <= result.place.line && !at_end)
    result.place = {&source, error.mark.line, std::max(error.mark.column, 0)};
  result.problem = "not valid YAML: " + error.msg;
  if (error.msg.rfind("the referenced anchor is not defined", 0) == 0) {  // 0.8 adds the name
    result.problem = "not valid YAML: the alias has no anchor before it";
    return result;
  }
  if (is_indented_by_tab(source.line(result.place.line))) {
    result.accepted = "indentation with spaces, not with tabs";
  } else if (error.msg == YAML::ErrorMsg::END_OF_MAP || error.msg == YAML::ErrorMsg::END_OF_SEQ) {
    result.accepted = "nothing after a value, and the same indentation for all keys of a map";
  } else if (error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW) {
    result.accepted = "a '}' for every '{', and commas between its keys";
  } else if (error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW) {
    result.accepted = "a ']' for every '[', and commas between its values";
  } else if (error.msg == YAML::ErrorMsg::MAP_VALUE) {
    result.accepted = "one 'key: value' in a line, with the indentation of its map";
  }
  return result;
}

// --- The tree.

// Thrown to leave the parser after an error that makes the tree unusable.
struct ParseStopped {};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const SourceText& source, CaseDiagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) {
      stop(place_of(mark), "a second YAML document starts here", "one document");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlNode node;
    node.place = null_place(mark);
    finish(std::move(node), anchor, 1);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    if (tag == "!" && !is_quote_closed(place_of(mark)))
      stop(place_of(mark), "the quotes are not closed", "text in a pair of quotes");
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.quotes = tag == "!" ? YamlNode::Quotes::given : YamlNode::Quotes::none;
    node.text = value;
    node.place = place_of(mark);
    finish(std::move(node), anchor, 1);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      stop(place_of(mark), "the alias stands inside its own anchor", "an anchor that is complete");
    count_nodes(place_of(mark), found->second.size);
    YamlNode copy = found->second.node;
    copy.place = place_of(mark);
    finish(std::move(copy), 0, found->second.size);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, YamlNode::Kind::sequence);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, YamlNode::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {  // a map or sequence that is still open
    YamlNode node;
    YAML::anchor_t anchor = 0;
    std::size_t size = 1;
    std::optional<YamlKey> key;  // map: read, its value is next
    bool key_dropped = false;    // map: a duplicate, its value is next
    std::unordered_map<std::string, SourcePlace> first_places;
  };
  struct Anchor {
    YamlNode node;
    std::size_t size = 0;
  };

  [[nodiscard]] SourcePlace place_of(const YAML::Mark& mark) const {
    return {&source_, std::max(mark.line, 0), std::max(mark.column, 0)};
  }

  // A missing value has the place of the text after it. Its key gives a better place; in a list so
  // does the last character before it, which is the dash if nothing else was written.
  [[nodiscard]] SourcePlace null_place(const YAML::Mark& mark) const {
    if (stack_.empty()) return place_of(mark);
    const Frame& frame = stack_.back();
    if (frame.key) return frame.key->place;
    SourcePlace place = place_of(mark);
    if (frame.node.kind == YamlNode::Kind::map || is_written_null(place)) return place;
    for (; place.line >= frame.node.place.line; --place.line) {
      const auto line = source_.line(place.line).substr(0, column_limit(mark, place.line));
      const auto last = line.find_last_not_of(" \t");
      if (last != std::string_view::npos) {
        place.column = static_cast<int>(last);
        return place;
      }
    }
    return place_of(mark);
  }

  [[nodiscard]] bool is_written_null(const SourcePlace& place) const {
    const auto line = source_.line(place.line);
    const auto rest = line.substr(std::min(static_cast<std::size_t>(place.column), line.size()));
    const auto word = rest.substr(0, rest.find_first_of(" \t,]}#"));
    return word == "~" || word == "null" || word == "Null" || word == "NULL";
  }

  static std::size_t column_limit(const YAML::Mark& mark, int line) {
    return line == mark.line ? static_cast<std::size_t>(mark.column) : std::string_view::npos;
  }

  [[nodiscard]] std::string path() const {
    std::string result;
    for (const Frame& frame : stack_) {
      std::string part;
      if (frame.node.kind == YamlNode::Kind::sequence) {
        part = std::to_string(frame.node.items.size());
      } else if (frame.key) {
        part = frame.key->name;
      }
      if (!part.empty()) result += (result.empty() ? "" : ".") + part;
    }
    return result;
  }

  [[noreturn]] void stop(const SourcePlace& place, std::string_view problem,
                         std::string_view accepted) {
    diagnostics_.add(place, path(), problem, accepted);
    throw ParseStopped{};
  }

  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    diagnostics_.add(place_of(mark), path(), fmt::format("has the YAML tag {}", in_quotes(tag)),
                     "a plain value without a tag");
  }

  void count_nodes(const SourcePlace& place, std::size_t count) {
    nodes_ += count;
    if (nodes_ > kMaxYamlNodes) {
      stop(place, fmt::format("more than {} values, aliases included", kMaxYamlNodes),
           "a shorter case file; large data belong into a file of their own (geometry type "
           "heights)");
    }
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YamlNode::Kind kind) {
    if (stack_.size() >= kMaxYamlDepth) {
      stop(place_of(mark), "nested too deeply",
           fmt::format("at most {} levels of lists and maps", kMaxYamlDepth));
    }
    check_tag(mark, tag);
    Frame frame;
    frame.node.kind = kind;
    frame.node.place = place_of(mark);
    frame.anchor = anchor;
    stack_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    finish(std::move(frame.node), frame.anchor, frame.size);
  }

  // Adds a complete node of `size` nodes: as the root, a key, or a member of the open collection.
  void finish(YamlNode node, YAML::anchor_t anchor, std::size_t size) {
    const SourcePlace place = node.place;
    count_nodes(place, 1);
    if (anchor != 0) {
      count_nodes(place, size);
      anchors_[anchor] = {node, size};
    }
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = stack_.back();
    frame.size += size;
    if (frame.node.kind == YamlNode::Kind::sequence) {
      frame.node.items.push_back(std::move(node));
    } else if (frame.key_dropped) {
      frame.key_dropped = false;
    } else if (!frame.key) {
      accept_key(frame, std::move(node));
    } else {
      frame.node.keys.push_back(std::move(*frame.key));
      frame.node.items.push_back(std::move(node));
      frame.key.reset();
    }
  }

  void accept_key(Frame& frame, YamlNode node) {
    if (node.kind != YamlNode::Kind::scalar) {
      diagnostics_.add(node.place, path(), "a key is missing or is not a single word",
                       "key: value");
      frame.key_dropped = true;
      return;
    }
    const auto [first, is_new] = frame.first_places.emplace(node.text, node.place);
    const SourcePlace place = node.place;
    frame.key = YamlKey{std::move(node.text), place};
    if (!is_new) {
      diagnostics_.add(
          place, path(),
          fmt::format("duplicate key, given first at {}", describe_place(first->second)),
          "each key once");
    } else if (frame.key->name == "<<") {
      diagnostics_.add(place, path(), "merge keys are not supported",
                       "the keys themselves, or an alias in place of the whole map");
    } else {
      return;
    }
    frame.key.reset();
    frame.key_dropped = true;
  }

  const SourceText& source_;
  CaseDiagnostics& diagnostics_;
  std::vector<Frame> stack_;
  std::unordered_map<YAML::anchor_t, Anchor> anchors_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
  YamlNode root_;
};

// --- Its text.

// Whether the text has no YAML syntax and no white space that YAML drops.
bool is_plain(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    return is_ascii_letter(letter) || is_decimal_digit(letter) ||
           std::string_view("._+-/").find(letter) != std::string_view::npos;
  });
}

std::string key_text(const YamlKey& key) {
  return is_plain(key.name) ? key.name : double_quoted(key.name);
}

bool holds_maps(const YamlNode& node) {
  return std::ranges::any_of(node.items, [](const YamlNode& item) {
    return item.kind == YamlNode::Kind::map && !item.items.empty();
  });
}

}  // namespace

std::optional<std::size_t> YamlNode::index_of(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) return i;
  }
  return std::nullopt;
}

const YamlNode* YamlNode::find(std::string_view key) const {
  const auto index = index_of(key);
  return index ? &items[*index] : nullptr;
}
const YamlNode* YamlNode::find(std::string_view key, std::string_view inner) const {
  const YamlNode* part = find(key);
  return part != nullptr ? part->find(inner) : nullptr;
}
YamlNode* YamlNode::find(std::string_view key) {
  return const_cast<YamlNode*>(std::as_const(*this).find(key));
}
YamlNode* YamlNode::find(std::string_view key, std::string_view inner) {
  return const_cast<YamlNode*>(std::as_const(*this).find(key, inner));
}

void YamlNode::erase(std::string_view key) {
  const auto index = index_of(key);
  if (!index) return;
  keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(*index));
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(*index));
}

void YamlNode::put(const YamlKey& key, const YamlNode& value) {
  if (const auto index = index_of(key.name)) {
    keys[*index] = key;
    items[*index] = value;
  } else {
    keys.push_back(key);
    items.push_back(value);
  }
}

YamlNode YamlNode::empty_map(const SourcePlace& place) {
  YamlNode map;
  map.kind = Kind::map;
  map.place = place;
  return map;
}

YamlValue value_of_scalar(const YamlNode& scalar) {
  const std::string& text = scalar.text;
  if (scalar.quotes == YamlNode::Quotes::given) return text;
  if (text == "true" || text == "false") return text == "true";
  if (const auto whole = parse_integer(text).value) return *whole;
  if (const auto number = parse_number(text).value) return *number;
  return text;
}

std::optional<YamlNode> parse_yaml(const std::string& text, const SourceText& source,
                                   CaseDiagnostics& diagnostics) {
  if (const auto flood = find_bracket_flood(text, source)) {
    diagnostics.add(*flood, "", "far too many brackets are open here",
                    fmt::format("at most {} levels of lists and maps", kMaxYamlDepth));
    return std::nullopt;
  }
  TreeBuilder builder(source, diagnostics);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      diagnostics.add({&source, 0, 0}, "", "holds no value", "YAML with the keys of a case");
      return std::nullopt;
    }
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const SyntaxError syntax = describe_syntax_error(error, source);
    diagnostics.add(syntax.place, "", syntax.problem, syntax.accepted);
    return std::nullopt;
  } catch (const ParseStopped&) {
    return std::nullopt;
  }
  return builder.take();
}

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    if (letter == '\n')
      result += "\\n";
    else if (letter == '\t')
      result += "\\t";
    else
      result += letter;
  }
  return result + "\"";
}

std::string flow_yaml(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "~";
    case YamlNode::Kind::scalar:
      return node.quotes == YamlNode::Quotes::none && is_plain(node.text)
                 ? node.text
                 : double_quoted(node.text);
    case YamlNode::Kind::sequence:
      for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow_yaml(item);
      return "[" + text + "]";
    case YamlNode::Kind::map:
      for (std::size_t i = 0; i < node.items.size(); ++i)
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", key_text(node.keys[i]),
                            flow_yaml(node.items[i]));
      return "{" + text + "}";
  }
  return text;
}

std::string block_yaml(const YamlNode& map) {
  std::string text;
  for (std::size_t i = 0; i < map.items.size(); ++i) {
    const YamlNode& value = map.items[i];
    const std::string key = key_text(map.keys[i]);
    if (!holds_maps(value)) {
      text += fmt::format("{}: {}\n", key, flow_yaml(value));
      continue;
    }
    text += key + ":\n";
    for (std::size_t j = 0; j < value.items.size(); ++j)
      text += value.kind == YamlNode::Kind::sequence
                  ? fmt::format("  - {}\n", flow_yaml(value.items[j]))
                  : fmt::format("  {}: {}\n", key_text(value.keys[j]), flow_yaml(value.items[j]));
  }
  return text;
}

}  // namespace slipfield
