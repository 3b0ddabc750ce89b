# SPDX-License-Identifier: Apache-2.0
"""Files that cannot be written or are in use, from outside: one sentence, the exit code, and what
is left."""
import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import unittest

import machine
from program import CASE, PROGRAM, call, case_folder, errors_of, run_case, running_case

MANY_STEPS = CASE.replace("repeat: 2", "repeat: 30").replace("[13, 11]", "[24, 20]")


@contextlib.contextmanager
def small_disk(kilobytes):
    """A file system of that size as the folder `disk`; yields why none can be mounted, or ""."""
    os.mkdir("disk")
    why = machine.tried(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", "disk"],
                        "no file system can be mounted", machine.first_line)
    try:
        yield why
    finally:
        if not why:
            subprocess.run(["umount", "disk"], check=True)


def as_another_user():
    """Options of call() for a user who may enter the current folder and run a copy of the program that lies in it,
    but nothing else there: the checkout may be in a folder that is closed to others. Or None, and why not."""
    copy = "./copy-of-the-program"
    shutil.copyfile(PROGRAM, copy)
    for path, mode in ((".", 0o755), (copy, 0o755), ("case.yaml", 0o644)):
        os.chmod(path, mode)
    options = {"executable": copy, "user": machine.ANOTHER_USER, "group": machine.ANOTHER_USER,
               "extra_groups": []}
    why = machine.tried([PROGRAM, "--version"], "the program cannot be run as another user", **options)
    return (None, why) if why else (options, "")


