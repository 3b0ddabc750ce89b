# SPDX-License-Identifier: Apache-2.0
"""Arrays of the GPU in and out of the Python package. Needs a GPU and CuPy, JAX or PyTorch."""
import contextlib
import ctypes
import gc
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or JAX takes most of the GPU's memory
from python_support import machine, np, sf  # noqa: E402

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


def on_gpu(module, array):
    """A copy on the GPU."""
    if module.__name__ == "jax":
        return module.numpy.asarray(array)
    return module.asarray(array) if module.__name__ == "cupy" else module.as_tensor(array, device="cuda")


def view_of(module, field):
    return module.dlpack.from_dlpack(field) if module.__name__ == "jax" else module.from_dlpack(field)


def on_host(module, array):
    """How it comes back."""
    if module.__name__ == "jax":
        return np.asarray(array)
    return module.asnumpy(array) if module.__name__ == "cupy" else array.cpu().numpy()


def usable(name):
    module = machine.module(name)
    if module and name == "jax":
        module.config.update("jax_enable_x64", True)
        return module if module.default_backend() == "gpu" else None
    return module if module and (name != "torch" or module.cuda.is_available()) else None


if sf._slipfield.gpu():
    skip(sf._slipfield.gpu())
MODULES = {name: usable(name) for name in ("cupy", "jax", "torch")}
print("with", ", ".join(name for name, module in MODULES.items() if module) or "no module", flush=True)
MODULES = {name: module for name, module in MODULES.items() if module}
if not MODULES:
    skip(machine.why_not("cupy", "torch"))


def centres(mx=40, my=32):
    return np.meshgrid(2.4 / mx * (np.arange(mx) - 0.5 * (mx - 1)), 2.4 / my * (np.arange(my) - 0.5 * (my - 1)))


def distance(*elements):
    x, y = centres(*elements)
    return (x**2 + y**2) / 100.0


def with_heights(table, **changes):
    return {**CASE, "geometry": {"type": "heights", "file": table}, **changes}


