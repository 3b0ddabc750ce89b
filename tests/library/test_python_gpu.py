# SPDX-License-Identifier: Apache-2.0
"""Arrays of the GPU in and out of the Python package. Needs a GPU and CuPy or PyTorch."""
import os
import sys
import unittest

from python_support import machine, np, sf

CASE = {
    "schema": 1, "units": "N-mm-s",
    "bodies": {"upper": {"shear_modulus": 1.0, "poisson_ratio": 0.28},
               "lower": {"shear_modulus": 1.0, "poisson_ratio": 0.28}},
    "friction": {"coefficient": 0.3},
    "grid": {"elements": [40, 32], "spacing": [0.06, 0.075]},
    "geometry": {"type": "sphere", "radius": 50.0},
    "normal": {"force": 0.04},
    "tangential": {"problem": "steady_rolling", "x": {"creepage": 1e-3}, "y": {"creepage": 0.0}},
}


def skip(why):
    if os.environ.get("SLIPFIELD_REQUIRE_GPU") == "1":
        sys.exit(f"failed: {why}")
    machine.skip(why)


if sf._slipfield.gpu():
    skip(sf._slipfield.gpu())
MODULES = [machine.module(name) for name in ("cupy", "torch") if machine.module(name)]
if not MODULES:
    skip(machine.why_not("cupy", "torch"))


def on_gpu(module, array):
    """A copy on the GPU, and how it comes back."""
    if module.__name__ == "cupy":
        return module.asarray(array)
    return module.as_tensor(array, device="cuda")


def on_host(module, array):
    return module.asnumpy(array) if module.__name__ == "cupy" else array.cpu().numpy()


class GpuArrays(unittest.TestCase):
    def test_fields_are_seen_where_they_are(self):
        for module in MODULES:
            with self.subTest(module=module.__name__):
                solver = sf.Solver(CASE, backend="cuda")
                result = solver.advance()
                for name in ("pressure", "traction_x", "slip_x"):
                    view = on_gpu(module, solver.device_field(name))
                    np.testing.assert_array_equal(on_host(module, view), result.field(name))
                self.assertIsNone(solver.device_field("gap"))  # formed on the way to the host

    def test_the_cpu_has_no_field_on_the_gpu(self):
        solver = sf.Solver(CASE, backend="cpu")
        solver.advance()
        self.assertIsNone(solver.device_field("pressure"))

    def test_heights_of_the_gpu_are_those_of_the_host(self):
        x = 0.06 * (np.arange(40) - 19.5)
        y = 0.075 * (np.arange(32) - 15.5)
        heights = (x[None, :] ** 2 + y[:, None] ** 2) / 100.0
        def solve(table):
            case = {**CASE, "geometry": {"type": "heights", "file": table}}
            return sf.solve(case, backend="cuda").pressure
        expected = solve(heights)
        for module in MODULES:
            with self.subTest(module=module.__name__):
                np.testing.assert_array_equal(solve(on_gpu(module, heights)), expected)
                with self.assertRaisesRegex(sf.InputError, "float64"):
                    solve(on_gpu(module, heights.astype(np.float32)))
                with self.assertRaisesRegex(sf.InputError, "dense"):
                    solve(on_gpu(module, heights)[::2, ::2])


if __name__ == "__main__":
    machine.run_tests()
