# SPDX-License-Identifier: Apache-2.0
"""slipfield convert: input files of CONTACT's wheel-rail module become cases that give CONTACT's published numbers."""
import json
import os
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "program"))
import machine  # noqa: E402
from program import DATA, call, case_folder  # noqa: E402


class ConvertWheel(unittest.TestCase):
    """Manchester contact benchmark A-2.2, cases 1 and 5, as CONTACT 2025 prints them."""
    NUMBERS = {"axle_z": (0.1981, 0.1530, 0.1530), "track_force_y": (-36.24, -3096, 3096),
               "contact_angle": (0.0290, 0.0134, -0.0134), "normal_force": (9997, 10040, 10040),
               "moment_z": (4605, 143.4, -143.4), "max_pressure": (338.3, 465.9, 465.9),
               "elements_contact": (1291, 830, 830)}
    TOLERANCE = {"axle_z": 6e-5, "track_force_y": 0.6, "contact_angle": 6e-5, "normal_force": 6,
                 "moment_z": 0.6, "max_pressure": 0.06, "elements_contact": 0}

    def test_a_wheelset_gives_the_published_numbers_left_and_right(self):
        profiles = os.path.join(os.path.dirname(DATA), "..", "cases", "profiles")
        with case_folder():
            os.mkdir("input")
            for name in ("MBench_UIC60_v3.prr", "MBench_S1002_v3.prw"):
                shutil.copy(os.path.join(profiles, name), "input")
            shutil.copy(os.path.join(DATA, "contact_wheel", "wheelset.inp"), "input")
            done = call("convert", os.path.join("input", "wheelset.inp"), "-o", "wheel.yaml")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, "cases 1 to 3 written to wheel.yaml\n")
            with open("wheel.yaml", encoding="utf-8") as file:
                self.assertIn('profile: "input/MBench_UIC60_v3.prr"', file.read())
            done = call("run", "wheel.yaml", "--backend", "cpu", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            steps = json.loads(done.stdout)["steps"]
            for quantity, values in self.NUMBERS.items():
                for step, value in zip(steps, values):
                    found = step.get(quantity, step["contacts"][0].get(quantity))
                    self.assertLessEqual(abs(found - value), self.TOLERANCE[quantity], quantity)

    def test_rollers_and_friction_along_the_track_are_taken_over(self):
        with open(os.path.join(DATA, "contact_wheel", "wheelset.inp"), encoding="utf-8") as file:
            text = file.read()
        profiles = os.path.join(os.path.dirname(DATA), "..", "cases", "profiles")
        text = text[:text.index("  1 MODULE  1\n 0203100\n")] + "  0 MODULE\n"
        rows = "  2 NVF\n  -100. 0.2 0.2\n  300. 0.4 0.4 "
        for changes, says in (
                ({"0203100    C-P": "4203100    C-P", "1435.0 0.0": "1435.0 500.",
                  "  2000. 0.0": "  4.0 0.0"},
                 "roller: {radius: 500, pitch: 4}"),
                ({"0022033": "2022033", "  0.3 0.3 ": rows}, "{coefficient: 0.25}"),
                ({"0022033": "1022033", "  0.3 0.3 ": rows.replace("-100.", "-2d").replace("300.", "0d")},
                 "{coefficient: {inclination: [-0.0349065850398"),
                ({"0022033": "0022333", "0.28 0.28 82000. 82000.  ":
                  "0.28 0.28 82000. 82000.\n  0.6 0.2 1.5  "},
                 "solver: {tangential: fastsim, normal: bound_cg, "
                 "slope: {initial: 0.6, rest: 0.2, decay: 1.5}}"),
                ({"0022033": "0022533", "0.28 0.28 82000. 82000.  ":
                  "0.28 0.28 82000. 82000.\n  1.0 1.0 1.0  "},
                 "solver: {tangential: fastrip, normal: bound_cg"),
                ({"0203100": "0201100", "  2000. 0.0 0.0 0.0 0.0 -4.34811810 ": "  1e-3 2e-3 0. 0. 0. 0. "},
                 "  problem: shift\n"),
                ({"0022033": "0622033", "0000321    H": "3000321    H",
                  "  0.3 0.3 ": "  0.4 20. -0.1 300.\n  0. 1. ",
                  "  0.2 0.2 1.0 90d":
                  "  20. 450. .05 7.85e-6\n  20. 450. .05 7.85e-6\n  0.2 0.2 1.0 90d"},
                 # 0.4 - 0.1 is 0.30000000000000004 in doubles.
                 "{coefficient: {temperature: [20, 320], value: [0.4, 0.3]}}"),
                ({"14.0 0 1435.0": "-1.0 -70.0 0.2", "  1360.0 -70.0": "  0.0 -70.0"}, "flange_back_distance: 0,"),
                ({"14.0 0 1435.0": "-1.0 -760.5 0.2"}, "track: {rail_origin: [-760.5, 0.2]}"),
                # z of the wheel's profile at y = 20; 460 mm is the radius there.
                ({"-70.0 460.0   ": "-70.0 460.0 20."}, "mirror_y: false, shift: [0, 0.31176"),
                ({"-70.0 460.0   ": "-70.0 460.0 999."}, "v3.prw\", mirror_y: false}\n"),
                ({"0000321    H": "3000321    H", "  0.2 0.2 1.0 90d":
                  "  20. 450. .05 7.85e-6\n  30. 450. .05 7.85e-6\n  0.2 0.2 1.0 90d"},
                 "  rail: {conductivity: 0.05, capacity: 450, density: 7.85e-06, temperature: 20}\n"
                 "  wheel: {conductivity: 0.05, capacity: 450, density: 7.85e-06, temperature: 30}\n"),
                ({"0203100": "0203130", "  1360.0 -70.0 460.0 ": "  1e4 0. 1e4 0.\n  1360.0 -70.0 460.0 "},
                 ":3:7: F = 3: a rail on springs (KYRAIL"),
                ({"0022033": "1022033", "  0.3 0.3 ": rows.replace("0.4", "0.2")},
                 "{coefficient: 0.2}"),
                ({"0203100    C-P": "0203110    C-P", "0.0 0.0 0.0 0.0 -4.34811810": "0.0 0.0 0.0 0.0 -800."},
                 "velocity: {x: 2000}}\n  longitudinal_force: -800\n"),
                ({"0203100    C-P": "0203113    C-P", "-4.34811810 ": "0.\n 0 2\n 2\n 1 1 9\n 1 1 9\n 2 .5 .5\n"
                  " 6\n 1 1 9\n 1 1 9\n 1\n -2.\n 9\n 2 1 1\n 0. .2\n .4\n 3.\n 9\n 1 1 1\n .1\n 0.\n 4.\n 0 "},
                 "interior:\n  body: both\n  depths: [0.5, 1, 2, 3]\n  region: grid\n"),
                ({"0022033": "2022033", "  0.3 0.3 ": rows.replace("300.", "-200.")},
                 ":9:3: SVF: the control points do not increase")):
            with case_folder():
                for name in ("MBench_UIC60_v3.prr", "MBench_S1002_v3.prw"):
                    shutil.copy(os.path.join(profiles, name), ".")
                changed = text
                for old, new in changes.items():
                    self.assertIn(old, changed)
                    changed = changed.replace(old, new, 1)
                with open("wheel.inp", "w", encoding="utf-8") as file:
                    file.write(changed)
                done = call("convert", "wheel.inp", "-o", "wheel.yaml")
                found = done.stderr
                if os.path.exists("wheel.yaml"):
                    with open("wheel.yaml", encoding="utf-8") as file:
                        found = file.read()
                self.assertIn(says, found)

    def converted(self, changes):
        """What `convert` says and writes of the first case with these changes."""
        with open(os.path.join(DATA, "contact_wheel", "wheelset.inp"), encoding="utf-8") as file:
            text = file.read()
        text = text[:text.index("  1 MODULE  1\n 0203100\n")] + "  0 MODULE\n"
        for old, new in changes.items():
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        profiles = os.path.join(os.path.dirname(DATA), "..", "cases", "profiles")
        for name in ("MBench_UIC60_v3.prr", "MBench_S1002_v3.prw"):
            shutil.copy(os.path.join(profiles, name), ".")
        with open("wheel.inp", "w", encoding="utf-8") as file:
            file.write(text)
        done = call("convert", "wheel.inp", "-o", "wheel.yaml")
        written = ""
        if os.path.exists("wheel.yaml"):
            with open("wheel.yaml", encoding="utf-8") as file:
                written = file.read()
        return done, written

    CONFORMAL = {"0022033": "0044033", "  0.28 0.28": "  1 4                  IF_METH, VARIANT\n  0.28 0.28"}

    def test_conformal_contacts_become_conformal_contacts(self):
        with case_folder():
            done, written = self.converted({**self.CONFORMAL, "0.2 0.2 1.0 90d": "0.4 0.4 1.0 90d"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("  contact_surface: conformal\n", written)
            self.assertIn("On the flange CONTACT's gap is shifted", done.stderr)
            self.assertNotIn("IF_METH, VARIANT: ", done.stderr)
            run = call("run", "wheel.yaml", "--backend", "cpu", "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            contact = json.loads(run.stdout)["steps"][0]["contacts"][0]
            # On the tread the contact is flat: planar coefficients give 338.3 N/mm2 on a grid twice as fine.
            self.assertAlmostEqual(contact["max_pressure"], 338.3, delta=7.0)

    def test_what_conformal_contacts_lack_is_refused_or_said(self):
        for changes, says in (
                ({"  1 4   ": "  0 2   "}, "IF_METH, VARIANT: 0 2 becomes 1 4"),
                ({"0044033": "0042033", "  1 4                  IF_METH, VARIANT\n": ""}, "D = 4: the coefficients of conformal"),
                ({"0044033": "0024033"}, "C = 4: coefficients that are turned with the surface belong to"),
                ({"0203100    C-P": "0203103    C-P", "-4.34811810 ": "-4.34811810\n 0 2\n 2\n 1 1 9\n 1 1 9\n 2 .5 .5\n 0 "},
                 "S = 3: conformal contacts"),
                ({"0044033": "0034033"}, "D = 3: ")):
            with self.subTest(says=says), case_folder():
                base = dict(self.CONFORMAL)
                merged = {}
                for old, new in base.items():
                    for before, after in changes.items():
                        new = new.replace(before, after)
                    merged[old] = new
                for before, after in changes.items():
                    if not any(before in new for new in base.values()):
                        merged[before] = after
                done, _ = self.converted(merged)
                self.assertIn(says, done.stderr)

    def test_a_flexible_wheelset_is_refused_by_its_name(self):
        """Its two lines have remarks behind the numbers, as every line of CONTACT may."""
        flexible = "-4.34811810                VS\n  {}  DXWHL, DYWHL, DZWHL, DROLL, DYAW, DPITCH\n" \
                   "  0. 0. 0. 0. 0. {}  VXWHL, VYWHL, VZWHL, VROLL, VYAW, VPITCH\n%"
        for position, velocity, says in (("0. 0.1 0. 0. 0. 0.", "0.", "DYWHL: a flexible wheelset is not supported"),
                                         ("0. 0. 0. 1d 0. 0.", "0.", "DROLLW: a flexible wheelset is not supported"),
                                         ("0. 0. 0. 0. 0. 0.", "2d", "VPITCHW: a flexible wheelset is not supported"),
                                         ("0. 0. 0. 0. 0. 0.", "0.", "")):
            with self.subTest(says=says), case_folder():
                done, written = self.converted({"0022033": "0022035", "-4.34811810 ": flexible.format(position, velocity)})
                self.assertNotIn("is not an angle", done.stderr)
                self.assertIn(says, done.stderr)
                self.assertEqual(bool(written), not says, done.stderr)

    def test_shifts_gauge_and_origin_follow_one_another(self):
        """Full sliding has mu F_n against the shift; a rail at its gauge's place gives the same numbers again."""
        with open(os.path.join(DATA, "contact_wheel", "wheelset.inp"), encoding="utf-8") as file:
            text = file.read()
        profiles = os.path.join(os.path.dirname(DATA), "..", "cases", "profiles")
        first = text[:text.index("  1 MODULE  1\n 0203100\n")].replace("0203100    C-P", "0201100    C-P")
        first = first.replace("0.2 0.2 1.0 90d", "0.4 0.4 1.0 90d")
        first = first.replace("2000. 0.0 0.0 0.0 0.0 -4.34811810", "0.0 0.5 0.0 0.0 0.0 0.0")
        again = "  1 MODULE  1\n 0201100\n 0111010\n 0100321\n  {}\n"
        gauge = "14.0 0 1435.0 0.0"
        # The gauge point of this rail is at y = 43.032558 of its profile; its top is at z = 0.
        with case_folder():
            for name in ("MBench_UIC60_v3.prr", "MBench_S1002_v3.prw"):
                shutil.copy(os.path.join(profiles, name), ".")
            with open("wheel.inp", "w", encoding="utf-8") as file:
                file.write(first + again.format("-1.0 -760.532558 0.0 0.0") + again.format(gauge) +
                           "  0 MODULE\n")
            done = call("convert", "wheel.inp", "-o", "wheel.yaml")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open("wheel.yaml", encoding="utf-8") as file:
                found = file.read()
            self.assertIn("rail_origin: [-760.532558, 0]", found)
            self.assertIn("gauge: 1435", found.split("rail_origin")[1])
            done = call("run", "wheel.yaml", "--backend", "cpu", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            steps = json.loads(done.stdout)["steps"]
            for step in steps:
                contact = step["contacts"][0]
                self.assertEqual(contact["elements_adhesion"], 0)
                # The rail less the wheel is -.5 mm along y: the force on the rail is towards +y.
                self.assertAlmostEqual(contact["force_y"], 0.3 * contact["normal_force"],
                                       delta=1e-4 * contact["normal_force"])
                self.assertAlmostEqual(step["axle_z"], steps[0]["axle_z"], delta=2e-5)
            self.assertEqual(steps[2]["axle_z"], steps[0]["axle_z"])

    def test_what_a_wheel_cannot_state_is_refused_with_its_line(self):
        with open(os.path.join(DATA, "contact_wheel", "wheelset.inp"), encoding="utf-8") as file:
            text = file.read()
        with case_folder():
            for old, new, says in (
                    ("0203100    C-P", "4203100    C-P", "wheel.inp:10:17: NOMRADR: is too small"),
                    ("0022033", "0042033", "wheel.inp:4:4: D = 4: the coefficients of conformal contacts"),
                    ("0203100", "0202100", "wheel.inp:3:5: T = 2: transient rolling takes"),
                    ("0203100    C-P", "0203110    C-P", "wheel.inp:18:7: F = 0: there is an FX from the case"),
                    ("v3.prr' 0 1.0 0.0", "v3.prr' 0 1.0 2.0", "wheel.inp:11:31: SMOOTH: of the"),
                    ("'MBench_S1002_v3.prw'", "'flat.slcw'", "wheel.inp:14:3: WFNAME: profiles that"),
                    ("-70.0 460.0   ", "-70.0 460.0 0.", "wheel.inp:13:22: YTAPE: "),
                    ("0.3 0.3 ", "0.3 x.3 ", "wheel.inp:7:7: FKIN: 'x.3' is not a number")):
                self.assertIn(old, text)
                changed = text.replace(old, new, 1)
                if says.startswith("wheel.inp:18:7: F"):  # velocities that stay
                    changed = changed.replace("0111002", "0111001").replace("  2000. 0.0 0.0 0.0 0.0 -4.34591970\n", "")
                with open("wheel.inp", "w", encoding="utf-8") as file:
                    file.write(changed)
                done = call("convert", "wheel.inp")
                self.assertEqual(done.returncode, 2, says)
                self.assertIn(says, done.stderr)
                self.assertFalse(os.path.exists("wheel.yaml"))


if __name__ == "__main__":
    machine.run_tests()
