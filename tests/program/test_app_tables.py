# SPDX-License-Identifier: Apache-2.0
"""Tables and maps of characters: their legend, tables of places alone, long tables in blocks."""
import os
import unittest

import machine
from program import CASE, ROLLS, call, case_folder, run_case, wheel_case

h5py = machine.module("h5py")

SWEEP = CASE.split("steps:")[0] + """sweep:
  - {key: normal.force, from: 4.0, to: 9.0, points: 3}
  - {key: tangential.x.force_ratio, values: [-0.5, -0.25]}
"""
PLACES = wheel_case(keys=ROLLS + ", geometry_only: true") + "sweep: [{key: wheel_rail.wheelset.y, from: -1, to: 1, points: 3}]\n"



class Tables(unittest.TestCase):
    def test_maps_of_characters_have_a_legend(self):
        with case_folder():
            run_case("-o", "out.h5")
            shown = call("inspect", "out.h5").stdout
            self.assertIn("element_division: x from -1.2 to 1.4, y upwards from -1.4 to 1.35 mm", shown)
            counts = [sum(line.count(mark) for line in shown.splitlines()
                          if line and set(line) <= set(".*S")) for mark in ".*S"]
            self.assertIn(f". exterior {counts[0]}, * adhesion {counts[1]}, S slip {counts[2]} elements",
                          shown)
            self.assertEqual(sum(counts), 13 * 11)
            self.assertIn(" N/mm^2", call("inspect", "out.h5", "--map", "pressure").stdout.split("9 =")[1])

    def test_a_wheel_and_what_its_numbers_mean_fit_the_width_too(self):
        places = PLACES.split("sweep:")[0]
        with case_folder(places):
            done = call("run", "case.yaml", "-o", "out.h5", "--backend", "cpu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"not solved: left, least gap [-.\de]+ mm at y = -7\d\d\.")
            self.assertIn(" COLUMNS=140 slipfield ... shows them, `slipfield export` has all totals)", done.stdout)
            for columns in (100, 120):
                text = call("inspect", "out.h5", env={**os.environ, "COLUMNS": str(columns)}).stdout
                self.assertLessEqual(max(map(len, text.splitlines())), max(columns, 110), text)
            self.assertNotIn("creepage_x", text)  # a column of contacts, and nothing touches
            checked = call("check", "case.yaml").stderr
            self.assertIn("case.yaml: the case is valid; 1 position\n", checked)
        with case_folder():
            run_case("-o", "out.h5")
            text = call("inspect", "out.h5").stdout
            self.assertLessEqual(max(map(len, text.splitlines())), 100, text)
            self.assertNotIn("first_order_rows", text)

    def test_places_alone_have_no_columns_of_dashes(self):
        with case_folder(PLACES):
            done = call("run", "case.yaml", "-o", "out.h5", "--backend", "cpu")
            self.assertEqual(done.returncode, 0, done.stderr)
            for shown in (done.stdout, call("inspect", "out.h5").stdout):
                self.assertIn("rolling_radius_difference", shown)
                rows = [line.split() for line in shown.splitlines() if line.endswith(" converged")
                        and line.split()[0].isdigit() and "points" not in line]
                self.assertEqual([row[1] for row in rows], ["-1", "0", "1"])
                for row in rows:
                    self.assertNotIn("-", row)

    def test_a_sweep_of_a_wheelset_shows_both_wheels(self):
        """The wheels are mirror images, and so are the forces across the track on them at y and -y."""
        with case_folder(wheel_case() + "sweep: [{key: wheel_rail.wheelset.y, from: -1, to: 1, points: 3}]\n"):
            done = call("run", "case.yaml", "-o", "out.h5", "--backend", "cpu")
            self.assertEqual(done.returncode, 0, done.stderr)
            for shown in (done.stdout, call("inspect", "out.h5").stdout):
                lines = [line for line in shown.splitlines() if not line.startswith("warning")]
                self.assertLessEqual(max(map(len, lines)), 100, shown)
                head = next(line for line in lines if "left F_y" in line)
                self.assertRegex(head, r"left F_y +right F_y")
                self.assertNotRegex(head, r"left F_x(?! +right F_x)")
                rows = [line.split() for line in lines if line.endswith("  converged") and line.startswith("  ")]
                self.assertEqual([row[1] for row in rows], ["-1", "0", "1"])
                at = head.split("  outcome")[0].replace("left F_", "left_").replace("right F_", "right_").split().index("left_y")
                for row, other in zip(rows, reversed(rows)):
                    self.assertAlmostEqual(float(row[at]), -float(other[at + 1]), delta=1e-3 * abs(float(row[at])))

    @machine.needs("h5py")
    def test_a_long_table_is_read_in_blocks(self):
        """20000 points made of six: what is shown and exported is what is in the file."""
        count = 20000
        with case_folder(SWEEP):
            run_case("-o", "out.h5")
            with h5py.File("out.h5", "r+") as file:
                table = file["table"]
                table.attrs["shape"] = [count // 2, 2]
                for name in list(table):
                    attributes, kind = dict(table[name].attrs), table[name].dtype
                    six = table[name][()]
                    values = [six[i % 6] for i in range(count)]
                    if name in ("row", "point"):
                        values = range(int(six[0]), int(six[0]) + count)
                    del table[name]
                    table.create_dataset(name, data=values, dtype=kind)
                    table[name].attrs.update({key: attributes[key] for key in attributes if key != "DIMENSION_LIST"
                                              and key != "REFERENCE_LIST"})
                table["max_pressure"][count - 1] = 123.0
            done = call("export", "out.h5", "-o", "out.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open("out.csv", encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertEqual(len(lines), count + 1)
            self.assertEqual(lines[1].split(",")[1:], lines[7].split(",")[1:])
            self.assertIn("123", lines[-1].split(","))
            self.assertEqual(call("export", "out.h5").stdout.splitlines(), lines)
            shown = call("inspect", "out.h5", env={**os.environ, "COLUMNS": "200"}).stdout.splitlines()
            self.assertIn("sweep     20000 points: 20000 converged", shown)
            self.assertIn("123", shown[-1].split())


if __name__ == "__main__":
    machine.run_tests()
