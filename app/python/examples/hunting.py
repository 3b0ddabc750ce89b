# SPDX-License-Identifier: Apache-2.0
"""A bogie that hunts: two wheelsets, four wheels on their rails, and the motion integrated here.

    python3 hunting.py [STEPS [CASES]]

Each wheelset has a mass m and an inertia J about its vertical axis, and is held by springs in a frame
with masses of its own; y is to the right, the yaw is positive where the right wheel moves back:

    m y'' = -F_y(y, yaw, y', yaw') - k_y (y - y_f -+ a yaw_f)
    J yaw'' = -M_z(y, yaw, y', yaw') - k_z (yaw - yaw_f)

F_y and M_z are what both wheels do to the rails: of profiles and creep in contacts that are solved.
Creep damps a wheelset's velocity within 2 ms, which an explicit step would have to follow. So the
step is implicit in the wheelset's forces, linearly, with the derivatives that the solver gives in the
track's centre. Units: mm, N, s; masses in t.
"""
import sys
from pathlib import Path

import numpy as np
import slipfield as sf

CASES = Path(__file__).resolve().parents[3] / "cases"
SPEED = 30000.0                       # [mm/s]
STEP = 0.005                          # [s]
MASS, INERTIA = 1.0, 0.7e6            # of a wheelset [t], [t mm^2]
FRAME_MASS, FRAME_INERTIA = 2.0, 2e6
HALF_BASE = 1250.0                    # a, half the distance of the wheelsets
SPRING_Y, SPRING_YAW = 100.0, 1.0e7   # [N/mm], [N mm/rad]
TOTALS, PLACE, RATES = (["track_force_y", "track_moment_z"], ["y", "yaw"],
                        ["velocity_y", "velocity_yaw"])


def case_of(cases):
    """The wheelset of the Manchester benchmark at speed, on coarser grids."""
    profiles = Path(cases) / "profiles"
    steel = {"shear_modulus": 82000, "poisson_ratio": 0.28}
    return {"schema": 1, "title": "A wheelset that hunts", "units": "N-mm-s",
            "bodies": {"wheel": steel, "rail": steel}, "friction": {"coefficient": 0.3},
            "wheel_rail": {"side": "both", "spacing": [0.6, 0.6],
                           "wheel": {"profile": str(profiles / "MBench_S1002_v3.prw")},
                           "rail": {"profile": str(profiles / "MBench_UIC60_v3.prr")},
                           "wheelset": {"y": 0.0, "velocity": {"x": SPEED, "pitch": -SPEED / 460.0}},
                           "vertical_force": 30000}}


class WheelsetOnTrack:
    """One wheelset: its solver, where it is, and what it did."""

    def __init__(self, case, place):
        self.solver = sf.Solver(case, backend="cpu", threads=1)
        self.place = np.array(place)  # y, yaw
        self.rates = np.zeros(2)
        self.motion, self.results = [], []
        with self.solver.trial():
            self.solver.advance(fields=False)
            found = self.solver.derivatives(TOTALS, PLACE + RATES, errors=False)
        self.stiffness, self.damping = found.values[:, :2], found.values[:, 2:]

    def advance(self, pull):
        """A time step under the frame's forces: (force, moment)."""
        values = dict(zip(PLACE + RATES, map(float, [*self.place, *self.rates])))
        result = self.solver.advance(values)
        self.motion.append(values)
        self.results.append(result)
        on_rail = np.array([result.totals[name] for name in TOTALS])
        mass = np.diag([MASS, INERTIA])
        forces = pull - on_rail - STEP * self.stiffness @ self.rates
        self.rates = self.rates + np.linalg.solve(
            mass + STEP * self.damping + STEP**2 * self.stiffness, STEP * forces)
        self.place = self.place + STEP * self.rates


def simulate(steps, cases=CASES):
    """The two wheelsets after so many steps, from 3 mm beside the centre."""
    case = case_of(cases)
    wheelsets = [WheelsetOnTrack(case, (y, 0.0)) for y in (3.0, 2.5)]
    frame, frame_rates = np.zeros(2), np.zeros(2)  # y, yaw
    for _ in range(steps):
        on_frame = np.zeros(2)
        for wheelset, ahead in zip(wheelsets, (HALF_BASE, -HALF_BASE)):
            stretch = wheelset.place - [frame[0] + ahead * frame[1], frame[1]]
            pull = -np.array([SPRING_Y, SPRING_YAW]) * stretch
            on_frame -= [pull[0], ahead * pull[0] + pull[1]]
            wheelset.advance(pull)
        frame_rates += STEP * on_frame / [FRAME_MASS, FRAME_INERTIA]
        frame += STEP * frame_rates
    return wheelsets


def wave_length(wheelset):
    """Of the path of a wheelset, from its zeros; and that of Klingel's pure rolling."""
    y = np.array([values["y"] for values in wheelset.motion])
    cross = np.flatnonzero(y[1:] * y[:-1] < 0.0)
    zeros = cross + y[cross] / (y[cross] - y[cross + 1])
    path = 2.0 * np.mean(np.diff(zeros)) * STEP * SPEED
    # Conicity: half the difference of the rolling radii over the displacement, where it is great.
    outer = np.abs(y) > 0.5 * np.abs(y).max()
    radii = np.array([result.rolling_radius_difference for result in wheelset.results])
    conicity = 0.5 * np.mean(np.abs(radii[outer] / y[outer]))
    contact = wheelset.results[0]
    half_gauge = 0.5 * (contact["right"].nearest_y - contact["left"].nearest_y)
    return path, 2.0 * np.pi * np.sqrt(460.0 * half_gauge / conicity), zeros


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    cases = sys.argv[2] if len(sys.argv) > 2 else CASES
    for name, wheelset in zip(("front", "rear"), simulate(steps, cases)):
        y = [values["y"] for values in wheelset.motion]
        path, klingel, zeros = wave_length(wheelset)
        print(f"{name} wheelset: y from {min(y):.2f} to {max(y):.2f} mm, {len(zeros)} zeros, wave "
              f"length {path / 1e3:.1f} m (rolling without creep {klingel / 1e3:.1f} m)")
        assert all(result.converged for result in wheelset.results)
        assert abs(path / klingel - 1.0) < 0.15, "springs and creep change the wave by some percent"
        assert np.abs(y[len(y) // 2:]).max() < 3.0, "below its critical speed the motion dies away"


if __name__ == "__main__":
    main()
