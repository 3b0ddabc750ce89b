// SPDX-License-Identifier: Apache-2.0
// The grammar of a case as tables: one for each section, one row for each key.
//
// A row has the key, the form of its value, its default, a one-sentence description, when it
// applies, and the member of the section's struct that it sets. The tables drive the reading of a
// case and its messages, the writing of the resolved case, the JSON Schema with hover texts, and
// the tables of keys in CASE.md. A new key is a row here and a member there:
//
//   number("flexibility", &Settings::flexibility, kNotNegative, "0", "displacement per traction")
//
// Rules between sections are solver/problem_check's.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "io/case/names.h"
#include "io/case/section.h"

namespace slipfield {

// The form of a value.
struct KeyForm {
  enum class Kind { number, integer, boolean, text, word, map, list };
  Kind kind = Kind::text;
  NumberRange numbers{};
  IntegerRange integers{};
  std::vector<std::string> words{};
  // list: the form of each member; empty: anything. A list has `least` to `most` members.
  std::vector<KeyForm> items{};
  std::size_t least = 0;
  std::size_t most = std::numeric_limits<std::size_t>::max();
  // For messages: describes a text; a list of two is "a list [dx, dy] of two"; any other list uses
  // it as is.
  std::string_view names{};
  bool degrees = false;  // number: degrees in the case, radians in the struct

  [[nodiscard]] std::string accepted_text() const;  // for a message
};

// A list of at least `least` members of this form.
inline KeyForm list_form(const KeyForm& item, std::size_t least) {
  return {.kind = KeyForm::Kind::list, .items = {item}, .least = least};
}
// A list of two.
inline KeyForm pair_form(const KeyForm& item, std::string_view names) {
  return {.kind = KeyForm::Kind::list, .items = {item}, .least = 2, .most = 2, .names = names};
}
inline KeyForm number_form(const NumberRange& range) {
  return {.kind = KeyForm::Kind::number, .numbers = range};
}
inline KeyForm integer_form(const IntegerRange& range) {
  return {.kind = KeyForm::Kind::integer, .integers = range};
}
inline KeyForm word_form(std::vector<std::string> words) {
  return {.kind = KeyForm::Kind::word, .words = std::move(words)};
}
inline KeyForm map_form() { return {.kind = KeyForm::Kind::map}; }

struct KeyTable;

// A condition on a key: another key of this section or of the enclosing one is given and, if there
// are `words`, is one of them.
struct KeyCondition {
  std::string_view key;
  std::vector<std::string_view> words{};
};

// A member of a part of a struct.
template <typename S, typename P, typename T>
struct InPart {
  P S::*part;
  T P::*member;
};

struct KeyRow {
  std::string_view name;
  std::vector<KeyForm> forms;  // any of them is accepted; maps have the keys of `map`
  std::string_view otherwise;  // the default in CASE.md; "required" if there is none
  std::string_view meaning;
  const KeyTable* map = nullptr;
  // Instead of `map`: the table whose first row has the given word.
  std::vector<const KeyTable*> variants{};
  bool swept = false;                // of the root: a sweep may vary its keys
  std::string_view accepted{};       // the accepted values in messages; empty: made from the forms
  std::vector<KeyCondition> only{};  // applies if one of them holds; empty: always
  bool needed = false;               // required if its condition holds
  bool refused = false;              // known, but accepted nowhere
  bool zero_is_none = false;         // a number that is not written if it is 0
  std::string_view instead{};        // the key to use if no condition holds
  std::string_view unfit{};          // the message in that case, {}: the word; empty: the usual one
  std::string_view unfit_accepted{};
  // The fields of the section's part of the problem that the key sets; none: the field with its
  // name; "": that part as a whole.
  std::vector<std::string_view> fields{};

  std::function<void(CaseSection&, const KeyRow&, Presence, void*)> read{};
  // The value as text; empty: left out.
  std::function<std::string(const KeyRow&, const void*)> write{};
  std::type_index owner = typeid(void);      // the struct for read and write
  std::type_index map_owner = typeid(void);  // of at_map: the struct for the map's rows

  [[nodiscard]] bool is_required() const { return otherwise == "required"; }
  // The word that is the default; empty: another value, or none.
  [[nodiscard]] std::string_view default_word() const;
  [[nodiscard]] std::string accepted_text() const;
  // The form for a list or for any other value.
  [[nodiscard]] const KeyForm& form(bool list) const;
  // The table for a value's keys; null if the value is not a map.
  [[nodiscard]] const KeyTable* table_of(const YamlNode& value) const;

