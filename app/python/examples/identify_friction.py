# SPDX-License-Identifier: Apache-2.0
"""Friction coefficient and creepages of a rolling ball from a noisy picture of its tractions.

    python3 identify_friction.py [FIGURE]

Gauss-Newton: the derivatives of the traction field to the three numbers come from one linear solution each
(Solver.derivative), the covariance of what is found from the same matrix. Needs matplotlib.
"""
import sys

import numpy as np
import slipfield as sf
from matplotlib import pyplot

NAMES = ("friction.coefficient", "tangential.x.creepage", "tangential.y.creepage")
TRUE = np.array([0.27, 8.0e-4, 3.0e-4])
SCALE = np.array([0.1, 1.0e-4, 1.0e-4])  # steps of about the same size
NOISE = 0.05  # standard deviation, of the greatest traction


def case(values):
    steel = {"young_modulus": 2.1e5, "poisson_ratio": 0.3}
    friction, x, y = (float(value) for value in values)
    return {"schema": 1, "units": "N-mm-s", "bodies": {"upper": steel, "lower": steel},
            "friction": {"coefficient": friction},
            "grid": {"elements": [39, 39], "extent": {"x": [-0.21, 0.21], "y": [-0.21, 0.21]}},
            "geometry": {"type": "sphere", "radius": 10.0}, "normal": {"force": 100.0},
            "tangential": {"problem": "steady_rolling", "x": {"creepage": x}, "y": {"creepage": y}, "spin": 2e-3}}


def tractions(result):
    return np.concatenate([result.traction_x.ravel(), result.traction_y.ravel()])


def solved(values):
    """The tractions, and their derivatives to the scaled values."""
    solver = sf.Solver(case(values), backend="cpu")
    result = solver.advance()
    assert result.converged, result.message
    columns = []
    for name, scale in zip(NAMES, SCALE):
        change = solver.derivative({name: scale})
        columns.append(np.concatenate([change["traction_x"].ravel(), change["traction_y"].ravel()]))
    return result, np.stack(columns, axis=1)


def main():
    seen = tractions(sf.solve(case(TRUE), backend="cpu"))
    noise = NOISE * np.abs(seen).max()
    picture = seen + noise * np.random.default_rng(5).normal(size=seen.shape)
    values = np.array([0.4, 5.0e-4, 0.0])
    print("  friction  creepage_x  creepage_y   misfit [noise]")
    for _ in range(12):
        result, columns = solved(values)
        rest = picture - tractions(result)
        print(f"{values[0]:10.5f} {values[1]:11.4e} {values[2]:11.4e} {rest.std() / noise:10.4f}")
        step = np.linalg.lstsq(columns, rest, rcond=None)[0]
        step *= min(1.0, 2.0 / np.abs(step).max())  # not far at once: the contact changes its state on the way
        values = values + step * SCALE
        if np.abs(step).max() < 1e-4:
            break
    else:
        raise SystemExit("the iteration does not settle")
    deviation = noise * np.sqrt(np.diag(np.linalg.inv(columns.T @ columns))) * SCALE
    for name, value, error, truth in zip(NAMES, values, deviation, TRUE):
        print(f"{name}: {value:.5g} +- {error:.2g}, true {truth:g}")
    assert rest.std() < 1.02 * noise, "more than the noise is left"
    assert (np.abs(values - TRUE) < 4.0 * deviation).all(), "further from the truth than four deviations"
    draw(picture, result)


def draw(picture, result):
    shape = result.traction_x.shape
    panels = {"traction_x seen": picture[:picture.size // 2].reshape(shape), "traction_x found": result.traction_x}
    limit = np.abs(result.traction_x).max()
    figure, axes = pyplot.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
    for axis, (title, values) in zip(axes, panels.items()):
        image = axis.imshow(values, origin="lower", extent=(-0.21, 0.21, -0.21, 0.21), cmap="RdBu_r", vmin=-limit, vmax=limit)
        axis.set(title=title, xlabel="x [mm]", ylabel="y [mm]")
    figure.colorbar(image, ax=axes, label="N/mm²")
    if len(sys.argv) > 1:
        figure.savefig(sys.argv[1], dpi=110)
    else:
        pyplot.show()


if __name__ == "__main__":
    main()
