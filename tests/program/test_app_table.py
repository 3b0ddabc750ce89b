# SPDX-License-Identifier: Apache-2.0
"""`slipfield table`: made, evaluated, exported and damaged, as a user does it."""
import json
import os
import subprocess
import unittest

import machine
from program import call, case_folder, errors_of

# A single ratio, 672 contacts of 8 x 8 elements.
SMALL = ("--ratios", "1", "--knots", "8,12,8", "--elements", "8", "--checks", "20", "--backend", "cpu")
HEADER = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
                      "solver", "table")
READER = r"""
#include <stdio.h>
#include <stdlib.h>
#include "slipfield_table.h"
int main(int count, char** names) {
  static double bytes[1 << 20];
  FILE* file = fopen(names[1], "rb");
  slipfield_table table;
  double creepage[3] = {-0.4, 0.1, 0.2}, force[3], derivative[9];
  size_t size = fread(bytes, 1, sizeof bytes, file);
  int status = slipfield_table_open(&table, bytes, size);
  (void)count;
  fclose(file);
  if (status != SLIPFIELD_TABLE_OK) return status;
  slipfield_table_force(&table, 1.0, creepage, force, derivative);
  printf("%.12g %.12g %.12g\n", force[0], force[1], force[2]);
  return 0;
}
"""


