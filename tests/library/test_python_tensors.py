# SPDX-License-Identifier: Apache-2.0
"""A case as a function with derivatives: by NumPy alone, in PyTorch and in JAX where these are installed."""
import contextlib
import importlib
import importlib.util
import sys
import unittest
import unittest.mock

from python_support import BACKEND, Foreign, heights, machine, np, rolling, sf, solver

differentiable = importlib.import_module("slipfield.differentiable")
HAS_TORCH = importlib.util.find_spec("torch") is not None
HAS_JAX = importlib.util.find_spec("jax") is not None
OPTIONS = {"backend": BACKEND}


def case(distance, force, friction, creepage):
    return rolling(solver={"tolerance": 1e-11}, geometry={"type": "heights", "file": distance},
                   normal={"force": force}, friction={"coefficient": {"file": friction}},
                   tangential={"problem": "steady_rolling", "x": {"creepage": creepage}, "y": {"creepage": 3e-4}})


def place():
    distance = heights(rolling())
    return distance, np.array(100.0), np.full(distance.shape, 0.3), np.array(8e-4)


def rolling_at(force, friction, creepage, **changes):
    return {**rolling(solver={"tolerance": 1e-13}), "normal": {"force": force}, "friction": {"coefficient": friction},
            "tangential": {"problem": "steady_rolling", "x": {"creepage": creepage}, "y": {"creepage": 3e-4}}, **changes}


def no_single_solver():
    """What is not one batch fails."""
    return unittest.mock.patch.object(differentiable.Function, "solve", side_effect=AssertionError("one by one"))


COLUMNS = {"friction.coefficient": [0.3, 0.25, 0.35], "normal.force": [80.0, 100.0, 130.0],
           "tangential.x.creepage": [8e-4, -4e-4, 6e-4]}
SIZES = {"friction.coefficient": 0.01, "normal.force": 5.0, "tangential.x.creepage": 1e-5, "geometry.file": 1e-6,
         "friction.coefficient.file": 0.01}


