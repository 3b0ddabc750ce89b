# SPDX-License-Identifier: Apache-2.0
"""run --resume: runs that are killed at random times, one after the other, and their results.

As a ctest a dozen kills: runs must last long enough to be killed in the middle. `python3 test_app_resume.py
build/slipfield cases 200` makes 200.
"""
import glob
import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest

import machine
from program import (BACKEND, CASE, call, case_folder, differences, killed_after, repeats_within,
                     rounds, run_case, running_case, write, yaml_path)

h5py = machine.module("h5py")

KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else rounds(12)


def rolling(repeat):
    """Dissimilar bodies, transient rolling, two loads: every field of the state matters."""
    return CASE.replace("shear_modulus: 200.0", "shear_modulus: 800.0", 1).replace(
        "problem: shift, x: {force_ratio: -0.5}, y: {shift: 0.0}",
        "problem: transient_rolling, x: {force_ratio: -0.5}, y: {creepage: 0.0}, step: 0.15"
    ).replace("repeat: 2", f"repeat: {repeat}").replace(
        "{tangential: {x: {force_ratio: -0.875}}}",
        f"{{tangential: {{x: {{force_ratio: -0.875}}}}, repeat: {repeat}}}"
    ).replace("[13, 11]", "[24, 21]").replace("[0.2, 0.25]", "[0.11, 0.13]")


REPEAT = repeats_within(1.0, rolling(1), least=6, most=8)
ROLLING = rolling(REPEAT)
STEPS = 2 * REPEAT


class Killed(unittest.TestCase):
    def test_runs_killed_at_any_time_end_with_the_bits_of_an_unbroken_one(self):
        random.seed(20)
        kills = 0
        rounds = 0
        with case_folder(ROLLING):
            begin = time.monotonic()
            run_case("-o", "whole.h5", "-q")
            whole_time = time.monotonic() - begin
            while kills < KILLS:
                rounds += 1
                patience = whole_time  # grows, where the machine is slower now than it was
                while killed_after(random.uniform(0.0, 0.6 * patience), "-o", "cut.h5", "--resume"):
                    kills += 1
                    patience *= 1.05
                    # a result is there when it is complete, not before
                    self.assertFalse(os.path.exists("cut.h5") and not self.complete("cut.h5"))
                self.assertEqual(differences("cut.h5", "whole.h5", STEPS), "")
                os.remove("cut.h5")
                self.assertEqual(sorted(os.listdir()), ["case.yaml", "whole.h5"])
        print(f"{kills} kills in {rounds} runs of {STEPS} steps: the bits of the unbroken run")

    def complete(self, path):
        return json.loads(call("inspect", path, "--json").stdout)["outcome"] == "converged"

    @machine.needs("h5py")
    def test_a_state_that_does_not_fit_is_refused_before_a_step_is_shown(self):
        text = ROLLING.replace("step: 0.15", "step: 0.11") + "solver: {rolling: second_order}\n"
        with case_folder(text):
            with running_case(3) as process:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=120)
            self.assertEqual(process.returncode, 130)
            shorten(glob.glob("case.h5.checkpoint/state-*.h5")[0], "rolling_memory")
            refused = call("run", "case.yaml", "--backend", BACKEND, "--resume")
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("the saved state does not fit the case: rolling_memory", refused.stderr)
            self.assertNotIn("converged", refused.stdout)

    def test_only_the_last_step_is_wanted(self):
        with case_folder(ROLLING):
            run_case("-o", "whole.h5", "-q", "--set", "output.steps=last")
            patience = 0.4
            while killed_after(patience, "-o", "cut.h5", "--resume", "--set", "output.steps=last"):
                patience *= 1.1
            self.assertEqual(differences("cut.h5", "whole.h5", 1), "")

    def test_a_run_ended_by_ctrl_c_is_resumed_and_its_incomplete_result_replaced(self):
        with case_folder(ROLLING):
            run_case("-o", "whole.h5", "-q")
            with running_case(5) as process:
                process.send_signal(signal.SIGINT)
                _, log = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 130, log)
            self.assertIn("--resume continues", log)
            self.assertFalse(self.complete("case.h5"))
            refused = call("run", "case.yaml", "--backend", BACKEND)
            self.assertEqual(refused.returncode, 2)
            self.assertEqual(refused.stderr.count("\n"), 1, refused.stderr)
            done = run_case("--resume", "--json")
            self.assertEqual(len(json.loads(done.stdout)["steps"]), STEPS)
            self.assertIn("resumed after step", done.stderr)
            self.assertEqual(differences("case.h5", "whole.h5", STEPS), "")
            self.assertEqual(sorted(os.listdir()), ["case.h5", "case.yaml", "whole.h5"])


