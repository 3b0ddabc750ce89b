# SPDX-License-Identifier: Apache-2.0
"""The Python package in use: errors, files, figures, threads; PYTHONPATH names where it is."""
import json
import pickle
import re
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

from python_support import (BACKEND, TEXT, bits, check_signals, folder, frictionless, machine, np, rolling, sf,
                            solve, solver, transient)


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

    def test_yaml_that_the_program_refuses_is_refused(self):
        for old, new in (("force: 100", "force: 100, force: 200"), ("force: 100", "force: !deg 100"), ("units:", "<<: {title: two}\nunits:"),
                         ("force: 100", "force: 100, [a]: 3")):
            text = TEXT.replace(old, new, 1)
            self.assertNotEqual(text, TEXT)
            with self.subTest(new), folder() as place:
                Path(place, "case.yaml").write_text(text, encoding="utf-8")
                for case in (text, Path(place, "case.yaml")):
                    with self.assertRaises(sf.InputError):
                        solve(case)
        text = TEXT.replace("force: 100", "force: 100, force: 200, forse: 1", 1)
        with self.assertRaises(sf.CaseError) as caught:  # all at once, as the program says them
            solve(text)
        self.assertEqual(len(caught.exception.faults), 2)

    def test_fields_that_only_some_cases_have_are_read_live_and_from_a_file(self):
        text = TEXT.split("tangential:")[0] + "tangential: {problem: none}\n"
        result = solver(text.replace("poisson_ratio:", "hardness: 900, poisson_ratio:", 1)).advance()
        deformed = result.permanent_deformation
        self.assertGreater(deformed.max(), 0.0)
        self.assertEqual(result.pressure.max(), 900.0)
        self.assertIn("permanent_deformation", result.field_names())
        with folder() as here:
            result.save(here / "hard.h5")
            with sf.open(here / "hard.h5") as file:
                np.testing.assert_array_equal(file.step(1).permanent_deformation, deformed)
        with self.assertRaisesRegex(AttributeError, "permanent_deformation: the step does not have it"):
            getattr(solve(TEXT), "permanent_deformation")

    def test_elements_that_yield_are_counted_and_their_state_needs_a_hardness(self):
        text = TEXT.split("tangential:")[0] + "tangential: {problem: none}\noutput: {spots: true}\n"
        hard = solver(text.replace("poisson_ratio:", "hardness: 900, poisson_ratio:", 1))
        result = hard.advance()
        self.assertEqual(result.elements_yielding, (result.pressure == 900.0).sum())
        self.assertIsInstance(result.elements_yielding, int)
        self.assertAlmostEqual(result.contact_area, (result.pressure > 0.0).sum() * result.grid.dx * result.grid.dy, delta=1e-12)
        self.assertEqual((result.contact_spots, result.unit("contact_perimeter")), (1, "mm"))
        elastic = solver(text)
        with self.assertRaisesRegex(sf.InputError, "the state is of another case: bodies.upper.hardness is 900 there and absent "
                                                   "here; accepted: a state of this solver, or of one with the same case and backend"):
            elastic.restore(hard.save_state())
        self.assertEqual(elastic.advance().elements_yielding, 0)

    def test_estimated_errors_are_totals_live_and_from_a_file(self):
        result = solve(TEXT + "output: {error_estimate: true}\n")
        self.assertGreater(result.force_x_error, 0.0)
        self.assertLess(result.force_x_error, 0.2 * abs(result.force_x))
        self.assertEqual((result.unit("force_x_error"), result.unit("friction_work_error")), ("N", "N mm"))
        with folder() as here:
            result.save(here / "rolled.h5")
            with sf.open(here / "rolled.h5") as file:
                self.assertEqual(file.step(1).totals, result.totals)
        self.assertNotIn("force_x_error", solve(TEXT).totals)

    def test_spots_are_totals_of_a_sweep(self):
        text = TEXT.split("tangential:")[0] + "tangential: {problem: none}\noutput: {spots: true}\n"
        found = sf.sweep(text, {"normal.force": [50.0, 100.0]}, totals=["contact_area", "contact_spots", "mean_gap"])
        self.assertTrue(found["contact_area"][1] > found["contact_area"][0] > 0.0)
        self.assertEqual((found["contact_spots"].tolist(), found["contact_spots"].dtype.kind), ([1, 1], "i"))
        self.assertEqual(found.unit("mean_gap"), "mm")

    def test_stresses_inside_are_totals_of_a_sweep_if_the_case_asks_for_them(self):
        inside = rolling(interior={"depths": [0.0, 0.05]})
        table = sf.sweep(inside, {"normal.force": [80.0, 100.0]}, totals=["max_von_mises", "max_pressure"], backend=BACKEND)
        for force, stress in zip((80.0, 100.0), table["max_von_mises"]):
            result = solve({**inside, "normal": {"force": force}})
            greatest = max(body["max_von_mises"] for body in result.interior.values())
            self.assertAlmostEqual(stress / greatest, 1.0, delta=1e-6)
            self.assertEqual(result.max_von_mises, greatest)
            self.assertEqual(result.totals["max_von_mises"], greatest)
            self.assertNotIn("max_dang_van", result.totals)
            self.assertEqual(solve({**inside, "normal": {"force": force}}, fields=False).max_von_mises, greatest)
        with self.assertRaisesRegex(sf.InputError, "max_von_mises: the case does not ask for it; accepted: interior"):
            sf.sweep(rolling(), {"normal.force": [80.0]}, totals=["max_von_mises"], backend=BACKEND)
        with self.assertRaisesRegex(sf.InputError, "max_dang_van: the case's interior has no such stress"):
            sf.sweep(inside, {"normal.force": [80.0]}, totals=["max_dang_van"], backend=BACKEND)

    def test_a_sweep_sets_the_case_as_its_own_sweep_does(self):
        case = transient(steps=[{}, {"normal": {"force": 50.0}}, {"tangential": {"x": {"creepage": 2e-3}}}])

        def last(changes, totals=("normal_force", "force_x")):
            return sf.sweep(case, changes, totals=list(totals), backend=BACKEND)
        table = last({"normal.force": [80.0, 100.0]})
        for k, force in enumerate((80.0, 100.0)):  # which the second step overrides
            result = solve({**case, "normal": {"force": force}})
            np.testing.assert_allclose([table[name][k] for name in ("normal_force", "force_x")],
                                       [50.0, result.force_x], rtol=1e-9)
        np.testing.assert_allclose(last({"steps.1.normal.force": [60.0]})["normal_force"], [60.0], rtol=1e-9)
        kept = last({"tangential.problem": ["transient_rolling"]})  # only the problem: the creepage stays
        np.testing.assert_allclose(kept["force_x"], solve(case).force_x, rtol=1e-9)
        np.testing.assert_allclose(last({"normal.approach": [4e-3]})["normal_force"], [50.0], rtol=1e-9)  # in place of the force
        longer = last({"steps.2.repeat": [1, 3]})
        self.assertLess(longer["force_x"][1], longer["force_x"][0])  # a longer way of creeping: a larger force
        first = {**case, "steps": [{"normal": {"force": 30.0}}, {}]}
        with self.assertRaisesRegex(sf.InputError, "normal.force: changes nothing, because the first of the case's `steps` gives "
                                    "another; accepted: steps.0.normal.force"):
            sf.sweep(first, {"normal.force": [80.0]}, totals=["normal_force"], backend=BACKEND)
        run = solver(case)  # what is set there holds in all steps
        run.set({"normal.force": 80.0})
        np.testing.assert_allclose(run.run().normal_force, 80.0, rtol=1e-9)

    def test_values_that_are_set_are_doubted_as_those_of_a_case(self):
        percent = "Is it in percent?"
        wrong = {"friction.coefficient": 50.0}
        table = sf.sweep(rolling(), {"friction.coefficient": [0.3, 50.0], "bodies.upper.young_modulus": [2.1e5, 210.0]})
        self.assertEqual([[percent in text, "modulus" in text] for text in table.warnings.ravel()],
                         [[False, False], [False, True], [True, False], [True, True]])
        self.assertEqual(table.case_warnings, [])
        run = solver(rolling())
        for coefficient, doubted in ((0.3, False), (50.0, True), (0.3, False)):
            warnings_now = run.advance({"friction.coefficient": coefficient}).warnings
            self.assertEqual(any(percent in text for text in warnings_now), doubted)

    def test_a_run_has_the_warnings_of_its_case_and_all_its_steps_and_a_step_only_its_own(self):
        """In memory and in a file; the second of three steps reaches the edge of the grid."""
        case = rolling(grid={"elements": [19, 17], "spacing": [0.005, 0.005], "origin": [-0.0475, -0.0425]},
                       friction={"coefficient": 2.0}, steps=[{"normal": {"force": force}} for force in (0.3, 100.0, 0.2)])
        run = solver(case)
        of_case = list(run.warnings)
        self.assertEqual(["percent" in text for text in of_case], [True, False])  # the grid is small, too
        one = run.advance()
        state, first = run.save_state(), list(run.warnings)
        self.assertEqual(list(one.warnings), [])
        self.assertEqual(list(one.run_warnings), first)
        last = run.run()
        steps = [one, *last.steps]
        lines = list(run.warnings)
        self.assertEqual(lines[:2], of_case)
        self.assertEqual([text.split(": ")[0] for text in lines if "edge of the grid" in text], ["step 2"])
        self.assertEqual([any("edge of the grid" in text for text in step.warnings) for step in steps], [False, True, False])
        self.assertFalse(any("percent" in text for step in steps for text in step.warnings))
        self.assertEqual(list(last.run_warnings), lines)
        self.assertIn(f"{len(lines)} warnings", repr(last))
        at_once = solve(case)
        self.assertEqual(list(at_once.run_warnings), lines)
        self.assertEqual([list(step.warnings) for step in at_once.steps], [list(step.warnings) for step in steps])
        with folder() as here:
            at_once.save(here / "run.h5")
            with sf.open(here / "run.h5") as file:
                self.assertEqual(list(file.info["warnings"]), lines)
                self.assertEqual([list(step.warnings) for step in file], [list(step.warnings) for step in steps])
                self.assertEqual(list(file.step(1).run_warnings), list(file.info["warnings"]))
        run.restore(state)
        self.assertEqual(list(run.warnings), first)
        self.assertEqual(run.run().run_warnings, lines)

    def test_what_is_set_for_a_step_is_doubted_in_that_step_also_of_its_file(self):
        run = solver(rolling())
        run.advance()
        wrong = run.advance({"friction.coefficient": 50.0})
        right = run.advance({"friction.coefficient": 0.3})
        self.assertEqual(sum("percent" in text for text in wrong.warnings), 1)
        self.assertFalse(any("percent" in text for text in right.warnings), right.warnings)
        self.assertEqual(sum("percent" in text for text in run.warnings), 1)
        with folder() as here:
            wrong.save(here / "wrong.h5")
            file = sf.open(here / "wrong.h5")
            self.assertEqual(list(file.step().warnings), list(wrong.warnings))
            self.assertEqual(sum("percent" in text for text in file.info["warnings"]), 1)

    def test_of_several_steps_each_is_doubted_against_its_own_entry_of_the_case(self):
        steps = [{"friction": {"coefficient": coefficient}} for coefficient in (0.3, 50.0, 0.3)]

        def doubts(*changes):
            run = solver({**rolling(), "steps": steps})
            found = []
            for change in changes:
                texts = [text for text in run.advance(change).warnings if "Is it in percent?" in text]
                self.assertIn("steps.1.friction.coefficient: 50 is above 1.5", run.warnings[0])  # of the case
                self.assertTrue(all(text.startswith("friction: ") for text in texts), texts)
                self.assertTrue(all(any(line.endswith(text) for line in run.warnings) for text in texts), run.warnings)
                found.append([text.split()[1] for text in texts])
            return found
        self.assertEqual(doubts({}, {}, {}), [[], [], []])
        self.assertEqual(doubts({}, {"normal.force": 90.0}, {}), [[], [], []])
        self.assertEqual(doubts({}, {"friction.coefficient": 60.0}, {}, {"friction.coefficient": 0.3}), [[], ["60"], ["60"], []])
        self.assertEqual(doubts({"friction.coefficient": 50.0}, {}, {}), [["50"], [], ["50"]])
        # Another value in the same entry, together with other loads.
        self.assertEqual(doubts({"friction.coefficient": 2.0}, {"friction.coefficient": 3.0, "normal.force": 90.0}, {"normal.force": 80.0}),
                         [["2"], ["3"], ["3"]])

    def test_a_path_that_is_none_of_the_case_is_named_in_one_line(self):
        for key, sentence in (("a..b", "a key of the path 'a..b' is empty; accepted: the path of a key, for example normal.force"),
                              ("wheel_rail.wheelset.y", "wheel_rail.wheelset.y: the case has no wheel_rail; accepted: a key of one contact, such as "
                               "normal.force, or a case with wheel_rail")):
            with self.assertRaises(sf.InputError) as found:
                solver(rolling()).set({key: 1.0})
            self.assertEqual(str(found.exception), sentence)

    def test_a_total_that_the_case_does_not_ask_for_is_refused(self):
        says = "contact_area: the case does not ask for it; accepted: output: {spots: true}"
        with self.assertRaisesRegex(sf.InputError, re.escape(says)):
            sf.sweep(rolling(), {"normal.force": [100.0]}, totals=["force_x", "contact_area"])

    def test_a_solver_is_as_it_was_after_a_refused_value(self):
        run = solver(rolling())
        with self.assertRaisesRegex(sf.CaseError, "normal.force"):
            run.set({"tangential.x.creepage": 5e-3, "normal.force": -1.0})
        self.assertEqual(bits(run.advance()), bits(solve(rolling())))
        with self.assertRaisesRegex(sf.InputError, "fixed once a step has run"):
            run.set({"grid.refine": 2})

    def test_results_are_read_only(self):
        result = solve(rolling())
        for name in ("force_x", "pressure", "totals", "converged", "title", "grid", "stiffness", "interior"):
            with self.subTest(name), self.assertRaises(AttributeError):
                setattr(result, name, 1)
        result.note = "of the user"
        self.assertEqual(result.note, "of the user")

    def test_wrong_types_are_named(self):
        run = solver(rolling())
        other = solver(transient())
        table = np.zeros((17, 19))
        endless = rolling()
        endless["geometry"] = {"type": "sphere", "radius": 10, "again": endless}
        for reason, call in (
                ("a case cannot be of type int", lambda: solve(5)),
                ("geometry: has more than 32 levels of lists and dicts, as one that holds itself", lambda: solve(endless)),
                ("normal.force: is a list", lambda: run.set({"normal.force": table})),
                ("array friction.coefficient.file: has the shape", lambda: run.set({"friction.coefficient": {"file": table[1:]}})),
                ("empty text", lambda: solve("")),
                ("backend: None", lambda: sf.solve(rolling(), backend=None)),
                ("threads: -1 is out of range", lambda: solve(rolling(), threads=-1)),
                ("device: 'a'", lambda: solve(rolling(), device="a")),
                ("progress: cannot be called", lambda: solve(rolling(), progress=3)),
                ("arrays: is not a dict", lambda: solve(rolling(), arrays=[table])),
                ("masked", lambda: solve(rolling(), arrays={"h": np.ma.masked_array(table, mask=True)})),
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
        # what was found is the contact all the same; which problem gives up is the processor's
        pressure = solve(rolling()).max_pressure
        self.assertAlmostEqual(result.max_pressure, pressure, delta=1e-4 * pressure)
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
                              ("matplotlib", result.plot), ("matplotlib", table.plot)):
            hidden = {name: None for name in sys.modules if name.split(".")[0] == package}
            with self.subTest(package), mock.patch.dict(sys.modules, {**hidden, package: None}):
                with self.assertRaisesRegex(sf.InputError, f"pip install {package}"):
                    call()
        with mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.figure": None}):
            self.assertNotIn("<img", result._repr_html_())


