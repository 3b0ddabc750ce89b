# SPDX-License-Identifier: Apache-2.0
"""slipfield run of a sweep: the table, its file, and how a sweep ends early. Most of its
time goes into sweeps that last long enough to be killed."""
import glob
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import machine
from program import (BACKEND, CASE, PROGRAM, call, case_folder, errors_of, killed_after, write,
                     repeats_within, rounds, run_case, running_case)

KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else rounds(6)
SWEEP = CASE.replace("steps:\n  - {repeat: 2}\n  - {tangential: {x: {force_ratio: -0.875}}}\n", """\
sweep:
  - {key: tangential.x.force_ratio, from: -0.2, to: -0.8, points: 4}
  - {key: normal.force, values: [5.0, 9.0]}
""")
SLOW = SWEEP.replace("[13, 11]", "[64, 60]").replace("[0.2, 0.25]", "[0.04, 0.05]").replace(
    "points: 4", "points: 4000")
# mu F_n reaches the force only in some points: the approach is given, so the reader cannot know F_n.
UNREACHED = SWEEP.replace("normal: {force: 9.1954}", "normal: {approach: 0.02}").replace("{force_ratio: -0.5}", "{force: -0.5}").replace(
    "key: tangential.x.force_ratio, from: -0.2, to: -0.8", "key: tangential.x.force, from: -0.5, to: -50.0").replace(
    "{key: normal.force, values: [5.0, 9.0]}", "{key: friction.coefficient, values: [0.4, 0.5]}")


def strict_json(text):
    def refuse(token):
        raise ValueError(f"{token} is not JSON")
    return json.loads(text, parse_constant=refuse)


