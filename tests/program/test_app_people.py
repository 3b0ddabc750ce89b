# SPDX-License-Identifier: Apache-2.0
"""The program as people meet it: suspicious numbers, narrow terminals, closed pipes, near misses."""
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
import unittest

import machine
from program import CASE, FRICTIONLESS, PROGRAM, call, case_folder, memory_limit, run_case

SWEEP = CASE.split("steps:")[0] + """\
sweep:
  - {key: grid.spacing, values: [[0.2, 0.25], [0.3, 0.3]]}
  - {key: tangential.x.force_ratio, values: [-0.2, -0.5]}
"""


def in_terminal(columns, *arguments, **environment):
    """What the program prints on a terminal of that many columns."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    clean = {name: value for name, value in os.environ.items()
             if name not in ("COLUMNS", "NO_COLOR")}
    with subprocess.Popen([PROGRAM, *arguments], stdin=child, stdout=child, stderr=child,
                          env={**clean, **environment}) as process:
        os.close(child)
        text = b""
        while True:
            try:
                block = os.read(parent, 4096)
            except OSError:  # the other end is closed
                break
            if not block:
                break
            text += block
    os.close(parent)
    return process.returncode, text.decode()


class Doubts(unittest.TestCase):
    def test_check_prints_the_hertz_estimate_and_an_extent(self):
        with case_folder():
            done = call("check", "case.yaml")
            self.assertEqual(done.returncode, 0)
            self.assertIn("info: Hertz: semi-axes 1 x 1 mm, p_max 4.39 N/mm^2, approach 0.02 mm; "
                          "10 x 8 elements across it; an extent that holds it: "
                          "{x: [-1.25, 1.25], y: [-1.25, 1.25]}", done.stderr)
            self.assertNotIn("Hertz", done.stdout)  # which stays a case
            hertz = json.loads(call("check", "case.yaml", "--json").stdout)["hertz"]
            self.assertAlmostEqual(hertz["semi_axes"][0], 1.0, places=4)  # 9.1954 has five digits
            self.assertAlmostEqual(hertz["extent"]["y"][1], 1.25, places=4)

    def test_check_refuses_for_memory_what_run_refuses(self):
        with case_folder():
            large = ["case.yaml", "--set", "grid.elements=[60000, 60000]"]
            limit = memory_limit()  # however much the machine has
            done = call("check", *large, **limit)
            self.assertEqual(done.returncode, 2)
            self.assertIn("grid: 60000 x 60000 elements need up to", done.stderr)
            ran = call("run", *large, "--backend", "cpu", **limit)
            self.assertEqual(ran.returncode, 2)
            self.assertEqual(done.stderr.split(", this machine")[0],
                             ran.stderr.split(", this machine")[0])

    def test_a_solved_case_is_doubted_once_for_all_its_steps(self):
        with case_folder():
            done = run_case("--set", "grid={elements: [3, 3], spacing: [4.0, 4.0]}")
            self.assertEqual(done.stderr.count("about 0.5 elements across the contact in x"), 1)
            self.assertEqual(done.stderr.count("3 steps, first 1: grid.elements: one element is in "
                                               "contact"), 1)
        with case_folder(FRICTIONLESS.replace("force: 9.1954", "approach: -1.0")):
            done = run_case()
            self.assertIn("case.yaml:10:20: normal.approach: -1 mm does not reach the lowest point",
                          done.stderr)
            self.assertIn("no element is in contact", done.stderr)


PROFILE = """\
schema: 1
units: N-mm-s
bodies:
  upper: {young_modulus: 210000, poisson_ratio: 0.3}
  lower: {young_modulus: 210000, poisson_ratio: 0.3}
friction: {coefficient: 0.05}
grid: {elements: [16, 60], extent: {x: [-0.24, 0.24], y: [-6, 6]}}
geometry:
  - {type: cylinder, radius: 4, axis: y}
  - {type: profile, file: crown.csv}
