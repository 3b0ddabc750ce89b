// SPDX-License-Identifier: Apache-2.0
#include "app/html/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/plot/gnuplot.h"
#include "io/output_rule.h"

namespace slipfield {
namespace {

// Wide figures and tables scroll in their own frames on a telephone; on paper they fit the width.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 0 auto;
  max-width: 68rem; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; border-bottom: 1px solid #ccc; }
p { margin: 0.5rem 0; }
.warning { border-left: 4px solid #d55e00; background: #fdf1e7; padding: 0.4rem 0.8rem; }
figure, .table { margin: 1rem 0; overflow-x: auto; }
figure svg { display: block; height: auto; min-width: 36rem; max-width: 100%; }
figcaption { color: #555; font-size: 0.9rem; }
table { border-collapse: collapse; font-size: 0.9rem; overflow-wrap: normal; }
th, td { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #1a1a1a; }
td { border-bottom: 1px solid #e4e4e4; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
summary { cursor: pointer; color: #0072b2; }
pre { background: #f6f6f6; padding: 0.8rem; overflow-x: auto; font-size: 0.8rem; line-height: 1.35; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  figure, .table { overflow: visible; }
  figure { break-inside: avoid; }
  figure svg { min-width: 0; }
  tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  pre { white-space: pre-wrap; }
}
)";

// Digits, a sign, a point, an exponent; also no number at all.
bool looks_like_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.+-e") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char byte : clean_text(text)) {
    switch (byte) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += byte;
    }
  }
  return escaped;
}

std::string html_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += html_escaped(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string html_table(const HtmlTable& table) {
  std::string html = "<div class=\"table\"><table>\n";
  if (!table.head.empty()) {
    html += "<thead><tr>";
    for (const std::string& cell : table.head) html += "<th>" + html_escaped(cell) + "</th>";
    html += "</tr></thead>\n";
  }
  html += "<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    html += "<tr>";
    for (const std::string& cell : row)
      html += fmt::format("<td{}>{}</td>", looks_like_number(cell) ? " class=\"number\"" : "",
                          html_escaped(cell));
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string html_figure(const std::string& svg, std::string_view caption) {
  const std::size_t begin = std::min(svg.find("<svg"), svg.size());
  return fmt::format("<figure>\n{}\n<figcaption>{}</figcaption></figure>\n", svg.substr(begin),
                     html_escaped(caption));
}

std::string html_details(std::string_view summary, const std::string& content) {
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", html_escaped(summary),
                     content);
}

std::string html_section(std::string_view heading, const std::string& content) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", html_escaped(heading), content);
}

std::string html_page(std::string_view title, const std::string& content) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n{}</body>\n</html>\n",
      kPageMark, html_escaped(title), kStyle, html_escaped(title), content);
}

}  // namespace slipfield
