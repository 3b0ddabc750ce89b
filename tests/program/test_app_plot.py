# SPDX-License-Identifier: Apache-2.0
"""slipfield plot and report from outside: every kind of figure of every kind of result, the sentences that refuse one, and
what stays behind. It takes half a minute: matplotlib draws some sixty figures."""
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

import machine
import warm_python
from program import CASE, DATA, FRICTIONLESS, ONE_ROW, PROGRAM, call, case_folder, run_case, wheel_case, write

machine.script_needs("figures")
h5py = machine.module("h5py")
# Calls with an environment of their own take the user's Python.
WARM = warm_python.environment()

NO_CONTACT = FRICTIONLESS.replace("normal: {force: 9.1954}", "normal: {approach: -0.01}")
SWEEP = CASE.split("steps:")[0] + """sweep:
  - {key: normal.force, from: 4.0, to: 9.0, points: 3}
  - {key: tangential.x.force_ratio, values: [-0.5, -0.25]}
output: {fields: all}
"""
INTERIOR = FRICTIONLESS + "interior: {body: lower, depths: [0.0, 0.2, 0.4], quantities: [von_mises]}\n"
HOSTILE = "`touch pwned` 'x' system(\"touch pwned\") ${x} @x {/:Bold ^2} <b> & 100 % \\n ü $"
WHEELSET = wheel_case()
ONE_PANEL = "--fields", "pressure"  # a figure that is quick to draw, where it does not matter what it shows
APART = CASE.split("steps:")[0].replace("normal: {force: 9.1954}", "normal: {approach: -0.001}").replace(
    "problem: shift, x: {force_ratio: -0.5}", "problem: shift, x: {shift: 0.0}")


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


