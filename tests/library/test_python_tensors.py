# SPDX-License-Identifier: Apache-2.0
"""A case as a function with derivatives: by NumPy alone, in PyTorch and in JAX where these are installed."""
import importlib
import importlib.util
import sys
import unittest

from python_support import BACKEND, heights, machine, np, rolling, sf

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


class Functions(unittest.TestCase):
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
