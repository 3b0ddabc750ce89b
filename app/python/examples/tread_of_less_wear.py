# SPDX-License-Identifier: Apache-2.0
"""A wheel's tread that wears less and still steers: least T-gamma over lateral positions, by gradients to a profile's points.

    python3 tread_of_less_wear.py PROFILES [ROUNDS [FIGURE]]

PROFILES: the folder cases/profiles. ROUNDS: the most there are, 6 by default. The tread is changed by smooth humps whose
heights are the design. The objective is T-gamma, the power of friction over the speed, averaged over the lateral
positions at which the wheel runs; without a constraint a cylinder is best, which does not steer, so that the
conicity must not fall below a limit. The gradient of T-gamma takes one adjoint solution for each position
(Solver.gradient), whatever the number of points is; that of the conicity is geometry alone. Each round goes along the
gradient projected onto the constraint.
"""
import pathlib
import sys
import tempfile

import numpy as np
import slipfield as sf

POSITIONS = np.array([-3.0, -1.5, 0.0, 1.5, 3.0])  # of the wheelset across the track [mm]
WEIGHTS = np.exp(-0.5 * (POSITIONS / 2.0)**2)
WEIGHTS /= WEIGHTS.sum()
HUMPS = np.linspace(-20.0, 30.0, 6)  # centres across the tread [mm]
WIDTH = 8.0
LEAST_CONICITY = 0.08
CONICITY_AT = (2.0, 2.5, 3.0, 3.5, 4.0)  # [mm]
SPEED = 20000.0  # [mm/s]
RADIUS = 460.0
STEEL = {"shear_modulus": 82000.0, "poisson_ratio": 0.28}


class Wheel:
    """The right wheel of a wheelset on its rail, with a tread that is changed."""

    def __init__(self, profiles, folder):
        self.rail = profiles / "MBench_UIC60_v3.prr"
        self.file = pathlib.Path(folder) / "wheel.txt"
        start = sf.Solver(self.case(profiles / "MBench_S1002_v3.prw"), backend="cpu")
        self.points = start.profile("wheel")
        self.humps = np.exp(-0.5 * ((self.points[:, 0] - HUMPS[:, None]) / WIDTH)**2)  # of each hump at each point

    def case(self, profile, **changes):
        return {"schema": 1, "units": "N-mm-s", "bodies": {"wheel": STEEL, "rail": STEEL}, "friction": {"coefficient": 0.3},
                "wheel_rail": {"side": "right", "spacing": [0.8, 0.8], "wheel": {"profile": str(profile)},
                               "rail": {"profile": str(self.rail)}, "vertical_force": 60000.0,
                               "wheelset": {"velocity": {"x": SPEED, "pitch": -SPEED / RADIUS}}, **changes}}

    def with_tread(self, design):
        points = self.points + np.stack([np.zeros(len(self.points)), design @ self.humps], axis=1)
        np.savetxt(self.file, points, fmt="%.17g")
        return points

    def t_gamma(self, design):
        """The mean of T-gamma [N], and its derivatives by the design."""
        points = self.with_tread(design)
        solver = sf.Solver(self.case(self.file), backend="cpu")
        assert np.array_equal(solver.profile("wheel"), points)
        mean, slope = 0.0, np.zeros(HUMPS.size)
        for y, weight in zip(POSITIONS, WEIGHTS):
            step = solver.advance(y=float(y))
            seed = {}
            for contact in step.contacts:
                for force, motion in (("force_x", "creepage_x"), ("force_y", "creepage_y"), ("moment_z", "spin")):
                    of_force, of_motion = getattr(contact, force), getattr(contact, motion)
                    mean -= weight * of_force * of_motion
                    seed[f"contact_{contact.index}_{force}"] = -of_motion
                    seed[f"contact_{contact.index}_{motion}"] = -of_force
            by_points = solver.gradient(seed)["wheel_rail.wheel.profile"]
            slope += weight * (self.humps @ by_points[:, 1])
        return mean, slope

    def conicity(self, design):
        """The mean of half the difference of both wheels' radii over y, of a wheelset that is moved by 2 to 4 mm."""
        self.with_tread(design)
        case = self.case(self.file, geometry_only=True, spacing=[0.1, 0.1])
        del case["wheel_rail"]["vertical_force"]
        solver = sf.Solver(case, backend="cpu")
        return np.mean([solver.advance(y=y).rolling_radius_difference / (2.0 * y) for y in CONICITY_AT])

    def by_conicity(self, design):
        step = 1.0e-2  # [mm]: the nearest point of the bodies is found in steps
        return np.array([(self.conicity(design + step * hump) - self.conicity(design - step * hump)) / (2.0 * step)
                         for hump in np.eye(HUMPS.size)])


def next_design(wheel, design, found, slope, length):
    """One step of the given length [mm] down the gradient, projected where the constraint is near; None: no better one."""
    steering, by_steering = wheel.conicity(design), wheel.by_conicity(design)
    way = -slope
    if steering < LEAST_CONICITY + 0.01 and way @ by_steering < 0.0:
        way = way - by_steering * (way @ by_steering) / (by_steering @ by_steering)
    way /= np.linalg.norm(way)
    while length > 2.0e-3:
        there = design + length * way
        missing = LEAST_CONICITY - wheel.conicity(there)
        if missing > 0.0:  # back onto the constraint, to the first order
            there = there + 1.05 * missing * by_steering / (by_steering @ by_steering)
        if wheel.conicity(there) >= LEAST_CONICITY:
            better, its_slope = wheel.t_gamma(there)
            if better < found:
                return there, better, its_slope, length
        length *= 0.5
    return None


def main():
    profiles = pathlib.Path(sys.argv[1])
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    with tempfile.TemporaryDirectory() as folder:
        wheel = Wheel(profiles, folder)
        design = np.zeros(HUMPS.size)
        found, slope = wheel.t_gamma(design)
        rounds = [(found, wheel.conicity(design))]
        length = 0.1
        print("round  T-gamma [N]  conicity")
        for number in range(most + 1):
            print(f"{number:5} {rounds[-1][0]:12.3f} {rounds[-1][1]:9.4f}")
            step = next_design(wheel, design, found, slope, length) if number < most else None
            if step is None:
                break
            design, found, slope, length = step
            rounds.append((found, wheel.conicity(design)))
        assert rounds[-1][0] < 0.8 * rounds[0][0], "T-gamma did not fall"
        assert all(steering >= LEAST_CONICITY for _, steering in rounds), "the wheel steers less than it must"
        draw(wheel, design, rounds)


def draw(wheel, design, rounds):
    try:
        from matplotlib import pyplot
    except ImportError:
        print("no figure: matplotlib is not installed")
        return
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    tread = np.abs(wheel.points[:, 0] - 5.0) < 45.0
    left.plot(wheel.points[tread, 0], 1.0e3 * (design @ wheel.humps)[tread])
    left.set(xlabel="y of the wheel's profile [mm]", ylabel="change, downwards [µm]", title="tread")
    values = np.array(rounds)
    right.plot(values[:, 0], "o-", color="C0")
    right.set(xlabel="round", ylabel="mean T-gamma [N]", ylim=(0.0, None))
    steering = right.twinx()
    steering.plot(values[:, 1], "s-", color="C1")
    steering.axhline(LEAST_CONICITY, color="C1", linestyle=":")
    steering.set(ylabel="conicity", ylim=(0.0, None))
    if len(sys.argv) > 3:
        figure.savefig(sys.argv[3], dpi=110)
    else:
        pyplot.show()


if __name__ == "__main__":
    main()
