# SPDX-License-Identifier: Apache-2.0
"""slipfield bench --record and --compare from outside: what the file says, what counts as slower, what is refused. No time is
judged: the test changes the file's own numbers by factors that no machine's noise reaches."""
import json
import os
import unittest

import machine  # noqa: F401
from program import CASE, DATA, call, case_folder


def bench(*arguments):
    return call("bench", "solve", "case.yaml", "--runs", "1", "--backend", "cpu", *arguments)


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class BenchRecord(unittest.TestCase):
    def refused(self, *arguments, says, code=2):
        done = bench(*arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def test_figures_are_appended_with_machine_and_version(self):
        with case_folder(CASE):
            done = bench("--record", "speed.jsonl", "--rounds", "3", "--set", "friction.coefficient=0.3")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("least", done.stdout)
            done = bench("--record", "speed.jsonl", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            shown = json.loads(done.stdout)["lines"][0]
            first, second = lines_of("speed.jsonl")
            info = json.loads(call("info", "--json").stdout)
            self.assertEqual((first["version"], first["commit"]), (info["version"], info["git_commit"]))
            self.assertEqual((first["kind"], first["name"], first["size"]), ("solve", "solve on cpu", "13x11"))
            self.assertEqual((first["case"], second["case"]), ("case.yaml friction.coefficient=0.3", "case.yaml"))
            self.assertEqual((first["rounds"], second["rounds"]), (3, 5))
            self.assertRegex(first["date"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            self.assertEqual(first["threads"], int(os.environ["OMP_NUM_THREADS"]))
            self.assertGreater(first["products"], 0)
            for line in (first, second):
                self.assertTrue(0 < line["least_ms"] <= line["median_ms"] <= line["greatest_ms"])
            self.assertEqual([shown[name] for name in ("milliseconds", "least_ms", "greatest_ms")],
                             [second[name] for name in ("median_ms", "least_ms", "greatest_ms")])

    def test_what_is_slower_or_faster_than_recorded(self):
        with case_folder(CASE):
            self.assertEqual(bench("--record", "speed.jsonl", "--rounds", "2").returncode, 0)
            recorded = lines_of("speed.jsonl")[0]
            for factor, code, says in ((1e-6, 1, "slower"), (1e6, 0, "faster")):
                changed = dict(recorded)
                for name in ("median_ms", "least_ms", "greatest_ms"):
                    changed[name] *= factor
                with open("changed.jsonl", "w", encoding="utf-8") as file:
                    file.write(json.dumps(changed) + "\n")
                done = bench("--compare", "changed.jsonl", "--rounds", "2")
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(f"\n{says} ", done.stdout)
                self.assertIn(f"1 {says}, ", done.stdout)
                done = bench("--compare", "changed.jsonl", "--rounds", "2", "--json")
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(json.loads(done.stdout)["changes"][0]["speed"], says)
            # A new record is not compared with itself.
            before = len(lines_of("changed.jsonl"))
            done = bench("--compare", "changed.jsonl", "--record", "changed.jsonl", "--rounds", "2")
            self.assertIn("1 faster", done.stdout)
            self.assertEqual(len(lines_of("changed.jsonl")), before + 1)
            done = bench("--compare", "changed.jsonl", "--rounds", "2", "--set", "friction.coefficient=0.3")
            self.assertEqual(done.returncode, 0)
            self.assertIn("1 without an earlier record", done.stdout)

    def test_a_wheel_is_refused_with_what_times_it(self):
        case = os.path.abspath(os.path.join(DATA, "..", "..", "cases", "wheel_on_rail.yaml"))
        done = call("bench", "solve", case)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        self.assertIn("times the steps of one contact, and this is a wheel on a rail; accepted: a case without 'wheel_rail', or "
                      "`slipfield run`", done.stderr)

    def test_files_that_are_not_records_are_refused_before_anything_is_measured(self):
        with case_folder(CASE):
            with open("notes.txt", "w", encoding="utf-8") as file:
                file.write("mine\n")
            accepted = "accepted: a file that `slipfield bench --record` wrote"
            self.refused("--record", "notes.txt", says="notes.txt: line 1 is not a JSON object; " + accepted)
            self.refused("--compare", "notes.txt", says="notes.txt: line 1 is not a JSON object; " + accepted)
            self.refused("--compare", "none.jsonl", says="none.jsonl: it cannot be read; " + accepted)
            self.refused("--record", "no/speed.jsonl", says="the records could not be written: No such file", code=3)
            self.refused("--record", "speed.jsonl", "--rounds", "1", says="accepted: 2 or more")
            with open("notes.txt", encoding="utf-8") as file:
                self.assertEqual(file.read(), "mine\n")
            self.assertFalse(os.path.exists("speed.jsonl"))


if __name__ == "__main__":
    machine.run_tests()