class Functions(unittest.TestCase):
    def compare_batch(self, given, columns, outputs, by_batch=True):
        """With the contacts one by one. columns: of each value, with an axis of contacts in front."""
        random = np.random.default_rng(3)
        function = differentiable.Function(given, lambda value: isinstance(value, np.ndarray), outputs, OPTIONS)
        values = [np.asarray(columns[differentiable._name(at)]) for at in function.places]
        singles = [function.solve([value[i] for value in values]) for i in range(3)]
        with no_single_solver() if by_batch else contextlib.nullcontext():
            many = function.solve_many(values)
        seeds = [random.normal(size=output.shape) for output in many.outputs]
        changes = [random.normal(size=value.shape) * SIZES[differentiable._name(at)]
                   for at, value in zip(function.places, values)]
        for i, single in enumerate(singles):
            own_seeds, own_changes = [seed[i] for seed in seeds], [change[i] for change in changes]
            for found, expected in ((many.outputs, single.outputs), (many.adjoint(seeds), single.adjoint(own_seeds)),
                                    (many.tangent(changes), single.tangent(own_changes))):
                for a, b in zip(found, expected):
                    # both solve to 1e-13
                    np.testing.assert_allclose(a[i], b, rtol=0.0, atol=1e-10 * np.abs(b).max())

    def test_a_batch_equals_its_contacts_one_by_one(self):
        outputs = ["pressure", "traction_y", "slip_x", "force_x", "approach"]
        first = {name: np.array(column[0]) for name, column in COLUMNS.items()}
        given = rolling_at(first["normal.force"], first["friction.coefficient"], first["tangential.x.creepage"])
        self.compare_batch(given, COLUMNS, outputs)
        # heights of their own, of which the first two contacts have the same; friction by element is not the batch's
        distance = heights(rolling())
        tables = np.stack([distance, distance, 1.1 * distance])
        given = {**given, "geometry": {"type": "heights", "file": distance}}
        self.compare_batch(given, {**COLUMNS, "geometry.file": tables}, outputs)
        self.compare_batch(given, {**COLUMNS, "geometry.file": np.broadcast_to(distance, (3, *distance.shape))}, outputs)
        given["friction"] = {"coefficient": {"file": np.full(distance.shape, 0.3)}}
        coefficients = 0.3 + 0.001 * np.arange(3 * distance.size).reshape(3, *distance.shape) / distance.size
        self.compare_batch(given, {**COLUMNS, "geometry.file": tables, "friction.coefficient.file": coefficients}, outputs)

    def test_what_the_batch_does_not_take_is_solved_one_by_one(self):
        given = rolling_at(np.array(80.0), 0.3, 8e-4, steps=[{}, {"normal": {"force": 90.0}}])
        given["tangential"] = {**given["tangential"], "problem": "transient_rolling"}
        self.compare_batch(given, {"normal.force": COLUMNS["normal.force"]}, ["force_x"], by_batch=False)
        # What an entry of `steps` replaces holds in no step.
        replaced = rolling_at(np.array(80.0), 0.3, 8e-4, steps=[{"normal": {"force": 90.0}}])
        function = differentiable.Function(replaced, lambda value: isinstance(value, np.ndarray), ["normal_force"], OPTIONS)
        np.testing.assert_allclose(function.solve_many([np.array([80.0, 70.0])]).outputs[0], 90.0, rtol=1e-9)
        one_step = rolling_at(np.array(80.0), 0.3, 8e-4)
        function = differentiable.Function(one_step, lambda value: isinstance(value, np.ndarray), ["gap"], OPTIONS)
        gaps = function.solve_many([np.array([80.0, 100.0])]).outputs[0]
        np.testing.assert_array_equal(gaps[1], function.solve([100.0]).outputs[0])

    def test_a_contact_of_a_batch_that_fails_is_named(self):
        for values, changes, error, sentence in (
                ([80.0, -1.0], {}, sf.InputError, "^contact 1: .*normal.force"),
                ([-1.0, 80.0], {}, sf.InputError, "^contact 0: .*normal.force"),
                ([80.0, 90.0], {"solver": {"tolerance": 1e-300}}, sf.NotConverged, "^contact 0 did not converge: ")):
            function = differentiable.Function(rolling_at(np.array(80.0), 0.3, 8e-4, **changes),
                                               lambda value: isinstance(value, np.ndarray), ["force_x"], OPTIONS)
            with no_single_solver(), self.assertRaisesRegex(error, sentence):
                function.solve_many([np.array(values)])

    def test_a_total_that_the_case_lacks_is_refused_by_the_batch_too(self):
        function = differentiable.Function(rolling_at(np.array(80.0), 0.3, 8e-4), lambda value: isinstance(value, np.ndarray),
                                           ["worn_area"], OPTIONS)
        for solve, values in ((function.solve, [80.0]), (function.solve_many, [np.array([80.0, 90.0])])):
            with self.assertRaisesRegex(sf.InputError, "no 'worn_area'|worn_area: the case does not ask for it"):
                solve(values)

    def test_both_directions_are_one_derivative(self):
        values = place()
        function = differentiable.Function(case(*values), lambda value: isinstance(value, np.ndarray),
                                           ["pressure", "traction_y", "force_x", "approach"], OPTIONS)
        self.assertEqual(function.places, [("friction", "coefficient", "file"), ("geometry", "file"),
                                           ("normal", "force"), ("tangential", "x", "creepage")])
        solution = function.solve(function.values)
        random = np.random.default_rng(1)
        seeds = [random.normal(size=output.shape) for output in solution.outputs]
        changes = [random.normal(size=value.shape) * size for value, size in
                   zip(function.values, (0.1, 1e-4, 5.0, 1e-4))]
        there = sum((a * b).sum() for a, b in zip(solution.adjoint(seeds), changes))
        back = sum((a * b).sum() for a, b in zip(seeds, solution.tangent(changes)))
        self.assertAlmostEqual(there / back, 1.0, delta=1e-8)

    def test_through_steps_each_value_counts_while_it_holds(self):
        distance, force, friction, creepage = place()
        steps = [{"repeat": 2}, {"tangential": {"x": {"creepage": np.array(-3e-4)}}}, {"normal": {"force": 90.0}}]
        given = {**case(distance, force, friction, creepage), "steps": steps}
        given["tangential"] = {**given["tangential"], "problem": "transient_rolling"}
        function = differentiable.Function(given, lambda value: isinstance(value, np.ndarray), ["traction_x", "force_y"],
                                           OPTIONS)
        holds = {differentiable._name(at): of for at, of in zip(function.places, function.steps)}
        self.assertEqual(holds, {"friction.coefficient.file": [0, 1, 2, 3], "geometry.file": [0, 1, 2, 3],
                                 "normal.force": [0, 1, 2], "tangential.x.creepage": [0, 1],
                                 "steps[1].tangential.x.creepage": [2, 3]})
        solution = function.solve(function.values)
        random = np.random.default_rng(2)
        seeds = [random.normal(size=output.shape) for output in solution.outputs]
        sizes = {"friction.coefficient.file": 0.1, "geometry.file": 1e-4, "normal.force": 5.0}
        changes = [random.normal(size=value.shape) * sizes.get(differentiable._name(at), 1e-4)
                   for at, value in zip(function.places, function.values)]
        there = sum((a * b).sum() for a, b in zip(solution.adjoint(seeds), changes))
        back = sum((a * b).sum() for a, b in zip(seeds, solution.tangent(changes)))
        self.assertAlmostEqual(there / back, 1.0, delta=1e-8)
        moved = [function.solve([value + side * 1e-6 * change for value, change in zip(function.values, changes)])
                 for side in (1.0, -1.0)]
        self.assertTrue((moved[0].result.element_division == moved[1].result.element_division).all())
        slope = sum((seed * (a - b)).sum() for seed, a, b in zip(seeds, moved[0].outputs, moved[1].outputs)) / 2e-6
        self.assertAlmostEqual(slope / there, 1.0, delta=1e-4)

    def test_heights_of_a_body_count_from_its_summit(self):
        distance = heights(rolling())
        surface = 0.5 - distance
        of_distance = differentiable.Function(
            rolling(geometry={"type": "heights", "file": distance}), lambda value: value is distance, ["approach"], OPTIONS)
        of_body = differentiable.Function(
            rolling(geometry={"type": "heights", "of": "lower", "file": surface}), lambda value: value is surface,
            ["approach"], OPTIONS)
        one = of_distance.solve([distance]).adjoint([1.0])[0]
        other = of_body.solve([surface]).adjoint([1.0])[0]
        self.assertAlmostEqual(other.sum() / one.sum(), 0.0, delta=1e-9)  # raising the body raises its summit
        lowest = distance.argmin()
        elsewhere = np.arange(distance.size) != lowest
        np.testing.assert_allclose(other.ravel()[elsewhere], -one.ravel()[elsewhere], rtol=1e-6, atol=1e-9)

    def test_what_has_no_derivatives_is_named(self):
        def is_table(value):
            return isinstance(value, np.ndarray)
        values = place()
        for wrong, sentence in (
                (3, "a case of type int has no values"),
                (rolling(), "the case has no value with derivatives"),
                ({**case(*values), "grid": {"elements": [19, 17], "spacing": np.array([0.02, 0.02])}},
                 r"grid.spacing: has no derivatives in this case"),
                (rolling(geometry={"type": "hertz", "semi_axes": [1, 1]}, normal={"force": values[1]}),
                 "normal.force: has no derivatives with a shape of `type: hertz`"),
                (rolling(geometry={"type": "heights", "file": values[0], "spacing": [1, 1]}),
                 r"geometry.file: has no derivatives; accepted: a table of `type: heights`")):
            with self.assertRaisesRegex(sf.InputError, sentence):
                function = differentiable.Function(wrong, is_table, ["approach"], OPTIONS)
                function.solve(function.values).adjoint([1.0])


    def test_an_input_without_derivatives_is_named_in_a_batch_as_alone(self):
        ratios = np.array([0.28, 0.3])
        wrong = rolling()
        wrong["bodies"] = {**wrong["bodies"], "upper": {**wrong["bodies"]["upper"], "poisson_ratio": ratios}}
        function = differentiable.Function(wrong, lambda value: value is ratios, ["approach"], OPTIONS)
        sentences = []
        for solved, seed in ((function.solve([ratios[0]]), 1.0), (function.solve_many([ratios]), np.ones(2))):
            with self.assertRaises(sf.InputError) as caught:
                solved.adjoint([seed])
            sentences.append(str(caught.exception))
        self.assertRegex(sentences[0], "^bodies.upper.poisson_ratio: has no derivatives in this case; accepted: heights")
        self.assertEqual(sentences[1], sentences[0])


