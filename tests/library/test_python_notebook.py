# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows and needs: grids before solving, tables, counts, comparisons, progress, names of arguments."""
import contextlib
import csv
import inspect
import io
import os
import pickle
import subprocess
import sys
import time
import unittest
import warnings
from pathlib import Path
from unittest import mock

from python_support import BACKEND, TEXT, folder, frictionless, machine, np, rolling, sf, solve, solver

CASES = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "cases").resolve()
CREEPAGES = [2e-4, 8e-4]
FRICTION = [0.2, 0.3, 0.4]


def table(**options):
    return sf.sweep(rolling(), {"tangential.x.creepage": CREEPAGES, "friction.coefficient": FRICTION}, backend=BACKEND, **options)


def wheelset():
    steel = {"shear_modulus": 82000, "poisson_ratio": 0.28}
    return {"schema": 1, "title": "wheelset & <b>", "units": "N-mm-s", "bodies": {"wheel": steel, "rail": steel},
            "friction": {"coefficient": 0.3},
            "wheel_rail": {"side": "both", "spacing": [0.5, 0.5],
                           "wheel": {"profile": CASES / "profiles" / "MBench_S1002_v3.prw"},
                           "rail": {"profile": CASES / "profiles" / "MBench_UIC60_v3.prr"},
                           "wheelset": {"y": 1.0, "velocity": {"x": 2000.0}}, "vertical_force": [10000.0, 10000.0]}}


class Signatures(unittest.TestCase):
    def test_every_argument_has_a_name_and_every_public_thing_a_docstring(self):
        for name in sf.__all__:
            value = getattr(sf, name)
            if not callable(value):
                continue
            with self.subTest(name):
                self.assertTrue(inspect.getdoc(value), "has no docstring")
                if inspect.isfunction(value):
                    kinds = {each.kind for each in inspect.signature(value).parameters.values()}
                    self.assertNotIn(inspect.Parameter.VAR_KEYWORD, kinds)
                    self.assertNotIn(inspect.Parameter.VAR_POSITIONAL, kinds)
            if inspect.isclass(value) and not issubclass(value, Exception):
                for each, method in inspect.getmembers(value, lambda m: inspect.isfunction(m) or isinstance(m, property)):
                    if each in vars(value) and not each.startswith("_"):
                        self.assertTrue(inspect.getdoc(method), f"{name}.{each} has no docstring")

    def test_every_parameter_of_a_function_is_explained(self):
        documented = [sf.grid, sf.solve, sf.sweep, sf.open, sf.compare, sf.convert, sf.load, sf.Table.save, sf.Table.plot,
                      sf.Result.plot, sf.Result.save, sf.Solver.derivatives, sf.CreepTable.forces, sf.CreepTable.contact]
        for function in documented:
            text = inspect.getdoc(function)
            for name in inspect.signature(function).parameters:
                if name != "self":
                    with self.subTest(function=function.__qualname__, parameter=name):
                        self.assertRegex(text.split("Parameters\n", 1)[-1], rf"(?m)^(?:[^:\n]*[,;] |.*; )?{name}\b[^:\n]*:")


