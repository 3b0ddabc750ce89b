# SPDX-License-Identifier: Apache-2.0
"""slipfield convert: input files of CONTACT become cases that give CONTACT's published numbers. It takes 4 s: the
published numbers are of those grids."""
import json
import os
import unittest

import machine
from program import DATA, call, case_folder

CONTACT = os.path.join(DATA, "contact")

# File, changes, what the warning says. The second material of the heat has half the conductivity.
HEATED = ("0001341", "3001341"), ("0.28  0.28  82000.  82000.", "0.28 0.28 82000. 82000.\n 20. 450. .05 7.85e-6\n"
                                  " 20. 450. {} 7.85e-6")
ERRORS = (
    ("spin.inp", (HEATED[0], (HEATED[1][0], HEATED[1][1].format(".05"))), "H = 3: CONTACT counts the heat"),
    ("spin.inp", (HEATED[0], (HEATED[1][0], HEATED[1][1].format(".025"))), "H = 3: CONTACT gives each body the other's"),
    ("spin.inp", (("233100\n  122320\n 0100341\n  82000.", "253000\n  122320\n 0100341\n  0.05"),), "B = 5: CONTACT takes the spin"),
    ("modified_fastsim.inp", (), "B = 3: CONTACT stores the parabolic"),
    ("third_body.inp", (("203100    P-B", "202100    P-B"),), "M = 4: in transient rolling CONTACT takes"))