class FieldsOnGpu:
    """Within this, the fields of solvers are arrays of a GPU, in fact of the host; taken: their names."""

    def __enter__(self):
        self.taken = []

        def device_field(solver, name):
            if name not in ("pressure", "traction_x"):
                return None
            self.taken.append(name)
            return Foreign(np.array(solver._result(solver._solver.last_step_with_fields()).field(name)))
        self.patch = unittest.mock.patch.object(sf.Solver, "device_field", device_field)
        self.patch.start()
        return self

    def __exit__(self, *_):
        self.patch.stop()


class OnGpu(unittest.TestCase):
    def test_fields_of_a_gpu_are_taken_there_and_all_others_from_the_host(self):
        copies = []

        def copy_of(field):
            copies.append(np.array(np.from_dlpack(field)))
            return copies[-1]
        for outputs in (["pressure", "slip_x", "approach"], ["pressure", "approach"]):
            function = differentiable.Function(case(*place()), lambda value: isinstance(value, np.ndarray), outputs, OPTIONS)
            expected = function.solve(function.values)
            with FieldsOnGpu() as fields:
                solution = function.solve(function.values, differentiable.OnGpu(0, copy_of))
            self.assertEqual(fields.taken, ["pressure"])
            self.assertIs(solution.outputs[0], copies[-1])
            self.assertEqual(bool(solution.result.field_names()), "slip_x" in outputs)
            seeds = [np.ones(np.shape(output)) for output in expected.outputs]
            for found, wanted in ((solution.outputs, expected.outputs), (solution.adjoint(seeds), expected.adjoint(seeds))):
                for one, other in zip(found, wanted):
                    np.testing.assert_array_equal(one, other)


