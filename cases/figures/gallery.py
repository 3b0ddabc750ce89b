#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of cases/GALLERY.md, from the cases that it names: gallery.py PROGRAM [FOLDER]

Runs each case and draws it. With Pillow the pictures are stored with 128 colours, a third of the size.
"""
import os
import subprocess
import sys
import tempfile

try:
    from PIL import Image
except ImportError:
    Image = None

CASES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The case, and what `slipfield plot` is asked for.
FIGURES = {
    "creep_curve": [],
    "steady_spin": [],
    "wheel_on_rail": ["--step", "5", "--contact", "1"],
    "falling_friction": [],
    "heat_rolling": ["--fields", "temperature_upper,traction"],
    "wear_rolling": ["--fields", "wear_depth,slip"],
    "roller_ends": [],
    "interior_hertz": ["--interior", "depth,von_mises"],
    "rolling_fatigue": ["--interior", "depth", "--shakedown"],
    "tractive_rollers": [],
    "cattaneo_shift": [],
    "rough_sphere": [],
    "rough_surface": ["--fields", "pressure,gap"],
}
# The case, the key that is changed in a second run, and the names of both results.
PAIRS = {"two_frictions": ("steady_spin", "friction.coefficient=0.15", ["dry.h5", "wet.h5"])}


def main():
    program = os.path.abspath(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(CASES, "figures", "gallery")
    with tempfile.TemporaryDirectory() as work:
        def solved(case, result, *changes):
            path = os.path.join(work, result)
            subprocess.run([program, "run", os.path.join(CASES, case + ".yaml"), "-o", path, "--backend", "cpu",
                            *changes], check=True, stdout=subprocess.DEVNULL)
            return path

        def drawn(name, *arguments):
            figure = os.path.join(folder, name + ".png")
            subprocess.run([program, "plot", *arguments, "-o", figure, "--overwrite"], check=True)
            if Image:
                Image.open(figure).convert("RGB").quantize(128).save(figure, optimize=True)

        for name, options in FIGURES.items():
            drawn(name, solved(name, name + ".h5"), *options)
        for name, (case, change, results) in PAIRS.items():
            drawn(name, solved(case, results[0]), solved(case, results[1], "--set", change))


if __name__ == "__main__":
    main()
