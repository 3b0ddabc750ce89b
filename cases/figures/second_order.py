#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figure of solver/THEORY.md 5.8, from its formulas alone: second_order.py FIGURE.png

Left, the tractions k sqrt(d) behind a leading edge and what elements hold of them; in the middle R_j(f), the error of
the difference D at the first elements, by its definition; right, the errors of two contacts by both schemes, as
cases/VERIFICATION.md has them.
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

ELEMENTS = 20000  # of the run, far more than have a correction
SIZES = (32, 64, 128, 256)
# Root mean square of five grids each (cases/figures/observed_orders.py): first order, second order.
OBSERVED = {"Carter's creepage": ((2.2e-2, 1.2e-2, 2.0e-3, 2.4e-3), (1.1e-3, 3.4e-4, 1.3e-4, 3.3e-5)),
            "forces of an ellipse with spin": ((2.5e-2, 1.2e-2, 5.6e-3, 2.8e-3), (6.2e-4, 8.1e-5, 1.3e-5, 1.2e-5))}


def means(f, j):
    """m_j: the mean of sqrt(d) over the element whose centre is f + j behind the edge."""
    return 2 / 3 * (np.maximum(0, f + j + 0.5)**1.5 - np.maximum(0, f + j - 0.5)**1.5)


def displacement(d, f):
    """-sum of m_i times the integral of ln|d - s| over element i."""
    borders = f - 1.5 + np.arange(ELEMENTS + 2)
    to = d - borders
    antiderivative = to * np.log(np.abs(np.where(to == 0, 1, to))) - to
    return -np.sum(means(f, np.arange(-1, ELEMENTS)) * (antiderivative[:-1] - antiderivative[1:]))


def rate(d, length):
    """The principal value of the integral of sqrt(s)/(s - d), from 0 to `length`."""
    if d <= 0:  # the constant that it is for d > 0, kept
        return 2 * np.sqrt(length)
    root, end = np.sqrt(d), np.sqrt(length)
    return 2 * end + root * np.log((end - root) / (end + root))


def residual(f, j):
    """R_j(f) = D u - u' at f + j, D the difference of 5.8."""
    d = f + j
    difference = 1.5 * displacement(d, f) - 2 * displacement(d - 1, f) + 0.5 * displacement(d - 2, f)
    return difference - rate(d, f + ELEMENTS - 0.5)


def draw_edge(axes, f=0.25):
    d = np.linspace(0, 4.3, 300)
    axes.plot(d, np.sqrt(d), "k-", lw=1.8, label=r"exact, $\sqrt{d}$")
    for j in range(-1, 5):
        axes.plot([f + j - 0.5, f + j + 0.5], [means(f, j)] * 2, "C0-", lw=2.2, label="means $m_j$" if j == 0 else None)
        axes.plot(f + j, 0, "o", color="C3", ms=4, clip_on=False, label="centres $f + j$" if j == 0 else None)
        axes.axvline(f + j - 0.5, color="0.85", lw=0.8, zorder=0)
    axes.annotate("edge", (0, 0), (-1.2, 0.75), arrowprops={"arrowstyle": "->"})
    axes.set(xlabel="distance $d$ behind the edge [elements]", ylabel="traction over $k$", xlim=(-1.5, 4.3), ylim=(0, 2.2),
             title=f"The edge cuts the first element ($f$ = {f:g})")
    axes.legend(loc="lower right", framealpha=1)


def draw_residuals(axes):
    f = np.linspace(-0.25, 1.25, 61)
    for j, style in enumerate(("C0-", "C1--", "C2-.")):
        axes.plot(f, [residual(one, j) for one in f], style, label=f"$R_{j}$")
    axes.axhline(0, color="0.6", lw=0.8)
    axes.set(xlabel="$f$: distance of the first centre [elements]", ylabel="$R_j(f)$", title="Error of $D$ at the first elements")
    axes.legend()


def draw_orders(axes):
    for (name, (first, second)), mark in zip(OBSERVED.items(), "os"):
        axes.loglog(SIZES, first, f"C1{mark}--", label=f"{name}, first order")
        axes.loglog(SIZES, second, f"C0{mark}-", label=f"{name}, second")
    axes.set(xlabel="elements along $x$", ylabel="relative error", title="Observed errors", ylim=(3e-6, 4))
    axes.set_xticks(SIZES, [str(size) for size in SIZES])
    axes.minorticks_off()
    axes.legend(fontsize=8, loc="upper right")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    _, axes = plt.subplots(1, 3, figsize=(13, 4), constrained_layout=True)
    draw_edge(axes[0])
    draw_residuals(axes[1])
    draw_orders(axes[2])
    plt.savefig(sys.argv[1], dpi=90)


if __name__ == "__main__":
    main()