@unittest.skipUnless(HAS_TORCH, "the Python package torch is not installed")
class Torch(unittest.TestCase):
    def test_gradcheck(self):
        import torch
        from slipfield.torch import solve
        distance, force, friction, creepage = (torch.tensor(value, requires_grad=True) for value in place())

        def function(force, creepage):
            return solve(case(distance.detach(), force, friction.detach(), creepage), ["force_x", "approach"], **OPTIONS)
        # scaled: gradcheck takes the same step for all
        self.assertTrue(torch.autograd.gradcheck(
            lambda a, b: [x * s for x, s in zip(function(100.0 * a, 1e-3 * b), (1e-1, 1e3))],
            (force.detach().div(100.0).requires_grad_(), creepage.detach().mul(1e3).requires_grad_()),
            eps=1e-5, atol=1e-4, rtol=1e-4, check_forward_ad=True))
        pressure, = solve(case(distance, force, friction, creepage), ["pressure"], **OPTIONS)
        (pressure**2).sum().backward()
        self.assertEqual(distance.grad.shape, distance.shape)
        self.assertTrue((distance.grad[pressure == 0.0] == 0.0).all())
        self.assertGreater(force.grad.item(), 0.0)
        # along one direction of all heights and coefficients, against the difference of two solutions
        random = np.random.default_rng(2)
        changes = [torch.tensor(random.normal(size=distance.shape)) * size for size in (1e-8, 1e-6)]
        found = (distance.grad * changes[0]).sum() + (friction.grad * changes[1]).sum()
        scalars = []
        for sign in (1.0, -1.0):
            moved, = solve(case(distance.detach() + sign * changes[0], force.detach(), friction.detach() + sign * changes[1],
                                creepage.detach()), ["pressure"], **OPTIONS)
            scalars.append((moved**2).sum())
        self.assertAlmostEqual((2.0 * found / (scalars[0] - scalars[1])).item(), 1.0, delta=1e-4)
        with self.assertRaisesRegex(sf.InputError, "a tensor of type torch.int64"):
            solve(case(distance.detach(), torch.tensor(100), friction.detach(), creepage.detach()), ["pressure"], **OPTIONS)

    def test_outputs_may_be_changed_in_place(self):
        import torch
        from slipfield.torch import solve
        distance, force, friction, creepage = (torch.tensor(value, requires_grad=True) for value in place())
        pressure, force_x = solve(case(distance, force, friction, creepage), ["pressure", "force_x"], **OPTIONS)
        expected = torch.autograd.grad((pressure + 1.0).sum() + 2.0 * force_x, force, retain_graph=True)[0]
        pressure += 1.0
        force_x *= 2.0
        self.assertEqual(torch.autograd.grad(pressure.sum() + force_x, force)[0], expected)

    def test_tensors_of_any_type_and_strides_are_tables_and_seeds(self):
        import torch
        distance = heights(rolling())
        run = solver(rolling(geometry={"type": "heights", "file": distance}))
        run.advance()
        expected = run.gradient({"pressure": distance})["undeformed_distance"]
        for tensor in (torch.tensor(distance), torch.tensor(distance.T.copy()).T, torch.tensor(distance[::-1].copy()).flip(0)):
            own = solver(rolling(geometry={"type": "heights", "file": tensor}))
            own.advance()
            np.testing.assert_array_equal(own.gradient({"pressure": tensor})["undeformed_distance"], expected)
        with self.assertRaisesRegex(sf.InputError, "seed: pressure: .*requires grad"):
            run.gradient({"pressure": torch.tensor(distance, requires_grad=True)})

    def test_fields_of_the_gpu_become_tensors_there(self):
        import torch
        from slipfield import torch as module
        distance, force, friction, creepage = (torch.tensor(value, requires_grad=True) for value in place())

        def found():
            pressure, approach = module.solve(case(distance, force, friction, creepage), ["pressure", "approach"], **OPTIONS)
            return [pressure, approach, *torch.autograd.grad((pressure**2).sum() + approach, [distance, force])]
        expected = found()
        with FieldsOnGpu() as fields, unittest.mock.patch.object(
                module, "_gpu_of", lambda value: differentiable.OnGpu(0, module._copier(value))):
            for one, other in zip(found(), expected):
                torch.testing.assert_close(one, other, rtol=0.0, atol=0.0)
        self.assertEqual(fields.taken, ["pressure"])

    def test_vmap_is_one_batch_forward_and_backward(self):
        import torch
        from slipfield.torch import solve
        forces, frictions, creepages = (torch.tensor(COLUMNS[name]) for name in
                                        ("normal.force", "friction.coefficient", "tangential.x.creepage"))

        def contact(force, friction, creepage):
            return torch.stack(solve(rolling_at(100.0 * force, friction, 1e-3 * creepage), ["force_x", "force_y"], **OPTIONS))
        values = (forces / 100.0, frictions, creepages / 1e-3)
        with no_single_solver():
            many = torch.func.vmap(contact)
            self.assertTrue(torch.autograd.gradcheck(lambda *given: many(*given) / 10.0,
                                                     [value.double().requires_grad_() for value in values],
                                                     eps=1e-5, atol=1e-4, rtol=1e-4, check_forward_ad=True))
        values = [value.double() for value in values]
        with no_single_solver():
            together = torch.func.vmap(torch.func.jacrev(contact, argnums=(0, 1, 2)))(*values)
            outside = torch.func.jacrev(lambda friction: many(values[0], friction, values[2]))(values[1])
            forwards = torch.func.vmap(torch.func.jacfwd(contact, argnums=1))(*values)
            one_friction = torch.func.vmap(contact, (0, None, 0))(values[0], values[1][0], values[2])
            nested = torch.func.vmap(lambda force: torch.func.vmap(lambda friction: contact(force, friction, values[2][0]))(
                values[1]))(values[0][:2])
        self.assertEqual(nested.shape, (2, 3, 2))
        for i in range(3):
            own = [value[i] for value in values]
            for found, one in zip(together, torch.func.jacrev(contact, argnums=(0, 1, 2))(*own)):
                torch.testing.assert_close(found[i], one, rtol=1e-10, atol=1e-10)
            torch.testing.assert_close(outside[i, :, i], together[1][i], rtol=1e-10, atol=1e-10)
            torch.testing.assert_close(forwards[i], together[1][i], rtol=1e-8, atol=1e-8)
            torch.testing.assert_close(one_friction[i], contact(own[0], values[1][0], own[2]), rtol=1e-10, atol=1e-10)
            torch.testing.assert_close(nested[1, i], contact(values[0][1], values[1][i], values[2][0]), rtol=1e-10, atol=1e-10)
        with self.assertRaisesRegex(Exception, "second derivatives|once_differentiable|differentiate twice"):
            torch.func.hessian(lambda force: contact(force, frictions[0], values[2][0])[0])(values[0][0])


