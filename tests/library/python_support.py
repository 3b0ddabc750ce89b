# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share: a case, how it is solved, bits."""
import ctypes
import hashlib
import os
import signal
import sys
import tempfile
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "program"))
import machine  # noqa: E402  first of all: it sets up the process

os.environ.setdefault("OMP_NUM_THREADS", "1")  # the cases are small, other tests run next to them
np, sf = machine.modules("numpy", "slipfield")

DATA = Path(__file__).resolve().parent.parent / "data"
BACKEND = os.environ.get("SLIPFIELD_TEST_BACKEND", "cpu")
MU = 0.3
STEEL = {"young_modulus": 2.1e5, "poisson_ratio": 0.3}


def rolling(**changes):
    """Steady rolling of a steel ball of radius 10 mm on a plane, with part slip: mx != my."""
    return {"schema": 1, "title": "ball", "units": "N-mm-s",
            "bodies": {"upper": STEEL, "lower": STEEL}, "friction": {"coefficient": MU},
            "grid": {"elements": [19, 17], "extent": {"x": [-0.21, 0.21], "y": [-0.2, 0.2]}},
            "geometry": {"type": "sphere", "radius": 10.0}, "normal": {"force": 100.0},
            "tangential": {"problem": "steady_rolling", "x": {"creepage": 8e-4},
                           "y": {"creepage": 3e-4}, "spin": 2e-3}, **changes}


def frictionless(elements):
    case = rolling(grid={"elements": [elements, elements],
                         "extent": {"x": [-0.21, 0.21], "y": [-0.21, 0.21]}})
    del case["friction"], case["tangential"]
    return case


def transient(**changes):
    return rolling(tangential={"problem": "transient_rolling", "x": {"creepage": 1e-3},
                               "y": {"creepage": 0.0}, "step": 0.02}, **changes)


TEXT = """\
schema: 1
title: ball
units: N-mm-s
bodies:
  upper: {young_modulus: 2.1e5, poisson_ratio: 0.3}
  lower: {young_modulus: 2.1e5, poisson_ratio: 0.3}
friction: {coefficient: 0.3}
grid: {elements: [19, 17], extent: {x: [-0.21, 0.21], y: [-0.2, 0.2]}}
geometry: {type: sphere, radius: 10}
normal: {force: 100}
tangential: {problem: steady_rolling, x: {creepage: 8e-4}, y: {creepage: 3e-4}, spin: 0.002}
"""


def solve(case, **options):
    return sf.solve(case, backend=BACKEND, **options)


def solver(case, **options):
    return sf.Solver(case, backend=BACKEND, **options)


def heights(case):
    """The ball's undeformed distance at the centres of the elements, (my, mx)."""
    result = solve(case)
    return np.array(result.undeformed_distance)


def bits(result):
    """A number of the bits of each field of a result, by name."""
    return {name: hashlib.sha256(result.field(name).tobytes()).hexdigest()
            for name in result.field_names()}


class Foreign:
    """An array of another library, which only DLPack describes. It lies in the host's memory, whatever `device` says."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_keywords):
        if self.array.flags.c_contiguous and self.array.dtype == float and self.array.ndim == 2:
            return sf._slipfield.show_dlpack(self, self.array.ctypes.data, self.array.shape, self.device)
        return self.array.__dlpack__()


def host_as_gpu():
    """Within this, memory of the host is that of a GPU."""
    return unittest.mock.patch.object(
        sf._slipfield, "copied_from_gpu", lambda address, size: np.frombuffer(ctypes.string_at(address, size), np.uint8))


class folder(tempfile.TemporaryDirectory):  # pylint: disable=invalid-name
    """A folder as a Path, for `with`."""

    def __enter__(self):
        return Path(super().__enter__())


def check_signals(test, case, seed="force_x", **of):
    """A handler that counts runs several times before the gradient is there, and one that raises ends it."""
    run = solver(case, threads=1)
    run.advance(fields=False)
    calls = []

    def handler(*_):
        calls.append(len(calls))
        if len(calls) == 2:
            raise KeyboardInterrupt
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        with test.assertRaises(KeyboardInterrupt):
            run.gradient({seed: 1.0}, **of)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    test.assertEqual(len(calls), 2)  # after the end there would be one call for all alarms
