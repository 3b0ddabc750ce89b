# SPDX-License-Identifier: Apache-2.0
"""The notebooks of cases/notebooks run, and are stored without outputs.

Their cells run in this process, one behind the other, and the value of a cell is shown as a notebook would show it. A kernel
would need jupyter's packages, a port and a second Python, and its errors say nothing about the cells; what it would add, the
display of figures, is tested in test_python_notebook.py. It takes 4 s.
"""
import ast
import contextlib
import io
import json
import os
import sys
import unittest
import warnings
from pathlib import Path

from python_support import machine

CASES = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "cases").resolve()
NOTEBOOKS = sorted((CASES / "notebooks").glob("*.ipynb"))
machine.script_needs("matplotlib.pyplot")


def run_cell(source, names):
    """Runs a cell and returns what a notebook shows of its value: HTML, text, or nothing."""
    tree = ast.parse(source)
    last = tree.body[-1] if isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";") else None
    if last is not None:
        tree.body.pop()
    exec(compile(tree, "cell", "exec"), names)  # pylint: disable=exec-used
    value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # pylint: disable=eval-used
    return "" if value is None else value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)


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
        pyplot = machine.module("matplotlib.pyplot")
        pyplot.switch_backend("Agg")
        before = os.getcwd()
        for path in NOTEBOOKS:
            with self.subTest(path.name), warnings.catch_warnings():
                warnings.simplefilter("error")  # of the package, which a reader would see
                warnings.filterwarnings("default", category=DeprecationWarning)
                os.chdir(path.parent)  # as a notebook's kernel does
                self.addCleanup(os.chdir, before)
                names, printed, shown = {"__name__": "__main__"}, io.StringIO(), []
                for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
                    if cell["cell_type"] == "code":
                        with contextlib.redirect_stdout(printed):
                            shown.append(run_cell("".join(cell["source"]), names))
                self.assertGreaterEqual(len(pyplot.get_fignums()), 2)
                for number in pyplot.get_fignums():
                    pyplot.figure(number).canvas.draw()
                pyplot.close("all")
                self.check(path.name[0], names, printed.getvalue(), shown)

    def check(self, notebook, names, printed, shown):
        """The numbers that the text promises."""
        if notebook == "1":
            self.assertAlmostEqual(names["result"].max_pressure / names["hertz"]["max_pressure"], 1.0, delta=2e-3)
            self.assertGreater(names["flat"].max_pressure, names["result"].max_pressure)
            self.assertIn("<td>pressure</td>", shown[-1])
        if notebook == "2":
            self.assertTrue(names["table"].converged.all())
            self.assertEqual({side.name for side in names["step"].sides.values()}, {"left", "right"})
            self.assertIn("conicity 0.0", printed)
            self.assertIn("rolling_radius", "".join(shown))
        if notebook == "3":
            np = names["np"]
            self.assertTrue((np.diff(names["touching"]) > 0.0).all() and (np.diff(names["gaps"]) < 0.0).all())
            self.assertTrue(1.0 < float(printed.split("kappa = ")[1].split()[0]) < 5.0)


if __name__ == "__main__":
    machine.run_tests()