@unittest.skipUnless(HAS_JAX, "the Python package jax is not installed")
class Jax(unittest.TestCase):
    def test_the_gradient_is_that_of_differences(self):
        import jax
        from slipfield.jax import solve
        jax.config.update("jax_enable_x64", True)
        distance, force, friction, _ = place()

        def scalar(creepage):
            return solve(case(distance, float(force), friction, creepage), ["force_x"], **OPTIONS)[0]
        found = float(jax.grad(scalar)(jax.numpy.asarray(8e-4)))
        step = 1e-9
        difference = (float(scalar(jax.numpy.asarray(8e-4 + step))) - float(scalar(jax.numpy.asarray(8e-4 - step)))) / (2 * step)
        self.assertAlmostEqual(found / difference, 1.0, delta=1e-4)
        with self.assertRaisesRegex(sf.InputError, "under jax.jit"):
            jax.jit(scalar)(jax.numpy.asarray(8e-4))

    def test_fields_of_the_gpu_become_arrays_there(self):
        import jax
        from slipfield import jax as module
        jax.config.update("jax_enable_x64", True)
        distance, force, friction, creepage = place()

        def found():
            def scalar(distance, force):
                pressure, approach = module.solve(case(distance, force, friction, float(creepage)), ["pressure", "approach"], **OPTIONS)
                return (pressure**2).sum() + approach
            return jax.value_and_grad(scalar, argnums=(0, 1))(jax.numpy.asarray(distance), jax.numpy.asarray(force))
        value, gradients = found()
        with FieldsOnGpu() as fields, unittest.mock.patch.object(
                module, "_gpu_of", lambda value: differentiable.OnGpu(0, module._copy_of)):
            again, others = found()
        self.assertEqual(fields.taken, ["pressure"])
        # JAX adds up the squares in another order there.
        for one, other in zip((value, *gradients), (again, *others)):
            np.testing.assert_allclose(one, other, rtol=1e-13)

    def test_vmap_is_one_batch_forward_and_backward(self):
        import jax
        from jax.test_util import check_grads
        from slipfield.jax import solve
        jax.config.update("jax_enable_x64", True)

        def contact(force, friction, creepage):
            return jax.numpy.stack(solve(rolling_at(100.0 * force, friction, 1e-3 * creepage), ["force_x", "force_y"], **OPTIONS))
        values = [jax.numpy.asarray(COLUMNS[name]) / size for name, size in
                  (("normal.force", 100.0), ("friction.coefficient", 1.0), ("tangential.x.creepage", 1e-3))]
        many = jax.vmap(contact)
        with no_single_solver():
            check_grads(lambda *given: many(*given) / 10.0, values, order=1, modes=["rev"], eps=1e-5, atol=1e-4, rtol=1e-4)
            together = jax.vmap(jax.jacrev(contact, argnums=(0, 1, 2)))(*values)
            outside = jax.jacrev(lambda friction: many(values[0], friction, values[2]))(values[1])
            one_friction = jax.vmap(contact, (0, None, 0))(values[0], values[1][0], values[2])
            nested = jax.vmap(lambda force: jax.vmap(lambda friction: contact(force, friction, values[2][0]))(values[1]))(
                values[0][:2])
        self.assertEqual(nested.shape, (2, 3, 2))
        for i in range(3):
            own = [value[i] for value in values]
            for found, one in zip(together, jax.jacrev(contact, argnums=(0, 1, 2))(*own)):
                np.testing.assert_allclose(found[i], one, rtol=1e-10, atol=1e-10)
            np.testing.assert_allclose(outside[i, :, i], together[1][i], rtol=1e-10, atol=1e-10)
            np.testing.assert_allclose(one_friction[i], contact(own[0], values[1][0], own[2]), rtol=1e-10, atol=1e-10)
            np.testing.assert_allclose(nested[1, i], contact(values[0][1], values[1][i], values[2][0]), rtol=1e-10, atol=1e-10)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
