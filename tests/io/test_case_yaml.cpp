// SPDX-License-Identifier: Apache-2.0
// What the YAML parser lets pass and a case file may not hold.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/yaml/number.h"
#include "io/yaml/source.h"
#include "io/yaml/tree.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::error_of;
using test::kPlainCase;
using test::messages_of;

using Examples = std::vector<std::pair<std::string, std::string>>;

// The only message of the text.
std::string message_of(const std::string& text) {
  const auto messages = messages_of(text);
  REQUIRE(messages.size() == 1);
  return messages[0];
}

std::string error_of_path(const std::filesystem::path& path) {
  try {
    read_case(path);
  } catch (const CaseError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE(
      "escaped text: what a terminal would not show as such is shown as bytes, all else as it is") {
    CHECK(escaped_text("\xc2\xb5 = 0.4\n\tx") == "\xc2\xb5 = 0.4\n\tx");
    CHECK(escaped_text("a\xe9\xc2") == "a\\xe9\\xc2");
    CHECK(escaped_text(std::string("\x1b[31m\0\r", 7)) == "\\x1b[31m\\x00\\x0d");
    CHECK(escaped_text("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  }

  TEST_CASE("numbers: plain decimal notation is read to the last bit") {
    const std::vector<std::pair<std::string, double>> examples{
        {"0", 0.0},
        {"7", 7.0},
        {"-3", -3.0},
        {"+2.5", 2.5},
        {".5", 0.5},
        {"5.", 5.0},
        {"1e3", 1000.0},
        {"-1.25E-2", -0.0125},
        {"0.1", 0.1},
        {"0e0", 0.0},
        {"1e+3", 1000.0},
        {"4.9406564584124654e-324", 5e-324},
        {"1.7976931348623157e308", 1.7976931348623157e308}};
    for (const auto& example : examples) {
      CAPTURE(example.first);
      const auto& [word, value] = example;
      CHECK(parse_number(word).value == value);
    }
  }

  TEST_CASE("numbers: other notations are refused by name") {
    const Examples examples{
        {"010", "'010' has a leading zero, which some readers take for octal"},
        {"-00.5", "'-00.5' has a leading zero, which some readers take for octal"},
        {"0x1F", "'0x1F' is hexadecimal"},
        {"0o17", "'0o17' is octal"},
        {"1:30", "'1:30' is sexagesimal"},
        {"1_000", "'1_000' has underscores"},
        {"1,5", "'1,5' has a comma (write 1.5)"},
        {"1,000,000", "'1,000,000' has a comma"},
        {"2.1D5", "'2.1D5' is not a number (write 2.1e5)"},
        {"\u22123.5", "'\u22123.5' is not a number (write -3.5)"},
        {"10\u00A0000", "'10\u00A0000' is not a number (write 10000)"},
        {".nan", "'.nan' is not finite"},
        {"-.INF", "'-.INF' is not finite"},
        {"inf", "'inf' is not finite"},
        {"1e400", "'1e400' does not fit a double"},
        {"1e-400", "'1e-400' does not fit a double"},
        {"1.5d0", "'1.5d0' is not a number (write 1.5e0)"},
        {"1e", "'1e' is not a number"},
        {"--1", "'--1' is not a number"},
        {"+-1", "'+-1' is not a number"},
        {".", "'.' is not a number"},
        {"1.2.3", "'1.2.3' is not a number"},
        {"12 mm", "'12 mm' is not a number"},
        {"", "'' is not a number"},
        {"true", "'true' is not a number"}};
    for (const auto& example : examples) {
      CAPTURE(example.first);
      const auto& [word, problem] = example;
      CHECK_FALSE(parse_number(word).value.has_value());
      CHECK(parse_number(word).problem == problem);
    }
  }

  TEST_CASE("integers: digits only") {
    CHECK(parse_integer("-12").value == -12);
    CHECK(parse_integer("0").value == 0);
    CHECK(parse_integer("19.0").problem == "'19.0' is not an integer");
    CHECK(parse_integer("1e3").problem == "'1e3' is not an integer");
    CHECK(parse_integer("010").problem ==
          "'010' has a leading zero, which some readers take for octal");
    CHECK(parse_integer("99999999999999999999").problem == "'99999999999999999999' is too large");
  }

  TEST_CASE("YAML: a duplicate key names both places") {
    const std::string text = kPlainCase + "normal: {force: 3}\n";
    CHECK(error_of(text) ==
          "case.yaml:18:1: normal: duplicate key, given first at case.yaml:13:1; accepted: each "
          "key once\n"
          "   18 | normal: {force: 3}\n"
          "      | ^");
    CHECK(message_of(edited(kPlainCase, "{force: 9.0}", "{force: 9.0, \"force\": 9.0}")) ==
          "case.yaml:13:22: normal.force: duplicate key, given first at case.yaml:13:10; accepted: "
          "each key once");
  }

  TEST_CASE("YAML: tags, merge keys and keys that are not words are refused") {
    CHECK(message_of(edited(kPlainCase, "force: 9.0", "force: !!float 9.0")) ==
          "case.yaml:13:17: normal.force: has the YAML tag 'tag:yaml.org,2002:float'; accepted: a "
          "plain value without a tag");
    CHECK(message_of(
              edited(kPlainCase, "title: Cattaneo shift", "title: !!python/object:os.system x")) ==
          "case.yaml:2:8: title: has the YAML tag 'tag:yaml.org,2002:python/object:os.system'; "
          "accepted: a plain value without a tag");
    std::string text = edited(kPlainCase, "upper: {", "upper: &body {");
    text = edited(text, "poisson_ratio: 0.3}", "poisson_ratio: 0.3, <<: *body}");
    CHECK(message_of(text) ==
          "case.yaml:6:53: bodies.lower.<<: merge keys are not supported; accepted: the keys "
          "themselves, or an alias in place of the whole map");
    CHECK(message_of(kPlainCase + "? [a, b]\n: 1\n") ==
          "case.yaml:18:3: a key is missing or is not a single word; accepted: key: value");
  }

  TEST_CASE("YAML: aliases expand within a limit and never into themselves") {
    CHECK(message_of("a: &a [1, *a]\n") ==
          "case.yaml:1:11: a.1: the alias stands inside its own anchor; accepted: an anchor that "
          "is complete");
    std::string laughs = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (char name = 'b'; name < 'm'; ++name) {
      const std::string alias = std::string("*") + static_cast<char>(name - 1);
      laughs += std::string(1, name) + ": &" + name + " [";
      for (int i = 0; i < 8; ++i) laughs += alias + ", ";
      laughs += alias + "]\n";
    }
    CHECK(message_of(laughs).find(": more than 1000000 values, aliases included") !=
          std::string::npos);
  }

  TEST_CASE("YAML: nesting is limited") {
    const auto nested = [](std::size_t depth) {
      return "a: " + std::string(depth, '[') + std::string(depth, ']') + "\n";
    };
    CHECK(messages_of(nested(31)).size() > 1);  // the map makes 32; only other keys are missing
    CHECK(message_of(nested(32))
              .find(": nested too deeply; accepted: at most 32 levels of lists and maps") !=
          std::string::npos);
    CHECK(message_of(nested(100000)) ==
          "case.yaml:1:1004: far too many brackets are open here; accepted: at most 32 levels of "
          "lists and maps");
  }

  TEST_CASE("YAML: one document") {
    CHECK(message_of("schema: 1\n---\nschema: 1\n") ==
          "case.yaml:2:1: a second YAML document starts here; accepted: one document");
    CHECK(message_of("{schema: 1} junk\n") ==
          "case.yaml:1:13: a second YAML document starts here; accepted: one document");
    CHECK(message_of("# nothing\n") ==
          "case.yaml:1:1: holds no value; accepted: YAML with the keys of a case");
    CHECK(message_of("- a\n") == "case.yaml:1:1: is a list; accepted: a map with keys of its own");
    CHECK(message_of("hello\n") ==
          "case.yaml:1:1: is 'hello'; accepted: a map with keys of its own");
  }

  // The middle of the message is the parser's own text, which depends on its version.
  TEST_CASE("YAML: syntax errors have their place and a likely cause") {
    struct Example {
      std::string text;
      std::string place;
      std::string cause;
    };
    const std::vector<Example> examples{
        {"schema: 1\ngrid:\n\telements: [1, 2]\n",
         "case.yaml:3:10: ", "; accepted: indentation with spaces, not with tabs"},
        {"schema: 1\ngrid: {elements: [1, 2]\nunits: SI\n",
         "case.yaml:3:10: ", "; accepted: a '}' for every '{', and commas between its keys"},
        {"schema: 1\ngrid: [1, 2\n",
         "case.yaml:2:12: ", "; accepted: a ']' for every '[', and commas between its values"},
        {"schema: 1\nnormal:\n  force: 1\n approach: 2\n", "case.yaml:4:2: ",
         "; accepted: nothing after a value, and the same indentation for all keys of a map"},
        {"schema: 1 title: b\n", "case.yaml:1:16: ",
         "; accepted: one 'key: value' in a line, with the indentation of its map"},
        {"a: *b\n", "case.yaml:1:4: ", ": the alias has no anchor before it"}};
    for (const Example& example : examples) {
      CAPTURE(example.text);
      const std::string message = message_of(example.text);
      CAPTURE(message);
      CHECK(message.rfind(example.place + "not valid YAML: ", 0) == 0);
      REQUIRE(message.size() > example.cause.size());
      CHECK(message.substr(message.size() - example.cause.size()) == example.cause);
    }
    CHECK(message_of("schema: 1\ntitle: \"abc\n") ==
          "case.yaml:2:8: title: the quotes are not closed; accepted: text in a pair of quotes");
    CHECK(message_of("schema: 1\ntitle: &t 'it''s\n") ==
          "case.yaml:2:8: title: the quotes are not closed; accepted: text in a pair of quotes");
  }

  TEST_CASE("YAML: an empty value has the place of its key or of its dash") {
    CHECK(message_of(edited(kPlainCase, "normal: {force: 9.0}", "normal:\n  force:")) ==
          "case.yaml:14:3: normal.force: has no value; accepted: a number, > 0 without adhesion");
    CHECK(message_of(edited(kPlainCase, "{force: 9.0}", "{force: ~}")) ==
          "case.yaml:13:10: normal.force: has no value; accepted: a number, > 0 without adhesion");
    CHECK(message_of(kPlainCase + "expected:\n  -\n  - {quantity: elements_slip, value: 1}\n") ==
          "case.yaml:19:3: expected.0: has no value; accepted: a map with keys of its own");
    CHECK(message_of(kPlainCase + "expected: [null, {quantity: elements_slip, value: 1}]\n") ==
          "case.yaml:18:12: expected.0: has no value; accepted: a map with keys of its own");
  }

  TEST_CASE("YAML: columns count characters, not bytes") {
    CHECK(error_of(edited(kPlainCase, "title: Cattaneo shift", "{title: é, ü: 1}"))
              .find("case.yaml:2:") == 0);
    CHECK(error_of(edited(kPlainCase, "{force: 9.0}", "{\"é\": ä, force: 9.0}")) ==
          "case.yaml:13:10: normal.é: unknown key; accepted: force, approach, pull_off\n"
          "   13 | normal: {\"é\": ä, force: 9.0}\n"
          "      |          ^");
    CHECK(message_of(edited(kPlainCase, "title: Cattaneo shift", "title: [é, *x]")) ==
          "case.yaml:2:12: not valid YAML: the alias has no anchor before it");
  }

  TEST_CASE("excerpt: a long line is cut around the caret, tabs keep the caret in its column") {
    const std::string line = std::string(200, 'a') + "X" + std::string(200, 'b');
    const SourceText source("f", "first\n" + line + "\n\tx", SourceText::Kind::file);
    const std::string shown = "..." + std::string(60, 'a') + "X" + std::string(39, 'b') + "...";
    CHECK(excerpt({&source, 1, 200}) ==
          "    2 | " + shown + "\n      | " + std::string(63, ' ') + "^");
    CHECK(excerpt({&source, 2, 1}) == "    3 | \tx\n      | \t^");
    CHECK(describe_place({&source, 1, 200}) == "f:2:201");
  }

  TEST_CASE("messages: values from the file are shortened and hold no control characters") {
    CHECK(in_quotes("a\x1b[31mb") == "'a?[31mb'");
    CHECK(in_quotes(std::string(100, 'x')) == "'" + std::string(60, 'x') + "...'");
  }

  TEST_CASE("case file: what is not readable text is one sentence") {
    const test::TemporaryFolder folder;
    const std::string prefix = folder.path().string() + "/f.yaml: ";
    const auto error_with = [&](const std::string& bytes) {
      return error_of_path(folder.write("f.yaml", bytes));
    };
    CHECK(error_with("") ==
          prefix + "is empty; accepted: a case file, which starts with 'schema: 1'");
    CHECK(error_with(" \n\n") ==
          prefix + "is empty; accepted: a case file, which starts with 'schema: 1'");
    CHECK(error_with(std::string("schema: 1\ntitle: a\0b", 20)) ==
          prefix + "byte 0x00 in line 2 is not text; a case file is YAML in UTF-8");
    CHECK(error_with("schema: 1\ntitle: \xE9\n") ==
          prefix + "byte 0xe9 in line 2 is not text; a case file is YAML in UTF-8");
    CHECK(error_with("\xC0\xAF") ==  // an overlong slash
          prefix + "byte 0xc0 in line 1 is not text; a case file is YAML in UTF-8");
    CHECK(error_with("\xFF\xFEs") ==
          prefix + "byte 0xff in line 1 is not text; a case file is YAML in UTF-8");
    CHECK(error_with("a: \x1b[31m") ==
          prefix + "byte 0x1b in line 1 is not text; a case file is YAML in UTF-8");
    CHECK(error_with(std::string(kMaxCaseBytes + 1, '#')) ==
          prefix + "is larger than 16 MiB; a case file is a short text");
    CHECK(error_of_path(folder.path()) ==
          folder.path().string() + ": is a directory; a case file (YAML) is needed");
    CHECK(error_of_path(folder.path() / "none.yaml") ==
          folder.path().string() +
              "/none.yaml: there is no such file; a case file (YAML) is needed");
  }
}

}  // namespace slipfield