class Grids(unittest.TestCase):
    def test_a_grid_is_known_before_the_case_is_complete(self):
        whole = rolling()
        result = solve(whole)
        for given in ({"grid": whole["grid"]}, whole, TEXT):
            grid = sf.grid(given)
            np.testing.assert_array_equal(grid.x, result.x)
            np.testing.assert_array_equal(grid.y, result.y)
            self.assertEqual((grid.shape, grid.dx, grid.dy), ((17, 19), *result.spacing))
        x, y = grid.centres()
        self.assertEqual((x.shape, x[3, 5], y[3, 5]), ((17, 19), grid.x[5], grid.y[3]))
        self.assertIn("19 x 17 elements", repr(grid))
        np.testing.assert_array_equal(solver(whole).grid.x, grid.x)
        with self.assertRaises(ValueError):
            grid.x[0] = 0.0

    def test_a_case_without_a_grid_is_refused(self):
        with self.assertRaisesRegex(sf.InputError, "the case has no `grid`"):
            sf.grid({"schema": 1})
        with self.assertRaisesRegex(sf.CaseError, "grid.elements"):
            sf.grid({"grid": {"elements": [0, 3], "spacing": [1.0, 1.0]}})
        for call in (lambda: sf.grid(wheelset()), lambda: sf.Solver(wheelset()).grid):
            with self.assertRaises(sf.InputError):
                call()

    def test_heights_at_the_centres_give_the_ball(self):
        case = rolling()
        x, y = sf.grid(case).centres()
        by_heights = solve({**case, "geometry": {"type": "heights", "file": (x**2 + y**2) / 20.0}})
        self.assertAlmostEqual(by_heights.max_pressure / solve(case).max_pressure, 1.0, delta=1e-3)

    def test_a_table_that_knows_its_places_is_checked_against_the_elements(self):
        class Located(np.ndarray):
            """As an xarray.DataArray: an array with coordinates."""
        grid = sf.grid(rolling())
        x, y = grid.centres()
        for coordinates, says in (({"x": grid.x, "y": grid.y}, ""),
                                  ({"x": np.linspace(-0.21, 0.21, 19), "y": grid.y}, r"geometry.file: its x go from -0.21 to 0.21"),
                                  ({"x": grid.x, "y": grid.y[::-1]}, "its y go from 0.188235 to -0.188235")):
            heights = ((x**2 + y**2) / 20.0).view(Located)
            heights.coords = coordinates
            with self.subTest(says), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                solver(rolling(geometry={"type": "heights", "file": heights}))
                self.assertEqual(len(caught), 1 if says else 0, [str(each.message) for each in caught])
                if says:
                    self.assertRegex(str(caught[0].message), says)
                    self.assertFalse(caught[0].filename.startswith(os.path.dirname(sf.__file__)), "the line of the user")

    @machine.needs("xarray")
    def test_axes_of_an_xarray_are_taken_by_their_names(self):
        xarray = machine.module("xarray")
        grid = sf.grid(rolling())
        x, y = grid.centres()
        plain = (x**2 + 2.0 * y**2) / 20.0
        turned = xarray.DataArray(plain.T, {"x": grid.x, "y": grid.y}, ("x", "y"))
        first = solve(rolling(geometry={"type": "heights", "file": plain}))
        second = solve(rolling(geometry={"type": "heights", "file": turned}))
        np.testing.assert_array_equal(first.pressure, second.pressure)


