// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "app/export/table.h"

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

  TEST_CASE("export: blocks of a sweep of wheels have the same columns, whether or not they ran") {
    AnyResult any;
    any.kind = ResultKind::sweep;
    any.info.header.case_yaml = "schema: 1\nwheel_rail: {}\n";
    any.rows.keys = {{1, 0, {}, 0}};
    any.rows.outcomes = {PointOutcome::not_run};
    any.rows.columns = {{"normal_force", {kNotANumber}}};
    AnyResult ran = any;
    ran.rows.keys = {{2, 1, "left", 0}, {2, 1, "left", 1}};
    ran.rows.outcomes = {PointOutcome::converged, PointOutcome::converged};
    ran.rows.columns = {{"normal_force", {10.0, 10.0}}};
    const auto table_of = [](const AnyResult& block) {
      return export_totals(block, block.rows, ExportedRows::parts, {}, "sweep.h5");
    };
    const ExportTable first = table_of(any);
    const ExportTable second = table_of(ran);
    CHECK(csv_text(first) == "point,side,contact,outcome,normal_force [N]\n1,,0,not_run,\n");
    CHECK(csv_rows(second) == "2,left,0,converged,10\n2,left,1,converged,10\n");
    CHECK(csv_text(long_table(first)) == "point,side,contact,outcome,quantity,value,unit\n");
    CHECK(csv_rows(long_table(second)) ==
          "2,left,0,converged,normal_force,10,N\n2,left,1,converged,normal_force,10,N\n");
  }

  TEST_CASE("export: no text of a case is a command of LaTeX") {
    CHECK(latex_escaped("\\input{x}_&%$#~^") ==
          "\\textbackslash{}input\\{x\\}\\_\\&\\%\\$\\#\\textasciitilde{}\\textasciicircum{}");
    CHECK(latex_escaped("force / µFₙ") == "force / $\\mu$$F_n$");
  }
}
