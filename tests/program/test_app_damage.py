# SPDX-License-Identifier: Apache-2.0
"""Damaged results, sweeps and checkpoints: every command that reads one reads it or refuses it with
one sentence. No crash, no hang.

As a ctest 60 damages; `python3 tests/program/test_app_damage.py build/slipfield cases 5000` makes 5,000.
A fourth argument is the seed.
"""
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

import machine
from program import (DATA, CASE, PROGRAM, UNCOUNTED, build_cache, call, errors_of, instrumented, rounds,
                     running_case)

DAMAGES = int(sys.argv[3]) if len(sys.argv) > 3 else rounds(60)
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 3  # one damage of its 60 hangs HDF5
OLDER = os.path.join(DATA, "result_variable_text")
SWEEP = "sweep:\n  - {key: normal.force, values: [5.0, 9.0]}\n" \
        "  - {key: friction, values: [{coefficient: 0.3}, {static: 0.4, kinetic: 0.3}]}\n" \
        "output: {fields: [pressure, element_division]}\n"
LONG = CASE.replace("repeat: 2", "repeat: 60")
# Without Python `plot` reads what it would draw, and then says so.
ENVIRONMENT = {**UNCOUNTED, "PATH": "", "SLIPFIELD_PYTHON": "/none"}
HANGS = 120  # [s]
# On some damage the HDF5 library never ends, and the program gives up after 5 s of processor time, or as much less as
# it has itself. [s]
PATIENCE = 1
NEVER_ENDS = "s of processor time)", "signal 9"  # by its own limit, by this one


def make_samples(folder):
    """Today's files next to the older ones, which the folder `older` holds."""
    machine.copy_to_write(OLDER, "older")
    os.mkdir("newer")
    os.chdir("newer")
    for name, text in (("case", CASE), ("sweep", CASE[:CASE.index("steps:")] + SWEEP),
                       ("resume", LONG)):
        with open(f"{name}.yaml", "w", encoding="utf-8") as file:
            file.write(text)
    for name, result in (("case", "steps.h5"), ("sweep", "sweep.h5")):
        done = call("run", f"{name}.yaml", "--backend", "cpu", "-q", "-o", result)
        if done.returncode != 0:
            sys.exit(done.stderr)
    shutil.copy("case.yaml", "case.kept")
    while not os.path.isdir("resume.h5.checkpoint") or not any(
            name.startswith("state") and name.endswith(".h5")
            for name in os.listdir("resume.h5.checkpoint")):
        shutil.rmtree("resume.h5.checkpoint", ignore_errors=True)
        shutil.copy("resume.yaml", "case.yaml")
        with running_case(4, "-o", "resume.h5") as process:
            process.kill()
            process.wait()
        if os.path.exists("resume.h5"):
            os.remove("resume.h5")
    os.rename("case.kept", "case.yaml")
    os.chdir(folder)


def damaged(data):
    """Cut, or one to eight bytes changed, or a piece zeroed, or a bit flipped here and there."""
    data = bytearray(data)
    kind = random.randrange(4)
    if kind == 0:
        return data[:random.randrange(len(data))]
    if kind == 1:
        for _ in range(random.randint(1, 8)):
            data[random.randrange(len(data))] = random.randrange(256)
    if kind == 2:
        begin = random.randrange(len(data))
        end = min(len(data), begin + random.randint(1, 512))
        data[begin:end] = bytes(end - begin)
    if kind == 3:
        for _ in range(random.randint(1, 64)):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return data


