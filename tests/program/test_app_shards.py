# SPDX-License-Identifier: Apache-2.0
"""slipfield run --shard and slipfield merge: parts of a sweep, killed and resumed, and what they are
together. It takes 7 s: for 8,300 points, more than are kept in memory at a time."""
import glob
import json
import os
import random
import time
import unittest

import machine
from program import (CASE, build_cache, call, case_folder, errors_of, instrumented, killed_after,
                     repeats_within, run_case)

STEPS = "steps:\n  - {repeat: 2}\n  - {tangential: {x: {force_ratio: -0.875}}}\n"
SWEEP = CASE.replace(STEPS, """\
sweep:
  - {key: tangential.x.force_ratio, from: -0.2, to: -0.8, points: 5}
  - {key: normal.force, values: [5.0, 9.0]}
""")
# More points than are in memory at a time (8192), each of them in contact in some ten elements.
LONG = """\
schema: 1
units: N-mm-s
bodies:
  upper: {shear_modulus: 200.0, poisson_ratio: 0.42}
  lower: {shear_modulus: 200.0, poisson_ratio: 0.42}
grid: {elements: [5, 4], spacing: [0.4, 0.5]}
geometry: {type: quadratic, xx: 0.01, yy: 0.01}
normal: {approach: 0.01}
tangential: {problem: none}
sweep:
  - {key: normal.approach, from: 0.001, to: 0.02, points: 4150}
  - {key: geometry.xx, values: [0.01, 0.02]}
"""


def inspected(path):
    document = json.loads(call("inspect", path, "--json").stdout)
    for point in document["points"]:
        del point["seconds"]
    return document


