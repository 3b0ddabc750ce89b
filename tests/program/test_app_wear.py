# SPDX-License-Identifier: Apache-2.0
"""Wear, heat and fatigue from the command line: a result's numbers, a loop of wear, what is refused."""
import json
import os
import unittest

import machine
from program import CASE, ROLLS, call, case_folder, errors_of, run_case, wheel_case

h5py, np = machine.modules("h5py", "numpy")

WORN = """schema: 1
units: N-mm-s
bodies:
  upper: {shear_modulus: 82000.0, poisson_ratio: 0.28}
  lower: {shear_modulus: 82000.0, poisson_ratio: 0.28}
friction: {coefficient: 0.3}
grid: {elements: [20, 24], extent: {x: [-7.0, 7.0], y: [-6.0, 6.0]}}
geometry:
  - {type: quadratic, xx: 0.0008, yy: 0.0015}
  - {type: profile, file: profile.txt}
normal: {force: 40000.0}
tangential: {problem: steady_rolling, x: {creepage: 0.01}, velocity: 20000.0}
wear: {law: archard, coefficient: 1.0e-4, hardness: 3000.0, passes: 2000}
fatigue: {shear_yield: 300.0}
heat:
  upper: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6}
  lower: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6, temperature: 20.0}
"""
WHEEL = wheel_case(keys=ROLLS.replace("y: 1.0,", "y: 1.0, yaw: 0.002,")) + """\
steps: [{}, {wheel_rail: {wheelset: {y: 2.0}}}]
wear: {law: archard, coefficient: 1.0e-4, hardness: 3000, passes: 500}
"""


def flat_profile():
    with open("profile.txt", "w", encoding="utf-8") as file:
        file.write("-10 0\n-5 0\n0 0\n5 0\n10 0\n")


def numbers(path):
    return json.loads(call("inspect", path, "--json").stdout)["steps"][-1]


