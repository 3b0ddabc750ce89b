// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/export/table.h"
#include "app/html/page.h"

using namespace slipfield;

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

ExportTable small_table() {
  ExportTable table;
  table.columns.push_back({"step", "-", {1.0, 2.0}, {}, "step", 1.0, "-"});
  table.columns.push_back({"key, \"quoted\"", "-", {}, {"a", "b,c"}, "key_1", 1.0, "-"});
  table.columns.push_back(
      {"creepage_x", "-", {0.001, kNotANumber}, {}, "longitudinal creepage", 100.0, "%"});
  table.columns.push_back(
      {"max_pressure", "N/mm^2", {0.1 + 0.2, -1.5e-7}, {}, "greatest pressure", 1.0, "N/mm^2"});
  return table;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("export: CSV has names and units, every digit, and quotes where they are needed") {
    CHECK(csv_text(small_table()) ==
          "step,\"key, \"\"quoted\"\"\",creepage_x,max_pressure [N/mm^2]\n"
          "1,a,0.001,0.30000000000000004\n"
          "2,\"b,c\",,-1.5e-07\n");
    CHECK(csv_text({}) == "\n");
  }

  TEST_CASE("export: LaTeX has the names and units of a paper") {
    const std::string text = latex_text(small_table());
    CHECK(text.find("\\begin{tabular}{rlrr}\n\\toprule\n") != std::string::npos);
    CHECK(text.find("step & key\\_1 & longitudinal creepage & greatest pressure \\\\\n") !=
          std::string::npos);
    CHECK(text.find(" &  & [\\%] & [N/mm$^2$] \\\\\n\\midrule\n") != std::string::npos);
    CHECK(text.find("$1$ & a & $0.1$ & $0.3$ \\\\\n") != std::string::npos);
    CHECK(text.find("$2$ & b,c & -- & $-1.5 \\times 10^{-7}$ \\\\\n") != std::string::npos);
    ExportTable infinite;
    infinite.columns.push_back({"gap", "-", {kInfinite, -kInfinite}, {}, "gap", 1.0, "-"});
    CHECK(latex_text(infinite).find("$\\infty$ \\\\\n$-\\infty$ \\\\\n") != std::string::npos);
  }

  TEST_CASE("export: no text of a case is a command of LaTeX") {
    CHECK(latex_escaped("\\input{x}_&%$#~^") ==
          "\\textbackslash{}input\\{x\\}\\_\\&\\%\\$\\#\\textasciitilde{}\\textasciicircum{}");
    CHECK(latex_escaped("force / µFₙ") == "force / $\\mu$$F_n$");
  }

  TEST_CASE("report: text is text in HTML, whatever it holds") {
    CHECK(html_escaped("<script>alert('a & \"b\"')</script>") ==
          "&lt;script&gt;alert(&#39;a &amp; &quot;b&quot;&#39;)&lt;/script&gt;");
    CHECK(html_escaped("a\x01\xff"
                       "b\n") ==
          "a \xef\xbf\xbd"
          "b ");
    CHECK(html_lines("a: <1>\n\nb") == "a: &lt;1&gt;\n\nb\n");
    const std::string table = html_table({{"<b>"}, {{"1.5e-07", "<i>"}, {"-", "--"}}});
    CHECK(table.find("<th>&lt;b&gt;</th>") != std::string::npos);
    CHECK(table.find("<td class=\"number\">1.5e-07</td><td>&lt;i&gt;</td>") != std::string::npos);
    CHECK(table.find("<td>-</td><td>--</td>") != std::string::npos);
    CHECK(html_page("</title><script>", "").find("<script>") == std::string::npos);
  }
}