class Sweeps(unittest.TestCase):
    def setUp(self):
        assert "sweep:" in SWEEP and "[64, 60]" in SLOW

    def run_sweep(self, *arguments, code=0):
        done = call("run", "case.yaml", "--backend", "cpu", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_table_and_json_tell_the_same(self):
        with case_folder(SWEEP):
            text = self.run_sweep("-o", "text.h5").stdout
            self.assertIn("sweep of 8 points", text)
            self.assertIn("8 points: 8 converged", text)
            self.assertIn("results: text.h5", text)
            document = strict_json(self.run_sweep("--json").stdout)
            self.assertEqual(document["outcome"], "converged")
            self.assertEqual(document["keys"], ["tangential.x.force_ratio", "normal.force"])
            self.assertEqual(document["shape"], [4, 2])
            self.assertEqual([point["point"] for point in document["points"]], list(range(1, 9)))
            for point in document["points"]:
                # Forces are prescribed, so the totals must be those asked for.
                self.assertAlmostEqual(point["normal_force"], point["inputs"]["normal.force"],
                                       delta=1e-5 * 9.0)
                self.assertAlmostEqual(point["force_ratio_x"],
                                       point["inputs"]["tangential.x.force_ratio"], delta=1e-5)
            rows = [line.split() for line in text.splitlines() if line.endswith(" converged")]
            self.assertEqual([row[0] for row in rows if row[0].isdigit()][:8],
                             [str(i) for i in range(1, 9)])
            inspected = strict_json(call("inspect", "case.h5", "--json").stdout)
            self.assertEqual(inspected["points"], document["points"])
            self.assertIn("8 points: 8 converged", call("inspect", "case.h5").stdout)

    def test_a_sweep_does_not_depend_on_how_many_points_run_at_a_time(self):
        with case_folder(SWEEP):
            self.run_sweep("-o", "a.h5", "--jobs", "1")
            self.run_sweep("-o", "b.h5", "--jobs", "5")
            done = call("compare", "a.h5", "b.h5", "--tolerance", "1e-15")
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("equal within", done.stdout)

    def test_a_point_alone_is_an_ordinary_run_with_the_same_numbers(self):
        with case_folder(SWEEP):
            table = strict_json(self.run_sweep("--json").stdout)["points"]
            alone = strict_json(self.run_sweep("--point", "6", "-o", "p.h5", "--json").stdout)
            for name in ("force_x", "shift_x", "approach", "elements_slip"):
                self.assertEqual(alone["steps"][-1][name], table[5][name])
            resolved = call("check", "case.yaml", "--point", "6").stdout
            self.assertNotIn("sweep", resolved)
            self.assertIn("-0.6", resolved)
            self.assertEqual(call("check", "case.yaml", "--point", "9").returncode, 2)
            whole = call("check", "case.yaml")
            self.assertIn("valid in 8 points", whole.stderr)
            with open("again.yaml", "w", encoding="utf-8") as file:
                file.write(whole.stdout)
            self.assertEqual(call("check", "again.yaml").stdout, whole.stdout)

    def test_fields_of_points_on_request(self):
        with case_folder(SWEEP + "output: {fields: [pressure, element_division]}\n"):
            self.run_sweep()
            point = call("inspect", "case.h5", "--point", "3")
            self.assertEqual(point.returncode, 0, point.stderr)
            self.assertIn("13 x 11 elements", point.stdout)
            self.assertEqual(call("compare", "case.h5", "case.h5", "--point", "3").returncode, 0)
            refused = call("inspect", "case.h5", "--map", "pressure")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("--point", refused.stderr)

    def test_a_wrong_point_stops_the_sweep_before_it_runs(self):
        with case_folder(SWEEP.replace("[5.0, 9.0]", "[5.0, -9.0]")):
            done = self.run_sweep(code=2)
            self.assertIn("case.yaml:14:39: normal.force: -9.0 is out of range", done.stderr)
            self.assertEqual(os.listdir(), ["case.yaml"])

    def test_an_existing_file_is_kept_unless_told_otherwise(self):
        with case_folder(SWEEP):
            self.run_sweep()
            before = os.path.getmtime("case.h5")
            self.assertIn("--overwrite", self.run_sweep(code=2).stderr)
            self.assertEqual(os.path.getmtime("case.h5"), before)
            self.run_sweep("--overwrite")

    def test_points_that_do_not_converge_are_marked_and_the_others_kept(self):
        with case_folder(UNREACHED):
            done = self.run_sweep("--json", code=1)
            points = strict_json(done.stdout)["points"]
            outcomes = [point["outcome"] for point in points]
            self.assertEqual(outcomes[0], "converged")
            self.assertEqual(outcomes[-1], "not_converged")
            self.assertIn("not below mu F_n", points[-1]["message"])
            self.assertIn("point 8", done.stderr)
            inspected = strict_json(call("inspect", "case.h5", "--json").stdout)
            self.assertEqual(inspected["outcome"], "not_converged")

    def test_an_interrupt_keeps_the_finished_points(self):
        with case_folder(SLOW):
            with subprocess.Popen([PROGRAM, "run", "case.yaml", "--backend", "cpu"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as process:
                for line in process.stdout:
                    if line.endswith(" converged\n"):
                        break
                process.send_signal(signal.SIGINT)
                _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 130, errors)
            self.assertEqual(sorted(os.listdir()), ["case.h5", "case.yaml"])
            document = strict_json(call("inspect", "case.h5", "--json").stdout)
            self.assertEqual(document["outcome"], "incomplete")
            outcomes = [point["outcome"] for point in document["points"]]
            self.assertEqual(outcomes[0], "converged")
            self.assertEqual(outcomes[-1], "not_run")
            self.assertIsNone(document["points"][-1]["force_x"])

    def test_a_full_disk_is_one_sentence_and_the_way_to_go_on(self):
        """A limit on the size of files imitates a full disk; threads that solve points close datasets that cannot be
        written."""
        case = SWEEP.replace("[13, 11]", "[40, 36]").replace("[0.2, 0.25]", "[0.07, 0.08]") + "output: {fields: [pressure]}\n"
        continued = 0
        for limit in range(60_000, 160_000, 20_000):
            def set_limit(size=limit):
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            with case_folder(case):
                done = call("run", "case.yaml", "--backend", "cpu", "--jobs", "2", preexec_fn=set_limit)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertEqual(len(errors_of(done)), 1, done.stderr)
                self.assertIn("could not be written: File too large", done.stderr)
                for line in done.stderr.splitlines():
                    self.assertRegex(line, "^(info|warning|error): ")
                if glob.glob("case.h5.checkpoint/points-*.h5"):
                    continued += 1
                    self.assertRegex(done.stderr, r"to continue: \S*slipfield run case.yaml .*--resume")
                    self.assertRegex(done.stderr, r"kept: [0-9]+ finished points? in case.h5.checkpoint")
                if glob.glob("case.h5*"):
                    again = call("run", "case.yaml", "--backend", "cpu", "--resume", preexec_fn=set_limit)
                    self.assertEqual(again.returncode, 3, again.stderr)
                    self.assertIn("to continue: ", again.stderr)
                    run_case("--resume")
        self.assertGreater(continued, 0)

    def test_points_that_did_not_converge_are_in_the_warnings_as_in_the_log(self):
        with case_folder(UNREACHED):
            done = self.run_sweep("--jobs", "1", code=1)
            said = [line.removeprefix("warning: ") for line in done.stderr.splitlines() if line.startswith("warning: ")]
            self.assertIn("point 8 (tangential.x.force = -50, friction.coefficient = 0.5): step 1 did not converge: ",
                          "".join(said))
            kept = strict_json(call("inspect", "case.h5", "--json").stdout)["warnings"]
            self.assertEqual(kept, said)
            for index in (1, 2, 3):
                call("run", "case.yaml", "--backend", "cpu", "--shard", f"{index}/3")
            call("merge", "merged.h5", *glob.glob("case-*-of-3.h5"))
            self.assertEqual(strict_json(call("inspect", "merged.h5", "--json").stdout)["warnings"], kept)

    def test_a_sweep_is_not_compared_as_a_case(self):
        with case_folder(SWEEP):
            done = call("compare", "case.yaml", "--backend", "cpu")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--point", done.stderr)
            done = call("compare", "case.yaml", "--backend", "cpu", "--point", "2")
            self.assertEqual(done.returncode, 2)
            self.assertIn("compared with itself", done.stderr)


class Completion(unittest.TestCase):
    def answers(self, *command):
        """What a shell prints, of a user with an empty home: some complain where they find none, or not the locale."""
        with tempfile.TemporaryDirectory() as home:
            environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
            done = subprocess.run(command, capture_output=True, text=True, check=True,
                                  env={**environment, "HOME": home, "LC_ALL": "C"})
        self.assertEqual(done.stderr, "")
        return done.stdout

    def complete(self, line):
        """What bash offers at the end of the line."""
        script = call("completion", "bash").stdout + f"""
COMP_WORDS=({line}); [[ "{line}" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _slipfield; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
        return self.answers("bash", "--norc", "-c", script).split()

    @machine.needs("bash")
    def test_commands_options_values_and_files(self):
        with case_folder():
            for name in ("out.h5", "notes.txt"):
                with open(name, "w", encoding="utf-8"):
                    pass
            os.mkdir("sub")
            self.assertLessEqual({"run", "check", "inspect", "plot", "compare", "bench", "info"},
                                 set(self.complete("slipfield ")))
            self.assertEqual(self.complete("slipfield ch"), ["check"])
            self.assertEqual(self.complete("slipfield run --over"), ["--overwrite"])
            self.assertEqual(self.complete("slipfield run --backend "), ["auto", "cpu", "cuda"])
            self.assertEqual(sorted(self.complete("slipfield run ")), ["case.yaml", "sub"])
            self.assertEqual(sorted(self.complete("slipfield inspect ")), ["out.h5", "sub"])
            self.assertEqual(self.complete("slipfield run case.yaml -o o"), ["out.h5"])
            self.assertIn("matvec", self.complete("slipfield bench "))
            self.assertEqual(self.complete("slipfield run --set "), [])
            self.assertEqual(self.complete("slipfield completion "), ["bash", "zsh", "fish"])

    @machine.needs("zsh")
    def test_zsh_is_offered_the_same(self):
        def complete(line):
            words = line.split() + [""] * line.endswith(" ")
            script = call("completion", "zsh").stdout.replace("if [[ $funcstack", "false && [[ $funcstack", 1).split(
                "false &&")[0] + """
compadd() { shift; print -l -- $@ }
_describe() { local -a list=(${(P)@[-1]}); print -l -- $list }
_files() { print -l -- "files $2" }
words=(%s); CURRENT=$#words; _slipfield
""" % " ".join(f"'{word}'" for word in words)
            return [line.split(":")[0] for line in self.answers("zsh", "-f", "-c", script).splitlines()]

        self.assertLessEqual({"run", "check", "schema"}, set(complete("slipfield ")))
        self.assertEqual(complete("slipfield run --backend "), ["auto", "cpu", "cuda"])
        self.assertIn("--overwrite", complete("slipfield run --"))
        self.assertEqual(complete("slipfield run "), ["files *.(yaml)"])
        self.assertIn("matvec", complete("slipfield bench "))

    @machine.needs("fish")
    def test_fish_is_offered_the_same(self):
        def complete(line):
            text = self.answers("fish", "--no-config", "-c", f"source slipfield.fish; complete -C '{line}'")
            return [word.split("\t")[0] for word in text.splitlines()]

        with case_folder():
            with open("slipfield.fish", "w", encoding="utf-8") as file:
                file.write(call("completion", "fish").stdout)
            self.assertLessEqual({"run", "check", "schema"}, set(complete("slipfield ")))
            self.assertEqual(sorted(complete("slipfield run --backend ")), ["auto", "cpu", "cuda"])
            self.assertEqual(complete("slipfield run --over"), ["--overwrite"])
            self.assertEqual(complete("slipfield run c"), ["case.yaml"])
            self.assertIn("matvec", complete("slipfield bench "))

    def test_every_command_explains_itself_with_examples(self):
        names = re.findall(r"^  (\w+) ", call("--help").stdout, re.M)
        self.assertIn("completion", names)
        for name in names:
            text = call(name, "--help").stdout
            self.assertIn("Examples:", text, name)
            self.assertIn("Exit codes:", text, name)


def sweep_of(rows):
    """2 points a row, that take some 10 ms each."""
    return SWEEP.replace("points: 4", f"points: {rows}").replace("[13, 11]", "[24, 21]").replace(
        "[0.2, 0.25]", "[0.11, 0.13]")


class Resumed(unittest.TestCase):
    """Sweeps that are interrupted at any moment, and resumed."""

    @classmethod
    def setUpClass(cls):
        cls.rows = repeats_within(2.0, sweep_of(4), least=7, most=9)
        cls.count = 2 * cls.rows
        cls.case = sweep_of(cls.rows)

    def points(self, path):
        document = strict_json(call("inspect", path, "--json").stdout)
        for point in document["points"]:
            del point["seconds"]
        return document["outcome"], document["points"]

    def same(self, first, second):
        self.assertEqual(self.points(first), self.points(second))
        done = call("compare", first, second, "--tolerance", "1e-300")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_killed_at_any_time_it_ends_with_the_bits_of_an_unbroken_one(self):
        random.seed(5)
        for fields in ("none", "[pressure, traction_x]"):
            flags = ("--set", f"output={{fields: {fields}}}")
            with self.subTest(fields), case_folder(self.case):
                begin = time.monotonic()
                run_case("-o", "whole.h5", "-q", *flags)
                whole_time = time.monotonic() - begin
                kills = 0
                while kills < KILLS:
                    patience = whole_time  # grows, where the machine is slower now than it was
                    while killed_after(random.uniform(0.1, 0.6) * patience, "--resume", "-o",
                                       "cut.h5", *flags):
                        kills += 1
                        patience *= 1.1
                        # a result is there when it is complete, not before
                        if os.path.exists("cut.h5"):
                            self.assertEqual(self.points("cut.h5")[0], "converged")
                    self.same("cut.h5", "whole.h5")
                    if fields != "none":
                        for point in (1, self.rows, self.count):
                            done = call("compare", "cut.h5", "whole.h5", "--point", point,
                                        "--tolerance", "1e-300")
                            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    os.remove("cut.h5")
                    self.assertEqual(sorted(os.listdir()), ["case.yaml", "whole.h5"])
                print(f"{kills} kills of a sweep of {self.count} points with fields {fields}")

    def test_after_ctrl_c_it_goes_on_from_the_unfinished_result(self):
        with case_folder(self.case):
            run_case("-o", "whole.h5", "-q")
            with running_case(5) as process:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=120)
            self.assertEqual(self.points("case.h5")[0], "incomplete")
            done = run_case("--resume")
            self.assertRegex(done.stderr, f"resumed: [0-9]+ of {self.count} points finished")
            self.same("case.h5", "whole.h5")
            done = run_case("--resume")
            self.assertIn("is complete: nothing to resume", done.stderr)
            self.assertIn(f"{self.count} points: {self.count} converged", done.stdout)

    def test_what_does_not_fit_is_refused_with_a_sentence(self):
        with case_folder(self.case):
            self.assertIn("begins with point 1", run_case("--resume", "-o", "new.h5").stderr)
            with running_case(5, "-o", "cut.h5") as process:
                process.kill()
            for flags, says in ((("--resume", "--set", "friction.coefficient=0.3"),
                                 "belongs to another case"),
                                ((), "--resume continues from them, --overwrite starts again")):
                done = call("run", "case.yaml", "--backend", BACKEND, "-o", "cut.h5", *flags)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(len(errors_of(done)), 1, done.stderr)
                self.assertIn(says, done.stderr)
            run_case("--overwrite", "-o", "cut.h5")
            self.assertEqual(sorted(os.listdir()), ["case.yaml", "cut.h5", "new.h5"])


class Values(unittest.TestCase):
    ROLLING = CASE.split("tangential:")[0] + "tangential: {problem: steady_rolling, x: {creepage: 0.001}}\n"

    def test_a_symmetric_range_has_its_zero(self):
        for end, points in ((0.003, 7), (0.1, 21), (7e-4, 15)):
            with case_folder(self.ROLLING + f"sweep: [{{key: tangential.x.creepage, from: -{end}, to: {end}, points: {points}}}]\n"):
                run_case("-o", "out.h5", "-q")
                values = [point["inputs"]["tangential.x.creepage"] for point in json.loads(call("inspect", "out.h5", "--json").stdout)["points"]]
                self.assertEqual(float(values[points // 2]), 0.0, values)

    def test_errors_are_columns_and_may_be_expected_where_they_are_estimated(self):
        sweep = "sweep: [{key: tangential.x.creepage, values: [0.001, 0.01]}]\noutput: {error_estimate: true}\n"
        with case_folder(self.ROLLING + sweep):
            run_case("-o", "out.h5", "-q")
            error = json.loads(call("inspect", "out.h5", "--json").stdout)["points"][1]["force_x_error"]
            expected = f"expected: [{{quantity: force_x_error, point: 2, value: {error}, tolerance: 1e-9}}]\n"
            write("case.yaml", self.ROLLING + sweep + expected)
            self.assertEqual(call("run", "case.yaml", "-o", "b.h5").returncode, 0)
            write("case.yaml", self.ROLLING + sweep.replace("true", "false") + expected)
            self.assertIn("'force_x_error' does not exist without 'output.error_estimate: true'", call("check", "case.yaml").stderr)
            write("case.yaml", self.ROLLING + "output: {spots: true}\nexpected: [{quantity: contact_spots, value: 1}]\n")
            self.assertEqual(call("check", "case.yaml").returncode, 0, call("check", "case.yaml").stderr)
        self.assertIn("`friction_work_error`", call("info", "--fields").stdout)
        self.assertIn("3 plastic", call("info", "--fields").stdout)


if __name__ == "__main__":
    machine.run_tests()
