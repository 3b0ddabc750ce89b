// SPDX-License-Identifier: Apache-2.0
// Parts of a page in HTML that stands alone: no script, no file or address outside of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipfield {

// Clean text (clean_text) for the content of an element or an attribute in double quotes.
std::string html_escaped(std::string_view text);
// Line by line; for <pre>.
std::string html_lines(std::string_view text);

// A table: cells are texts, not HTML; numbers are aligned to the right. `head` may be empty.
struct HtmlTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
std::string html_table(const HtmlTable& table);

// A figure that gnuplot drew as SVG, inside the page.
std::string html_figure(const std::string& svg, std::string_view caption);

// Folded away under a line of text until a reader opens it. `content` is HTML.
std::string html_details(std::string_view summary, const std::string& content);

std::string html_section(std::string_view heading, const std::string& content);

// The whole page; `content` is HTML, `title` text.
std::string html_page(std::string_view title, const std::string& content);

}  // namespace slipfield
