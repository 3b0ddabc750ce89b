# SPDX-License-Identifier: Apache-2.0
"""A GPU that fails in the middle, or has no memory left: one sentence, exit code 3, the finished
steps kept, and a run that continues from them to the bits of an unbroken one.

As a ctest some of the places where it can fail; `python3 faults_device.py
build/tests/slipfield_faulty cases 200` takes 200 of each kind; `cases 200 Cards` runs those of several GPUs alone.
"""
import json
import os
import re
import sys
import unittest

import machine
from program import CASE, call, case_folder, differences, errors_of

PLACES = int(sys.argv[3]) if len(sys.argv) > 3 else 8
ON_GPU = ("--backend", "cuda", "-q")
ROLLING = CASE.replace("shear_modulus: 200.0", "shear_modulus: 800.0", 1).replace(
    "problem: shift, x: {force_ratio: -0.5}, y: {shift: 0.0}",
    "problem: transient_rolling, x: {force_ratio: -0.5}, y: {creepage: 0.0}, step: 0.15").replace(
    "repeat: 2", "repeat: 7") + "interior: {depths: [0.0, 0.2], quantities: all}\n"
STEPS = 8
ON_CARDS = ROLLING.split("interior:")[0] + "solver: {tolerance: 1.0e-9}\n"
SWEEP = CASE.split("steps:")[0] + "sweep:\n  - {key: normal.force, from: 2.0, to: 9.0, points: 12}\n"
LOST = "the GPU failed and no longer responds"
NO_MEMORY = "the GPU has too little free memory"


def run(fault, *arguments, on=ON_GPU):
    return call("run", "case.yaml", *on, *arguments, "--json",
                env=dict(os.environ, SLIPFIELD_FAULT=fault))


def places(count):
    """PLACES numbers from 1 on. Checkpoints are written as time allows, and each waits for its fields: another
    run may wait less often than the one that was counted."""
    last = count - count // 10
    return sorted({1 + round(i * (last - 1) / (PLACES - 1)) for i in range(PLACES)})


class Faults:
    """What a fault leaves of a run on GPUs, and the run that continues it."""
    on = ON_GPU

    def counts(self):
        done = run("count", "-o", "whole.h5", on=self.on)
        self.assertEqual(done.returncode, 0, done.stderr)
        return map(int, re.search("([0-9]+) allocations, ([0-9]+) waits", done.stderr).groups())

    def survives(self, fault, says):
        """The number of steps that were finished."""
        done = run(fault, on=self.on)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(len(errors_of(done)), 1, done.stderr)
        self.assertIn(says, done.stderr)
        finished = 0
        if os.path.exists("case.h5"):
            file = json.loads(call("inspect", "case.h5", "--json").stdout)
            self.assertEqual(file["outcome"], "incomplete")
            finished = len(file["steps"])
            self.assertGreaterEqual(finished, 1)
        self.assertLessEqual(set(os.listdir()),
                             {"case.yaml", "case.h5", "case.h5.checkpoint", "whole.h5"})
        done = run("", "--resume", on=self.on)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(differences("case.h5", "whole.h5", STEPS), "")
        os.remove("case.h5")
        return finished


