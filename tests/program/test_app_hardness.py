# SPDX-License-Identifier: Apache-2.0
"""Surfaces that yield, and spots, through the program: totals, fields, `expected:`, `compare`, what is refused."""
import json
import unittest

import machine
from program import BACKEND, call, case_folder, errors_of, run_case, wheel_case

h5py, np = machine.modules("h5py", "numpy")

HARDNESS = 1000.0
TOLERANCE = 1e-6  # the default of solver.tolerance
CASE = f"""schema: 1
title: a ball that flattens a plate
units: N-mm-s
bodies:
  upper: {{young_modulus: 210000, poisson_ratio: 0.3}}
  lower: {{young_modulus: 210000, poisson_ratio: 0.3, hardness: {HARDNESS}}}
friction: {{coefficient: 0.3}}
grid: {{elements: [33, 31], extent: {{x: [-0.25, 0.25], y: [-0.25, 0.25]}}}}
geometry: {{type: sphere, radius: 10}}
tangential: {{problem: none}}
output: {{spots: true}}
steps:
  - {{normal: {{force: 120}}}}
  - {{normal: {{force: 40}}}}
  - {{normal: {{force: 120}}}}
"""
ELASTIC = CASE.replace(f", hardness: {HARDNESS}", "")
AREA = (0.5 / 33) * (0.5 / 31)  # of an element


def steps_of(path):
    return json.loads(call("inspect", path, "--json").stdout)["steps"]


class Hardness(unittest.TestCase):
    def test_totals_count_the_elements_that_yield_and_the_fields_agree(self):
        with case_folder(CASE):
            printed = json.loads(run_case("-o", "out.h5", "--json").stdout)["steps"]
            steps = steps_of("out.h5")
            self.assertRegex(call("inspect", "out.h5", "--step", "1").stdout, r"\n  elements_yielding +\d")
            self.assertNotIn("elements_yielding", call("inspect", "out.h5", "--step", "2").stdout)
            with h5py.File("out.h5") as file:
                columns = {name: file["table"][name][:] for name in ("elements_yielding", "contact_area", "contact_spots")}
                for number, step in enumerate(steps, 1):
                    group = file[f"steps/{number:04}"]
                    pressure = group["pressure"][:]
                    yields = int((pressure >= (1.0 - TOLERANCE) * HARDNESS).sum())
                    self.assertEqual((step["elements_yielding"], printed[number - 1]["elements_yielding"]), (yields, yields))
                    self.assertAlmostEqual(step["contact_area"], (pressure > 0.0).sum() * AREA, delta=1e-12)
                    self.assertEqual((step["contact_spots"], step["open_along_x"]), (1, 1))
                    self.assertAlmostEqual(group["gap"][:][pressure > 0.0].max(), 0.0, delta=1e-9)
                deformed = [file[f"steps/{number:04}/permanent_deformation"][:] for number in (1, 2, 3)]
        self.assertGreater(steps[0]["elements_yielding"], 20)
        self.assertEqual(steps[1]["elements_yielding"], 0)  # relieved, it is elastic
        self.assertEqual(steps[2]["elements_yielding"], steps[0]["elements_yielding"])  # the same load again
        self.assertTrue(np.isnan(columns["elements_yielding"][1]))
        self.assertEqual(columns["elements_yielding"][0], steps[0]["elements_yielding"])
        self.assertEqual(list(columns["contact_spots"]), [1.0, 1.0, 1.0])
        np.testing.assert_array_equal(deformed[1], deformed[0])
        self.assertLess(np.abs(deformed[2] - deformed[0]).max(), 1e-5 * deformed[0].max())
        self.assertEqual(steps[0]["max_pressure"], HARDNESS)

    def test_expected_has_the_totals_of_both(self):
        expected = """expected:
  - {step: 1, quantity: max_pressure, value: 1000.0, tolerance: 0.001}
  - {step: 1, quantity: contact_spots, value: 1, tolerance: 0}
  - {step: 2, quantity: open_along_x, value: 1, tolerance: 0}
  - {step: 1, quantity: elements_yielding, value: COUNT}
"""
        with case_folder(CASE):
            run_case("-o", "out.h5")
            count = steps_of("out.h5")[0]["elements_yielding"]
        with case_folder(CASE + expected.replace("COUNT", str(count))):
            done = run_case("-o", "out.h5")
            self.assertNotIn("differ", done.stderr)
            self.assertEqual(done.stdout.count("  yes"), 4)
        with case_folder(CASE + expected.replace("COUNT", str(count + 1))):
            done = run_case("-o", "out.h5")
            self.assertRegex(done.stdout, r"elements_yielding .*  (NO|no)\b")
            self.assertIn("the results differ from the numbers the case expects", done.stderr)

    def test_expected_says_what_the_case_lacks(self):
        quantity = "expected: [{quantity: mean_gap, value: 1, tolerance: 1}]\n"
        with case_folder(CASE.replace("output: {spots: true}\n", "") + quantity):
            done = call("check", "case.yaml")
            self.assertEqual(done.returncode, 2)
            self.assertIn("expected.0.quantity: 'mean_gap' does not exist without 'output: {spots: true}'; accepted: a quantity of the "
                          "step, or a case with 'output: {spots: true}'", done.stderr)
        with case_folder(CASE + "expected: [{quantity: max_wear_depth, value: 1, tolerance: 1}]\n"):
            self.assertIn("'max_wear_depth' does not exist without 'wear'", call("check", "case.yaml").stderr)

    def test_compare_looks_at_the_deformation_and_at_the_spots(self):
        with case_folder(CASE):
            run_case("-o", "hard.h5")
            run_case("-o", "harder.h5", "--set", f"bodies.lower.hardness={1.01 * HARDNESS}")
            same = call("compare", "hard.h5", "hard.h5", "--json")
            self.assertEqual(same.returncode, 0)
            step = json.loads(same.stdout)["steps"][0]
            self.assertIn("permanent_deformation", step["fields"])
            self.assertIn("contact_area_corrected", step["totals"])
            differing = json.loads(call("compare", "hard.h5", "harder.h5", "--json").stdout)["steps"][0]
            self.assertGreater(differing["fields"]["permanent_deformation"]["relative"], 0.01)

    def test_compare_judges_totals_where_there_are_no_fields(self):
        with case_folder(CASE):
            run_case("-o", "a.h5", "--set", "output.fields=none")
            run_case("-o", "b.h5", "--set", "output.fields=none", "--set", "steps.0.normal.force=121")
            done = call("compare", "a.h5", "b.h5")
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("DIFFERENT", done.stdout)
            self.assertRegex(done.stdout, r"normal_force .*120 .*121 .*  NO")
            self.assertEqual(call("compare", "a.h5", "a.h5").returncode, 0)

    def test_a_force_that_the_planform_cannot_carry_is_refused(self):
        planform = CASE.replace("{type: sphere, radius: 10}", "[{type: planform, shape: circle, radius: 0.1}]")
        count = sum(np.hypot((i - 16) * 0.5 / 33, (j - 15) * 0.5 / 31) <= 0.1 for i in range(33) for j in range(31))
        most = HARDNESS * count * AREA
        with case_folder(planform.replace("force: 120", f"force: {1.001 * most}")):
            done = call("check", "case.yaml")
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"steps\.0\.normal\.force: the force \S+ is not less than what the hardness carries on the "
                                          rf"elements that can touch, {most:.6g}; accepted: a smaller force, or a larger grid")
        for method in ("bound_cg", "active_set_cg", "direct", "newton"):
            with case_folder(planform.replace("force: 120", f"force: {0.95 * most}").replace("force: 40", "force: 10")):
                run_case("-o", "out.h5", "--set", f"solver.normal={method}")
                self.assertLessEqual(steps_of("out.h5")[0]["max_pressure"], HARDNESS * (1.0 + 1e-6), method)

    def test_a_wheel_with_a_hardness_is_refused_at_its_section(self):
        with case_folder():
            self.assertEqual(call("new", "wheel").returncode, 0)
            with open("wheel.yaml", encoding="utf-8") as file:
                lines = file.read().splitlines()
            line = lines.index("wheel_rail:") + 1
            done = call("check", "wheel.yaml", "--set", "bodies.wheel.hardness=1000")
            self.assertEqual((done.returncode, len(errors_of(done))), (2, 1), done.stderr)
            self.assertIn(f"wheel.yaml:{line}:1: wheel_rail.problem: what has yielded would have to move on", done.stderr)


