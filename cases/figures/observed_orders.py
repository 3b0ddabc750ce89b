#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The observed orders of cases/VERIFICATION.md, by both schemes of rolling: observed_orders.py PROGRAM

Each contact on grids of 32, 64, 128 and 256 elements along x, each grid five times with other extents, as
the error depends on where the contact ends within an element: the root mean square of the five. The limit
is a closed form, or the mean of five grids of 512 elements by the second-order scheme; of the dissipation,
what these forces do to the creepages. The last column is by how much the first-order scheme, extrapolated
from 256 and 512 elements, has another limit.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

SIZES = (32, 64, 128, 256)
MARGINS = (1.06, 1.08, 1.10, 1.12, 1.14)  # of the grid over the contact
FORCE = 82000.0
FRICTION = 0.3


def hertz(a, b, creepage_x, creepage_y, spin, friction=FRICTION):
    return {"size": (a, b), "geometry": {"type": "hertz", "semi_axes": [a, b]}, "friction": friction,
            "motion": {"x": {"creepage": creepage_x}, "y": {"creepage": creepage_y}, "spin": spin}}


def profile(size, height, creepage_x, creepage_y, spin):
    places = [0.25 * k for k in range(-60, 61)]
    return {"size": size, "friction": FRICTION,
            "geometry": {"type": "profile", "y": places, "z": [height(y) for y in places], "curvature_x": 1 / 460},
            "motion": {"x": {"creepage": creepage_x}, "y": {"creepage": creepage_y}, "spin": spin}}


CONTACTS = {
    "`steady_spin`": hertz(8, 4, 0.0, -6.25e-4, 6.25e-4),
    "circle, creepages and spin": hertz(5, 5, 3.0e-4, 2.0e-4, 1.0e-4),
    "ellipse 4:1, spin": hertz(10, 2.5, 2.0e-4, -3.0e-4, 3.0e-4),
    "ellipse 1:3, creepages": hertz(3, 9, -8.0e-4, 3.0e-4, 0.0),
    "quartic profile (no ellipse), spin": profile((8.5, 6.5), lambda y: 0.05 * (y / 6) ** 4, 2.0e-4, -3.0e-4, 1.5e-4),
    "two patches, creepages": profile((7.0, 9.0), lambda y: 0.1 * ((y / 5) ** 2 - 1) ** 2, 3.0e-4, -2.0e-4, 0.0),
}


class Solver:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def last_step(self, case):
        path = os.path.join(self.folder, "case.yaml")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(case, file)  # JSON is YAML
        done = subprocess.run([self.program, "run", path, "--json", "--backend", "cpu", "--overwrite", "-o",
                               os.path.join(self.folder, "case.h5")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout)["steps"][-1]

    def step(self, contact, scheme, elements, margin):
        across = 1 if contact.get("row") else elements
        half_x, half_y = contact["size"]
        half_x *= margin
        half_y *= 1.0 if contact.get("row") else margin
        body = contact.get("body", {"shear_modulus": 82000.0, "poisson_ratio": 0.28})
        return self.last_step({
            "schema": 1, "units": "N-mm-s", "bodies": {"upper": body, "lower": body},
            "friction": {"coefficient": contact["friction"]},
            "grid": {"elements": [elements, across],
                     "extent": {"x": [-half_x, half_x], "y": [-half_y, half_y]}},
            "geometry": contact["geometry"], "normal": {"force": contact.get("force", FORCE)},
            "tangential": {"problem": "steady_rolling", **contact["motion"]},
            "solver": {"rolling": scheme, "tolerance": 1e-7}, "output": {"error_estimate": False, "fields": "none"},
        }) | {"dx": 2 * half_x / elements}


def rolling_totals(contact, step):
    """Forces over mu F_n, moment and dissipation [force times length, force] as parts of their size below."""
    bound = contact["friction"] * FORCE
    return {"force_x": step["force_x"] / bound, "force_y": step["force_y"] / bound, "moment": step["moment_z"],
            "dissipation": step["friction_work"] / step["dx"]}


def mean(values):
    return {key: sum(value[key] for value in values) / len(values) for key in values[0]}


def limits_of(solver, contact, totals):
    """By the second-order scheme, and by the first-order one, extrapolated."""
    def at(scheme, elements):
        return mean([totals(contact, solver.step(contact, scheme, elements, margin)) for margin in MARGINS])
    fine, coarse = at("first_order", 512), at("first_order", 256)
    limits = at("second_order", 512), {key: 2 * fine[key] - coarse[key] for key in fine}
    for limit in limits:
        if "dissipation" in limit:  # what the forces do to the creepages
            motion, bound = contact["motion"], contact["friction"] * FORCE
            limit["dissipation"] = (bound * (limit["force_x"] * motion["x"]["creepage"]
                                             + limit["force_y"] * motion["y"]["creepage"])
                                    + limit["moment"] * motion["spin"])
    return limits


def errors_of(solver, contact, totals, limit, scheme):
    """For each size the errors, root mean squares over the margins: what is measured, by name."""
    result = []
    for elements in SIZES:
        squares = {}
        for margin in MARGINS:
            found = totals(contact, solver.step(contact, scheme, elements, margin))
            for name, error in differences(found, limit).items():
                squares[name] = squares.get(name, 0.0) + error**2 / len(MARGINS)
        result.append({name: math.sqrt(square) for name, square in squares.items()})
    return result


def differences(found, limit):
    if "force_x" not in limit:
        return {name: found[name] / value - 1 for name, value in limit.items()}
    both = {"forces": math.hypot(found["force_x"] - limit["force_x"], found["force_y"] - limit["force_y"])}
    for name in ("moment", "dissipation"):
        if abs(limit[name]) > 1e-3:
            both[name] = found[name] / limit[name] - 1
    return both


def order(errors):
    """The slope of log(error) over log(element size), by least squares."""
    x = [-math.log(size) for size in SIZES]
    y = [math.log(max(error, 1e-12)) for error in errors]
    centre_x, centre_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - centre_x) * (b - centre_y) for a, b in zip(x, y)) / sum((a - centre_x) ** 2 for a in x)