def shorten(path, name):
    """Takes the last value of a dataset out of a checkpoint's file, as a version that saved fewer would write it."""
    end = len("\ncksum 0123456789\n")
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) - end)
    found = []
    with h5py.File(path, "r+") as file:
        file.visit(lambda place: found.append(place) if place.split("/")[-1] == name else None)
        values = file[found[0]][:-1]
        del file[found[0]]
        file[found[0]] = values
    total = subprocess.run(["cksum", path], capture_output=True, text=True, check=True).stdout.split()[0]
    with open(path, "ab") as file:
        file.write(f"\ncksum {total:>10}\n".encode())


def wheel_case(steps, repeat=1, problem="steady_rolling"):
    """Wheel on a rail, each step elsewhere; only some are kept in the result."""
    body = "{shear_modulus: 82000, poisson_ratio: 0.28}"
    profiles = os.path.join(sys.argv[2], "profiles")
    lines = [f"  - {{wheel_rail: {{wheelset: {{y: {0.2 * i}, yaw: {0.001 * i}}}}}, repeat: {repeat}}}\n"
             for i in range(steps)]
    return (f"schema: 1\nunits: N-mm-s\nbodies: {{wheel: {body}, rail: {body}}}\n"
            "friction: {coefficient: 0.3}\nwheel_rail:\n  side: left\n"
            f"  problem: {problem}\n  spacing: [0.9, 0.9]\n"
            f"  wheel: {{profile: {yaml_path(profiles, 'MBench_S1002_v3.prw')}}}\n"
            f"  rail: {{profile: {yaml_path(profiles, 'MBench_UIC60_v3.prr')}}}\n"
            "  wheelset: {velocity: {x: 2000}}\n  vertical_force: 10000\nsteps:\n"
            + "".join(lines))


def table_rows(path):
    """(step, contact) of each row of /table, sides left out."""
    with h5py.File(path, "r") as file:
        return list(zip(file["table/step"][:].tolist(), file["table/contact"][:].tolist()))


def unequal(first, second):
    """The places of two results at which numbers or texts differ, but for times."""
    a, b = contents_of(first), contents_of(second)
    return sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))[:10]


def contents_of(path):
    found = {}
    with h5py.File(path, "r") as file:
        def take(name, thing):
            for key, value in thing.attrs.items():
                if key in ("REFERENCE_LIST", "DIMENSION_LIST"):  # places in the file
                    found[f"{name}.{key}"] = len(value)
                elif key != "created" and "seconds" not in key and "time" not in key:
                    found[f"{name}.{key}"] = repr(value)
            if isinstance(thing, h5py.Dataset) and "seconds" not in name:
                values = thing.asstr()[()] if h5py.check_string_dtype(thing.dtype) else thing[()]
                found[name] = repr(list(values.flat)) if thing.shape and values.dtype == object else (
                    values.tobytes() if thing.shape else repr(values))
        take("", file)
        file.visititems(take)
    return found


def shift_over_time(repeat):
    """Shifts that take time: their power is the work over the duration of each."""
    return CASE.replace("y: {shift: 0.0}}", "y: {shift: 0.0}, duration: 0.25}").replace(
        "repeat: 2", f"repeat: {repeat}").replace("[13, 11]", "[24, 21]").replace(
            "[0.2, 0.25]", "[0.11, 0.13]").replace("{x: {force_ratio: -0.875}}",
                                                   "{x: {force_ratio: -0.875}, duration: 0.5}")