class Relatives(unittest.TestCase):
    """Messages that a newcomer met next to these."""

    def test_names_that_do_not_exist_get_the_near_ones_and_the_place_of_the_list(self):
        with case_folder(CASE):
            run_case("-o", "out.h5")
            for arguments, says in ((("export", "out.h5", "--quantities", "yielding"), "did you mean 'elements_yielding', "
                                     "'left_elements_yielding' or 'right_elements_yielding'? `slipfield"),
                                    (("inspect", "out.h5", "--map", "permanent"), "did you mean 'permanent_deformation'? `slipfield"),
                                    (("inspect", "out.h5", "--map", "banana"), 'no field "banana"; `slipfield info --fields` lists all')):
                done = call(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(says, done.stderr)
                self.assertLess(len(done.stderr), 300)
            listed = call("info", "--fields").stdout
            for name in ("elements_yielding", "permanent_deformation", "force_ratio_x", "rolling_radius", "contact_angle"):
                self.assertIn(f"| `{name}` |", listed)

    def test_export_says_which_steps_there_are(self):
        with case_folder(CASE):
            run_case("-o", "out.h5")
            done = call("export", "out.h5", "--step", "7")
            self.assertEqual(done.returncode, 2)
            self.assertIn("out.h5: its table has no row of step 7; accepted: step 1 to 3", done.stderr)

    def test_a_contact_of_too_many_elements_and_one_that_runs_off_a_profile_say_so(self):
        with case_folder(wheel_case("right", "spacing: [0.001, 0.001], wheelset: {velocity: {x: 2000}}, vertical_force: 80000")):
            done = call("run", "case.yaml", "--backend", BACKEND)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"a contact of \S+ x \S+ mm has more than a million elements of 0\.001 x 0\.001 mm; accepted: "
                                          r"a wider spacing of the elements, or a smaller load")
            self.assertEqual(call("new", "wheel").returncode, 0)
            where = ("--set", "wheel_rail.wheelset.yaw=0.001", "--set")
            done = call("run", "wheel.yaml", "--backend", BACKEND, *where, "wheel_rail.wheelset.y=-60")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("reaches the end of a profile, where the rest of it is missing", done.stderr)
            done = call("run", "wheel.yaml", "--overwrite", "--backend", BACKEND, *where, "wheel_rail.wheelset.y=-90")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("reaches the end of a profile, where the rest of it is missing", done.stderr)
            self.assertRegex(done.stderr, r"the greatest pressure, \S+ N/mm\^2, is \d+ GPa, above the 10 GPa that steel")
            done = call("run", "wheel.yaml", "--overwrite", "--backend", BACKEND, *where, "wheel_rail.wheelset.y=-94")
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertRegex(done.stderr, r"the profile of the rail ends where the two touch, at y = \S+ mm: it has no gauge face there that "
                                          r"could carry 80000 N; accepted: a rail whose profile continues there, or another wheelset\.y")



if __name__ == "__main__":
    machine.run_tests()
