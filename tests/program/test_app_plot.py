# SPDX-License-Identifier: Apache-2.0
"""slipfield plot: the figures, the sentences that refuse one, and what stays behind. It takes 7 s: gnuplot .1 s for each
of some fifty figures, and a wheelset's two contacts."""
import json
import os
import shutil
import struct
import unittest
import xml.etree.ElementTree as ElementTree

import machine
from program import CASE, DATA, call, case_folder, run_case, yaml_path

machine.script_needs("gnuplot")
h5py = machine.module("h5py")
PROFILES = os.path.join(DATA, "..", "..", "cases", "profiles")

FRICTIONLESS = CASE.replace("problem: shift, x: {force_ratio: -0.5}, y: {shift: 0.0}",
                            "problem: none").split("steps:")[0]
NO_CONTACT = FRICTIONLESS.replace("normal: {force: 9.1954}", "normal: {approach: -0.01}")
ONE_ROW = (CASE.replace("[13, 11]", "[40, 1]").replace("[0.2, 0.25]", "[0.05, 100.0]")
           .replace("origin: [-1.2, -1.4]", "origin: [-1.0, -50.0]")
           .replace("yy: 0.01", "yy: 0.0").replace("force: 9.1954", "approach: 0.005"))
HOSTILE = "`touch pwned` 'x' system(\"touch pwned\") ${x} @x {/:Bold ^2} <b> & 100 % \\n ü"


def listing():
    return sorted(os.listdir())


