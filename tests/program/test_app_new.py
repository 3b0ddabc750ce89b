# SPDX-License-Identifier: Apache-2.0
"""slipfield new: each case to begin with is valid without a warning, explained key by key, and overwrites nothing."""
import json
import os
import re
import unittest

import machine
from program import call, case_folder, errors_of

NAMES = ("hertz", "rolling", "rough", "wheel", "wheelset", "sweep")


def warnings_of(done):
    return [line for line in done.stderr.splitlines() if line.startswith("warning")]


class New(unittest.TestCase):
    def test_each_is_valid_and_explains_its_keys(self):
        with case_folder():
            for name in NAMES:
                done = call("new", name)
                self.assertEqual(done.returncode, 0, done.stderr)
                checked = call("check", f"{name}.yaml")
                self.assertEqual((checked.returncode, warnings_of(checked)), (0, []), f"{name}: {checked.stderr}")
                with open(f"{name}.yaml", encoding="utf-8") as file:
                    text = file.read()
                for section in ("units", "bodies", "friction", "grid", "normal", "wheel_rail", "sweep"):
                    if re.search(rf"^{section}:", text, re.M):
                        self.assertRegex(text, rf"(?m)^# .+\n{section}:", f"{name}: {section}")
                self.assertIn("# Also: ", text)

    def test_the_ball_has_the_pressure_of_hertz_and_the_wheel_carries_its_force(self):
        with case_folder():
            call("new", "hertz")
            done = call("run", "hertz.yaml", "-o", "1.h5", "--json")
            pressure = json.loads(done.stdout)["steps"][0]["max_pressure"]
            self.assertAlmostEqual(pressure, 1370.9, delta=5.0)  # 3 F/(2 pi a^2); 54 elements across
            call("new", "wheel")
            done = call("run", "wheel.yaml", "-o", "2.h5", "--json")
            self.assertAlmostEqual(json.loads(done.stdout)["steps"][0]["track_force_z"], 80000.0, delta=8.0)

    def test_files_that_are_there_and_names_that_are_not(self):
        with case_folder():
            with open("wheel_rail.txt", "w", encoding="utf-8") as file:
                file.write("0 0\n1 0\n")
            done = call("new", "wheel")
            self.assertEqual((done.returncode, len(errors_of(done))), (2, 1), done.stderr)
            self.assertFalse(os.path.exists("wheel.yaml"))
            self.assertEqual(call("new", "wheel", "--overwrite").returncode, 0)
            done = call("new")
            self.assertEqual(done.returncode, 2)
            self.assertIn("NAME is missing; accepted: hertz, rolling, rough, wheel, wheelset, sweep", done.stderr)
            done = call("new", "rollling")
            self.assertEqual(done.returncode, 2)
            self.assertIn("did you mean 'rolling'?", done.stderr)


if __name__ == "__main__":
    machine.run_tests()
