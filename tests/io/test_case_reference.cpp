// SPDX-License-Identifier: Apache-2.0
// The tables that a case is read by: CASE.md has them, their rows fill one struct each, and the
// defaults that two of them state are those of their structs.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "io/case/page.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/yaml/number.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

const std::string kRoot = SLIPFIELD_CASES_DIR "/../";

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A default that a row states as a value: "0", "1e-6", "free", "[0, 0]"; not "none" or "0 each".
bool states_value(const KeyRow& row) {
  if (row.otherwise.empty() || row.is_required()) return false;
  const KeyForm& form = row.forms.front();
  if (form.kind == KeyForm::Kind::word)
    return std::find(form.words.begin(), form.words.end(), row.otherwise) != form.words.end();
  return (form.kind == KeyForm::Kind::number && parse_number(row.otherwise).value) ||
         row.otherwise == "true" || row.otherwise == "false";
}

bool is_same_value(const std::string& written, std::string_view stated) {
  const auto one = parse_number(written).value;
  const auto other = parse_number(stated).value;
  return one && other ? *one == *other : written == stated;
}

template <typename S>
void check_defaults(const KeyTable& table) {
  CAPTURE(table.heading);
  const S object{};
  int checked = 0;
  for (const KeyRow& row : table.rows) {
    if (!row.write || !states_value(row)) continue;
    CAPTURE(row.name);
    const std::string written = row.write(row, &object);
    if (written.empty()) continue;  // an optional one
    ++checked;
    CHECK_MESSAGE(is_same_value(written, row.otherwise), written, " for ", row.otherwise);
  }
  CHECK(checked > 0);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("CASE.md and RUNNING.md have the tables that the reader and the checks go by") {
    for (const char* name : {"io/CASE.md", "app/RUNNING.md"}) {
      CAPTURE(name);
      const std::string page = text_of(kRoot + name);
      const std::string made = with_tables(page);
      if (std::getenv("SLIPFIELD_RENEW") != nullptr) std::ofstream(kRoot + name) << made;
      CHECK_MESSAGE(page == made, "to renew it: SLIPFIELD_RENEW=1 and this test once more");
    }
    CHECK(text_of(kRoot + "app/RUNNING.md").find("<!-- table combinations -->") !=
          std::string::npos);
    for (const std::string& heading : key_table_headings()) {
      CAPTURE(heading);
      CHECK(text_of(kRoot + "io/CASE.md").find("<!-- table keys: " + heading + " -->") !=
            std::string::npos);
    }
  }

  TEST_CASE("the fuzzer's dictionary has every key and word of the tables") {
    const std::string name = kRoot + "tests/data/corpus/case.dict";
    if (std::getenv("SLIPFIELD_RENEW") != nullptr) std::ofstream(name) << fuzz_dictionary();
    CHECK_MESSAGE(text_of(name) == fuzz_dictionary(),
                  "to renew it: SLIPFIELD_RENEW=1 and this test once more");
  }

  TEST_CASE("key tables: a default that a row states is that of its struct") {
    check_defaults<SolverSettings>(kSolverTable);
    check_defaults<WearRequest>(kWearTable);
  }

  TEST_CASE("key tables: rows of a table fill one struct, and no key is there twice") {
    for (const KeyTable* table : all_key_tables()) {
      CAPTURE(table->heading);
      std::set<std::string_view> names;
      std::set<std::type_index> owners;
      for (const KeyRow& row : table->rows) {
        CAPTURE(row.name);
        CHECK(names.insert(row.name).second);
        if (row.read) owners.insert(row.owner);
        for (const KeyCondition& condition : row.only) CHECK(!condition.key.empty());
        if (row.map_owner == typeid(void)) continue;
        for (const KeyRow& below : row.map->rows)
          if (below.read) CHECK_MESSAGE(below.owner == row.map_owner, below.name);
      }
      CHECK(owners.size() <= 1);
      for (const KeyGroup& group : table->groups)
        for (const auto& keys : group.alternatives)
          for (const std::string_view key : keys) CHECK_MESSAGE(table->has_row(key), key);
    }
  }
}

}  // namespace slipfield