class Wear(unittest.TestCase):
    def test_wear_that_differs_is_a_difference(self):
        # A depth is judged by depths, not by the contact's perimeter, nor T-gamma by the normal force.
        with case_folder(WORN):
            flat_profile()
            few = ("--set", "output={fields: none}")
            run_case("-o", "one.h5", *few)
            run_case("-o", "twice.h5", *few, "--set", "wear.coefficient=2.0e-4")
            self.assertEqual(call("compare", "one.h5", "one.h5").returncode, 0)
            done = call("compare", "one.h5", "twice.h5")
            self.assertEqual(done.returncode, 1)
            for name in ("worn_area", "max_wear_depth"):
                self.assertRegex(done.stdout, rf"(?m)^ *{name} .*NO")

    def test_numbers_agree_with_the_fields(self):
        with case_folder(WORN):
            flat_profile()
            run_case("-o", "out.h5")
            step = numbers("out.h5")
            with h5py.File("out.h5", "r") as file:
                group = file["steps/0001"]
                area = np.prod(file["grid"].attrs["spacing"])
                # Sums of 480 numbers, in another order.
                self.assertAlmostEqual(group["t_gamma_density"][()].sum() * area / step["t_gamma"], 1,
                                       12)
                self.assertAlmostEqual(group["friction_power_density"][()].sum() * area
                                       / -step["friction_power"], 1, 12)
                self.assertAlmostEqual(step["t_gamma_elements"] / -step["friction_power"] * 20000, 1,
                                       12)
                forces = (step["force_x"] * step["creepage_x"] + step["force_y"] * step["creepage_y"]
                          + step["moment_z"] * step["spin"])
                self.assertAlmostEqual(step["t_gamma"] / -forces, 1, 12)
                self.assertGreater(step["t_gamma_error"], 0)
                np.testing.assert_allclose(group["wear_profile"][()],
                                           2000 * group["wear_depth"][()].sum(axis=1), rtol=1e-13)
                self.assertAlmostEqual((step["heat_upper"] + step["heat_lower"])
                                       / -step["friction_power"], 1, 10)
                self.assertEqual(group["temperature_upper"].attrs["units"], "degrees")
                self.assertIn("temperature_upper", file["VTKHDF/CellData"])
            # Hertz's p_0 is the greatest pressure, to the share of an element's height.
            self.assertAlmostEqual(step["used_friction"] - step["surface_fatigue_index"], 300 / step["max_pressure"], 2)
            shown = call("inspect", "out.h5", "--map", "temperature_lower").stdout
            self.assertIn("surface_fatigue_index", shown)
            self.assertIn("temperature_lower: x from", shown)

    def test_a_loop_of_wear_flattens_the_contact(self):
        with case_folder(WORN):
            flat_profile()
            pressures, volume = [], 0.0
            for i in range(4):
                run_case("-o", f"worn{i}.h5")
                pressures.append(numbers(f"worn{i}.h5")["max_pressure"])
                volume += numbers(f"worn{i}.h5")["worn_area"]
                done = call("wear", f"worn{i}.h5", "--add-to", "profile.txt", "-o", "next.txt")
                self.assertEqual(done.returncode, 0, done.stderr)
                os.replace("next.txt", "profile.txt")
            self.assertEqual(pressures, sorted(pressures, reverse=True))
            self.assertLess(pressures[-1], 0.97 * pressures[0])
            profile = np.loadtxt("profile.txt")
            self.assertEqual(profile.shape[0], 24 + 5)
            # The profile holds the whole worn volume: it is 0 at the edges of the grid.
            means = (profile[1:, 1] + profile[:-1, 1]) / 2
            self.assertAlmostEqual((np.diff(profile[:, 0]) * means).sum() / volume, 1, 2)

    def test_wear_of_the_lower_body_goes_down_and_files_are_kept(self):
        with case_folder(WORN):
            flat_profile()
            run_case("-o", "out.h5")
            self.assertEqual(call("wear", "out.h5", "-o", "up.txt").returncode, 0)
            self.assertEqual(call("wear", "out.h5", "-o", "down.txt", "--of", "lower").returncode, 0)
            self.assertEqual(call("wear", "out.h5", "-o", "top.txt", "--of", "upper").returncode, 0)
            up, down, top = (np.loadtxt(name) for name in ("up.txt", "down.txt", "top.txt"))
            np.testing.assert_array_equal(up[:, 1], -down[:, 1])
            np.testing.assert_array_equal(top, down)  # both outwards from the body
            self.assertTrue((down[:, 1] == 0).any())
            with open("down.txt", encoding="utf-8") as file:
                self.assertNotIn("-0", [line.split()[-1] for line in file])
            self.assertGreater(up[:, 1].max(), 0)
            with open("mine.txt", "w", encoding="utf-8") as file:
                file.write("0 1\n1 1\n")
            mine = call("wear", "out.h5", "-o", "mine.txt", "--overwrite")
            self.assertEqual(mine.returncode, 2)
            with open("mine.txt", encoding="utf-8") as file:
                self.assertEqual(file.read(), "0 1\n1 1\n")
            again = call("wear", "out.h5", "-o", "up.txt")
            self.assertEqual(again.returncode, 2)
            self.assertEqual(len(errors_of(again)), 1)
            own = call("wear", "out.h5", "--add-to", "up.txt", "-o", "up.txt", "--overwrite")
            self.assertEqual(own.returncode, 2)

    def test_a_transient_sequence_wears_the_mean_over_its_distance(self):
        steps = """steps:
  - {tangential: {problem: transient_rolling, step: 0.7, x: {creepage: 0.01}, velocity: 20000}, repeat: 2}
  - {tangential: {problem: transient_rolling, step: 0.35, x: {creepage: 0.01}, velocity: 20000}}
"""
        with case_folder(WORN + steps):
            flat_profile()
            run_case("-o", "out.h5")
            self.assertEqual(call("wear", "out.h5", "-o", "mean.txt", "--mean").returncode, 0)
            mean = np.loadtxt("mean.txt")[:, 1]
            depths = []
            for step in "123":
                call("wear", "out.h5", "-o", f"{step}.txt", "--step", step)
                depths.append(np.loadtxt(f"{step}.txt")[:, 1])
            np.testing.assert_allclose(mean, (depths[0] + depths[1]) * 0.4 + depths[2] * 0.2, rtol=1e-12)
            self.assertGreater(depths[1].max(), depths[0].max())  # the first step still sticks
            both = call("wear", "out.h5", "-o", "none.txt", "--mean", "--step", "1")
            self.assertEqual(both.returncode, 2)
        for chosen in ("last", "[1, 2]"):
            with case_folder(WORN + steps + f"output: {{steps: {chosen}}}\n"):
                flat_profile()
                run_case("-o", "out.h5")
                some = call("wear", "out.h5", "-o", "mean.txt", "--mean")
                self.assertEqual(some.returncode, 2)
                self.assertIn(" of 3; accepted: ", errors_of(some)[0])

        with case_folder(WORN + steps + "output: {steps: [1, 2]}\n"):
            flat_profile()
            run_case("-o", "out.h5")
            said = call("wear", "out.h5", "-o", "two.txt")
            self.assertEqual(said.returncode, 0)
            self.assertIn("the wear is that of step 2, the last that the file holds, of 3", said.stderr)
            self.assertEqual(call("wear", "out.h5", "-o", "2.txt", "--step", "2").stderr, "")
            with open("turned.txt", "w", encoding="utf-8") as file:
                file.write("z y\n0 -10\n0 0\n0 10\n")
            call("wear", "out.h5", "-o", "added.txt", "--add-to", "turned.txt", "--step", "2")
            self.assertEqual(np.loadtxt("added.txt")[[0, -1]].tolist(), [[-10, 0], [10, 0]])

    def test_the_profiles_of_wheel_and_rail_wear_and_the_next_case_reads_them(self):
        with case_folder(WHEEL):
            run_case("-o", "out.h5")
            steps = json.loads(call("inspect", "out.h5", "--json").stdout)["steps"]
            for step in steps:  # what the wheelset has is what its contacts have
                self.assertAlmostEqual(step["worn_area"]
                                       / sum(contact["worn_area"] for contact in step["contacts"]), 1, 12)
            greatest = {side: max(step[f"{side}_max_wear_depth"] for step in steps)
                        for side in ("left", "right")}
            for of in ("rail", "wheel"):
                for side in ("left", "right"):
                    done = call("wear", "out.h5", "--of", of, "--side", side, "-o", f"{side}_{of}.txt")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn(f"points of the {side} {of}'s profile", done.stdout)
                    self.assertIn(f"the deepest contact {greatest[side]:.6g} mm", done.stdout)
            next_rail = "wheel_rail.rail={profile: left_rail.txt, right: {profile: right_rail.txt}}"
            run_case("-o", "next.h5", "--set", next_rail)
            self.assertEqual(call("wear", "out.h5", "--of", "rail", "--side", "left", "--step", "1", "-o", "one.txt")
                             .returncode, 0)
            for arguments, says in ((["--of", "rail"], "has both sides; accepted: --side left"),
                                    ([], "whose profiles wear; accepted: --of rail or --of wheel"),
                                    (["--of", "rail", "--side", "left", "--step", "3"], "there is no step 3")):
                done = call("wear", "out.h5", "-o", "none.txt", *arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(says, done.stderr)
                self.assertEqual(len(errors_of(done)), 1)
                self.assertFalse(os.path.exists("none.txt"))

    def test_steps_that_repeat_wear_as_the_same_steps_written_one_by_one(self):
        flat = WHEEL.replace("steps: [{}, ", "steps: [{}, {}, {}, ")
        with case_folder(WHEEL.replace("steps: [{}, ", "steps: [{repeat: 3}, ")):
            run_case("-o", "repeats.h5", "-q")
            with open("case.yaml", "w", encoding="utf-8") as file:
                file.write(flat)
            run_case("-o", "flat.h5", "-q")
            for step in ((), ("--step", "2"), ("--step", "4")):
                texts = []
                for name in ("repeats", "flat"):
                    done = call("wear", f"{name}.h5", "--of", "rail", "--side", "right", "-o", f"{name}.txt", "--overwrite", *step)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    texts.append(np.loadtxt(f"{name}.txt"))
                np.testing.assert_array_equal(texts[0], texts[1])
            run_case("-o", "last.h5", "-q", "--set", "output.steps=last")
            self.assertEqual(call("wear", "last.h5", "--of", "rail", "--side", "right", "--step", "4", "-o", "last.txt").returncode, 0)
            np.testing.assert_array_equal(np.loadtxt("last.txt"), texts[1])
            done = call("wear", "last.h5", "--of", "rail", "--side", "right", "-o", "none.txt")
            self.assertEqual(done.returncode, 2)
            self.assertIn("the sum over the steps needs all of them, and the file has 1 of 4; accepted: --step 4", done.stderr)
            run_case("-o", "two.h5", "-q", "--set", "output.steps=[1, 2]")
            done = call("wear", "two.h5", "--of", "rail", "--side", "right", "-o", "none.txt")
            self.assertEqual(done.returncode, 2)
            self.assertIn("and the file has 2 of 4; accepted: --step 2", done.stderr)

    def test_rounds_of_wear_continue_from_the_worn_profiles(self):
        """Each round names the profiles of the round before."""
        with case_folder(WHEEL.replace("side: both", "side: right").replace("passes: 500", "passes: 5000")):
            chosen, worn, depths = [], [], []
            for i in range(3):
                run_case("-o", f"worn{i}.h5", *chosen)
                depths.append(numbers(f"worn{i}.h5")["max_wear_depth"])
                for of in ("rail", "wheel"):
                    done = call("wear", f"worn{i}.h5", "--of", of, "-o", f"{of}{i}.txt")
                    self.assertEqual(done.returncode, 0, done.stderr)
                chosen = ["--set", f"wheel_rail.rail={{profile: rail{i}.txt}}", "--set", f"wheel_rail.wheel={{profile: wheel{i}.txt}}"]
                worn.append(np.loadtxt(f"rail{i}.txt"))
            y = np.linspace(-25.0, 25.0, 2001)  # the head: z points down, so what is worn has a greater z
            heights = [np.interp(y, table[:, 0], table[:, 1]) for table in worn]
            second, third = heights[1] - heights[0], heights[2] - heights[1]
            for change, depth in ((second, depths[1]), (third, depths[2])):
                self.assertGreater(change.max(), 0.8 * depth)
                self.assertLess(change.max(), 2.5 * depth)  # two steps, whose contacts overlap
            self.assertLess(abs(np.delete(second, np.flatnonzero(abs(y - y[second.argmax()]) < 12.0))).max(), 0.1 * second.max())

    def test_what_cannot_be_worn_is_one_sentence(self):
        with case_folder():
            run_case("-o", "out.h5")
            done = call("wear", "out.h5", "-o", "worn.txt")
            self.assertEqual(done.returncode, 2)
            self.assertIn("has no wear", done.stderr)
            self.assertFalse(os.path.exists("worn.txt"))
            done = call("wear", "out.h5", "-o", "worn.txt", "--of", "rail")
            self.assertEqual(done.returncode, 2)
            self.assertIn("the case has no wheel_rail", done.stderr)
            with open("case.yaml", "w", encoding="utf-8") as file:
                file.write(CASE + "wear: {law: t_gamma, density: 7.85e-6}\n")
            done = call("run", "case.yaml")
            self.assertEqual(done.returncode, 2)
            self.assertIn("and entry 1 of the steps does not; accepted: rolling along x", done.stderr)

    def test_shifts_wear_each_place_and_add_up(self):
        with case_folder(CASE + "wear: {law: archard, coefficient: 1.0e-4, hardness: 3000}\n"):
            run_case("-o", "out.h5")
            steps = json.loads(call("inspect", "out.h5", "--json").stdout)["steps"]
            total = 0.0
            for step in steps:
                total += step["friction_work"]
                self.assertAlmostEqual(step["friction_work_total"], total, delta=1e-12 * abs(total))
            self.assertGreater(steps[-1]["worn_volume"], steps[0]["worn_volume"])
            with h5py.File("out.h5") as file:
                worn = file[f"steps/{len(steps):04d}/wear_depth_total"][:]
                self.assertAlmostEqual(worn.max(), steps[-1]["max_wear_depth"], delta=1e-12 * worn.max())
                np.testing.assert_allclose(worn, sum(step["wear_depth"][:] for step in file["steps"].values()), rtol=1e-12, atol=0.0)
            done = call("wear", "out.h5", "-o", "worn.txt")
            self.assertEqual(done.returncode, 2)
            self.assertIn("wears no profile but each place by itself; accepted: its field wear_depth_total", done.stderr)


if __name__ == "__main__":
    machine.run_tests()