def png_size(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR" and b"IEND" in data[-12:]
    return struct.unpack(">II", data[16:24])


def svg_texts(path):
    texts = ElementTree.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")
    return [" ".join("".join(text.itertext()).split()) for text in texts]


WHEELSET = f"""schema: 1
title: wheelset
units: N-mm-s
bodies:
  wheel: {{shear_modulus: 82000, poisson_ratio: 0.28}}
  rail: {{shear_modulus: 82000, poisson_ratio: 0.28}}
friction: {{coefficient: 0.3}}
wheel_rail:
  side: both
  wheel: {{profile: {yaml_path(PROFILES, "MBench_S1002_v3.prw")}}}
  rail: {{profile: {yaml_path(PROFILES, "MBench_UIC60_v3.prr")}}}
  spacing: [0.5, 0.5]
  wheelset: {{y: 1.0, velocity: {{x: 2000}}}}
  vertical_force: 20000
"""


class Figures(unittest.TestCase):
    def plot(self, *arguments):
        done = call("plot", "out.h5", "-o", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return arguments[0]

    def refused(self, *arguments, says, code=2, environment=None):
        before = listing()
        done = call("plot", *arguments, env=environment)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(listing(), before)

    def test_png_and_svg_of_an_overview(self):
        with case_folder():
            run_case("-o", "out.h5")
            width, height = png_size(self.plot("fig.png"))
            self.assertTrue(800 < width < 4000 and 800 < height < 4000)
            texts = svg_texts(self.plot("fig.svg"))
            for text in ["sphere on a plane, µ = 0.4", "x [mm]", "y [mm]", "pressure [N/mm²]",
                         "traction [N/mm²]", "adhesion", "slip", "± traction bound", "x component"]:
                self.assertIn(text, texts)
            self.assertTrue(any("step 3 of 3" in text for text in texts), texts)
            self.assertTrue(any("µ = 0.4, shift (" in text for text in texts), texts)
            for once in ("adhesion", "slip", "± traction bound"):
                self.assertEqual(texts.count(once), 1, once)
            self.assertNotIn("rolling direction", texts)  # it is shifted
            self.assertEqual(listing(), ["case.yaml", "fig.png", "fig.svg", "out.h5"])

    def test_every_field_and_several_steps(self):
        with case_folder():
            run_case("-o", "out.h5")
            fields = ("pressure,traction_x,traction_y,traction_bound,displacement_x,"
                      "displacement_y,displacement_n,undeformed_distance,gap,slip_x,slip_y,"
                      "element_division,traction,slip")
            texts = svg_texts(self.plot("fields.svg", "--fields", fields, "--whole-grid"))
            for field in fields.split(","):
                name = field.replace("_", " ")
                self.assertTrue(any(text == name or text.startswith(name + " [")
                                    for text in texts), name)
            texts = svg_texts(self.plot("steps.svg", "--step", "1,2", "--step", "last", "--fields",
                                        "pressure", "--fields", "slip", "--cuts", "--history"))
            for step in (1, 2, 3):
                for picture in ("pressure [N/mm²]", "slip [µm]", "convergence"):
                    self.assertIn(f"step {step}: {picture}", texts)
            self.assertIn("relative change of the tractions", texts)
            self.assertIn("tolerance", texts)

    def test_units_of_the_file(self):
        si = CASE.replace("N-mm-s", "SI")
        with case_folder(si):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("fig.svg"))
            self.assertIn("x [m]", texts)
            self.assertIn("pressure [Pa]", texts)

    def test_without_friction(self):
        with case_folder(FRICTIONLESS):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("fig.svg"))
            self.assertTrue(any(text.startswith("displacement n [") for text in texts), texts)
            self.assertIn("contact", texts)  # what is grey
            self.assertNotIn("adhesion", texts)
            texts = svg_texts(self.plot("zero.svg", "--fields", "slip_x"))
            self.assertIn("The slip x is 0 everywhere.", texts)

    def test_rolling_shows_its_direction_and_creepages(self):
        rolling = CASE.split("tangential:")[0] + (
            "tangential: {problem: steady_rolling, x: {creepage: 0.002}}\n")
        with case_folder(rolling):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("fig.svg"))
            self.assertIn("rolling direction", texts)
            self.assertTrue(any("creepage (0.2 %, 0 %), spin 0 rad/mm" in text
                                for text in texts), texts)

    def test_cuts_go_where_they_are_asked_for(self):
        with case_folder():
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("cut.svg", "--at", "-0.31,0.4"))
            # elements of 0.2 x 0.25 from (-1.2, -1.4): the middles of those that hold the place
            self.assertIn("traction along x at y = 0.475 mm", texts)
            self.assertIn("traction along y at x = −0.3 mm", texts)
            texts = svg_texts(self.plot("more.svg", "--at", "0,0", "--fields", "gap"))
            self.assertTrue(any(text.startswith("traction along x") for text in texts), texts)
            self.refused("out.h5", "-o", "a.png", "--at", "5,0",
                         says="accepted: x from -1.2 to 1.4, y from -1.4 to 1.35")
            self.refused("out.h5", "-o", "a.png", "--at", "5", says="--at")

    def test_an_edge_in_contact_is_said_under_the_figure(self):
        with case_folder(FRICTIONLESS.replace("force: 9.1954", "force: 60.0")):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("fig.svg"))
            self.assertTrue(any("the grid may be too small" in text for text in texts), texts)

    def test_totals_over_the_steps(self):
        with case_folder():
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("along.svg", "--over", "step"))
            for text in ("3 steps", "step", "force in x / µFₙ"):
                self.assertIn(text, texts)
            texts = svg_texts(self.plot("two.svg", "--quantities", "normal_force,force_x"))
            self.assertIn("normal force [N]", texts)
            self.refused("out.h5", "-o", "a.png", "--over", "normal.force", says="--over step")
            self.refused("out.h5", "-o", "a.png", "--over", "step", "--cuts", says="a figure of")
        with case_folder(FRICTIONLESS):
            run_case("-o", "out.h5")
            self.refused("out.h5", "-o", "a.png", "--over", "step", says="it holds one step")

    def test_without_contact(self):
        with case_folder(NO_CONTACT):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("fig.svg"))
            self.assertTrue(any("has no contact" in text for text in texts), texts)
            self.plot("all.svg", "--fields", "pressure,traction,slip,slip_x,element_division,gap")

    def test_one_row_is_drawn_as_curves(self):
        with case_folder(ONE_ROW):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("fig.svg", "--cuts", "--fields", "pressure,traction,gap"))
            self.assertIn("x [mm]", texts)
            self.assertNotIn("y [mm]", texts)
            png_size(self.plot("fig.png"))

    def test_a_large_map_is_averaged_and_says_so(self):
        large = (FRICTIONLESS.replace("[13, 11]", "[600, 11]")
                 .replace("[0.2, 0.25]", "[0.004, 0.25]"))
        with case_folder(large):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("fig.svg", "--whole-grid"))
            self.assertTrue(any("mean of 2 x 1 elements" in text for text in texts), texts)
            self.assertLess(os.path.getsize("fig.svg"), 500_000)

    def test_a_result_of_few_fields(self):
        with case_folder(CASE + "output: {fields: [slip_x, pressure]}\n"):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("fig.svg"))
            self.assertIn("pressure [N/mm²]", texts)
            self.plot("slip.png", "--fields", "slip_x")
            self.refused("out.h5", "-o", "a.png", "--fields", "traction",
                         says='step 3 has no field "traction_x"')
        with case_folder(CASE + "output: {fields: [slip_x]}\n"):
            run_case("-o", "out.h5")
            self.refused("out.h5", "-o", "a.png", says="step 3 holds slip_x, and an overview")

    def test_a_title_is_text_and_never_a_command(self):
        quoted = '"' + HOSTILE.replace("\\", "\\\\").replace('"', '\\"') + '"'
        with case_folder(CASE.replace("sphere on a plane, µ = 0.4", quoted)):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("fig.svg"))
            self.assertIn(HOSTILE.split("<b>")[0].split()[0], texts[0])
            self.assertEqual(" ".join(texts[0:2])[:len(HOSTILE)], HOSTILE)
            self.assertEqual(listing(), ["case.yaml", "fig.svg", "out.h5"])

    @machine.needs("h5py")
    def test_a_title_that_no_case_may_have_is_harmless_too(self):
        with case_folder():
            run_case("-o", "out.h5")
            with h5py.File("out.h5", "r+") as file:
                file.attrs["title"] = "one\nsystem('touch pwned')\nEND\u0007\u009c"
            self.assertIn("one system('touch pwned') END", svg_texts(self.plot("fig.svg")))
            png_size(self.plot("fig.png"))
            self.assertEqual(listing(), ["case.yaml", "fig.png", "fig.svg", "out.h5"])

    def test_names_of_files_are_never_commands(self):
        with case_folder():
            run_case("-o", "out.h5")
            name = "it's `touch pwned`; \"a\"\nb.svg"
            self.assertTrue(svg_texts(self.plot(name)))
            self.assertEqual(listing(), sorted(["case.yaml", "out.h5", name]))

    def test_mistakes_exit_2_with_one_sentence(self):
        with case_folder():
            run_case("-o", "out.h5")
            os.mkdir("folder.png")
            self.refused("out.h5", says="--output is required")
            self.refused("out.h5", "-o", "fig.jpg", says="ends with .png, .svg or .pdf")
            self.refused("out.h5", "-o", "fig", says="no ending")
            self.refused("out.h5", "-o", "folder.png", says="not a regular file")
            self.refused("out.h5", "-o", "no/fig.png", says="there is no folder no")
            self.refused("missing.h5", "-o", "fig.png", says="no such file")
            self.refused("case.yaml", "-o", "fig.png", says="not an HDF5 file")
            self.refused("out.h5", "-o", "fig.png", "--step", "4", says="no step 4")
            self.refused("out.h5", "-o", "fig.png", "--step", "1,0", says='"0" is not a step')
            self.refused("out.h5", "-o", "fig.png", "--step", "1x", says='"1x" is not a step')
            self.refused("out.h5", "-o", "fig.png", "--fields", "pressure,presure",
                         says="did you mean 'pressure'?")
            self.refused("out.h5", "-o", "fig.png", "--step", ",".join(["1"] * 20),
                         says="a figure has at most")
            os.chmod("folder.png", 0o500)
            if not machine.may_write_in("folder.png"):  # not as root
                self.refused("out.h5", "-o", "folder.png/fig.png", says="cannot write")
            os.chmod("folder.png", 0o700)

    def test_a_figure_is_overwritten_only_when_asked(self):
        with case_folder():
            run_case("-o", "out.h5")
            with open("fig.png", "w", encoding="utf-8") as file:
                file.write("precious")
            self.refused("out.h5", "-o", "fig.png", says="use --overwrite")
            self.refused("out.h5", "-o", "fig.png", "--overwrite", says="not a figure (PNG")
            self.assertEqual(os.path.getsize("fig.png"), 8)
            os.remove("fig.png")
            self.plot("fig.png")
            self.refused("out.h5", "-o", "fig.png", says="use --overwrite")
            self.plot("fig.png", "--overwrite")
            png_size("fig.png")

    @machine.needs("own programs")
    def test_a_gnuplot_that_is_missing_or_fails(self):
        with case_folder():
            run_case("-o", "out.h5")
            os.mkdir("bin")
            environment = {**os.environ, "PATH": os.path.abspath("bin")}
            self.refused("out.h5", "-o", "fig.png", code=3, environment=environment,
                         says="apt-get install gnuplot-nox")
            scripts = {"echo 'line 0: no such terminal' >&2; exit 1": "no such terminal",
                       "exit 0": "no complete picture",
                       "printf '\\211PNG\\r\\n\\032\\n'": "no complete picture",
                       "kill -9 $$": "ended by signal 9"}
            for script, sentence in scripts.items():
                machine.write_program("bin/gnuplot", script)
                self.refused("out.h5", "-o", "fig.png", code=3, environment=environment,
                             says=sentence)

    def test_settings_of_the_user_do_not_matter(self):
        with case_folder():
            run_case("-o", "out.h5")
            with open(".gnuplot", "w", encoding="utf-8") as file:
                file.write("set terminal dumb\nexit status 1\n")
            done = call("plot", "out.h5", "-o", "fig.png",
                        env={**os.environ, "HOME": os.getcwd(), "LC_ALL": "de_DE.UTF-8"})
            self.assertEqual(done.returncode, 0, done.stderr)
            png_size("fig.png")

    def test_profiles_of_wheels_and_rails(self):
        with case_folder():
            run_case("-o", "out.h5")
            with open("arc.txt", "w", encoding="utf-8") as file:  # of 300 mm: 3.333/m
                file.write("".join(f"{y} {300 - (300 ** 2 - y ** 2) ** 0.5}\n"
                                   for y in range(-35, 36)))
            done = call("plot", "arc.txt", "--profile", "rail", "-o", "rail.svg")
            self.assertEqual(done.returncode, 0, done.stderr)
            texts = svg_texts("rail.svg")
            for text in ["arc.txt", "points of the file", "z [mm], down",
                         "rail, right side: 71 points, 70.16 mm along its surface"]:
                self.assertIn(text, texts)
            self.refused("arc.txt", "-o", "new.png", says="--profile wheel or --profile rail")
            with open("metres.txt", "w", encoding="utf-8") as file:
                file.write("% y z ! in metres\n" +
                           "".join(f"{y / 1000} {(300 - (300 ** 2 - y ** 2) ** 0.5) / 1000}\n"
                                   for y in range(-35, 36)))
            self.refused("metres.txt", "--profile", "rail", "-o", "new.png", says="1000")
            done = call("plot", "metres.txt", "--profile", "rail", "--scale", "1000", "-o", "m.svg")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("rail, right side: 71 points, 70.16 mm along its surface",
                          svg_texts("m.svg"))
            shutil.copy("arc.txt", "arc.ban")
            self.refused("arc.ban", "-o", "fig.png", says="mirror_y: true")
            done = call("plot", "arc.ban", "--mirror-y", "true", "-o", "fig.png")
            self.assertEqual(done.returncode, 0, done.stderr)
            png_size("fig.png")
            done = call("plot", "arc.txt", "--profile", "wheel", "-o", "wheel.svg")
            self.assertEqual(done.returncode, 0, done.stderr)  # a crowned roller, perhaps
            self.assertIn("no flange", " ".join(svg_texts("wheel.svg")))
            self.refused("arc.txt", "--profile", "rail", "--smoothing", "-1", "-o", "new.png",
                         says="smoothing -1")
            self.refused("arc.txt", "--profile", "rail", "--step", "1", "-o", "new.png",
                         says="this is a profile")
            self.refused("out.h5", "--mirror-y", "true", "-o", "new.png", says="--profile wheel")

    def test_wheels_in_contact_and_contact_lines(self):
        with case_folder():
            with open("both.yaml", "w", encoding="utf-8") as file:
                file.write(WHEELSET)
            done = call("run", "both.yaml", "-o", "both.h5", "--backend", "cpu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("so the pressure is coarse", done.stderr)
            coarse = call("run", "both.yaml", "-o", "coarse.h5", "--backend", "cpu", "--set",
                          "wheel_rail.spacing=[2, 2]")
            self.assertIn("so the pressure is coarse. A smaller wheel_rail.spacing", coarse.stderr)
            done = call("plot", "both.h5", "-o", "both.svg")
            self.assertEqual(done.returncode, 0, done.stderr)
            texts = svg_texts("both.svg")
            for text in ["left wheel, track coordinates", "right wheel, track coordinates", "rail",
                         "pressure", "z [mm], down"]:
                self.assertIn(text, texts)
            self.assertTrue(any("2 contacts; force on the rails" in text for text in texts))
            self.assertEqual(call("plot", "both.h5", "--patch", "2", "-o", "p.png").returncode, 0)
            self.refused("both.h5", "--step", "1,last", "-o", "new.png", says="accepted: one --step")
            self.refused("both.h5", "--contact-lines", "-o", "new.png", says="are of a sweep over")
            with open("lateral.yaml", "w", encoding="utf-8") as file:
                file.write(WHEELSET +
                           "sweep: [{key: wheel_rail.wheelset.y, from: -6, to: 6, points: 13}]\n")
            done = call("run", "lateral.yaml", "--set", "wheel_rail.geometry_only=true", "-o",
                        "lateral.h5", "--backend", "cpu", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            points = json.loads(done.stdout)["points"]
            for one, other in zip(points, reversed(points)):  # as in a mirror
                self.assertAlmostEqual(one["rolling_radius_difference"],
                                       -other["rolling_radius_difference"], delta=1e-6)
                self.assertAlmostEqual(one["left_nearest_y"], -other["right_nearest_y"], delta=1e-6)
            done = call("plot", "lateral.h5", "--contact-lines", "-o", "lines.svg")
            self.assertEqual(done.returncode, 0, done.stderr)
            texts = svg_texts("lines.svg")
            for text in ["left wheel: wheel above, rail below", "equivalent conicity", "rolling radius",
                         "contact angle, down towards the field side",
                         "difference of the rolling radii, right less left"]:
                self.assertIn(text, texts)

    def test_help_has_examples(self):
        done = call("plot", "--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("slipfield plot out.h5 -o overview.png", done.stdout)


if __name__ == "__main__":
    machine.run_tests()
