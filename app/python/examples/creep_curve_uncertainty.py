# SPDX-License-Identifier: Apache-2.0
"""How far measurement noise of a roller's profile moves its creep curve: by gradients, checked by samples.

    python3 creep_curve_uncertainty.py [SAMPLES [FIGURE]]

The profile is known at points, each with an independent normal error s. To first order the force has the deviation s |g|,
g its derivatives to the points: sums of those to the undeformed distance of the elements (Solver.gradient), for the
distance is linear in the points. The force of a grid has kinks where single elements touch, part, stick or slip, closer
to each other than the noise, so that the gradient of one profile says little. The mean gradient of some noisy ones does:
it is the covariance of force and errors over s squared. The samples are solved by the batch (sweep). Needs matplotlib.
"""
import sys

import numpy as np
import slipfield as sf
from matplotlib import pyplot

Y = np.linspace(-6.0, 6.0, 21)  # where the profile was measured [mm]
PROFILE = Y**2 / 200.0 + 2.0e-6 * Y**4
GRADIENTS = 40  # of noisy profiles
NOISE = 2.0e-4  # standard deviation of each height [mm]; the bodies approach each other by .01 mm
CREEPAGES = np.array([2.0e-4, 5.0e-4, 1.0e-3, 2.0e-3, 4.0e-3])


def case(profile, creepage=0.0):
    steel = {"young_modulus": 2.1e5, "poisson_ratio": 0.3}
    return {"schema": 1, "units": "N-mm-s", "bodies": {"upper": steel, "lower": steel}, "friction": {"coefficient": 0.3},
            "grid": {"elements": [25, 31], "extent": {"x": [-1.5, 1.5], "y": [-3.1, 3.1]}},
            "geometry": {"type": "profile", "y": Y.tolist(), "z": [float(z) for z in profile], "curvature_x": 0.02},
            "normal": {"force": 3000.0},
            "tangential": {"problem": "steady_rolling", "x": {"creepage": float(creepage)}}, "solver": {"tolerance": 1e-7}}


def distances():
    """The change of each element's distance by that of each point: they are linear in the points."""
    def distance(profile):
        result = sf.solve(case(profile), backend="cpu")
        return result.gap - result.displacement_n + result.approach
    flat = distance(PROFILE)
    return np.stack([distance(PROFILE + 1.0e-3 * (np.arange(Y.size) == k)) - flat for k in range(Y.size)]) / 1.0e-3


def to_points(profile, creepage, by_points):
    """force_x, and its derivatives to the points of the profile."""
    solver = sf.Solver(case(profile, creepage), backend="cpu")
    force = solver.advance().force_x
    gradient = solver.gradient({"force_x": 1.0})["undeformed_distance"]
    return force, (by_points * gradient).sum(axis=(1, 2))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    by_points = distances()
    random = np.random.default_rng(3)
    forces, at_profile, deviations = [], [], []
    profiles = [PROFILE, *(PROFILE + NOISE * random.normal(size=(GRADIENTS, Y.size)))]
    for creepage in CREEPAGES:
        found = [to_points(profile, creepage, by_points) for profile in profiles]
        slopes = np.array([slope for _, slope in found])
        forces.append(found[0][0])
        at_profile.append(NOISE * np.linalg.norm(slopes[0]))
        # The mean of two halves, each with an error of its own, so that these do not add to the square.
        halves = slopes[1::2].mean(axis=0), slopes[2::2].mean(axis=0)
        deviations.append(NOISE * np.sqrt(max(halves[0] @ halves[1], 0.0)))
    forces, at_profile, deviations = np.array(forces), np.array(at_profile), np.array(deviations)

    noise = NOISE * random.normal(size=(count, Y.size))
    table = sf.sweep(case(PROFILE), {"geometry.z": (PROFILE + noise).tolist(), "tangential.x.creepage": CREEPAGES},
                     totals=["force_x"], backend="cpu")
    assert table.converged.all()
    seen = table["force_x"]
    print("creepage  force_x [N]  deviation [N]: by the profile's gradient, by mean gradients, of the samples")
    for row in zip(CREEPAGES, forces, at_profile, deviations, seen.std(axis=0)):
        print("{:8.1e} {:12.2f} {:20.3f} {:12.3f} {:12.3f}".format(*row))
    # From count samples a deviation is known to 1/sqrt(2 count), from 40 gradients to about a tenth.
    allowed = 0.3 + 4.0 / np.sqrt(2.0 * count)
    assert (np.abs(deviations / seen.std(axis=0) - 1.0) < allowed).all(), "not the samples' deviation"
    assert (np.abs(seen.mean(axis=0) - forces) < 0.01 * np.abs(forces)).all(), "the noise moves the mean"
    draw(forces, deviations, seen)


def draw(forces, deviations, seen):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    left.plot(CREEPAGES, -seen[:200].T, color="0.8", linewidth=0.5)
    left.plot(CREEPAGES, -forces, color="C0", label="profile as measured")
    left.set(xlabel="creepage", ylabel="-force_x [N]", title="up to 200 samples", xscale="log")
    left.legend()
    right.plot(CREEPAGES, deviations, color="C0", label=f"{GRADIENTS} gradients")
    right.plot(CREEPAGES, seen.std(axis=0), "o", color="C1", label=f"{len(seen)} samples")
    right.set(xlabel="creepage", ylabel="standard deviation of force_x [N]", ylim=(0.0, None), xscale="log")
    right.legend()
    if len(sys.argv) > 2:
        figure.savefig(sys.argv[2], dpi=110)
    else:
        pyplot.show()


if __name__ == "__main__":
    main()
