# SPDX-License-Identifier: Apache-2.0
"""Every array that the package gives: shape, order in memory, and values, each found another way."""
import importlib.util
import os
import sys
import tempfile
import types
import unittest

from python_support import BACKEND, STEEL, np, rolling, sf, solver

UNLIKE = {"upper": {"young_modulus": 2.1e5, "poisson_ratio": 0.1}, "lower": {"young_modulus": 1e5, "poisson_ratio": 0.4}}


def case(**changes):
    return rolling(output={"sensitivities": True}, **changes)


class Arrays(unittest.TestCase):
    def assert_array(self, array, shape):
        self.assertEqual(array.shape, shape)
        strides, size = [], array.dtype.itemsize
        for extent in reversed(shape):
            strides.insert(0, size)
            size *= extent
        self.assertEqual(array.strides, tuple(strides))

    def test_fields_are_rows_of_the_grid(self):
        result = sf.solve(case(), backend=BACKEND)
        for name in result.field_names():
            self.assert_array(result.field(name), (17, 19))
        # A ball: the pressure falls from the middle to the edge, in both directions.
        pressure = result.pressure
        self.assertEqual(pressure.argmax(), 8 * 19 + 9)
        self.assertGreater(len(np.unique(pressure)), 20)
        self.assertEqual(set(np.unique(result.element_division)), {0, 1, 2})

    def test_extra_slip_of_elements_is_a_list_or_an_array_of_rows_of_the_grid(self):
        extra = 1e-6 * np.arange(17 * 19).reshape(17, 19)

        def solved(values):
            changed = rolling()
            return sf.solve({**changed, "tangential": {**changed["tangential"], "extra_x": values}}, backend=BACKEND)
        np.testing.assert_array_equal(solved(extra).traction_x, solved(extra.ravel().tolist()).traction_x)
        with self.assertRaisesRegex(sf.InputError, r"tangential.extra_x: has 19 x 17 values, \(mx, my\); accepted: \(my, mx\)"):
            solved(extra.T)
        run = solver(rolling())
        run.set({"tangential.extra_x": extra})
        np.testing.assert_array_equal(run.advance().traction_x, solved(extra).traction_x)

    def test_derivatives_are_those_of_differences(self):
        for bodies in ({"upper": STEEL, "lower": STEEL}, UNLIKE):
            result = sf.solve(case(bodies=bodies), backend=BACKEND)
            self.assert_array(result.jacobian, (3, 3))
            self.assert_array(result.approach_derivatives, (4,))
            self.assertEqual(len(set(result.approach_derivatives)), 4)  # none repeats another
            step = 1e-3 * result.approach
            forces = []
            for sign in (1.0, -1.0):
                changed = case(bodies=bodies, normal={"approach": result.approach + sign * step})
                forces.append(sf.solve(changed, backend=BACKEND).normal_force)
            # The contact has 150 elements: one that enters is .7 % of the contact.
            self.assertAlmostEqual((forces[0] - forces[1]) / (2.0 * step) / result.approach_derivatives[0], 1.0, delta=0.05)
            forces = []
            for sign in (1.0, -1.0):
                changed = case(bodies=bodies)
                changed["tangential"] = {**changed["tangential"], "y": {"creepage": 3e-4 + sign * 1e-7}}
                forces.append(sf.solve(changed, backend=BACKEND))
            for row, name in enumerate(("force_x", "force_y", "moment_z")):
                slope = (getattr(forces[0], name) - getattr(forces[1], name)) / 2e-7
                scale = np.abs(result.jacobian[row]).max()
                self.assertAlmostEqual(result.jacobian[row, 1] / scale, slope / scale, delta=0.02)

    def test_the_gradient_is_that_of_differences_of_solutions(self):
        solver = sf.Solver(rolling(solver={"tolerance": 1e-11}), backend=BACKEND)
        result = solver.advance()
        random = np.random.default_rng(3)
        seed = {"traction_x": random.normal(size=(17, 19)), "slip_y": random.normal(size=(17, 19)),
                "force_y": 0.7, "friction_work": 2.0}

        def scalar(of):
            return ((seed["traction_x"] * of.traction_x).sum() + (seed["slip_y"] * of.slip_y).sum()
                    + 0.7 * of.force_y + 2.0 * of.friction_work)

        gradient = solver.gradient(seed)
        for name in ("undeformed_distance", "friction"):
            self.assert_array(gradient[name], (17, 19))
            self.assertTrue((gradient[name][result.pressure == 0.0] == 0.0).all())
        self.assertAlmostEqual(gradient["friction.coefficient"] / gradient["friction"].sum(), 1.0, delta=1e-12)
        for key, step in (("normal.force", 1e-3), ("tangential.x.creepage", 1e-8), ("tangential.spin", 1e-8),
                          ("friction.coefficient", 1e-6)):
            moved = []
            for sign in (1.0, -1.0):
                other = sf.Solver(rolling(solver={"tolerance": 1e-11}), backend=BACKEND)
                moved.append(other.advance({key: other[key] + sign * step}))
            for of in moved:
                np.testing.assert_array_equal(of.element_division, result.element_division)
            difference = (scalar(moved[0]) - scalar(moved[1])) / (2.0 * step)
            self.assertAlmostEqual(difference / gradient[key], 1.0, delta=2e-5, msg=key)
        with self.assertRaisesRegex(sf.InputError, r"the gradient has no 'friction_coefficient'; did you mean .*'friction.coefficient'.*"
                                                   r"accepted: .*undeformed_distance"):
            gradient["friction_coefficient"]  # pylint: disable=pointless-statement
        self.assertIsNone(gradient.get("heights"))
        # The other way round: the seed times what changes is the same number.
        tangent = solver.derivative({"friction.coefficient": 1.0})
        along = ((seed["traction_x"] * tangent["traction_x"]).sum() + (seed["slip_y"] * tangent["slip_y"]).sum()
                 + 0.7 * tangent["force_y"] + 2.0 * tangent["friction_work"])
        self.assertAlmostEqual(along / gradient["friction.coefficient"], 1.0, delta=1e-9)

    def test_spots_add_up_to_the_totals_and_move_with_a_periodic_surface(self):
        heights = np.random.default_rng(5).normal(size=(17, 19))
        case = rolling(grid={"elements": [19, 17], "spacing": [0.02, 0.03], "origin": [0.1, -0.2], "boundary": "periodic"},
                       tangential={"problem": "shift", "x": {"shift": 1e-4}, "y": {"shift": 0.0}}, normal={"force": 400.0},
                       output={"spots": True})

        def solved(values):
            case["geometry"] = {"type": "heights", "file": 1e-3 * values}
            return sf.solve(case, backend=BACKEND)

        result, moved = solved(heights), solved(np.roll(heights, (6, 11), (0, 1)))
        spots = result.spots()
        if importlib.util.find_spec("pandas"):
            self.assertEqual(list(spots.to_pandas().columns), list(spots[0]._fields))
        self.assertGreater(len(spots), 5)
        self.assertEqual((len(spots), sum(spot.elements for spot in spots)), (result.contact_spots, result.elements_contact))
        self.assertAlmostEqual(max(spot.area for spot in spots), result.largest_spot_area, delta=1e-15)
        for name in ("normal_force", "force_x", "force_y"):
            self.assertAlmostEqual(sum(getattr(spot, name) for spot in spots), getattr(result, name), delta=1e-12 * result.normal_force)
        self.assertEqual(max(spot.max_pressure for spot in spots), result.max_pressure)
        for spot, other in zip(spots, moved.spots()):
            for name in ("area", "normal_force", "force_x"):
                greatest = max(abs(getattr(each, name)) for each in spots)
                self.assertAlmostEqual(getattr(spot, name), getattr(other, name), delta=1e-4 * greatest)
            for at, there, period, step in ((spot.x, other.x, 0.38, 0.22), (spot.y, other.y, 0.51, 0.18)):
                self.assertAlmostEqual((there - at - step + 0.5 * period) % period, 0.5 * period, delta=1e-4)

    def test_the_gradient_through_steps_is_that_of_differences_of_the_sequence(self):
        path = (4e-4, 1e-3, 2e-4)
        falling = {"static": 0.3, "kinetic": 0.2, "law": "rational", "half_velocity": 1.0}

        def run(first=path[0], half_velocity=1.0):
            case = rolling(solver={"tolerance": 1e-11}, friction={**falling, "half_velocity": half_velocity})
            case["tangential"].update(problem="transient_rolling", velocity=1000.0)
            solver = sf.Solver(case, backend=BACKEND)
            return solver, [solver.advance({"tangential.x.creepage": x}) for x in (first, *path[1:])]

        solver, results = run()
        gradients = solver.gradient({"force_x": 1.0}, steps=results)
        self.assertEqual(len(gradients), 3)
        self.assert_array(gradients[0]["undeformed_distance"], (17, 19))
        self.assertIn("friction.static", gradients[0])
        forces = [run(path[0] + h)[1][-1].force_x for h in (1e-9, -1e-9)]
        of_first = gradients[0]["tangential.x.creepage"]
        self.assertAlmostEqual((forces[0] - forces[1]) / 2e-9 / of_first, 1.0, delta=1e-4)
        self.assertAlmostEqual(solver.derivative({}, steps=results[1:])[1]["force_x"], 0.0)
        directions = [{"tangential.x.creepage": 1.0}, {}, {}]
        self.assertAlmostEqual(solver.derivative(directions, steps=results)[2]["force_x"] / of_first, 1.0, delta=1e-8)
        forces = [run(half_velocity=1.0 + h)[1][-1].force_x for h in (1e-5, -1e-5)]
        whole = sum(gradient["friction.half_velocity"] for gradient in gradients)
        self.assertAlmostEqual((forces[0] - forces[1]) / 2e-5 / whole, 1.0, delta=1e-4)
        for steps, sentence in ((results[::2], "step 3 is where step 2 would follow; accepted: steps that followed"),
                                ([], "steps: not a list of results; accepted: results of advance"),
                                ([1], "steps: not a list of results; accepted: results of advance")):
            with self.assertRaisesRegex(sf.InputError, sentence):
                solver.gradient({"force_x": 1.0}, steps=steps)
        foreign = run()[1][1]
        with self.assertRaisesRegex(sf.InputError, "step 2 did not continue from the step 1 that is given before it: they are of "
                                                   "two solvers, or a state was restored between them; accepted: steps that"):
            solver.gradient({"force_x": 1.0}, steps=[results[0], foreign, results[2]])
        state = solver.save_state()
        fourth = solver.advance()
        solver.restore(state)
        again = solver.advance()  # from the same state
        self.assertEqual(solver.gradient({"force_x": 1.0}, steps=[results[2], again])[1]["normal.force"],
                         solver.gradient({"force_x": 1.0}, steps=[results[2], fourth])[1]["normal.force"])
        with self.assertRaisesRegex(sf.InputError, "step 5 did not continue from the step 4"):
            solver.gradient({"force_x": 1.0}, steps=[fourth, solver.advance()])
        with self.assertRaisesRegex(sf.InputError, "1 sets of values were given for 3 steps"):
            solver.gradient([{"force_x": 1.0}], steps=results)

    def test_a_sweep_has_the_gradients_of_each_point(self):
        keys = {"tangential.x.creepage": [2e-4, 1.5e-3], "normal.force": [80.0, 100.0]}
        to = ["undeformed_distance", "tangential.x.creepage", "friction.coefficient"]
        case = rolling(solver={"tolerance": 1e-9})
        for extra in ({}, {"output": {"sensitivities": True}}):  # which is solved one by one
            table = sf.sweep({**case, **extra}, keys, totals=["force_x"], gradient_of=["force_x", "force_y"], gradient_to=to,
                             backend=BACKEND)
            self.assertEqual(set(table.gradients), {(of, name) for of in ("force_x", "force_y") for name in to})
            self.assert_array(table.gradients["force_x", "undeformed_distance"], (2, 2, 17, 19))
            for i, creepage in enumerate(keys["tangential.x.creepage"]):
                for k, force in enumerate(keys["normal.force"]):
                    one = sf.Solver(case, backend=BACKEND)
                    one.advance({"tangential.x.creepage": creepage, "normal.force": force})
                    for of in ("force_x", "force_y"):
                        found = one.gradient({of: 1.0})
                        for name in to:
                            scale = np.abs(found[name]).max()
                            np.testing.assert_allclose(table.gradients[of, name][i, k], found[name], atol=1e-5 * scale)
                    self.assertEqual(table.near_change[i, k], found.near_change)
        self.assertIsNone(sf.sweep(case, keys, totals=["force_x"], backend=BACKEND).near_change)
        failed = sf.sweep(case, {"normal.force": [100.0, -1.0]}, totals=["force_x"], gradient_of="force_x",
                          gradient_to="normal.force", backend=BACKEND)
        self.assertEqual(list(np.isnan(failed.gradients["force_x", "normal.force"])), [False, True])
        for arguments, sentence in (({"gradient_of": "force_x"}, "gradient_of and gradient_to: one of them is missing; accepted: both"),
                                    ({"gradient_of": "force_x", "gradient_to": "friction.static"},
                                     "the step has no 'friction.static' with derivatives; accepted: undeformed_distance, normal.force"),
                                    ({"gradient_of": "slip_x", "gradient_to": "normal.force"},
                                     "slip_x: is a field; accepted: numbers, such as force_x")):
            # Refused before a contact is solved: this one would not converge.
            with self.subTest(arguments), self.assertRaisesRegex(sf.InputError, sentence):
                sf.sweep({**case, "solver": {"tolerance": 1e-300}}, {"normal.force": [100.0]}, totals=["force_x"],
                         backend=BACKEND, **arguments)
        seen = []
        sf.sweep(case, {"normal.force": np.linspace(80.0, 100.0, 200)}, totals=["force_x"], gradient_of="force_x",
                 gradient_to="normal.force", backend=BACKEND, threads=1, progress=lambda done, _: seen.append(done))
        self.assertEqual(seen, sorted(seen))

    def test_wrong_seeds_are_refused_with_a_sentence(self):
        solver = sf.Solver(rolling(), backend=BACKEND)
        solver.advance()
        for seed, sentence in (
                (3, "seed: a value of type int is not a dict"),
                ({"presure": 1.0}, "the step has no 'presure' with derivatives; accepted: pressure, "),
                ({"pressure": np.ones(3)}, r"pressure: the shape \(3,\); accepted: one number, or an array of shape \(17, 19\)"),
                ({"pressure": 1.0}, "pressure: 1 values; accepted: 323, one for each element"),
                ({"force_x": np.nan}, "force_x: is not finite; accepted: a finite number"),
                ({"force_x": "a"}, "seed: force_x: has elements of type text; accepted: one number")):
            with self.assertRaisesRegex(sf.InputError, sentence):
                solver.gradient(seed)

    def test_derivatives_of_a_file_are_those_of_the_solver(self):
        result = sf.solve(case(), backend=BACKEND)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.h5")
            result.save(path)
            read = sf.open(path).step()
            self.assertGreater(result.approach_derivatives[0], 0.0)
            np.testing.assert_array_equal(read.approach_derivatives, result.approach_derivatives)
            np.testing.assert_array_equal(read.pressure, result.pressure)

    def test_tables_of_a_sweep_have_a_number_for_each_point(self):
        table = sf.sweep(case(), {"tangential.x.creepage": [1e-4, 3e-4, 9e-4], "normal.force": [50.0, 100.0]},
                         backend=BACKEND)
        force = table["force_x"]
        self.assertEqual(force.shape, (3, 2))
        self.assertEqual(len(np.unique(force)), 6)
        alone = sf.solve(case(normal={"force": 50.0}), backend=BACKEND)
        changed = case(normal={"force": 50.0})
        changed["tangential"] = {**changed["tangential"], "x": {"creepage": 9e-4}}
        alone = sf.solve(changed, backend=BACKEND)
        # small contacts are solved together, to the tolerance of 1e-6
        self.assertAlmostEqual(force[2, 0] / alone.force_x, 1.0, delta=1e-4)

    def test_arrays_that_are_given_arrive_whole(self):
        heights = 1e-3 * np.arange(17 * 19, dtype=float).reshape(17, 19) ** 0.5
        for given in (heights, np.asfortranarray(heights), heights.astype(np.float32).astype(float),
                      heights[::-1][::-1]):
            result = sf.solve(rolling(geometry={"type": "heights", "file": given}, normal={"approach": 5e-3},
                                      tangential={"problem": "none"}), backend=BACKEND)
            np.testing.assert_allclose(result.undeformed_distance, given, rtol=1e-6)  # float32 among them

    def test_masked_arrays_are_refused_with_advice_that_works(self):
        heights = np.random.default_rng(0).normal(size=(17, 19)) * 1e-4
        masked = np.ma.array(heights, mask=heights > 1e-4)
        for of in ("upper", "lower", "distance"):
            def solved(table):
                return sf.solve(rolling(geometry={"type": "heights", "file": table, "of": of},
                                        tangential={"problem": "none"}), backend=BACKEND)
            with self.assertRaises(sf.InputError) as refused:
                solved(masked)
            advice = str(refused.exception)
            self.assertIn("heights.filled(heights.min())", advice)
            self.assertIn("distances.filled(np.inf)", advice)
            filled = masked.filled(np.inf if of == "distance" else masked.min())
            result = solved(filled)
            self.assertTrue(result.converged, result.message)
            self.assertFalse((result.pressure[masked.mask] > 0.0).any() if of == "distance" else False)
        coefficients = np.ma.array(np.full((17, 19), 0.3), mask=masked.mask)
        with self.assertRaises(sf.InputError) as refused:
            sf.solve(rolling(friction={"coefficient": {"file": coefficients}}), backend=BACKEND)
        self.assertIn("coefficients.filled(coefficients.mean())", str(refused.exception))
        sf.solve(rolling(friction={"coefficient": {"file": coefficients.filled(coefficients.mean())}}), backend=BACKEND)

    def test_a_surface_is_taken_on_its_own_grid_in_the_units_of_the_case(self):
        from slipfield import surface

        def paraboloid(spacing, unit, per_mm):
            x, y = np.arange(-0.3, 0.3, spacing), np.arange(-0.32, 0.28, spacing)
            return surface.Surface((x ** 2 + y[:, None] ** 2) / 20.0 * per_mm, spacing * per_mm, spacing * per_mm, unit, x[0] * per_mm, y[0] * per_mm)

        def solved(scan, **more):
            return sf.solve(rolling(geometry={"type": "heights", "file": scan, "of": "distance", **more}, tangential={"problem": "none"}),
                            backend=BACKEND)

        inside = solved(paraboloid(0.005, "um", 1e3))
        exact = (inside.x ** 2 + inside.y[:, None] ** 2) / 20.0
        # Between samples 5 um apart a parabola of radius 10 mm is 1.25e-6/8/10 mm below its chord.
        np.testing.assert_allclose(inside.undeformed_distance - inside.undeformed_distance.min(), exact - exact.min(), atol=7e-7)
        again = solved(paraboloid(0.005, "mm", 1.0), spacing=[0.005, 0.005])
        np.testing.assert_allclose(again.undeformed_distance, inside.undeformed_distance, rtol=1e-9, atol=1e-15)
        run = sf.Solver(rolling(tangential={"problem": "none"}), backend=BACKEND)
        run.set(geometry={"type": "heights", "file": paraboloid(0.005, "nm", 1e6), "of": "distance"})
        np.testing.assert_allclose(run.advance().undeformed_distance, inside.undeformed_distance, rtol=1e-9, atol=1e-15)
        # In place of another one: with its own grid, unless that is given.
        scans = [paraboloid(0.01, "um", 1e3), paraboloid(0.005, "m", 1e-3)]
        case = rolling(geometry={"type": "heights", "file": scans[0], "of": "distance"}, tangential={"problem": "none"})
        run = sf.Solver(case, backend=BACKEND)
        run["geometry.file"] = scans[1]
        np.testing.assert_allclose(run.advance().undeformed_distance, inside.undeformed_distance, rtol=1e-9, atol=1e-15)
        run = sf.Solver(case, backend=BACKEND)
        run.set({"geometry.spacing": [0.02, 0.02], "geometry.file": scans[1]})
        self.assertEqual(run["geometry.spacing"], [0.02, 0.02])
        # Over surfaces, as `file` and in the shape, with another key; tables go the same way.
        forces, whole = [50.0, 100.0], [{**case["geometry"], "file": scan} for scan in scans]
        tables = [sf.sweep(case, {key: values, "normal.force": forces}, totals=["approach"], backend=BACKEND)
                  for key, values in (("geometry.file", scans), ("geometry", whole))]
        alone = [[sf.solve({**case, "geometry": shape, "normal": {"force": force}}, backend=BACKEND).approach for force in forces]
                 for shape in whole]
        for table in tables:
            np.testing.assert_allclose(table["approach"], alone, rtol=1e-12)
        self.assertIs(tables[0]["geometry.file"][1, 0], scans[1])
        mu = sf.sweep(rolling(friction={"coefficient": {"file": np.full((17, 19), 0.2)}}),
                      {"friction.coefficient.file": [np.full((17, 19), 0.2), np.full((17, 19), 0.3)]}, totals=["force_x"], backend=BACKEND)
        np.testing.assert_allclose(mu["force_x"], [sf.solve(rolling(friction={"coefficient": each}), backend=BACKEND).force_x
                                                   for each in (0.2, 0.3)], rtol=1e-9)

    def test_a_surface_is_refused_with_advice_that_works(self):
        from slipfield import surface
        scan = surface.Surface(np.random.default_rng(0).normal(size=(17, 19)) * 0.1, 1.0, 1.0, "um")

        def solved(heights):
            return sf.solve(rolling(geometry={"type": "heights", "file": heights, "of": "lower"}, tangential={"problem": "none"}), backend=BACKEND)

        run = sf.Solver(rolling(geometry={"type": "heights", "file": np.zeros((17, 19))}), backend=BACKEND)
        for name, refused_by in (("array a", lambda: sf.Solver(rolling(), arrays={"a": scan})),
                                 ("array geometry.file", lambda: run.set_array("geometry.file", scan)),
                                 ("friction.coefficient.file", lambda: run.set({"friction.coefficient.file": scan})),
                                 ("geometry.file", lambda: sf.Solver(rolling(), backend=BACKEND).set({"geometry.file": scan})),
                                 ("geometry.file", lambda: sf.sweep(rolling(), {"geometry.file": [scan]}, backend=BACKEND)),
                                 ("friction.coefficient", lambda: run.set({"friction.coefficient": scan})),
                                 ("normal.force", lambda: sf.sweep(rolling(), {"normal.force": [scan]}, backend=BACKEND))):
            with self.subTest(name), self.assertRaises(sf.InputError) as refused:
                refused_by()
            self.assertIn(f"{name}: is a Surface, whose grid and unit (um) nothing looks at here; accepted: as the `file` of a shape",
                          str(refused.exception))
            self.assertIn('surface.rescale(scan, unit="mm").heights', str(refused.exception))
        like = types.SimpleNamespace(heights=scan.heights, unit="um")  # some other program's
        with self.assertRaisesRegex(sf.InputError, "geometry.file: a value of type SimpleNamespace has no form in a case"):
            run.set({"geometry.file": like})
        given = surface.rescale(scan, unit="mm").heights
        np.testing.assert_allclose(solved(given).undeformed_distance, given.max() - given, rtol=1e-6, atol=1e-12)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
