# SPDX-License-Identifier: Apache-2.0
"""The documents' links lead somewhere, and .ci/site makes a site of them."""
import importlib.machinery
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import machine

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATH = os.path.join(ROOT, ".ci", "site")


def site_maker():
    if not os.path.exists(PATH):  # a copy of the sources without it
        machine.skip(".ci/site is not here")
    loader = importlib.machinery.SourceFileLoader("site_maker", PATH)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("site_maker", loader))
    loader.exec_module(module)
    return module


SITE = site_maker()


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout


def in_git():
    try:
        return bool(git("ls-files", "README.md"))
    except (OSError, subprocess.CalledProcessError):
        return False


class Links(unittest.TestCase):
    def test_links_are_found_in_prose_only(self):
        text = "a [b](c.md) and ![d](e.png#f)\n[`g` h](i/)\n`[no](x.md)`\n```\n[no](y.md)\n```\n[no](https://z)\n[j](#k)"
        self.assertEqual(list(SITE.links(text)), [(1, "c.md"), (1, "e.png#f"), (2, "i/"), (8, "#k")])

    def test_headings_have_the_names_that_github_gives_them(self):
        text = "# A `b`: C, d\n## 5.8 Second order\n```\n# no\n```\n## T-gamma\n## T-gamma\n"
        self.assertEqual(SITE.anchors(text), {"a-b-c-d", "58-second-order", "t-gamma", "t-gamma-1"})

    def test_a_notebook_is_read_as_a_page(self):
        book = {"cells": [{"cell_type": "markdown", "source": ["# A\n", "[b](c.md)"]}, {"cell_type": "code", "source": ["x = 1"]}]}
        text = SITE.notebook_text(json.dumps(book))
        self.assertEqual(text, "# A\n[b](c.md)\n\n```python\nx = 1\n```\n")
        self.assertEqual(list(SITE.links(text)), [(2, "c.md")])
        self.assertEqual((SITE.page_of("a/b.ipynb"), SITE.page_of("a/b.md")), ("a/b.md", "a/b.md"))

    def test_sections_of_a_docstring_become_lists(self):
        text = "Does it.\n\nParameters\n----------\na, b: two,\n    of one kind.\nc: x: y\n\nNote: no entry."
        self.assertEqual(SITE.docstring_page(text).split("\n"), [
            "Does it.", "", "", "**Parameters**", "", "- `a, b`: two,", "    of one kind.", "- `c`: x: y", "", "Note: no entry."])

    def test_the_page_of_python_has_the_names_of_the_package_each_from_its_own_module(self):
        page = SITE.python_page("Python", "app/python/slipfield")
        self.assertIn("\n### Contact\n\n```python\nclass Contact(Result)\n", page)  # not that of slipfield.figures
        kinds = re.findall(r"^##? (.*)", page, re.M)
        self.assertEqual(kinds, ["Python", "Functions", "Classes", "Errors"])
        self.assertIn("### solve\n", page.split("## Classes")[0])
        self.assertIn("### Error\n", page.split("## Errors")[1])
        empty = re.findall(r"^### (\w+)\n\n```python\n[^`]*```\s*(?=###|\Z)", page, re.M)
        self.assertEqual(empty, [], "without a docstring")

    @unittest.skipUnless(in_git(), "git does not know this checkout")
    def test_every_link_of_the_documents_leads_to_a_file_and_a_heading(self):
        self.assertEqual(list(SITE.dead_links(SITE.documents())), [])

    @unittest.skipUnless(in_git(), "git does not know this checkout")
    def test_a_dead_link_is_named_with_its_place(self):
        read = SITE.read
        SITE.read = lambda path: "x\n[a](gone.md)\n[b](README.md#no-such)\n" if path == "NEW.md" else read(path)
        try:
            faults = list(SITE.dead_links(["NEW.md"]))
        finally:
            SITE.read = read
        self.assertEqual(faults, ["NEW.md:2: gone.md is not in the repository",
                                  "NEW.md:3: README.md#no-such: README.md has no such heading"])


@machine.needs("material")
@unittest.skipUnless(in_git(), "git does not know this checkout")
class Site(unittest.TestCase):
    def test_the_site_is_made_outside_the_checkout(self):
        before = git("status", "--porcelain")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, PATH, folder], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, "no dead links\n"), done.stderr)
            for page, text in (("api/c.html", "slipfield_advance"), ("api/cpp.html", "ContactSolver"),
                               ("api/python.html", "Solver.advance"), ("cases/notebooks/2_wheel_on_rail.html", "rolling_radius_difference"), ("cases/GALLERY.html", "steady_spin.png"),
                               ("solver/THEORY.html", "58-second-order")):
                with open(os.path.join(folder, page), encoding="utf-8") as file:
                    self.assertIn(text, file.read(), page)
            with open(os.path.join(folder, "search", "search_index.json"), encoding="utf-8") as file:
                found = json.load(file)["docs"]
            self.assertTrue(any("Panagiotopoulos" in page["text"] for page in found))
        self.assertEqual(git("status", "--porcelain"), before)


if __name__ == "__main__":
    machine.run_tests()