normal: {force: 5000}
"""
CROWN = "y,z\n-6,0.2\n-5.8,0.0417\n-5.6,0\n0,0\n5.6,0\n5.8,0.0417\n6,0.2\n"  # of a roller: flat, then a logarithm
STEEL = "{young_modulus: 210000, poisson_ratio: 0.3}"


class Profiles(unittest.TestCase):
    def test_a_curve_that_leaves_its_points_is_doubted_and_a_monotone_one_does_not(self):
        with case_folder(PROFILE):
            with open("crown.csv", "w", encoding="utf-8") as file:
                file.write(CROWN)
            said = call("check", "case.yaml").stderr
            self.assertRegex(said, r"between the points at y = (0 and 5\.6|-5\.6 and 0) mm the profile's curve goes 0\.088\d mm beyond both, "
                                   r"where the heights of the points next to them differ by 0\.0417 mm")
            monotone = PROFILE.replace("file: crown.csv", "file: crown.csv, interpolation: monotone")
            with open("case.yaml", "w", encoding="utf-8") as file:
                file.write(monotone)
            self.assertNotIn("profile's curve", call("check", "case.yaml").stderr)
            run_case()
            low = json.loads(call("inspect", "case.h5", "--json").stdout)["steps"][0]["max_pressure"]
        self.assertLess(low, 4400.0)  # 4207 N/mm2 with 121 points, 5096 of the spline

    def test_points_that_are_only_rounded_are_not_doubted(self):
        with case_folder(PROFILE):
            for radius in (300, 1000, 5000):
                with open("crown.csv", "w", encoding="utf-8") as file:
                    file.write("".join(f"{y / 10:.1f},{round((y / 10) ** 2 / (2 * radius), 3):.3f}\n" for y in range(-60, 61)))
                self.assertNotIn("profile's curve", call("check", "case.yaml").stderr, radius)
            with open("crown.csv", "w", encoding="utf-8") as file:  # designed: an end relief in hundredths
                file.write("".join(f"{y},{z}\n" for y, z in ((-6, .02), (-5, .01), (-4, 0), (4, 0), (5, .01), (6, .02))))
            self.assertIn("profile's curve", call("check", "case.yaml").stderr)

    def test_a_table_with_names_of_columns_is_read_and_its_units_count(self):
        with case_folder(PROFILE):
            for head, code in (("y,z", 0), ("y [mm], z [mm]", 0), ("# y z", 0), ("y [mm],z [um]", 2), ("y,z\ny,z", 2)):
                with open("crown.csv", "w", encoding="utf-8") as file:
                    file.write(CROWN.replace("y,z", head))
                done = call("check", "case.yaml")
                self.assertEqual(done.returncode, code, head + done.stderr)
            self.assertIn("is not a number", done.stderr)

    def test_names_of_columns_decide_which_is_which(self):
        slope = [(y, round(0.002 * y * y, 4)) for y in range(-6, 7)]
        turned = "".join(f"{z};{y}\n" for y, z in slope)
        forces = []
        with case_folder(PROFILE):
            for head, rows in (("y;z\n", "".join(f"{y};{z}\n" for y, z in slope)), ("z;y\n", turned), ("height;lateral\n", turned),
                               ("# z y\n", turned.replace(";", " "))):
                with open("crown.csv", "w", encoding="utf-8") as file:
                    file.write(head + rows)
                run_case("-q", "--overwrite", "-o", "out.h5")
                forces.append(json.loads(call("inspect", "out.h5", "--json").stdout)["steps"][0]["max_pressure"])
            self.assertEqual(len(set(forces)), 1, forces)
            with open("crown.csv", "w", encoding="utf-8") as file:
                file.write("z;dwars\n" + turned)
            done = call("check", "case.yaml")
            self.assertEqual(done.returncode, 2)
            self.assertIn("the names in line 1, 'z;dwars', leave open which column is which; accepted: y, z in any order", done.stderr)

    def test_the_numbers_of_a_condition_are_printed_without_rounding(self):
        with case_folder(PROFILE.replace("{coefficient: 0.05}", "{condition: dry}")):
            with open("crown.csv", "w", encoding="utf-8") as file:
                file.write(CROWN)
            self.assertRegex(call("check", "case.yaml").stdout, r"kinetic: 0\.22\b(?!0)")


class Units(unittest.TestCase):
    def test_numbers_in_other_units_are_doubted_where_they_are_written(self):
        base = f"""\
