# SPDX-License-Identifier: Apache-2.0
"""slipfield plot: several results, animations, PDF, shapes; long tables, and tables of places alone. It takes 5 s, half
of them for the frames of animations."""
import os
import shlex
import shutil
import struct
import sys
import unittest
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "program"))
import machine  # noqa: E402
from program import CASE, DATA, call, case_folder, run_case, yaml_path  # noqa: E402

machine.script_needs("gnuplot")
h5py = machine.module("h5py")
PROFILES = os.path.join(DATA, "..", "..", "cases", "profiles")

SWEEP = CASE.split("steps:")[0] + """sweep:
  - {key: normal.force, from: 4.0, to: 9.0, points: 3}
  - {key: tangential.x.force_ratio, values: [-0.5, -0.25]}
"""
PLACES = f"""schema: 1
units: N-mm-s
bodies:
  wheel: {{shear_modulus: 82000, poisson_ratio: 0.28}}
  rail: {{shear_modulus: 82000, poisson_ratio: 0.28}}
friction: {{coefficient: 0.3}}
wheel_rail:
  side: both
  geometry_only: true
  wheel: {{profile: {yaml_path(PROFILES, "MBench_S1002_v3.prw")}}}
  rail: {{profile: {yaml_path(PROFILES, "MBench_UIC60_v3.prr")}}}
  spacing: [0.5, 0.5]
  wheelset: {{y: 1.0, velocity: {{x: 2000}}}}
  vertical_force: 20000
sweep: [{{key: wheel_rail.wheelset.y, from: -1, to: 1, points: 3}}]
"""


def svg_texts(path):
    texts = ElementTree.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")
    return [" ".join("".join(text.itertext()).split()) for text in texts]


