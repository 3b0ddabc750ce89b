# SPDX-License-Identifier: Apache-2.0
"""Messages say what is the matter, and their advice works when it is followed."""
import os
import unittest

import machine

from program import CASE, FLANGES, ON_TRACK, PROFILES, call, case_folder, errors_of, run_case, wheel_case, write, yaml_path

LOOSE = "track: {rail_origin: [753.6, 0]}, wheelset: {velocity: {x: 1000}}, vertical_force: "
PERIODIC = """\
schema: 1
units: N-mm-s
bodies: {upper: {young_modulus: 2.0e5, poisson_ratio: 0.3}, lower: {young_modulus: 2.0e5, poisson_ratio: 0.3}}
grid: {elements: [8, 8], extent: {x: [0, 1], y: [0, 1]}, boundary: periodic}
"""


def rail_points(name="MBench_UIC60_v3.prr"):
    """y and z of the rail, or the wheel, of the Manchester benchmark."""
    points, inside = [], False
    with open(os.path.join(PROFILES, name), encoding="utf-8") as file:
        for line in file:
            words = line.split("!")[0].split()
            inside = "point.begin" in line or (inside and "point.end" not in line)
            if inside and len(words) > 1 and "point" not in line:
                points.append((float(words[0]), float(words[1])))
    return sorted(points)


ADHESION = """\
schema: 1
units: N-mm-s
bodies: {upper: {young_modulus: 6000.0, poisson_ratio: 0.3}, lower: {young_modulus: 6000.0, poisson_ratio: 0.3}}
adhesion: {law: maugis, work: 5.0e-5, length: 1.0e-9}
grid: {elements: [16, 16], extent: {x: [-2.7e-4, 2.7e-4], y: [-2.7e-4, 2.7e-4]}}
geometry: {type: sphere, radius: 0.01}
normal: {approach: 4.0e-7}
tangential: {problem: none}
solver: {tolerance: 1.0e-12}  # which rounding keeps it from
"""