class Damage(unittest.TestCase):
    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        make_samples(self.folder.name)

    def tearDown(self):
        os.chdir(self.before)
        self.folder.cleanup()

    def check(self, what, *arguments):
        limit = (None if instrumented(build_cache()) else
                 lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE)))
        try:
            done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, errors="replace",
                                  env=ENVIRONMENT, timeout=HANGS, check=False, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            self.keep(what, arguments, "hangs")
            return ""
        else:
            no_python = done.returncode == 3 and "python3-matplotlib" in done.stderr
            going_on = arguments[0] == "run" and done.returncode == 3
            if done.returncode not in (0, 1, 2) and not no_python and not going_on:
                self.keep(what, arguments, f"ends with {done.returncode}: {done.stderr}")
            if done.returncode >= 2 and len(errors_of(done)) != 1:
                self.keep(what, arguments, f"says {done.stderr}")
            self.refused += done.returncode == 2
            self.calls += 1
            return done.stderr

    def keep(self, what, arguments, says):
        kept = tempfile.mkdtemp(prefix="slipfield-damage-")
        shutil.copytree(self.folder.name, kept, dirs_exist_ok=True)
        self.failures.append(f"damage {what} (kept in {kept}), {' '.join(arguments)}: {says}")

    def read_all(self, number, age):
        """A damaged copy of each kind of file, and every command that reads it, each as the first one now and then."""
        kind = ("steps", "sweep", "checkpoint")[number % 3]
        what = f"{number} of {age} {kind}"
        if kind == "checkpoint":
            shutil.rmtree("run", ignore_errors=True)
            shutil.copytree(os.path.join(age, "resume.h5.checkpoint"), "run/resume.h5.checkpoint")
            folder = "run/resume.h5.checkpoint"
            target = os.path.join(folder, random.choice(sorted(
                name for name in os.listdir(folder) if name.startswith("s"))))
            self.damage(target, target)
            with open(target, "rb") as bad, open(os.path.join(age, "resume.h5.checkpoint", os.path.basename(target)),
                                                 "rb") as good:
                differs = bad.read() != good.read()
            refused = self.refused
            self.check(what, "run", os.path.join(age, "resume.yaml"), "--backend", "cpu", "-q",
                       "--resume", "-o", "run/resume.h5")
            self.assertEqual(self.refused - refused, int(differs or age == "older"), what)  # by its checksum
            return
        sound = os.path.join(age, kind + ".h5")
        self.damage(sound, "bad.h5")
        point = ["--point", "2"] if kind == "sweep" else []
        case = os.path.join(age, "case.yaml" if kind == "steps" else "sweep.yaml")
        commands = [["inspect", "bad.h5"], ["inspect", "bad.h5", "--json", *point],
                    ["compare", "bad.h5", sound, *point], ["plot", "bad.h5", "-o", "figure.png"],
                    ["run", case, "--backend", "cpu", "-q", "--resume", "-o", "bad.h5"]]
        first = number % len(commands)
        for arguments in commands[first:] + commands[:first]:
            says = self.check(what, *arguments)
            if any(end in says for end in NEVER_ENDS):
                return  # the other commands would wait as long

    @staticmethod
    def damage(sound, target):
        with open(sound, "rb") as file:
            data = damaged(file.read())
        with open(target, "wb") as file:
            file.write(data)

    def test_damaged_files_are_read_or_refused(self):
        random.seed(SEED)
        self.failures, self.refused, self.calls = [], 0, 0
        for number in range(DAMAGES):
            self.read_all(number // 2, ("newer", "older")[number % 2])
        self.assertEqual(self.failures, [])
        self.assertGreater(self.refused, self.calls // 20)  # most damage is in fields or unused
        print(f"{DAMAGES} damages, {self.calls} calls: {self.refused} refused, the rest read")

    def test_older_results_are_read_as_they_always_were_and_older_sweeps_refused(self):
        steps = json.loads(call("inspect", "older/steps.h5", "--json").stdout)
        self.assertEqual(steps["title"], "sphere on a plane, µ = 0.4")
        self.assertEqual([step["step"] for step in steps["steps"]], [1, 2])
        self.assertAlmostEqual(steps["steps"][1]["force_x"], -0.875 * 0.4 * 9.1954, delta=1e-6)
        done = call("inspect", "older/sweep.h5")
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no /table, as those of earlier programs; accepted: the case, run again", done.stderr)
        os.chdir("older")
        resumed = call("run", "resume.yaml", "--backend", "cpu", "--resume", "-o", "resume.h5")
        self.assertIn("resume", resumed.stderr)


if __name__ == "__main__":
    machine.run_tests(verbosity=2)