class Files(unittest.TestCase):
    """Saved, opened, compared."""

    def test_a_saved_result_has_the_steps_that_the_case_writes(self):
        for chosen, written in (("last", [3]), ([1, 2], [1, 2]), ("all", [1, 2, 3])):
            with self.subTest(steps=chosen), folder() as here:
                case = transient(steps=[{"repeat": 3}], output={"steps": chosen})
                result = solve(case)
                result.save(here / "run.h5")
                with sf.open(here / "run.h5") as file:
                    self.assertEqual(file.numbers, written)
                    for number in written:
                        self.assertEqual(bits(file.step(number)), bits(result.step(number)))
                    self.assertEqual(solve(file.case).force_x, result.force_x)
                result.step(1).save(here / "one.h5")  # one that was asked for itself
                with sf.open(here / "one.h5") as file:
                    self.assertEqual((file.numbers, solve(file.case).number), ([1], 1))

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
        coarse = sf.compare(solve(frictionless(11)), solve(frictionless(9)))  # of other grids the totals alone
        self.assertGreater(coarse["max_pressure"][0], 0.0)
        self.assertLess(coarse["normal_force"][0], 1e-6 * coarse["normal_force"][1])
        self.assertNotIn("pressure", coarse)


@machine.needs("matplotlib.pyplot")
class Figures(unittest.TestCase):
    """With matplotlib; no window."""

    def setUp(self):
        machine.module("matplotlib").use("Agg")

    def test_everything_can_be_drawn_and_no_arrow_is_outside_the_contact(self):
        from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
        from matplotlib.quiver import Quiver  # pylint: disable=import-outside-toplevel
        result = solve(rolling(title="costs $5, \\frac{ $"))
        drawn = 0
        with folder() as here:
            for what in ("overview", "traction", *result.field_names()):
                figure = result.plot(what)
                figure.savefig(here / "figure.png", dpi=30)
                for axes in figure.axes:
                    for arrows in (child for child in axes.get_children()
                                   if isinstance(child, Quiver)):
                        drawn += len(arrows.U)
                        self.assertTrue((np.hypot(arrows.U, arrows.V) > 0.0).all())
                        self.assertLessEqual(np.hypot(arrows.X, arrows.Y).max(), 0.2)  # a + dx/2
                pyplot.close(figure)
            self.assertGreater(drawn, 50)
            table = sf.sweep(rolling(), {"normal.force": [90.0, 100.0], "tangential.spin": [0.0]},
                             backend=BACKEND)
            figure = table.plot("force_y")
            figure.savefig(here / "figure.png", dpi=30)
            pyplot.close(figure)
        with self.assertRaisesRegex(sf.InputError, "nothing to plot named 'nope'"):
            result.plot("nope")

    def test_the_edge_of_a_grid_is_remarked_on_unless_it_is_periodic(self):
        from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
        small = {"elements": [8, 8], "spacing": [0.01, 0.01]}
        rough = {"type": "rough", "hurst": 0.8, "rms_height": 1e-5, "wavelengths": [0.02, 0.08]}
        case = frictionless(8)
        for changes, remarked in (({"grid": small}, True), ({"grid": {**small, "boundary": "periodic"}, "geometry": rough}, False)):
            result = solve({**case, **changes})
            self.assertGreater(result.pressure[:, 0].max(), 0.0)
            figure = result.plot()
            self.assertEqual(any("edge of the grid" in text.get_text() for text in figure.texts), remarked)
            pyplot.close(figure)

    def test_a_difference_is_the_first_less_the_second(self):
        from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
        first, second = solve(rolling()), solve(rolling(friction={"coefficient": 0.2}))
        figure = first.plot("traction_x", minus=second)
        touching = (first.element_division > 0) | (second.element_division > 0)
        values = figure.axes[0].collections[0].get_array().astype(float)
        drawn = np.ma.filled(values, np.nan).reshape(touching.shape)
        np.testing.assert_array_equal(np.isfinite(drawn), touching)
        self.assertIn("(MPa)", figure.axes[0].get_title(loc="left"))  # N/mm^2
        np.testing.assert_array_equal(drawn[touching],
                                      (first.traction_x - second.traction_x)[touching])
        self.assertGreater(np.abs(drawn[touching]).max(), 0.0)
        pyplot.close(figure)
        with self.assertRaisesRegex(sf.InputError, "no difference of 'overview'"):
            first.plot(minus=second)
        with self.assertRaisesRegex(sf.InputError, "different grids"):
            first.plot("pressure", minus=solve(frictionless(9)))

    def test_a_page_escapes_the_title_and_leaves_no_figure_open(self):
        from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
        before = pyplot.get_fignums()
        page = solve(rolling(title="<script>alert('&')</script>"))._repr_html_()
        self.assertNotIn("<script", page)
        self.assertIn("&lt;script&gt;", page)
        self.assertIn("<img", page)
        self.assertEqual(pyplot.get_fignums(), before)


