# SPDX-License-Identifier: Apache-2.0
"""Distributions of fields over the area, and the contact's stiffness, against Hertz's closed forms."""
import unittest

from python_support import STEEL, frictionless, machine, np, rolling, sf, solve

MODULUS = STEEL["young_modulus"] / (2 * (1 - STEEL["poisson_ratio"]**2))  # E* of two like bodies
RADIUS = 10.0


class Distributions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = solve({**frictionless(81), "output": {"sensitivities": True}})

    def test_hertz_pressure_is_above_p_on_a_smaller_circle(self):
        found = self.result.distribution("pressure", bins=20)
        force, grid = self.result.normal_force, self.result.grid
        radius = (3 * force * RADIUS / (4 * MODULUS))**(1 / 3)
        greatest = 3 * force / (2 * np.pi * radius**2)
        whole = grid.dx * grid.dy * self.result.pressure.size
        expected = np.pi * radius**2 / whole * (1 - np.minimum(found.edges / greatest, 1.0)**2)
        np.testing.assert_allclose(found.above, expected, atol=8 * radius * grid.dx / whole)  # the rim is an element wide
        self.assertEqual(found.edges[0], 0.0)
        self.assertAlmostEqual(found.share.sum(), np.mean(self.result.pressure > 0))
        self.assertAlmostEqual(np.sum(found.density * np.diff(found.edges)), found.area)
        self.assertAlmostEqual(found.mean * found.area * whole / force, 1.0, places=10)

    def test_the_gap_is_counted_out_of_contact_or_everywhere(self):
        gap = self.result.distribution("gap", bins=7)
        self.assertAlmostEqual(gap.area + self.result.distribution("pressure").area, 1.0)
        everywhere = self.result.distribution("gap", where="all")
        self.assertAlmostEqual(everywhere.mean, self.result.gap.mean())
        self.assertAlmostEqual(everywhere.above[0], 1.0)
        self.assertIn("gap, out of contact", repr(gap))
        self.assertEqual(len(repr(self.result.distribution("pressure", bins=200)).splitlines()), 22)
        if machine.module("pandas"):
            np.testing.assert_array_equal(gap.to_pandas()["share"], gap.share)

    def test_the_stiffness_of_hertz_is_twice_the_modulus_times_the_radius(self):
        radius = (3 * self.result.normal_force * RADIUS / (4 * MODULUS))**(1 / 3)
        self.assertAlmostEqual(self.result.stiffness / (2 * MODULUS * radius), 1.0, delta=0.02)  # the radius to half an element of 31

    def test_what_is_wrong_is_a_sentence(self):
        plain, worn = solve(rolling()), solve(rolling(wear={"law": "archard", "coefficient": 1e-4, "hardness": 3000}))
        for call, says in ((lambda: plain.stiffness, "accepted: a case with output: {sensitivities: true}"),
                           (lambda: plain.distribution("gap", where="rim"), "accepted: contact, gap, all"),
                           (lambda: worn.distribution("wear_profile"), "has one number for each row of elements, not for each element; accepted: "),
                           (lambda: plain.distribution("gap", bins=0), "accepted: a whole number from 1"),
                           (lambda: plain.distribution("gapp"), "did you mean 'gap'")):
            with self.assertRaises(sf.InputError) as caught:
                call()
            self.assertIn(says, str(caught.exception))


if __name__ == "__main__":
    machine.run_tests()