def gif_frames(path):
    """Size and number of the frames of a GIF."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:4] == b"GIF8" and data[-1:] == b";"
    width, height, flags = struct.unpack("<HHB", data[6:11])
    at, frames = 13 + (3 << ((flags & 7) + 1) if flags & 128 else 0), 0

    def after_blocks(at):
        while data[at]:
            at += 1 + data[at]
        return at + 1
    while data[at] != 0x3b:
        if data[at] == 0x21:  # an extension
            at = after_blocks(at + 2)
            continue
        assert data[at] == 0x2c
        frames += 1
        local = data[at + 9]
        at = after_blocks(at + 11 + (3 << ((local & 7) + 1) if local & 128 else 0))
    return width, height, frames


class Pairs(unittest.TestCase):
    def plot(self, *arguments, environment=None):
        done = call("plot", *arguments, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return arguments[arguments.index("-o") + 1]

    def refused(self, *arguments, says, code=2, environment=None):
        before = sorted(os.listdir())
        done = call("plot", *arguments, env=environment)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(sorted(os.listdir()), before)

    def test_two_frictions(self):
        with case_folder():
            run_case("-o", "a.h5")
            run_case("-o", "b.h5", "--set", "friction.coefficient=0.2")
            run_case("-o", "fine.h5", "--set", "grid.elements=[14, 11]")
            texts = svg_texts(self.plot("a.h5", "b.h5", "-o", "cuts.svg"))
            for text in ("coefficient of friction = 0.4 (a.h5)", "pressure along x at y = −0.025 mm",
                         "coefficient of friction = 0.2 (b.h5)", "traction x [N/mm²]",
                         "The cases differ in friction.coefficient: 0.4, 0.2."):
                self.assertIn(text, texts)
            texts = svg_texts(self.plot("a.h5", "b.h5", "-o", "less.svg", "--difference"))
            self.assertIn("contact of b.h5", texts)
            self.assertTrue(any(text.startswith("a.h5 less b.h5.") for text in texts), texts)
            self.assertTrue(any("The pressure is the same." in text or "The pressure differs by"
                                in text for text in texts), texts)
            texts = svg_texts(self.plot("a.h5", "fine.h5", "-o", "grids.svg", "--fields", "gap"))
            self.assertTrue(any("grid.elements: [13, 11], [14, 11]" in text for text in texts))
            texts = svg_texts(self.plot("a.h5", "b.h5", "-o", "along.svg", "--over", "step"))
            self.assertIn("a.h5", texts)
            self.assertIn("force in x / µFₙ", texts)
            self.refused("a.h5", "fine.h5", "-o", "x.png", "--difference",
                         says="accepted: two results on the same grid, or cuts")
            self.refused("a.h5", "-o", "x.png", "--difference", says="and 1 is named")
            self.refused("a.h5", "b.h5", "fine.h5", "-o", "x.png", "--difference", says="3 are")
            self.refused("a.h5", "b.h5", "-o", "x.png", "--history", says="--history is of one")
            self.refused("a.h5", "b.h5", "-o", "x.png", "--step", "1,2", says="one --step")
            self.refused("a.h5", "b.h5", "-o", "x.png", "--step", "7", says="a.h5: there is no step 7")
            self.refused("a.h5", "b.h5", "-o", "x.gif", says="an animation is of the steps of one")
            self.refused("a.h5", "no.h5", "-o", "x.png", says="no.h5: there is no such file")
            self.refused("a.h5", "b.h5", "-o", "x.png", "--difference", "--at", "0,0",
                         says="--difference draws maps")

    def test_two_sweeps(self):
        with case_folder(SWEEP):
            run_case("-o", "a.h5")
            run_case("-o", "b.h5", "--set", "friction.coefficient=0.2")
            texts = svg_texts(self.plot("a.h5", "b.h5", "-o", "curves.svg", "--quantities",
                                        "force_x,max_pressure"))
            for text in ("normal force [N]", "force in x [N]", "-0.25, b.h5", "-0.5, a.h5",
                         "The cases differ in friction.coefficient: 0.4, 0.2."):
                self.assertIn(text, texts)
            panels = svg_texts(self.plot("a.h5", "-o", "panels.svg", "--panels",
                                         "tangential.x.force_ratio"))
            self.assertIn("force in x / µFₙ = -0.25", panels)
            self.refused("a.h5", "-o", "x.png", "--panels", "normal.force", says="horizontal axis")
            self.refused("a.h5", "-o", "x.png", "--panels", "normal.forc", says="did you mean")
            self.refused("a.h5", "b.h5", "-o", "x.png", "--heat-map", says="--heat-map is of one")
            self.refused("a.h5", "b.h5", "-o", "x.png", "--fields", "gap", says="--point")
            self.refused("a.h5", "-o", "x.gif", says="an animation is of the steps")

    @machine.needs("gnuplot's GIF")
    def test_animations(self):
        with case_folder():
            run_case("-o", "out.h5", "--set", "output.steps=all")
            width, height, frames = gif_frames(self.plot("out.h5", "-o", "out.gif"))
            self.assertEqual(frames, 3)
            self.assertTrue(700 < width < 3000 and 500 < height < 3000)
            self.assertEqual(gif_frames(self.plot("out.h5", "-o", "two.gif", "--step", "1,3",
                                                  "--surface", "pressure", "--frame-rate", "2"))[2], 2)
            self.plot("out.h5", "-o", "two.gif", "--overwrite", "--fields", "pressure")
            self.refused("out.h5", "-o", "x.gif", "--step", "2", says="accepted: a sequence kept")
            self.refused("out.h5", "-o", "x.png", "--frame-rate", "2", says="is of an animation")
            self.refused("out.h5", "-o", "x.gif", "--frame-rate", "0", says="--frame-rate")
            machine.require(self, "own programs")
            os.mkdir("bin")
            machine.write_program("bin/gnuplot", f"PATH={shlex.quote(os.environ['PATH'])}\n"
                                                 f"exec {shlex.quote(shutil.which('gnuplot'))} \"$@\"")
            environment = {**os.environ, "PATH": os.path.abspath("bin")}
            self.refused("out.h5", "-o", "x.mp4", code=3, environment=environment,
                         says="apt-get install ffmpeg")
            machine.write_program("bin/ffmpeg", f"PATH={shlex.quote(os.environ['PATH'])}\n"
                                                "printf '\\0\\0\\0\\040ftypisom'\ngrep -c -a IEND\necho \"$@\"")
            self.plot("out.h5", "-o", "out.mp4", "--frame-rate", "2.5", environment=environment)
            with open("out.mp4", "rb") as file:
                text = file.read()
            self.assertIn(b"isom3\n", text.replace(b"isom\n", b"isom"))  # pictures that it got
            self.assertIn(b"-framerate 2.5", text)
            machine.write_program("bin/ffmpeg", "echo 'no such codec' >&2; exit 1")
            self.refused("out.h5", "-o", "x.mp4", code=3, environment=environment,
                         says="ffmpeg failed: no such codec")

    def test_pdf_for_a_report(self):
        with case_folder():
            run_case("-o", "out.h5")
            self.plot("out.h5", "-o", "fig.pdf", "--shape", "--surface", "pressure,gap")
            with open("fig.pdf", "rb") as file:
                data = file.read()
            self.assertTrue(data.startswith(b"%PDF") and b"%%EOF" in data[-64:])
            self.plot("out.h5", "-o", "fig.pdf", "--overwrite")
            with open("paper.pdf", "wb") as file:  # of the user's: not drawn by slipfield
                file.write(b"%PDF-1.5\nmine\n%%EOF\n")
            self.refused("out.h5", "-o", "paper.pdf", "--overwrite", says="not a figure (PNG")
            with open("paper.pdf", "rb") as file:
                self.assertEqual(file.read(), b"%PDF-1.5\nmine\n%%EOF\n")
            self.refused("out.h5", "-o", "x.png", "--surface", "element_division",
                         says="there is no field")

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

    @machine.needs("h5py")
    def test_a_long_table_is_read_in_blocks(self):
        """20000 points made of six: what is drawn, shown and exported is what is in the file."""
        count = 20000
        with case_folder(SWEEP):
            run_case("-o", "out.h5")
            with h5py.File("out.h5", "r+") as file:
                table = file["table"]
                table.attrs["shape"] = [count // 2, 2]
                for name in list(table):
                    attributes, kind = dict(table[name].attrs), table[name].dtype
                    six = table[name][()]
                    values = range(1, count + 1) if name == "point" else [six[i % 6] for i in range(count)]
                    del table[name]
                    table.create_dataset(name, data=values, dtype=kind)
                    table[name].attrs.update({key: value for key, value in attributes.items() if key.islower()})
                table["max_pressure"][count - 1] = 123.0
            done = call("export", "out.h5", "-o", "out.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open("out.csv", encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertEqual(len(lines), count + 1)
            self.assertEqual(lines[1].split(",")[1:], lines[7].split(",")[1:])
            self.assertIn("123", lines[-1].split(","))
            self.assertEqual(call("export", "out.h5").stdout.splitlines(), lines)
            shown = call("inspect", "out.h5").stdout.splitlines()
            self.assertIn("sweep     20000 points: 20000 converged", shown)
            self.assertIn("123", shown[-1].split())
            self.plot("out.h5", "-o", "out.svg", "--quantities", "max_pressure", "--where",
                      "normal.force=9")
            self.refused("out.h5", "-o", "x.svg", "--where", "normal.force=7",
                         says="no point has normal.force = 7; accepted: 4, 6.5, 9")


if __name__ == "__main__":
    machine.run_tests()