class Names(unittest.TestCase):
    def test_modules_are_there_without_an_import_of_their_own(self):
        for name in ("differentiable", "distribution", "progress", "spots", "surface"):
            fresh = "import slipfield as sf; assert sf.%s.__name__ == 'slipfield.%s' and %r in dir(sf)" % (name, name, name)
            done = subprocess.run([sys.executable, "-c", fresh], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_example_that_needs_a_package_says_so(self):
        examples = Path(__file__).resolve().parents[2] / "app" / "python" / "examples"
        for example in sorted(examples.glob("*.py")):
            text = example.read_text(encoding="utf-8")
            said = re.search(r"Needs ([^.]+)\.", text.split('"""')[1])
            needed = {{"torch": "PyTorch", "scipy": "SciPy"}.get(name, name)
                      for name in re.findall(r"^(?:from|import) (matplotlib|scipy|torch)", text, re.M)}
            self.assertEqual(needed, set(said[1].split(" and ")) if said else set(), example.name)


class DataSets(unittest.TestCase):
    """With xarray."""

    @machine.needs("xarray")
    def test_fields_become_a_data_set(self):
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
    def test_signals_are_handled_while_a_gradient_is_found(self):
        check_signals(self, rolling(grid={"elements": [120, 110], "extent": {"x": [-0.21, 0.21], "y": [-0.21, 0.21]}}))

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
    machine.run_tests()
