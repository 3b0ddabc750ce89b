# SPDX-License-Identifier: Apache-2.0
"""The numbers of a result in all places that show them: its attributes and table, inspect, export, compare, the report, the figures
and `run --json`, for a case of every kind. A number that one of them has, all have, with the same digits."""
import csv
import io
import json
import os
import re
import sys
import unittest

import machine
from kinds import KINDS
from program import call, case_folder, run_case, wheel_case

h5py, np = machine.modules("h5py", "numpy")

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "app", "python"))

# They describe the motion, not its result.
OF_THE_MOTION = {"rolling_direction", "rolling_step", "rolling_velocity", "shift_duration"}
# Left out of a file where they are 0.
ONLY_POSITIVE = {"elements_plastic", "elements_yielding", "adhesive_force", "shear_strength", "first_order_rows"}
# `compare` leaves these out.
OF_THE_WAY = {"iterations_normal", "iterations_tangential", "iterations_outer", "matrix_products", "matrix_products_coarse", "residual",
              "seconds"}
INSIDE = ("max_von_mises", "max_tresca")  # of the interior's own group


def plain(numbers):
    """Numbers by their names, without those that are missing."""
    return {name: float(value) for name, value in numbers.items()
            if isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and value == value
            and not (name in ONLY_POSITIVE and value == 0) and name not in OF_THE_MOTION and not name.startswith(INSIDE)}


def of_json(step):
    return plain({name: value for name, value in step.items() if name != "step"})


def of_file(path):
    with h5py.File(path, "r") as file:
        return [plain(step.attrs) for step in file["steps"].values()]


def of_table(path):
    with h5py.File(path, "r") as file:
        columns = {name: data[()] for name, data in file["table"].items() if data.dtype.kind == "f"}
        return [plain({name: values[row] for name, values in columns.items()}) for row in range(len(file["table/row"]))]


def of_export(path, *arguments):
    rows = csv.DictReader(io.StringIO(call("export", path, *arguments).stdout))
    known = ("step", "outcome", "side", "contact")
    return [plain({name.split(" [")[0]: float(value) for name, value in row.items() if value and name not in known}) for row in rows]


def of_long_export(path):
    steps = {}
    for row in csv.DictReader(io.StringIO(call("export", path, "--long").stdout)):
        steps.setdefault(row["step"] if "step" in row else "1", {})[row["quantity"]] = float(row["value"])
    return [plain(step) for step in steps.values()]


def of_comparison(path):
    document = json.loads(call("compare", path, path, "--json").stdout)
    assert document["equal"] and not any("of_one" in step for step in document["steps"]), document
    return [plain({name: total["a"] for name, total in step["totals"].items()}) for step in document["steps"]]


def of_figures(path):
    from slipfield.figures.view import open_view
    with open_view(path) as view:
        return [plain(step.totals) for step in view.steps]


def shown_names(text):
    return {name for name in re.findall(r"(?m)^  ([a-z][a-z_]+) +[-\d]\S* ", text) if not name.startswith(INSIDE)}


