# SPDX-License-Identifier: Apache-2.0
"""slipfield geometry: a table of a wheelset across its track, as text, CSV, JSON and a figure."""
import csv
import json
import os
import resource
import sys
import unittest

import machine
import warm_python
from program import call, case_folder

CASE = os.path.join(os.path.abspath(sys.argv[2]), "wheelset.yaml")


class Geometry(unittest.TestCase):
    def test_its_numbers_are_those_of_geometry_only(self):
        with case_folder():
            done = call("geometry", CASE, "--shift=-6,6,3", "--json", "-o", "across.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = json.loads(done.stdout)["rows"]
            self.assertEqual([row["wheelset_y"] for row in rows], [-6, -3, 0, 3, 6])
            ran = call("run", CASE, "--set", "wheel_rail.geometry_only=true", "--set", "wheel_rail.wheelset.y=3", "--backend", "cpu",
                       "--json", "-o", "one.h5")
            self.assertIn(ran.returncode, (0, 1), ran.stderr)
            step = json.loads(ran.stdout)["steps"][0]
            for name, within in (("axle_z", 1e-4), ("axle_roll", 1e-6), ("rolling_radius_difference", 1e-4),
                                 ("left_nearest_rail_y", 5e-3), ("right_nearest_angle", 1e-4)):  # of spacings of .2 and .02 mm
                self.assertAlmostEqual(rows[3][name], step[name], delta=within, msg=name)
            for name in ("rolling_radius_difference", "level_radius_difference"):  # mirrored wheels
                self.assertAlmostEqual(rows[1][name], -rows[3][name], delta=1e-3)
            self.assertIsNone(rows[0]["equivalent_conicity"])
            self.assertGreater(rows[4]["rolled_conicity"], rows[4]["equivalent_conicity"])
            with open("across.csv", encoding="utf-8", newline="") as file:
                table = list(csv.reader(file))
            self.assertEqual(len(table), 6)
            names = [head.split(" [")[0] for head in table[0]]
            self.assertEqual(names, list(rows[0]))
            self.assertEqual([float(cell) for cell in table[4]], list(rows[3].values()))  # every digit
            self.assertEqual(table[1][names.index("equivalent_conicity")], "")

    def test_one_wheel_has_the_other_ones_mirror_image(self):
        with case_folder():
            both = call("geometry", CASE, "--shift=2")
            one = call("geometry", CASE, "--shift=2", "--set", "wheel_rail.side=left")
            self.assertEqual(both.returncode, 0, both.stderr)
            self.assertEqual(one.stdout, both.stdout)

    def test_it_warns_of_shapes_and_not_of_what_it_leaves_out(self):
        off = ("--set", "friction.coefficient=30", "--set", "wheel_rail.wheelset.y=30", "--set", "bodies.wheel.shear_modulus=82")
        with case_folder():
            self.assertIn("Is it in percent?", call("check", CASE, *off).stderr)
            self.assertEqual(call("geometry", CASE, "--shift=-3,3,3", *off).stderr, "")
            leans = ("--set", "wheel_rail.track.cant=0.025", "--shift=-3,3,3")
            self.assertIn("warning: track.cant is 0.025 rad, and the middle of the rail's head is inclined by some",
                          call("geometry", CASE, *leans).stderr)

    def test_it_warns_of_lengths_and_of_ends_of_profiles_that_its_numbers_follow_from(self):
        with case_folder():
            self.assertEqual(call("geometry", CASE, "--shift=-3,3,3").stderr, "")
            for change, says in (("track.gauge=1600", "track.gauge is 1600 mm and wheelset.flange_back_distance 1360 mm, 240 mm less"),
                                 ("wheelset.flange_back_distance=1500", "the flanges do not fit between the rails"),
                                 ("wheelset.nominal_radius=46", "wheelset.nominal_radius is 46 mm, where 50 to 5000 mm are usual")):
                done = call("geometry", CASE, "--shift=-3,3,3", "--set", f"wheel_rail.{change}")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.count(says), 1, done.stderr)
                ends = "warning: at 3 lateral positions, first at y = -3 mm, the contact is at the end of a wheel's profile"
                self.assertEqual(ends in done.stderr, change == "track.gauge=1600", done.stderr)
            off = call("geometry", CASE, "--shift=200,220,20", "--set", "wheel_rail.track.gauge=1600")
            self.assertEqual(off.returncode, 2)
            self.assertIn("warning: wheel_rail: track.gauge is 1600 mm", off.stderr)  # also where no wheel touches

    def test_what_is_refused(self):
        with case_folder():
            other = os.path.join(os.path.dirname(CASE), "hertz_sphere.yaml")
            for arguments, expected in (
                    ((other,), "hertz_sphere.yaml: the case has no wheel_rail, and so no profiles; accepted: a case of a "
                               "wheel on a rail"),
                    ((CASE, "--shift=3,1"), "--shift: no range of lateral positions; accepted: TO, FROM,TO or FROM,TO,STEP in mm "
                                            "with FROM < TO, from -1000 to 1000, at most 10001 positions"),
                    ((CASE, "-o", "a.parquet"), "a.parquet: the table is written as CSV; accepted: a name that ends with .csv or .txt"),
                    ((CASE, "--shift=200,220,20", "--json", "--plot", "none.png"),
                     "--shift: the wheels touch their rails at none of the lateral positions from 200 to 220 mm; accepted: "
                     "lateral positions at which both wheels are on their rails"),
                    ((CASE, "--shift=1", "--set", "wheel_rail.side=right", "--set", "wheel_rail.vertical_force=10000", "--set",
                      "wheel_rail.wheelset={y: 680, flange_back_distance: 0, velocity: {x: 2000}}"),
                     "accepted: the wheelset.flange_back_distance of a wheelset, whose y counts from its middle; of one wheel, with 0, "
                     "a sweep over wheel_rail.wheelset.y with wheel_rail.geometry_only"),
                    ((CASE, "--plot", "a.gif"), "a.gif: the figure's name ends with .png, .svg or .pdf")):
                done = call("geometry", *arguments)
                self.assertEqual(done.returncode, 2)
                self.assertTrue(done.stderr.strip().endswith(expected), done.stderr)
            self.assertEqual(call("geometry", CASE, "--shift=1", "-o", "a.csv").returncode, 0)
            self.assertIn("a.csv: the file exists already", call("geometry", CASE, "--shift=1", "-o", "a.csv").stderr)
            self.assertEqual(call("geometry", CASE, "--shift=1", "-o", "a.csv", "--overwrite").returncode, 0)

    def test_positions_have_the_decimals_that_tell_them_apart(self):
        for shift, first in (("-1,1,0.5", "-1.00"), ("0.001,0.004,0.001", "0.001"), ("-0.0125,0.01,0.0025", "-0.0125")):
            done = call("geometry", CASE, f"--shift={shift}")
            shown = [line.split()[0] for line in done.stdout.splitlines()[2:]]
            self.assertEqual(shown[0], first)
            self.assertEqual(len(set(shown)), len(shown))

    def test_positions_off_the_rails_are_refused_before_the_conicity_is_formed(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.assertEqual(call("geometry", CASE, "--shift=900,920,20").returncode, 2)
        # .05 s of the processor; the conicity's 37000 positions took 12 s.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 3.0)

    @machine.needs("figures")
    def test_the_figure_is_drawn(self):
        with case_folder():
            done = call("geometry", CASE, "--shift=7", "--plot", "a.png", env=warm_python.environment())
            self.assertEqual(done.returncode, 0, done.stderr)
            with open("a.png", "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
            self.assertIn("figure written to a.png", done.stdout)
            document = call("geometry", CASE, "--shift=7", "--json", "--plot", "b.png", env=warm_python.environment())
            self.assertEqual(len(json.loads(document.stdout)["rows"]), 29)  # and no line behind it


if __name__ == "__main__":
    machine.run_tests()