class Shards(unittest.TestCase):
    def same(self, first, second):
        a, b = inspected(first), inspected(second)
        for key in ("outcome", "keys", "shape", "points"):
            self.assertEqual(a[key], b[key])
        done = call("compare", first, second, "--tolerance", "1e-300")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_merged_shards_are_the_sweep_that_one_run_writes(self):
        with case_folder(SWEEP):
            run_case("-q")
            for index in (1, 2, 3):
                done = run_case("--shard", f"{index}/3")
                self.assertIn(f"(shard {index}/3)", done.stdout)
                self.assertIn(f"results: case-{index}-of-3.h5", done.stdout)
            self.assertEqual([p["point"] for p in inspected("case-2-of-3.h5")["points"]], [5, 6, 7])
            done = call("merge", "merged.h5", *sorted(glob.glob("case-*-of-3.h5")))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("3 parts: 10 points: 10 converged", done.stdout)
            self.same("merged.h5", "case.h5")
            again = call("merge", "merged.h5", "case-1-of-3.h5")
            self.assertEqual(again.returncode, 2)
            self.assertIn("--overwrite", again.stderr)

    def test_merged_warnings_are_those_that_one_run_writes(self):
        """Of the case (in all points, in some, with other numbers, in one), at the edge, of kinds, expected."""
        coarse = SWEEP.replace("[0.2, 0.25]", "[0.5, 0.5]").replace("origin: [-1.2, -1.4]", "origin: [-3.2, -2.7]")
        edge = SWEEP.replace("values: [5.0, 9.0]", "values: [1.0, 9.0, 90.0]")
        percent = SWEEP.replace("{key: normal.force, values: [5.0, 9.0]}", "{key: friction.coefficient, values: [0.4, 3, 0.5]}")
        expects = "expected:\n  - {quantity: force_x, value: 5, tolerance: 1, point: 9}\n"
        for case in (coarse, edge, percent + expects, edge + expects):
            with case_folder(case):
                whole = call("run", "case.yaml", "--backend", "cpu")
                self.assertIn(whole.returncode, (0, 1), whole.stderr)
                one = inspected("case.h5")["warnings"]
                self.assertTrue(one)
                for of in (2, 3):
                    for index in range(1, of + 1):
                        call("run", "case.yaml", "--backend", "cpu", "--shard", f"{index}/{of}", "--overwrite")
                    done = call("merge", "merged.h5", *glob.glob(f"case-*-of-{of}.h5"), "--overwrite")
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    self.assertEqual(inspected("merged.h5")["warnings"], one)
                    twice = call("merge", "again.h5", "merged.h5", "--overwrite")
                    self.assertIn(twice.returncode, (0, 1), twice.stderr)
                    self.assertEqual(inspected("again.h5")["warnings"], one)

    def test_a_shard_without_anything_to_resume_begins_with_its_first_point(self):
        with case_folder(SWEEP):
            self.assertIn("the sweep begins with point 5", run_case("--shard", "2/3", "--resume").stderr)

    def test_what_a_killed_shard_left_is_named_and_resumed(self):
        def slow(rows):
            return SWEEP.replace("[13, 11]", "[24, 21]").replace(
                "[0.2, 0.25]", "[0.11, 0.13]").replace("points: 5", f"points: {rows}")
        rows = 2 * repeats_within(1.5, slow(4), least=6, most=8)
        with case_folder(slow(rows)):
            run_case("-q")
            begin = time.monotonic()
            run_case("-q", "--shard", "1/2")
            patience = 0.6 * (time.monotonic() - begin)
            while not glob.glob("case-2-of-2.h5.checkpoint/points-*.h5"):
                if killed_after(patience, "--shard", "2/2", "--resume"):
                    patience *= 1.1  # before the first points were written
                else:  # the machine is faster now than it was
                    os.remove("case-2-of-2.h5")
                    patience *= 0.7
            done = call("merge", "merged.h5", "case-1-of-2.h5")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(f"points {rows + 1} to {2 * rows} did not run (shard 2/2)", done.stderr)
            self.assertIn("case-2-of-2.h5.checkpoint has points of a shard that was killed",
                          done.stderr)
            self.assertEqual(inspected("merged.h5")["outcome"], "incomplete")
            done = call("merge", "m.h5", "case-1-of-2.h5", "case-2-of-2.h5")
            self.assertEqual(done.returncode, 2)
            self.assertIn("its shard has not ended", done.stderr)
            self.assertIn("resumed: ", run_case("--shard", "2/2", "--resume").stderr)
            done = call("merge", "merged.h5", "case-2-of-2.h5", "case-1-of-2.h5", "--overwrite")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.same("merged.h5", "case.h5")

    def test_merged_points_keep_the_names_that_each_value_was_given(self):
        case = CASE.replace(STEPS, "sweep:\n  - {key: geometry.file, values: [flat.txt, ./flat.txt, other.txt]}\n")
        at = case.index("geometry:")
        case = case[:at] + "geometry: {type: heights, file: flat.txt, of: distance}" + case[case.index("\n", at):]
        with case_folder(case):
            for name, height in (("flat.txt", 0.0), ("other.txt", 1e-4)):
                with open(name, "w", encoding="utf-8") as file:
                    file.write("".join(" ".join([str(height)] * 13) + "\n" for _ in range(11)))
            self.assertEqual(run_case("-q", "-o", "whole.h5").returncode, 0)
            for index in (1, 2):
                run_case("-q", "--shard", f"{index}/2")
            done = call("merge", "merged.h5", *glob.glob("case-*-of-2.h5"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.same("merged.h5", "whole.h5")

    def test_an_incomplete_merge_is_a_sweep_that_a_run_resumes(self):
        with case_folder(SWEEP):
            run_case("-q", "-o", "whole.h5")
            for index in (1, 3, 4):
                run_case("-q", "--shard", f"{index}/4")
            done = call("merge", "case.h5", *glob.glob("case-*-of-4.h5"))
            self.assertEqual(done.returncode, 1)
            self.assertIn("points 4 to 6 did not run (shard 2/4)", done.stderr)
            self.assertIn("resumed: 7 of 10 points finished", run_case("--resume").stderr)
            self.same("case.h5", "whole.h5")

    def test_wrong_shards_and_parts_are_refused_with_one_sentence(self):
        with case_folder(SWEEP):
            run_case("-q", "--shard", "1/2", "-o", "one.h5")
            for arguments, says in (
                    (("run", "case.yaml", "--shard", "3/2"), "is not a shard; accepted: which one"),
                    (("run", "case.yaml", "--shard", "two"), "is not a shard; accepted: which one"),
                    (("run", "case.yaml", "--shard", "11/11"), "none of the 10 points"),
                    (("run", "case.yaml", "--shard", "1/2", "--point", "1"), "exclude each other"),
                    (("run", "case.yaml", "--shard", "2/2", "-o", "one.h5", "--resume"),
                     "holds points 1 to 5 of the sweep, and points 6 to 10 are asked for"),
                    (("run", "case.yaml", "-o", "one.h5", "--resume"), "holds points 1 to 5"),
                    (("merge", "all.h5", "one.h5", "one.h5"), "both have points 1 to 5"),
                    (("merge", "all.h5", "case.yaml"), "not an HDF5 file"),
                    (("merge", "one.h5", "one.h5", "--overwrite"), "one.h5")):
                with self.subTest(arguments):
                    done = call(*arguments)
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertEqual(len(errors_of(done)), 1, done.stderr)
                    self.assertIn(says, done.stderr)
            self.assertEqual(sorted(os.listdir()), ["case.yaml", "one.h5"])
        with case_folder(CASE):
            done = call("run", "case.yaml", "--shard", "1/2")
            self.assertEqual(done.returncode, 2)
            self.assertIn("the case has no sweep", done.stderr)

    @unittest.skipIf(instrumented(build_cache()), "takes minutes with sanitizers")
    def test_more_points_than_memory_holds_at_a_time_killed_and_resumed_have_the_same_bits(self):
        random.seed(3)
        with case_folder(LONG):
            begin = time.monotonic()
            run_case("-q", "-o", "whole.h5")
            patience = 0.5 * (time.monotonic() - begin)  # grows until the run ends
            while not killed_after(random.uniform(0.5, 1.0) * patience, "--resume", "-o", "cut.h5"):
                os.remove("cut.h5")  # the machine is faster now than it was
                patience *= 0.7
            while killed_after(random.uniform(0.5, 1.0) * patience, "--resume", "-o", "cut.h5"):
                patience *= 1.5
            self.same("cut.h5", "whole.h5")
            self.assertEqual(sorted(os.listdir()), ["case.yaml", "cut.h5", "whole.h5"])
            done = run_case("--resume", "-o", "cut.h5")
            self.assertIn("8300 points: 8300 converged", done.stdout)
            document = json.loads(run_case("--resume", "-o", "cut.h5", "--json").stdout)
            self.assertEqual(len(document["points"]), 8300)


if __name__ == "__main__":
    machine.run_tests()
