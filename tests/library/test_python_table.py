# SPDX-License-Identifier: Apache-2.0
"""Creep forces from a table, in Python."""
import os
import subprocess
import unittest
import warnings

from python_support import folder, machine, np, sf

# The program in the build tree, where the package is as well.
PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(sf.__file__)))), "slipfield")
if not os.access(PROGRAM, os.X_OK):
    machine.skip("the program is not where the package is")


def small_table(path):
    subprocess.run([PROGRAM, "table", "make", "-o", path, "--ratios", "1", "--knots", "8,12,8",
                    "--elements", "8", "--checks", "20", "--backend", "cpu"],
                   check=True, capture_output=True)
    return sf.CreepTable(path)


class Table(unittest.TestCase):
    def test_arrays_broadcast_and_units_scale(self):
        with folder() as here:
            table = small_table(str(here / "t.h5"))
            self.assertGreater(table.info["greatest_force_error"], 0.0)
            creepages = np.linspace(-2.0, 2.0, 9)
            forces, slopes = table.forces(1.0, creepages[:, None], creepages[None, :], 0.1)
            self.assertEqual((forces.shape, slopes.shape), ((9, 9, 3), (9, 9, 3, 3)))
            self.assertLessEqual(np.hypot(forces[..., 0], forces[..., 1]).max(), 1.0 + 1e-12)
            # Symmetry of the ellipse; coefficients in single precision.
            np.testing.assert_allclose(forces[::-1, :, 0], -forces[..., 0], atol=1e-6)
            alone, _ = table.forces(1.0, creepages[3], creepages[5], 0.1)
            np.testing.assert_array_equal(alone, forces[3, 5])
            # G c^2/(mu F_n) = 2, c = 3.
            units, by = table.contact(3.0, 3.0, 200.0, 0.5, 1800.0, creepages / 2.0, 0.1,
                                      0.1 / 6.0)
            pure, by_pure = table.forces(1.0, creepages, 0.2, 0.1)
            np.testing.assert_allclose(units, pure * [900.0, 900.0, 2700.0], atol=1e-9)
            np.testing.assert_allclose(by[:, 2, 2], by_pure[:, 2, 2] * 2700.0 * 6.0)

    def test_a_contact_without_a_force_has_none_and_a_wrong_one_is_named(self):
        with folder() as here:
            table = small_table(str(here / "t.h5"))
            some = {"a": 3.0, "b": 3.0, "shear_modulus": 200.0, "friction": 0.5, "creepage_x": 0.01}
            loaded, slope = table.contact(normal_force=1800.0, **some)
            forces, slopes = table.contact(normal_force=[1800.0, 0.0], **some)
            np.testing.assert_array_equal(forces, [loaded, [0.0, 0.0, 0.0]])
            np.testing.assert_array_equal(slopes, [slope, np.zeros((3, 3))])
            np.testing.assert_array_equal(table.contact(normal_force=0.0, **{**some, "a": 0.0, "b": 0.0})[0], 0.0)
            np.testing.assert_array_equal(table.contact(normal_force=1800.0, **{**some, "friction": 0.0})[0], 0.0)
            for changes, sentence in (({"normal_force": [[1.0, 2.0], [3.0, -4.0]]}, r"^normal_force\[1\]\[1\]: -4 is no normal_force of a contact"),
                                      ({"normal_force": [1.0, float("nan")]}, r"^normal_force\[1\]: nan is"), ({"a": [1.0, 0.0]}, r"^a\[1\]: 0 is"),
                                      ({"friction": -0.1}, r"^friction: -0.1 is"), ({"shear_modulus": float("inf")}, "^shear_modulus: inf is"),
                                      ({"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]}, "the shapes do not go together")):
                with self.assertRaisesRegex(sf.InputError, sentence):
                    table.contact(**{**some, "normal_force": 1800.0, **changes})

    def test_what_is_wrong_is_an_exception_with_a_sentence(self):
        with folder() as here:
            table = small_table(str(here / "t.h5"))
            with self.assertRaisesRegex(sf.InputError, "row 1 has no force"):
                table.forces(1.0, [0.1, float("nan")])
            with self.assertRaisesRegex(sf.InputError, "the shapes do not go together"):
                table.forces(1.0, [0.1, 0.2], [0.1, 0.2, 0.3])
            with self.assertRaisesRegex(sf.InputError, "there is no such file"):
                sf.CreepTable(str(here / "missing.h5"))
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                table.forces(3.0, 0.1)
                table.contact(3.0, 1.0, 200.0, 0.5, 1800.0, 0.01)
            self.assertEqual(len(caught), 2)
            for warning in caught:
                self.assertIn("outside the table's 1 to 1", str(warning.message))
                self.assertEqual(warning.filename, __file__)  # not the package's line


if __name__ == "__main__":
    machine.run_tests(verbosity=2)
