# SPDX-License-Identifier: Apache-2.0
"""The example of cases/figures: figures of a result by h5py and matplotlib alone. It takes 7 s: eight times Python loads
matplotlib, which first looks for fonts."""
import os
import struct
import subprocess
import sys
import tempfile
import unittest

import machine
from program import CASE, case_folder, run_case

EXAMPLE = os.path.join(os.path.abspath(sys.argv[2]), "figures", "plot_result.py")

machine.script_needs("h5py", "matplotlib.pyplot")

FONTS = tempfile.TemporaryDirectory()  # where matplotlib remembers them, instead of at home

FRICTIONLESS = CASE.replace("problem: shift, x: {force_ratio: -0.5}, y: {shift: 0.0}",
                            "problem: none").split("steps:")[0]
NO_CONTACT = FRICTIONLESS.replace("normal: {force: 9.1954}", "normal: {approach: -0.01}")
ONE_ROW = (CASE.replace("[13, 11]", "[40, 1]").replace("[0.2, 0.25]", "[0.05, 100.0]")
           .replace("origin: [-1.2, -1.4]", "origin: [-1.0, -50.0]")
           .replace("yy: 0.01", "yy: 0.0").replace("force: 9.1954", "approach: 0.005"))
ONE_COLUMN = (CASE.replace("[13, 11]", "[1, 40]").replace("[0.2, 0.25]", "[100.0, 0.05]")
              .replace("origin: [-1.2, -1.4]", "origin: [-50.0, -1.0]")
              .replace("xx: 0.01", "xx: 0.0").replace("force: 9.1954", "approach: 0.005"))


def python(*arguments):
    return subprocess.run([sys.executable, "-B", *arguments], capture_output=True, text=True, timeout=300,
                          check=False, env={**os.environ, "MPLCONFIGDIR": FONTS.name})


# What the packages say themselves, of each other's versions or of fonts that they look for once.
PRINTED = python("-c", "import h5py, matplotlib; matplotlib.use('Agg'); import matplotlib.pyplot"
                 ).stderr.splitlines()


def draw(*arguments):
    """A warning about the example's own code is an error; what its packages warn of each other is theirs."""
    done = python("-W", "error:::__main__", EXAMPLE, *arguments)
    done.stderr = "".join(line + "\n" for line in done.stderr.splitlines() if line not in PRINTED)
    return done


def png_size(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR" and b"IEND" in data[-12:]
    return struct.unpack(">II", data[16:24])


class Example(unittest.TestCase):
    def drawn(self, case, *step):
        with case_folder(case):
            run_case("-o", "out.h5")
            done = draw("out.h5", "fig.png", *step)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout + done.stderr, "")
            return png_size("fig.png")

    def test_it_draws_what_the_result_holds(self):
        self.assertEqual(self.drawn(CASE), (1440, 960))  # maps above, cuts below
        self.assertEqual(self.drawn(CASE, "1"), (1440, 960))
        self.assertEqual(self.drawn(FRICTIONLESS), (1440, 960))
        self.assertEqual(self.drawn(NO_CONTACT), (1440, 960))
        self.assertEqual(self.drawn(ONE_ROW), (1440, 480))  # a cut alone
        self.assertEqual(self.drawn(ONE_COLUMN), (1440, 480))

    def test_without_arguments_it_explains_itself(self):
        with case_folder():
            done = draw()
            self.assertEqual(done.returncode, 1)
            self.assertIn("python3 plot_result.py RESULT.h5 FIGURE.png [STEP]", done.stderr)


if __name__ == "__main__":
    machine.run_tests()
