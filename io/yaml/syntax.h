// SPDX-License-Identifier: Apache-2.0
// Checks and explanations of the text itself, which the YAML parser does not make.
#pragma once

#include <yaml-cpp/exceptions.h>

#include <optional>
#include <string>

#include "io/yaml/source.h"

namespace slipfield {

// The place where the open brackets become too many: the parser's scanner, which looks ahead over
// all of them, would take minutes and gigabytes. Brackets in quotes and comments count too, so the
// limit is far above what a case may nest.
std::optional<SourcePlace> find_bracket_flood(const std::string& text, const SourceText& source);

// False: the quoted text that starts at the place (after an anchor or a tag) never ends, which the
// parser lets pass at the end of the file. True for text that is not quoted.
bool is_quote_closed(const SourcePlace& place);

struct SyntaxError {
  SourcePlace place;
  std::string problem;
  std::string accepted;  // may be empty
};

// The parser's error in words that name the likely cause.
SyntaxError describe_syntax_error(const YAML::Exception& error, const SourceText& source);

}  // namespace slipfield
