# SPDX-License-Identifier: Apache-2.0
"""slipfield export and report: the tables and the page, and the sentences that refuse one."""
import csv
import html.parser
import io
import json
import os
import sys
import unittest

import machine
import warm_python
from program import CASE, DATA, call, case_folder, run_case, yaml_path

SWEEP = CASE.split("steps:")[0] + "sweep:\n  - {key: normal.force, values: [5.0, 9.0]}\n"
PROFILES = os.path.join(DATA, "..", "..", "cases", "profiles")
WHEEL = f"""schema: 1
title: wheel
units: N-mm-s
bodies:
  wheel: {{shear_modulus: 82000, poisson_ratio: 0.28}}
  rail: {{shear_modulus: 82000, poisson_ratio: 0.28}}
friction: {{coefficient: 0.3}}
wheel_rail:
  side: right
  wheel: {{profile: {yaml_path(PROFILES, "MBench_S1002_v3.prw")}}}
  rail: {{profile: {yaml_path(PROFILES, "MBench_UIC60_v3.prr")}}}
  spacing: [1, 1]
  wheelset: {{y: 1.0, velocity: {{x: 2000}}}}
  vertical_force: 20000
"""
HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(2)> & \\\"q\\\" 'x' $(id)"


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class Page(html.parser.HTMLParser):
    """Elements, texts by element, and whatever would fetch something."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.fetched, self.texts, self.open = [], [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)
        for name, value in attrs:
            inside = (value or "").startswith(("#", "data:image/svg+xml;base64,"))
            if name in ("src", "href", "xlink:href") and not inside:
                self.fetched.append(value)
            if name.startswith("on"):
                self.fetched.append(name)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data):
        if self.open:
            self.texts[self.open[-1]] = self.texts.get(self.open[-1], "") + data


class Export(unittest.TestCase):
    def export(self, *arguments):
        done = call("export", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def refused(self, *arguments, says, command="export"):
        before = sorted(os.listdir())
        done = call(command, *arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(sorted(os.listdir()), before)

    def test_names_follow_the_case_and_not_the_words_of_its_title(self):
        with case_folder():
            run_case("-o", "out.h5", "--set", "title='a shift, next to steady_rolling'")
            self.export("out.h5", "-o", "table.tex")
            with open("table.tex", encoding="utf-8") as file:
                text = file.read()
            self.assertIn("force in x", text)
            self.assertNotIn("longitudinal", text)

    def test_forces_of_a_wheel_s_contact_are_longitudinal_and_lateral(self):
        with case_folder(WHEEL):
            run_case("-o", "out.h5", "-q")
            self.export("out.h5", "-o", "table.tex", "--contact", "1", "--quantities", "force_x,force_y,creepage_x")
            with open("table.tex", encoding="utf-8") as file:
                text = file.read()
            for word in ("longitudinal", "lateral"):
                self.assertIn(word, text)
            self.assertNotIn("force in ", text)

    def test_totals_are_those_of_the_result(self):
        with case_folder():
            run_case("-o", "out.h5")
            rows = rows_of(self.export("out.h5"))
            self.assertEqual([row["step"] for row in rows], ["1", "2", "3"])
            for row in rows:
                self.assertEqual(row["outcome"], "converged")
                # the force is prescribed; the solver meets it to its tolerance
                self.assertAlmostEqual(float(row["normal_force [N]"]), 9.1954, delta=1e-5)
            self.assertAlmostEqual(float(rows[2]["force_ratio_x"]), -0.875, delta=1e-5)
            self.assertNotIn("creepage_x", rows[0])

    def test_fields_add_up_to_the_force(self):
        with case_folder():
            run_case("-o", "out.h5")
            self.export("out.h5", "-o", "fields.csv", "--fields", "pressure,traction_x")
            with open("fields.csv", encoding="utf-8") as file:
                rows = rows_of(file.read())
            self.assertEqual(len(rows), 13 * 11)
            force = 0.2 * 0.25 * sum(float(row["pressure [N/mm^2]"]) for row in rows)
            self.assertAlmostEqual(force, 9.1954, delta=1e-5)  # as above
            self.assertEqual((rows[1]["x [mm]"], rows[1]["y [mm]"]),
                             (rows[14]["x [mm]"], rows[0]["y [mm]"]))
            cut = rows_of(self.export("out.h5", "--fields", "pressure", "--along", "y", "--at",
                                      "-0.31,0"))
            self.assertEqual(len(cut), 11)
            whole = [row["pressure [N/mm^2]"] for row in rows[4::13]]  # x from -0.4 to -0.2
            self.assertEqual([row["pressure [N/mm^2]"] for row in cut], whole)
            first = rows_of(self.export("out.h5", "--fields", "traction_x", "--step", "1"))
            self.assertNotEqual([row["traction_x [N/mm^2]"] for row in first],
                                [row["traction_x [N/mm^2]"] for row in rows])

    def test_fields_of_rows_have_one_coordinate_and_add_up_to_the_worn_volume(self):
        wear = CASE.replace("problem: shift, x: {force_ratio: -0.5}, y: {shift: 0.0}",
                            "problem: steady_rolling, x: {creepage: 0.002}, y: {creepage: 0.0}, spin: 0.0").split("steps:")[0]
        with case_folder(wear + "wear: {law: archard, coefficient: 1.0e-4, hardness: 3000}\n"):
            run_case("-o", "out.h5")
            rows = rows_of(self.export("out.h5", "--fields", "wear_profile"))
            self.assertEqual(list(rows[0]), ["y [mm]", "wear_profile [mm]"])
            self.assertEqual(len(rows), 11)
            area = sum(float(row["wear_profile [mm]"]) for row in rows) * 0.25  # dy
            (totals,) = rows_of(self.export("out.h5", "--quantities", "worn_area"))
            self.assertAlmostEqual(area / float(totals["worn_area [mm^2]"]), 1.0, delta=1e-12)  # rounding
            self.refused("out.h5", "--fields", "wear_profile,pressure", says="wear_profile has a value for each row of elements, and pressure for each element")
            self.refused("out.h5", "--fields", "wear_profile", "--along", "x", says="accepted: without --along x")
            self.refused("out.h5", "--quantities", "worn_volume", says="it is a total of shifts")

    def test_a_name_given_twice_is_one_column(self):
        with case_folder():
            run_case("-o", "out.h5")
            for option, names in (("--quantities", "force_x,force_x,force_y,force_x"), ("--fields", "pressure,gap,pressure")):
                head = self.export("out.h5", option, names).split("\n")[0].split(",")
                self.assertEqual(len(head), len(set(head)))
                self.assertEqual(head, self.export("out.h5", option, ",".join(dict.fromkeys(names.split(",")))).split("\n")[0].split(","))

    def test_a_sweep_has_a_row_for_each_point(self):
        with case_folder(SWEEP):
            self.assertEqual(call("run", "case.yaml", "-o", "out.h5").returncode, 0)
            rows = rows_of(self.export("out.h5", "--quantities", "normal_force,max_pressure"))
            self.assertEqual(list(rows[0]), ["point", "normal.force [N]", "outcome",
                                             "normal_force [N]", "max_pressure [N/mm^2]"])
            self.assertEqual([row["normal.force [N]"] for row in rows], ["5", "9"])
            self.export("out.h5", "-o", "table.tex")
            with open("table.tex", encoding="utf-8") as file:
                self.assertIn("& normal force & outcome &", file.read())
            self.refused("out.h5", "--fields", "pressure", says="--point")
            self.refused("out.h5", "--quantities", "spin", says="no point of it has a spin")

    def test_a_row_of_a_wheel_has_its_numbers_and_one_of_a_contact_has_those_of_the_contact(self):
        with case_folder(WHEEL):
            self.assertEqual(call("run", "case.yaml", "-o", "out.h5").returncode, 0)
            both = "track_force_y,max_pressure"
            rows = rows_of(self.export("out.h5", "--quantities", both))
            self.assertEqual([(row["contact"], bool(row["track_force_y [N]"]), bool(row["max_pressure [N/mm^2]"])) for row in rows],
                             [("0", True, True), ("1", False, True)])
            self.assertIn("a row of contact 0 has the numbers of the wheel", " ".join(call("export", "--help").stdout.split()))
            self.refused("out.h5", "--contact", "0", says='--contact: "0" is not a contact; accepted: 1 or more')
            self.refused("out.h5", "--contact", "1", "--quantities", both,
                         says="track_force_y belongs to the wheel, and the rows of --contact to a contact; accepted: without --contact")
            self.refused("out.h5", "--format", "latex", "--quantities", "contact_track_force_y",
                         says="no step of it has a contact_track_force_y; it belongs to a contact, and the rows to the wheel; "
                              "accepted: --contact N")
            self.refused("out.h5", "--quantities", "worn_area", says="no step of it has a worn_area; its case needs 'wear'")

    @machine.needs("pyarrow")
    def test_parquet_has_the_rows_columns_and_units_of_csv(self):
        from pyarrow import parquet
        with case_folder(SWEEP):
            self.assertEqual(call("run", "case.yaml", "-o", "out.h5").returncode, 0)
            rows = rows_of(self.export("out.h5"))
            for _ in range(2):  # the second one replaces the first
                done = call("export", "out.h5", "-o", "t.parquet", "--overwrite", env=dict(os.environ, SLIPFIELD_PYTHON=sys.executable))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
            table = parquet.read_table("t.parquet")
            self.assertEqual([name.split(" [")[0] for name in rows[0]], table.column_names)
            for name, field in zip(rows[0], table.schema):
                self.assertEqual(field.metadata[b"units"].decode(), name.partition(" [")[2].rstrip("]") or "-")
                values = table.column(field.name).to_pylist()
                self.assertEqual([row[name] if isinstance(value, str) else float(row[name]) for row, value in zip(rows, values)], values)
            self.assertEqual(str(table.schema.field("point").type), "int64")
            self.assertEqual(str(table.schema.field("max_pressure").type), "double")

    def test_parquet_without_pyarrow_is_a_sentence(self):
        with case_folder():
            run_case("-o", "out.h5")
            machine.write_program("python", "exit 69")
            done = call("export", "out.h5", "-o", "t.parquet", env=dict(os.environ, SLIPFIELD_PYTHON="./python"))
            self.assertEqual(done.returncode, 3)
            self.assertIn("Parquet is written by Python with pyarrow, and no python3 here has what it takes; accepted: pip install pyarrow ",
                          done.stderr)
            self.assertFalse(os.path.exists("t.parquet"))
            self.refused("out.h5", "--format", "parquet", says="it is not text; accepted: with -o TABLE.parquet")

    def test_mistakes_are_sentences(self):
        with case_folder():
            run_case("-o", "out.h5")
            self.refused("out.h5", "--fields", "presure", says="did you mean 'pressure'?")
            self.refused("out.h5", "--quantities", "forse_x", says="did you mean 'force_x' or 'force_y'? `slipfield info --fields` lists all")
            self.refused("out.h5", "--along", "x", says="--fields")
            self.refused("out.h5", "--fields", "gap", "--at", "0,0", says="--along")
            self.refused("out.h5", "-o", "table.xls", says="accepted: .csv, .tex")
            self.refused("out.h5", "--fields", "gap", "--step", "4", says="no step 4")
            self.refused("missing.h5", says="no such file")
            self.export("out.h5", "-o", "table.csv")
            self.refused("out.h5", "-o", "table.csv", says="--overwrite")
            self.export("out.h5", "-o", "table.csv", "--overwrite")
            with open("mine.csv", "w", encoding="utf-8") as file:
                file.write("precious\n")
            self.refused("out.h5", "-o", "mine.csv", "--overwrite", says="not a table exported")


@machine.needs("figures")
class Report(unittest.TestCase):
    refused = Export.refused

    def page(self, *arguments):
        done = call("report", "out.h5", "-o", "report.html", *arguments, env=warm_python.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        with open("report.html", encoding="utf-8") as file:
            return Page(file.read())

    def test_a_report_holds_everything_and_fetches_nothing(self):
        with case_folder():
            run_case("-o", "out.h5")
            page = self.page()
            self.assertEqual(page.fetched, [])
            self.assertNotIn("script", page.tags)
            self.assertEqual(page.tags.count("img"), 7)  # the overview, over the steps, convergence
            self.assertEqual(page.texts["h1"], "sphere on a plane, µ = 0.4")
            self.assertIn("problem: shift", page.texts["pre"])
            for heading in ("Figures", "Steps", "Totals of step 3", "Provenance", "Case"):
                self.assertIn(heading, page.texts["h2"])
            self.assertIn("9.1954", page.texts["td"])
            self.assertIn("max", page.texts["sub"])  # of p_max, as a whole
            self.assertIn("N", page.texts["td"])
            self.refused("out.h5", "-o", "report.html", says="--overwrite", command="report")
            self.page("--overwrite")
            self.refused("out.h5", "-o", "report.pdf", says=".html", command="report")
            self.refused("case.yaml", "-o", "a.html", says="not an HDF5 file", command="report")

    def test_a_hostile_title_stays_text(self):
        with case_folder(CASE.replace("sphere on a plane, µ = 0.4", f'"{HOSTILE}"')):
            run_case("-o", "out.h5", "--set", "output.fields=none")
            page = self.page()
            plain = HOSTILE.replace("\\", "")
            self.assertEqual(page.texts["h1"], plain)
            self.assertTrue(page.texts["title"].startswith(plain))
            self.assertNotIn("script", page.tags)
            self.assertEqual(page.fetched, [])

    def test_warnings_are_at_the_top(self):
        case = CASE.split("tangential:")[0].replace("force: 9.1954", "force: 60.0")
        with case_folder(case):
            run_case("-o", "out.h5", "--set", "output.fields=none")
            self.assertIn("contact reaches the edge", self.page().texts["p"])

    def test_a_sweep(self):
        with case_folder(SWEEP):
            self.assertEqual(call("run", "case.yaml", "-o", "out.h5").returncode, 0)
            page = self.page()
            self.assertIn("Sweep of 2 points over normal.force: 2 converged.", page.texts["p"])
            for heading in ("Keys", "Figures", "Extremes", "Points", "Provenance", "Case"):
                self.assertIn(heading, page.texts["h2"])
            self.assertNotIn("Points that did not converge", page.texts["h2"])
            self.assertNotIn("details", page.tags)
            table = json.loads(call("inspect", "out.h5", "--json").stdout)
            self.assertEqual(table["outcomes"], {"converged": 2, "not_converged": 0, "failed": 0,
                                                 "not_run": 0})
            self.assertEqual(table["quantity_units"]["force_x"], "N")
            forces = [point["force_x"] for point in table["points"]]
            for force in (min(forces), max(forces)):  # as Extremes and the table of points have them
                self.assertGreaterEqual(page.texts["td"].count(f"{force:.6g}".replace("-", "−")), 2)

    def test_points_of_a_sweep_that_did_not_converge_are_listed_with_the_reason(self):
        # mu F_n reaches the second force only, and not in a way that the reader could know.
        case = SWEEP.replace("normal: {force: 9.1954}", "normal: {approach: 0.02}").replace(
            "{force_ratio: -0.5}", "{force: -0.5}").replace(
            "normal.force, values: [5.0, 9.0]", "tangential.x.force, values: [-0.5, -50.0]")
        with case_folder(case):
            self.assertEqual(call("run", "case.yaml", "-o", "out.h5").returncode, 1)
            page = self.page()
            self.assertIn("Points that did not converge", page.texts["h2"])
            self.assertIn("1 of 2 points did not converge.", page.texts["p"])
            self.assertIn("not below mu F_n", page.texts["td"])
            self.assertEqual(json.loads(call("inspect", "out.h5", "--json").stdout)["outcomes"]
                             ["not_converged"], 1)

    def test_a_long_sweep_folds_its_points_and_says_which_are_left_out(self):
        case = SWEEP[:SWEEP.index("sweep:")] + ("sweep:\n  - {key: normal.force, from: 1.0, to: 9.0, "
                                                "points: 210}\n")
        with case_folder(case):
            self.assertEqual(call("run", "case.yaml", "-o", "out.h5", "-q").returncode, 0)
            page = self.page()
            self.assertEqual(page.tags.count("details"), 1)
            self.assertIn("Rows 41 to 200", page.texts["summary"])
            self.assertIn("The first 200 of 210 rows", page.texts["p"])

    def test_a_format_other_than_the_ending_is_refused(self):
        with case_folder(SWEEP):
            run_case("-o", "out.h5")
            done = call("export", "out.h5", "--format", "latex", "-o", "x.csv")
            self.assertEqual(done.returncode, 2)
            self.assertIn("x.csv: the ending says csv, and --format latex; accepted: one of them", done.stderr)
            self.assertEqual(call("export", "out.h5", "--format", "latex", "-o", "x.txt").returncode, 0)


if __name__ == "__main__":
    machine.run_tests()