schema: 1
units: N-mm-s
bodies: {{upper: {STEEL}, lower: {STEEL}}}
friction: {{coefficient: 0.3}}
grid: {{elements: [26, 26], spacing: [0.1, 0.1]}}
geometry: {{type: sphere, radius: 100}}
normal: {{force: 1538.46}}
tangential: {{problem: shift, x: {{shift: 1e-5}}}}
"""
        rolls = "tangential: {problem: steady_rolling, x: {creepage: 0.001}, velocity: 20000}"
        law = "friction: {law: exponential, static: 0.3, kinetic: 0.1, half_velocity: 1.5}"
        heat = rolls + "\nheat: {upper: {conductivity: 46, capacity: 0.46, density: 7.85e-6}, lower: {conductivity: 0.046, capacity: 460, density: 7.85e-6}}"
        last = base.splitlines()[-1]
        for old, new, says in (
                (STEEL + "}", STEEL[:-1] + ", coating: {thickness: 1, young_modulus: 200, poisson_ratio: 0.3}}}",
                 "bodies.lower.coating.young_modulus: a Young's modulus of 200 N/mm^2 is a thousandth of the greatest one"),
                (STEEL + "}", STEEL[:-1] + ", coating: [{thickness: 1, young_modulus: 2e5, poisson_ratio: 0.3}, {thickness: 1, "
                 "young_modulus: 200, poisson_ratio: 0.3}]}}", "bodies.lower.coating.1.young_modulus: a Young's modulus of 200 N/mm^2"),
                ("shift: 1e-5", "shift: 3", "tangential.x.shift: the step's shift of 3 mm is 1.5 times as long"),
                ("shift: 1e-5}", "shift: 1e-5}, rotation: 5", "tangential.rotation: 5 rad is 286.5 degrees in one step"),
                (last, rolls + "\n" + law, "friction.half_velocity: 1.5 mm/s is 7.5e-05 of the rolling velocity"),
                (last, heat, "heat.upper.conductivity: 46 W/(mm K) is 4.6e+04 W/(m K)"),
                (last, heat, "heat.upper.capacity: 0.46 J/(kg K)"),
                (last, "adhesion: {law: maugis, work: 0.05, length: 1e-6}", "adhesion.work: 0.05 N/mm is 50 J/m²"),
                (last, "adhesion: {law: maugis, work: 5e-5, length: 1e-9}", "adhesion.length: 1e-09 mm, where an atom is 1e-07 mm wide")):
            text = base.replace(old, new)
            if law in new:
                text = text.replace("friction: {coefficient: 0.3}\n", "")
            with self.subTest(says), case_folder(text):
                done = call("check", "case.yaml")
                self.assertIn(says, done.stderr)
        with case_folder(base):
            self.assertNotIn("warning", call("check", "case.yaml").stderr)

    def test_wear_that_is_deep_against_the_approach_is_doubted(self):
        case = CASE.split("tangential:")[0] + """\