# (file, step, quantity) -> the number that CONTACT prints for the example whose numbers the file
# holds, and half a unit of its last digit.
PUBLISHED = {
    ("cattaneo-1", 1): {"approach": (1.998e-2, 5e-6), "max_pressure": (4.393, 5e-4),
                        "elements_contact": (177, 0)},
    ("cattaneo-2", 1): {"shift_x": (8.155e-3, 5e-7), "elastic_energy": (8.525e-2, 5e-6),
                        "elements_adhesion": (45, 0), "elements_slip": (132, 0)},
    ("carter", 1): {"force_ratio_x": (0.6480, 5e-5), "approach": (6.492e-3, 5e-7),
                    "max_pressure": (113.9, 0.05), "elements_adhesion": (30, 0),
                    "elements_slip": (20, 0)},
    ("bentall", 1): {"creepage_x": (5.260e-4, 5e-8)},
    ("bentall", 2): {"creepage_x": (3.591e-4, 5e-8)},
    ("bentall", 3): {"creepage_x": (4.294e-4, 5e-8)},
    ("bentall", 4): {"creepage_x": (2.108e-4, 5e-8), "elements_adhesion": (36, 0),
                     "elements_slip": (164, 0)},
    ("bentall", 5): {"creepage_x": (5.392e-4, 5e-8), "elements_adhesion": (106, 0),
                     "elements_slip": (95, 0)},
    ("onset_of_rolling", 1): {"shift_x": (1.774e-2, 5e-6), "elements_adhesion": (305, 0),
                              "elements_slip": (316, 0)},
    ("onset_of_rolling", 2): {"creepage_x": (1.824e-3, 5e-7)},
    ("onset_of_rolling", 5): {"creepage_x": (2.050e-3, 5e-7), "elements_contact": (621, 0)},
    ("tractive_curve", 1): {"approach": (7.651e-2, 5e-6), "max_pressure": (640.7, 0.05),
                            "elements_contact": (1384, 0), "force_ratio_x": (-7.015e-3, 5e-7)},
    ("tractive_curve", 2): {"force_ratio_x": (-1.0, 5e-5)},
    ("spin-1", 1): {"force_ratio_y": (-0.6074, 5e-5), "moment_z": (-4.821e4, 5.0),
                    "max_pressure": (1223, 0.5), "elements_adhesion": (356, 0),
                    "elements_slip": (920, 0)},
    ("spin-2", 1): {"force_ratio_y": (-0.6118, 5e-5)},
    ("spin-3", 1): {"force_ratio_y": (-0.6016, 5e-5)},
    ("half_ellipses", 1): {"force_ratio_y": (-0.6016, 5e-5)},
    # Strips end at the ellipse here, at borders of elements there: cases/fastrip.yaml.
    ("spin-4", 1): {"force_ratio_y": (-0.6435, 2.5e-3)},
    ("falling_friction", 1): {"force_ratio_x": (0.5941, 5e-5), "max_pressure": (495.3, 0.05),
                              "elements_adhesion": (45, 0), "elements_slip": (36, 0)},
    ("visc_cylindr-1", 1): {"creepage_x": (1.378e-2, 5e-6), "approach": (2.50845, 5e-6),
                            "max_pressure": (60.32, 5e-3), "elastic_energy": (749.1e3, 50.0),
                            "friction_power": (-1438e3, 500.0), "elements_contact": (80, 0),
                            "elements_adhesion": (51, 0)},
    # CONTACT integrates these coefficients to 1e-3 only: of the long creep time it prints 85.31 next
    # to 85.29 for elastic bodies.
    ("visc_cylindr-2", 1): {"creepage_x": (1.365e-2, 5e-6), "approach": (2.36736, 5e-4),
                            "max_pressure": (78.74, 5e-3), "elastic_energy": (712.9e3, 50.0),
                            "friction_power": (-913.7e3, 50.0), "elements_contact": (62, 0),
                            "elements_adhesion": (37, 0)},
    ("visc_cylindr-3", 1): {"creepage_x": (1.152e-2, 5e-6), "approach": (2.06321, 5e-4),
                            "max_pressure": (84.72, 5e-3), "elastic_energy": (625.0e3, 50.0),
                            "friction_power": (-952.0e3, 100.0), "elements_contact": (57, 0),
                            "elements_adhesion": (36, 0)},
    ("visc_cylindr-4", 1): {"creepage_x": (9.932e-3, 5e-7), "approach": (1.45462, 5e-4),
                            "max_pressure": (85.31, 0.015), "elastic_energy": (437.2e3, 50.0),
                            "friction_power": (-1010e3, 500.0), "elements_contact": (56, 0),
                            "elements_adhesion": (35, 0)},
    # From adhesion; from slip, or from the case before, 34 and 47 agree with each other as well.
    ("stick_slip", 2): {"elements_adhesion": (77, 0), "elements_slip": (4, 0)},
    ("plastic_layer", 1): {"force_x": (200.0, 0.05), "elements_adhesion": (1, 0)},
    ("plastic_layer", 2): {"force_x": (216.0, 0.05), "elements_plastic": (1, 0),
                           "friction_work": (-7.949, 5e-4)},
    ("plastic_layer", 6): {"force_x": (262.4, 0.05), "elements_adhesion": (1, 0)},
    ("plastic_layer", 7): {"force_x": (82.43, 5e-3)},
    ("plastic_layer", 9): {"force_x": (266.4, 0.05), "elements_plastic": (1, 0)},
    ("third_body", 1): {"force_ratio_x": (-0.1825, 5e-5)},
    ("third_body", 2): {"force_ratio_x": (-0.9119, 5e-5), "elements_adhesion": (374, 0),
                        "elements_slip": (1010, 0), "elastic_energy": (3987.0, 0.5)},
    # eps is that of the ellipse here, of elements in contact there: cases/modified_fastsim.yaml.
    ("modified_fastsim", 1): {"force_ratio_x": (-0.6224, 9e-4), "elements_adhesion": (928, 0)},
    ("modified_fastsim", 2): {"force_ratio_x": (-0.6874, 5e-5), "elements_slip": (1314, 0)},
    ("compression", 35): {"approach": (9.874e-2, 5e-6), "max_pressure": (2.392e-2, 5e-6),
                          "elements_contact": (921, 0), "elements_adhesion": (225, 0),
                          "elements_slip": (696, 0)},
}