class Advice(unittest.TestCase):
    def test_adhesion_that_does_not_converge_names_what_elements_have_to_resolve(self):
        with case_folder():
            write("adhesion.yaml", ADHESION)
            done = call("run", "adhesion.yaml", "-o", "out.h5", "--backend", "cpu")
            self.assertEqual(done.returncode, 1, done.stderr)
            # Stress work/length = 5e4, E* = 6000/(2 0.91): the zone is pi/4 E* 5e-5/5e4^2 = 5.18e-11 mm.
            self.assertIn("an element is 3.38e-05 mm long, adhesion.length is 1e-09 mm", done.stderr)
            self.assertRegex(done.stderr, r"is 5\.18e-11 mm: use a spacing of at most 2\.59e-11 mm or a greater adhesion\.length")

    def test_no_greater_approach_is_asked_for_where_no_pressure_gives_this_one(self):
        with case_folder():
            for geometry, approach in (("{type: quadratic, constant: 0.001}", 0.01),
                                       ("{type: rough, hurst: 0.8, rms_height: 0.001, wavelengths: [0.3, 1], seed: 1}", 0.1)):
                write("full.yaml", PERIODIC + f"geometry: {geometry}\nnormal: {{approach: {approach}}}\n")
                done = call("run", "full.yaml", "-o", "full.h5", "--overwrite", "--backend", "cpu")
                self.assertIn("a prescribed force may be of any size", done.stderr)
                self.assertNotIn("reater approach", done.stderr)

    def test_a_rail_without_a_side_is_named_not_the_force(self):
        points = rail_points()
        with case_folder():
            for side in ("left", "right"):
                # nothing but the crown: the flange comes down next to it
                write("crown.txt", "".join(f"{y} {z}\n" for y, z in points if -20 <= y <= 20))
                write("wheel.yaml", wheel_case(
                    side, f"track: {{rail_origin: [{-755 if side == 'left' else 755}, 0]}}, vertical_force: 80000, " + FLANGES,
                    rail="{profile: crown.txt}"))
                done = call("run", "wheel.yaml", "--overwrite", "--backend", "cpu")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("the profile of the rail ends where the two touch", done.stderr)
                self.assertIn("it has no gauge face there", done.stderr)
                self.assertNotIn("less force", done.stderr)
                # Follows the advice: another place across the track, where the rail has a profile.
                y = 12 if side == "left" else -12
                done = call("run", "wheel.yaml", "--overwrite", "--backend", "cpu", "--set", f"wheel_rail.wheelset.y={y}",
                            "--set", "wheel_rail.spacing=[1, 1]")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_rail_whose_outline_is_closed_is_not_answered_by_less_force(self):
        points = rail_points()
        with case_folder():
            # Its last line is below the head, where the wheel would meet it from above.
            write("closed.txt", "".join(f"{y} {z}\n" for y, z in points + points[:1]))
            for force in (80000, 1):
                write("wheel.yaml", wheel_case("right", LOOSE + str(force), rail="{profile: closed.txt}"))
                done = call("run", "wheel.yaml", "--overwrite", "--backend", "cpu")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("is a closed outline: it ends where it begins", done.stderr)
                self.assertIn("accepted: the running surface alone, from the rail's outer side", done.stderr)
                self.assertNotIn("less force", done.stderr)

    def test_elements_larger_than_the_contact_are_named(self):
        with case_folder():
            write("wheel.yaml", wheel_case("right", LOOSE + "80000"))
            done = call("run", "wheel.yaml", "--backend", "cpu", "--set", "wheel_rail.spacing=[200, 300]")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, "element of 200 x 300 mm")
            self.assertIn("accepted: a smaller wheel_rail.spacing", done.stderr)

    def test_a_wheel_whose_outline_is_closed_is_told_so(self):
        points = rail_points("MBench_S1002_v3.prw")
        with case_folder():
            write("closed.txt", "".join(f"{y} {z}\n" for y, z in points + points[:1]))
            write("wheel.yaml", wheel_case("right", LOOSE + "80000", wheel="{profile: closed.txt}"))
            done = call("check", "wheel.yaml")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("is a closed outline: it ends where it begins", done.stderr)

    def test_a_rail_upside_down_that_ends_the_run_is_still_said_to_be(self):
        with case_folder():
            write("wheel.yaml", wheel_case(
                "right", LOOSE + "80000", rail=f"{{profile: {yaml_path(PROFILES, 'MBench_UIC60_v3.prr')}, mirror_z: true}}"))
            done = call("run", "wheel.yaml", "--backend", "cpu")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("The profile of the rail: looks upside down with mirror_z: true", done.stderr)

    def test_wear_of_a_sweep_over_a_wheel_or_of_no_file_says_so(self):
        with case_folder():
            write("wheel.yaml", wheel_case("left", "spacing: [1, 1], " + ON_TRACK) + """\
wear: {law: archard, coefficient: 1.0e-4, hardness: 2000}
sweep:
  - {key: wheel_rail.wheelset.y, values: [0, 1]}
""")
            self.assertEqual(call("run", "wheel.yaml", "--backend", "cpu").returncode, 0)
            done = call("wear", "wheel.h5", "--of", "rail", "-o", "worn.txt")
            self.assertEqual(done.returncode, 2)
            self.assertNotIn("has no wheel_rail", done.stderr)
            self.assertIn("this is a sweep over a wheel on a rail", done.stderr)
            self.assertEqual(call("inspect", "wheel.h5", "--contact", "1").returncode, 0)
            for options, says in ((["--point", "1"], "a sweep keeps them where its case has `output.fields`"),
                                  (["--step", "1"], "--step and --map need a point of it: --point N where the sweep keeps fields")):
                done = call("inspect", "wheel.h5", *options)
                self.assertEqual(done.returncode, 2, options)
                self.assertIn(says, done.stderr)
                self.assertIn("slipfield run CASE.yaml --point", done.stderr)
            worn = []  # a point with fields, and the point alone
            for name, chosen, point in (("kept", ["--set", "output={fields: [pressure]}"], ["--point", "2"]), ("alone", ["--point", "2"], [])):
                self.assertEqual(call("run", "wheel.yaml", "--backend", "cpu", "-o", name + ".h5", *chosen).returncode, 0)
                done = call("wear", name + ".h5", "--of", "rail", "-o", name + ".txt", *point)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(name + ".txt", encoding="utf-8") as file:
                    worn.append(file.read())
            self.assertEqual(*worn)
            # The advice of both, followed.
            self.assertEqual(call("run", "wheel.yaml", "--point", "1", "-o", "one.h5").returncode, 0)
            self.assertEqual(call("inspect", "one.h5", "--contact", "1").returncode, 0)
            done = call("wear", "one.h5", "--of", "rail", "-o", "worn.txt")
            self.assertEqual(done.returncode, 0, done.stderr)
            done = call("wear", "none.h5", "--of", "rail", "-o", "worn2.txt")
            self.assertIn("there is no such file", done.stderr)
            self.assertEqual(len(errors_of(done)), 1)

    def test_run_prints_what_the_surfaces_bear(self):
        with case_folder(CASE + "fatigue: {shear_yield: 100.0}\n"):
            done = run_case("-o", "out.h5")
            self.assertIn("      shakedown_reserve ", done.stdout)

    def test_without_friction_no_element_is_said_to_slip(self):
        with case_folder():
            write("hertz.yaml", CASE.split("tangential:")[0])
            for changes in ([], ["--set", "tangential={problem: shift, x: {shift: 0.01}}",
                                 "--set", "friction.coefficient=0"]):
                done = call("run", "hertz.yaml", "-o", "hertz.h5", "--overwrite", *changes)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("elements_slip", call("inspect", "hertz.h5").stdout)
            call("run", "case.yaml", "-o", "shift.h5")
            self.assertIn("elements_slip", call("inspect", "shift.h5").stdout)

    def test_wrong_coatings_are_told_with_their_place_and_what_is_accepted(self):
        keys = "a map {shear_modulus, poisson_ratio, thickness}, or a list of them from the surface inwards"
        for coating, says in (
                ("{thickness: -0.1, shear_modulus: 400, poisson_ratio: 0.3}",
                 "coating.thickness: -0.1 is out of range; accepted: a number > 0"),
                ("{thickness: 0.1, poisson_ratio: 0.3}", "coating: none of shear_modulus, young_modulus is given; accepted: exactly "
                                                         "one of shear_modulus, young_modulus"),
                ("{thickness: 30 um, shear_modulus: 400, poisson_ratio: 0.3}",
                 "coating.thickness: '30 um' is not a number; accepted: a number > 0"),
                ("{thicknes: 0.1, shear_modulus: 400, poisson_ratio: 0.3}",
                 "coating.thicknes: unknown key; did you mean 'thickness'?"),
                ("[]", f"coating: is an empty list; accepted: {keys}"),
                ("0.03", f"coating: is not a layer; accepted: {keys}"),
                ("[0.03, 0.05]", f"coating: is not a layer; accepted: {keys}"),
                ("{thickness: 0.1, shear_modulus: 4.0e11, poisson_ratio: 0.3}",
                 "coating: the shear moduli of the layers and of the body below them differ by a factor of 2e+09; accepted: at most "
                 "1e+05, all in the units of the case\n"),
                ("{thickness: 0.1, shear_modulus: 2.0e-4, poisson_ratio: 0.3}",
                 "coating: the shear moduli of the layers and of the body below them differ by a factor of 1e+06; accepted: at most "
                 "1e+05, all in the units of the case; or a `thickness` for a base that is rigid\n")):
            with self.subTest(coating), case_folder(CASE.replace(
                    "upper: {shear_modulus: 200.0,", f"upper: {{coating: {coating}, shear_modulus: 200.0,")):
                done = call("check", "case.yaml")
                self.assertEqual(done.returncode, 2)
                self.assertIn("case.yaml:5:", done.stderr)
                self.assertIn(f"bodies.upper.{says}", done.stderr)
        with case_folder(CASE.replace("upper: {shear_modulus: 200.0,", "upper: {coating: {thickness: 0.1, shear_modulus: "
                                      "2.0e7, poisson_ratio: 0.3}, shear_modulus: 200.0,")):
            self.assertEqual(call("check", "case.yaml").returncode, 0)  # just the greatest ratio


if __name__ == "__main__":
    machine.run_tests()
