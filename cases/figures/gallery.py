#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of cases/GALLERY.md and of the documents, from the cases that they name: gallery.py PROGRAM [FOLDER]

Runs each case and draws it, by `slipfield plot` and thus by slipfield.figures, for a screen.
"""
import os
import subprocess
import sys
import tempfile

CASES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The name of the figure, the case, and what `slipfield plot` is asked for.
FIGURES = (
    ("creep_curve", "creep_curve", []),
    ("steady_spin", "steady_spin", []),
    ("wheelset", "wheelset", []),
    ("wheelset_plan", "wheelset", ["--contacts"]),
    ("wheel_on_rail", "wheel_on_rail", ["--step", "5", "--contact", "1"]),
    ("falling_friction", "falling_friction", []),
    ("heat_rolling", "heat_rolling", ["--fields", "temperature_upper,traction"]),
    ("wear_rolling", "wear_rolling", ["--fields", "wear_depth,slip"]),
    ("roller_ends", "roller_ends", []),
    ("interior_hertz", "interior_hertz", ["--interior", "depth,von_mises"]),
    ("rolling_fatigue", "rolling_fatigue", ["--interior", "depth", "--shakedown"]),
    ("tractive_rollers", "tractive_rollers", []),
    ("cattaneo_shift", "cattaneo_shift", []),
    ("cattaneo_to_carter", "cattaneo_to_carter", ["--step", "1,8,last", "--fields", "traction"]),
    ("rough_sphere", "rough_sphere", []),
    ("rough_surface", "rough_surface", ["--fields", "pressure,gap"]),
    ("seal", "seal", ["--over", "mean_gap", "--quantities", "normal_force,contact_area_corrected,contact_spots"]),
)
# The case, the key that is changed in a second run, and the names of both results.
PAIRS = {"two_frictions": ("steady_spin", "friction.coefficient=0.15", ["dry.h5", "wet.h5"])}


def main():
    program = os.path.abspath(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(CASES, "figures", "gallery")
    with tempfile.TemporaryDirectory() as work:
        def solved(case, result, *changes):
            path = os.path.join(work, result)
            if not os.path.exists(path):
                subprocess.run([program, "run", os.path.join(CASES, case + ".yaml"), "-o", path, "--backend", "cpu", *changes],
                               check=True, stdout=subprocess.DEVNULL)
            return path

        def drawn(name, *arguments):
            figure = os.path.join(folder, name + ".png")
            subprocess.run([program, "plot", *arguments, "-o", figure, "--overwrite"], check=True)

        for name, case, options in FIGURES:
            drawn(name, solved(case, case + ".h5"), *options)
        for name, (case, change, results) in PAIRS.items():
            drawn(name, solved(case, results[0]), solved(case, results[1], "--set", change))


if __name__ == "__main__":
    main()