class Figures(unittest.TestCase):
    def plot(self, *arguments, environment=None):
        done = call("plot", *arguments, env=environment or WARM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return arguments[arguments.index("-o") + 1]

    def refused(self, *arguments, says, code=2, environment=None, command="plot", **options):
        before = listing()
        done = call(command, *arguments, env=environment or WARM, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertNotIn(".partial", done.stderr)  # the name under which a figure is written first
        self.assertEqual(listing(), before)

    def test_every_kind_of_a_plain_result(self):
        with case_folder():
            run_case("-o", "out.h5")
            width, height = png_size(self.plot("out.h5", "-o", "fig.png", *ONE_PANEL))
            self.assertTrue(800 < width < 4000 and 600 < height < 4000)
            texts = svg_texts(self.plot("out.h5", "-o", "fig.svg"))
            for text in ("sphere on a plane, µ = 0.4", "adhesion", "slip", "± traction bound"):
                self.assertIn(text, texts)
            for i, arguments in enumerate((
                    ("--fields", "traction_x,displacement_n,element_division,slip", "--whole-grid"),
                    ("--step", "1,2", "--step", "last", "--fields", "pressure", "--fields", "slip_x"),
                    ("--cuts", "--history", "--at", "-0.31,0.4", "--shape", "--surface", "pressure,gap", "--style", "slide"),
                    ("--over", "step", "--quantities", "normal_force"), ("--quantities", "normal_force,force_x", "--style", "column"))):
                self.plot("out.h5", "-o", f"{i}.png", *arguments)
            run_case("-o", "b.h5", "--set", "friction.coefficient=0.2")
            texts = svg_texts(self.plot("out.h5", "b.h5", "-o", "cuts.svg"))
            self.assertTrue(any("out.h5" in text for text in texts), texts)
            self.plot("out.h5", "b.h5", "-o", "less.svg", "--difference", *ONE_PANEL)
            self.plot("out.h5", "b.h5", "-o", "along.svg", "--over", "step", "--quantities", "force_x")
            texts = svg_texts(self.plot("out.h5", "-o", "over.svg", "--over", "force_x", "--quantities", "elastic_energy"))
            self.assertTrue(any(text.startswith("Force in x") for text in texts), texts)
            self.refused("out.h5", "b.h5", "-o", "x.png", "--history", says="--history takes one result, and 2 are named")
            self.refused("out.h5", "b.h5", "-o", "x.png", "--step", "1,2", says="one --step")
            self.refused("out.h5", "b.h5", "-o", "x.gif", says="an animation (.gif) needs the steps of one")
            self.refused("out.h5", "no.h5", "-o", "x.png", says="no.h5")
            self.refused("out.h5", "-o", "x.png", "--difference", says="and 1 is named")
            self.refused("out.h5", "-o", "a.png", "--over", "normal.force",
                         says='out.h5: --over names no key and no total of it, "normal.force"; did you mean \'normal_force\'?')
            self.refused("out.h5", "b.h5", "-o", "a.png", "--over", "aproach", says="did you mean 'approach'?")
            self.refused("out.h5", "-o", "a.png", "--over", "step", "--cuts", says="a figure of its own")

    def test_results_without_friction_of_one_row_or_without_contact(self):
        for case, says in ((FRICTIONLESS, "Pressure"), (ONE_ROW, "Slip"), (NO_CONTACT, "no contact")):
            with case_folder(case):
                run_case("-o", "out.h5")
                texts = svg_texts(self.plot("out.h5", "-o", "fig.svg"))
                self.assertTrue(any(says in text for text in texts), texts)
        with case_folder(FRICTIONLESS.replace("force: 9.1954", "force: 60.0")):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("out.h5", "-o", "fig.svg"))
            self.assertTrue(any("the grid may be too small" in text for text in texts), texts)
            self.refused("out.h5", "-o", "a.png", "--over", "step", says="it holds one step")
        with case_folder(CASE + "output: {fields: [slip_x]}\n"):
            run_case("-o", "out.h5")
            self.plot("out.h5", "-o", "slip.png", "--fields", "slip_x")
            self.refused("out.h5", "-o", "a.png", says="step 3 holds slip_x, and an overview")
            self.refused("out.h5", "-o", "a.png", "--fields", "traction", says='has no field "traction_x"')
        with case_folder():
            run_case("-o", "out.h5", "--set", "output.fields=none")
            self.refused("out.h5", "-o", "a.png", says="step 3 holds no field, and an overview draws the pressure or the tractions; "
                         "accepted: --history")
            self.refused("out.h5", "-o", "a.png", "--cuts", says="it holds no field, which `output.fields` of its case chose")

    def test_every_kind_of_a_sweep(self):
        with case_folder(SWEEP):
            run_case("-o", "out.h5")
            for name, arguments, shown in (
                    ("curve", (), ()), ("panels", ("--panels", "tangential.x.force_ratio", "--quantities", "shift_x"), ()),
                    ("heat", ("--heat-map", "--quantities", "max_pressure,shift_x"), ("Greatest pressure ", "Normal force $F_n$ (N)")),
                    ("part", ("--where", "normal.force=9", "--quantities", "force_x,approach"), ()), ("point", ("--point", "2"), ()),
                    ("none", ("--panels", "none", "--over", "normal.force", "--quantities", "shift_x,approach"),
                     ("Normal force $F_n$ (N)", "Approach "))):
                with open(self.plot("out.h5", "-o", name + ".svg", *arguments), encoding="utf-8") as file:
                    drawn = file.read()
                for text in shown:
                    self.assertIn(text, drawn)
            run_case("-o", "b.h5", "--set", "friction.coefficient=0.2")
            texts = svg_texts(self.plot("out.h5", "b.h5", "-o", "both.svg", "--quantities", "force_x"))
            self.assertLessEqual({"μ = 0.4 (out.h5)", "μ = 0.2 (b.h5)"}, set(texts))
            for arguments, says in ((("--fields", "gap"), "--point"), (("--panels", "normal.force"), "horizontal axis"),
                                    (("--panels", "normal.forc"), "did you mean 'normal.force'"),
                                    (("--where", "normal.force"), "accepted: key.path=value"), (("--shape",), "--point"),
                                    (("--over", "normal.forse"), "did you mean"), (("--cuts",), "--point"),
                                    (("--heat-map", "--over", "normal.forse"), "did you mean"),
                                    (("--heat-map", "--where", "normal.force=9"), "--where"),
                                    (("--quantities", "forse_x"), "did you mean"), (("--quantities", "spin"), "no point"),
                                    (("--point", "9"), "it holds no fields of point 9; accepted: one of 1, 2"),
                                    (("--heat-map", "--panels", "normal.force"), "accepted: --heat-map or --panels"),
                                    (("--contact-lines",), "accepted: such a sweep"),
                                    (("--side", "both"), "not a wheel on a rail; accepted: no --side and no --contact")):
                self.refused("out.h5", "-o", "x.png", *arguments, says=says)
            self.refused("out.h5", "-o", "x.gif", says="an animation (.gif) needs the steps")

    def test_without_contact_the_shakedown_map_says_that_nothing_touches(self):
        apart = APART + "fatigue: {shear_yield: 300}\n"
        with case_folder(apart):
            run_case("-o", "out.h5")
            self.refused("out.h5", "-o", "x.png", "--shakedown", says="nothing touches in it; accepted: a step in contact")

    def test_every_kind_of_an_interior(self):
        with case_folder(INTERIOR):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("out.h5", "-o", "out.svg"))
            self.assertTrue(any("--interior depth,von_mises" in text for text in texts), texts)
            self.plot("out.h5", "-o", "inside.png", "--interior", "depth,von_mises")
            self.refused("out.h5", "-o", "x.png", "--interior", "along_y", says="accepted: a case with 'interior.fatigue'")
            self.refused("out.h5", "-o", "x.png", "--shakedown", says="has no point in the shakedown map; accepted: a case with 'fatigue'")
            done = call("report", "out.h5", "-o", "out.html", env=WARM)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open("out.html", encoding="utf-8") as file:
                self.assertIn("Inside the bodies", file.read())

    def test_every_kind_of_wheels(self):
        with case_folder():
            with open("both.yaml", "w", encoding="utf-8") as file:
                file.write(WHEELSET)
            done = call("run", "both.yaml", "-o", "both.h5", "--backend", "cpu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("creep forces are coarse", done.stderr)
            coarse = call("run", "both.yaml", "-o", "coarse.h5", "--backend", "cpu", "--set", "wheel_rail.spacing=[2, 2]")
            self.assertIn("so the pressure and the creep forces are coarse. A smaller wheel_rail.spacing", coarse.stderr)
            for advised in re.findall(r"spacing: ([0-9.]+) mm gives", coarse.stderr):
                self.assertLess(float(advised), 2.0)
            texts = svg_texts(self.plot("both.h5", "-o", "both.svg"))
            for text in ("rail", "wheel, where its circles are lowest"):
                self.assertIn(text, texts)
            self.plot("both.h5", "--contact", "2", "-o", "p.png")
            self.plot("both.h5", "--contacts", "-o", "plan.png")
            self.refused("both.h5", "--contacts", "--fields", "pressure,gap", "-o", "none.png",
                         says="--fields: --contacts draws one field, and 2 are named; accepted: one of them")
            for option in (("--history",), ("--at", "0,0"), ("--shape",)):
                self.refused("both.h5", "--contacts", *option, "-o", "none.png",
                             says=f"{option[0]} is of one contact, and --contacts draws all of them; accepted: --contact N instead of")
            self.plot("both.h5", "--fields", "pressure,traction", "-o", "first.png")
            self.refused("both.h5", "--step", "1,last", "-o", "new.png", says="accepted: one --step")
            self.refused("both.h5", "--step", "3", "-o", "new.png", says="no step 3")
            self.refused("both.h5", "--contact", "3", "-o", "new.png", says="no contact 3; accepted: 1 to 2")
            self.refused("both.h5", "--contact-lines", "-o", "new.png", says="are of a sweep over")
            done = call("report", "both.h5", "-o", "both.html", env=WARM)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_radius_difference_of_a_wheel_alone_has_the_sign_of_the_wheelset(self):
        """Right less left: positive where the wheelset is moved to the right, whichever wheel is solved."""
        with case_folder():
            write("case.yaml", WHEELSET)
            for side in ("left", "right", "both"):
                done = call("run", "case.yaml", "--set", f"wheel_rail.side={side}", "--set", "wheel_rail.geometry_only=true", "--set",
                            "wheel_rail.wheelset.y=3", "-o", f"{side}.h5", "--backend", "cpu")
                self.assertEqual(done.returncode, 0, done.stderr)
                table = call("export", f"{side}.h5", "--quantities", "rolling_radius_difference").stdout.splitlines()
                self.assertGreater(len(table), 1)
                for row in table[1:]:
                    self.assertGreater(float(row.split(",")[-1]), 0.1, (side, table))

    def test_contact_lines(self):
        with case_folder():
            with open("lateral.yaml", "w", encoding="utf-8") as file:
                file.write(WHEELSET + "sweep: [{key: wheel_rail.wheelset.y, from: -6, to: 6, points: 13}]\n")
            done = call("run", "lateral.yaml", "--set", "wheel_rail.geometry_only=true", "-o", "lateral.h5", "--backend", "cpu",
                        "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            points = json.loads(done.stdout)["points"]
            for one, other in zip(points, reversed(points)):  # as in a mirror
                self.assertAlmostEqual(one["rolling_radius_difference"], -other["rolling_radius_difference"], delta=1e-6)
                self.assertAlmostEqual(one["left_nearest_y"], -other["right_nearest_y"], delta=1e-6)
            texts = svg_texts(self.plot("lateral.h5", "--contact-lines", "-o", "lines.svg"))
            for text in ("Left wheel above, rail below", "Right wheel above, rail below", "contact position"):
                self.assertIn(text, texts)
            self.assertTrue(any("Δr/(2y) equals the equivalent conicity of" in text for text in texts), texts)
            self.assertIn("Contact angle, + as on the flange (°)", texts)
            with open("lines.svg", encoding="utf-8") as file:
                drawn = file.read().lower()
            for colour in ("#0072b2", "#d55e00", "#009e73", "#cc79a7"):  # rail, wheel, left and right wheel
                self.assertIn(f"stroke: {colour}", drawn)
            self.plot("lateral.h5", "-o", "lateral.png")
            self.assertNotIn("left wheel", svg_texts(self.plot("lateral.h5", "-o", "both.svg", "--side", "both")))
            done = call("report", "lateral.h5", "-o", "lateral.html", env=WARM)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open("lateral.html", encoding="utf-8") as file:
                page = file.read()
            self.assertIn('alt="Rolling radius difference Δr (mm) over Lateral position of the wheelset y (mm)"', page)
            self.assertNotIn('alt=""', page)

    def test_curves_over_steps_are_of_one_contact_where_one_is_named(self):
        with case_folder(WHEELSET + "steps: [{}, {wheel_rail: {wheelset: {y: 2.0}}}]\n"):
            done = call("run", "case.yaml", "-o", "out.h5", "--backend", "cpu", "--set",
                        "wear={law: archard, coefficient: 1.0e-4, hardness: 3000}")
            self.assertEqual(done.returncode, 0, done.stderr)
            for side in ("left", "right"):
                self.assertRegex(done.stdout, rf"on {side} rail: [-.\de]+, [-.\de]+, [-.\de]+ N; T-gamma [-.\de]+ N; radius 4[56]\d\.\d{{4}} mm\n")
            self.refused("out.h5", "-o", "a.png", "--over", "step", "--contact", "2",
                         says="out.h5: contacts are numbered on each wheel, and this is the result of a wheelset; accepted: --side left or right "
                              "with --contact")
            self.refused("out.h5", "-o", "a.png", "--over", "step", "--contact", "9", "--side", "left",
                         says="out.h5: no step has a contact 9 of a wheel; accepted: the number of a contact on its wheel, or without --contact")
            drawn = self.plot("out.h5", "-o", "a.svg", "--over", "step", "--side", "left", "--contact", "1", "--quantities", "contact_angle")
            self.assertIn("Contact angle, left wheel (°) γ", svg_texts(drawn))

    def test_profiles_of_wheels_and_rails(self):
        with case_folder():
            run_case("-o", "out.h5")
            with open("arc.txt", "w", encoding="utf-8") as file:  # of 300 mm: 3.333/m
                file.write("".join(f"{y} {300 - (300 ** 2 - y ** 2) ** 0.5}\n" for y in range(-35, 36)))
            texts = svg_texts(self.plot("arc.txt", "--profile", "rail", "-o", "rail.svg"))
            for text in ("arc.txt", "points of the file", "Rail, right side, 71 points, 70.16 mm along its surface"):
                self.assertIn(text, texts)
            self.refused("arc.txt", "-o", "new.png", says="--profile wheel or --profile rail")
            for name in ("arc.mpt", "arc.wpf", "arc", "arc.slcs"):  # whatever the ending
                shutil.copy("arc.txt", name)
                self.refused(name, "-o", "new.png", says="--profile wheel or --profile rail")
            with open("metres.txt", "w", encoding="utf-8") as file:
                file.write("% y z ! in metres\n" + "".join(f"{y / 1000} {(300 - (300 ** 2 - y ** 2) ** 0.5) / 1000}\n"
                                                           for y in range(-35, 36)))
            self.refused("metres.txt", "--profile", "rail", "-o", "new.png", says="1000")
            self.plot("metres.txt", "--profile", "rail", "--scale", "1000", "-o", "m.svg")
            texts = svg_texts(self.plot("arc.txt", "--profile", "wheel", "-o", "wheel.svg"))
            self.assertIn("no flange", " ".join(texts))  # a crowned roller, perhaps
            self.refused("arc.txt", "--profile", "rail", "--smoothing", "-1", "-o", "new.png", says="smoothing -1")
            self.refused("arc.txt", "--profile", "rail", "--step", "1", "-o", "new.png", says="this is a profile")
            self.refused("out.h5", "--mirror-y", "true", "-o", "new.png", says="--profile wheel")

    def test_animations(self):
        with case_folder():
            run_case("-o", "out.h5", "--set", "output.steps=all")
            image = machine.imported("PIL.Image")[0]
            for arguments, frames in (((*ONE_PANEL,), 3), (("--step", "1,3", "--surface", "pressure", "--frame-rate", "2"), 2)):
                self.plot("out.h5", "-o", "out.gif", "--overwrite", *arguments)
                with open("out.gif", "rb") as file:
                    self.assertEqual(file.read(4), b"GIF8")
                if image:
                    with image.open("out.gif") as picture:
                        self.assertEqual(picture.n_frames, frames)
                        self.assertTrue(500 < picture.size[0] < 3000, picture.size)
            self.refused("out.h5", "-o", "x.gif", "--step", "2", says="accepted: a sequence kept")
            self.refused("out.h5", "-o", "x.png", "--frame-rate", "2", says="is of an animation")
            self.refused("out.h5", "-o", "x.gif", "--frame-rate", "0", says="accepted: 0.1 to 60")
            os.mkdir("bin")
            environment = {**(WARM or os.environ), "PATH": os.path.abspath("bin")}
            self.refused("out.h5", "-o", "x.mp4", *ONE_PANEL, code=3, environment=environment, says="apt-get install ffmpeg")
            machine.require(self, "own programs")
            machine.write_program("bin/ffmpeg", "echo 'no such codec' >&2; exit 1")
            self.refused("out.h5", "-o", "x.mp4", *ONE_PANEL, code=3, environment=environment, says="ffmpeg failed: no such codec")
            machine.write_program("bin/ffmpeg", "for last; do :; done; echo \"$last: no space\" >&2; exit 1")
            self.refused("out.h5", "-o", "x.mp4", *ONE_PANEL, code=3, environment=environment, says=os.path.abspath("x.mp4") + ": no space")

    def test_a_full_disk_is_exit_code_3_with_name_and_reason(self):
        def full():  # imitated by a limit of the size of files
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
        with case_folder():
            run_case("-o", "out.h5", "--set", "output.steps=all")
            for command, output in (("plot", "a.png"), ("plot", "a.svg"), ("plot", "a.pdf"), ("plot", "a.gif"), ("report", "a.html")):
                self.refused("out.h5", "-o", output, *(ONE_PANEL if command == "plot" else ()), command=command, code=3, preexec_fn=full,
                             says=f"error: {output}: cannot be written: File too large")

    def test_pdf_is_known_again(self):
        with case_folder():
            run_case("-o", "out.h5")
            self.plot("out.h5", "-o", "fig.pdf", "--style", "column", *ONE_PANEL)
            self.plot("out.h5", "-o", "fig.pdf", "--overwrite", *ONE_PANEL)
            with open("fig.pdf", "rb") as file:
                data = file.read()
            self.assertTrue(data.startswith(b"%PDF") and b"%%EOF" in data[-64:])
            with open("paper.pdf", "wb") as file:  # of the user's: not drawn by slipfield
                file.write(b"%PDF-1.5\nmine\n%%EOF\n")
            self.refused("out.h5", "-o", "paper.pdf", "--overwrite", says="not a figure (PNG")

    def test_titles_and_names_are_text_and_never_commands(self):
        quoted = '"' + HOSTILE.replace("\\", "\\\\").replace('"', '\\"') + '"'
        with case_folder(CASE.replace("sphere on a plane, µ = 0.4", quoted)):
            run_case("-o", "out.h5")
            texts = svg_texts(self.plot("out.h5", "-o", "fig.svg"))
            self.assertIn(HOSTILE, [" ".join(texts[i:j]) for i in range(len(texts)) for j in (i + 1, i + 2)])
            name = "it's `touch pwned`; \"a\"\nb.svg"
            self.assertTrue(svg_texts(self.plot("out.h5", "-o", name, *ONE_PANEL)))
            self.assertEqual(listing(), sorted(["case.yaml", "fig.svg", "out.h5", name]))
            if h5py:
                with h5py.File("out.h5", "r+") as file:
                    file.attrs["title"] = "one\nsystem('touch pwned')\nEND\u0007\u009c"
                self.assertIn("one system('touch pwned') END", svg_texts(self.plot("out.h5", "-o", "b.svg", *ONE_PANEL)))

    def test_mistakes_exit_2_with_one_sentence(self):
        with case_folder():
            run_case("-o", "out.h5")
            os.mkdir("folder.png")
            for arguments, says in ((("out.h5",), "--output FIG.png|svg|pdf|gif|mp4 is missing"), (("out.h5", "-o", "fig.jpg"), "ends with .png, .svg or .pdf"),
                                    (("out.h5", "-o", "fig"), "no ending"), (("out.h5", "-o", "folder.png"), "not a regular file"),
                                    (("out.h5", "-o", "no/fig.png"), "there is no folder no"),
                                    (("missing.h5", "-o", "fig.png"), "missing.h5"), (("case.yaml", "-o", "fig.png"), "not an HDF5 file"),
                                    (("out.h5", "-o", "fig.png", "--step", "4"), "no step 4"),
                                    (("out.h5", "-o", "fig.png", "--step", "1,0"), '"0" is not a step'),
                                    (("out.h5", "-o", "fig.png", "--step", "1x"), '"1x" is not a step'),
                                    (("out.h5", "-o", "fig.png", "--fields", "pressure,presure"), "did you mean 'pressure'?"),
                                    (("out.h5", "-o", "fig.png", "--style", "poster"), 'no style "poster"; accepted: screen'),
                                    (("out.h5", "-o", "fig.png", "--at", "5,0"), "accepted: x from -1.2 to 1.4, y from -1.4 to 1.35"),
                                    (("out.h5", "-o", "fig.png", "--surface", "element_division"), "accepted: a field of numbers"),
                                    (("out.h5", "-o", "fig.png", "--step", ",".join(["1"] * 20)), "a figure has at most")):
                self.refused(*arguments, says=says)
            self.refused("out.h5", "-o", "a.pdf", says=".html", command="report")

    def test_without_python_or_its_packages_one_sentence_says_what_to_install(self):
        with case_folder():
            run_case("-o", "out.h5")
            says = "accepted: apt-get install python3-matplotlib python3-h5py python3-jinja2"
            for command, output in (("plot", "a.png"), ("report", "a.html")):
                self.refused("out.h5", "-o", output, says=says, code=3, command=command,
                             environment={**os.environ, "SLIPFIELD_PYTHON": "/none"})
            machine.require(self, "own programs")
            for script in (f"exec {sys.executable} -S -I \"$@\"", "echo 'No module named slipfield' >&2; exit 1", "exit 69"):
                machine.write_program("python", script)
                self.refused("out.h5", "-o", "a.png", says=says, code=3,
                             environment={**os.environ, "SLIPFIELD_PYTHON": os.path.abspath("python")})
            shutil.copy(PROGRAM, "lone")  # without the package next to it
            machine.write_program("python", "echo 'No module named slipfield' >&2; exit 1")
            lone = subprocess.run(["./lone", "plot", "out.h5", "-o", "a.png"], capture_output=True, text=True, check=False,
                                  env={**os.environ, "SLIPFIELD_PYTHON": os.path.abspath("python")})
            self.assertEqual(lone.returncode, 3)
            self.assertIn("figures and reports are drawn by the Python package slipfield, and no python3 here finds it", lone.stderr)
            self.assertNotIn("matplotlib", lone.stderr)
            machine.write_program("python", "kill -9 $$")
            self.refused("out.h5", "-o", "a.png", says="was ended by signal 9", code=3,
                         environment={**os.environ, "SLIPFIELD_PYTHON": os.path.abspath("python")})
            machine.write_program("python", "exit 0")
            self.refused("out.h5", "-o", "a.png", says="Python wrote no figure", code=3,
                         environment={**os.environ, "SLIPFIELD_PYTHON": os.path.abspath("python")})

    def test_settings_of_the_user_do_not_matter(self):
        with case_folder():
            run_case("-o", "out.h5")
            self.plot("out.h5", "-o", "plain.png", *ONE_PANEL)
            with open("matplotlibrc", "w", encoding="utf-8") as file:
                file.write("figure.facecolor: red\nfont.size: 30\nbackend: TkAgg\n")
            environment = {**os.environ, "HOME": os.getcwd(), "LC_ALL": "de_DE.UTF-8", "MATPLOTLIBRC": os.path.abspath("matplotlibrc")}
            self.plot("out.h5", "-o", "mine.png", *ONE_PANEL, environment=environment)
            with open("plain.png", "rb") as first, open("mine.png", "rb") as second:
                self.assertEqual(first.read(), second.read())

    def test_the_options_are_those_of_the_package(self):
        shown = call("plot", "--help").stdout
        self.assertIn("slipfield plot out.h5 -o overview.png", shown)
        listed = set(re.findall(r"^  .*?(--[\w-]+)", shown, re.M))
        with open(os.path.join(DATA, "..", "..", "app", "python", "slipfield", "figures", "__main__.py"), encoding="utf-8") as file:
            known = set(re.findall(r'"(--[\w-]+)"', file.read()))
        own = {"--help", "--profile", "--mirror-y", "--smoothing", "--scale", "--difference", "--overwrite"}
        self.assertLessEqual(listed - own, known)
        self.assertEqual(known - listed, {"--format", "--profiles"})

    def test_the_package_runs_without_the_program(self):
        package = os.path.join(os.path.dirname(PROGRAM), "python")
        if not os.path.isdir(package) or machine.why_not("h5py", "matplotlib"):
            self.skipTest("the package is not in the build, or this Python lacks its packages")
        with case_folder():
            run_case("-o", "out.h5")
            command = [sys.executable, "-B", "-m", "slipfield.figures", "plot", "out.h5", "-o", "fig.png"]
            environment = {**os.environ, "PYTHONPATH": package}
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("exists already; use --overwrite", done.stderr)


class Typed(unittest.TestCase):
    def test_a_value_is_named_by_the_digits_typed_where_they_name_one(self):
        values = "[7.0710678118654755, 5.0, 8.123456789, 8.123456787]"
        with case_folder(CASE.split("steps:")[0] + f"sweep: [{{key: normal.force, values: {values}}}]\n"):
            run_case("-o", "out.h5", "-q")
            arguments = ("plot", "out.h5", "--quantities", "approach", "-o", "a.png", "--overwrite", "--where")
            for typed, code in (("7.07107", 0), ("7.07", 0), ("5", 0), ("8.1235", 2), ("7.08", 2), ("8.123456787", 0)):
                done = call(*arguments, f"normal.force={typed}", env=WARM)
                self.assertEqual(done.returncode, code, typed + done.stderr)
                if typed == "8.1235":
                    self.assertIn("normal.force=8.1235 may be 8.123456787 or 8.123456789; accepted: one of them", done.stderr)
            for sources in (("out.h5",), ("out.h5", "out.h5")):
                done = call("plot", *sources, "--over", "step", "-o", "b.png", "--overwrite", env=WARM)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("--over step is of the steps of one result, and a sweep has points; accepted: --over normal.force", done.stderr)


if __name__ == "__main__":
    machine.run_tests()