@machine.needs("h5py")
class WholeFile(unittest.TestCase):
    def test_every_number_of_a_resumed_result_is_that_of_an_unbroken_one(self):
        for text in (ROLLING, shift_over_time(8)):
            with self.subTest(text), case_folder(text):
                printed = json.loads(run_case("-o", "whole.h5", "--json").stdout)["steps"]
                with running_case(4) as process:
                    process.send_signal(signal.SIGINT)
                    _, log = process.communicate(timeout=120)
                if process.returncode == 130:  # else it was done before the signal came
                    self.assertIn("resumed after step", run_case("--resume", "--json").stderr)
                self.assertEqual(unequal("case.h5", "whole.h5"), [])
                shown = json.loads(call("inspect", "case.h5", "--json").stdout)["steps"]
                for step, run in zip(shown, printed):
                    self.assertEqual([key for key in run if key not in step], [])
                    for key in ("friction_work", "friction_power"):
                        self.assertEqual(step.get(key), run.get(key))
                    self.assertEqual("friction_power" in run, "duration" in text)


@machine.needs("h5py")
class Wheel(unittest.TestCase):
    def test_positions_of_a_wheel_killed_at_any_time_end_with_the_same_bits(self):
        random.seed(3)
        self.kill(wheel_case(7))

    def test_a_wheel_that_rolls_in_time_killed_at_any_time_ends_with_the_same_bits(self):
        random.seed(4)
        self.kill(wheel_case(5, 3, "transient_rolling"))

    def kill(self, case):
        with case_folder(case):
            begin = time.monotonic()
            run_case("-o", "whole.h5", "-q")
            patience = time.monotonic() - begin
            kills = 0
            while kills < max(2, KILLS // 4):
                while killed_after(random.uniform(0.1, 0.6) * patience, "-o", "cut.h5", "--resume"):
                    kills += 1
                    patience *= 1.05
                    # a result is there when it is complete, not before
                    if os.path.exists("cut.h5"):
                        with h5py.File("cut.h5", "r") as file:
                            self.assertEqual(file.attrs["outcome"], "converged")
                self.assertEqual(unequal("cut.h5", "whole.h5"), [])
                done = run_case("-o", "cut.h5", "--resume")
                self.assertIn("is complete: nothing to resume", done.stderr)
                os.remove("cut.h5")
            self.assertEqual(sorted(os.listdir()), ["case.yaml", "whole.h5"])

    def test_a_wheel_ended_by_ctrl_c_resumes_in_the_same_case_only(self):
        with case_folder(wheel_case(12)):
            with running_case(3) as process:
                process.send_signal(signal.SIGINT)
                _, log = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 130, log)
            self.assertIn("--resume continues", log)
            other = call("run", "case.yaml", "--backend", BACKEND, "--resume", "--set",
                         "wheel_rail.vertical_force=9000")
            self.assertEqual(other.returncode, 2)
            self.assertIn("belongs to another case", other.stderr)
            done = run_case("--resume", "--json")
            self.assertIn("resumed after step", done.stderr)
            self.assertEqual(len(json.loads(done.stdout)["steps"]), 12)
            run_case("-o", "whole.h5", "-q")
            self.assertEqual(unequal("case.h5", "whole.h5"), [])
            self.assertEqual(sorted(os.listdir()), ["case.h5", "case.yaml", "whole.h5"])


    def test_a_wheel_whose_last_step_alone_is_wanted_keeps_the_newest_one_and_resumes(self):
        with case_folder(wheel_case(12) + "output: {steps: last}\n"):
            with running_case(3) as process:
                process.send_signal(signal.SIGINT)
                _, log = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 130, log)
            kept = json.loads(call("inspect", "case.h5", "--json").stdout)
            self.assertEqual(kept["outcome"], "incomplete")
            last = int(log.split("kept: ")[1].split()[0])
            self.assertEqual([step["step"] for step in kept["steps"]], [last])
            rows = table_rows("case.h5")
            self.assertEqual((rows[0], len(rows)), ((last, 0), 1 + len(kept["steps"][0]["contacts"])))
            self.assertIn("resumed after step", run_case("--resume").stderr)
            run_case("-o", "whole.h5", "-q")
            self.assertEqual(unequal("case.h5", "whole.h5"), [])


