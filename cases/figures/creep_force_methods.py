#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FASTSIM, FaStrip and a table of creep forces against the full solution.

    python3 creep_force_methods.py PROGRAM TABLE.h5 FIGURE.png [POINTS]

Solves random rolling contacts of the table's ratios (sizes, loads and friction do not matter) by all
four on 32 x 32 elements, prints the error of each in percent of mu F_n by the size of the creepages,
and draws the lateral force under spin.
"""
import os
import subprocess
import sys
import tempfile

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

MODULUS, FRICTION, FORCE, SIZE = 82000.0, 0.3, 80000.0, 6.0  # SIZE: c = sqrt(a b)
UNIT = FRICTION * FORCE / (MODULUS * SIZE**2)  # of creepages
METHODS = {"full": "{}", "FASTSIM": "{tangential: fastsim}", "FaStrip": "{tangential: fastrip}"}


def case_text(rows, solver):
    a, b = SIZE * np.sqrt(rows[:, 0]), SIZE / np.sqrt(rows[:, 0])
    lists = {"geometry.semi_axes": [[*pair] for pair in zip(a, b)],
             "grid.extent.x": [[-one, one] for one in a * 32 / 30],
             "grid.extent.y": [[-one, one] for one in b * 32 / 30],
             "tangential.x.creepage": UNIT * rows[:, 1], "tangential.y.creepage": UNIT * rows[:, 2],
             "tangential.spin": UNIT / SIZE * rows[:, 3]}
    keys = "\n".join(f"      - {{key: {key}, values: {np.asarray(values).tolist()}}}"
                     for key, values in lists.items())
    return f"""schema: 1
title: creep forces
units: N-mm-s
bodies:
  upper: {{shear_modulus: {MODULUS}, poisson_ratio: 0.28}}
  lower: {{shear_modulus: {MODULUS}, poisson_ratio: 0.28}}
friction: {{coefficient: {FRICTION}}}
grid: {{elements: [32, 32], extent: {{x: [-7, 7], y: [-7, 7]}}}}
geometry: {{type: hertz, semi_axes: [6.0, 6.0]}}
normal: {{force: {FORCE}}}
tangential: {{problem: steady_rolling, x: {{creepage: 0}}, y: {{creepage: 0}}, spin: 0.0}}
solver: {solver}
output: {{fields: none}}
sweep:
  - together:
{keys}
"""


def forces_by(program, rows, solver):
    with open("case.yaml", "w", encoding="utf-8") as file:
        file.write(case_text(rows, solver))
    done = subprocess.run([program, "run", "case.yaml", "-q", "-o", "out.h5", "--overwrite",
                           "--backend", "cpu"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    with h5py.File("out.h5") as file:
        table = file["table"]
        return np.stack([table["force_x"][:].ravel() / (FRICTION * FORCE),
                         table["force_y"][:].ravel() / (FRICTION * FORCE),
                         table["moment_z"][:].ravel() / (FRICTION * FORCE * SIZE)], axis=-1)


def forces_by_table(program, table, rows):
    np.savetxt("points.txt", rows, fmt="%.12g")
    done = subprocess.run([program, "table", "eval", table, "--points", "points.txt"],
                          capture_output=True, text=True, check=True)
    return np.array([list(map(float, line.split())) for line in done.stdout.splitlines()])


def all_forces(program, table, rows):
    found = {name: forces_by(program, rows, solver) for name, solver in METHODS.items()}
    return {**found, "table": forces_by_table(program, table, rows)}


def random_rows(first, last, count):
    """Ratio and creepages; their size is evenly in the logarithm, from 1/30 of saturation."""
    random = np.random.default_rng(1)
    directions = random.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    sizes = 10.0**random.uniform(-1.5, 1.5, count)
    ratios = first * (last / first)**random.uniform(0, 1, count)
    # Scaled by 3/C of a circle, the spin by 1/C23: saturation is near size 1.
    return np.column_stack([ratios, sizes[:, None] * directions * [0.73, 0.81, 0.68]]), sizes


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    program, table, figure = map(os.path.abspath, sys.argv[1:4])
    with h5py.File(table) as file:
        first, last = file.attrs["first_ratio"], file.attrs["last_ratio"]
    rows, sizes = random_rows(first, last, int(sys.argv[4]) if len(sys.argv) == 5 else 400)
    curves = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found = all_forces(program, table, rows)
        middle = np.sqrt(first * last)
        spins = np.linspace(0, 6, 41)
        for creepage in (0.0, 0.4):
            curves[creepage] = all_forces(program, table, np.column_stack(
                [np.full(41, middle), np.zeros(41), np.full(41, -creepage), -spins]))
    full = found.pop("full")
    print("| creepages over saturation | " + " | ".join(
        f"{name}: force mean, greatest; moment mean" for name in found) + " |")
    print("| --- |" + " --- |" * len(found))
    for low, high in ((0, 0.3), (0.3, 1), (1, 3), (3, 100), (0, 100)):
        here = (sizes >= low) & (sizes < high)
        cells = []
        for force in found.values():
            off = np.hypot(*(force - full)[here, :2].T)
            cells.append(f"{100 * off.mean():.2g}, {100 * off.max():.2g}; "
                         f"{100 * np.abs(force - full)[here, 2].mean():.2g}")
        print(f"| {low} to {high} ({here.sum()}) | " + " | ".join(cells) + " |")
    _, axes = plt.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
    for (creepage, by), one in zip(curves.items(), axes):
        for name, style, width in (("full", "k-", 2.4), ("table", "C1--", 1.3),
                                   ("FASTSIM", "C0-", 1.3), ("FaStrip", "C2-", 1.3)):
            one.plot(spins, by[name][:, 1], style, lw=width, label=name)
        one.set(xlabel="-spin G c³/(µ F_n)", ylabel="F_y/(µ F_n)",
                title=f"a/b = {middle:.3g}, creepage_y = {0.0 - creepage:g} µ F_n/(G c²)")
        one.grid(alpha=0.3)
    axes[0].legend()
    plt.savefig(figure, dpi=120)


if __name__ == "__main__":
    main()
