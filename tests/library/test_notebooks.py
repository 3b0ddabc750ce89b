# SPDX-License-Identifier: Apache-2.0
"""The notebooks of cases/notebooks run, and are stored without outputs. It takes 5 s."""
import json
import sys
import unittest
import warnings
from pathlib import Path

from python_support import machine
from notebook_cells import run_cells

CASES = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "cases").resolve()
NOTEBOOKS = sorted((CASES / "notebooks").glob("*.ipynb"))
machine.script_needs("matplotlib.pyplot")


class Notebooks(unittest.TestCase):
    def test_there_are_three(self):
        self.assertEqual([path.name[0] for path in NOTEBOOKS], ["1", "2", "3"])

    def test_they_are_notebooks_without_outputs(self):
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                book = json.loads(path.read_text(encoding="utf-8"))
                self.assertEqual((book["nbformat"], book["nbformat_minor"]), (4, 5))
                identities = [cell["id"] for cell in book["cells"]]
                self.assertEqual(len(set(identities)), len(identities))
                for cell in book["cells"]:
                    self.assertIn(cell["cell_type"], ("code", "markdown"))
                    if cell["cell_type"] == "code":
                        self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), cell["id"])
                nbformat = machine.module("nbformat")
                if nbformat:
                    nbformat.validate(nbformat.from_dict(book))

    def test_they_run_and_draw(self):
        for path in NOTEBOOKS:
            with self.subTest(path.name), warnings.catch_warnings():
                warnings.simplefilter("error")  # a reader would see those of the package
                warnings.filterwarnings("default", category=DeprecationWarning)
                cells, names = run_cells(path)
                drawn = [len(cell.figures) for cell in cells]
                self.assertGreaterEqual(sum(drawn), 2)
                self.assertLessEqual(max(drawn), 1)  # no figure is left for a later cell
                self.check(path.name[0], names, "".join(cell.printed for cell in cells), "".join(cell.html for cell in cells))

    def check(self, notebook, names, printed, shown):
        """The numbers that the text promises."""
        if notebook == "1":
            self.assertAlmostEqual(names["result"].max_pressure / names["hertz"]["max_pressure"], 1.0, delta=2e-3)
            self.assertGreater(names["flat"].max_pressure, names["result"].max_pressure)
            self.assertIn("<td>pressure</td>", shown)
        if notebook == "2":
            self.assertTrue(names["table"].converged.all())
            self.assertEqual(list(names["step"].sides), ["left", "right"])
            self.assertIn("y = 3 mm: 0.994 mm, conicity 0.166", printed)  # the rail inclined once; twice: below .1
            self.assertIn("<td>rolling_radius</td>", shown)
        if notebook == "3":
            np = names["np"]
            self.assertTrue((np.diff(names["touching"]) > 0.0).all() and (np.diff(names["gaps"]) < 0.0).all())
            self.assertTrue(1.0 < float(printed.split("kappa = ")[1].split()[0]) < 5.0)
            spots, steps = names["spots"], names["steps"]
            self.assertEqual((spots[0].open_along_x, spots[-1].open_along_x), (1.0, 0.0))
            self.assertTrue(all(one.contact_area_corrected < one.contact_area for one in spots))
            self.assertLessEqual(steps[0].max_pressure, 2000.0 * (1.0 + 1e-6))
            self.assertGreater(names["spots"][3].max_pressure, 2000.0)  # what yielding takes away
            deepest = [one.permanent_deformation.max() for one in steps]
            self.assertGreater(deepest[0], 0.0)
            self.assertAlmostEqual(deepest[2] / deepest[0], 1.0, delta=1e-4)
            self.assertAlmostEqual(steps[2].contact_area, steps[0].contact_area, delta=1e-3 * steps[0].contact_area)


if __name__ == "__main__":
    machine.run_tests()