tangential: {problem: steady_rolling, x: {creepage: -0.02}, velocity: 1000}
wear: {law: archard, coefficient: 1.0e-4, hardness: 2000.0, passes: %g}
"""
        said = []
        for passes in (1.0, 1e6):
            with case_folder(case % passes):
                said.append(run_case("-q").stderr)
        self.assertNotIn("wear.passes", said[0])
        said = said[1]
        self.assertRegex(said, r"wear\.passes: the surfaces wear by up to \S+ mm in these passes")


class Terminal(unittest.TestCase):
    @machine.needs("a terminal")
    def test_a_table_fits_the_terminal_and_says_what_it_leaves_out(self):
        with case_folder():
            for columns, environment in ((100, {}), (80, {}), (200, {"COLUMNS": "90"})):
                width = int(environment.get("COLUMNS", columns))
                code, text = in_terminal(columns, "run", "case.yaml", "--backend", "cpu", "-q",
                                         "--overwrite", **environment)
                self.assertEqual(code, 0)
                lines = [line for line in text.splitlines() if line.split()[:1] in (["step"], ["2"])]
                self.assertEqual(len(lines), 2, text)
                self.assertLessEqual(max(map(len, lines)), width, text)
                self.assertIn("(left out to fit the width: ", text)

    def test_a_table_takes_100_columns_in_a_pipe_or_what_COLUMNS_says(self):
        with case_folder():
            piped = run_case("--overwrite", "-q").stdout
            self.assertLessEqual(max(map(len, piped.splitlines())), 100, piped)
            self.assertIn("(left out to fit the width: approach, M_z, adhesion, iterations n/t/o, time;\n"
                          " COLUMNS=158 slipfield ... shows them, `slipfield export` has all totals)\n",
                          piped)
            for columns, complete in ((157, False), (158, True)):
                lines = call("inspect", "case.h5", env={**os.environ, "COLUMNS": str(columns)}).stdout
                self.assertEqual("iterations n/t/o" in lines and "left out" not in lines, complete)

    @machine.needs("a terminal")
    def test_colours_are_for_terminals_that_want_them(self):
        with case_folder():
            self.assertIn("\x1b[", in_terminal(120, "check", "case.yaml", TERM="xterm")[1])
            self.assertNotIn("\x1b[", in_terminal(120, "check", "case.yaml", TERM="xterm",
                                                  NO_COLOR="1")[1])
            self.assertNotIn("\x1b[", call("check", "case.yaml").stderr)

    def test_a_reader_that_has_seen_enough_is_no_error(self):
        with case_folder():
            with subprocess.Popen([PROGRAM, "run", "case.yaml", "--backend", "cpu"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as process:
                process.stdout.close()
                log = process.stderr.read()
            self.assertEqual(process.returncode, 0, log)
            self.assertNotIn("error", log)
            self.assertEqual(json.loads(call("inspect", "case.h5", "--json").stdout)["outcome"],
                             "converged")


SURFACES = """\
schema: 1
units: N-mm-s
bodies: {upper: {shear_modulus: 200.0, poisson_ratio: 0.42}, lower: {shear_modulus: 200.0, poisson_ratio: 0.42}}
friction: {coefficient: 0.4}
grid: {elements: [13, 11], spacing: [0.2, 0.25], origin: [-1.2, -1.4]}
geometry: {type: quadratic, xx: 0.01, yy: 0.01}
normal: {force: 9.1954}
tangential: {problem: steady_rolling, x: {creepage: 0.01}, velocity: 100}
wear: {law: archard, coefficient: 1.0e-4, hardness: 300.0}
heat:
  upper: {conductivity: 0.05, capacity: 450, density: 7.85e-6}
  lower: {conductivity: 0.05, capacity: 450, density: 7.85e-6}
