"""The Python package as its users call it; PYTHONPATH names where it is."""
import contextlib
import copy
import gc
import hashlib
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path
from unittest import mock

SKIPPED = 77
os.environ.setdefault("OMP_NUM_THREADS", "1")  # the cases are small, other tests run next to them

try:
    import numpy as np
    import slipfield as sf
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

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


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


class Physics(unittest.TestCase):
    """The numbers are those of a contact."""

    def test_the_fields_sum_to_the_totals(self):
        result = solve(rolling())
        area = result.spacing[0] * result.spacing[1]
        # sums of 200 numbers, rounded
        for field, total in (("pressure", "normal_force"), ("traction_x", "force_x"),
                             ("traction_y", "force_y")):
            self.assertTrue(math.isclose(area * result.field(field).sum(), result.totals[total],
                                         rel_tol=1e-12), field)
        moment = area * np.sum(result.x * result.traction_y
                               - result.y[:, None] * result.traction_x)
        self.assertTrue(math.isclose(moment, result.moment_z, rel_tol=1e-10))
        for state, total in ((1, "elements_adhesion"), (2, "elements_slip")):
            self.assertEqual(int((result.element_division == state).sum()), result.totals[total])

    def test_the_pressure_of_a_ball_approaches_hertz(self):
        modulus = STEEL["young_modulus"] / (1.0 - STEEL["poisson_ratio"] ** 2) / 2.0
        width = (0.75 * 100.0 * 10.0 / modulus) ** (1.0 / 3.0)
        expected = 1.5 * 100.0 / (math.pi * width ** 2)
        errors = [abs(solve(frictionless(n)).max_pressure / expected - 1.0) for n in (15, 45)]
        self.assertLess(errors[0], 5e-3)  # README.md: 0.3 % at 15 elements across
        self.assertLess(errors[1], 1e-3)  # and below 0.1 % at 30
        self.assertLess(errors[1], errors[0])

    def test_no_traction_exceeds_coulombs_bound_and_slip_opposes_it(self):
        result = solve(rolling())
        traction = np.hypot(result.traction_x, result.traction_y)
        bound = MU * result.pressure
        slipping = result.element_division == 2
        self.assertTrue(slipping.any() and (result.element_division == 1).any())
        # tolerance of the solver 1e-6, relative to the tractions
        self.assertTrue((traction <= bound + 1e-5 * bound.max()).all())
        np.testing.assert_allclose(traction[slipping], bound[slipping], atol=1e-5 * bound.max())
        power = result.traction_x * result.slip_x + result.traction_y * result.slip_y
        self.assertTrue((power[slipping] <= 0.0).all())
        self.assertLess(math.hypot(result.force_x, result.force_y), MU * result.normal_force)

    def test_the_derivatives_are_those_of_the_forces(self):
        case = rolling(output={"sensitivities": True}, solver={"tolerance": 1e-10})
        jacobian = solve(case).jacobian
        self.assertEqual(jacobian.shape, (3, 3))
        step = 1e-7
        forces = []
        for creepage in (8e-4 - step, 8e-4 + step):
            moved = solver(case).advance({"tangential.x.creepage": creepage})
            forces.append(np.array([moved.force_x, moved.force_y, moved.moment_z]))
        difference = (forces[1] - forces[0]) / (2.0 * step)
        # central difference within one division of the elements; the tolerance over the step
        np.testing.assert_allclose(jacobian[:, 0], difference, rtol=1e-2,
                                   atol=1e-3 * abs(difference).max())
        self.assertIsNone(solve(rolling()).jacobian)


