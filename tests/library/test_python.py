# SPDX-License-Identifier: Apache-2.0
"""The Python package: its numbers, cases, steps and sweeps; PYTHONPATH names where it is."""
import copy
import gc
import math
import os
import pickle
import tempfile
import unittest
import warnings
import weakref

from python_support import (BACKEND, DATA, MU, STEEL, TEXT, bits, folder, frictionless, heights,
                            machine, np, rolling, sf, solve, solver, transient)


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
        self.assertLess(errors[0], 5e-3)  # cases/SIZING.md: 0.3 % at 15 elements across
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

    def test_the_interior_of_a_case_is_computed(self):
        self.assertIsNone(solve(rolling()).interior)
        # Without friction the greatest von Mises stress is 0.620 p_max at the depth 0.481 a (nu = 0.3).
        case = frictionless(33)
        case["interior"] = {"body": "lower", "depths": {"to": 0.2, "points": 21}, "quantities": ["von_mises", "stress_zz"]}
        result = solve(case)
        inside = result.interior
        self.assertEqual(list(inside), ["lower"])
        lower = inside["lower"]
        self.assertEqual(lower["von_mises"].shape, (21, len(lower["y"]), len(lower["x"])))
        self.assertTrue(math.isclose(lower["max_von_mises"], 0.62 * result.max_pressure, rel_tol=5e-3))
        self.assertEqual(lower["max_von_mises"], lower["von_mises"].max())
        np.testing.assert_array_equal(lower["von_mises_by_depth"], lower["von_mises"].max(axis=(1, 2)))
        at = [int(np.argmin(abs(result.x - lower["x"][0]))), int(np.argmin(abs(result.y - lower["y"][0])))]
        inner = result.pressure[at[1]:at[1] + len(lower["y"]), at[0]:at[0] + len(lower["x"])]
        np.testing.assert_allclose(lower["stress_zz"][0], -inner, atol=1e-9 * result.max_pressure)  # at the surface
        with folder() as here:
            result.save(here / "inside.h5")
            read = sf.open(here / "inside.h5").step(fields=False).interior["lower"]
        self.assertEqual(set(read), set(lower))
        for name, values in lower.items():
            np.testing.assert_array_equal(read[name], values)
        twin = pickle.loads(pickle.dumps(result))
        np.testing.assert_array_equal(twin.interior["lower"]["von_mises"], lower["von_mises"])
        with self.assertRaisesRegex(sf.InputError, "without fields; accepted: fields=True"):
            solve(case, fields=False).interior  # pylint: disable=expression-not-assigned
        self.assertEqual(repr(pickle.loads(pickle.dumps(solve(case, fields=False)))).count("Result"), 1)

    def test_numbers_that_yaml_readers_leave_as_text_are_numbers(self):
        found = {text: solve(rolling(normal={"force": text})).normal_force for text in ("1e2", "1.e2", "10e+1", "1000e-1")}
        self.assertEqual(len(set(found.values())), 1, found)
        with self.assertRaisesRegex(sf.CaseError, "is quoted text"):
            solve(rolling(normal={"force": "100"}))

    def test_stresses_inside_are_those_of_their_step_however_late_they_are_asked_for(self):
        case = rolling(interior={"depths": [0.0, 0.05, 0.1], "quantities": ["von_mises", "tresca"]})
        run = sf.Solver(case, backend=BACKEND)
        loads = (50.0, 100.0)
        kept = [run.advance({"normal.force": load}, fields=False) for load in loads]
        run.advance({"normal.force": 10.0})
        same = sf.Solver(case, backend=BACKEND)
        for load, step in zip(loads, kept):
            self.assertNotIn("max_tresca", step._known.totals)
            whole = same.advance({"normal.force": load})
            self.assertEqual(step.max_tresca, max(body["max_tresca"] for body in whole.interior.values()))
            self.assertEqual(dict(step.totals, seconds=0), dict(whole.totals, seconds=0))
            self.assertGreater(step.max_tresca, step.max_von_mises)  # tresca: the greatest difference of principal stresses

    def test_a_file_gives_derivatives_and_interior_back(self):
        case = rolling(output={"sensitivities": True}, interior={"body": "lower", "depths": {"to": 0.2, "points": 3}})
        result = solve(case)
        with tempfile.TemporaryDirectory() as at:
            path = os.path.join(at, "rolling.h5")
            result.save(path)
            read = sf.open(path).step(1)
            np.testing.assert_array_equal(read.jacobian, result.jacobian)
            np.testing.assert_array_equal(read.approach_derivatives, result.approach_derivatives)
            self.assertEqual(read.stiffness, result.approach_derivatives[0])
            self.assertEqual(read.totals["stiffness"], result.stiffness)
            self.assertEqual((result.unit("stiffness"), list(sf.open(path).table["stiffness"])), ("N/mm", [result.stiffness]))
            self.assertEqual(list(read.interior), ["lower"])
            for name, values in result.interior["lower"].items():
                np.testing.assert_allclose(read.interior["lower"][name], values, err_msg=name, rtol=1e-12)
            twin = pickle.loads(pickle.dumps(read))
            later = sf.open(path).step(1)
            solve({**case, "normal": {"force": 2.0 * case["normal"]["force"]}}).save(path, overwrite=True)
            with self.assertRaisesRegex(sf.InputError, "has changed since it was opened, and the interior is read when it is first asked for"):
                later.interior  # pylint: disable=pointless-statement
            self.assertGreater(sf.open(path).step(1).interior["lower"]["max_von_mises"], result.interior["lower"]["max_von_mises"])
        np.testing.assert_array_equal(twin.interior["lower"]["von_mises"], result.interior["lower"]["von_mises"])
        self.assertNotIn("stiffness", solve(rolling()).totals)
        table = sf.sweep(rolling(output={"sensitivities": True}), {"normal.force": [50.0, 100.0]}, totals=["stiffness"], backend=BACKEND)
        self.assertEqual(table["stiffness"].shape, (2,))
        self.assertGreater(table["stiffness"][1], table["stiffness"][0])  # as the contact's radius

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

    def test_the_normal_force_follows_the_approach_as_hertz_has_it(self):
        case = frictionless(33)
        case["output"] = {"sensitivities": True}
        result = solve(case)
        # F = c d^1.5; 27 elements across the contact
        hertz = 1.5 * result.normal_force / result.approach
        np.testing.assert_allclose(result.approach_derivatives, [hertz, 0, 0, 0], rtol=0.02,
                                   atol=1e-9 * hertz)
        self.assertIsNone(solve(frictionless(33)).approach_derivatives)


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
        for title in ("µ ≈ 0.3", "😀 \"wheel\" 'x' \\", "12", "true", "null", "a: b # c", "{",
                      "- x"):
            with self.subTest(title):
                self.assertEqual(solver(rolling(title=title)).title, title)

    def test_load_keeps_numbers_text_and_the_folder(self):
        with folder() as here:
            path = here / "ball.yaml"
            path.write_text("a: {b: [1, -2.5e3, '3', true, yes, x y], c: }\n", encoding="utf-8")
            self.assertEqual(repr(dict(sf.load(path))), "{'a': {'b': [1, -2500.0, '3', True, 'yes', 'x y'], 'c': None}}")
            path.write_text("title: 1e3\nunits: true\nsteps: [{repeat: 2}]\ngeometry: {type: heights, file: 007, spacing: [1, 1]}\n",
                            encoding="utf-8")
            self.assertEqual(dict(sf.load(path)), {"title": "1e3", "units": "true", "steps": [{"repeat": 2}],
                                                   "geometry": {"type": "heights", "file": "007", "spacing": [1, 1]}})
            for text, reason in (("- 1\n", "is not a map of keys"), ("a: [1\n", r"ball\.yaml:\d+:\d+: ")):
                path.write_text(text, encoding="utf-8")
                with self.subTest(text), self.assertRaisesRegex(sf.CaseError, reason):
                    sf.load(path)
            with self.assertRaisesRegex(sf.CaseError, "there is no such file"):
                sf.load(here / "none.yaml")
            path.write_text("# a comment\n" + TEXT, encoding="utf-8")
            case = sf.load(path)
            self.assertEqual(case["tangential"]["x"]["creepage"], 8e-4)
            self.assertIn("# a comment", case.text)
            self.assertEqual(case.copy().folder, str(here.resolve()))
            self.assertEqual(bits(solve(case)), bits(solve(TEXT)))
            path.write_text(TEXT + "units: SI\n", encoding="utf-8")
            with self.assertRaisesRegex(sf.CaseError, r"ball\.yaml:12:1: .*duplicate key, given first at"):
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

    def test_hertz_has_its_semi_axes_under_the_force_that_is_set_before_the_first_step(self):
        case = rolling(geometry={"type": "hertz", "semi_axes": [0.15, 0.12]})
        table = sf.sweep(case, {"normal.force": [100.0, 400.0]}, totals=["max_pressure", "approach"], backend=BACKEND)
        # In the same ellipse all stresses and displacements are proportional to the force, here to the solver's tolerance.
        for name, values in table.totals.items():
            np.testing.assert_allclose(values[1], 4.0 * values[0], rtol=1e-5, err_msg=name)
        run = solver(case)
        start = run.save_state()
        first = run.advance({"normal.force": 400.0})
        np.testing.assert_allclose(first.max_pressure, table["max_pressure"][1], rtol=1e-5)
        self.assertEqual(bits(first), bits(solve({**case, "normal": {"force": 400.0}})))
        state = run.save_state()
        later = run.advance({"normal.force": 50.0})
        self.assertEqual(later.undeformed_distance.tobytes(), first.undeformed_distance.tobytes())  # the bodies are the same
        with folder() as here:
            for result in (first, later):
                result.save(here / "step.h5", overwrite=True)
                again = solve(sf.open(here / "step.h5").case)
                self.assertEqual(again.undeformed_distance.tobytes(), result.undeformed_distance.tobytes())
                np.testing.assert_allclose(again.max_pressure, result.max_pressure, rtol=1e-9)
        run.restore(start)
        other = run.advance({"normal.force": 100.0})  # a beginning of its own
        np.testing.assert_allclose(other.max_pressure, table["max_pressure"][0], rtol=1e-5)
        for each in (run, solver(case)):  # a state brings its bodies along
            each.restore(state)
            self.assertEqual(bits(each.advance({"normal.force": 50.0})), bits(later))
        run.restore(start)
        with self.assertRaisesRegex(sf.InputError, "hertz takes its curvatures from the normal force of the first step"):
            run.set({"normal.approach": 1e-3})
        self.assertEqual(bits(run.advance({"normal.force": 100.0})), bits(other))

    def test_heat_flows_as_the_steps_that_are_set_before_the_first_ask_for(self):
        body = {"conductivity": 0.05, "capacity": 450.0, "density": 7.85e-6}
        heated = {"heat": {"upper": body, "lower": body}}
        shift = {"problem": "shift", "x": {"shift": 0.01}, "y": {"shift": 0.0}, "duration": 1e-3}
        roll = {"problem": "transient_rolling", "x": {"creepage": 0.01}, "y": {"creepage": 0.0}, "step": 0.02, "velocity": 1000.0}
        case = rolling(tangential=shift, **heated)
        run = solver(rolling(tangential=roll, **heated))
        start = run.save_state()
        result = run.advance({"tangential": shift})
        self.assertEqual(bits(result), bits(solve(case)))
        run.restore(start)
        run.advance({"tangential": roll})
        late = run.advance({"tangential": shift})
        self.assertTrue(any("conduction: half_space" in text for text in late.warnings), late.warnings)
        with folder() as here:
            late.save(here / "late.h5")
            self.assertIn("conduction: depth", sf.open(here / "late.h5").case)

    def test_a_file_of_a_step_that_continues_others_says_that_its_case_does_not_reproduce_it(self):
        run = solver(transient())
        steps = [run.advance(), run.advance()]
        says = "step 2 continues steps that are not in the file, so /case does not reproduce it"
        with folder() as here:
            for name, result, said in (("first.h5", steps[0], 0), ("second.h5", steps[1], 1)):
                result.save(here / name)
                self.assertEqual(sum(says in line for line in sf.open(here / name).info["warnings"]), said)

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

    def test_values_set_in_a_trial_or_a_step_that_fails_are_taken_back(self):
        run = solver(transient())
        with run.trial():  # before the first step, when everything may change
            run.advance({"grid.elements": [11, 9], "tangential.x.creepage": 3e-3})
        self.assertEqual((run["grid.elements"], run.steps_done), ([19, 17], 0))
        self.assertEqual(bits(run.advance()), bits(solver(transient()).advance()))
        before = run["tangential.x.creepage"]
        run["friction.coefficient"] = 0.2
        with run.trial():
            run.advance({"tangential.x.creepage": 3e-3, "friction.coefficient": 0.25})
        self.assertEqual((run["tangential.x.creepage"], run["friction.coefficient"]),
                         (before, 0.2))
        answers = iter([False])
        stopped = solver(transient(), progress=lambda *_: next(answers, True))
        with self.assertRaises(sf.Cancelled):
            stopped.advance({"tangential.x.creepage": 3e-3})
        self.assertEqual(stopped["tangential.x.creepage"], before)
        self.assertEqual(bits(stopped.advance()), bits(solver(transient()).advance()))

    def test_a_state_of_another_grid_is_refused_even_if_no_step_has_run(self):
        empty = solver(transient(grid={"elements": [11, 9], "extent":
                                       {"x": [-1.0, 1.0], "y": [-1.0, 1.0]}})).save_state()
        run = solver(transient())
        step = bits(run.advance())
        with self.assertRaisesRegex(sf.InputError, "of another case: grid.elements.0 is 11 there and 19 here"):
            run.restore(empty)
        self.assertEqual(run.steps_done, 1)
        run.restore(solver(transient()).save_state())
        self.assertEqual((run.steps_done, bits(run.advance())), (0, step))

    def test_a_key_has_its_default_where_the_case_does_not_name_it(self):
        run = solver(rolling())
        for key, value in (("output.sensitivities", False), ("solver.rolling", "first_order"),
                           ("solver.flexibility", 0), ("output.fields", "all")):
            self.assertEqual(run[key], value, key)
        self.assertIn("sensitivities: false", run.case)  # as in a result's /case

    def test_a_result_keeps_no_solver_and_is_written_without_it(self):
        run = solver(transient())
        gone = weakref.ref(run)
        result = run.run()
        steps, case = result.steps, run.case
        del run
        gc.collect()
        self.assertIsNone(gone())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kept.h5")
            result.save(path)
            with sf.open(path) as file:
                self.assertEqual(len(file), len(steps))
                self.assertEqual(bits(file.step()), bits(result))
                self.assertEqual(file.case, case)

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
        slopes = solve(rolling(output={"sensitivities": True}))
        again = pickle.loads(pickle.dumps(slopes))
        for array in (pressure, slopes.x, slopes.jacobian, slopes.approach_derivatives, again.jacobian, again.approach_derivatives,
                      copy.deepcopy(again).jacobian, copy.copy(again).jacobian):
            with self.assertRaises(ValueError):
                array[0] = 1.0
        np.testing.assert_array_equal(again.jacobian, slopes.jacobian)
        with self.assertRaises(ValueError):
            pressure.flags.writeable = True

    def test_results_go_through_pickle_and_deepcopy(self):
        result = solve(transient(steps=[{"repeat": 2}]))
        for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            self.assertEqual(bits(other), bits(result))
            self.assertEqual(other.totals, result.totals)
            self.assertEqual(other.history, result.history)
            self.assertEqual(len(other.steps), 2)
            with self.assertRaises(ValueError):
                other.pressure[0] = 1.0
            with self.assertRaisesRegex(sf.InputError, "from a file or a copy"):
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
                # Small contacts are solved together, to the tolerance of 1e-6.
                self.assertLess(abs(table["force_x"][i, j] / one.force_x - 1.0), 1e-5)
                self.assertEqual(table["friction.coefficient"][i, j], friction)

    def test_a_point_that_fails_is_marked_and_the_others_are_there(self):
        table = sf.sweep(rolling(), {"normal.force": [100.0, -1.0]}, totals=["approach"],
                         backend=BACKEND)
        self.assertEqual(table.converged.tolist(), [True, False])
        self.assertTrue(math.isnan(table["approach"][1]))
        self.assertIn("normal.force: -1.0 is out of range", table.messages[1])

    def test_a_sweep_counts_its_points_and_is_cancelled(self):
        seen = []
        keys = {"normal.force": list(range(50, 90))}
        sf.sweep(rolling(), keys, backend=BACKEND, progress=lambda *line: seen.append(line))
        self.assertEqual(seen[-1], (40, 40))
        self.assertEqual(seen, sorted(seen))
        big = rolling(grid={"elements": [90, 80], "extent": {"x": [-1.0, 1.0], "y": [-1.0, 1.0]}})
        with self.assertRaises(sf.Cancelled):
            sf.sweep(big, keys, backend=BACKEND, progress=lambda done, points: False)
        with self.assertRaises(ZeroDivisionError):
            sf.sweep(big, keys, backend=BACKEND, progress=lambda done, points: 1 // 0)
        with self.assertRaisesRegex(sf.InputError, "progress: cannot be called"):
            sf.sweep(rolling(), keys, backend=BACKEND, progress=3)

    def test_every_name_has_a_description(self):
        for name in sf.field_names() + sf.quantity_names():
            self.assertTrue(sf.describe(name), name)

    def test_a_sweep_that_cannot_be_meant_is_refused(self):
        for keys, reason in (({}, "needs keys"), ({"normal.force": []}, "has no values"),
                             ({"normal.force": 100.0}, "is not a list"),
                             ({"normal.force": "100"}, "is not a list"),
                             ({"normal.force": np.array(5.0)}, "is not a list"),
                             ({"units": ["SI"]}, "'units' is nothing to sweep over; accepted: bodies"),
                             ({"output.error_estimate": [True]}, "'output' is nothing to sweep over"),
                             ({"title": ["a", "b"], "normal.force": [1.0]}, "'title' is nothing to sweep over"),
                             ([1, 2], "is not a dict"),
                             ({"normal.farce": [1.0, 2.0]}, "did you mean 'force'")):
            with self.subTest(keys), self.assertRaisesRegex(sf.InputError, reason):
                sf.sweep(rolling(), keys, backend=BACKEND)
        with self.assertRaisesRegex(sf.InputError, "there is no total 'nope'"):
            sf.sweep(rolling(), {"normal.force": [1.0]}, totals=["nope"], backend=BACKEND)
        with self.assertRaisesRegex(sf.InputError, "does not ask for it; accepted: output.error_estimate: true"):
            sf.sweep(rolling(), {"normal.force": [100.0]}, totals=["force_x_error"], backend=BACKEND)
        asked = rolling(output={"error_estimate": True})
        error = sf.sweep(asked, {"normal.force": [100.0]}, totals=["force_x_error"], backend=BACKEND)["force_x_error"]
        self.assertGreater(error[0], 0.0)
        self.assertEqual(error[0], solve({**asked, "normal": {"force": 100.0}}).force_x_error)
        table = sf.sweep(rolling(), {"normal.force": [1.0]}, backend=BACKEND)
        with self.assertRaisesRegex(sf.InputError, r"the table has no 'contact_area'; accepted: a sweep\(..., "
                                                   r"totals=\['contact_area', ...\]\) that records it"):
            table["contact_area"]  # pylint: disable=pointless-statement
        with self.assertRaisesRegex(sf.InputError, "the table has no 'force_xx'; did you mean 'force_x'"):
            table["force_xx"]  # pylint: disable=pointless-statement

    @machine.needs("pandas")
    def test_a_table_becomes_a_data_frame(self):
        table = sf.sweep(rolling(), {"normal.force": [90.0, 100.0], "tangential.spin": [0.0, 1e-3]},
                         backend=BACKEND)
        frame = table.to_pandas()
        self.assertEqual(list(frame["normal.force"]), [90.0, 90.0, 100.0, 100.0])
        self.assertEqual(list(frame["force_x"]), list(table["force_x"].ravel()))


if __name__ == "__main__":
    machine.run_tests()
