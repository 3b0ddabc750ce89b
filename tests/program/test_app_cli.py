# SPDX-License-Identifier: Apache-2.0
"""The program from outside: exit codes, stdout and stderr, and the files that it leaves. Some twenty runs are broken off by writes
that fail, each a little later."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import unittest

import machine
from program import (BACKEND, CASE, PROGRAM, UNCOUNTED, call, case_folder, run_case,
                     running_case, write)

MANY_STEPS = CASE.replace("repeat: 2", "repeat: 100000").replace("[13, 11]", "[40, 36]")
STEPS_OF_MANY = 100001


def strict_json(text):
    """One document, and none of the tokens that JSON does not have."""
    def refuse(token):
        raise ValueError(f"{token} is not JSON")
    return json.loads(text, parse_constant=refuse)


class CommandLine(unittest.TestCase):
    def refused(self, *arguments, says):
        done = call(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_mistakes_exit_2_with_one_sentence(self):
        with case_folder():
            self.refused("rum", "case.yaml", says='no command "rum"')
            self.refused("--fast", says='no option "--fast"')
            self.refused("run", says="error: CASE.yaml is missing (see slipfield run --help)")
            self.refused("run", "case.yaml", "--fast", says="--fast")
            self.refused("run", "case.yaml", "other.yaml", says="other.yaml")
            self.refused("run", "case.yaml", "--backend", "gpu",
                         says='--backend: "gpu" is not known; accepted: auto, cpu, cuda')
            self.refused("run", "case.yaml", "--device", "one", says="GPUs are numbered from 0")
            self.refused("run", "case.yaml", "--device", "0", "--backend", "cpu", says="uses none")
            self.refused("run", "case.yaml", "--device", "99", says="device 99: there is no such "
                                                                    "GPU; this machine shows ")
            self.refused("run", "case.yaml", "-q", "-v",
                         says="--quiet and --verbose exclude each other; accepted: one of them")
            self.refused("run", "missing.yaml", says="missing.yaml")
            self.refused("run", "case.yaml", "-o", "no/such/folder/out.h5", says="no folder")
            self.refused("inspect", "missing.h5", says="no such file")
            self.refused("inspect", "case.yaml", says="not an HDF5 file")
            self.refused("inspect", "out.h5", "--step", "0", says="accepted: 1 or more")
            self.refused("inspect", "out.h5", "--map", "heat", says='no field "heat"')
            self.refused("inspect", "out.h5", "--map", "presure", says="did you mean 'pressure'?")
            self.refused("inspect", "case.yaml", says="`slipfield run` makes the result of a case")
            self.assertEqual(os.listdir(), ["case.yaml"])

    def test_misspelt_options_and_commands_are_named_with_the_nearest(self):
        with case_folder():
            self.refused("run", "case.yaml", "--ouput", "a.h5",
                         says="there is no option \"--ouput\"; did you mean '--output'?")
            self.refused("inspct", "a.h5", says="did you mean 'inspect'?")
            self.refused("table", "mak", "-o", "a.h5",
                         says="there is no command \"table mak\"; did you mean 'make'?")
            self.refused("table", says="table needs a command; accepted: make, eval")
            self.refused("run", "case.yaml", "other.yaml",
                         says='"other.yaml" is one argument too many')
            self.refused("merge", "-o", "x.h5", says='there is no option "-o"; accepted: merge OUT.h5 PART.h5...')
            self.refused("run", "case.yaml", "--jobs", "0",
                         says='--jobs: "0" is not a number from 1 to 4096')
            self.refused("run", "case.yaml", "--jobs", "2",
                         says="--jobs: how many points of a sweep run at a time, and case.yaml has no sweep; accepted: "
                              "without --jobs")
            self.refused("check", "case.yaml", "--error", "5",
                         says='--error: "5" is not a number from 0.000001 to 0.1')
            self.refused("plot", "a.h5", "-o", "a.png", "--at", "1",
                         says="--at: 1 value given; accepted: at least 2, x,y")
            self.refused("plot", "a.h5", "-o", "a.png", "--at", "a,b",
                         says='--at: "a,b" is not understood; accepted: numbers x,y')
            self.refused("run", "case.yaml", "--set", says="--set: has no value; accepted: key.path")
            self.assertEqual(os.listdir(), ["case.yaml"])

    def test_a_variable_of_the_shell_without_a_value_is_told(self):
        with case_folder():
            for arguments, name in ((("run", ""), "CASE.yaml"), (("run", "case.yaml", "-o", ""), "--output"),
                                    (("inspect", ""), "OUT.h5"),
                                    (("interior", "a.h5", "-o", "b.h5", "--fatigue", ""),
                                     "--fatigue"),
                                    (("interior", "a.h5", "-o", "b.h5", "--depths", " "), "--depths"),
                                    (("table", "make", "-o", "a.h5", "--ratios", ""), "--ratios"),
                                    (("run", "case.yaml", "--set", ""), "--set")):
                self.refused(*arguments, says=f"{name}: is empty; accepted: ")
            self.assertEqual(os.listdir(), ["case.yaml"])

    def test_files_of_the_command_line_are_not_looked_for_next_to_a_case(self):
        with case_folder():
            self.assertEqual(run_case("-q").returncode, 0)
            for arguments in (("interior", "case.h5", "--points", "none.txt"),
                              ("plot", "none.prw", "-o", "a.png")):
                self.refused(*arguments, says="none")
                self.assertNotIn("case file", call(*arguments).stderr)

    def test_help_fits_its_width_and_has_no_words_of_the_parser(self):
        def commands(text):
            return re.findall(r"^  (\w[\w-]*) ", text.split("Options:")[0], re.M)
        paths = [[name] for name in commands(call("help").stdout)]
        self.assertIn(["run"], paths)
        paths += [[parent, name] for parent in ("table", "bench")
                  for name in commands(call("help", parent).stdout)]
        self.assertIn(["table", "make"], paths)
        for path in [[], *paths]:
            for columns in (60, 100):
                done = call("help", *path, env={**os.environ, "COLUMNS": str(columns)})
                self.assertEqual((done.returncode, done.stderr), (0, ""), path)
                if columns == 60:
                    self.assertEqual(done.stdout, call(*path, "--help", env={**os.environ, "COLUMNS": "60"}).stdout)
                self.assertTrue(done.stdout.startswith("Usage: slipfield"), path)
                long = [line for line in done.stdout.splitlines() if len(line) > max(columns, 80)
                        or len(line) > columns and not line.startswith("  ")]
                self.assertEqual(long, [], path)
                self.assertNotRegex(done.stdout, r"\b(TEXT|INT|UINT|FLOAT|REQUIRED)\b|Needs:|Excludes:|\[OPTIONS\]"
                                                 r"|SUBCOMMAND|Positionals", path)

    def test_the_program_alone_and_help_explain_themselves(self):
        for arguments in ((), ("help",)):
            done = call(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, call("--help").stdout)
            for part in ("Usage: slipfield COMMAND [options]", "Cases:", "  run  ", "Results:", "The program:"):
                self.assertIn(part, done.stdout)
            self.assertEqual(done.stdout.count("Results:"), 1)
        text = call("help", "run").stdout
        self.assertIn("Usage: slipfield run CASE.yaml [options]", text)
        self.assertIn("not with --devices", text)
        self.assertIn("--backend auto|cpu|cuda\n", text)
        self.assertLess(text.index("Output:"), text.index("The case:"))
        self.assertIn("Usage: slipfield plot OUT.h5 [OTHER.h5...] -o FIG.png|svg|pdf|gif|mp4 [options]\n",
                      call("help", "plot").stdout)
        self.refused("help", "rum", says="there is no command \"rum\"; did you mean 'run'?")
        self.refused("help", "table", "mak", says="there is no command \"table mak\"; did you mean 'make'?")
        self.refused("help", "run", "x", says='"x" is one argument too many: run has no commands')
        self.refused("manual", "rum", says="there is no command \"rum\"; did you mean 'run'?")

    def test_what_a_file_does_not_have_cannot_be_chosen(self):
        sweep = CASE.split("steps:")[0] + "sweep: [{key: normal.force, values: [4, 9]}]\n"
        with case_folder(sweep):
            run_case("-q", "-o", "sweep.h5")
            run_case("-q", "-o", "one.h5", "--point", "1")
            both = ("one.h5", "one.h5")
            for command in (("inspect", "one.h5"), ("compare", *both), ("export", "one.h5"),
                            ("interior", "one.h5", "--at", "0,0,1")):
                self.refused(*command, "--side", "up", says='there is no side "up"; accepted: left, right or both')
                self.refused(*command, "--side", "both", "--contact", "1", says="contacts belong to one wheel; accepted: left or right")
                for choice in (("--side", "left"), ("--contact", "1"), ("--contact", "2", "--side", "left")):
                    self.refused(*command, *choice, says="error: one.h5: this is the result of one contact, not a "
                                                         "wheel on a rail; accepted: no --side and no --contact")
                self.refused(*command, "--point", "1", says="error: one.h5: this is not a sweep, and has no points; "
                                                            "accepted: no --point")
            self.refused("plot", "one.h5", "-o", "a.png", "--contact", "1", says="one.h5: this is the result of one "
                         "contact, not a wheel on a rail; accepted: no --side and no --contact")
            self.refused("plot", "one.h5", "-o", "a.png", "--point", "1", says="one.h5: this is not a sweep")
            self.refused("wear", "one.h5", "-o", "worn.txt", "--point", "1", says="one.h5: this is not a sweep")
            self.refused("plot", "one.h5", "-o", "a.png", "--frame-rate", "2", says="error: a.png: --frame-rate is of an "
                         "animation; accepted: a name that ends with .gif or .mp4")
            self.refused("interior", "one.h5", "--at", "0,0,1", "--samples", "5",
                         says="error: --samples is the number of points of a line; accepted: with --line")
            for choice in (("--step", "1"), ("--side", "left"), ("--contact", "1")):
                self.refused("compare", "case.yaml", *choice, says="case.yaml: --step, --side and --contact are for two "
                             "results, and all steps of a case are compared; accepted with a case: --point, --set and "
                             "--backend")
            for command in ("inspect", "export"):
                self.refused(command, "sweep.h5", "--contact", "1", says="sweep.h5: this is a sweep over one contact, "
                             "not a wheel on a rail; accepted: no --side and no --contact")
            self.refused("inspect", "case.yaml", "--contact", "1", says="not an HDF5 file")
            self.refused("compare", "one.h5", "sweep.h5",
                         says="error: one.h5 is the result of one contact and sweep.h5 that of a sweep over one "
                              "contact; accepted: two results of one kind, a point of a sweep with --point, a contact "
                              "of a wheel with --contact")
            self.refused("export", "one.h5", "--quantities", "max_presure",
                         says="there is no quantity \"max_presure\"; did you mean 'max_pressure'? `slipfield info --fields` "
                              "lists all (see")
            self.refused("export", "one.h5", "--quantities", "zzz",
                         says='there is no quantity "zzz"; `slipfield info --fields` lists all (see')

    def test_help_and_version_exit_0(self):
        for arguments in (["--help"], ["run", "--help"], ["check", "--help"],
                          ["inspect", "--help"], ["info", "--help"], ["--version"]):
            done = call(*arguments)
            self.assertEqual(done.returncode, 0)
            self.assertTrue(done.stdout)
            self.assertEqual(done.stderr, "")

    def test_help_names_the_thing_before_what_has_it(self):
        """An option is "The wheel of a wheelset", not "Of a wheelset: this wheel"."""
        for command in ("run", "check", "plot", "inspect", "export", "compare", "interior", "wear", "report", "convert"):
            text = call(command, "--help").stdout
            self.assertIn("--help", text)
            self.assertEqual(re.findall(r"(?m)(?:^ {12,}|\S {2,})(Of [a-z].*)", text), [], command)
        for arguments in (("make",), ("eval",), ("export",), ("usetab",)):
            self.assertNotRegex(call("table", *arguments, "--help").stdout, r"(?m)(?:^ {12,}|\S {2,})Of [a-z]")

    def test_errors_are_json_where_json_was_asked_for(self):
        with case_folder():
            for arguments in (["run", "missing.yaml", "--json"], ["run", "--json"],
                              ["inspect", "case.yaml", "--json"]):
                done = call(*arguments)
                self.assertEqual(done.returncode, 2)
                document = strict_json(done.stdout)
                self.assertEqual(document["exit_code"], 2)
                self.assertTrue(document["error"])

    def test_info_tells_version_and_machine(self):
        document = strict_json(call("info", "--json").stdout)
        self.assertTrue(document["version"])
        self.assertIn("cpu", document["backends"])
        self.assertGreater(document["cpu"]["threads"], 0)
        if not document["cuda"]["devices"]:
            self.assertTrue(document["cuda"]["reason"])
        self.assertIn("HDF5", call("info").stdout)
        self.assertIn("| `pressure` | N/mm^2 |", call("info", "--fields").stdout)


class Check(unittest.TestCase):
    def test_the_resolved_case_is_a_case_again(self):
        with case_folder():
            first = call("check", "case.yaml", "--set", "friction.coefficient=0.3")
            self.assertEqual(first.returncode, 0, first.stderr)
            with open("resolved.yaml", "w", encoding="utf-8") as file:
                file.write(first.stdout)
            self.assertEqual(call("check", "resolved.yaml").stdout, first.stdout)
            self.assertIn("coefficient: 0.3", first.stdout)
            document = strict_json(call("check", "case.yaml", "--json").stdout)
            self.assertEqual(document["elements"], [13, 11])
            self.assertEqual(document["steps"], 3)
            values = document["values"]  # the resolved case by its keys
            self.assertEqual(list(values), re.findall(r"^(\w+):", document["resolved"], re.M))
            self.assertEqual((values["title"], values["schema"]), ("sphere on a plane, µ = 0.4", 1))
            self.assertEqual(values["grid"]["elements"], [13, 11])
            self.assertIs(values["output"]["spots"], False)
            named = strict_json(call("check", "case.yaml", "--json", "--set", "title='1.5'").stdout)["values"]
            self.assertEqual(named["title"], "1.5")  # text, as it is written

    def test_of_several_cases_each_is_said_to_be_valid_or_not(self):
        with case_folder():
            with open("wrong.yaml", "w", encoding="utf-8") as file:
                file.write(CASE.replace("friction:", "fricton:"))
            alone = call("check", "wrong.yaml").stderr
            done = call("check", "case.yaml", "wrong.yaml", "none.yaml", "case.yaml")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            valid = "info: case.yaml: the case is valid; 13 x 11 elements, 3 steps\n"
            self.assertEqual(done.stderr, valid + alone + call("check", "none.yaml").stderr + valid)
            cases = strict_json(call("check", "--json", "case.yaml", "wrong.yaml").stdout)
            self.assertEqual(cases[0], strict_json(call("check", "--json", "case.yaml").stdout))
            self.assertEqual((cases[1]["case"], cases[1]["valid"]), ("wrong.yaml", False))
            self.assertIn(cases[1]["error"], alone)
            self.assertEqual(call("check", "case.yaml", "case.yaml").returncode, 0)
            done = call("check", "case.yaml", "case.yaml", "--point", "1")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--point needs a single case; accepted with several: --set, --json", done.stderr)

    def test_a_wrong_case_exits_2_with_its_place(self):
        with case_folder(CASE.replace("friction:", "fricton:")):
            done = call("check", "case.yaml")
            self.assertEqual(done.returncode, 2)
            self.assertIn("case.yaml:7:", done.stderr)


class Run(unittest.TestCase):
    def test_a_run_writes_its_result_and_nothing_else(self):
        with case_folder():
            done = run_case()
            self.assertEqual(sorted(os.listdir()), ["case.h5", "case.yaml"])
            self.assertIn("results: case.h5", done.stdout)
            self.assertIn("backend: cpu", done.stderr)
            shown = call("inspect", "case.h5")
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn("outcome   converged", shown.stdout)
            *picture, legend = shown.stdout.splitlines()[-12:]
            self.assertTrue(all(len(row) == 13 and set(row) <= set(".*S") for row in picture))
            self.assertRegex(legend, r"^\. exterior \d+, \* adhesion \d+, S slip \d+ elements$")
            mapped = call("inspect", "case.h5", "--step", "1", "--map", "pressure")
            self.assertIn("9 = ", mapped.stdout)

    def test_json_is_one_document_with_the_numbers_of_the_file(self):
        with case_folder():
            ran = strict_json(run_case("-o", "out.h5", "--json").stdout)
            self.assertEqual(ran["outcome"], "converged")
            self.assertEqual(ran["results"], "out.h5")
            self.assertEqual([step["step"] for step in ran["steps"]], [1, 2, 3])
            file = strict_json(call("inspect", "out.h5", "--json").stdout)
            for in_run, in_file in zip(ran["steps"], file["steps"]):
                for name, value in in_run.items():
                    self.assertEqual(in_file[name], value, name)
            self.assertEqual(file["grid"]["elements"], [13, 11])
            self.assertTrue(file["steps"][0]["convergence"])
            mapped = strict_json(call("inspect", "out.h5", "--json", "--map", "gap").stdout)
            self.assertEqual([len(row) for row in mapped["map"]["values"]], [13] * 11)

    def test_sensitivities_are_printed_and_in_json(self):
        normal_only = CASE[:CASE.index("tangential:")]
        for case, rows, columns in (
                (normal_only, ["normal_force"], ["approach"]),
                (CASE, ["normal_force", "force_x", "force_y", "moment_z"],
                 ["shift_x", "shift_y", "rotation", "approach"])):
            with case_folder(case + "output: {sensitivities: true}\n"):
                lines = run_case().stdout.splitlines()
                head = next(i for i, line in enumerate(lines) if line.split()[:1] == ["d/d"])
                self.assertEqual(lines[head].split(), ["d/d", *columns])
                table = [line.split() for line in lines[head + 1:head + 1 + len(rows)]]
                self.assertEqual([line[0] for line in table], rows)
                step = strict_json(run_case("--json", "--overwrite").stdout)["steps"][0]
                self.assertEqual("sensitivities" in step, len(rows) == 4)
                approach = step["approach_sensitivities"]
                self.assertEqual(len(approach), 4)
                for line, value in zip(table, approach):
                    self.assertEqual(line[-1], f"{value:.6g}")

    def test_infinite_values_become_null_in_json(self):
        punch = CASE.replace("{type: quadratic, xx: 0.01, yy: 0.01}",
                             "{type: punch, shape: circle, radius: 0.8}")
        with case_folder(punch):
            run_case()
            done = call("inspect", "case.h5", "--json", "--map", "undeformed_distance")
            self.assertIsNone(strict_json(done.stdout)["map"]["values"][0][0])

    def test_the_last_step_has_a_name(self):
        with case_folder():
            run_case("-o", "out.h5")
            run_case("-o", "short.h5", "--set", "steps=[{}, {}]")
            shown = {step: call("inspect", "out.h5", "--step", step, "--json").stdout for step in ("3", "last")}
            self.assertEqual(shown["last"], shown["3"])
            step = strict_json(shown["last"])["steps"]
            self.assertEqual([(each["step"], "number" in each) for each in step], [(3, False)])
            for command in (("inspect", "out.h5"), ("export", "out.h5"), ("compare", "out.h5", "out.h5")):
                last, third = (call(*command, "--step", step) for step in ("last", "3"))
                self.assertEqual((last.returncode, last.stdout), (0, third.stdout), last.stderr)
            unequal = call("compare", "out.h5", "short.h5", "--step", "last")
            self.assertEqual(unequal.returncode, 2)
            self.assertIn("--step last: the last step of out.h5 is 3, of short.h5 2; accepted: the number", unequal.stderr)
            self.assertIn('"final" is not a step; accepted: 1 or more, or last', call("inspect", "out.h5", "--step", "final").stderr)

    def test_an_existing_result_is_replaced_only_when_asked(self):
        with case_folder():
            run_case("--set", "title=precious")
            done = call("run", "case.yaml", "--backend", "cpu")
            self.assertEqual(done.returncode, 2)
            self.assertIn("exists already", done.stderr)
            self.assertIn("precious", call("inspect", "case.h5").stdout)
            run_case("--overwrite")
            self.assertNotIn("precious", call("inspect", "case.h5").stdout)
            self.assertEqual(sorted(os.listdir()), ["case.h5", "case.yaml"])

    def test_output_settings_choose_steps_and_fields(self):
        with case_folder():
            run_case("--set", "output.steps=last", "--set", "output.fields=[pressure]")
            file = strict_json(call("inspect", "case.h5", "--json").stdout)
            self.assertEqual([step["step"] for step in file["steps"]], [3])
            self.assertEqual(file["steps"][0]["fields"], ["pressure"])

    def test_expected_numbers_that_differ_are_a_warning(self):
        expected = ("expected:\n"
                    "  - {quantity: force_ratio_x, value: %s, tolerance: 1.0e-4, step: 1}\n")
        with case_folder(CASE + expected % "-0.5"):
            done = call("run", "case.yaml", "--backend", "cpu")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("force_ratio_x", done.stdout)
        with case_folder(CASE + expected % "-0.6"):
            done = call("run", "case.yaml", "--backend", "cpu", "--json")
            self.assertEqual(done.returncode, 0)
            self.assertFalse(strict_json(done.stdout)["expected"][0]["within"])
            self.assertIn("differ", done.stderr)
            self.assertIn("case.h5", os.listdir())

    def test_expected_numbers_are_skipped_where_set_changes_the_case(self):
        says = "expected values are skipped: --set changes the case"
        expected = "expected:\n  - {quantity: force_ratio_x, value: -0.6, tolerance: 1.0e-4, step: 1}\n"
        with case_folder(CASE + expected):
            done = call("run", "case.yaml", "--backend", "cpu", "--set", "friction.coefficient=0.3")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr.count(says), 1, done.stderr)
            self.assertNotIn("NO", done.stdout)
            self.assertNotIn("differ", done.stderr)
            # these change nothing that is computed
            done = run_case("--overwrite", "--set", "title=other", "--set", "solver.tangential=gauss_seidel")
            self.assertNotIn(says, done.stderr)
            self.assertIn("differ", done.stderr)
            # and this says what is expected now
            done = run_case("--overwrite", "--set", "friction.coefficient=0.3", "--set", "expected.0.value=-0.5")
            self.assertNotIn(says, done.stderr)
            self.assertIn("yes", done.stdout)

    def test_quiet_leaves_stderr_empty_and_verbose_tells_iterations(self):
        with case_folder():
            self.assertEqual(run_case("-q").stderr, "")
            self.assertIn("iteration", run_case("-v", "--overwrite").stderr)

    @machine.needs("/dev/full")
    def test_full_stdout_is_an_error_but_the_results_are_there(self):
        with case_folder(), open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "run", "case.yaml", "--backend", "cpu"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=300)
            self.assertEqual(done.returncode, 3)
            self.assertIn("standard output", done.stderr)
            self.assertEqual(call("inspect", "case.h5").returncode, 0)


    def test_a_write_that_fails_keeps_the_finished_steps(self):
        # A limit on the size of files imitates a full disk; one step takes about 30 kB,
        # its coordinates and the series 30 more.
        finished = set()
        with case_folder():
            for limit in range(1000, 180000, 9000):
                def set_limit(size=limit):
                    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                done = call("run", "case.yaml", "--backend", "cpu", preexec_fn=set_limit,
                            env=UNCOUNTED)
                if done.returncode == 0:
                    break
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("could not be written: File too large", done.stderr)
                shutil.rmtree("case.h5.checkpoint", ignore_errors=True)
                for left in set(os.listdir()) - {"case.yaml"}:
                    if left == "case.h5":
                        file = strict_json(call("inspect", left, "--json").stdout)
                        self.assertEqual(file["outcome"], "incomplete")
                        finished.add(len(file["steps"]))
                    else:  # even the last few bytes found no place
                        self.assertIn(f"what could be written is in {left}", done.stderr)
                    os.remove(left)
            self.assertEqual(done.returncode, 0)
        self.assertEqual(finished, {1, 2})


class Interrupted(unittest.TestCase):
    def interrupt(self, *arguments, by=signal.SIGINT):
        """A signal when the second step's line has come."""
        with running_case(2, *arguments) as process:
            process.send_signal(by)
            _, log = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 128 + by, log)
        self.assertIn("finished steps in case.h5", log)
        self.assertTrue(log.endswith(" --resume\n"), log)
        self.assertIn(f"info: to continue: {PROGRAM} run case.yaml --backend {BACKEND}", log)
        self.assertEqual(sorted(os.listdir()), ["case.h5", "case.h5.checkpoint", "case.yaml"])
        return strict_json(call("inspect", "case.h5", "--json").stdout)

    def assert_table_of(self, normal_forces):
        """/table of the incomplete file has all that was computed, a row a step."""
        h5py = machine.module("h5py")
        if h5py is None:
            self.skipTest("h5py is missing")
        with h5py.File("case.h5", "r") as file:
            table = {name: column[:] for name, column in file["table"].items()}
        self.assertEqual(table["step"].tolist(), list(range(1, len(normal_forces) + 1)))
        self.assertEqual(table["normal_force"].tolist(), normal_forces)
        self.assertEqual({len(column) for column in table.values()}, {len(normal_forces)})

    def test_finished_steps_are_kept(self):
        with case_folder(MANY_STEPS):
            file = self.interrupt()
            self.assertEqual(file["outcome"], "incomplete")
            self.assertGreaterEqual(len(file["steps"]), 2)
            last = file["steps"][-1]["step"]
            self.assert_table_of([step["normal_force"] for step in file["steps"]])
            for command in (("interior", "case.h5", "--at", "0,0,-0.5"), ("export", "case.h5")):
                taken = call(*command)
                self.assertEqual(taken.returncode, 0, taken.stderr)
                self.assertEqual(taken.stderr.count("warning:"), 1, taken.stderr)
                self.assertIn(f"case.h5: the run did not finish; the file ends with step {last} of "
                              f"{STEPS_OF_MANY}; {STEPS_OF_MANY - last} steps are missing",
                              taken.stderr)

    def test_check_says_what_was_checked(self):
        """Between cases, and within a sweep of many points."""
        with case_folder(MANY_STEPS):
            points = ", ".join(f"0.{100000 + k}" for k in range(40000))
            write("sweep.yaml", MANY_STEPS + f"sweep:\n  - {{key: friction.coefficient, values: [{points}]}}\n")
            for cases in (["case.yaml"] * 3000, ["case.yaml", "sweep.yaml"]):
                with subprocess.Popen([PROGRAM, "check", *cases], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                    self.assertIn("info: case.yaml: the case is valid", process.stderr.readline())
                    process.send_signal(signal.SIGINT)
                    _, log = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130, log[-300:])
                self.assertRegex(log, rf"error: interrupted: (\d+) of {len(cases)} cases checked, \1 valid; the next one is {cases[-1]}\n\Z")
            with subprocess.Popen([PROGRAM, "check", "--json", "none.yaml", "sweep.yaml"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                self.assertIn("none.yaml", process.stderr.readline())
                process.send_signal(signal.SIGINT)
                documents, log = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, log)
            first, last = strict_json(documents)  # of several cases a list, interrupted or not
            self.assertEqual((first["case"], first["valid"], last["exit_code"]), ("none.yaml", False, 130))
            self.assertIn(f"error: {last['error']}\n", log)

    def test_the_end_of_the_terminal_and_of_a_batch_job_keep_them_too(self):
        for by in (signal.SIGHUP, signal.SIGTERM, signal.SIGXCPU):
            with self.subTest(by), case_folder(MANY_STEPS):
                self.assertEqual(self.interrupt(by=by)["outcome"], "incomplete")

    def test_what_the_caller_ignores_is_ignored(self):
        with case_folder(MANY_STEPS.replace("100000", "50")):
            def nohup():
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
            with subprocess.Popen([PROGRAM, "run", "case.yaml", "--backend", BACKEND],
                                  stdout=subprocess.PIPE, text=True, preexec_fn=nohup) as process:
                process.stdout.readline()
                process.send_signal(signal.SIGHUP)
                process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0)
            self.assertEqual(sorted(os.listdir()), ["case.h5", "case.yaml"])

    def test_the_newest_step_is_kept_where_only_the_last_was_asked_for(self):
        with case_folder(MANY_STEPS):
            file = self.interrupt("--set", "output.steps=last", "--overwrite")
            self.assertEqual(len(file["steps"]), 1)
            self.assertGreaterEqual(file["steps"][0]["step"], 2)


    def test_the_command_that_resumes_can_be_copied(self):
        with case_folder(MANY_STEPS.replace("100000", "150")):
            os.rename("case.yaml", "my case.yaml")
            with subprocess.Popen([PROGRAM, "run", "my case.yaml", "--backend", BACKEND, "-o", "it's.h5", "--set",
                                   "title=two words", "--overwrite", "--verbose"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as process:
                for line in process.stdout:
                    if line.split()[:1] == ["5"]:
                        break
                process.send_signal(signal.SIGINT)
                _, log = process.communicate(timeout=120)
            command = log.splitlines()[-1].removeprefix("info: to continue: ")
            self.assertNotIn("--overwrite", command)
            done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, command + done.stderr)
            self.assertIn("resumed after step", done.stderr)
            file = strict_json(call("inspect", "it's.h5", "--json").stdout)
            self.assertEqual((file["title"], file["outcome"]), ("two words", "converged"))


if __name__ == "__main__":
    machine.run_tests(verbosity=2)
