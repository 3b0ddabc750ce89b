# SPDX-License-Identifier: Apache-2.0
"""What users give to the Python package, and what else their process does: values that are refused, threads, forks, the end."""
import decimal
import fractions
import gc
import importlib
import os
import signal
import subprocess
import sys
import threading
import unittest
import unittest.mock
import weakref

from python_support import Foreign, folder, heights, host_as_gpu, machine, np, rolling, sf, solve, solver, transient

given_by = importlib.import_module("slipfield.given")

MASKED = np.ma.masked_array([[1.0, 2.0]], mask=[[False, True]])


class Values(unittest.TestCase):
    """Values that are no real numbers are refused with one sentence, wherever they are given."""

    def refused(self, pattern, call, *arguments, **keywords):
        with self.assertRaisesRegex(sf.InputError, pattern):
            call(*arguments, **keywords)

    def test_a_table_that_is_no_table_of_real_numbers_is_refused(self):
        table = heights(rolling())

        class Broken:  # pylint: disable=too-few-public-methods
            """An object that fails to become an array."""
            ndim = 2

            def __array__(self, *_arguments, **_keywords):
                raise RuntimeError("no values\nhere")

        masked = np.ma.masked_where(table > 0.001, table)
        for given, pattern in ((masked, r"values are masked; accepted: .*distances.filled\(np.inf\)"),
                               (list(masked), "values are masked"), (table + 0j, "elements of type complex128"),
                               ([[1, 2], [3]], "no array of real numbers"), (table.astype(str), "elements of type text"),
                               (table.astype(str).astype(object), "elements of type text"), (Broken(), "no values here"),
                               (table.astype(object) + 0j, "no array of real numbers")):
            with self.subTest(pattern):
                self.refused(pattern, solve, rolling(geometry={"type": "heights", "file": given}))

    def test_a_masked_array_without_masked_values_is_its_values(self):
        table = heights(rolling())
        shape = {"type": "heights", "file": table}
        run = solve(rolling(geometry=shape))
        for given in (np.ma.array(table), np.ma.masked_array(table, mask=np.zeros(table.shape, dtype=bool)), table.tolist()):
            self.assertEqual(solve(rolling(geometry={**shape, "file": given})).force_x, run.force_x)

    def test_a_table_on_the_gpu_has_a_shape_and_an_address(self):
        for interface in ({"shape": ("a", 15), "typestr": "<f8", "data": (0, False)}, {"shape": 3, "typestr": "<f8", "data": (0, False)},
                          {"shape": (17, 19), "typestr": "<f8", "data": ("x", False)}, {"shape": (17, 19), "typestr": "<f8", "data": None},
                          {"shape": (17, 19), "typestr": 8, "data": (0, False)}, 7):
            given = type("Given", (), {"__cuda_array_interface__": interface})()
            self.refused("geometry.file: is an array that cannot be copied to the host", solve, rolling(geometry={"type": "heights", "file": given}))

    def test_arrays_of_other_libraries_are_taken_wherever_numpys_are(self):
        table = heights(rolling())
        friction = np.full(table.shape, 0.3) + np.arange(table.size).reshape(table.shape) / 1e4
        seed = np.arange(1.0, 1.0 + table.size).reshape(table.shape)

        def found(of):
            run = solver(rolling(geometry={"type": "heights", "file": of(table)}, friction={"coefficient": {"file": of(friction)}}))
            run.set_array("friction.coefficient.file", of(friction))
            run.set({"tangential.x.creepage": of(np.array(7e-4))})
            return run.advance().force_x, run.gradient({"pressure": of(seed)})["undeformed_distance"]
        force, gradient = found(np.asarray)
        for device in ((1, 0), (3, 0), (2, 0), (13, 0)):
            with host_as_gpu():
                other, by_other = found(lambda array, device=device: Foreign(array, device))
            self.assertEqual(other, force)
            np.testing.assert_array_equal(by_other, gradient)

    def test_arrays_of_a_gpu_have_any_type_and_strides(self):
        table = np.arange(48.0).reshape(6, 8)
        for array in (table, table.T, table[::2, 1::3], table[::-1, ::-2], table[2:2], np.broadcast_to(table[0], (3, 8)).copy(), table[1],
                      *(table.astype(kind) for kind in ("f4", "f2", "i4", "u1", "?", "c16"))):
            interface = {"shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False), "strides": array.strides}
            dense = {**interface, "strides": None} if array.flags.c_contiguous else interface
            by_dlpack = [] if array.dtype == bool else [Foreign(array, (2, 0))]  # which NumPy 1 does not give
            for given in (*by_dlpack, *(type("Given", (), {"__cuda_array_interface__": each})() for each in (interface, dense))):
                with host_as_gpu():
                    copy = given_by.on_host(given, "values")
                self.assertEqual((copy.dtype, copy.shape), (array.dtype, array.shape))
                np.testing.assert_array_equal(copy, array)

    def test_negative_strides_of_dlpack_may_have_been_divided_without_a_sign(self):
        rows = np.arange(48.0).reshape(6, 8)
        parts = (rows[5:].ctypes.data, (2, 64, 1), [6, 8], [(2**64 - 64) // 8, 1])
        with host_as_gpu(), unittest.mock.patch.object(sf._slipfield, "parts_of_dlpack", lambda _capsule: parts):
            np.testing.assert_array_equal(given_by.on_host(Foreign(rows, (2, 0)), "values"), rows[::-1])

    def test_an_array_that_cannot_be_taken_is_refused_with_the_reason(self):
        table = heights(rolling())

        def take(array):
            return solve(rolling(geometry={"type": "heights", "file": array}))
        self.refused("geometry.file: .* device of DLPack's kind 8; accepted: .* CPU or of an NVIDIA GPU", take, Foreign(table, (8, 0)))
        lent = Foreign(table, (2, 0))
        lent.__class__ = type("Lent", (Foreign,), {"__dlpack__": lambda self, **_keywords: 7})
        self.refused("geometry.file: is an array that cannot be copied to the host: .*PyCapsule", take, lent)
        with host_as_gpu():
            self.refused("geometry.file: has elements of type complex128", take, Foreign(table + 0j, (2, 0)))
            self.refused("geometry.file: is a list", take, Foreign(table[0], (2, 0)))
            bfloat = unittest.mock.patch.object(sf._slipfield, "parts_of_dlpack", lambda _capsule: (0, (4, 16, 1), [17, 19], None))
            with bfloat:
                self.refused("NumPy has no numbers bfloat16", take, Foreign(table, (2, 0)))
        if sf._slipfield.gpu():
            self.refused("seed: pressure: is an array that cannot be copied to the host: ", solver(rolling()).gradient,
                         {"pressure": Foreign(table, (2, 0))})

    def test_a_shown_field_lives_as_long_as_its_reader(self):
        shown = Foreign(np.arange(6.0).reshape(2, 3))
        lives = weakref.ref(shown)
        view = np.from_dlpack(shown)
        np.testing.assert_array_equal(view, shown.array)
        unread = shown.__dlpack__()
        del shown
        gc.collect()
        self.assertIsNotNone(lives())
        del view, unread
        gc.collect()
        self.assertIsNone(lives())

    def test_numbers_beyond_floats_and_whole_numbers_beyond_those_of_c_are_refused(self):
        for value in (fractions.Fraction(10**400), decimal.Decimal("sNaN")):
            self.refused("normal.force: .* is no float", solve, rolling(normal={"force": value}))
        self.refused("normal.force: has masked values", solve, rolling(normal={"force": np.ma.masked}))
        self.refused("complex", solve, rolling(normal={"force": np.complex128(1.0)}))
        self.refused("device", sf.Solver, rolling(), device=10**30)
        run = solver(rolling())
        run.advance()
        self.refused("contact: 1000.* is not a number", run.gradient, {"force_x": 1.0}, contact=10**20)

    def test_seeds_are_real_finite_and_their_results_too(self):
        run = solver(rolling())
        result = run.advance()
        field = np.ma.masked_less(result.pressure, 1.0)
        self.refused("seed: pressure: .* values are masked", run.gradient, {"pressure": field})
        self.refused("seed: pressure: has elements of type complex", run.gradient, {"pressure": result.pressure + 0j})
        self.refused("steps: not a list of results", run.gradient, {"force_x": 1.0}, steps=5)
        self.refused("seed: a value of type float is neither", run.gradient, 1.0, steps=[result])
        self.refused("beyond what doubles hold", run.gradient, {"force_x": 1e308})

    def test_a_creep_table_takes_real_numbers_that_go_together(self):
        with folder() as here:
            made = subprocess.run([os.environ["SLIPFIELD_PROGRAM"], "table", "make", "-o", str(here / "t.h5"), "--ratios", "1.5", "--knots",
                                   "4,8,4", "--elements", "12", "--checks", "5"], check=True, capture_output=True, timeout=60)
            self.assertEqual(made.returncode, 0)
            table = sf.CreepTable(here / "t.h5")
        sound = [1.0, 1.0, 8e4, 0.3, 1e4]
        self.refused("creepage_x: has elements of type text", table.contact, *sound, "1e-3")
        self.refused("spin: has elements of type text", table.contact, *sound, 1e-3, 0.0, "x")
        self.refused("creepage_x: has elements of type complex", table.contact, *sound, 1e-3 + 1j)
        self.refused("creepage_x: 1 of 2 values are masked", table.contact, *sound, MASKED)
        self.refused(r"shapes do not go together: a \(2,\), normal_force \(3,\)", table.contact, np.ones(2), 1.0, 8e4, 0.3, np.ones(3), 1e-3)
        self.refused(r"normal_force \(3,\), creepage_x \(2,\)", table.contact, 1.0, 1.0, 8e4, 0.3, np.ones(3), np.ones(2))
        self.refused("ratio: 1 of 2 values are masked", table.forces, MASKED, 0.1)

    def test_a_flag_is_true_or_false_and_no_name(self):
        run = solver(rolling())
        for refused in (lambda: run.advance(fields="pressure"), lambda: run.advance({"normal.force": 90.0}, fields=["pressure"]),
                        lambda: run.run(fields=0), lambda: solve(rolling(), fields=None)):
            with self.assertRaisesRegex(sf.InputError, "fields: .* is neither True nor False; accepted: True, or False, which keeps the"):
                refused()
        self.assertEqual(run.steps_done, 0)
        with self.assertRaisesRegex(sf.InputError, r"progress: cannot be called; accepted: True, or a function of \(step, phase"):
            solve(rolling(), progress=3)

    def test_a_path_with_nul_is_refused_everywhere(self):
        result = solve(rolling())
        with folder() as here:
            name = str(here / "a\0b.h5")
            for call in (lambda: result.save(name), lambda: sf.open(name), lambda: sf.load(name), lambda: sf.solve(name),
                         lambda: sf.CreepTable(name), lambda: sf.convert(name), lambda: sf.compare(name, result),
                         lambda: sf.Solver(rolling(), folder=name), lambda: sf.sweep(rolling(), {"normal.force": [1.0]}).save(name)):
                self.refused("the character NUL", call)
            self.assertEqual(list(here.iterdir()), [])

    def test_a_sweep_of_too_many_points_is_refused_before_they_are_made(self):
        self.refused("10000200001 points; accepted: at most 10000000", sf.sweep, rolling(),
                     {"normal.force": range(1, 100002), "friction.coefficient": np.linspace(0.1, 0.2, 100001)[:100001]})

    def test_any_letter_of_a_title_comes_back(self):
        for title in ("\U0001f682\u200d\U0001f4a8", 'a\\b "c"', "a\u202ec", "\U0001f682"):
            self.assertEqual(solver(rolling(title=title)).title, title)

    def test_all_values_are_set_or_none(self):
        mu = np.full((17, 19), 0.3)
        for wrong in ({"nix": 1}, {"normal.force": -5}):
            for steps in (0, 1):
                run, other = (solver(rolling(friction={"coefficient": {"file": mu}})) for _ in range(2))
                for _ in range(steps):
                    self.assertEqual(run.advance().force_x, other.advance().force_x)
                with self.assertRaises(sf.InputError):
                    run.set({"friction.coefficient": {"file": 0.1 * mu}, **wrong})
                self.assertEqual(run.advance().force_x, other.advance().force_x)

    def test_a_key_that_was_given_in_another_notation_has_its_value(self):
        run = solver(rolling())
        self.assertEqual(run["geometry.radius"], 10.0)
        run["geometry.radius"] = 11.0
        self.assertEqual(run["geometry.radius"], 11.0)
        self.assertEqual(run["bodies.upper.young_modulus"], 2.1e5)
        run.set({"tangential.x": {"force": 3.0}})
        with self.assertRaisesRegex(sf.InputError, "tangential.x.creepage: the case has no such key"):
            run["tangential.x.creepage"]  # pylint: disable=pointless-statement


class States(unittest.TestCase):
    """A state goes to a solver of the same case."""

    def test_a_state_of_another_case_is_refused_with_the_key_that_differs(self):
        run = solver(transient())
        run.advance()
        state = run.save_state()
        table = heights(rolling())
        for case, pattern in ((transient(units="SI"), "units is N-mm-s there and SI here"),
                              (transient(layer={"thickness": 0.01, "shear_modulus": 100.0}), "layer.* is absent there"),
                              (rolling(), "tangential.problem is transient_rolling there and steady_rolling here"),
                              (transient(geometry={"type": "sphere", "radius": 11.0}), "geometry.* is .* there and .* here")):
            with self.subTest(pattern), self.assertRaisesRegex(sf.InputError, f"the state is of another case: {pattern}"):
                solver(case).restore(state)
        one, other = (solver(transient(geometry={"type": "heights", "file": scale * table})) for scale in (1.0, 1.1))
        with self.assertRaisesRegex(sf.InputError, "the table of heights"):
            other.restore(one.save_state())

    def test_loads_may_differ(self):
        run = solver(transient())
        run.advance()
        state, next_force = run.save_state(), run.advance({"normal.force": 80.0}).force_x
        other = solver(transient(normal={"force": 50.0}, title="another", output={"fields": "none"}))
        other.restore(state)
        self.assertEqual(other.advance({"normal.force": 80.0}).force_x, next_force)


class Processes(unittest.TestCase):
    """Threads, forks, and the end of the process."""

    def test_threads_save_and_open_at_once(self):
        errors = []
        with folder() as here:
            def work(number):
                result = solver(rolling(), threads=1).advance()
                try:
                    for _ in range(4):
                        result.save(here / f"{number}.h5", overwrite=True)
                        if sf.open(here / f"{number}.h5").step(1).force_x != result.force_x:
                            errors.append("another result")
                except Exception as error:  # pylint: disable=broad-except
                    errors.append(repr(error))
            threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(errors, [])

    def test_a_child_process_solves_with_the_same_bits(self):
        case = rolling(grid={"elements": [65, 65], "extent": {"x": [-0.21, 0.21], "y": [-0.21, 0.21]}})
        force = solve(case, threads=2).force_x
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                os.write(write, repr(solve(case, threads=2).force_x).encode())
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as answer:
            self.assertEqual(answer.read(), repr(force))
        os.waitpid(child, 0)

    def test_a_thread_that_solves_when_python_ends_does_not_abort_the_process(self):
        script = ("import sys, threading, time\nsys.path[:0] = [{0!r}]\nfrom python_support import rolling, sf\n"
                  "case = rolling(grid={{'elements': [129, 129], 'extent': {{'x': [-0.21, 0.21], 'y': [-0.21, 0.21]}}}})\n"
                  "begun = threading.Event()\n"
                  "def follow(*_): begun.set()\n"
                  "def work():\n    while True: sf.solve(case, threads=1, progress={1})\n"
                  "threading.Thread(target=work, daemon=True).start()\n{2}")
        for progress, wait in (("follow", "begun.wait()"), ("None", "time.sleep(0.3)")):
            ended = subprocess.run([sys.executable, "-c", script.format(os.path.dirname(__file__), progress, wait)],
                                   capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_threads_stop_to_solve_as_python_ends_and_the_main_thread_may_solve(self):
        # Functions registered first are called last, after the package has stopped the threads: one may wait for them.
        script = ("import atexit, sys, threading, time\nsys.path[:0] = [{0!r}]\ncalls = 0\n"
                  "def last():\n    before = calls\n    time.sleep(0.1)\n    print(calls - before, sf.solve(rolling()).force_x)\n"
                  "    thread.join()\n"
                  "atexit.register(last)\nfrom python_support import rolling, sf\nbegun = threading.Event()\n"
                  "def follow(*_):\n    global calls\n    calls += 1\n    begun.set()\n"
                  "def work():\n    while True: sf.solve(rolling(), threads=1, progress=follow)\n"
                  "thread = threading.Thread(target=work, daemon=True)\nthread.start()\nbegun.wait()\n")
        ended = subprocess.run([sys.executable, "-c", script.format(os.path.dirname(__file__))],
                               capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((ended.returncode, ended.stdout.split(), ended.stderr), (0, ["0", repr(solve(rolling()).force_x)], ""))

    def test_a_solver_whose_progress_refers_to_its_owner_is_collected(self):
        class Owner:  # pylint: disable=too-few-public-methods
            """Holds a solver that calls it back."""

            def __init__(self):
                self.calls = 0
                self.solver = solver(rolling(), progress=self.follow)

            def follow(self, *_):
                """Counts."""
                self.calls += 1

        owner = Owner()
        owner.solver.advance()
        self.assertGreater(owner.calls, 0)
        gone = weakref.ref(owner)
        gc.collect()
        self.assertIsNotNone(gone())
        del owner
        gc.collect()
        self.assertIsNone(gone())

    def test_damaged_text_is_escaped_or_refused_in_one_sentence(self):
        with folder() as here:
            solve(rolling(title="a title that is found")).save(here / "a.h5")
            sound = (here / "a.h5").read_bytes()
            at = sound.index(b"a title that is found")
            (here / "b.h5").write_bytes(sound[:at] + b"\xff\xfe" + sound[at + 2:])
            self.assertEqual(sf.open(here / "b.h5").info["title"], "\\xff\\xfetitle that is found")
            (here / "c.h5").write_bytes(sound.replace(b"steady_rolling", b"steady\xff\xfelling"))
            with self.assertRaises(sf.InputError):
                file = sf.open(here / "c.h5")
                print(file.info, file.step(1).totals, file.table)


if __name__ == "__main__":
    machine.run_tests()
