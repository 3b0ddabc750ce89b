# SPDX-License-Identifier: Apache-2.0
"""--overwrite replaces a command's own kind of file, and nothing else: what else may stand under the
name stays, byte for byte."""
import os
import unittest

import machine
import warm_python
from program import DATA, CASE, call, case_folder, errors_of, run_case, write

INPUT = os.path.join(DATA, "contact", "spin.inp")
HEIGHTS = CASE.replace("{type: quadratic, xx: 0.01, yy: 0.01}", "{type: heights, file: bumps.h5}")
PROFILE = CASE.replace("{type: quadratic, xx: 0.01, yy: 0.01}",
                       "{type: profile, file: bumps.h5, curvature_x: 0.02}")
FRICTION = CASE.replace("coefficient: 0.4", "coefficient: {file: bumps.h5}")
SWEEP = HEIGHTS[:HEIGHTS.index("steps:")].replace("bumps.h5", "bumps-1.h5") + (
    "sweep:\n  - {key: geometry.file, values: [bumps-1.h5, bumps.h5]}\n")


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def bumps(path="bumps.h5", columns=13):
    """A text file of heights: what it holds is recognised by its contents, not by its name."""
    row = (" ".join(f"{0.01 * (i - 6)**2 + 0.1:g}" for i in range(columns)) if columns == 13
           else "{y:g} 0.1")
    write(path, "".join(row.format(y=j - 5) + "\n" for j in range(11)))


class Overwrite(unittest.TestCase):
    def refused(self, *arguments, keeps, says):
        before = contents(keeps)
        done = call(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(len(errors_of(done)), 1, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(contents(keeps), before)

    def run_refused(self, output, says="the command reads this file", keeps=None):
        for flag in ("--overwrite", "--resume"):
            self.refused("run", "case.yaml", "--backend", "cpu", "-q", "-o", output, flag,
                         keeps=keeps or output, says=says)

    @machine.needs("links")
    def test_a_run_never_replaces_its_case(self):
        with case_folder():
            self.run_refused("case.yaml")
            os.symlink("case.yaml", "link.h5")
            os.link("case.yaml", "hard.h5")
            self.run_refused("link.h5")
            self.run_refused("hard.h5")
            self.assertTrue(os.path.islink("link.h5"))

    @machine.needs("links")
    def test_a_run_never_replaces_a_file_that_its_case_names(self):
        for case, columns in ((HEIGHTS, 13), (PROFILE, 2), (FRICTION, 13)):
            with case_folder(case):
                bumps(columns=columns)
                os.link("bumps.h5", "hard.h5")
                os.symlink("bumps.h5", "link.hdf5")
                for name in ("bumps.h5", "hard.h5", "link.hdf5"):
                    self.run_refused(name)

    def test_a_sweep_never_replaces_a_file_of_any_of_its_points(self):
        with case_folder(SWEEP):
            bumps("bumps-1.h5")
            bumps("bumps.h5")
            self.run_refused("bumps.h5")
            self.refused("run", "case.yaml", "--point", "1", "-o", "bumps.h5", "--overwrite",
                         keeps="bumps.h5", says="the command reads this file")

    def test_a_result_of_before_that_the_case_reads_is_an_input_too(self):
        with case_folder():
            run_case("-q", "-o", "first.h5")
            write("case.yaml", CASE.replace(
                "{type: quadratic, xx: 0.01, yy: 0.01}",
                "{type: heights, file: first.h5, dataset: /steps/0001/undeformed_distance}"))
            self.run_refused("first.h5")

    def test_a_run_replaces_results_and_sweeps_only(self):
        with case_folder():
            write("notes.h5", "my notes\n")
            self.run_refused("notes.h5", says="the file is not a slipfield result")
            self.assertEqual(call("run", "case.yaml", "-q", "-o", "case.H5").returncode, 0)
            write("notes.txt", "my notes\n")
            self.run_refused("notes.txt", says="accepted: names that end in .h5 or .hdf5")
            run_case("-q", "-o", "out.h5")
            run_case("-q", "-o", "out.h5", "--overwrite")
            with open("out.h5", "r+b") as file:  # damaged: it may be anything
                file.write(b"\x89HDF\r\n\x1a\n" + b"x" * 90)
            self.run_refused("out.h5", says="out.h5: ")
            write("empty.h5", "")  # as mktemp makes it
            run_case("-q", "-o", "empty.h5", "--overwrite")
            self.assertGreater(os.path.getsize("empty.h5"), 1000)

    def test_the_folder_of_checkpoints_keeps_files_that_are_not_its_own(self):
        with case_folder():
            os.mkdir("case.h5.checkpoint")
            mine = "case.h5.checkpoint/state-0001.h5"
            write(mine, "mine\n")
            run_case("-q", "--overwrite")
            self.assertEqual(contents(mine), b"mine\n")
            write("case.h5.checkpoint/unfinished.h5", "mine\n")
            self.refused("run", "case.yaml", "-q", "--overwrite",
                         keeps="case.h5.checkpoint/unfinished.h5", says="unfinished.h5: the file")

    def test_convert_replaces_cases_only_and_never_its_input(self):
        with case_folder():
            write("notes.yaml", "shopping: [milk]\n")
            self.refused("convert", INPUT, "--cases", "1", "-o", "notes.yaml", "--overwrite",
                         keeps="notes.yaml", says="the file is not a case file of slipfield")
            write("mine.inp", contents(INPUT).decode())
            os.symlink("mine.inp", "link.yaml")
            for name, says in (("mine.inp", "names an input file of CONTACT"),
                               ("link.yaml", "the command reads this file")):
                self.refused("convert", "mine.inp", "--cases", "1", "-o", name, "--overwrite",
                             keeps=name, says=says)
            for _ in range(2):
                done = call("convert", INPUT, "--cases", "1", "-o", "case.yaml", "--overwrite")
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(b"# Converted from", contents("case.yaml"))

    def test_a_figure_replaces_figures_only(self):
        with case_folder():
            run_case("-q", "-o", "out.h5")
            write("notes.png", "my notes\n")
            os.symlink("out.h5", "link.png")
            self.refused("plot", "out.h5", "-o", "notes.png", "--overwrite", keeps="notes.png",
                         says="the file is not a figure")
            self.refused("plot", "out.h5", "-o", "link.png", "--overwrite", keeps="out.h5",
                         says="the command reads this file")
            machine.require(self, "figures")
            for figure in ("fig.png", "fig.svg"):
                for flags in ([], ["--overwrite"]):
                    done = call("plot", "out.h5", "-o", figure, *flags, env=warm_python.environment())
                    self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    machine.run_tests(verbosity=2)