class Table(unittest.TestCase):
    def made(self, *arguments):
        done = call("table", "make", "-o", "t.h5", *SMALL, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def refused(self, *arguments, says):
        done = call("table", *arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(len(errors_of(done)), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def force(self, *arguments):
        done = call("table", "eval", "t.h5", "--json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        return [document["force_x"], document["force_y"], document["moment_z"]]

    def test_a_table_is_made_evaluated_and_exported(self):
        with case_folder():
            document = json.loads(self.made("--json").stdout)
            self.assertEqual(document["entries"], 768)
            self.assertLess(document["mean_force_error"], 0.02)  # a coarse table
            place = ("--creepages", "-0.4,0.1", "--spin", "0.2")
            pure = self.force(*place)
            self.assertGreater(pure[0], 0.1)
            # G c^2/(mu F_n) = 2, c = 3: the same pure numbers.
            units = self.force("--semi-axes", "3,3", "--shear-modulus", "200", "--friction", "0.5",
                               "--force", "1800", "--creepages", "-0.2,0.05", "--spin",
                               repr(0.2 / 6))
            for one, two, scale in zip(pure, units, (900.0, 900.0, 2700.0)):
                self.assertAlmostEqual(one * scale, two, delta=1e-6 * scale)
            with open("points.txt", "w", encoding="utf-8") as file:
                file.write("1 -0.4 0.1 0.2\n1 0 0 0\n")
            done = call("table", "eval", "t.h5", "--points", "points.txt")
            rows = [list(map(float, line.split())) for line in done.stdout.splitlines()]
            self.assertAlmostEqual(rows[0][0], pure[0], places=7)
            self.assertEqual(rows[1], [0.0, 0.0, 0.0])
            with open("points.txt", "w", encoding="utf-8") as file:
                file.write("ratio spin creepage_x creepage_y\n1 0.2 -0.4 0.1\n1 0 0 0\n")
            self.assertEqual(call("table", "eval", "t.h5", "--points", "points.txt").stdout, done.stdout)
            done = call("table", "export", "t.h5", "-o", "t.bin")
            self.assertEqual(done.returncode, 0, done.stderr)
            machine.require(self, "a C compiler")
            with open("reader.c", "w", encoding="utf-8") as file:
                file.write(READER)
            subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I", HEADER,
                            "reader.c", "-o", "reader", "-lm"], check=True)
            out = subprocess.run(["./reader", "t.bin"], check=True, capture_output=True, text=True)
            for one, two in zip(pure, map(float, out.stdout.split())):
                self.assertAlmostEqual(one, two, places=9)

    def test_what_makes_no_sense_is_refused_in_a_sentence(self):
        with case_folder():
            self.made()
            for arguments, says in (
                    (("make", "-o", "n.h5", "--ratios", "2:1:5"), "ratios a/b from 2 to 1"),
                    (("make", "-o", "n.h5", "--ratios", "1:2"), "FROM:TO:KNOTS"),
                    (("make", "-o", "n.h5", "--ratios", "x"), "FROM:TO:KNOTS"),
                    (("make", "-o", "n.h5", "--ratios", "nan"), "is not a range of ratios"),
                    (("make", "-o", "n.h5", "--knots", "3,8,8"), "3 knots for the radii"),
                    (("make", "-o", "n.h5", "--asymmetry", "0.2"), "an ellipse has no asymmetry"),
                    (("make", "-o", "n.h5", "--ratios", "0.1:10:512", "--knots", "512,512,512"),
                     "accepted: fewer knots"),
                    (("make", "-o", "t.h5"), "exists already"),
                    (("make", "-o", "case.yaml", "--overwrite"), "names that end in .h5"),
                    (("make", "-o", "n.txt"), "names that end in .h5"),
                    (("usetab", "-o", "n.h5"), "not HDF5, and the name says so"),
                    (("export", "t.h5", "-o", "n.h5"), "not HDF5, and the name says so"),
                    (("export", "t.h5", "-o", "case.yaml", "--overwrite"),
                     "not a creep-force table"),
                    (("make", "-o", "no/t.h5"), "there is no folder"),
                    (("make", "-o", "n.h5", "--device", "0", "--backend", "cpu"), "uses none"),
                    (("make", "-o", "n.h5", "--device", "99"), "there is no such GPU"),
                    (("eval", "case.yaml"), "not an HDF5 file"),
                    (("eval", "missing.h5"), "there is no such file"),
                    (("eval", "t.h5", "--ratio", "-1"), "a/b above 0"),
                    (("eval", "t.h5", "--friction", "0.3"), "all of them above 0, or none"),
                    (("export", "t.h5", "-o", "t.h5", "--overwrite"), "the command reads this file")):
                self.refused(*arguments, says=says)
            self.assertEqual(sorted(os.listdir(".")), ["case.yaml", "t.h5"])

    def test_a_ratio_outside_takes_the_nearest_and_warns(self):
        with case_folder():
            self.made()
            done = call("table", "eval", "t.h5", "--ratio", "2", "--creepages", "0.1,0")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("outside the table's 1 to 1", done.stderr)

    def test_a_file_that_is_cut_off_is_refused_in_a_sentence(self):
        with case_folder():
            self.made()
            with open("t.h5", "rb") as file:
                whole = file.read()
            for share in (0.1, 0.5, 0.9, 0.999):
                with open("cut.h5", "wb") as file:
                    file.write(whole[:int(share * len(whole))])
                self.refused("eval", "cut.h5", says="cut.h5")

    def test_the_text_of_usetab_has_its_lines(self):
        with case_folder():
            done = call("table", "usetab", "-o", "tabcon", "--every", "25", "--elements", "6",
                        "--backend", "cpu")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open("tabcon", encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertTrue(lines[0].startswith('! "tabcon"'))
            self.assertEqual(lines[-1], " End of Table")
            titles = [line for line in lines if line.startswith("! aob=")]
            self.assertEqual(len(titles), 16 * 16)
            self.assertEqual(titles[0], "! aob= 0.142857, xi= 0.000000, eta= 0.000000")
            self.assertEqual(titles[16 * 8], "! aob= 0.142857, xi= 700000.0, eta= 0.000000")
            first = lines.index(titles[16 * 8]) + 1
            rows = [list(map(float, line.split())) for line in lines[first:first + 32]]
            self.assertEqual(rows[0], [1.0, 0.0, 0.0])  # full sliding without spin
            # Opposite spins have opposite lateral forces and moments: rows 1 and 17.
            self.assertAlmostEqual(rows[1][1], -rows[17][1], delta=2e-6)
            self.refused("usetab", "-o", "tabcon", says="exists already")
            done = call("table", "usetab", "-o", "tabcon", "--every", "25", "--elements", "6",
                        "--backend", "cpu", "--overwrite")
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    machine.run_tests(verbosity=2)