"""
# What is not finite where a number of the case is too great, or too small.
BEYOND = {
    "tangential.velocity=1e308": "friction_power",
    "wear.coefficient=1e308": "max_wear_depth",
    "heat.upper.density=1e308": "heat_",
    "friction.coefficient=1e308": "",  # a field or a sum
    "friction.shear_strength=1e308": "the sum of the shear strength over the contact",
    "normal.force=1e308": "pressure",
}


class Beyond(unittest.TestCase):
    def test_numbers_beyond_doubles_are_no_results(self):
        with case_folder(SURFACES):
            self.assertEqual(call("run", "case.yaml").returncode, 0)
            for change, name in BEYOND.items():
                with self.subTest(change):
                    done = call("run", "case.yaml", "--overwrite", "--set", change)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertRegex(done.stderr, f"step 1 did not converge: {name}.* is not finite")
                    self.assertIn("the numbers of the case are beyond what doubles hold", done.stderr)
                    self.assertNotIn("nan", done.stderr)  # an approach that no other one could mend


class Shown(unittest.TestCase):
    def test_a_prescribed_force_shows_the_shift_that_was_found(self):
        with case_folder():
            document = json.loads(run_case("--json").stdout)
            found = document["steps"][-1]["shift_x"]
            lines = run_case("--overwrite").stdout.splitlines()
            head = next(line for line in lines if line.split()[:1] == ["step"]).split()
            last = next(line for line in lines if line.split()[:1] == ["3"]).split()
            self.assertAlmostEqual(float(last[head.index("shift_x")]), found, delta=1e-4 * found)
            self.assertNotIn("shift_y", head)

    def test_noise_is_shown_as_zero_and_kept_in_json(self):
        with case_folder(CASE.replace("[-1.2, -1.4]", "[-1.3, -1.375]")):
            step = json.loads(run_case("--json").stdout)["steps"][-1]
            self.assertLess(abs(step["force_y"]), 1e-9 * step["normal_force"])
            text = call("inspect", "case.h5").stdout
            line = next(line for line in text.splitlines() if line.startswith("  force_y"))
            self.assertEqual(line.split()[1], "0")
            document = json.loads(call("inspect", "case.h5", "--json").stdout)
            self.assertEqual(document["steps"][-1]["force_y"], step["force_y"])
            paper = call("export", "case.h5", "--format", "latex", "--quantities", "force_y").stdout
            self.assertEqual(paper.count("& $0$ "), 3, paper)  # of three steps
            self.assertNotIn("& $0$ ", call("export", "case.h5", "--quantities", "force_y").stdout)

    def test_without_friction_there_is_contact_and_no_slip(self):
        with case_folder(FRICTIONLESS):
            run_case("-q")
            shown = call("inspect", "case.h5").stdout
            self.assertIn(". exterior 75, C contact 68 elements", shown)
            self.assertNotIn("S", shown.split("y upwards")[1])
            machine.require(self, "figures")
            done = call("plot", "case.h5", "-o", "a.svg", "--fields", "element_division")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open("a.svg", encoding="utf-8") as file:
                picture = file.read()
            self.assertIn(">contact<", picture)
            self.assertNotIn(">slip<", picture)

    def test_values_of_a_sweep_are_numbers_in_json(self):
        with case_folder(SWEEP):
            points = json.loads(run_case("--json").stdout)["points"]
            self.assertEqual(points[3]["inputs"], {"grid.spacing": [0.3, 0.3],
                                                   "tangential.x.force_ratio": -0.5})
            head = call("inspect", "case.h5").stdout
            self.assertIn("shift_x", head)


class Refusals(unittest.TestCase):
    def test_a_result_where_a_case_belongs_is_told_from_text(self):
        with case_folder():
            run_case("-q")
            done = call("run", "case.h5")
            self.assertEqual(done.returncode, 2)
            self.assertIn("case.h5: is a result (HDF5), not a case file (YAML); `slipfield inspect "
                          "case.h5` shows it", done.stderr)

    def test_the_reference_is_not_compared_with_itself(self):
        with case_folder():
            done = call("compare", "case.yaml", "--backend", "cpu")
            self.assertEqual(done.returncode, 2)
            self.assertIn("compared with itself", done.stderr)
            if not json.loads(call("info", "--json").stdout)["cuda"]["devices"]:
                done = call("compare", "case.yaml")
                self.assertEqual(done.returncode, 3)
                self.assertIn("compared with itself", done.stderr)

    def test_a_result_is_equal_to_itself_where_a_step_did_not_converge(self):
        # Beyond mu F_n, which the reader cannot know where the approach is given.
        with case_folder(CASE.replace("{force: 9.1954}", "{approach: 0.02}").replace(
                "{force_ratio: -0.875}", "{force: -50.0}")):
            self.assertEqual(call("run", "case.yaml", "-q").returncode, 1)
            done = call("compare", "case.h5", "case.h5", "--tolerance", "1e-300")
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("neither of the two converged", done.stdout)
            self.assertIn("equal within 1e-300", done.stdout)

    def test_a_misspelt_section_is_not_also_missing(self):
        with case_folder(CASE.replace("friction:", "frction:")):
            done = call("check", "case.yaml")
            self.assertEqual(done.returncode, 2)
            self.assertIn("frction: unknown key; did you mean 'friction'?", done.stderr)
            self.assertNotIn("missing", done.stderr)


if __name__ == "__main__":
    machine.run_tests()
