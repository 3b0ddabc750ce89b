# SPDX-License-Identifier: Apache-2.0
"""compare: whatever two results store is compared, and what only one of them has is named."""
import json
import shutil
import unittest

import machine
from kinds import KINDS, contact, with_keys, ROLLS, SHIFT
from program import call, case_folder, run_case, wheel_case

h5py = machine.module("h5py")

POINTS = "sweep: [{key: normal.force, values: [60, 100]}]\n"


def compared(*arguments):
    done = call("compare", *arguments, "--json")
    return done.returncode, json.loads(done.stdout)


def names_beyond(differences, tolerance=1e-5):
    """The names whose difference counts: of fields or of totals."""
    return {name for name, found in differences.items() if found["of_kin"] is None or found["of_kin"] > tolerance}


class Compare(unittest.TestCase):
    def check_differing(self, first, second, totals=(), fields=(), **changes):
        """Two runs of cases, or of one with other settings: they differ in these alone, and not from themselves."""
        with case_folder(first):
            run_case("-o", "a.h5", "-q")
            with open("case.yaml", "w", encoding="utf-8") as file:
                file.write(second)
            run_case("-o", "b.h5", "-q")
            for path in ("a.h5", "b.h5"):
                self.assertEqual(call("compare", path, path, "--tolerance", "1e-300").returncode, 0)
            code, document = compared("a.h5", "b.h5")
            step = document["steps"][-1] if "steps" in document else document
            self.assertEqual(names_beyond(step.get("totals", {})), set(totals))
            self.assertEqual(names_beyond(step.get("fields", {})), set(fields))
            self.assertEqual(set(step.get("of_one", [])), set(changes.get("of_one", ())))
            self.assertEqual(code, 1 if totals or fields else 0)
            self.assertIn("DIFFERENT" if totals or fields else "equal", call("compare", "a.h5", "b.h5").stdout)

    def test_the_velocity_counts(self):
        self.check_differing(contact(ROLLS), contact(ROLLS.replace("velocity: 1000", "velocity: 5000")),
                             totals=("rolling_velocity", "friction_power", "friction_power_error"),
                             fields=("relative_slip_velocity_x", "relative_slip_velocity_y"))

    @machine.needs("h5py")
    def test_a_motion_found_for_a_force_counts(self):
        force = "{problem: shift, x: {force: %s}}"
        few = "output: {fields: none}\n"
        with case_folder(contact(force % 10, more=few)):
            run_case("-o", "a.h5", "-q")
            shutil.copy("a.h5", "b.h5")
            with h5py.File("b.h5", "r+") as file:
                file["steps/0001"].attrs["shift_x"] *= 1.01
            code, document = compared("a.h5", "b.h5")
            self.assertEqual((code, names_beyond(document["steps"][0]["totals"])), (1, {"shift_x"}))

    def test_what_only_one_has_is_named(self):
        self.check_differing(contact(ROLLS, more="output: {spots: true, fields: [pressure, gap]}\n"),
                             contact(ROLLS, more="output: {fields: [pressure]}\n"),
                             of_one=("gap", "contact_area", "contact_area_corrected", "contact_perimeter", "contact_spots",
                                     "largest_spot_area", "mean_gap", "open_along_x", "open_along_y"))

    @machine.needs("h5py")
    def test_the_inside_of_the_bodies_counts(self):
        inside = "interior: {body: lower, depths: [0.02, %s], quantities: [von_mises, stress_zz]}\n"
        with case_folder(contact(SHIFT, more=inside % 0.06)):
            run_case("-o", "a.h5", "-q")
            shutil.copy("a.h5", "b.h5")
            with h5py.File("b.h5", "r+") as file:
                file["steps/0001/interior/lower/stress_zz"][...] *= 1.001
            code, document = compared("a.h5", "b.h5")
            self.assertEqual((code, names_beyond(document["steps"][0]["fields"])), (1, {"interior/lower/stress_zz"}))
            for other in ("interior.depths.1=0.08", "interior.depths=[0.02, 0.04, 0.06]"):
                run_case("-o", "b.h5", "-q", "--overwrite", "--set", other)
                self.assertEqual(call("compare", "a.h5", "b.h5").returncode, 1, other)

    @machine.needs("h5py")
    def test_fields_of_rows_and_derivatives_count(self):
        worn = KINDS["wear, heat and fatigue"] + "output: {sensitivities: true}\n"
        with case_folder(worn):
            run_case("-o", "a.h5", "-q")
            for name in ("wear_profile", "surface_fatigue_along_y", "sensitivities", "approach_sensitivities", "temperature_upper"):
                shutil.copy("a.h5", "b.h5")
                with h5py.File("b.h5", "r+") as file:
                    file[f"steps/0001/{name}"][...] *= 1.01
                code, document = compared("a.h5", "b.h5")
                self.assertEqual(code, 1, name)
                self.assertIn(name, names_beyond(document["steps"][0]["fields"]))

    @machine.needs("h5py")
    def test_each_number_and_field_that_a_file_stores_counts(self):
        left_out = {"seconds", "residual", "matrix_products", "matrix_products_coarse", "iterations_normal", "iterations_outer",
                    "iterations_tangential"}
        by_velocity = {"friction_power", "friction_power_error"}  # the reader multiplies the work and its error by the velocity
        off_middle = KINDS["steady rolling"].replace("x: [-0.21, 0.21], y: [-0.21, 0.21]", "x: [-0.18, 0.24], y: [-0.2, 0.22]")
        with case_folder(off_middle):  # no number is 0 by symmetry
            run_case("-o", "a.h5", "-q")
            with h5py.File("a.h5", "r") as file:
                numbers = [name for name, value in file["steps/0001"].attrs.items() if not isinstance(value, str) and value != 0]
                fields = [name for name, data in file["steps/0001"].items() if getattr(data, "ndim", 0) == 2]
            self.assertGreater(len(numbers), 25)
            for name in numbers:
                if name in ("rolling_step", "rolling_velocity"):  # the reader computes others from them
                    continue
                shutil.copy("a.h5", "b.h5")
                with h5py.File("b.h5", "r+") as file:
                    attributes = file["steps/0001"].attrs
                    attributes[name] = attributes[name] * 2
                found = names_beyond(compared("a.h5", "b.h5")[1]["steps"][0]["totals"])
                self.assertEqual(found - by_velocity, {name} - left_out - by_velocity, name)
            for name in fields:
                shutil.copy("a.h5", "b.h5")
                with h5py.File("b.h5", "r+") as file:
                    data = file[f"steps/0001/{name}"]
                    data[...] = data[...] // 2 if data.dtype.kind == "u" else data[...] * 2
                self.assertEqual(compared("a.h5", "b.h5")[0], 1, name)

    def test_a_run_and_the_same_run_as_a_point_of_a_sweep_are_judged_by_the_same_scales(self):
        point = "sweep=[{key: bodies.upper.poisson_ratio, values: [0.3]}]"
        for kind in ("steady rolling", "shift", "wear, heat and fatigue", "adhesion"):
            with self.subTest(kind), case_folder(KINDS[kind]):
                for name, force in (("a", "100"), ("b", "100.1")):
                    run_case("-o", f"{name}.h5", "-q", "--set", f"normal.force={force}")
                    run_case("-o", f"{name}s.h5", "-q", "--set", f"normal.force={force}", "--set", point)
                run = compared("a.h5", "b.h5")[1]["steps"][-1]["totals"]
                sweep = compared("as.h5", "bs.h5")[1]["totals"]
                both = set(run) & set(sweep)
                self.assertGreater(len(both), 15)
                self.assertEqual(set(sweep) - both, set())
                for name in sorted(both):
                    self.assertAlmostEqual(run[name]["of_kin"], sweep[name]["of_kin"], msg=name,
                                           delta=1e-3 * run[name]["of_kin"] + 1e-13)  # points are solved together, each to the tolerance

    @machine.needs("h5py")
    def test_the_work_of_a_step_has_its_digits_however_short_the_step_is(self):
        for part in (1, 50):
            with self.subTest(part), case_folder(contact(with_keys(ROLLS, f"step: {0.028 / part}"))):
                run_case("-o", "a.h5", "-q")
                shutil.copy("a.h5", "b.h5")
                with h5py.File("b.h5", "r+") as file:
                    self.assertAlmostEqual(file["steps/0001"].attrs["rolling_step"], 0.028 / part)
                    file["steps/0001"].attrs["friction_work"] *= 1.0001
                code, document = compared("a.h5", "b.h5")
                found = document["steps"][0]["totals"]
                self.assertEqual((code, names_beyond(found)), (1, {"friction_work", "friction_power"}))
                for name in ("friction_work", "friction_power"):
                    self.assertAlmostEqual(found[name]["of_kin"], 1e-4, delta=1e-8)

    def test_another_problem_is_a_difference(self):
        with case_folder(contact(SHIFT)):
            run_case("-o", "a.h5", "-q")
            run_case("-o", "b.h5", "-q", "--set", "tangential={problem: none}")
            self.assertEqual(compared("a.h5", "b.h5")[1]["steps"][0]["problems"], "shift and none")
            self.assertEqual(call("compare", "a.h5", "b.h5").returncode, 1)

    @machine.needs("h5py")
    def test_contacts_of_a_wheel_count(self):
        wheel = wheel_case("right", keys="spacing: [1, 1], wheelset: {y: 1.0, yaw: 0.002, velocity: {x: 2000}}, vertical_force: 20000")
        with case_folder(wheel):
            run_case("-o", "a.h5", "-q")
            shutil.copy("a.h5", "b.h5")
            self.assertEqual(call("compare", "a.h5", "b.h5", "--tolerance", "1e-300").returncode, 0)
            with h5py.File("b.h5", "r+") as file:
                file["steps/0001/contacts/1/traction_y"][...] *= -1
            code, document = compared("a.h5", "b.h5")
            self.assertEqual((code, names_beyond(document["fields"])), (1, {"contacts: traction_y"}))
            self.assertRegex(call("compare", "a.h5", "b.h5").stdout, r"contacts: traction_y .* NO\n")

    @machine.needs("h5py")
    def test_points_of_a_sweep_count_with_their_fields_and_steps(self):
        sequence = contact(SHIFT, more="steps: [{}, {tangential: {x: {shift: -2.0e-4}}}]\n" + POINTS + "output: {fields: [pressure, traction_x]}\n")
        with case_folder(sequence):
            run_case("-o", "a.h5", "-q")
            for place, name in (("0002", "traction_x"), ("0001", "pressure")):
                shutil.copy("a.h5", "b.h5")
                with h5py.File("b.h5", "r+") as file:
                    file[f"points/0002/steps/{place}/{name}"][...] *= 1.01
                code, document = compared("a.h5", "b.h5")
                self.assertEqual((code, document["fields"][name]["point"], names_beyond(document["fields"])), (1, 2, {name}))
            shutil.copy("a.h5", "b.h5")
            with h5py.File("b.h5", "r+") as file:
                file["points/0002/steps/0001"].attrs["force_x"] *= 1.01
            code, document = compared("a.h5", "b.h5")
            self.assertEqual((code, names_beyond(document["totals"])), (1, {"force_x"}))

    def test_columns_of_one_sweep_alone_are_named(self):
        tired = contact(ROLLS, more="fatigue: {shear_yield: 300}\n" + POINTS)
        with case_folder(tired):
            run_case("-o", "a.h5", "-q")
            with open("case.yaml", "w", encoding="utf-8") as file:
                file.write(tired.replace("fatigue: {shear_yield: 300}\n", ""))
            run_case("-o", "b.h5", "-q")
            code, document = compared("a.h5", "b.h5")
            self.assertEqual(code, 0)
            self.assertIn("shakedown_reserve", document["of_one"])
            self.assertIn("of one file alone, and not compared: ", call("compare", "a.h5", "b.h5").stdout)

    def test_numbers_that_only_rounding_keeps_from_0_do_not_count(self):
        with case_folder(contact(with_keys(SHIFT, "duration: 0.1").replace("1.0e-4", "0.0").replace("3.0e-5", "0.0"))):
            run_case("-o", "a.h5", "-q")
            run_case("-o", "b.h5", "-q", "--set", "solver.normal=active_set_cg")
            self.assertEqual(call("compare", "a.h5", "b.h5").returncode, 0, call("compare", "a.h5", "b.h5").stdout)

    def test_fields_of_as_many_elements_at_other_places_are_not_compared(self):
        with case_folder(contact(SHIFT)):
            run_case("-o", "a.h5", "-q")
            run_case("-o", "b.h5", "-q", "--set", "grid.extent={x: [-0.2, 0.23], y: [-0.21, 0.21]}")
            document = compared("a.h5", "b.h5", "--tolerance", "0.1")[1]
            self.assertFalse(document["steps"][0]["one_grid"])

    @machine.needs("h5py")
    def test_earlier_steps_of_a_swept_wheel_count_where_both_have_them(self):
        wheel = wheel_case("right", keys="spacing: [1, 1], wheelset: {y: 1.0, yaw: 0.002, velocity: {x: 2000}}, vertical_force: 20000")
        text = wheel + "steps: [{}, {}]\nsweep: [{key: wheel_rail.wheelset.y, values: [1.0, 2.0]}]\noutput: {fields: [pressure]}\n"
        with case_folder(text):
            run_case("-o", "all.h5", "-q")
            run_case("-o", "last.h5", "-q", "--set", "output.steps=last")
            code, document = compared("all.h5", "last.h5")
            self.assertEqual(code, 0)
            self.assertIn("steps of a point", document["of_one"])
            shutil.copy("all.h5", "b.h5")
            with h5py.File("b.h5", "r+") as file:
                file["points/0002/steps/0001"].attrs["track_force_x"] *= 1.01
            code, document = compared("all.h5", "b.h5")
            self.assertEqual((code, document["totals"]["track_force_x"]["point"]), (1, 2))

    def test_counts_of_elements_say_nothing_on_another_grid(self):
        with case_folder(contact(SHIFT)):
            run_case("-o", "a.h5", "-q")
            run_case("-o", "b.h5", "-q", "--set", "grid.elements=[31, 31]")
            code, document = compared("a.h5", "b.h5", "--tolerance", "0.1")
            self.assertFalse(document["steps"][0]["one_grid"])
            self.assertEqual(names_beyond(document["steps"][0]["totals"], 0.1), set(), code)

    def test_nor_do_they_in_a_sweep(self):
        for problem, work in ((SHIFT, True), (ROLLS, False)):
            with case_folder(contact(problem, more=POINTS)):
                for name, count in (("a.h5", 25), ("b.h5", 31)):
                    run_case("-o", name, "-q", "--set", f"grid.elements=[{count}, {count}]")
                code, document = compared("a.h5", "b.h5", "--tolerance", "0.2")
                self.assertEqual((code, names_beyond(document["totals"], 0.2)), (0, set()))
                self.assertFalse([name for name in (*document["totals"], *document.get("of_one", [])) if name.startswith("elements_")])
                self.assertEqual("friction_work" in document["totals"], work)
                self.assertIn("of other grids: totals without counts", call("compare", "a.h5", "b.h5", "--tolerance", "0.2").stdout)
                self.assertIn("elements_contact", compared("a.h5", "a.h5")[1]["totals"])

    def test_one_grid_given_by_other_words_is_one_grid(self):
        text = contact(SHIFT, more=POINTS)
        extent = "extent: {x: [-0.21, 0.21], y: [-0.21, 0.21]}"
        assert extent in text
        with case_folder(text):
            run_case("-o", "a.h5", "-q")
            for other in (extent.replace("0.21", "0.210"), "spacing: [0.028, 0.028]", extent + ", boundary: free"):
                with open("case.yaml", "w", encoding="utf-8") as file:
                    file.write(text.replace(extent, other))
                run_case("-o", "b.h5", "-q", "--overwrite")
                code, document = compared("a.h5", "b.h5")
                self.assertEqual((code, document["one_grid"]), (0, True), other)
                self.assertIn("elements_contact", document["totals"])
            run_case("-o", "b.h5", "-q", "--overwrite", "--set", "grid={elements: [15, 15], spacing: [0.03, 0.03]}")
            self.assertFalse(compared("a.h5", "b.h5", "--tolerance", "0.1")[1]["one_grid"])

    def test_the_work_of_a_steady_step_says_nothing_on_another_grid(self):
        def totals(*changes):
            for name, count in (("a.h5", 41), ("b.h5", 61)):
                run_case("-o", name, "-q", "--overwrite", "--set", f"grid.elements=[{count}, {count}]", *changes)
            return compared("a.h5", "b.h5", "--tolerance", "0.1")[1]["steps"][0]["totals"]

        with case_folder(contact(ROLLS)):
            found = totals()
            self.assertEqual(names_beyond(found, 0.1), set())
            self.assertLess(found["friction_power"]["of_kin"], 0.1)
            self.assertNotIn("friction_work", found)
            self.assertLess(totals("--set", "tangential.step=0.005")["friction_work"]["of_kin"], 0.1)

    def test_points_of_a_shard_are_compared_with_those_of_the_whole(self):
        with case_folder(contact(SHIFT, more="sweep: [{key: normal.force, from: 60, to: 100, points: 5}]\n")):
            run_case("-o", "whole.h5", "-q")
            run_case("-o", "part.h5", "-q", "--shard", "2/3")
            for pair in (("whole.h5", "part.h5"), ("part.h5", "whole.h5")):
                code, document = compared(*pair)
                self.assertEqual(code, 0, document)
                self.assertIn("points", " ".join(document["of_one"]))
            run_case("-o", "other.h5", "-q", "--shard", "2/3", "--set", "friction.coefficient=0.2")
            self.assertEqual(compared("whole.h5", "other.h5")[0], 1)
            run_case("-o", "other.h5", "-q", "--overwrite", "--set", "sweep.0.to=90")
            self.assertEqual(call("compare", "part.h5", "other.h5").returncode, 2)

    def test_wear_that_one_sweep_of_wheels_alone_has_is_no_difference(self):
        wear = "wear: {law: archard, coefficient: 1.0e-4, hardness: 3000, passes: 500}\n"
        sweep = "sweep: [{key: wheel_rail.wheelset.y, values: [0.5, 1.0]}]\n"
        with case_folder(wheel_case(side="right") + sweep):
            run_case("-o", "plain.h5", "-q")
            with open("case.yaml", "a", encoding="utf-8") as file:
                file.write(wear)
            run_case("-o", "worn.h5", "-q")
            for pair in (("plain.h5", "worn.h5"), ("worn.h5", "plain.h5")):
                code, document = compared(*pair)
                self.assertEqual(code, 0, document)
                self.assertIn("wear_profile", document["of_one"])
            run_case("-o", "finer.h5", "-q", "--set", "wheel_rail.spacing=[0.4, 0.35]")
            code, document = compared("worn.h5", "finer.h5", "--tolerance", "0.9")  # counts of elements differ
            self.assertEqual(code, 0, document)
            self.assertEqual(document["of_one"], ["wear_profile in another number of rows"])


if __name__ == "__main__":
    machine.run_tests()