class Cases(unittest.TestCase):
    """A dict, its text and its file are the same case."""

    def test_dict_text_and_path_give_the_same_bits(self):
        expected = bits(solve(TEXT))
        self.assertEqual(bits(solve(rolling())), expected)
        with folder() as here:
            (here / "ball.yaml").write_text(TEXT, encoding="utf-8")
            self.assertEqual(bits(solve(str(here / "ball.yaml"))), expected)
            self.assertEqual(bits(solve(here / "ball.yaml")), expected)

    def test_numbers_of_numpy_and_tuples_are_numbers_and_lists(self):
        grid = {"elements": (np.int64(19), 17),
                "extent": {"x": np.array([-0.21, 0.21]), "y": (np.float64(-0.2), 0.2)}}
        case = rolling(grid=grid, output={"sensitivities": np.False_})
        self.assertEqual(bits(solve(case)), bits(solve(rolling())))

    def test_any_title_comes_back(self):
        for title in ("µ ≈ 0.3", "😀 \"wheel\" 'x' \\", "12", "true", "null", "a: b # c", "{", "- x"):
            with self.subTest(title):
                self.assertEqual(solver(rolling(title=title)).title, title)

    def test_load_keeps_numbers_text_and_the_folder(self):
        try:
            import yaml  # noqa: F401  pylint: disable=unused-import,import-outside-toplevel
        except ImportError:
            self.skipTest("PyYAML is not installed")
        with folder() as here:
            path = here / "ball.yaml"
            path.write_text("# a comment\n" + TEXT, encoding="utf-8")
            case = sf.load(path)
            self.assertEqual(case["tangential"]["x"]["creepage"], 8e-4)
            self.assertIn("# a comment", case.text)
            self.assertEqual(case.copy().folder, str(here.resolve()))
            self.assertEqual(bits(solve(case)), bits(solve(TEXT)))
            path.write_text(TEXT + "units: SI\n", encoding="utf-8")
            with self.assertRaisesRegex(sf.CaseError, r"ball\.yaml:12:1: .*'units' is there twice"):
                sf.load(path)

    def test_heights_in_a_dict_are_the_shape_that_they_are_of(self):
        table = heights(rolling())
        for name, given in (("float64", table), ("lists", table.tolist()),
                            ("Fortran order", np.asfortranarray(table)),
                            ("big endian", table.astype(">f8"))):
            with self.subTest(name):
                result = solve(rolling(geometry={"type": "heights", "file": given}))
                np.testing.assert_array_equal(result.undeformed_distance, table)
        named = solve(rolling(geometry={"type": "heights", "file": "array:h"}), arrays={"h": table})
        np.testing.assert_array_equal(named.undeformed_distance, table)

    def test_friction_may_be_a_table_that_changes_between_steps(self):
        run = solver(transient())
        run.advance()
        run.set({"friction.coefficient": {"file": np.full((17, 19), 0.1)}})
        result = run.advance()
        ratio = np.hypot(result.traction_x, result.traction_y) / np.maximum(result.pressure, 1e-9)
        self.assertLess(ratio.max(), 0.1 * (1.0 + 1e-5))  # the solver's tolerance

    def test_convert_gives_cases_that_solve(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            case = sf.convert(DATA / "contact" / "cattaneo.inp")[-1]
        result = solve(case)
        self.assertTrue(result.converged)
        # CONTACT's published numbers of its Cattaneo example
        self.assertEqual((result.elements_contact, result.elements_adhesion), (177, 45))
        self.assertAlmostEqual(result.max_pressure, 4.393, delta=5e-4)


class Steps(unittest.TestCase):
    """A solver's steps, its states, and what a result keeps."""

    def test_loads_change_between_steps_and_stay(self):
        run = solver(transient(output={"sensitivities": True}))
        first = run.advance({"normal.force": 80.0})
        second = run.advance()
        third = run.advance({"tangential.x.creepage": -1e-3})
        self.assertEqual([step.number for step in (first, second, third)], [1, 2, 3])
        # the prescribed force is met to rounding
        self.assertAlmostEqual(second.normal_force, 80.0, delta=1e-9)
        self.assertLess(second.force_x, first.force_x)  # a longer way of creeping: a larger force
        self.assertGreater(third.force_x, second.force_x)
        self.assertEqual(run["tangential.x.creepage"], -1e-3)
        self.assertEqual(run["grid.elements"], [19, 17])
        self.assertIs(run["output.sensitivities"], True)
        self.assertEqual(run["tangential.problem"], "transient_rolling")

    def test_a_trial_leaves_the_bits_of_the_next_step(self):
        without, run = solver(transient()), solver(transient())
        for each in (without, run):
            each.advance()
        with run.trial():
            run.advance({"tangential.x.creepage": 3e-3})
        with self.assertRaises(ZeroDivisionError), run.trial():
            run.advance()
            raise ZeroDivisionError
        self.assertEqual(run.steps_done, 1)
        self.assertEqual(bits(run.advance({"tangential.x.creepage": 1e-3})),
                         bits(without.advance()))

    def test_all_steps_of_a_case_are_in_the_result(self):
        case = transient(steps=[{"repeat": 2}, {"normal": {"force": 50.0}}])
        result = solve(case)
        self.assertEqual([step.number for step in result.steps], [1, 2, 3])
        self.assertAlmostEqual(result.step(1).normal_force, 100.0, delta=1e-9)  # rounding
        self.assertAlmostEqual(result.step(0).normal_force, 50.0, delta=1e-9)
        with self.assertRaisesRegex(sf.InputError, "there is no step 4; accepted: 1, 2, 3"):
            result.step(4)

    def test_arrays_survive_the_solver_and_cannot_be_written(self):
        result = solve(rolling())
        pressure, expected = result.pressure, result.pressure.copy()
        self.assertFalse(pressure.flags.owndata)  # the solver's own copy, no second one
        del result
        gc.collect()
        self.assertTrue(solve(rolling(normal={"force": 70.0})).converged)
        np.testing.assert_array_equal(pressure, expected)
        for array in (pressure, solve(rolling()).x):
            with self.assertRaises(ValueError):
                array[0] = 1.0
        with self.assertRaises(ValueError):
            pressure.flags.writeable = True

    def test_results_go_through_pickle_and_deepcopy(self):
        result = solve(transient(steps=[{"repeat": 2}]))
        for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            self.assertEqual(bits(other), bits(result))
            self.assertEqual(other.totals, result.totals)
            self.assertEqual(len(other.steps), 2)
            with self.assertRaises(ValueError):
                other.pressure[0] = 1.0
            with self.assertRaisesRegex(sf.InputError, "without its solver"):
                other.save("never.h5")
        error = pickle.loads(pickle.dumps(sf.NotConverged("why", result)))
        self.assertEqual((str(error), error.result.number), ("why", 2))

    def test_a_step_may_be_kept_without_fields(self):
        result = solve(rolling(), fields=False)
        self.assertEqual(result.field_names(), [])
        self.assertEqual(result.force_x, solve(rolling()).force_x)
        with self.assertRaisesRegex(AttributeError, "kept without fields; accepted: fields=True"):
            print(result.pressure)
        with self.assertRaisesRegex(sf.InputError, "without fields"):
            result.save("never.h5")

    def test_every_name_of_a_result_is_an_attribute_with_a_unit(self):
        result = solve(rolling(tangential={**rolling()["tangential"], "velocity": 1000.0}))
        for name in result.field_names():
            self.assertEqual(getattr(result, name).shape, (17, 19))
            self.assertIn(name, dir(result))
        self.assertEqual(result.unit("relative_slip_velocity_x"), "mm/s")
        self.assertEqual(result.unit("force_x"), "N")
        np.testing.assert_array_equal(result.relative_slip_velocity_x,
                                      1000.0 / result.spacing[0] * result.slip_x)


class Sweeps(unittest.TestCase):
    """Many contacts."""

    def test_a_sweep_gives_what_single_solves_give(self):
        keys = {"tangential.x.creepage": [2e-4, 1e-3, 4e-3], "friction.coefficient": [0.1, 0.3]}
        table = sf.sweep(rolling(), keys, backend=BACKEND, threads=2)
        self.assertEqual(table.shape, (3, 2))
        self.assertTrue(table.converged.all())
        for i, creepage in enumerate(keys["tangential.x.creepage"]):
            for j, friction in enumerate(keys["friction.coefficient"]):
                one = solver(rolling()).advance({"tangential.x.creepage": creepage,
                                                 "friction.coefficient": friction})
                self.assertEqual(table["force_x"][i, j], one.force_x)
                self.assertEqual(table["friction.coefficient"][i, j], friction)

    def test_a_point_that_fails_is_marked_and_the_others_are_there(self):
        table = sf.sweep(rolling(), {"normal.force": [100.0, -1.0]}, totals=["approach"],
                         backend=BACKEND)
        self.assertEqual(table.converged.tolist(), [True, False])
        self.assertTrue(math.isnan(table["approach"][1]))
        self.assertIn("normal.force: -1.0 is out of range", table.messages[1])

    def test_a_sweep_that_cannot_be_meant_is_refused(self):
        for keys, reason in (({}, "needs keys"), ({"normal.force": []}, "has no values"),
                             ({"normal.force": 100.0}, "is not a list"),
                             ({"normal.force": "100"}, "is not a list"),
                             ([1, 2], "is not a dict"),
                             ({"normal.farce": [1.0, 2.0]}, "did you mean 'force'")):
            with self.subTest(keys), self.assertRaisesRegex(sf.InputError, reason):
                sf.sweep(rolling(), keys, backend=BACKEND)
        with self.assertRaisesRegex(sf.InputError, "there is no total 'nope'"):
            sf.sweep(rolling(), {"normal.force": [1.0]}, totals=["nope"], backend=BACKEND)

    def test_a_table_becomes_a_data_frame(self):
        try:
            import pandas  # noqa: F401  pylint: disable=unused-import,import-outside-toplevel
        except ImportError:
            self.skipTest("pandas is not installed")
        table = sf.sweep(rolling(), {"normal.force": [90.0, 100.0], "tangential.spin": [0.0, 1e-3]},
                         backend=BACKEND)
        frame = table.to_pandas()
        self.assertEqual(list(frame["normal.force"]), [90.0, 90.0, 100.0, 100.0])
        self.assertEqual(list(frame["force_x"]), list(table["force_x"].ravel()))


class Errors(unittest.TestCase):
    """What is wrong is an exception with a sentence."""

    def test_a_wrong_case_says_place_key_reason_and_remedy(self):
        text = TEXT.replace("force: 100", "force: -1").replace("radius: 10", "raduis: 10")
        with self.assertRaises(sf.CaseError) as caught:
            solve(text)
        error = caught.exception
        by_key = {fault[1]: fault for fault in error.faults}
        place, _, reason, remedy = by_key["normal.force"]
        self.assertEqual(place, "case:10:17")
        self.assertIn("-1 is out of range", reason)
        self.assertEqual(remedy, "a number > 0")
        self.assertIn("did you mean 'radius'", str(error))
        self.assertEqual((error.place, error.key, error.reason, error.remedy), error.faults[0])
        self.assertIsInstance(error, ValueError)
        self.assertEqual(pickle.loads(pickle.dumps(error)).faults, error.faults)

    def test_a_solver_is_as_it_was_after_a_refused_value(self):
        run = solver(rolling())
        with self.assertRaisesRegex(sf.CaseError, "normal.force"):
            run.set({"tangential.x.creepage": 5e-3, "normal.force": -1.0})
        self.assertEqual(bits(run.advance()), bits(solve(rolling())))
        with self.assertRaisesRegex(sf.InputError, "fixed once a step has run"):
            run.set({"grid.refine": 2})

    def test_wrong_types_are_named(self):
        run = solver(rolling())
        other = solver(transient())
        table = np.zeros((17, 19))
        for reason, call in (
                ("a case cannot be of type int", lambda: solve(5)),
                ("empty text", lambda: solve("")),
                ("backend: None", lambda: sf.solve(rolling(), backend=None)),
                ("threads: -1 is out of range", lambda: solve(rolling(), threads=-1)),
                ("device: 'a'", lambda: solve(rolling(), device="a")),
                ("progress: cannot be called", lambda: solve(rolling(), progress=3)),
                ("arrays: is not a dict", lambda: solve(rolling(), arrays=[table])),
                ("masked", lambda: solve(rolling(), arrays={"h": np.ma.array(table)})),
                ("complex", lambda: solve(rolling(), arrays={"h": table + 0j})),
                ("dimensions", lambda: solve(rolling(), arrays={"h": [1.0]})),
                ("normal: None has no form", lambda: solve(rolling(normal=None))),
                ("normal.force: a value of type complex", lambda: run.set({"normal.force": 1j})),
                ("the key 3 is not text", lambda: run.set({3: 3})),
                ("is not a dict", lambda: run.advance(3)),
                ("not the path of a key", lambda: run[0]),
                ("is not a state", lambda: run.restore(None)),
                ("there is no field 'prssure'", lambda: run.device_field("prssure")),
                ("is not a path", lambda: sf.open(3)),
                ("no field or total 'x'", lambda: sf.describe("x")),
                ("there is no step", lambda: other.advance().step(7))):
            with self.subTest(reason), self.assertRaisesRegex(sf.InputError, reason):
                call()
        with self.assertRaises(TypeError):
            iter(run)
        with self.assertRaisesRegex(TypeError, "cannot be pickled"):
            pickle.dumps(run)

    def test_a_name_that_is_nearly_right_is_suggested(self):
        with self.assertRaisesRegex(AttributeError, "did you mean 'pressure'"):
            print(solve(rolling()).presure)
        with self.assertRaisesRegex(sf.InputError, "accepted: with tangential.velocity"):
            solve(rolling()).field("relative_slip_velocity_x")

    def test_a_result_that_did_not_converge_comes_with_the_exception(self):
        # A tolerance below rounding cannot be met.
        case = rolling(solver={"tolerance": 1e-300})
        with self.assertRaisesRegex(sf.NotConverged, "step 1 did not converge") as caught:
            solve(case)
        result = caught.exception.result
        self.assertFalse(result.converged)
        self.assertTrue(result.message)
        # what was found is the contact all the same
        self.assertAlmostEqual(result.force_x, solve(rolling()).force_x, delta=1e-3)
        self.assertFalse(solver(case).advance().converged)

    def test_progress_counts_and_cancels(self):
        seen = []
        run = solver(transient(), progress=lambda *line: seen.append(line))
        run.advance()
        self.assertTrue(all(line[0] == 1 and line[1] in ("normal", "tangential", "outer")
                            for line in seen) and seen)
        answers = iter([True, False])
        run = solver(transient(), progress=lambda *line: next(answers, True))
        with self.assertRaises(sf.Cancelled):
            run.advance()
        self.assertEqual(bits(run.advance()), bits(solver(transient()).advance()))

        def fails(*line):
            raise KeyError(line[0])
        with self.assertRaises(KeyError):
            solver(transient(), progress=fails).advance()

    def test_a_solver_in_use_refuses_a_second_call(self):
        refused = []

        def calls_back(*_):
            try:
                run.set({"normal.force": 50.0})
            except sf.InputError as error:
                refused.append(str(error))
        run = solver(rolling(), progress=calls_back)
        self.assertEqual(bits(run.advance()), bits(solve(rolling())))
        self.assertIn("one call at a time", refused[0])

    def test_missing_packages_are_named_with_what_to_do(self):
        result = solve(rolling())
        table = sf.sweep(rolling(), {"normal.force": [100.0]}, backend=BACKEND)
        for package, call in (("xarray", result.to_xarray), ("pandas", table.to_pandas),
                              ("matplotlib", result.plot), ("matplotlib", table.plot),
                              ("pyyaml", lambda: sf.load("nope.yaml"))):
            module = {"pyyaml": "yaml"}.get(package, package)
            hidden = {name: None for name in sys.modules if name.split(".")[0] == module}
            with self.subTest(package), mock.patch.dict(sys.modules, {**hidden, module: None}):
                with self.assertRaisesRegex(sf.InputError, f"pip install {package}"):
                    call()
        with mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.figure": None}):
            self.assertNotIn("<img", result._repr_html_())


class Files(unittest.TestCase):
    """Saved, opened, compared."""

    def test_a_saved_result_opens_with_the_same_bits(self):
        result = solve(transient(steps=[{"normal": {"force": force}} for force in (90.0, 100.0)]
                                 + [{"tangential": {"x": {"creepage": 2e-3}}}]))
        with folder() as here:
            path = here / "ball.h5"
            result.save(path)
            with self.assertRaisesRegex(sf.InputError, "accepted: another name, or overwrite=True"):
                result.save(path)
            result.save(path, overwrite=True)
            (here / "precious.txt").write_text("text", encoding="utf-8")
            with self.assertRaises(sf.Error):
                result.save(here / "precious.txt", overwrite=True)
            self.assertEqual((here / "precious.txt").read_text(encoding="utf-8"), "text")
            with sf.open(path) as file:
                self.assertEqual((len(file), file.numbers), (3, [1, 2, 3]))
                for read, kept in zip(file, result.steps):
                    self.assertEqual(bits(read), bits(kept))
                    self.assertEqual(read.totals, kept.totals)
                # the resolved case says G instead of E, rounded
                again = solve(file.case).force_x
                self.assertAlmostEqual(again / result.force_x, 1.0, delta=1e-5)
                last = file.step()
            with self.assertRaisesRegex(sf.InputError, "was closed"):
                file.step(1)
            self.assertEqual(last.pressure.tobytes(), result.pressure.tobytes())
            self.assertEqual({pair[0] for pair in sf.compare(result, path).values()}, {0.0})
            moved = sf.compare(path, result.step(1))
            self.assertGreater(moved["traction_x"][0], 0.0)
            self.assertEqual(moved["undeformed_distance"][0], 0.0)
        with self.assertRaisesRegex(sf.InputError, "the grids differ"):
            sf.compare(result, solve(frictionless(9)))


class Figures(unittest.TestCase):
    """With matplotlib; no window."""

    def setUp(self):
        try:
            import matplotlib  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")

    def test_everything_can_be_drawn_and_no_arrow_is_outside_the_contact(self):
        from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
        from matplotlib.quiver import Quiver  # pylint: disable=import-outside-toplevel
        result = solve(rolling(title="costs $5, \\frac{ $"))
        with folder() as here:
            for what in ("overview", "traction", *result.field_names()):
                figure = result.plot(what)
                figure.savefig(here / "figure.png", dpi=30)
                for axes in figure.axes:
                    for arrows in (child for child in axes.get_children()
                                   if isinstance(child, Quiver)):
                        self.assertTrue((np.hypot(arrows.U, arrows.V) > 0.0).all())
                        self.assertLessEqual(np.hypot(arrows.X, arrows.Y).max(), 0.2)  # a + dx/2
                pyplot.close(figure)
            table = sf.sweep(rolling(), {"normal.force": [90.0, 100.0], "tangential.spin": [0.0]},
                             backend=BACKEND)
            figure = table.plot("force_y")
            figure.savefig(here / "figure.png", dpi=30)
            pyplot.close(figure)
        with self.assertRaisesRegex(sf.InputError, "nothing to plot named 'nope'"):
            result.plot("nope")

    def test_a_page_escapes_the_title_and_leaves_no_figure_open(self):
        from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
        before = pyplot.get_fignums()
        page = solve(rolling(title="<script>alert('&')</script>"))._repr_html_()
        self.assertNotIn("<script", page)
        self.assertIn("&lt;script&gt;", page)
        self.assertIn("<img", page)
        self.assertEqual(pyplot.get_fignums(), before)

    def test_fields_become_a_data_set(self):
        try:
            import xarray  # noqa: F401  pylint: disable=unused-import,import-outside-toplevel
        except ImportError:
            self.skipTest("xarray is not installed")
        result = solve(rolling())
        data = result.to_xarray()
        self.assertEqual(data["pressure"].attrs["units"], "N/mm^2")
        np.testing.assert_array_equal(data["pressure"].sel(x=result.x[3], y=result.y[2]),
                                      result.pressure[2, 3])


LONG = """
import json, os, signal, sys, threading, time
import slipfield as sf
case = json.loads(sys.argv[1])
begun = threading.Event()
def interrupt():
    begun.wait()
    time.sleep(0.1)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
sent = []
run = sf.Solver(case, backend=sys.argv[2], threads=1)
state = run.save_state()
threading.Thread(target=interrupt, daemon=True).start()
begun.set()
try:
    run.advance()
    print("finished")
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
run.restore(state)
small = run.advance({"normal.force": 1e-3, "tangential": {"problem": "none"}})
print(small.converged, run.steps_done)
"""


class Threads(unittest.TestCase):
    """Ctrl-C, and the lock of the interpreter."""

    @unittest.skipIf(BACKEND == "cuda", "too fast there")
    def test_ctrl_c_ends_a_step_and_the_solver_can_be_restored(self):
        case = rolling(grid={"elements": [160, 150],
                             "extent": {"x": [-0.21, 0.21], "y": [-0.21, 0.21]}})
        done = subprocess.run([sys.executable, "-c", LONG, json.dumps(case), BACKEND],
                              capture_output=True, text=True, timeout=500, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        seconds, after = done.stdout.splitlines()
        self.assertNotEqual(seconds, "finished")
        self.assertEqual(after, "True 1")

    def test_another_thread_runs_while_a_step_is_solved(self):
        run = solver(rolling(grid={"elements": [60, 50],
                                   "extent": {"x": [-0.21, 0.21], "y": [-0.21, 0.21]}}), threads=1)
        solving, over = threading.Event(), threading.Event()
        counted = []

        def count():
            solving.wait()
            while not over.is_set():
                counted.append(run.steps_done)
                time.sleep(0.0)  # gives the lock away: one count for each time it is free
        thread = threading.Thread(target=count)
        thread.start()
        solving.set()
        before = len(counted)
        run.advance()
        during = len(counted) - before
        over.set()
        thread.join()
        # With the lock held throughout: one, before the call.
        self.assertGreater(during, 10)

    def test_solvers_of_different_threads_do_not_disturb_each_other(self):
        expected = bits(solve(rolling(), threads=1))
        found = []
        threads = [threading.Thread(target=lambda: found.append(bits(solve(rolling(), threads=1))))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
