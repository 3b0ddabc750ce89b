# SPDX-License-Identifier: Apache-2.0
"""The longitudinal creep force over creepage and spin.

    python3 creep_force_surface.py [FIGURE]

One call solves all points side by side. Without a name of a figure it is shown. Needs matplotlib.
"""
import sys

import numpy as np
import slipfield as sf
from matplotlib import pyplot

MU, FORCE = 0.3, 82000.0
CASE = {
    "schema": 1, "title": "Creep forces of an ellipse of 16 x 8 mm", "units": "N-mm-s",
    "bodies": {"upper": {"shear_modulus": 82000.0, "poisson_ratio": 0.28},
               "lower": {"shear_modulus": 82000.0, "poisson_ratio": 0.28}},
    "friction": {"coefficient": MU},
    "grid": {"elements": [24, 24], "extent": {"x": [-8.8, 8.8], "y": [-4.4, 4.4]}},
    "geometry": {"type": "hertz", "semi_axes": [8.0, 4.0]},
    "normal": {"force": FORCE},
    "tangential": {"problem": "steady_rolling", "x": {"creepage": 0.0}, "y": {"creepage": 0.0}},
}


def main():
    creepages = np.linspace(-6e-3, 6e-3, 15)  # symmetric about 0
    spins = np.linspace(0.0, 6e-4, 4)         # [rad/mm]
    table = sf.sweep(CASE, {"tangential.x.creepage": creepages, "tangential.spin": spins},
                     totals=["force_x", "force_y", "moment_z"], backend="cpu")
    print(table)
    ratio = table["force_x"] / (MU * FORCE)
    for creepage, row in zip(creepages, ratio):
        print(f"creepage {creepage:+.5f}   F_x/(mu F_n) " + " ".join(f"{v:+.4f}" for v in row))
    check(table, ratio)
    draw(table, ratio)


def check(table, ratio):
    """What any creep force surface is: odd in the creepage, falling, bounded, flatter with spin."""
    assert table.converged.all(), table.messages
    assert np.abs(ratio + ratio[::-1]).max() < 1e-4, "F_x is odd in the creepage"
    assert (np.diff(ratio[:, 0]) < 0.0).all(), "F_x opposes the creepage, and grows with it"
    total = np.hypot(table["force_x"], table["force_y"]) / (MU * FORCE)
    assert total.max() <= 1.0 + 1e-6, "no force exceeds Coulomb's bound"
    assert abs(ratio[0, 0]) > 0.99, "full sliding at the greatest creepage"
    middle = len(ratio) // 2
    slope = np.abs(ratio[middle + 1])
    assert slope[-1] < slope[0], "spin takes from what friction can carry along x"
    assert np.abs(table["force_y"][:, 0]).max() < 1e-6 * FORCE, "no lateral force without spin"


def draw(table, ratio):
    figure, axes = pyplot.subplots(subplot_kw={"projection": "3d"}, layout="constrained")
    axes.plot_surface(table["tangential.x.creepage"] * 1e3, table["tangential.spin"] * 1e3, ratio,
                      cmap="viridis", edgecolor="k", linewidth=0.2)
    axes.set(xlabel="creepage x [1e-3]", ylabel="spin [1e-3 rad/mm]", zlabel="F_x/(mu F_n)",
             title=CASE["title"])
    if len(sys.argv) > 1:
        figure.savefig(sys.argv[1], dpi=110)
    else:
        pyplot.show()


if __name__ == "__main__":
    main()