def compression():
    """A soft sphere pressed onto a rigid plane in 35 cases, with points inside of the bodies."""
    text = """ 3 MODULE
 201103
 022020
 0001340
 200 30 30 10 1e-6
 0.000011 0. 0. 0.
 0.2986 0.2986
 0. 0. 0.5 100000.
 1
 45 45 -4.4999 -4.4999 0.2 0.2
 1 1
 0.004116 0. 0.004116 0. 0. 0.
 1 0              MATFIL, OUTPUT
 2                ISUBS
 1 1 45
 23 1 23
 1 1e-6 1e-6      NZ, ZL, DZ
 0                ISUBS
"""
    for k in range(2, 36):
        text += f" 001101\n 100000\n 01113{40 if k < 35 else 41}\n {(k / 45)**3:.6f} 0. 0. 0.\n"
    return text + " 0 MODULE\n"

# Suspicious, and meant: rollers that cannot slip, and a wheel that slides at 25 %.
DOUBTED = {"bentall": "bentall.yaml:28:29: steps.1.friction.coefficient: 10 is above 1.5",
           "tractive_curve": "tangential.x.creepage: 0.25 is above 0.1"}
# Warnings about the input file: an error of CONTACT's.
WARNED = {"modified_fastsim": "modified_fastsim.inp:3:4: B = 3: CONTACT stores",
          "spin": "spin.inp:15:4: B = 3: CONTACT stores"}


def convert(name, *arguments):
    return call("convert", os.path.join(CONTACT, name + ".inp"), *arguments)


