# SPDX-License-Identifier: Apache-2.0
"""Case files that are made to exhaust the reader: each is refused with a few lines, in 1 GB and
seconds. (Their sentences are tested in test_case_yaml.cpp and test_case_messages.cpp.)

It takes 5 s: 2 of them two texts with some 35,000 wrong keys, each compared with all that there are. Time and memory
have to grow as the text does, which shorter ones would not show."""
import os
import unittest

import machine
from program import CASE, call, case_folder, memory_limit, rounds

SHAPE = "{type: quadratic, xx: 0.01, yy: 0.01}"
MOST_LINES = 400


def list_of(items):
    return "[" + ",".join(items) + "]"


REFUSED = {
    "brackets": "[" * rounds(2_000_000),
    "braces after questions": "a: [" + "? {" * rounds(150_000),
    "levels by indentation": "".join(" " * i + "a:\n" for i in range(2000)),
    "levels by dashes": "- " * rounds(100_000) + "\n",
    "aliases of aliases": "a0: &a0 [1, 1]\n" + "".join(
        f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}, *a{i - 1}, *a{i - 1}]\n" for i in range(1, 30)),
    "anchors": CASE + "".join(f"k{i}: &a{i} [1]\n" for i in range(rounds(30_000))),
    "unknown keys": CASE + "".join(f"k{i}: 1\n" for i in range(rounds(40_000))),
    "one key again and again": CASE + "title: a\n" * rounds(100_000),
    "a list for a pair": CASE.replace("[13, 11]", list_of(["1"] * rounds(600_000))),
    "wrong numbers": CASE.replace(SHAPE, "{type: profile, y: %s, z: %s}" % (
        list_of(["x"] * rounds(50_000)), list_of([".nan"] * rounds(50_000)))),
    "a long number": CASE.replace("9.1954", "9" * rounds(2_000_000)),
    "a long key": CASE + "y" * rounds(2_000_000) + ": 1\n",
    "steps without number": CASE.replace("repeat: 2", "repeat: 2000000000"),
    "vertices": CASE.replace(SHAPE, "{type: planform, shape: polygon, vertices: %s}" % list_of(
        f"[{i}, {i * i}]" for i in range(rounds(50_000)))),
    "comments": "#\n" * rounds(3_000_000),
    "more than 16 MiB": "#" * 17_000_000,
}
TOO_LARGE = {
    "a grid": CASE.replace("[13, 11]", "[65536, 65536]"),
    "a rough grid": CASE.replace("[13, 11]", "[65536, 65536]").replace(
        SHAPE, "{type: rough, hurst: 0.8, rms_height: 0.001, wavelengths: [0.5, 2], seed: 1}"),
}


LIMIT = memory_limit(1_000_000_000)


class Hostile(unittest.TestCase):
    def refused(self, case, *arguments):
        with case_folder(case):
            done = call(*arguments, **LIMIT)
            self.assertEqual(done.returncode, 2, done.stderr[:1000])
            self.assertEqual(done.stdout, "")
            self.assertLess(done.stderr.count("\n"), MOST_LINES)
            self.assertEqual(os.listdir(), ["case.yaml"])
            return done.stderr

    def test_each_is_refused(self):
        for name, case in REFUSED.items():
            with self.subTest(name):
                self.assertIn("error: case.yaml:", self.refused(case, "check", "case.yaml"))

    def test_grids_beyond_the_memory_are_refused_before_anything_is_computed(self):
        for name, case in TOO_LARGE.items():
            with self.subTest(name):
                log = self.refused(case, "run", "case.yaml", "--backend", "cpu")
                self.assertIn("grid: 65536 x 65536 elements need up to", log)


if __name__ == "__main__":
    machine.run_tests(verbosity=2)
