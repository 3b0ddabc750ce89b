# SPDX-License-Identifier: Apache-2.0
"""A driven and braked wheel under its share of a vehicle, with the creep force of a solved contact.

    python3 vehicle.py

Two unknowns, the vehicle's velocity v and the wheel's angular velocity w; J, m inertia and mass:

    m v' = F,   J w' = T(t) - R F,   F = force_x(creepage),   creepage = 1 - w R/v

The contact is stiff: a creepage of 0.1 % is a force of tons. Implicit integrators need dF/dv and
dF/dw, which the contact knows (`output: {sensitivities: true}`, Result.jacobian): with them a step
takes few contacts, by finite differences more, and by repeated insertion it does not converge at
all. Needs SciPy.
"""
import numpy as np
import slipfield as sf
from scipy.integrate import solve_ivp

MU, LOAD, RADIUS = 0.3, 80000.0, 0.46  # [-], [N], [m]
MASS, INERTIA = LOAD / 9.81, 120.0     # [kg], [kg m^2]
LIMIT = MU * LOAD * RADIUS             # torque that friction can carry [N m]
CASE = {
    "schema": 1, "title": "Wheel on a rail", "units": "SI",
    "bodies": {"upper": {"shear_modulus": 82.0e9, "poisson_ratio": 0.28},
               "lower": {"shear_modulus": 82.0e9, "poisson_ratio": 0.28}},
    "friction": {"coefficient": MU},
    "grid": {"elements": [14, 14], "extent": {"x": [-8.8e-3, 8.8e-3], "y": [-6.6e-3, 6.6e-3]}},
    "geometry": {"type": "ellipsoid", "radii": [RADIUS, 0.3]},
    "normal": {"force": LOAD},
    "tangential": {"problem": "steady_rolling", "x": {"creepage": 0.0}, "y": {"creepage": 0.0}},
    "solver": {"tolerance": 1.0e-9},  # finite differences need it, the derivatives do not
}


class Vehicle:
    """The equations above; `solves` counts the contacts that were solved for them."""

    def __init__(self, sensitivities):
        self.solver = sf.Solver({**CASE, "output": {"sensitivities": sensitivities}},
                                backend="cpu", threads=1)
        self.solves = 0
        self.last = None

    def contact(self, state):
        """The contact at a state; asked again for the same state it is not solved again."""
        if self.last is None or self.last[0] != tuple(state):
            creepage = 1.0 - state[1] * RADIUS / state[0]
            self.last = tuple(state), self.solver.advance({"tangential.x.creepage": creepage},
                                                          fields=False)
            self.solves += 1
        return self.last[1]

    def rates(self, time, state):
        force = self.contact(state).force_x
        return np.array([force / MASS, (torque(time) - RADIUS * force) / INERTIA])

    def derivatives(self, _, state):
        slope = self.contact(state).jacobian[0, 0]  # d(force_x)/d(creepage)
        v, w = state
        of_state = slope * np.array([w * RADIUS / v**2, -RADIUS / v])
        return np.array([of_state / MASS, -RADIUS * of_state / INERTIA])


def torque(time):
    """Traction at 60 % of what friction can carry, then braking at 80 %."""
    return LIMIT * (0.3 * (1.0 + np.tanh(20.0 * (time - 0.3)))
                    - 0.7 * (1.0 + np.tanh(20.0 * (time - 1.3))))


def implicit_step(vehicle, state, time, h, newton):
    """One step of the implicit Euler method: (solves, converged)."""
    before, guess = vehicle.solves, state.copy()
    for _ in range(25):
        residual = guess - state - h * vehicle.rates(time + h, guess)
        if newton:
            matrix = np.eye(2) - h * vehicle.derivatives(time, guess)
            change = np.linalg.solve(matrix, -residual)
        else:
            change = -residual
        guess = guess + change
        if np.abs(change / state).max() < 1e-9:
            return vehicle.solves - before, True
        if not 0.5 * state[1] < guess[1] < 2.0 * state[1]:
            break  # the wheel at half or twice its velocity after some milliseconds
    return vehicle.solves - before, False


def main():
    start = np.array([20.0, 20.0 / RADIUS])
    for name, newton in (("Newton with the contact's derivatives", True),
                         ("repeated insertion", False)):
        solves, converged = implicit_step(Vehicle(newton), start, 0.25, 0.05, newton)
        print(f"a time step of 50 ms, {name}: "
              + (f"converged after {solves} contacts" if converged else
                 f"does not converge ({solves} contacts)"))
        assert converged == newton

    counts = []
    for name, given in (("derivatives of the contact", True), ("finite differences", False)):
        vehicle = Vehicle(given)
        found = solve_ivp(vehicle.rates, (0.0, 2.0), start, method="BDF", rtol=1e-4, atol=1e-6,
                          jac=vehicle.derivatives if given else None)
        counts.append(vehicle.solves)
        print(f"2 s by BDF, {name}: {len(found.t) - 1} time steps, {vehicle.solves} contacts, "
              f"v = {found.y[0, -1]:.4f} m/s")
        check(found, vehicle)
    assert counts[0] < counts[1], "the derivatives save solves"


def check(found, vehicle):
    assert found.success, found.message
    # J w' + R m v' = T whatever the contact does; the integral of T by its primitive
    v, w = found.y
    work = np.interp(2.0, times := np.linspace(0.0, 2.0, 20001),
                     np.cumsum(torque(times)) * (times[1] - times[0]))
    momentum = INERTIA * (w[-1] - w[0]) + RADIUS * MASS * (v[-1] - v[0])
    assert abs(momentum - work) < 2e-3 * LIMIT, (momentum, work)  # rtol 1e-4 over 100 steps
    # Vehicle and wheel together are a mass m + J/R^2: that is the force in steady traction
    i = np.searchsorted(found.t, 1.0)
    force = vehicle.contact(found.y[:, i]).force_x
    expected = torque(found.t[i]) / RADIUS * MASS / (MASS + INERTIA / RADIUS**2)
    assert abs(force / expected - 1.0) < 0.01, (force, expected)
    assert all(abs(vehicle.contact(y).force_x) <= MU * LOAD * (1.0 + 1e-6) for y in found.y.T[::10])


if __name__ == "__main__":
    main()