class Files(unittest.TestCase):
    def refused(self, *arguments, says, code=2, **options):
        done = call("run", "case.yaml", "--backend", "cpu", "-q", *arguments, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(len(errors_of(done)), 1, done.stderr)
        self.assertIn(says, done.stderr)
        return done

    def test_names_that_cannot_become_a_result(self):
        with case_folder():
            os.mkdir("folder")
            self.refused("-o", "folder", says="not a regular file")
            self.refused("-o", "folder/", says="names no file")
            self.refused("-o", "none/out.h5", says="there is no folder none")
            self.refused("-o", "case.yaml", says="the command reads this file")
            self.refused("-o", "case.yaml", "--resume", says="the command reads this file")
            self.refused("-o", "result.txt", says="accepted: names that end in .h5 or .hdf5")
            self.refused("-o", "result", says="accepted: names that end in .h5 or .hdf5")
            self.refused("-o", "/dev/null", "--overwrite", says="not a regular file")
            self.refused("-o", "x" * 300 + ".h5", says="too long")
            with open("taken.h5.checkpoint", "w", encoding="utf-8") as file:
                file.write("mine")
            self.refused("-o", "taken.h5", says="taken.h5.checkpoint: cannot be opened as a folder")
            self.assertEqual(sorted(os.listdir()), ["case.yaml", "folder", "taken.h5.checkpoint"])

    def test_results_that_cannot_be_reached(self):
        with case_folder():
            os.symlink("loop.h5", "loop.h5")
            for path, says in (("loop.h5", "Too many levels of symbolic links"),
                               ("x" * 300 + ".h5", "File name too long")):
                for command in (("inspect",), ("merge", "whole.h5")):
                    done = call(*command, path)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertEqual(len(errors_of(done)), 1, done.stderr)
                    self.assertIn(f"{path}: cannot be read ({says})", done.stderr)
                for options in ((), ("--resume",), ("--overwrite",)):
                    self.refused("-o", path, *options,
                                 says=f"{path}: cannot be written to ({says})")
            self.refused("-o", "x" * 240 + ".h5", says="at most 231 bytes")
            self.assertEqual(sorted(os.listdir()), ["case.yaml", "loop.h5"])

    def test_a_folder_that_may_not_be_written_to(self):
        options, why = {}, ""
        with case_folder():
            os.mkdir("locked")
            os.chmod("locked", 0o555)
            if machine.may_write_in("locked"):  # as root
                options, why = as_another_user()
            if why:
                self.skipTest(why)
            self.refused("-o", "locked/out.h5", says="cannot write into the folder locked: "
                         "Permission denied", **options)
            self.assertEqual(os.listdir("locked"), [])

    def test_a_disk_that_fills_up_loses_no_finished_step(self):
        with case_folder(MANY_STEPS), small_disk(700) as why:
            if why:
                self.skipTest(why)
            run_case("-q", "-o", "whole.h5")
            full = self.refused("-o", "disk/out.h5", says="could not be written", code=3)
            self.assertIn("No space left on device", full.stderr)
            again = self.refused("-o", "disk/out.h5", "--resume", says="could not be written",
                                 code=3)
            self.assertIn("No space left on device", again.stderr)
            subprocess.run(["mount", "-o", "remount,size=20m", "disk"], check=True)
            resumed = call("run", "case.yaml", "--backend", "cpu", "-o", "disk/out.h5", "--resume")
            self.assertEqual(resumed.returncode, 0, resumed.stderr)
            self.assertIn("resumed after step", resumed.stderr)
            told = full.stderr + again.stderr  # where it names what could be written, that stays
            left = {name for name in os.listdir("disk") if f"disk/{name}" not in told}
            self.assertLessEqual(left, {"out.h5"})
            same = call("compare", "whole.h5", "disk/out.h5", "--tolerance", "1e-300")
            self.assertEqual(same.returncode, 0, same.stdout)

    def test_a_result_that_is_open_elsewhere(self):
        with case_folder():
            run_case("-q")
            with open("case.h5", "rb") as reader:
                before = reader.read()
                run_case("-q", "--overwrite", "--set", "friction.coefficient=0.3")
                reader.seek(0)
                self.assertEqual(reader.read(), before)  # a reader of the old file keeps it
            with open("case.h5", "r+b") as writer:
                try:
                    fcntl.flock(writer, fcntl.LOCK_EX)  # as HDF5 locks a file that it writes
                except OSError as error:
                    self.skipTest(f"the file system of the temporary files has no locks ({error.strerror})")
                locking = {name: value for name, value in os.environ.items()
                           if name != "HDF5_USE_FILE_LOCKING"}  # some clusters switch it off
                done = call("inspect", "case.h5", env=locking)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(len(errors_of(done)), 1, done.stderr)
                self.assertIn("case.h5: the file cannot be opened", done.stderr)

    def test_a_checkpoint_that_was_removed_is_not_named(self):
        for name, says in (("state-", "the checkpoint has been removed, so --resume starts again"),
                           ("steps-0001-", "so --resume cannot continue, and --overwrite")):
            with self.subTest(name), case_folder(MANY_STEPS.replace("repeat: 30",
                                                                    "repeat: 100000")):
                with running_case(20) as process:
                    folder = "case.h5.checkpoint"
                    process.send_signal(signal.SIGSTOP)  # writes no further file
                    os.waitid(os.P_PID, process.pid, os.WSTOPPED)
                    removed = [file for file in os.listdir(folder) if file.startswith(name)]
                    self.assertTrue(removed, os.listdir(folder))
                    for file in removed:
                        os.remove(os.path.join(folder, file))
                    process.send_signal(signal.SIGINT)
                    process.send_signal(signal.SIGCONT)
                    _, log = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 130, log)
                named = re.search(r"--resume continues after step (\d+)", log)
                if named:  # it was stopped while it wrote the next one
                    self.assertIn(f"state-{int(named[1]):04}.h5", os.listdir(folder))
                else:
                    self.assertIn(says, log)
                self.assertTrue(name == "state-" or not named, log)

    def test_two_runs_of_one_name_the_second_is_refused_and_the_first_goes_on(self):
        with case_folder(MANY_STEPS.replace("repeat: 30", "repeat: 100000")):
            with running_case(2) as first:
                for flags in ([], ["--overwrite"], ["--resume"]):
                    self.refused(*flags, says="another run is writing this result")
                self.assertIsNone(first.poll())
                first.send_signal(signal.SIGINT)
                _, log = first.communicate(timeout=120)
            self.assertEqual(first.returncode, 130, log)
            file = json.loads(call("inspect", "case.h5", "--json").stdout)
            self.assertGreaterEqual(len(file["steps"]), 2)


if __name__ == "__main__":
    machine.run_tests(verbosity=2)