class Tables(unittest.TestCase):
    def test_counts_are_integers(self):
        result = solve(rolling())
        self.assertIsInstance(result.elements_contact, int)
        self.assertEqual(result.elements_contact, np.count_nonzero(result.element_division))
        found = table()
        self.assertEqual(found["elements_contact"].dtype.kind, "i")
        self.assertEqual(found["force_x"].dtype.kind, "f")
        self.assertEqual(list(found)[:3], ["tangential.x.creepage", "friction.coefficient", "force_x"])
        self.assertTrue("elements_contact" in found and "elements" not in found)
        partly = sf.sweep(rolling(), {"normal.force": [100.0, -1.0]}, backend=BACKEND)  # the second one fails
        self.assertEqual(partly["elements_contact"][0], result.elements_contact)
        self.assertTrue(np.isnan(partly["elements_contact"][1]))
        step = solver(wheelset()).advance()
        self.assertEqual((step.contact_count, type(step.contact_count), type(step["left"].contact_count), type(step.contacts[0].elements)),
                         (2, int, int, int))

    def test_a_table_is_saved_and_reads_back(self):
        found = table()
        with folder() as here:
            found.save(here / "curve.csv")
            with self.assertRaisesRegex(sf.InputError, "overwrite=True"):
                found.save(here / "curve.csv")
            found.save(here / "curve.csv", overwrite=True)
            with self.assertRaisesRegex(sf.InputError, "ends with .csv"):
                found.save(here / "curve.xlsx")
            with self.assertRaisesRegex(sf.InputError, "is not a path"):
                found.save(3)
            with self.assertRaisesRegex(sf.Error, "cannot be written: No such file or directory"):
                found.save(here / "none" / "curve.csv")
            with open(here / "curve.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 6)
        self.assertEqual([float(row["force_x"]) for row in rows], found["force_x"].ravel().tolist())
        self.assertEqual([float(row["friction.coefficient"]) for row in rows], FRICTION * 2)
        self.assertEqual([int(row["elements_contact"]) for row in rows], found["elements_contact"].ravel().tolist())
        self.assertEqual({row["converged"] for row in rows}, {"True"})

    def test_units_go_along_where_asked_for(self):
        found = table()
        with folder() as here:
            found.save(here / "curve.csv", units=True)
            with open(here / "curve.csv", encoding="utf-8", newline="") as file:
                head = next(csv.reader(file))
        self.assertIn("force_x [N]", head)
        self.assertIn("max_pressure [N/mm^2]", head)
        self.assertTrue({"friction.coefficient", "elements_contact", "converged", "message"} <= set(head))
        self.assertEqual(found.units_of_totals()["approach"], "mm")
        loaded = sf.sweep(rolling(), {"normal.force": [50.0, 100.0]}, totals=["force_x"], backend=BACKEND)
        with folder() as here:
            loaded.save(here / "loads.csv", units=True)
            with open(here / "loads.csv", encoding="utf-8", newline="") as file:
                self.assertEqual(next(csv.reader(file))[:2], ["normal.force [N]", "force_x [N]"])

    @machine.needs("pandas")
    def test_a_data_frame_has_the_units(self):
        units = table().to_pandas().attrs["units"]
        self.assertEqual((units["force_x"], units["elements_contact"]), ("N", "-"))

    @machine.needs("pandas")
    def test_what_is_suspicious_in_a_point_is_in_every_form_of_the_table(self):
        case = rolling(grid={"elements": [19, 17], "spacing": [0.005, 0.005], "origin": [-0.0475, -0.0425]})
        found = sf.sweep(case, {"normal.force": [0.3, 100.0]}, totals="force_x", backend=BACKEND)
        self.assertEqual(found.warnings[0], "")
        self.assertIn("edge of the grid", found.warnings[1])
        self.assertIn("2 points over normal.force; 1 with warnings>", repr(found))
        self.assertIn("of 2 points: 1 with warnings", found._repr_html_())
        self.assertEqual(list(found.to_pandas()["warnings"]), list(found.warnings))
        with folder() as here:
            found.save(here / "curve.csv")
            with open(here / "curve.csv", encoding="utf-8", newline="") as file:
                self.assertEqual([row["warnings"] for row in csv.DictReader(file)], list(found.warnings))

    def test_a_heights_file_that_does_not_reach_the_grid_is_named_in_the_row_of_its_point(self):
        x = 0.01 * (np.arange(24) - 11.5)
        ball = (x[:, None] ** 2 + x ** 2) / 100.0
        grid = {"elements": [16, 16], "spacing": [0.01, 0.01], "origin": [-0.08, -0.08]}
        shape = {"type": "heights", "file": "array:far", "spacing": [0.01, 0.01]}
        found = sf.sweep(rolling(grid=grid, geometry=shape, normal={"force": 1.0}), {"geometry.file": ["array:far", "array:near"]},
                         totals="force_x", arrays={"far": ball, "near": ball[8:16, 8:16]}, backend=BACKEND)
        self.assertEqual(list(found.converged), [True, False])
        self.assertIn("its samples lie at x = -0.035 to 0.035", found.messages[1])
        self.assertIn("1 not converged", repr(found))
        self.assertIn("the first message: geometry.file: its samples lie at", repr(found))
        self.assertIn("<td>nan</td><td>geometry.file: its samples lie at", found._repr_html_())

    @machine.needs("xarray")
    def test_a_table_becomes_a_data_set(self):
        found = table()
        data = found.to_xarray()
        self.assertEqual(dict(data.sizes), {"tangential.x.creepage": 2, "friction.coefficient": 3})
        self.assertEqual(data["force_x"].attrs["units"], "N")
        point = data["force_x"].sel({"tangential.x.creepage": 8e-4, "friction.coefficient": 0.3})
        self.assertEqual(float(point), found["force_x"][1, 1])
        self.assertTrue(bool(data["converged"].all()))
        self.assertEqual(data["message"].shape, data["force_x"].shape)

    def test_a_notebook_shows_a_table_and_a_wheel(self):
        page = table()._repr_html_()
        self.assertEqual(page.count("<tr>"), 7)
        self.assertIn("<th>tangential.x.creepage</th>", page)
        long = sf.sweep(rolling(), {"normal.force": np.linspace(50.0, 100.0, 30)}, totals="force_x", backend=BACKEND)
        self.assertIn("the first 20 of 30 points", long._repr_html_())
        step = solver(wheelset()).advance()
        page = step._repr_html_()
        self.assertIn("wheelset &amp; &lt;b&gt;", page)
        self.assertIn(f"<td>{step['left'].track_force_y:.6g}</td>", page)
        self.assertIn("<th>2, right</th>", page)

    def test_a_sweep_of_a_wheelset_has_both_wheels(self):
        found = sf.sweep(wheelset(), {"y": [0.0, 2.0]}, backend=BACKEND)
        left, right = found.side("left"), found.side("right")
        np.testing.assert_allclose(left["track_force_y"] + right["track_force_y"], found["track_force_y"], rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(left["y"], [0.0, 2.0])
        self.assertGreater(abs(left["rolling_radius"][1] - right["rolling_radius"][1]), 0.0)
        self.assertEqual((left.unit("track_force_y"), found.unit("left_rolling_radius")), ("N", "mm"))
        if machine.module("matplotlib.pyplot"):
            figure = found.plot()
            self.assertEqual(figure.axes[0].get_ylabel(), "Rightward force on the rail $F_y$ (N)")
            self.assertEqual(figure.axes[0].get_xlabel(), "Lateral position of the wheelset $y$ (mm)")
            machine.module("matplotlib.pyplot").close(figure)
        for call in (lambda: found.side("middle"), lambda: table().side("left")):
            with self.assertRaisesRegex(sf.InputError, "accepted: 'left' or 'right'"):
                call()


class Comparisons(unittest.TestCase):
    def test_a_comparison_prints_as_a_table(self):
        found = sf.compare(solve(rolling()), solve(rolling(friction={"coefficient": 0.2})))
        lines = repr(found).splitlines()
        self.assertEqual(lines[0].split(), ["difference", "scale", "relative"])
        self.assertEqual(len(lines), 1 + len(found))
        self.assertEqual(len({len(line) for line in lines}), 1)
        row = next(line.split() for line in lines if line.startswith("traction_x "))
        self.assertEqual(float(row[1]), float(f"{found['traction_x'][0]:.3g}"))
        self.assertIn("<td>traction_x</td>", found._repr_html_())
        self.assertEqual(pickle.loads(pickle.dumps(found)), found)


class Progress(unittest.TestCase):
    def test_the_plain_line_has_the_time_that_is_left(self):
        from slipfield.progress import _PlainLine, seconds_text  # pylint: disable=import-outside-toplevel
        line = _PlainLine(200, "points", io.StringIO())
        self.assertEqual(line.text(0, "", 0.0), "0 of 200 points")
        self.assertEqual(line.text(50, "normal", 10.0), "50 of 200 points, 30 s left, normal")
        self.assertEqual(line.text(200, "normal", 75.0), "200 of 200 points in 1 min 15 s")
        self.assertEqual(seconds_text(7500.0), "2 h 5 min")

    def test_it_is_shown_with_and_without_tqdm_and_changes_no_number(self):
        expected = table(totals="force_x")["force_x"]
        for hidden, says in (({"tqdm": None}, "6 of 6 points in "), ({}, "6/6" if machine.module("tqdm") else "6 of 6 points in ")):
            with self.subTest(says), mock.patch.dict(sys.modules, hidden), mock.patch("sys.stderr", io.StringIO()) as shown:
                found = table(totals="force_x", progress=True)["force_x"]
                self.assertIn(says, shown.getvalue())
            np.testing.assert_array_equal(found, expected)
        with mock.patch.dict(sys.modules, {"tqdm": None}), mock.patch("sys.stderr", io.StringIO()) as shown:
            solve(rolling(steps=[{}, {"normal": {"force": 90.0}}]), progress=True)
        self.assertTrue(shown.getvalue().endswith("2 of 2 steps in 0 s\n"), shown.getvalue())

    def test_the_line_is_written_some_times_a_second(self):
        from slipfield.progress import _PlainLine  # pylint: disable=import-outside-toplevel
        stream = io.StringIO()
        line = _PlainLine(10000, "points", stream)
        begun = time.monotonic()
        for done in range(10001):
            line.update(done)
        spent = time.monotonic() - begun
        line.close()
        self.assertLessEqual(stream.getvalue().count("\r"), 3 + spent / 0.2)
        self.assertRegex(stream.getvalue(), r"10000 of 10000 points in \d+ s *\n$")


class Refusals(unittest.TestCase):
    def test_wrong_types_are_one_sentence(self):
        run = solver(rolling(geometry={"type": "heights", "file": np.zeros((17, 19))}))
        result, wheels = solve(rolling()), solver(wheelset()).advance()
        for says, call in ((r"'a' is not a number of a step; accepted: 1, 2, ..., or 0 for the last", lambda: result.step("a")),
                           (r"1.5 is not a number of a step", lambda: wheels.step(1.5)),
                           (r"-1 is not a number of a step", lambda: result.step(-1)),
                           (r"'a' is not a number of a point", lambda: sf.open("x.h5", "a")),
                           (r"is not a path; accepted: the path of the result file to write", lambda: result.save(3)),
                           (r"there is no array 'nope' to replace; accepted: geometry.file$",
                            lambda: run.set_array("nope", np.zeros((17, 19)))),
                           (r"made without arrays", lambda: solver(rolling()).set_array("h", np.zeros((2, 2)))),
                           (r"progress: cannot be called", lambda: table(progress=3)),
                           (r"totals: a value of type int is not a name", lambda: table(totals=3)),
                           (r"a value of type list is not a name; accepted: text, such as 'force_x'", lambda: table()[["force_x"]]),
                           (r"a value of type int is not a path; accepted: the path of a case file", lambda: sf.load(3)),
                           (r"a value of type int is not a path; accepted: the path of the folder", lambda: sf.solve(rolling(), folder=3)),
                           (r"keys: a value of type int is not a name", lambda: solver(wheelset()).derivatives("track_force_y", 3)),
                           (r"there is no field or total 'x'.*a total of a wheel", lambda: sf.describe("x"))):
            with self.subTest(says), self.assertRaisesRegex(sf.InputError, says):
                call()
        run.set_array("geometry.file", np.zeros((17, 19)) + 1e-3)  # a name that the case has


@machine.needs("matplotlib.pyplot")
class Cells(unittest.TestCase):
    """Figures in a notebook: the inline backend displays what pyplot knows at the end of a cell."""

    def test_a_figure_that_is_displayed_as_a_value_is_closed_and_so_displayed_once(self):
        from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
        pyplot.switch_backend("Agg")
        result = solve(rolling())
        _, axes = pyplot.subplots()
        for figure in (result.plot("pressure"), table().plot(), result.plot("pressure", ax=axes)):
            for backend, known in (("agg", True), ("module://matplotlib_inline.backend_inline", False)):
                with mock.patch("matplotlib.get_backend", lambda name=backend: name), self.assertRaises(NotImplementedError):
                    figure._ipython_display_()  # IPython then displays it as any other figure
                self.assertEqual(pyplot.fignum_exists(figure.number), known)
            pickle.dumps(figure)

    def test_wrong_axes_and_totals_are_one_sentence(self):
        result, found = solve(rolling()), table()
        for says, call in (("ax: a value of type int is not axes", lambda: result.plot("pressure", ax=3)),
                           ("minus: a value of type int is not a result", lambda: result.plot("pressure", minus=3)),
                           (r"\['force_x'\] is no total of the table", lambda: found.plot(["force_x"]))):
            with self.subTest(says), self.assertRaisesRegex(sf.InputError, says):
                call()

    def test_both_directions_have_one_scale_and_nothing_is_logged(self):
        from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
        _, axes = pyplot.subplots(figsize=(8.0, 3.0))
        result = solve(rolling())
        with self.assertNoLogs("matplotlib", "WARNING") if sys.version_info >= (3, 10) else contextlib.nullcontext():
            for figure in (result.plot(), result.plot("pressure", ax=axes)):
                figure.canvas.draw()
                panel = figure.axes[0]
                box = panel.get_window_extent()
                across, up = np.ptp(panel.get_xlim()) / box.width, np.ptp(panel.get_ylim()) / box.height
                self.assertAlmostEqual(across / up, 1.0, delta=1e-6)
                pyplot.close(figure)

    def test_a_backend_that_sets_parameters_when_it_is_loaded_keeps_them(self):
        import matplotlib  # pylint: disable=import-outside-toplevel
        from slipfield.figures import styled  # pylint: disable=import-outside-toplevel
        name = "slipfield_test_backend"
        with folder() as here, mock.patch.object(sys, "path", [str(here), *sys.path]), matplotlib.rc_context():
            (here / f"{name}.py").write_text("import matplotlib\nmatplotlib.rcParams['interactive'] = True\n", encoding="utf-8")
            with mock.patch("matplotlib.get_backend", lambda: f"module://{name}"), styled("screen"):
                self.assertIn(name, sys.modules)
            self.assertTrue(matplotlib.is_interactive())


if __name__ == "__main__":
    machine.run_tests()