  // The same row with one more property.
  KeyRow with(std::string_view key, std::vector<std::string_view> words = {}) && {
    only.push_back({key, std::move(words)});
    return std::move(*this);
  }
  KeyRow or_else(std::string_view other_key) && { return with_set(instead, other_key); }
  KeyRow refused_as(std::string_view problem, std::string_view accepted_else) && {
    unfit = problem;
    return with_set(unfit_accepted, accepted_else);
  }
  KeyRow never(std::string_view problem, std::string_view accepted_instead) && {
    refused = true;
    return std::move(*this).refused_as(problem, accepted_instead);
  }
  KeyRow need() && { return with_set(needed, true); }
  KeyRow gives(std::vector<std::string_view> names) && {
    return with_set(fields, std::move(names));
  }
  KeyRow says(std::string_view text) && { return with_set(accepted, text); }
  KeyRow of(const KeyTable& table) && { return with_set(map, &table); }  // of a form that is a map
  KeyRow or_none() && { return with_set(zero_is_none, true); }           // 0 is not written
  KeyRow in_degrees() && {  // a number or numbers: radians in the struct
    for (KeyForm& form : forms) (form.items.empty() ? form : form.items.front()).degrees = true;
    return std::move(*this);
  }

  // Reads into the member and writes from it; empty optionals, lists and texts are left out.
  template <typename S, typename T>
  KeyRow at(T S::*member) &&;
  template <typename S, typename P, typename T>
  KeyRow at(const InPart<S, P, T>& in) &&;
  KeyRow at(std::nullptr_t /*none*/) && { return std::move(*this); }
  template <typename S>
  KeyRow at(double S::*first, double S::*second) &&;  // a list of two
  template <typename S, typename T>
  KeyRow at_map(T S::*member) &&;  // T: the struct of the map's rows, or an optional one
  template <typename S>
  KeyRow at_own() &&;  // the map's rows are members of S itself
  // Uses the given functions for values beyond a number; the member is unchanged if the key is
  // absent.
  template <typename S>
  KeyRow by(void (*reader)(CaseSection&, const KeyRow&, S&),
            std::string (*writer)(const S&) = nullptr) &&;
  template <typename S>
  KeyRow written_by(std::string (*writer)(const S&)) &&;
  // Binds a row that is bound to a part of a larger struct S to S itself. `part`: that part.
  template <typename S, typename T>
  KeyRow within(T S::*part) &&;

 private:
  template <typename T>
  KeyRow with_set(T& property, std::type_identity_t<T> value) {
    property = std::move(value);
    return std::move(*this);
  }
};

// Alternatives: keys of one exclude those of the others; a key that an alternative requires is
// required if that alternative is given. A step that gives one of them drops the others.
struct KeyGroup {
  std::vector<std::vector<std::string_view>> alternatives;
  Presence presence = Presence::required;  // of one of them
  std::string_view accepted{};             // in messages; empty: "exactly one of a, b"
};
// A group whose alternatives are single keys.
KeyGroup one_of(const std::vector<std::string_view>& keys, Presence presence = Presence::required);

struct KeyTable {
  std::string_view heading;  // in CASE.md: "solver.slope", "geometry: sphere"
  std::vector<KeyRow> rows;
  std::vector<KeyGroup> groups{};
  bool of_parts = false;  // its sections override those in force: no key is required

  [[nodiscard]] const KeyRow& row(std::string_view key) const;
  [[nodiscard]] bool has_row(std::string_view key) const;
  [[nodiscard]] std::string accepted_text() const;  // "a map {initial, rest, decay}"