class Device(Faults, unittest.TestCase):
    def test_lost_at_any_time(self):
        with case_folder(ROLLING):
            _, waits = self.counts()
            finished = {self.survives(f"lost:{place}", LOST) for place in places(waits)}
            self.assertIn(0, finished)
            self.assertGreater(len(finished), 3)
            print(f"lost at {len(places(waits))} of {waits} waits: "
                  f"{min(finished)} to {max(finished)} steps were finished and kept")

    def test_out_of_memory_at_any_time(self):
        with case_folder(ROLLING):
            allocations, _ = self.counts()
            for place in places(allocations):
                self.survives(f"memory:{place}", NO_MEMORY)
            print(f"no memory at {len(places(allocations))} of {allocations} allocations")

    def test_memory_taken_by_another_program(self):
        with case_folder(CASE.replace("[13, 11]", "[500, 400]").replace(
                "spacing: [0.2, 0.25]", "spacing: [0.006, 0.008]")):
            done = run("taken:100")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual(len(errors_of(done)), 1, done.stderr)
            self.assertRegex(done.stderr, NO_MEMORY + ": the case needs up to [0-9.]+ [MG]iB, "
                             "[0-9.]+ [MKG]iB free")
            self.assertEqual(os.listdir(), ["case.yaml"])
            done = call("run", "case.yaml", env=dict(os.environ, SLIPFIELD_FAULT="taken:100"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stderr, "backend: cpu on .*the case needs up to .*, the GPU has")
            # Named by its number the GPU is asked for, and the CPU does not take its place.
            os.remove("case.h5")
            done = call("run", "case.yaml", "--device", "0", env=dict(os.environ, SLIPFIELD_FAULT="taken:100"))
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertRegex(done.stderr, NO_MEMORY + ": the case needs up to")
            self.assertEqual(os.listdir(), ["case.yaml"])

    def test_larger_than_the_device(self):
        with case_folder(CASE.replace("[13, 11]", "[60000, 60000]")):
            done = run("")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("elements need up to", done.stderr)

    def test_a_sweep_ends_with_the_points_that_were_done(self):
        with case_folder(SWEEP):
            _, waits = self.counts()
            for place in places(waits)[1:]:
                done = run(f"lost:{place}")
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(LOST, done.stderr)
                if not os.path.exists("case.h5"):
                    continue
                file = json.loads(call("inspect", "case.h5", "--json").stdout)
                self.assertEqual(file["outcome"], "incomplete")
                outcomes = [point["outcome"] for point in file["points"]]
                self.assertIn("converged", outcomes)
                self.assertLessEqual(set(outcomes), {"converged", "not_run"})
                os.remove("case.h5")


class Cards(Faults, unittest.TestCase):
    """The same GPU named twice: two shares of the rows."""
    on = ("--devices", "0,0", "-q")

    def test_lost_at_any_time(self):
        with case_folder(ON_CARDS):
            _, waits = self.counts()
            finished = {self.survives(f"lost:{place}", LOST) for place in places(waits)}
            self.assertGreater(len(finished), 2)

    def test_out_of_memory_at_any_time(self):
        with case_folder(ON_CARDS):
            allocations, _ = self.counts()
            for place in places(allocations):
                self.survives(f"memory:{place}", NO_MEMORY)

    def test_resumed_on_another_number_of_cards(self):
        with case_folder(ON_CARDS):
            _, waits = self.counts()
            for other in (("--device", "0"), ("--devices", "0,0,0")):
                done = run(f"lost:{2 * waits // 3}", on=self.on)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertTrue(os.path.exists("case.h5.checkpoint"))
                done = run("", "--resume", on=(*other, "-q"))
                self.assertEqual(done.returncode, 0, done.stderr)
                compared = call("compare", "case.h5", "whole.h5", "--tolerance", "1e-6")
                self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
                os.remove("case.h5")

    def test_memory_taken_by_another_program(self):
        with case_folder(CASE.replace("[13, 11]", "[500, 400]").replace(
                "spacing: [0.2, 0.25]", "spacing: [0.006, 0.008]")):
            done = run("taken:100", on=self.on)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual(len(errors_of(done)), 1, done.stderr)
            self.assertRegex(done.stderr, "GPU 0: " + NO_MEMORY + ": its rows need up to [0-9.]+ [MG]iB, "
                             "[0-9.]+ [MKG]iB free")
            self.assertEqual(os.listdir(), ["case.yaml"])

    def test_larger_than_the_devices(self):
        with case_folder(CASE.replace("[13, 11]", "[60000, 60000]")):
            done = run("", on=self.on)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(errors_of(done)), 1, done.stderr)
            self.assertIn("on GPU 0, which has", done.stderr)


if __name__ == "__main__":
    if json.loads(call("info", "--json").stdout)["cuda"]["devices"]:
        machine.run_tests(*sys.argv[4:], verbosity=2)
    if os.environ.get("SLIPFIELD_REQUIRE_GPU") == "1":
        sys.exit("failed: no GPU answers")
    machine.skip("no GPU answers")