class Numbers(unittest.TestCase):
    maxDiff = None

    def check_kind(self, case):
        with case_folder(case):
            ran = json.loads(run_case("-o", "out.h5", "--json").stdout)["steps"]
            in_file = of_file("out.h5")
            self.assertEqual([of_json(step) for step in ran], in_file)
            self.assertEqual(of_table("out.h5"), in_file)
            self.assertEqual([of_json(step) for step in json.loads(call("inspect", "out.h5", "--json").stdout)["steps"]], in_file)
            self.assertEqual(of_export("out.h5"), in_file)
            self.assertEqual(of_long_export("out.h5"), in_file)
            self.assertEqual(of_figures("out.h5"), in_file)
            self.assertEqual(of_comparison("out.h5"),
                             [{name: value for name, value in step.items() if name not in OF_THE_WAY} for step in in_file])
            shown = shown_names(call("inspect", "out.h5", "--step", "1").stdout)
            self.assertLessEqual({"approach", "max_pressure"}, shown)
            self.assertLessEqual(shown, set(in_file[0]))
            # Resuming a complete result and looking inside the bodies leave the numbers as they are.
            again = json.loads(run_case("-o", "out.h5", "--resume", "--json").stdout)["steps"]
            self.assertEqual([of_json(step) for step in again], in_file)
            self.assertEqual(call("interior", "out.h5", "-o", "inside.h5", "--depths", "0.05", "--quantities", "von_mises").returncode, 0)
            self.assertEqual(of_file("inside.h5"), in_file)

    def test_force_ratios_and_t_gamma_are_where_they_mean_something(self):
        def numbers(kind):
            with case_folder(KINDS[kind]):
                run_case("-o", "out.h5", "-q")
                return of_file("out.h5")[-1]

        for kind in ("shear strength", "shear strength alone", "no friction"):
            with self.subTest(kind), case_folder(KINDS[kind]):
                shown = json.loads(run_case("-o", "out.h5", "--json").stdout)["steps"]
                for step in (*of_file("out.h5"), *shown):
                    self.assertNotIn("force_ratio_x", step)  # a null neither
        self.assertEqual(numbers("shear strength")["shear_strength"], 50)
        sticky = numbers("adhesion")
        bound = sticky["friction_coefficient"] * (sticky["normal_force"] + sticky["adhesive_force"])
        self.assertGreater(sticky["adhesive_force"], 0)
        self.assertEqual(sticky["force_ratio_x"], sticky["force_x"] / bound)
        for kind in ("extra slip", "half of the spin's slip", "transient rolling"):
            self.assertNotIn("t_gamma", numbers(kind), kind)
        self.assertGreater(numbers("steady rolling")["t_gamma"], 0)

    def test_the_numbers_of_a_wheelset_and_its_contacts_are_the_same_everywhere(self):
        wheels = wheel_case(keys="spacing: [1, 1], wheelset: {y: 1.0, yaw: 0.002, velocity: {x: 2000}}, vertical_force: 20000")
        with case_folder(wheels):
            run_case("-o", "out.h5", "-q")
            rows = of_table("out.h5")
            self.assertEqual(of_export("out.h5"), rows)
            with h5py.File("out.h5", "r") as file:
                step = file["steps/0001"]
                whole = plain(step.attrs)
                self.assertEqual({name: whole[name] for name in rows[0]}, rows[0])
                contacts = [plain({name: value for name, value in contact.attrs.items() if name != "contact"})
                            for contact in step["contacts"].values()]
            self.assertEqual(len(contacts), 2)
            self.assertEqual(contacts, [rows[2], rows[4]])
            self.assertIn("force_ratio_x", contacts[0])
            for number, contact in enumerate(contacts, 1):
                alone = json.loads(call("inspect", "out.h5", "--contact", number, "--json").stdout)["steps"][0]
                own = of_json(alone)
                self.assertEqual({name: contact[name] for name in own}, own)

    def test_the_points_of_a_sweep_have_the_numbers_of_their_own_runs(self):
        rolls = KINDS["extra slip"] + "sweep: [{key: friction.coefficient, values: [0.3, 0.2]}]\noutput: {fields: [pressure]}\n"
        with case_folder(rolls):
            run_case("-o", "sweep.h5", "-q")
            run_case("-o", "second.h5", "-q", "--point", "2")
            own = of_file("second.h5")[0]
            own["seconds"] = of_table("sweep.h5")[1]["seconds"]
            point = of_table("sweep.h5")[1]
            self.assertEqual(point.pop("friction.coefficient"), 0.2)
            self.assertEqual(point, own)
            with h5py.File("sweep.h5", "r") as file:
                own["seconds"] = file["points/0002/steps/0001"].attrs["seconds"]
                self.assertEqual(plain(file["points/0002/steps/0001"].attrs), own)
            self.assertEqual(call("compare", "sweep.h5", "second.h5", "--point", "2", "--tolerance", "1e-300").returncode, 0)

    def test_what_adheres_and_slips_is_shown_with_a_shear_strength_alone(self):
        for kind in ("shear strength alone", "shear strength alone, all slips"):
            with self.subTest(kind), case_folder(KINDS[kind]):
                ran = run_case("-o", "out.h5").stdout
                step = of_file("out.h5")[0]
                slips = int(step["elements_slip"])
                self.assertGreater(slips, 0)
                self.assertRegex(ran, rf"(?m)^ +1 .* {slips} ")
                self.assertIn("elements_slip", shown_names(call("inspect", "out.h5").stdout))
                self.assertNotIn("without friction", call("inspect", "out.h5", "--map", "division").stdout)
                self.assertEqual(call("report", "out.h5", "-o", "out.html").returncode, 0)
                with open("out.html", encoding="utf-8") as page:
                    self.assertRegex(page.read(), f"lements in slip.{{0,80}}{slips}")

    def test_remarks_are_in_the_table_of_a_run_as_in_that_of_a_sweep(self):
        for kind, remarked in (("unlike rollers", False), ("adhesion", True)):
            with self.subTest(kind), case_folder(KINDS[kind]):
                run_case("-o", "run.h5", "-q")
                run_case("-o", "sweep.h5", "-q", "--set", "sweep=[{key: friction.coefficient, values: [0.3]}]")
                with h5py.File("run.h5", "r") as run, h5py.File("sweep.h5", "r") as sweep:
                    one, other = (set(file["table/warnings"].asstr()[0].split("\n")) for file in (run, sweep))
                    self.assertEqual(one, other)
                    self.assertGreater(len(one - {""}), 0)
                    message = run["table/message"].asstr()[0]
                    self.assertEqual(bool(message), remarked)
                    self.assertIn(message, one | {""})


for _kind, _case in KINDS.items():
    setattr(Numbers, "test_all_places_have_the_same_numbers: " + _kind, lambda self, case=_case: self.check_kind(case))

if __name__ == "__main__":
    machine.run_tests()