def print_rows(solver, name, contact, totals, limit, other=None):
    apart = differences(other, limit) if other else {}
    by_scheme = [errors_of(solver, contact, totals, limit, scheme) for scheme in ("first_order", "second_order")]
    for quantity in by_scheme[0][0]:
        cells = []
        for errors in by_scheme:
            values = [at[quantity] for at in errors]
            cells += [", ".join(f"{value:.1e}" for value in values), f"{order(values):.1f}"]
        cells.append(f"{abs(apart[quantity]):.1e}" if apart else "")
        print(f"| {name} | {quantity} | " + " | ".join(cells) + " |", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        solver = Solver(os.path.abspath(sys.argv[1]), folder)
        print("| contact | error of | first order: 32, 64, 128, 256 | order | second order: 32, 64, 128, 256 | order "
              "| other limit |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        # Carter: the creepage that takes 64 % of mu F_n, a = 1, R = 100, G = 1, nu = .28 [Johnson 1985, 8.3].
        length, share = 1.0e4, 0.64
        carter = {"row": True, "size": (1.0, 0.5 * length), "friction": FRICTION,
                  "body": {"shear_modulus": 1.0, "poisson_ratio": 0.28},
                  "geometry": {"type": "cylinder", "radius": 100.0, "axis": "y"},
                  "force": math.pi / 0.72 / 400.0 * length, "motion": {"x": {"force_ratio": -share}}}
        print_rows(solver, "Carter's creepage, closed form", carter,
                   lambda _, step: {"creepage": step["creepage_x"]},
                   {"creepage": FRICTION / 100.0 * (1.0 - math.sqrt(1.0 - share))})
        for name, contact in CONTACTS.items():
            print_rows(solver, name, contact, rolling_totals, *limits_of(solver, contact, rolling_totals))
        # Kalker's coefficients of a circle, nu = .25, of forces and moments over G c^2 times the creepage.
        for name, key, motion in (("C11", "force_x", (1.0e-4, 0.0, 0.0)), ("C22", "force_y", (0.0, 1.0e-4, 0.0)),
                                  ("C23", "force_y", (0.0, 0.0, 1.0e-4)), ("C33", "moment_z", (0.0, 0.0, 1.0e-4))):
            contact = hertz(1, 1, *motion, friction=10.0) | {
                "force": 0.02, "body": {"shear_modulus": 1.0, "poisson_ratio": 0.25}}

            def totals(_, step, key=key):
                return {name: -step[key] / 1.0e-4}

            limit, other = limits_of(solver, contact, totals)
            print_rows(solver, f"Kalker's coefficients, circle, limit {limit[name]:.4f}", contact, totals, limit, other)


if __name__ == "__main__":
    main()
