# SPDX-License-Identifier: Apache-2.0
"""Runs the cells of a notebook in this process and shows what a notebook shows. For the tests, and for the pages of .ci/site.

A kernel would need jupyter's packages, a port and a second Python, and its errors say little about the cells. What it would
add, the display of figures by the inline backend, has tests of its own (test_python_notebook.py).
"""
import ast
import contextlib
import io
import json
import os
from dataclasses import dataclass, field
from typing import List


@dataclass
class Cell:
    """A cell and what it leaves: printed text, its value as HTML or text, its figures as PNG."""
    kind: str
    source: str
    printed: str = ""
    html: str = ""
    text: str = ""
    figures: List[bytes] = field(default_factory=list)


def cells_of(path):
    """The cells as they are stored."""
    with open(path, encoding="utf-8") as file:
        return [Cell(cell["cell_type"], "".join(cell["source"])) for cell in json.load(file)["cells"]]


def run_cells(path):
    """The cells, run in the folder of the notebook; and the names that they leave."""
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
    pyplot.switch_backend("Agg")
    names, cells, before = {"__name__": "__main__"}, cells_of(path), os.getcwd()
    os.chdir(os.path.dirname(os.path.abspath(path)))
    try:
        for cell in cells:
            if cell.kind == "code":
                _run(cell, names, pyplot)
    finally:
        os.chdir(before)
        pyplot.close("all")
    return cells, names


def _run(cell, names, pyplot):
    tree = ast.parse(cell.source)
    last = tree.body[-1] if isinstance(tree.body[-1], ast.Expr) and not cell.source.rstrip().endswith(";") else None
    if last is not None:
        tree.body.pop()
    value, printed = None, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)  # pylint: disable=exec-used
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # pylint: disable=eval-used
    cell.printed = printed.getvalue()
    if value is not None:
        cell.html = value._repr_html_() if hasattr(value, "_repr_html_") else ""
        cell.text = repr(value)
    for number in pyplot.get_fignums():
        data = io.BytesIO()
        pyplot.figure(number).savefig(data, format="png", dpi=100)
        cell.figures.append(data.getvalue())
    pyplot.close("all")
