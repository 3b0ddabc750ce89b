# SPDX-License-Identifier: Apache-2.0
"""A case of every kind in Python and in C: the numbers of a step in memory are those of its file."""
import ctypes
import os
import unittest

from python_support import BACKEND, folder, machine, np, sf, solve

from kinds import KINDS  # of ../program, where python_support has looked already

PROGRAM = os.environ.get("SLIPFIELD_PROGRAM", "")
LIBRARY = os.path.join(os.path.dirname(PROGRAM), "app", "library", "libslipfield.so")
# Left out of a file where they are 0, or how a step was run.
NOT_STORED = {"elements_plastic", "elements_yielding", "adhesive_force", "shear_strength", "first_order_rows"}


def numbers(totals):
    return {name: float(value) for name, value in totals.items() if value == value and not (name in NOT_STORED and value == 0)}


def in_c(text, names):
    """The totals of the last step of a case, NaN where there is none."""
    library = ctypes.CDLL(LIBRARY)
    solver, values = ctypes.c_void_p(), (ctypes.c_double * len(names))()
    text = text.encode()
    library.slipfield_error_message.restype = ctypes.c_char_p
    library.slipfield_solver_create_from_text.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
    library.slipfield_solver_destroy.argtypes = [ctypes.c_void_p]
    library.slipfield_advance.argtypes = [ctypes.c_void_p]
    library.slipfield_get_totals.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t]

    def done(status):
        if status != 0:
            raise AssertionError(library.slipfield_error_message())

    done(library.slipfield_solver_create_from_text(text, len(text), None, ctypes.byref(solver)))
    try:
        done(library.slipfield_advance(solver))
        done(library.slipfield_get_totals(solver, 0, 0, ",".join(names).encode(), values, len(names)))
    finally:
        library.slipfield_solver_destroy(solver)
    return dict(zip(names, values))


class Kinds(unittest.TestCase):
    maxDiff = None

    def check_kind(self, text):
        result = solve(text)
        of_step = numbers(result.totals)
        with folder() as here:
            result.save(here / "out.h5")
            with sf.open(here / "out.h5") as file:
                self.assertEqual(numbers(file.step(result.number).totals), of_step)
            import h5py
            with h5py.File(here / "out.h5") as file:
                attributes = file[f"steps/{result.number:04d}"].attrs
                in_file = {name: attributes[name] for name in of_step if name in attributes}
                inside = {name for name in of_step if name.startswith(("max_von_mises", "max_tresca"))}
                self.assertEqual({name: value for name, value in of_step.items() if name not in inside}, in_file)
                self.assertEqual({name for name in ("force_ratio_x", "t_gamma", "shear_strength") if name in attributes},
                                 {name for name in ("force_ratio_x", "t_gamma", "shear_strength") if name in of_step})

    @unittest.skipUnless(os.path.exists(LIBRARY) and BACKEND == "cpu", "the C library is not next to the program")
    def test_c_has_the_ratios_and_t_gamma_that_python_has(self):
        names = ["force_x", "force_ratio_x", "force_ratio_y", "t_gamma", "t_gamma_spin", "max_pressure"]
        ratios, work = {"force_ratio_x", "force_ratio_y"}, {"t_gamma", "t_gamma_spin"}
        for kind, missing in (("steady rolling", set()), ("extra slip", work), ("half of the spin's slip", work),
                              ("shear strength", ratios | work), ("shear strength alone", ratios | work), ("no friction", ratios | work),
                              ("adhesion", work), ("transient rolling", work)):
            with self.subTest(kind):
                text = KINDS[kind].replace("steps: [{repeat: 2}]\n", "")
                python = solve(text).totals
                self.assertEqual({name for name in names if name not in python}, missing)
                expected = [python.get(name, float("nan")) for name in names]
                np.testing.assert_array_equal(list(in_c(text, names).values()), expected)


for _kind, _text in KINDS.items():
    setattr(Kinds, "test_memory_and_file_have_the_same_numbers: " + _kind, machine.needs("h5py")(lambda self, text=_text: self.check_kind(text)))

if __name__ == "__main__":
    machine.run_tests()