def bytes_moved(torch, work):
    """Bytes that CUDA copied while `work` ran, by direction: {"DtoH": ...}; {} where torch cannot see them."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as seen:
        work()
        torch.cuda.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        seen.export_chrome_trace(path)
        with open(path, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
    moved = {}
    for event in events:
        if event.get("cat") == "gpu_memcpy":
            way = event["name"].split()[1]
            moved[way] = moved.get(way, 0) + event["args"]["bytes"]
    return moved


def with_each_module(test):
    def each(self):
        for name, module in MODULES.items():
            with self.subTest(module=name):
                test(self, module)
    return each


class GpuArrays(unittest.TestCase):
    @with_each_module
    def test_fields_are_seen_where_they_are(self, module):
        solver = sf.Solver(CASE, backend="cuda")
        result = solver.advance()
        for name in ("pressure", "traction_x", "slip_x"):
            view = view_of(module, solver.device_field(name))
            np.testing.assert_array_equal(on_host(module, view), result.field(name))
            if module.__name__ != "jax":
                np.testing.assert_array_equal(on_host(module, on_gpu(module, solver.device_field(name))), result.field(name))
        self.assertIsNone(solver.device_field("gap"))  # formed on the way to the host

    @with_each_module
    def test_a_view_of_a_field_keeps_the_memory_of_its_solver(self, module):
        solver = sf.Solver(CASE, backend="cuda")
        expected = solver.advance().pressure
        view = view_of(module, solver.device_field("pressure"))
        del solver
        gc.collect()
        sf.solve({**CASE, "normal": {"force": 0.05}}, backend="cuda")  # would take that memory
        np.testing.assert_array_equal(on_host(module, view), expected)

    def test_a_field_of_an_earlier_step_is_refused(self):
        solver = sf.Solver(CASE, backend="cuda")
        solver.advance()
        field = solver.device_field("pressure")
        solver.advance()
        for use in (field.__dlpack__, field.__dlpack_device__, lambda: field.__cuda_array_interface__):
            with self.assertRaisesRegex(sf.InputError, "pressure: the field was that of step 1"):
                use()
        with self.assertRaisesRegex(BufferError, "is shown where it is"):
            solver.device_field("pressure").__dlpack__(dl_device=(1, 0))

    def test_the_cpu_has_no_field_on_the_gpu(self):
        solver = sf.Solver(CASE, backend="cpu")
        solver.advance()
        self.assertIsNone(solver.device_field("pressure"))

    @with_each_module
    def test_tables_and_seeds_of_the_gpu_are_those_of_the_host(self, module):
        friction = np.where(centres()[0] > 0.1, 0.25, 0.3)
        seed = np.random.default_rng(4).normal(size=friction.shape)

        def found(take, kind, backend):
            table = distance().astype(kind)
            run = sf.Solver(with_heights(take(table), friction={"coefficient": {"file": take(friction.astype(kind))}}), backend=backend)
            return [run.advance().traction_x, run.gradient({"pressure": take(seed)})["undeformed_distance"]]
        for backend in ("cuda", "cpu"):
            for kind in (float, np.float32):
                expected = found(np.asarray, kind, backend)
                for one, other in zip(found(lambda array: on_gpu(module, array), kind, backend), expected):
                    np.testing.assert_array_equal(one, other)

    @with_each_module
    def test_strides_of_the_gpu_are_those_of_the_host(self, module):
        table = distance()
        spread = np.zeros((2 * table.shape[0], 3 * table.shape[1]))
        spread[::2, 1::3] = table
        given = [on_gpu(module, spread)[::2, 1::3], on_gpu(module, table.T.copy()).T]
        if module.__name__ == "cupy":
            given.append(on_gpu(module, table[::-1].copy())[::-1])
        expected = sf.solve(with_heights(table), backend="cuda").pressure
        for one in given:
            np.testing.assert_array_equal(sf.solve(with_heights(one), backend="cuda").pressure, expected)

    def test_what_a_stream_still_computes_is_waited_for(self):
        torch = MODULES.get("torch")
        if not torch:
            self.skipTest("torch sees no GPU")
        busy = torch.rand(4096, 4096, device="cuda")
        zeros = torch.zeros(distance().shape, dtype=torch.float64, device="cuda")
        torch.cuda.synchronize()
        with torch.cuda.stream(torch.cuda.Stream()):
            for _ in range(50):
                busy = busy @ busy
                busy = busy / busy.abs().max()
            table = zeros + 0.0 * busy[0, 0] + torch.as_tensor(distance()).pin_memory().to("cuda", non_blocking=True)
            pressure = sf.solve(with_heights(table), backend="cuda").pressure
        np.testing.assert_array_equal(pressure, sf.solve(with_heights(distance()), backend="cuda").pressure)


@unittest.skipUnless("torch" in MODULES, "torch sees no GPU")
class Torch(unittest.TestCase):
    def test_tensors_of_the_gpu_give_tensors_of_the_gpu(self):
        import torch
        from slipfield.torch import solve

        def found(device, dtype, **options):
            heights, friction, force = (torch.tensor(value, dtype=dtype, device=device, requires_grad=True)
                                        for value in (distance(), np.full((32, 40), 0.3), 0.04))
            given = with_heights(heights, friction={"coefficient": {"file": friction}}, normal={"force": force},
                                 solver={"tolerance": 1e-10})
            pressure, traction, approach, gap = solve(given, ["pressure", "traction_x", "approach", "gap"], **options)
            outputs = [one.detach() for one in (pressure, traction, approach, gap)]
            return [*outputs, *torch.autograd.grad((pressure**2).sum() + traction.sum() + approach, [heights, friction, force])]
        for dtype, digits in ((torch.float64, 1e-6), (torch.float32, 1e-3)):
            expected = found("cpu", dtype, backend="cpu")
            for one, other in zip(found("cuda", dtype), expected):
                self.assertEqual((one.device.type, one.dtype), ("cuda", dtype))
                torch.testing.assert_close(one.cpu(), other, rtol=0.0, atol=digits * float(other.abs().max()))

    def test_a_field_is_the_callers_own(self):
        import torch
        from slipfield.torch import solve
        force = torch.tensor(0.04, dtype=torch.float64, device="cuda", requires_grad=True)
        pressure, = solve({**CASE, "normal": {"force": force}}, ["pressure"])
        expected = torch.autograd.grad(pressure.sum(), force, retain_graph=True)[0]
        with torch.no_grad():
            pressure.zero_()
        torch.testing.assert_close(torch.autograd.grad(pressure.sum(), force)[0], expected, rtol=0.0, atol=0.0)

    def test_gradcheck(self):
        import torch
        from slipfield.torch import solve
        values = [torch.tensor(value, dtype=torch.float64, device="cuda", requires_grad=True) for value in (1.0, 1.0)]

        def function(force, creepage):
            tangential = {**CASE["tangential"], "x": {"creepage": 1e-3 * creepage}}
            given = {**CASE, "normal": {"force": 0.04 * force}, "tangential": tangential, "solver": {"tolerance": 1e-11}}
            pressure, force_x = solve(given, ["pressure", "force_x"])
            return (pressure**2).sum() / 0.1, 100.0 * force_x
        self.assertTrue(torch.autograd.gradcheck(function, values, eps=1e-5, atol=1e-3, rtol=1e-3))

    def test_no_field_goes_over_the_host(self):
        import torch
        from slipfield.torch import solve
        table = torch.tensor(distance(320, 256), device="cuda")
        given = with_heights(table, grid={"elements": [320, 256], "spacing": [2.4 / 320, 2.4 / 256]})
        solve(given, ["pressure"])
        moved = [bytes_moved(torch, lambda names=names: solve(given, names))
                 for names in (["force_x"], ["force_x", "pressure", "traction_x", "traction_y", "slip_x"])]
        if not moved[0]:
            self.skipTest("torch's profiler sees no copies")
        print("copied without and with four fields of", table.nbytes, "bytes:", moved, flush=True)
        for way in ("DtoH", "HtoD"):
            self.assertLess(abs(moved[1].get(way, 0) - moved[0].get(way, 0)), 0.1 * table.nbytes)


class Array(ctypes.Structure):
    """slipfield_array."""
    _fields_ = [("name", ctypes.c_char_p), ("values", ctypes.c_void_p), ("mx", ctypes.c_int), ("my", ctypes.c_int)]


class Options(ctypes.Structure):
    """slipfield_options."""
    _fields_ = [("size", ctypes.c_size_t), ("backend", ctypes.c_char_p), ("device", ctypes.c_int), ("threads", ctypes.c_int),
                ("folder", ctypes.c_char_p), ("arrays", ctypes.POINTER(Array)), ("array_count", ctypes.c_size_t),
                ("progress", ctypes.c_void_p), ("user", ctypes.c_void_p)]


class CLibrary(unittest.TestCase):
    def test_an_array_of_the_gpu_replaces_one_of_the_host(self):
        torch = MODULES.get("torch")
        path = Path(os.environ["SLIPFIELD_PROGRAM"]).parent / "app/library/libslipfield.so"
        if not torch or not path.exists():
            self.skipTest("torch sees no GPU, or the C library is not in the build tree")
        library = ctypes.CDLL(str(path))
        library.slipfield_error_message.restype = ctypes.c_char_p

        def call(name, *arguments):
            self.assertEqual(getattr(library, name)(*arguments), 0, library.slipfield_error_message())
        text = json.dumps({**CASE, "friction": {"coefficient": {"file": "array:mu"}},
                           "tangential": {**CASE["tangential"], "x": {"creepage": 0.1}}}).encode()
        force = ctypes.c_double()
        for backend in (b"cpu", b"cuda"):
            friction = np.full((32, 40), 0.3)
            given = Array(b"mu", friction.ctypes.data, 40, 32)
            options = Options()
            library.slipfield_options_init(ctypes.byref(options))
            options.backend, options.arrays, options.array_count = backend, ctypes.pointer(given), 1
            solver = ctypes.c_void_p()
            call("slipfield_solver_create_from_text", text, ctypes.c_size_t(len(text)), ctypes.byref(options), ctypes.byref(solver))
            there = torch.full((32, 40), 0.2, dtype=torch.float64, device="cuda")
            call("slipfield_set_array_device", solver, ctypes.byref(Array(b"mu", there.data_ptr(), 40, 32)))
            call("slipfield_advance", solver)
            call("slipfield_get_totals", solver, 0, 0, b"force_x", ctypes.byref(force), ctypes.c_size_t(1))
            self.assertAlmostEqual(force.value / (-0.2 * 0.04), 1.0, delta=1e-5)  # full sliding
            library.slipfield_solver_destroy(solver)


@unittest.skipUnless("jax" in MODULES, "jax sees no GPU")
class Jax(unittest.TestCase):
    def test_arrays_of_the_gpu_give_arrays_of_the_gpu(self):
        import jax
        from slipfield.jax import solve

        def found(device, **options):
            def scalar(heights, force):
                given = with_heights(heights, normal={"force": force}, solver={"tolerance": 1e-10})
                pressure, approach = solve(given, ["pressure", "approach"], **options)
                return (pressure**2).sum() + approach, pressure
            with jax.default_device(device) if device else contextlib.nullcontext():
                (value, pressure), gradients = jax.value_and_grad(scalar, argnums=(0, 1), has_aux=True)(
                    jax.numpy.asarray(distance()), jax.numpy.asarray(0.04))
            return [value, pressure, *gradients]
        for one, other in zip(found(None), found(jax.devices("cpu")[0], backend="cpu")):
            self.assertEqual(next(iter(one.devices())).platform, "gpu")
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=0.0, atol=1e-6 * float(np.abs(other).max()))


if __name__ == "__main__":
    machine.run_tests()
