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
    "wheel_on_rail": ["--step", "5"],
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


def main():
    program = os.path.abspath(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(CASES, "figures", "gallery")
    with tempfile.TemporaryDirectory() as work:
        for name, options in FIGURES.items():
            result = os.path.join(work, name + ".h5")
            figure = os.path.join(folder, name + ".png")
            subprocess.run([program, "run", os.path.join(CASES, name + ".yaml"), "-o", result, "--backend", "cpu"],
                           check=True, stdout=subprocess.DEVNULL)
            subprocess.run([program, "plot", result, "-o", figure, "--overwrite", *options], check=True)
            if Image:
                Image.open(figure).convert("RGB").quantize(128).save(figure, optimize=True)


if __name__ == "__main__":
    main()