class Convert(unittest.TestCase):
    def test_converted_cases_give_the_published_numbers(self):
        with case_folder():
            names = sorted(name[:-4] for name in os.listdir(CONTACT))
            for name in names:
                done = convert(name)
                self.assertEqual(done.returncode, 0, done.stderr)
                doubted = DOUBTED.get(name, WARNED.get(name, ""))
                self.assertIn(doubted, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1 if doubted else 0, done.stderr)
            with open("compression.inp", "w", encoding="utf-8") as file:
                file.write(compression())
            done = call("convert", "compression.inp")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, "")
            with open("compression.yaml", encoding="utf-8") as file:
                self.assertIn("depths: [1e-06]", file.read())
            os.remove("case.yaml")
            found = {}
            for case in sorted(name[:-5] for name in os.listdir() if name.endswith(".yaml")):
                checked = call("check", case + ".yaml")
                self.assertEqual(checked.returncode, 0, checked.stderr)
                self.assertEqual(checked.stderr.count("warning:"), 1 if case in DOUBTED else 0)
                done = call("run", case + ".yaml", "--backend", "cpu", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                for number, step in enumerate(json.loads(done.stdout)["steps"], 1):
                    found[case, number] = step
            self.assertEqual({case for case, _ in found}, {case for case, _ in PUBLISHED})
            for key, numbers in PUBLISHED.items():
                for quantity, (value, tolerance) in numbers.items():
                    self.assertLessEqual(abs(found[key][quantity] - value), tolerance,
                                         f"{key}: {quantity} is {found[key][quantity]}")

    def test_the_case_names_the_lines_that_it_comes_from(self):
        with case_folder():
            done = convert("cattaneo", "--cases", "2", "-o", "shift.yaml")
            self.assertEqual(done.stdout, "case 2 written to shift.yaml\n")
            with open("shift.yaml", encoding="utf-8") as file:
                text = file.read()
            with open(os.path.join(CONTACT, "cattaneo.inp"), encoding="utf-8") as file:
                lines = file.read().split("\n")
            force = text.split("normal: {force: 9.1954}")[1].split("\n")[0].split()
            self.assertEqual(force[:2], ["#", "line"])
            self.assertTrue(lines[int(force[2].rstrip(":")) - 1].startswith("  9.1954   -0.875"))
            for name in ("FN", "FX", "FSTAT", "GG 1,2", "XL, YL, DX, DY", "IBASE = 1", "T = 1"):
                self.assertIn(name, text)

    def test_heights_go_into_a_file_next_to_the_case(self):
        with case_folder():
            with open(os.path.join(CONTACT, "cattaneo.inp"), encoding="utf-8") as file:
                text = file.read()
            geometry = text.index("   1  1\n")
            heights = "".join(f" {0.01 * (x * x + y * y) * 0.13333**2}\n"
                              for y in range(-9, 10) for x in range(-9, 10))
            with open("bumps.inp", "w", encoding="utf-8") as file:
                file.write(text[:geometry] + " 9 1\n" + heights + " 0 MODULE\n")
            done = call("convert", "bumps.inp", "--cases", "2", "-o", "out.yaml")
            self.assertEqual(done.stdout, "case 2 written to out.yaml and out_heights.txt\n")
            done = call("run", "out.yaml", "--backend", "cpu", "--json")
            step = json.loads(done.stdout)["steps"][0]
            self.assertEqual((step["elements_adhesion"], step["elements_slip"]), (45, 132))
            self.assertAlmostEqual(step["shift_x"], 8.155e-3, delta=5e-7)  # as CONTACT prints it
            self.assertEqual(sorted(os.listdir()), ["bumps.inp", "case.yaml", "out.h5", "out.yaml",
                                                    "out_heights.txt"])

    def test_files_are_kept_unless_overwriting_is_asked_for(self):
        with case_folder():
            self.assertEqual(convert("spin").returncode, 0)
            os.remove("spin-1.yaml")
            with open("spin-3.yaml", "w", encoding="utf-8") as file:
                file.write("schema: 1\ntitle: mine\n")
            done = convert("spin")
            self.assertEqual(done.returncode, 2)
            self.assertIn("spin-2.yaml: the file exists already", done.stderr)
            self.assertFalse(os.path.exists("spin-1.yaml"))  # all of them, or none
            self.assertEqual(convert("spin", "--overwrite").returncode, 0)
            with open("spin-3.yaml", encoding="utf-8") as file:
                self.assertIn("traction_bound: elliptic", file.read())
            self.assertEqual([name for name in os.listdir() if "partial" in name], [])

    def test_cases_that_are_not_supported_can_be_left_out(self):
        with case_folder():
            with open(os.path.join(CONTACT, "cattaneo.inp"), encoding="utf-8") as file:
                text = file.read()
            end = text.rindex(" 0  MODULE")
            with open("mixed.inp", "w", encoding="utf-8") as file:
                file.write(text[:end] + " 1 MODULE\n 1200100\n")
            line = text[:end].count("\n") + 1
            done = call("convert", "mixed.inp")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--skip-unsupported, or --cases 1-2", done.stderr)
            done = call("convert", "mixed.inp", "--skip-unsupported")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.splitlines()[2], "case 3 and all that follows skipped, "
                             f"lines {line} to {line + 2}:")
            self.assertIn(f"mixed.inp:{line}:2: MODULE: wheel-rail contact", done.stdout)
            self.assertEqual(done.stdout.splitlines()[-1], "2 cases converted, 1 skipped")
            self.assertEqual(sorted(os.listdir()), ["case.yaml", "mixed-1.yaml", "mixed-2.yaml",
                                                    "mixed.inp"])

    def test_what_is_wrong_exits_2_and_leaves_nothing(self):
        with case_folder():
            with open("wheel.inp", "w", encoding="utf-8") as file:
                file.write(" 1 MODULE\n 1200100\n")
            for arguments, says in (
                    (["wheel.inp"], "wheel.inp:3:1: V-L-D-C-M-Z-E: missing, for the file ends"),
                    (["missing.inp"], "missing.inp: there is no such file; an input file of CONTACT"),
                    ([os.path.join(CONTACT, "spin.inp"), "--cases", "3-2"], '"3-2" is neither a case'),
                    ([os.path.join(CONTACT, "spin.inp"), "--cases", "4-5"], "the file has 4 of them"),
                    ([os.path.join(CONTACT, "onset_of_rolling.inp"), "--cases", "3"],
                     "continues from the tractions of a case that is not converted")):
                done = call("convert", *arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertIn(says, done.stderr)
            # Right as an input file, but no step: rubber that rolls by half an element at a time.
            with open(os.path.join(CONTACT, "visc_cylindr.inp"), encoding="utf-8") as file:
                text = file.read()
            with open("halves.inp", "w", encoding="utf-8") as file:
                file.write(text.replace("203110", "202110").replace(" 0.16 ", " 0.08 ", 1))
            done = call("convert", "halves.inp", "--cases", "1")
            self.assertEqual(done.returncode, 2)
            self.assertIn("case 1 does not become a case that can be run", done.stderr)
            self.assertIn("halves.yaml:", done.stderr)
            self.assertNotIn("partial", done.stderr)
            self.assertEqual(sorted(os.listdir()), ["case.yaml", "halves.inp", "wheel.inp"])

    def test_iterated_cases_begin_where_the_last_one_did(self):
        case = " 3 MODULE\n {}01100\n 022020\n 0100341\n 9. {} 0. 0.\n .4 .4\n .4 .4 200. 200.\n" \
               " 1\n 9 9 -1.3 -1.3 .3 .3\n 1 1\n .01 0. .01 0. 0. 0.\n"
        with case_folder():
            with open("twice.inp", "w", encoding="utf-8") as file:
                file.write(case.format(2, .003) + case.format(0, .002) + case.format(3, .004) +
                           case.format(0, .001) + " 0 MODULE\n")
            done = call("convert", "twice.inp")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, "cases 1 to 2 written to twice-1.yaml\n"
                                          "cases 3 to 4 written to twice-2.yaml\n")
            with open("once.inp", "w", encoding="utf-8") as file:
                file.write(case.format(2, .003) + case.format(0, .004) + case.format(0, .001) +
                           " 0 MODULE\n")
            self.assertEqual(call("convert", "once.inp").returncode, 0)
            numbers = []
            for name in ("twice-2", "once"):
                done = call("run", name + ".yaml", "--backend", "cpu", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                numbers.append([step["force_x"] for step in json.loads(done.stdout)["steps"]])
            self.assertEqual(numbers[0], numbers[1])

    def test_errors_of_contact_itself_have_a_warning(self):
        """Found by recomputing its results (io/CONTACT.md). Cases that do not meet them have none."""
        def said(name, *changes):
            with open(os.path.join(CONTACT, name), encoding="utf-8") as file:
                text = file.read()
            for old, new in changes:
                self.assertIn(old, text)
                text = text.replace(old, new, 1)
            with case_folder():
                os.remove("case.yaml")
                with open("input.inp", "w", encoding="utf-8") as file:
                    file.write(text)
                done = call("convert", "input.inp", "-o", "case.yaml", "--skip-unsupported")
                self.assertEqual(done.returncode, 0, done.stderr)
                return [line for line in done.stderr.splitlines() if "CONTACT" in line and "warning" in line]

        unlike = ("0.4  0.4  1143.  1143.", "0.4  0.3  1143.  1143.")
        self.assertEqual(said("visc_cylindr.inp"), [])
        found = said("visc_cylindr.inp", unlike)
        self.assertEqual(len(found), 1, found)
        self.assertIn("M = 1: CONTACT couples pressure and tractions of unlike viscoelastic bodies", found[0])
        for name, changes, says in ERRORS:
            with self.subTest(name=name, says=says):
                found = said(name, *changes)
                self.assertEqual(len([line for line in found if says in line]), 1, found)


if __name__ == "__main__":
    machine.run_tests()