  // Drops from `section` the keys excluded by `over`: those of the other alternatives of a group,
  // and those that a new word excludes.
  void drop_alternatives(YamlNode& section, const YamlNode& over) const;
  // Quotes the values of keys that accept only text, so that "1e3" stays a text.
  void quote_texts(YamlNode& section) const;
  // Reads every bound row and refuses keys without a row. `object`: the owner of the rows. Returns
  // true if there were no errors.
  bool read_into(CaseSection& section, void* object) const;
  // The keys and values of the bound rows that apply and have something to write.
  [[nodiscard]] std::vector<std::pair<std::string_view, std::string>> written(
      const void* object) const;
  // The same for a part put over `before`, including what removes the keys that only `before` has.
  [[nodiscard]] std::vector<std::pair<std::string_view, std::string>> written_over(
      const void* object, const void* before) const;
};

// Reads the root's section `key`, if any, into `object`. Returns true if it exists without errors.
template <typename S>
bool read_part(CaseSection& root, std::string_view key, const KeyTable& table, S& object) {
  auto section = root.section(key, table.accepted_text(), Presence::optional);
  return section && table.read_into(*section, &object);
}

// In one line: "{initial: 1, rest: 1}"; and as lines "key: value" after `indent`. before: the part
// of the same struct that this one overrides, or null.
std::string flow_text(const KeyTable& table, const void* object, const void* before = nullptr);
std::string block_text(const KeyTable& table, const void* object, std::string_view indent);
// The section in one line.
template <typename S>
std::string part_text(std::string_view key, const KeyTable& table, const S& object) {
  return std::string(key) + ": " + flow_text(table, &object) + "\n";
}

// A list of numbers or of texts: "[1, 2]".
std::string numbers_text(const std::vector<double>& numbers);

// Rows by the form of their values. The argument after the name is the member that the value sets:
// at(), at_map(); nullptr: none.
template <typename M>
KeyRow number(std::string_view name, M member, const NumberRange& range, std::string_view otherwise,
              std::string_view meaning) {
  return KeyRow{name, {number_form(range)}, otherwise, meaning}.at(member);
}
template <typename M>
KeyRow integer(std::string_view name, M member, const IntegerRange& range,
               std::string_view otherwise, std::string_view meaning) {
  return KeyRow{name, {integer_form(range)}, otherwise, meaning}.at(member);
}
template <typename M>
KeyRow flag(std::string_view name, M member, std::string_view otherwise, std::string_view meaning) {
  return KeyRow{name, {{.kind = KeyForm::Kind::boolean}}, otherwise, meaning}.at(member);
}
template <typename M>
KeyRow text(std::string_view name, M member, std::string_view accepted, std::string_view otherwise,
            std::string_view meaning) {
  return KeyRow{name, {{.kind = KeyForm::Kind::text, .names = accepted}}, otherwise, meaning}.at(
      member);
}
// A list of at least `least`.
template <typename M>
KeyRow numbers(std::string_view name, M member, const NumberRange& range, std::size_t least,
               std::string_view otherwise, std::string_view meaning) {
  return KeyRow{name, {list_form(number_form(range), least)}, otherwise, meaning}.at(member);
}
// A number, or a list of at least one.
template <typename M>
KeyRow number_or_list(std::string_view name, M member, const NumberRange& range,
                      std::string_view otherwise, std::string_view meaning) {
  const KeyForm one = number_form(range);
  return KeyRow{name, {one, list_form(one, 1)}, otherwise, meaning}.at(member);
}
// A list of two; `names`: "[dx, dy]". Into two members where there are two.
template <typename M>
KeyRow pair(std::string_view name, M member, const NumberRange& range, std::string_view names,
            std::string_view otherwise, std::string_view meaning) {
  return KeyRow{name, {pair_form(number_form(range), names)}, otherwise, meaning}.at(member);
}
template <typename S>
KeyRow pair(std::string_view name, double S::*first, double S::*second, const NumberRange& range,
            std::string_view names, std::string_view otherwise, std::string_view meaning) {
  return pair(name, nullptr, range, names, otherwise, meaning).at(first, second);
}
inline KeyRow map(std::string_view name, const KeyTable& table, std::string_view otherwise,
                  std::string_view meaning) {
  return {name, {map_form()}, otherwise, meaning, &table};
}
template <typename S, typename T>
KeyRow map(std::string_view name, T S::*member, const KeyTable& table, std::string_view otherwise,
           std::string_view meaning) {
  return map(name, table, otherwise, meaning).at_map(member);
}
// Any other form: `forms` unchanged.
inline KeyRow value(std::string_view name, std::vector<KeyForm> forms, std::string_view accepted,
                    std::string_view otherwise, std::string_view meaning) {
  return KeyRow{name, std::move(forms), otherwise, meaning}.says(accepted);
}

// The rows of both, in order.
std::vector<KeyRow> joined_rows(std::vector<KeyRow> first, const std::vector<KeyRow>& then);

// The same rows for a part of a larger struct.
template <typename S, typename T>
std::vector<KeyRow> rows_within(T S::*part, std::vector<KeyRow> rows) {
  for (KeyRow& row : rows) row = std::move(row).within(part);
  return rows;
}

// --- Binding a row to a member.

// One value: reads into `to` and returns true if it is there and right; writes it as text.
namespace keys {
bool read_value(const CaseValue& value, const KeyForm& form, double& to);
bool read_value(const CaseValue& value, const KeyForm& form, bool& to);
bool read_value(const CaseValue& value, const KeyForm& form, std::string& to);
template <std::integral T>
bool read_value(const CaseValue& value, const KeyForm& form, T& to) {
  const auto number = value.integer(form.integers);
  if (number) to = static_cast<T>(*number);
  return number.has_value();
}
template <typename T, std::size_t N>
bool read_value(const CaseValue& value, const KeyForm& form, std::array<T, N>& to);
// A list; if the row allows it, also a single value.
template <typename T>
bool read_value(const CaseValue& value, const KeyForm& form, std::vector<T>& to) {
  std::vector<T> read(1);
  if (form.kind == KeyForm::Kind::list) {
    const auto items = value.items(form.accepted_text(), form.least, form.most);
    if (!items) return false;
    bool good = true;
    read.resize(items->size());
    for (std::size_t i = 0; i < read.size(); ++i)
      good = read_value((*items)[i], form.items.front(), read[i]) && good;
    if (!good) return false;
  } else if (!read_value(value, form, read.front())) {
    return false;
  }
  to = std::move(read);
  return true;
}
template <typename T, std::size_t N>
bool read_value(const CaseValue& value, const KeyForm& form, std::array<T, N>& to) {
  std::vector<T> list;
  if (!read_value(value, form, list)) return false;
  std::copy(list.begin(), list.end(), to.begin());
  return true;
}
template <typename T>
bool read(CaseSection& section, const KeyRow& row, Presence presence, T& to) {
  if (presence == Presence::optional && !section.has(row.name)) return false;
  const auto value = section.at(row.name, row.accepted_text(), presence);
  return value && read_value(*value, row.form(value->is_list()), to);
}
template <typename T>
bool read(CaseSection& section, const KeyRow& row, Presence presence, std::optional<T>& to) {
  T value{};
  if (!read(section, row, presence, value)) return false;
  to = std::move(value);
  return true;
}
template <typename T>
bool read(CaseSection& section, const KeyRow& row, Presence presence,
          std::shared_ptr<const T>& to) {
  T value{};
  if (!read(section, row, presence, value)) return false;
  to = std::make_shared<const T>(std::move(value));
  return true;
}
std::optional<std::size_t> read_word(CaseSection& section, const KeyRow& row, Presence presence);
std::optional<CaseSection> read_section(CaseSection& section, const KeyRow& row, Presence presence);
// A required list of rows, each with a number >= 0 for each column.
struct Columns {
  std::size_t count = 0;
  std::string_view noun;  // "range of slip velocity"
};
void read_rows(CaseSection& section, const KeyRow& row, const Columns& columns,
               std::vector<double>& to);
std::string rows_text(const std::vector<double>& values, std::size_t columns);

std::string text_of(const KeyForm& form, double value);
std::string text_of(const KeyForm& form, bool value);
std::string text_of(const KeyForm& form, const std::string& value);
template <std::integral T>
std::string text_of(const KeyForm& /*form*/, T value) {
  return std::to_string(value);
}
template <typename T, std::size_t N>
std::string text_of(const KeyForm& form, const std::array<T, N>& value);
template <typename T>
std::string text_of(const KeyForm& form, const std::vector<T>& value) {
  std::string text;
  for (const T& each : value)
    text += (text.empty() ? "" : ", ") + text_of(form.items.front(), each);
  return "[" + text + "]";
}
template <typename T, std::size_t N>
std::string text_of(const KeyForm& form, const std::array<T, N>& value) {
  return text_of(form, std::vector<T>(value.begin(), value.end()));
}
template <typename T>
std::string text_of(const KeyRow& row, const T& value) {
  return row.zero_is_none && value == T{} ? std::string() : text_of(row.form(false), value);
}
// A single value, if the row accepts one.
template <typename T>
std::string text_of(const KeyRow& row, const std::vector<T>& value) {
  if (value.empty()) return {};
  const bool single = value.size() == 1 && row.form(false).kind == KeyForm::Kind::number;
  return single ? text_of(row.form(false), value.front()) : text_of(row.form(true), value);
}
template <typename T>
std::string text_of(const KeyRow& row, const std::optional<T>& value) {
  return value ? text_of(row, *value) : std::string();
}
template <typename T>
std::string text_of(const KeyRow& row, const std::shared_ptr<const T>& value) {
  return value ? text_of(row, *value) : std::string();
}

// Stored with their types erased.
template <typename S, typename Read, typename Write>
KeyRow bind(KeyRow row, const Read& read, const Write& write) {
  row.owner = typeid(S);
  row.read = [read](CaseSection& section, const KeyRow& self, Presence presence, void* object) {
    read(section, self, presence, *static_cast<S*>(object));
  };
  row.write = [write](const KeyRow& self, const void* object) {
    return write(self, *static_cast<const S*>(object));
  };
  return row;
}

template <typename T>
T& emplaced(T& value) {
  return value;
}
template <typename T>
T& emplaced(std::optional<T>& value) {
  return value.emplace();
}
template <typename T>
const T* pointer_to(const T& value) {
  return &value;
}
template <typename T>
const T* pointer_to(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}
}  // namespace keys

template <typename S, typename T>
KeyRow KeyRow::at(T S::*member) && {
  return keys::bind<S>(
      std::move(*this),
      [member](CaseSection& section, const KeyRow& row, Presence presence, S& to) {
        keys::read(section, row, presence, to.*member);
      },
      [member](const KeyRow& row, const S& from) { return keys::text_of(row, from.*member); });
}
template <typename S, typename P, typename T>
KeyRow KeyRow::at(const InPart<S, P, T>& in) && {
  return std::move(*this).at(in.member).within(in.part);
}
template <typename S>
KeyRow KeyRow::at(double S::*first, double S::*second) && {
  return keys::bind<S>(
      std::move(*this),
      [first, second](CaseSection& section, const KeyRow& row, Presence presence, S& to) {
        std::array<double, 2> value{to.*first, to.*second};
        keys::read(section, row, presence, value);
        to.*first = value[0];
        to.*second = value[1];
      },
      [first, second](const KeyRow& row, const S& from) {
        return keys::text_of(row, std::array{from.*first, from.*second});
      });
}
template <typename S, typename T>
KeyRow KeyRow::at_map(T S::*member) && {
  map_owner = typeid(std::remove_reference_t<decltype(keys::emplaced(std::declval<T&>()))>);
  return keys::bind<S>(
      std::move(*this),
      [member](CaseSection& section, const KeyRow& row, Presence presence, S& to) {
        auto part = keys::read_section(section, row, presence);
        if (part) row.map->read_into(*part, &keys::emplaced(to.*member));
      },
      [member](const KeyRow& row, const S& from) {
        const auto* value = keys::pointer_to(from.*member);
        return value != nullptr ? flow_text(*row.map, value) : std::string();
      });
}
template <typename S>
KeyRow KeyRow::at_own() && {
  return keys::bind<S>(
      std::move(*this),
      [](CaseSection& section, const KeyRow& row, Presence presence, S& to) {
        auto part = keys::read_section(section, row, presence);
        if (part) row.map->read_into(*part, &to);
      },
      [](const KeyRow& row, const S& from) { return flow_text(*row.map, &from); });
}
template <typename S>
KeyRow KeyRow::by(void (*reader)(CaseSection&, const KeyRow&, S&),
                  std::string (*writer)(const S&)) && {
  owner = typeid(S);
  read = [reader](CaseSection& section, const KeyRow& row, Presence presence, void* object) {
    if (presence == Presence::required || section.has(row.name))
      reader(section, row, *static_cast<S*>(object));
  };
  return writer != nullptr ? std::move(*this).written_by(writer) : std::move(*this);
}
template <typename S>
KeyRow KeyRow::written_by(std::string (*writer)(const S&)) && {
  write = [writer](const KeyRow&, const void* from) {
    return writer(*static_cast<const S*>(from));
  };
  return std::move(*this);
}
template <typename S, typename T>
KeyRow KeyRow::within(T S::*part) && {
  const auto inner_read = read;
  const auto inner_write = write;
  return keys::bind<S>(
      std::move(*this),
      [part, inner_read](CaseSection& section, const KeyRow& row, Presence presence, S& to) {
        inner_read(section, row, presence, &(to.*part));
      },
      [part, inner_write](const KeyRow& row, const S& from) {
        return inner_write(row, &(from.*part));
      });
}

// One of the words of a table of choices. `member`: of their type, or an optional one.
template <typename S, typename T, typename Choices>
KeyRow word(std::string_view name, T S::*member, const Choices& choices, std::string_view otherwise,
            std::string_view meaning) {
  return keys::bind<S>(
      {name, {word_form(names_of(choices))}, otherwise, meaning},
      [member, &choices](CaseSection& section, const KeyRow& row, Presence presence, S& to) {
        if (const auto index = keys::read_word(section, row, presence))
          to.*member = choices[*index].value;
      },
      [member, &choices](const KeyRow&, const S& from) {
        const auto* value = keys::pointer_to(from.*member);
        return value != nullptr ? std::string(name_of(choices, *value)) : std::string();
      });
}

template <typename S, typename P, typename T, typename Choices>
KeyRow word(std::string_view name, const InPart<S, P, T>& in, const Choices& choices,
            std::string_view otherwise, std::string_view meaning) {
  return word(name, in.member, choices, otherwise, meaning).within(in.part);
}

}  // namespace slipfield