@machine.needs("h5py")
class Interior(unittest.TestCase):
    def test_stresses_of_the_steps_before_are_those_that_the_run_expects(self):
        text = ROLLING + ("interior: {depths: [0.1, 0.3]}\nexpected:\n"
                          "  - {quantity: max_von_mises, step: 1, value: 1, tolerance: 1.0e-9, source: none}\n")
        with case_folder(text):
            whole = json.loads(run_case("-o", "whole.h5", "--json").stdout)
            with running_case(4) as process:
                process.kill()
                process.wait()
            done = run_case("--resume", "--json")
            self.assertIn("resumed after step", done.stderr)
            resumed = json.loads(done.stdout)
            self.assertEqual(resumed["expected"], whole["expected"])
            for one, other in zip(resumed["steps"], whole["steps"]):
                self.assertEqual(one["interior"], other["interior"])


class Refused(unittest.TestCase):
    def break_off(self):
        """Leaves a checkpoint of case.yaml and no result."""
        with running_case(3) as process:
            process.kill()
            process.wait()

    def refused(self, *arguments, says):
        done = call("run", "case.yaml", "--backend", BACKEND, *arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        errors = [line for line in done.stderr.splitlines() if line.startswith("error:")]
        self.assertEqual(len(errors), 1, done.stderr)
        self.assertIn(says, errors[0])

    def test_what_does_not_fit_is_refused_with_a_sentence(self):
        with case_folder(ROLLING):
            self.break_off()
            self.assertEqual(sorted(os.listdir()), ["case.h5.checkpoint", "case.yaml"])
            self.refused(says="--resume continues from them, --overwrite starts again")
            self.refused("--resume", "--set", "friction.coefficient=0.3",
                         says="belongs to another case")
            self.refused("--resume", "--overwrite", says="--overwrite")
            state = [name for name in os.listdir("case.h5.checkpoint") if "state" in name][0]
            with open(os.path.join("case.h5.checkpoint", state), "r+b") as file:
                file.truncate(1000)
            self.refused("--resume", says="the checkpoint is damaged")
            run_case("--overwrite")
            self.assertEqual(sorted(os.listdir()), ["case.h5", "case.yaml"])
            done = run_case("--resume")
            self.assertIn("is complete: nothing to resume", done.stderr)
            self.refused("--resume", "--set", "friction.coefficient=0.3",
                         says="belongs to another case")

    def test_readers_of_a_killed_run_name_its_checkpoint(self):
        with case_folder():
            os.mkdir("case.h5.checkpoint")
            self.assertNotIn("--resume", call("inspect", "case.h5").stderr)  # it has nothing
            write("case.h5.checkpoint/points-0001.h5", "")
            for command in (("inspect",), ("export",), ("report", "-o", "r.html"), ("plot", "-o", "p.png")):
                done = call(*command, "case.h5")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("case.h5: there is no such file, its run has not ended; `slipfield run CASE.yaml -o case.h5 --resume` "
                              "continues from case.h5.checkpoint", done.stderr)

    def test_without_anything_to_resume_the_run_begins(self):
        with case_folder():
            self.assertIn("begins with step 1", run_case("--resume").stderr)
            self.assertEqual(sorted(os.listdir()), ["case.h5", "case.yaml"])


class ChangedFiles(unittest.TestCase):
    """A file that the case names is part of the case: what was run with another one does not continue."""
    NAMED = CASE.replace("geometry: {type: quadratic, xx: 0.01, yy: 0.01}",
                         "geometry:\n  - {type: quadratic, xx: 0.01, yy: 0.01}\n  - {type: heights, file: p.txt}")

    def write(self, height, name="p.txt", mx=13, my=11):
        with open(name, "w", encoding="utf-8") as file:
            file.write("".join(" ".join(str(height * (i % 2)) for i in range(mx)) + "\n" for _ in range(my)))

    def refused(self, *arguments):
        done = call("run", "case.yaml", "--backend", BACKEND, "-q", "--resume", *arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"cannot be resumed, because \S*/p\.txt has changed since the run began; name another file with -o")

    def test_a_complete_result_of_another_file_is_not_taken_for_ours(self):
        sweep = self.NAMED.split("steps:")[0] + "sweep: [{key: normal.force, values: [5.0, 9.0]}]\n"
        for case in (self.NAMED, sweep):
            with self.subTest(case[-40:]), case_folder(case):
                self.write(1e-5)
                run_case("-o", "out.h5", "-q")
                self.assertIn("is complete", run_case("-o", "out.h5", "--resume").stderr)
                self.write(2e-5)
                self.refused("-o", "out.h5")

    def test_steps_and_points_of_another_file_are_not_continued(self):
        steps = self.NAMED.replace("repeat: 2", "repeat: 12").replace("[13, 11]", "[24, 21]").replace("[0.2, 0.25]", "[0.11, 0.13]")
        sweep = steps.split("steps:")[0] + "sweep: [{key: normal.force, from: 5.0, to: 9.0, points: 60}]\n"
        for case in (steps, sweep):
            with self.subTest(case[-40:]), case_folder(case):
                self.write(1e-5, "p.txt", 24, 21)
                with running_case(1, "-o", "cut.h5") as process:
                    while process.poll() is None and not glob.glob("cut.h5.checkpoint/state-*.h5") + glob.glob(
                            "cut.h5.checkpoint/points-*.h5"):
                        time.sleep(0.005)
                    process.kill()
                    process.wait()
                self.assertFalse(os.path.exists("cut.h5"), "the case must last long enough to be killed in the middle")
                self.write(2e-5, "p.txt", 24, 21)
                self.refused("-o", "cut.h5")

    @machine.needs("h5py")
    def test_shards_of_other_files_are_not_merged_and_each_file_is_named(self):
        sweep = self.NAMED.split("steps:")[0] + "sweep: [{key: geometry.1.file, values: [p.txt, q.txt]}]\n"
        with case_folder(sweep):
            self.write(1e-5)
            self.write(3e-5, "q.txt")
            for shard in (1, 2):
                run_case("-q", "-o", f"{shard}.h5", "--shard", f"{shard}/2")
            run_case("-q", "-o", "whole.h5")
            self.assertEqual(call("merge", "merged.h5", "1.h5", "2.h5").returncode, 0)
            with h5py.File("merged.h5") as merged, h5py.File("whole.h5") as whole:
                named = merged["case_files"].asstr()[()].split("\n")
                self.assertEqual(sorted(named), sorted(whole["case_files"].asstr()[()].split("\n")))
                self.assertEqual([os.path.basename(line.split(" ", 2)[2]) for line in sorted(named, key=lambda line: line[-5:])],
                                 ["p.txt", "q.txt"])
                for line in named:
                    self.assertIn(line.split(" ", 2)[2], merged["case"].asstr()[()])
                names = [file["table/geometry.1.file"].asstr()[()].tolist() for file in (merged, whole)]
                self.assertEqual(names, [["p.txt", "q.txt"]] * 2)
            done = call("compare", "merged.h5", "whole.h5", "--tolerance", "1e-300")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            with open("case.yaml", "w", encoding="utf-8") as file:
                file.write(sweep.replace("values: [p.txt, q.txt]", "values: [p.txt, p.txt, q.txt]"))
            for shard in (1, 2, 3):
                run_case("-q", "-o", f"{shard}.h5", "--overwrite", "--shard", f"{shard}/3")
                self.write(2e-5)
            done = call("merge", "other.h5", "1.h5", "2.h5", "3.h5")
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"2\.h5: read other contents of \S*/p\.txt than 1\.h5; accepted: parts that read the same files")


if __name__ == "__main__":
    machine.run_tests(verbosity=2)
